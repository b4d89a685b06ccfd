//! Finished work that outlives the process.
//!
//! All designs and modes of a range of replications together are a *block*: a file under `blocks/` in the folder of the
//! results, or an object of such a name in a bucket, published once, whole or not at all. A run takes over the blocks that are there, simulates what is missing, and
//! publishes that in blocks; so whatever ends a process costs it the block under way and no more. What a block holds is a
//! function of its plan ([`Plan`]) and its range, never of who wrote it, so blocks of several processes fit together.

#[cfg(feature = "object-store")]
mod bucket;
mod codec;
mod cover;
mod destination;
mod folder;
mod occupied;
mod place;
mod plan;
mod record;
pub(crate) mod robustness;
mod store;
mod work;

pub use codec::Unreadable;
pub use cover::{Cover, Step};
pub use destination::{BucketAddress, Destination, DestinationError, local_folder};
pub use occupied::{Occupied, finished_replications};
pub use plan::{Plan, replications_per_block};
pub use store::{BlockError, BlockStore, FOLDER, Listing};
pub use work::{Origin, Work};
