//! Bootstrap intervals for any statistic of independent replications.

use std::fmt;

use crate::order_statistics::quantile_of_sorted;
use crate::quantile::{normal_cdf, normal_inverse};
use crate::{Estimate, Interval, Level, Method, Resampling, Scope};

/// How the bootstrap distribution becomes an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BootstrapKind {
    /// Its α/2 and 1 − α/2 quantiles. Wrong by twice the bias of a biased statistic.
    Percentile,
    /// These quantiles reflected at the estimate, 2θ̂ − q: right for a biased statistic, such as a hypervolume (Davison &
    /// Hinkley, *Bootstrap Methods and their Application*, 1997, section 5.2).
    Basic,
    /// Its quantiles at levels corrected for bias and acceleration ([`bca_levels`]): best for skewed statistics.
    Bca,
}

impl BootstrapKind {
    fn method(self) -> Method {
        match self {
            Self::Percentile => Method::BootstrapPercentile,
            Self::Basic => Method::BootstrapBasic,
            Self::Bca => Method::BootstrapBca,
        }
    }
}

/// A bootstrap estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapEstimate {
    /// The statistic of the observations and its interval; the method is the one used in the end.
    pub estimate: Estimate,
    /// Why it is not the interval that was asked for; `None` if it is.
    pub fallback: Option<Fallback>,
}

/// Why a bootstrap interval is not the one that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fallback {
    /// Too few observations or too few draws for the level: no interval.
    TooFew,
    /// The statistic is the same, or is undefined, whatever is drawn: no interval.
    AllEqual,
    /// The statistic of some resample is not finite: no interval.
    NotFinite,
    /// All draws lie on one side of the estimate (a minimum or maximum does this): percentile instead of BCa.
    InfiniteBias,
    /// Leaving one observation out changes nothing or changes it without bound: percentile instead of BCa.
    InfiniteAcceleration,
}

