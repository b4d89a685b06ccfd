//! Floating-point numbers as states and settings hold them: equal, ordered and hashed by their bits.

use std::fmt;

/// An `f64` whose equality is that of its bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Real(u64);

/// An `f32` whose equality is that of its bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Real32(u32);

impl Real {
    /// Holds `number`; −0 is held as 0.
    #[must_use]
    pub fn new(number: f64) -> Self {
        Self((number + 0.0).to_bits())
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl Real32 {
    /// Holds `number`; −0 is held as 0.
    #[must_use]
    pub fn new(number: f32) -> Self {
        Self((number + 0.0).to_bits())
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f32 {
        f32::from_bits(self.0)
    }

    /// The shortest decimal that is read as this number: 0.2, not 0.200000003.
    #[must_use]
    pub fn shortest(self) -> f64 {
        self.get().to_string().parse().unwrap_or_else(|_| self.get().into())
    }
}

impl fmt::Debug for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl fmt::Debug for Real32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
