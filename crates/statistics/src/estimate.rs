//! An estimate: a value, and the interval that says how far it can be trusted.

use std::fmt;

use crate::Level;

/// A closed interval, `lo <= hi`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub lo: f64,
    /// The upper end.
    pub hi: f64,
}

impl Interval {
    /// Whether `value` lies in the interval, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }
}

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Student's t on n − 1 degrees of freedom: for means of independent replications.
    StudentT,
    /// Clopper–Pearson: for proportions; covers at least at its level, whatever the true proportion.
    ClopperPearson,
}

impl Method {
    /// The name in result files: `t` or `clopper_pearson`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StudentT => "t",
            Self::ClopperPearson => "clopper_pearson",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A value estimated from `n` observations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate; `None` without any observation.
    pub value: Option<f64>,
    /// The two-sided interval with equal tails; `None` where the observations cannot give one.
    pub interval: Option<Interval>,
    /// How many observations went in (replications, trials or pairs).
    pub n: u64,
    /// The interval's confidence level.
    pub level: Level,
    /// How the interval was, or would have been, made.
    pub method: Method,
}
