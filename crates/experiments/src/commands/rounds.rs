//! Which replications of a sweep a command is about, where the sweep ends when it is precise.

use std::ops::Range;

use crate::cli::RoundArgs;
use crate::shards::{round, round_of};
use crate::sweep_file::{Stopping, Sweep};

/// Why there are no shards of a race.
pub(super) const NO_PARTS_OF_A_RACE: &str = "which designs of a race go on depends on all replications before, so it cannot be done in parts: leave [race] out, or run \
     it on one machine with `experiments SWEEP`";

/// The replications of the round that is asked for, or all of a sweep that has a fixed number of them.
///
/// # Errors
///
/// A sentence, when a sweep has rounds and none is named, or has no such round, or none at all.
pub(super) fn replications(sweep: &Sweep, args: RoundArgs) -> Result<Range<u32>, String> {
    if sweep.race.is_some() {
        return Err(NO_PARTS_OF_A_RACE.to_owned());
    }
    match (&sweep.stopping, args.round) {
        (None, None) => Ok(0..sweep.replications),
        (None, Some(_)) => {
            Err("this sweep has a fixed number of replications, and so no rounds: leave --round out".to_owned())
        }
        (Some(Stopping { looks, .. }), None) => Err(format!(
            "this sweep ends when it is precise, so its shards are done in rounds: name one with --round 1 (the replications up \
             to the first look, at {}), or do some of them whatever the precision with --replications N",
            looks.min()
        )),
        (Some(Stopping { looks, .. }), Some(number)) => round(looks, number).ok_or_else(|| {
            format!(
                "there is no round {number}: the last one is {}, which ends at {} replications",
                round_of(looks, looks.max()),
                looks.max()
            )
        }),
    }
}
