//! Recordings of what real circuit breakers do, and their replay through ours.
//!
//! A *vector* is one JSON object a line: a library's name, version and settings, and in order of time what callers did and
//! what the library answered. `tools/record/README.md` describes the form and makes such files.

mod exact_time;
mod line;
mod replay;
mod rule;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::shortened::shortened;

pub use line::{Operation, Step, Vector};
pub use replay::{Answers, Difference, replay};
pub use rule::rule;

/// Why a line is no vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorError {
    /// The position in the line, from 1, where it is known.
    pub column: Option<usize>,
    /// The key, such as `ops[3].t_ms`; empty for the line as a whole.
    pub key: String,
    /// What is wrong, and what to do.
    pub problem: String,
}

impl VectorError {
    fn at(key: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { column: None, key: shortened(&key.into()), problem: problem.into() }
    }
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key.as_str() {
            "" => f.write_str(&self.problem),
            key => write!(f, "`{key}`: {}", self.problem),
        }
    }
}

impl std::error::Error for VectorError {}
