//! A sweep in parts that need not know of each other: which replications a shard owns, and which shard a process is.

mod identity;
pub mod template;

use std::ops::Range;

pub use identity::{Given, Identity, IdentityError, identify};

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
    replications: u32,
    shards: u32,
    block: u32,
}

impl Division {
    /// Divides a sweep.
    ///
    /// # Panics
    ///
    /// When there are no shards.
    #[must_use]
    pub fn new(sweep: &Sweep, shards: u32) -> Self {
        Self::of(sweep.replications, replications_per_block(sweep), shards)
    }

    fn of(replications: u32, longest_block: u32, shards: u32) -> Self {
        assert!(shards > 0, "there is at least one shard");
        let mut block = longest_block;
        while block > 1 && replications.div_ceil(block) < shards.saturating_mul(BLOCKS_PER_SHARD) {
            block /= 2;
        }
        Self { replications, shards, block }
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
        let blocks = u64::from(self.replications.div_ceil(self.block));
        let boundary = |shard: u64| {
            let replication = blocks * shard / u64::from(self.shards) * u64::from(self.block);
            replication.min(u64::from(self.replications)) as u32
        };
        boundary(u64::from(shard))..boundary(u64::from(shard) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_all_replications_once_in_order_and_of_like_size() {
        for (replications, longest, shards) in
            [(20, 2048, 3), (200, 32, 7), (1, 1, 1), (5, 4, 8), (1000, 32, 31), (u32::MAX, 64, 10_000), (97, 1, 96)]
        {
            let division = Division::of(replications, longest, shards);
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
