//! Whether a folder's earlier work may be replaced, and by what it differs.

use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use super::plan::Plan;
use super::store::{BlockError, BlockStore, Listing};
use crate::manifest;

/// What a folder holds of other sweeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occupied {
    /// Nothing.
    Not,
    /// Finished results, and by what their plan differs.
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
        let finished = finished_plan(results);
        let is_finished = |hash: &str, range: &Range<u32>| {
            finished.as_ref().is_some_and(|(plan, replications)| plan.hash() == hash && range.end <= *replications)
        };
        let difference = |(hash, range): &(String, Range<u32>)| match store.difference(hash, range) {
            Err(BlockError::Damaged(..)) => Ok("its blocks are damaged".to_owned()),
            difference => difference,
        };
        let (done, open): (Vec<_>, Vec<_>) = listing.foreign.iter().partition(|(hash, range)| is_finished(hash, range));
        Ok(match (open.first(), done.first()) {
            (Some(block), _) => {
                let replications = open.iter().map(|(_, range)| range.len() as u64).sum();
                Self::Unfinished(difference(block)?, replications)
            }
            (None, Some(block)) => Self::Finished(difference(block)?),
            (None, None) => Self::Not,
        })
    }
}

/// The plan and the number of replications of the complete results in a folder.
fn finished_plan(results: &Path) -> Option<(Plan, u32)> {
    let manifest: Value = manifest::read(results).ok()?;
    let execution = manifest.get("execution")?;
    execution.get("complete")?.as_bool().filter(|&complete| complete)?;
    let replications = u32::try_from(execution.get("replications_done")?.as_u64()?).ok()?;
    Some((Plan::of_manifest(&manifest)?, replications))
}
