//! When there are replications enough: rules that look at prefixes of the replication index.

use std::error::Error;
use std::fmt;

use crate::{Estimate, Level, Method, Moments, Scope, mean, t_interval};

/// The numbers of replications at which precision is looked at: `min`, `min + block`, `min + 2 block`, …, and `max`.
///
/// Looking seldom and never early is what keeps the coverage: a rule that looks after every replication from the second
/// on stops where the spread happens to look small. Looks go by the replication index; what happens to have finished
/// first is a biased sample, since short runs finish first (Glynn & Heidelberger, *ACM TOMACS* 1, 1991).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    min: u64,
    max: u64,
    block: u64,
}

impl Looks {
    /// Looks from `min` to `max` replications, `block` apart.
    ///
    /// # Errors
    ///
    /// Refuses fewer than two replications (30 is a sensible `min` for means, 100 for proportions and skewed metrics), a
    /// `max` below `min`, and blocks of nothing.
    pub fn new(min: u64, max: u64, block: u64) -> Result<Self, LooksError> {
        if min >= 2 && min <= max && block >= 1 {
            Ok(Self { min, max, block })
        } else {
            Err(LooksError { min, max, block })
        }
    }

    /// The first look after `n` replications; `None` from the last one on.
    #[must_use]
    pub fn after(&self, n: u64) -> Option<u64> {
        if n < self.min {
            return Some(self.min);
        }
        let next = ((n - self.min) / self.block + 1).saturating_mul(self.block).saturating_add(self.min);
        (n < self.max).then_some(next.min(self.max))
    }

    /// The fewest replications, at which the first look is.
    #[must_use]
    pub const fn min(&self) -> u64 {
        self.min
    }

    /// The most replications, at which the last look is.
    #[must_use]
    pub const fn max(&self) -> u64 {
        self.max
    }

    /// How many replications lie between two looks, but for the last.
    #[must_use]
    pub const fn block(&self) -> u64 {
        self.block
    }

    /// The look with this number, from 0; `None` if there are fewer.
    #[must_use]
    pub fn nth(&self, number: u64) -> Option<u64> {
        let look = number.saturating_mul(self.block).saturating_add(self.min);
        if look < self.max {
            return Some(look);
        }
        // The last look ends a block that may be short.
        let before =
            number.checked_sub(1).map_or(0, |before| before.saturating_mul(self.block).saturating_add(self.min));
        (before < self.max).then_some(self.max)
    }

    /// All looks, ascending.
    pub fn iter(self) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(self.min), move |&n| self.after(n))
    }

    /// Refuses a number of replications at which there is no look.
    pub(crate) fn check(&self, n: u64) -> Result<(), NotALookError> {
        if self.contains(n) { Ok(()) } else { Err(NotALookError { n, next: self.after(n) }) }
    }

    /// Whether there is a look at `n` replications.
    #[must_use]
    pub fn contains(&self, n: u64) -> bool {
        n == self.max || (self.min..self.max).contains(&n) && (n - self.min).is_multiple_of(self.block)
    }
}

/// Looks that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LooksError {
    min: u64,
    max: u64,
    block: u64,
}

impl fmt::Display for LooksError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { min, max, block } = self;
        write!(
            f,
            "stopping by precision needs 2 <= min <= max replications and a block of at least 1, but min is {min}, max \
             {max} and block {block}"
        )
    }
}

impl Error for LooksError {}

/// How narrow an interval has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Precision {
    /// A half-width of at most this, in the metric's unit.
    Absolute(f64),
    /// A half-width of at most a share of the true value, or of `floor`, whichever is larger. The floor, in the metric's
    /// unit, is what ends the wait for a metric that may be zero.
    Relative {
        /// The largest half-width as a share γ of the true value. Judged as γ/(1 + γ) of the estimate, which bounds the
        /// error against the true value (Law, *Simulation Modeling and Analysis*, 5th ed., section 9.4.1).
        share: f64,
        /// The smallest half-width that is ever asked for.
        floor: f64,
    },
}

impl Precision {
    /// The largest half-width around `value` that satisfies.
    #[must_use]
    pub fn half_width_at(&self, value: f64) -> f64 {
        match *self {
            Self::Absolute(half_width) => half_width,
            Self::Relative { share, floor } => (share / (1.0 + share) * value.abs()).max(floor),
        }
    }
}

/// What a look says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Progress {
    /// Not precise enough: go on to the next look.
    Continue {
        /// The number of replications at which to look next.
        next: u64,
    },
    /// The precision is reached.
    Reached,
    /// The last look, and the precision is not reached.
    NotReached,
}

impl Progress {
    /// What two metrics of one design say together at the same look: both have to be precise.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Reached, progress) | (progress, Self::Reached) => progress,
            (Self::Continue { next: first }, Self::Continue { next: second }) => {
                Self::Continue { next: first.min(second) }
            }
            (Self::Continue { next }, Self::NotReached) | (Self::NotReached, Self::Continue { next }) => {
                Self::Continue { next }
            }
            (Self::NotReached, Self::NotReached) => Self::NotReached,
        }
    }
}

/// Looks with a precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppingRule {
    /// When to look.
    pub looks: Looks,
    /// What to look for.
    pub precision: Precision,
}

