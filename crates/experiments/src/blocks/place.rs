//! What blocks need of where they lie.

use std::fmt::Debug;
use std::path::Path;

use super::store::BlockError;

/// No block is larger, whatever a place may hold under a block's name.
pub(super) const MOST_BYTES: u64 = 4 << 30;
/// What is said of what is larger.
pub(super) const TOO_LARGE: &str = "it is larger than any block";

/// A flat set of named byte strings, each of which appears whole or not at all.
pub(super) trait Place: Debug + Send + Sync {
    /// What it is called in messages.
    fn location(&self) -> &Path;

    /// Makes it if it is not there and can be made.
    fn create(&self) -> Result<(), BlockError>;

    /// The names, in any order; none if it is not there.
    fn names(&self) -> Result<Vec<String>, BlockError>;

    /// The bytes of a name: [`std::io::ErrorKind::NotFound`] if nothing has it, damaged if they cannot be a block's.
    fn read(&self, name: &str) -> Result<Vec<u8>, BlockError>;

    /// Gives bytes a name that nothing has yet, by one of several writers only: `false` if the name was taken.
    fn publish_new(&self, name: &str, bytes: &[u8]) -> Result<bool, BlockError>;

    /// Removes a name if it is there.
    fn remove(&self, name: &str) -> Result<(), BlockError>;

    /// Removes what killed writers have left. Only for the one writer of a place.
    fn remove_staged(&self) -> Result<(), BlockError>;

    /// Removes the place itself if nothing is left in it.
    fn remove_if_empty(&self);
}
