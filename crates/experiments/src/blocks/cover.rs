//! Which block holds a replication, when blocks may lie within others or overlap.

use std::ops::Range;

/// The ranges of a plan's blocks.
#[derive(Clone, Debug)]
pub struct Cover {
    /// Sorted by start.
    blocks: Vec<Range<u32>>,
}

/// How to go on from a replication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// This block holds it; of all that do, the one that reaches furthest.
    Block(Range<u32>),
    /// No block holds it, or any other one before this.
    MissingUntil(u32),
}

impl Cover {
    /// The cover by these blocks.
    #[must_use]
    pub fn new(mut blocks: Vec<Range<u32>>) -> Self {
        blocks.sort_by_key(|block| block.start);
        Self { blocks }
    }

    /// How to go on from `next` towards `end`, which lies behind it.
    #[must_use]
    pub fn step(&self, next: u32, end: u32) -> Step {
        let begun = self.blocks.partition_point(|block| block.start <= next);
        let holding = self.blocks[..begun].iter().filter(|block| block.contains(&next));
        match holding.max_by_key(|block| block.end) {
            Some(block) => Step::Block(block.clone()),
            None => Step::MissingUntil(self.blocks.get(begun).map_or(end, |block| block.start.min(end))),
        }
    }

    /// Forgets a block.
    pub fn remove(&mut self, block: &Range<u32>) {
        self.blocks.retain(|other| other != block);
    }

    /// The replications of `range` that no block holds, as ranges in order.
    #[must_use]
    pub fn missing(&self, range: Range<u32>) -> Vec<Range<u32>> {
        let mut missing = Vec::new();
        let mut next = range.start;
        while next < range.end {
            match self.step(next, range.end) {
                Step::Block(block) => next = block.end,
                Step::MissingUntil(end) => {
                    missing.push(next..end);
                    next = end;
                }
            }
        }
        missing
    }

    /// The blocks that hold nothing within `range` which another one does not hold as well: those that going from step to
    /// step does not touch.
    #[must_use]
    pub fn superfluous(&self, range: Range<u32>) -> Vec<Range<u32>> {
        let mut needed = Vec::new();
        let mut next = range.start;
        while next < range.end {
            match self.step(next, range.end) {
                Step::Block(block) => {
                    next = block.end;
                    needed.push(block);
                }
                Step::MissingUntil(end) => next = end,
            }
        }
        let within = |block: &&Range<u32>| block.start < range.end && range.start < block.end;
        self.blocks.iter().filter(within).filter(|block| !needed.contains(block)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_within_and_across_others_are_found_and_gaps_named() {
        let cover = Cover::new(vec![8..16, 0..4, 0..8, 20..24, 22..30]);
        assert_eq!(cover.step(0, 100), Step::Block(0..8));
        assert_eq!(cover.step(8, 100), Step::Block(8..16));
        assert_eq!(cover.step(17, 100), Step::MissingUntil(20));
        assert_eq!(cover.step(17, 18), Step::MissingUntil(18));
        assert_eq!(cover.step(23, 100), Step::Block(22..30));
        assert_eq!(cover.step(30, 100), Step::MissingUntil(100));
        assert_eq!(cover.missing(0..40), [16..20, 30..40]);
        assert_eq!(cover.missing(17..35), [17..20, 30..35]);
        assert_eq!(cover.superfluous(0..40), vec![0_u32..4]);
        assert_eq!(Cover::new(Vec::new()).missing(3..5), vec![3_u32..5]);
    }

    #[test]
    fn a_long_block_that_began_early_is_not_overlooked() {
        let mut cover = Cover::new(vec![0..100, 10..11, 20..21]);
        assert_eq!(cover.step(50, 200), Step::Block(0..100));
        cover.remove(&(0..100));
        assert_eq!(cover.step(50, 200), Step::MissingUntil(200));
        assert_eq!(cover.missing(0..30), [0..10, 11..20, 21..30]);
    }
}
