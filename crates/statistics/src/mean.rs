//! Means over independent replications, with Student's t interval.

use std::error::Error;
use std::fmt;

use statrs::distribution::{Continuous, ContinuousCDF, StudentsT};

use crate::quantile::polish;
use crate::{Estimate, Interval, Level, Method, Scope};

/// The t quantile that an interval of `level` over `n` observations uses: the 1 − α/2 quantile of Student's t on n − 1
/// degrees of freedom. `None` for fewer than two observations.
#[must_use]
pub fn t_quantile(n: u64, level: Level) -> Option<f64> {
    (n >= 2).then(|| t_quantile_of_tail(n, level.tail()))
}

/// The t quantile that at least two observations exceed with probability `tail`.
pub(crate) fn t_quantile_of_tail(n: u64, tail: f64) -> f64 {
    let distribution = StudentsT::new(0.0, 1.0, (n - 1) as f64).expect("there is a degree of freedom");
    // From the lower tail, by symmetry: 1 − α/2 would round α away at extreme levels.
    let start = distribution.inverse_cdf(tail);
    -polish(start, tail, |t| distribution.cdf(t), |t| distribution.pdf(t))
}

/// The mean of `n` independent observations from their count, mean and standard deviation (divisor n − 1), with the
/// interval mean ± t(n − 1, 1 − α/2) · s / √n (Law, *Simulation Modeling and Analysis*, 5th ed., section 4.5).
///
/// With n = 1, or with a mean or a standard deviation that is not finite, the interval is undefined (`None`); with
/// n = 0 so is the value. Observations that are all equal give an interval of width zero: for counts of rare events
/// that is no certainty, see [`zero_event_upper`](crate::zero_event_upper).
#[must_use]
pub fn mean_of_moments(n: u64, mean: f64, standard_deviation: f64, level: Level) -> Estimate {
    let interval = t_quantile(n, level).and_then(|t| t_interval(n, mean, standard_deviation, t));
    Estimate { value: (n > 0).then_some(mean), interval, n, level, method: Method::StudentT, scope: Scope::PerDesign }
}

/// The interval mean ± `t` · s / √n, for a caller that computes the quantile `t` of [`t_quantile`] once for many means of
/// equally many observations. `None` where the mean or the standard deviation is not finite.
#[must_use]
pub fn t_interval(n: u64, mean: f64, standard_deviation: f64, t: f64) -> Option<Interval> {
    let half_width = t * standard_deviation / (n as f64).sqrt();
    (half_width.is_finite() && mean.is_finite()).then_some(Interval { lo: mean - half_width, hi: mean + half_width })
}

/// The mean of independent observations, with its t interval; see [`mean_of_moments`].
#[must_use]
pub fn mean(observations: &[f64], level: Level) -> Estimate {
    let n = observations.len() as f64;
    // Two passes: the squared deviations from the mean lose nothing to cancellation.
    let mean = observations.iter().sum::<f64>() / n;
    let squares: f64 = observations.iter().map(|x| (x - mean) * (x - mean)).sum();
    mean_of_moments(observations.len() as u64, mean, (squares / (n - 1.0)).sqrt(), level)
}

/// The mean of the differences `first[i] − second[i]`, with its t interval.
///
/// For two designs that were run on common random numbers: pair i is replication i of both, so what the replication
/// did to both of them cancels, and the interval is as much narrower as the two are correlated (Law, section 10.2.1).
///
/// # Errors
///
/// Refuses two lists of different lengths: they are not pairs.
pub fn paired_difference(first: &[f64], second: &[f64], level: Level) -> Result<Estimate, UnpairedError> {
    if first.len() != second.len() {
        return Err(UnpairedError { first: first.len(), second: second.len() });
    }
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    Ok(mean(&differences, level))
}

/// Two lists that should be pairs have different lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpairedError {
    pub(crate) first: usize,
    pub(crate) second: usize,
}

impl fmt::Display for UnpairedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second } = self;
        write!(f, "pairs need as many observations on both sides, but there are {first} and {second}")
    }
}

impl Error for UnpairedError {}
