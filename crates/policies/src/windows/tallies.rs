//! What is counted in a bucket.

use std::ops::{AddAssign, SubAssign};

use crate::Verdict;

/// Something that is counted by bucket and in all.
pub(crate) trait Tally: Copy + Default + AddAssign + SubAssign {}

impl<T: Copy + Default + AddAssign + SubAssign> Tally for T {}

/// Successes and failures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Results {
    pub(crate) successes: u32,
    pub(crate) failures: u32,
}

impl Results {
    /// One result.
    pub(crate) const fn one(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Success => Self { successes: 1, failures: 0 },
            Verdict::Failure => Self { successes: 0, failures: 1 },
        }
    }

    pub(crate) const fn total(self) -> u32 {
        self.successes + self.failures
    }
}

impl AddAssign for Results {
    fn add_assign(&mut self, other: Self) {
        self.successes += other.successes;
        self.failures += other.failures;
    }
}

impl SubAssign for Results {
    fn sub_assign(&mut self, other: Self) {
        self.successes -= other.successes;
        self.failures -= other.failures;
    }
}
