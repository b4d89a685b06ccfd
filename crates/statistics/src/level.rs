//! The confidence level of an interval.

use std::error::Error;
use std::fmt;

/// A confidence level, strictly between 0 and 1: the share of such intervals that hold the true value.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Level(f64);

impl Level {
    /// A level from a fraction such as 0.95.
    ///
    /// # Errors
    ///
    /// Refuses what is not strictly between 0 and 1: 0, 1, 95 and NaN.
    pub fn new(fraction: f64) -> Result<Self, LevelError> {
        if fraction > 0.0 && fraction < 1.0 { Ok(Self(fraction)) } else { Err(LevelError { fraction }) }
    }

    /// The level as a fraction, such as 0.95.
    #[must_use]
    pub fn fraction(self) -> f64 {
        self.0
    }

    /// The probability α/2 that a two-sided interval with equal tails leaves on each side.
    #[must_use]
    pub fn tail(self) -> f64 {
        (1.0 - self.0) / 2.0
    }
}

/// A confidence level outside (0, 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelError {
    fraction: f64,
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fraction } = self;
        write!(f, "a confidence level lies between 0 and 1 (0.95 for 95 %), but this one is {fraction}")
    }
}

impl Error for LevelError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_open_unit_interval_is_a_level() {
        for fraction in [0.5, 0.95, f64::MIN_POSITIVE, 1.0 - f64::EPSILON] {
            assert_eq!(Level::new(fraction).map(Level::fraction), Ok(fraction));
        }
        for fraction in [0.0, 1.0, -0.1, 95.0, f64::NAN, f64::INFINITY] {
            assert!(Level::new(fraction).is_err(), "{fraction}");
        }
    }

    #[test]
    fn the_refusal_says_what_a_level_is() {
        let message = Level::new(95.0).unwrap_err().to_string();
        assert_eq!(message, "a confidence level lies between 0 and 1 (0.95 for 95 %), but this one is 95");
    }
}
