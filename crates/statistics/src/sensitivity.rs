//! Which settings an objective depends on: Morris' screening and Sobol' indices.
//!
//! Points lie in the unit cube, a coordinate per factor; the caller maps them to settings (a logarithmic scale for a
//! duration, rounding for a count) and evaluates its objective there. The objective has to be a function: the mean over
//! one fixed set of replications, the same for all points. One replication per point would measure noise.

mod morris;
mod sobol;

pub use morris::{ElementaryEffects, MorrisPlan};
pub use sobol::{SobolIndex, SobolPlan};

use std::error::Error;
use std::fmt;

/// Why a sensitivity analysis cannot be planned or evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SensitivityError {
    /// No factors or no points, more than 65,536 base points, or more than 128 factors.
    Plan {
        /// How many factors.
        factors: usize,
        /// How many base points or trajectories.
        points: usize,
    },
    /// As many levels as make no grid: an even number from 2 on is needed.
    Levels {
        /// How many levels.
        levels: u32,
    },
    /// Not one value per point.
    Values {
        /// How many points the plan has.
        points: usize,
        /// How many values there are.
        values: usize,
    },
    /// A value that is infinite or not a number.
    NotFinite {
        /// Its position.
        index: usize,
    },
}

impl SensitivityError {
    /// Checks one finite value per point.
    fn check(points: usize, values: &[f64]) -> Result<(), Self> {
        if values.len() != points {
            return Err(Self::Values { points, values: values.len() });
        }
        match values.iter().position(|value| !value.is_finite()) {
            Some(index) => Err(Self::NotFinite { index }),
            None => Ok(()),
        }
    }
}

impl fmt::Display for SensitivityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan { factors, points } => write!(
                f,
                "a plan needs 1 to 128 factors and 1 to 65536 base points, but this one has {factors} and {points}"
            ),
            Self::Levels { levels } => {
                write!(f, "Morris' grid needs an even number of levels, 2 or more, not {levels}")
            }
            Self::Values { points, values } => {
                write!(f, "the plan has {points} points, in order, and needs a value of each, but there are {values}")
            }
            Self::NotFinite { index } => write!(f, "the value of point {index} is not finite"),
        }
    }
}

impl Error for SensitivityError {}
