//! What holds of everything that is read as a block: see [`crate::robustness`].

use std::ops::Range;
use std::sync::OnceLock;

#[cfg(test)]
use scenario::Sharing;

#[cfg(test)]
use super::codec::BlockWriter;
use super::codec::{Shape, Unreadable, decode, plan_text, sealed};
use super::plan::Plan;
use crate::runner::DistinctDesigns;
#[cfg(test)]
use crate::runner::simulate;
use crate::sweep_file::{Sweep, parse};

/// The replications that the block should hold.
const RANGE: Range<u32> = 6..9;

/// The sweep that the block should belong to.
fn sweep() -> Sweep {
    let text = "[[rule]]\nkind = \"consecutive\"\nthreshold = [3, 4]\nopen_for = \"1s\"\n";
    parse("block.toml", text, &["scenario.horizon=\"4s\"".to_owned()], None).expect("a sweep")
}

/// Checks that bytes, as they are, with a right checksum and compressed as well, are records of a sweep or refused; returns
/// whether one of the three was taken for a block.
///
/// # Panics
///
/// When they are neither as they should be.
#[must_use]
pub fn block(bytes: &[u8]) -> bool {
    static EXPECTED: OnceLock<(Plan, Shape)> = OnceLock::new();
    let (plan, shape) = EXPECTED.get_or_init(|| {
        let sweep = sweep();
        let slots = DistinctDesigns::of(&sweep).simulated.len();
        (Plan::of(&sweep), Shape { modes: sweep.modes.len(), slots })
    });
    let compressed = zstd::encode_all(bytes, 1).expect("memory");
    let mut taken = false;
    for block in [bytes, &sealed(&RANGE, bytes), &sealed(&RANGE, &compressed)] {
        match decode(block, plan, *shape, &RANGE) {
            Ok(replications) => {
                taken = true;
                assert!(replications.iter().map(|runs| runs.replication).eq(RANGE));
                for runs in &replications {
                    assert_eq!(runs.runs.len(), shape.modes);
                    assert!(runs.runs.iter().all(|mode| mode.len() == shape.slots));
                }
            }
            Err(Unreadable::Damaged(why)) => assert!(!why.is_empty()),
            Err(Unreadable::OtherPlan(difference)) => {
                assert!((1..1_000).contains(&difference.chars().count()), "{difference:.400}");
            }
        }
        // What is said of a block of another plan.
        if let Ok(there) = plan_text(block) {
            let difference = plan.difference(&there);
            assert!((1..1_000).contains(&difference.chars().count()), "{difference:.400}");
        }
    }
    taken
}

/// The block of those replications.
#[cfg(test)]
pub(crate) fn whole_block() -> Vec<u8> {
    let sweep = sweep();
    let distinct = DistinctDesigns::of(&sweep);
    let shape = Shape { modes: sweep.modes.len(), slots: distinct.simulated.len() };
    let designs = distinct.design_set(&sweep);
    let mut writer = BlockWriter::new(&Plan::of(&sweep), shape, RANGE.start).expect("memory");
    for replication in RANGE {
        writer.add(&simulate(&sweep, &designs, Sharing::Auto, replication)).expect("memory");
    }
    writer.finish().expect("memory").1
}
