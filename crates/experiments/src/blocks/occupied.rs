//! Whether a folder's earlier work may be replaced, and by what it differs.

use std::ops::Range;
use std::path::Path;

use super::plan::Plan;
use super::store::{BlockError, BlockStore, Listing};
use crate::manifest;

/// What a folder holds of other sweeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occupied {
    /// Nothing.
    Not,
    /// Results of which no block is unfinished work, and by what their plan differs.
    Finished(String),
    /// Work that no finished result is made of: by what its plan differs, and how many replications it is.
    Unfinished(String, u64),
}

impl Occupied {
    /// Looks at the blocks and the manifest of a folder of results.
    ///
    /// # Errors
    ///
    /// When the blocks cannot be listed or read.
    pub fn of(results: &Path, store: &BlockStore, listing: &Listing) -> Result<Self, BlockError> {
        let results = described(results);
        let is_finished = |hash: &str, range: &Range<u32>| {
            let of = |there: &Described| there.complete && there.plan.hash() == hash && range.end <= there.finished;
            results.as_ref().is_some_and(of)
        };
        let difference = |(hash, range): &(String, Range<u32>)| match store.difference(hash, range) {
            Err(BlockError::Damaged(..)) => Ok("its blocks are damaged".to_owned()),
            difference => difference,
        };
        let (done, open): (Vec<_>, Vec<_>) = listing.foreign.iter().partition(|(hash, range)| is_finished(hash, range));
        if let Some(block) = open.first() {
            let replications = open.iter().map(|(_, range)| range.len() as u64).sum();
            return Ok(Self::Unfinished(difference(block)?, replications));
        }
        // Tables may have no blocks any more.
        let others = results.filter(|there| there.plan.hash() != store.plan().hash());
        Ok(match (others, done.first()) {
            (Some(there), _) => Self::Finished(store.plan().difference(there.plan.text())),
            (None, Some(block)) => Self::Finished(difference(block)?),
            (None, None) => Self::Not,
        })
    }
}

/// How many replications of a plan have been finished into a folder of results, by its manifest. Its tables may be of fewer. 0 if
/// the manifest is missing, cannot be read or is of another plan.
#[must_use]
pub fn finished_replications(results: &Path, plan: &Plan) -> u32 {
    described(results).filter(|there| there.plan == *plan).map_or(0, |there| there.finished)
}

/// What a manifest says of the results beside it.
struct Described {
    plan: Plan,
    /// The most replications that an execution finished.
    finished: u32,
    /// Whether the execution that wrote the results did.
    complete: bool,
}

fn described(results: &Path) -> Option<Described> {
    let manifest = manifest::read(results).ok()?;
    let execution = manifest.get("execution")?;
    let number = |key| u32::try_from(execution.get(key)?.as_u64()?).ok();
    let complete = execution.get("complete")?.as_bool()?;
    // Manifests of earlier releases do not say what was finished before.
    let done = number("replications_done").filter(|_| complete);
    let finished = number("replications_finished").or(done).unwrap_or(0);
    Some(Described { plan: Plan::of_manifest(&manifest)?, finished, complete })
}