impl StoppingRule {
    /// Whether an estimate is precise: its interval reaches no further from its middle than the precision allows.
    ///
    /// For proportions give it [`proportion`](crate::proportion), whose width is honest for few events, or
    /// [`proportion_anytime`](crate::proportion_anytime), whose coverage holds at every look together. Never a t interval
    /// of zeros and ones: without events it has no width, and the rule would stop at once. Means go through
    /// [`of_mean`](Self::of_mean).
    ///
    /// # Errors
    ///
    /// Refuses an estimate from a number of replications at which there is no look.
    pub fn of_estimate(&self, estimate: &Estimate) -> Result<Progress, NotALookError> {
        self.judge(estimate, true)
    }

    /// Whether the mean of the replications so far, all of them up to this look, is precise, by Student's t.
    ///
    /// Two kinds of samples are never precise, whatever their spread. Equal observations: rare events look like this
    /// before the first one. And fewer than 75 G₁² observations, where G₁ is the sample's skewness: the mean is not near
    /// enough to normal for its interval to cover at its level. Cochran's rule for a fixed number of replications is 25 G₁²
    /// (*Sampling Techniques*, 3rd ed., section 2.15); whoever may stop where the sample looks harmless needs three times
    /// as many to cover a lognormal mean with 0.93. A metric that is mostly zero is asking for [`proportion`](crate::proportion).
    ///
    /// # Errors
    ///
    /// Refuses a number of replications at which there is no look.
    pub fn of_mean(&self, prefix: &[f64], level: Level) -> Result<Progress, NotALookError> {
        self.judge(
            &mean(prefix, level),
            skewness(prefix).is_some_and(|skewness| is_enough(prefix.len() as u64, skewness)),
        )
    }

    /// What [`of_mean`](Self::of_mean) says of the observations that went into `moments`, for a caller that keeps none of
    /// them. `t` is the [`t_quantile`](crate::t_quantile) of so many observations at this level, which many means share.
    ///
    /// # Errors
    ///
    /// Refuses a number of replications at which there is no look.
    pub fn of_moments(&self, moments: &Moments, level: Level, t: Option<f64>) -> Result<Progress, NotALookError> {
        let n = moments.count();
        let interval = moments
            .mean()
            .zip(moments.standard_deviation())
            .zip(t)
            .and_then(|((mean, deviation), t)| t_interval(n, mean, deviation, t));
        let (method, scope) = (Method::StudentT, Scope::PerDesign);
        let estimate = Estimate { value: moments.mean(), interval, n, level, method, scope };
        self.judge(&estimate, moments.suffice_for_a_mean())
    }

    /// Goes from look to look over the observations, by replication index, until the mean is precise or they end. The
    /// result says how many were used, what the last look said and what the mean is; `None` if there are fewer
    /// observations than the first look needs.
    #[must_use]
    pub fn run_mean(&self, observations: &[f64], level: Level) -> Option<Stop> {
        let available = self.looks.iter().take_while(|&n| n <= observations.len() as u64);
        let mut last = None;
        for n in available {
            let prefix = &observations[..n as usize];
            let progress = self.of_mean(prefix, level).expect("it is a look");
            last = Some(Stop { progress, estimate: mean(prefix, level) });
            if progress == Progress::Reached {
                break;
            }
        }
        last
    }

    fn judge(&self, estimate: &Estimate, trusted: bool) -> Result<Progress, NotALookError> {
        self.looks.check(estimate.n)?;
        let precise = estimate
            .value
            .zip(estimate.interval)
            .is_some_and(|(value, interval)| interval.half_width() <= self.precision.half_width_at(value));
        Ok(match self.looks.after(estimate.n) {
            _ if precise && trusted => Progress::Reached,
            Some(next) => Progress::Continue { next },
            None => Progress::NotReached,
        })
    }
}

/// Where a run of looks ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// What the last look said.
    pub progress: Progress,
    /// The estimate at that look; its `n` is the number of replications used.
    pub estimate: Estimate,
}

/// How many observations per squared skewness the mean needs to be near enough to normal.
const PER_SQUARED_SKEWNESS: f64 = 75.0;

/// Whether observations with this skewness G₁ are enough for their mean.
pub(crate) fn is_enough(n: u64, skewness: f64) -> bool {
    n as f64 >= PER_SQUARED_SKEWNESS * skewness * skewness
}

/// The sample's skewness G₁; `None` for observations that do not differ.
fn skewness(observations: &[f64]) -> Option<f64> {
    if observations.windows(2).all(|pair| pair[0] == pair[1]) {
        return None;
    }
    let n = observations.len() as f64;
    let mean = observations.iter().sum::<f64>() / n;
    let (mut squares, mut cubes) = (0.0, 0.0);
    for deviation in observations.iter().map(|x| x - mean) {
        squares += deviation * deviation;
        cubes += deviation * deviation * deviation;
    }
    Some((cubes / n) / (squares / n).powf(1.5))
}

/// A number of replications at which precision is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotALookError {
    n: u64,
    next: Option<u64>,
}

impl fmt::Display for NotALookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "precision is looked at only at the ends of blocks, and {} replications are none", self.n)?;
        match self.next {
            Some(next) => write!(f, ": the next look is at {next}"),
            None => write!(f, ": the last look is behind"),
        }
    }
}

impl Error for NotALookError {}
