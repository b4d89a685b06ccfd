//! What Resilience4j counts of calls.

use std::ops::{AddAssign, SubAssign};

/// Calls, failed ones and slow ones; one call may be both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Measurements {
    pub(super) total: u32,
    pub(super) failed: u32,
    pub(super) slow: u32,
}

impl AddAssign for Measurements {
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.failed += other.failed;
        self.slow += other.slow;
    }
}

impl SubAssign for Measurements {
    fn sub_assign(&mut self, other: Self) {
        self.total -= other.total;
        self.failed -= other.failed;
        self.slow -= other.slow;
    }
}