impl Fallback {
    /// The name in result files, such as `all_equal`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TooFew => "too_few",
            Self::AllEqual => "all_equal",
            Self::NotFinite => "not_finite",
            Self::InfiniteBias => "infinite_bias",
            Self::InfiniteAcceleration => "infinite_acceleration",
        }
    }
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A statistic of independent observations, with a bootstrap interval (Efron & Tibshirani, *An Introduction to the
/// Bootstrap*, 1993, chapters 13 and 14).
///
/// An observation is a whole replication, never one event of it. Each draw computes the statistic of as many
/// observations drawn with replacement. Where the asked-for interval does not exist, `fallback` names the reason, and
/// the interval is the percentile interval or `None`; no end is ever NaN. Too few are observations of which the most
/// extreme resample alone, n^−n, is more probable than α/2 (fewer than 4 at 95 %), and draws of which fewer than one is
/// expected in each tail. The bootstrap is no cure for few observations: for 20 from a lognormal distribution, BCa covers
/// the mean nine times in ten instead of 95 in 100.
pub fn bootstrap<T: Copy>(
    observations: &[T],
    statistic: impl Fn(&[T]) -> f64,
    kind: BootstrapKind,
    resampling: Resampling,
    level: Level,
) -> BootstrapEstimate {
    let n = observations.len();
    let value = (n > 0).then(|| statistic(observations));
    let estimate = |interval, kind: BootstrapKind, fallback| BootstrapEstimate {
        estimate: Estimate { value, interval, n: n as u64, level, method: kind.method(), scope: Scope::PerDesign },
        fallback,
    };
    let Some(value) =
        value.filter(|_| (n as f64).powi(-(n as i32)) <= level.tail() && enough(resampling.draws as usize, level))
    else {
        return estimate(None, kind, Some(Fallback::TooFew));
    };
    let draws = draws(observations, &statistic, resampling);
    match interval_of_draws(value, &draws, kind, level, || jackknife(observations, &statistic)) {
        Ok(interval) => estimate(Some(interval), kind, None),
        Err(reason @ (Fallback::TooFew | Fallback::AllEqual | Fallback::NotFinite)) => {
            estimate(None, kind, Some(reason))
        }
        Err(reason) => estimate(Some(between(&draws, tails(level))), BootstrapKind::Percentile, Some(reason)),
    }
}

/// The interval of a kind from the draws of a statistic in ascending order.
pub(crate) fn interval_of_draws(
    value: f64,
    draws: &[f64],
    kind: BootstrapKind,
    level: Level,
    jackknife: impl FnOnce() -> Vec<f64>,
) -> Result<Interval, Fallback> {
    let (Some(first), Some(last)) = (draws.first(), draws.last()) else { return Err(Fallback::TooFew) };
    if !(value.is_finite() && first.is_finite() && last.is_finite()) {
        return Err(Fallback::NotFinite);
    }
    if first == last {
        return Err(Fallback::AllEqual);
    }
    let percentile = between(draws, tails(level));
    match kind {
        BootstrapKind::Percentile => Ok(percentile),
        BootstrapKind::Basic => Ok(Interval { lo: 2.0 * value - percentile.hi, hi: 2.0 * value - percentile.lo }),
        BootstrapKind::Bca => {
            // Levels beyond the most extreme draw read that draw: nearer to the truth than the percentile interval.
            Ok(between(draws, bca_levels(value, draws, &jackknife(), level)?))
        }
    }
}

/// The levels at which BCa reads the bootstrap distribution: Φ(z₀ + (z₀ + z) / (1 − a(z₀ + z))) for z = ∓ the normal
/// quantile of `level` (Efron, *Journal of the American Statistical Association* 82, 1987).
///
/// z₀ is the normal quantile of the share of `draws` below the estimate, of which equal ones count half; the
/// acceleration a = Σ(θ̄ − θᵢ)³ / 6(Σ(θ̄ − θᵢ)²)^1.5 comes from the estimates `jackknife` that leave one observation out.
///
/// # Errors
///
/// Refuses with [`Fallback::InfiniteBias`] draws that are all on one side, and with [`Fallback::InfiniteAcceleration`]
/// a jackknife that does not vary or is not finite, and an acceleration at which the correction has no meaning.
pub fn bca_levels(estimate: f64, draws: &[f64], jackknife: &[f64], level: Level) -> Result<(f64, f64), Fallback> {
    let halves: u64 = draws.iter().map(|&draw| 2 * u64::from(draw < estimate) + u64::from(draw == estimate)).sum();
    let bias = normal_inverse_or_none(halves as f64 / (2.0 * draws.len() as f64)).ok_or(Fallback::InfiniteBias)?;

    let mean = jackknife.iter().sum::<f64>() / jackknife.len() as f64;
    let power = |exponent| jackknife.iter().map(|x| (mean - x).powi(exponent)).sum::<f64>();
    let acceleration = power(3) / (6.0 * power(2).powf(1.5));
    let (lower, upper) = tails(level);
    let corrected = |probability| {
        let z = bias + normal_inverse(probability);
        let denominator = 1.0 - acceleration * z;
        // Beyond the pole the correction would turn back: a more extreme z would give a less extreme level.
        (denominator > 0.0).then(|| normal_cdf(bias + z / denominator)).filter(|level| level.is_finite())
    };
    corrected(lower).zip(corrected(upper)).ok_or(Fallback::InfiniteAcceleration)
}

fn normal_inverse_or_none(share: f64) -> Option<f64> {
    (share > 0.0 && share < 1.0).then(|| normal_inverse(share))
}

/// The statistic of every resample, in ascending order (NaN last).
fn draws<T: Copy>(observations: &[T], statistic: impl Fn(&[T]) -> f64, resampling: Resampling) -> Vec<f64> {
    let mut resample = observations.to_vec();
    let mut draws: Vec<f64> = resampling
        .generators()
        .map(|mut generator| {
            resample.fill_with(|| observations[generator.below(observations.len())]);
            statistic(&resample)
        })
        .collect();
    sort(&mut draws);
    draws
}

/// Ascending, with NaN of either sign last.
pub(crate) fn sort(draws: &mut [f64]) {
    draws.sort_unstable_by(|a, b| a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(b)));
}

/// The statistic without the first observation, without the second, and so on.
fn jackknife<T: Copy>(observations: &[T], statistic: impl Fn(&[T]) -> f64) -> Vec<f64> {
    let mut others = observations[1..].to_vec();
    let mut estimates = vec![statistic(&others)];
    for (position, &observation) in observations[..observations.len() - 1].iter().enumerate() {
        others[position] = observation;
        estimates.push(statistic(&others));
    }
    estimates
}

/// Whether a draw is expected beyond each end.
pub(crate) fn enough(draws: usize, level: Level) -> bool {
    draws as f64 * level.tail() >= 1.0
}

fn tails(level: Level) -> (f64, f64) {
    (level.tail(), 1.0 - level.tail())
}

/// The quantiles of the ascending draws at two levels.
fn between(draws: &[f64], (lower, upper): (f64, f64)) -> Interval {
    let at = |level| quantile_of_sorted(draws, level).expect("there are draws");
    Interval { lo: at(lower), hi: at(upper) }
}
