//! A sweep in parts that need not know of each other: which replications a shard owns, and which shard a process is.

mod identity;
pub mod template;

use std::ops::Range;

pub use identity::{Given, Identity, IdentityError, identify};

use statistics::Looks;

use crate::blocks::replications_per_block;
use crate::sweep_file::Sweep;

/// Shards have so many blocks at least if there are enough replications, so that their sizes differ by a quarter at most.
const BLOCKS_PER_SHARD: u32 = 4;

/// A sweep's replications as shards of consecutive ones: a function of the sweep and the number of shards.
///
/// Boundaries are multiples of a power of two, the largest that gives every shard some blocks to do and is no more than the
/// sweep's own blocks hold. So blocks of one division lie within blocks of another, and both can be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    first: u32,
    end: u32,
    shards: u32,
    block: u32,
}

impl Division {
    /// Divides some replications of a sweep.
    ///
    /// # Panics
    ///
    /// When there are no shards.
    #[must_use]
    pub fn new(sweep: &Sweep, replications: Range<u32>, shards: u32) -> Self {
        Self::of(replications, replications_per_block(sweep), shards)
    }

    fn of(replications: Range<u32>, longest_block: u32, shards: u32) -> Self {
        assert!(shards > 0, "there is at least one shard");
        let Range { start: first, end } = replications;
        let mut block = longest_block;
        while block > 1 && (end - first).div_ceil(block) < shards.saturating_mul(BLOCKS_PER_SHARD) {
            block /= 2;
        }
        Self { first, end, shards, block }
    }

    /// How many shards there are.
    #[must_use]
    pub const fn shards(&self) -> u32 {
        self.shards
    }

    /// How many replications a block holds.
    #[must_use]
    pub const fn block(&self) -> u32 {
        self.block
    }

    /// The replications of a shard, none if there are more shards than replications.
    ///
    /// # Panics
    ///
    /// When there is no such shard.
    #[must_use]
    pub fn range(&self, shard: u32) -> Range<u32> {
        assert!(shard < self.shards, "shards are numbered from 0");
        let before = u64::from(self.first / self.block);
        let blocks = u64::from(self.end.div_ceil(self.block)) - before;
        let boundary = |shard: u64| {
            let replication = (before + blocks * shard / u64::from(self.shards)) * u64::from(self.block);
            replication.clamp(u64::from(self.first), u64::from(self.end)) as u32
        };
        boundary(u64::from(shard))..boundary(u64::from(shard) + 1)
    }
}

/// The replications of a round, numbered from 1: from the look before it to its own. `None` if there are fewer rounds.
#[must_use]
pub fn round(looks: &Looks, number: u32) -> Option<Range<u32>> {
    let number = u64::from(number).checked_sub(1)?;
    let start = number.checked_sub(1).map_or(Some(0), |before| looks.nth(before))?;
    Some(u32::try_from(start).ok()?..u32::try_from(looks.nth(number)?).ok()?)
}

/// The number of the round that ends at a look.
#[must_use]
pub fn round_of(looks: &Looks, look: u64) -> u64 {
    look.saturating_sub(looks.min()).div_ceil(looks.block()) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_go_from_look_to_look() {
        let looks = Looks::new(30, 100, 25).expect("looks");
        let rounds: Vec<_> = (0..=5).map(|number| round(&looks, number)).collect();
        assert_eq!(rounds, [None, Some(0..30), Some(30..55), Some(55..80), Some(80..100), None]);
        assert_eq!([30, 55, 80, 100].map(|look| round_of(&looks, look)), [1, 2, 3, 4]);
    }

    #[test]
    fn a_round_is_divided_at_boundaries_of_blocks() {
        for (range, longest, shards) in [(100..200, 64, 3), (30..55, 2048, 4), (7..9, 4, 5), (64..128, 64, 1)] {
            let division = Division::of(range.clone(), longest, shards);
            let mut next = range.start;
            for shard in 0..shards {
                let own = division.range(shard);
                assert_eq!(own.start, next);
                assert!(own.end == range.end || own.end == range.start || own.end.is_multiple_of(division.block()));
                next = own.end;
            }
            assert_eq!(next, range.end);
        }
    }

    #[test]
    fn shards_are_all_replications_once_in_order_and_of_like_size() {
        for (replications, longest, shards) in
            [(20, 2048, 3), (200, 32, 7), (1, 1, 1), (5, 4, 8), (1000, 32, 31), (u32::MAX, 64, 10_000), (97, 1, 96)]
        {
            let division = Division::of(0..replications, longest, shards);
            let mut next = 0;
            let mut sizes = Vec::new();
            for shard in 0..shards {
                let range = division.range(shard);
                assert_eq!(range.start, next);
                assert!(range.end == replications || range.end.is_multiple_of(division.block()));
                next = range.end;
                sizes.push(range.len().div_ceil(division.block() as usize));
            }
            assert_eq!(next, replications);
            let (least, most) = (sizes.iter().min().expect("one"), sizes.iter().max().expect("one"));
            assert!(most - least <= 1, "{replications} in {shards}: {sizes:?}");
            assert!(*least > 0 || shards > replications);
        }
    }
}
