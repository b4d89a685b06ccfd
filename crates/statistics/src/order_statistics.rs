//! Quantiles of a distribution from observations, with intervals between two order statistics.

use std::error::Error;
use std::fmt;

use crate::{Estimate, Interval, Level, Method, Scope};

/// Which two of the sorted observations hold a quantile, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranks {
    /// The rank of the lower end.
    pub lower: u64,
    /// The rank of the upper end.
    pub upper: u64,
    /// The probability that the interval holds the quantile of a continuous distribution: at least the level.
    pub coverage: f64,
}

/// The ranks of the two order statistics that hold the `q` quantile of any distribution at `level`, with equal tails.
///
/// How many of n observations lie below the quantile is binomial(n, q). The lower rank r is the largest with
/// P(X < r) ≤ α/2, the upper rank s the smallest with P(X ≥ s) ≤ α/2; the coverage P(r ≤ X < s) is exact for continuous
/// distributions and a lower bound for others (David & Nagaraja, *Order Statistics*, 3rd ed., section 7.1). Takes time
/// proportional to `n`.
///
/// # Errors
///
/// Refuses a `q` that is not strictly between 0 and 1, and too few observations: the error says how many are missing.
pub fn quantile_ranks(n: u64, q: f64, level: Level) -> Result<Ranks, QuantileError> {
    let needed = observations_for_quantile(q, level)?;
    if n < needed {
        return Err(QuantileError::TooFew { q, n, needed });
    }
    let probabilities = binomial(n, q);
    let below = fitting(probabilities.iter(), level.tail());
    let above = fitting(probabilities.iter().rev(), level.tail());
    let ranks = (below.count, n + 1 - above.count);
    Ok(Ranks { lower: ranks.0, upper: ranks.1, coverage: 1.0 - below.total - above.total })
}

/// How many of the first probabilities fit into a tail, and their total.
struct Fitting {
    count: u64,
    total: f64,
}

fn fitting<'a>(probabilities: impl Iterator<Item = &'a f64>, tail: f64) -> Fitting {
    let mut fitting = Fitting { count: 0, total: 0.0 };
    for probability in probabilities {
        if fitting.total + probability > tail {
            break;
        }
        fitting.total += probability;
        fitting.count += 1;
    }
    // The rank is at least 1 and at most n; the number of observations was checked, so that only rounding is ruled out.
    Fitting { count: fitting.count.max(1), ..fitting }
}

/// The fewest observations that give a two-sided interval for the `q` quantile at `level`: the smallest n with
/// (1 − q)^n ≤ α/2 and q^n ≤ α/2. At 95 % 6 for the median, 72 for q = 0.95, 368 for 0.99 and 3,688 for 0.999.
///
/// # Errors
///
/// Refuses a `q` that is not strictly between 0 and 1.
pub fn observations_for_quantile(q: f64, level: Level) -> Result<u64, QuantileError> {
    let upper = observations_for_upper_bound(q, level.tail())?;
    let lower = (level.tail().ln() / (-q).ln_1p()).ceil() as u64;
    Ok(upper.max(lower))
}

/// The fewest observations of which the largest is an upper bound of the `q` quantile that is wrong with probability at
/// most `alpha`: the smallest n with q^n ≤ `alpha`. For `alpha` = 0.05 59 for q = 0.95 and 299 for 0.99.
///
/// # Errors
///
/// Refuses a `q` or an `alpha` that is not strictly between 0 and 1.
pub fn observations_for_upper_bound(q: f64, alpha: f64) -> Result<u64, QuantileError> {
    for probability in [q, alpha] {
        if !(probability > 0.0 && probability < 1.0) {
            return Err(QuantileError::NotAProbability { q: probability });
        }
    }
    Ok((alpha.ln() / q.ln()).ceil() as u64)
}

