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

    /// Half of its width.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.hi - self.lo) / 2.0
    }
}

/// How an interval was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Student's t on n − 1 degrees of freedom: for means of independent replications.
    StudentT,
    /// Clopper–Pearson: for proportions; covers at least at its level, whatever the true proportion.
    ClopperPearson,
    /// Wilson's score interval: for proportions; shorter, and covers at its level on average over true proportions.
    Wilson,
    /// Two order statistics: for quantiles; covers at least at its level, whatever the distribution.
    OrderStatistics,
    /// A normal approximation with the standard error of a linearised statistic: for ratios of means.
    Delta,
    /// Fieller's set: for ratios of means; need not be an interval.
    Fieller,
    /// Quantiles of the bootstrap distribution.
    BootstrapPercentile,
    /// The bootstrap distribution reflected at the estimate.
    BootstrapBasic,
    /// Quantiles of the bootstrap distribution at levels corrected for bias and acceleration.
    BootstrapBca,
    /// Greenwood's variance and a normal approximation: for restricted means of survival curves.
    Greenwood,
    /// A variance of Greenwood's type on the complementary log–log scale: for probabilities by a time.
    LogLog,
    /// The largest |t| of a whole table, by multiplier bootstrap: for means that are read together.
    SupT,
    /// A confidence sequence: valid at all sample sizes at once.
    ConfidenceSequence,
}

impl Method {
    /// The name in result files, such as `t` or `clopper_pearson`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::StudentT => "t",
            Self::ClopperPearson => "clopper_pearson",
            Self::Wilson => "wilson",
            Self::OrderStatistics => "order_statistics",
            Self::Delta => "delta",
            Self::Fieller => "fieller",
            Self::BootstrapPercentile => "bootstrap_percentile",
            Self::BootstrapBasic => "bootstrap_basic",
            Self::BootstrapBca => "bootstrap_bca",
            Self::Greenwood => "greenwood",
            Self::LogLog => "log_log",
            Self::SupT => "sup_t",
            Self::ConfidenceSequence => "confidence_sequence",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What an interval's level is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// This one quantity: of a hundred such 95 % intervals, about five miss.
    PerDesign,
    /// All quantities of the table together: with 95 % confidence, none of its intervals misses.
    Simultaneous,
}

impl Scope {
    /// The name in result files: `per_design` or `simultaneous`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PerDesign => "per_design",
            Self::Simultaneous => "simultaneous",
        }
    }
}

impl fmt::Display for Scope {
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
    /// Whether the level holds for this quantity by itself or for all of its table together.
    pub scope: Scope,
}
