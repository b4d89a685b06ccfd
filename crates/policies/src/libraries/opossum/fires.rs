//! What opossum counts in a bucket.

use std::ops::{AddAssign, SubAssign};

/// Calls made, whether let through or not, and failures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Fires {
    pub(super) fires: u32,
    pub(super) failures: u32,
}

impl AddAssign for Fires {
    fn add_assign(&mut self, other: Self) {
        self.fires += other.fires;
        self.failures += other.failures;
    }
}

impl SubAssign for Fires {
    fn sub_assign(&mut self, other: Self) {
        self.fires -= other.fires;
        self.failures -= other.failures;
    }
}