/// The `q` quantile of observations by definition 7 of Hyndman & Fan (*The American Statistician* 50, 1996), the default
/// of R, numpy and polars: linear between the order statistics around rank 1 + (n − 1)q.
///
/// `None` without observations. Infinite ones ("never") are ordered like others, and anything between a finite and an
/// infinite one is infinite.
///
/// # Errors
///
/// Refuses a `q` outside [0, 1] and an observation that is not a number.
pub fn quantile(observations: &[f64], q: f64) -> Result<Option<f64>, QuantileError> {
    if !(0.0..=1.0).contains(&q) {
        return Err(QuantileError::NotAProbability { q });
    }
    Ok(quantile_of_sorted(&sorted(observations)?, q))
}

/// The `q` quantile of observations, as [`quantile`] defines it, with the interval of [`quantile_ranks`].
///
/// Valid for independent observations of any distribution. Infinite observations are accepted: an interval that ends at
/// one says that the quantile may be "never".
///
/// # Errors
///
/// Refuses a `q` that is not strictly between 0 and 1, an observation that is not a number, and too few observations:
/// the error says how many are missing.
pub fn quantile_interval(observations: &[f64], q: f64, level: Level) -> Result<Estimate, QuantileError> {
    let n = observations.len() as u64;
    let ranks = quantile_ranks(n, q, level)?;
    let sorted = sorted(observations)?;
    let of_rank = |rank: u64| sorted[rank as usize - 1];
    Ok(Estimate {
        value: quantile_of_sorted(&sorted, q),
        interval: Some(Interval { lo: of_rank(ranks.lower), hi: of_rank(ranks.upper) }),
        n,
        level,
        method: Method::OrderStatistics,
        scope: Scope::PerDesign,
    })
}

/// The `q` quantile by definition 7 of ascending observations.
pub(crate) fn quantile_of_sorted(sorted: &[f64], q: f64) -> Option<f64> {
    let position = q * sorted.len().checked_sub(1)? as f64;
    let (below, share) = (sorted[position as usize], position.fract());
    let above = sorted.get(position as usize + 1).copied().unwrap_or(below);
    // Equal ends and whole positions take no difference: it would be undefined for infinite ends.
    Some(if share == 0.0 || below == above { below } else { below + share * (above - below) })
}

/// The observations in ascending order.
fn sorted(observations: &[f64]) -> Result<Vec<f64>, QuantileError> {
    if let Some(index) = observations.iter().position(|x| x.is_nan()) {
        return Err(QuantileError::NotANumber { index });
    }
    let mut sorted = observations.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(sorted)
}

/// The binomial probabilities of 0, 1, …, n.
fn binomial(n: u64, q: f64) -> Vec<f64> {
    // Relative to the most probable count, by the ratio of neighbours: nothing underflows that matters, and no factorial
    // is needed, whose logarithm would cost digits.
    let mode = (((n + 1) as f64 * q) as u64).min(n);
    let odds = q / (1.0 - q);
    let mut relative = vec![1.0; n as usize + 1];
    for x in mode..n {
        relative[x as usize + 1] = relative[x as usize] * ((n - x) as f64 / (x + 1) as f64 * odds);
    }
    for x in (0..mode).rev() {
        relative[x as usize] = relative[x as usize + 1] * ((x + 1) as f64 / (n - x) as f64 / odds);
    }
    let total: f64 = relative.iter().sum();
    relative.iter_mut().for_each(|p| *p /= total);
    relative
}

/// Why a quantile cannot be estimated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QuantileError {
    /// Too few observations for an interval at this level.
    TooFew {
        /// The quantile asked for.
        q: f64,
        /// How many observations there are.
        n: u64,
        /// How many there have to be.
        needed: u64,
    },
    /// A quantile outside its range.
    NotAProbability {
        /// The quantile asked for.
        q: f64,
    },
    /// An observation that is not a number.
    NotANumber {
        /// Its position in the input.
        index: usize,
    },
}

impl fmt::Display for QuantileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { q, n, needed } => write!(
                f,
                "an interval for the {q} quantile needs at least {needed} observations at this level, but there are {n}: \
                 add {} more",
                needed - n
            ),
            Self::NotAProbability { q } => write!(f, "a quantile lies between 0 and 1, but this one is {q}"),
            Self::NotANumber { index } => {
                write!(f, "observation {index} is not a number, so the observations cannot be sorted")
            }
        }
    }
}

impl Error for QuantileError {}
