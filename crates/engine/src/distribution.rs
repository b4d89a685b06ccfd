//! Laws of a duration, sampled by inversion: one uniform number in, one duration out.

use std::error::Error;
use std::fmt;

use crate::normal::normal_quantile;
use crate::{Duration, StreamKey};

/// The law of a duration.
///
/// Sampling is by inversion so that a draw consumes exactly one word and stays comparable between settings: the same
/// uniform number gives a longer duration under a longer law.
#[derive(Clone, Debug, PartialEq)]
pub enum Distribution {
    /// Always the same.
    Deterministic(Duration),
    /// Uniform between two bounds.
    Uniform {
        /// The shortest.
        from: Duration,
        /// The longest.
        to: Duration,
    },
    /// Exponential.
    Exponential {
        /// The mean.
        mean: Duration,
    },
    /// Lognormal: the logarithm is normal with standard deviation `sigma`.
    LogNormal {
        /// The median, e to the mean of the logarithm.
        median: Duration,
        /// The standard deviation of the natural logarithm; not negative.
        sigma: f64,
    },
    /// Weibull.
    Weibull {
        /// The scale: the 1 − 1/e quantile.
        scale: Duration,
        /// The shape; positive, 1 is the exponential.
        shape: f64,
    },
    /// One of the given values, each as likely; sorted ascending.
    Empirical(Vec<Duration>),
}

/// Why a [`Distribution`] is none.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum DistributionError {
    /// The lower bound of a uniform law is above the upper one.
    BoundsReversed {
        /// The lower bound.
        from: Duration,
        /// The upper bound.
        to: Duration,
    },
    /// A mean, median or scale is zero.
    ZeroScale {
        /// Which: `mean`, `median` or `scale`.
        parameter: &'static str,
    },
    /// The sigma of a lognormal law is negative or not a finite number.
    BadSigma(f64),
    /// The shape of a Weibull law is not a positive finite number.
    BadShape(f64),
    /// The mean is larger than any number: the tail is too heavy.
    InfiniteMean,
    /// An empirical law has no values.
    NoValues,
    /// The values of an empirical law do not ascend.
    Unsorted {
        /// Where the first value lies that is below its predecessor.
        index: usize,
    },
}

impl fmt::Display for DistributionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BoundsReversed { from, to } => write!(f, "the lower bound {from} is above the upper bound {to}"),
            Self::ZeroScale { parameter } => write!(f, "the {parameter} must be longer than 0s"),
            Self::BadSigma(sigma) => write!(f, "sigma must be a number from 0 up, not {sigma}"),
            Self::BadShape(shape) => write!(f, "the shape must be a number above 0, not {shape}"),
            Self::InfiniteMean => write!(f, "the tail is so heavy that the mean is infinite"),
            Self::NoValues => write!(f, "there are no values to draw from"),
            Self::Unsorted { index } => write!(f, "value {index} is below the one before it; sort the values"),
        }
    }
}

impl Error for DistributionError {}

impl Distribution {
    /// Whether the parameters make a law with a finite mean.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with them.
    pub fn validate(&self) -> Result<(), DistributionError> {
        match *self {
            Self::Deterministic(_) => {}
            Self::Uniform { from, to } => {
                if from > to {
                    return Err(DistributionError::BoundsReversed { from, to });
                }
            }
            Self::Exponential { mean } => positive(mean, "mean")?,
            Self::LogNormal { median, sigma } => {
                positive(median, "median")?;
                if !(sigma >= 0.0 && sigma.is_finite()) {
                    return Err(DistributionError::BadSigma(sigma));
                }
            }
            Self::Weibull { scale, shape } => {
                positive(scale, "scale")?;
                if !(shape > 0.0 && shape.is_finite()) {
                    return Err(DistributionError::BadShape(shape));
                }
            }
            Self::Empirical(ref values) => {
                if values.is_empty() {
                    return Err(DistributionError::NoValues);
                }
                if let Some(before) = values.windows(2).position(|pair| pair[0] > pair[1]) {
                    return Err(DistributionError::Unsorted { index: before + 1 });
                }
            }
        }
        if self.mean_secs().is_finite() { Ok(()) } else { Err(DistributionError::InfiniteMean) }
    }

    /// The duration that is exceeded with probability 1 − `u`: floored to whole nanoseconds and at least one.
    ///
    /// `u` lies in the open interval (0, 1), as [`StreamKey::uniform`](crate::StreamKey::uniform) draws it; the ends
    /// give the shortest and the longest duration. The law must be [valid](Self::validate).
    ///
    /// # Panics
    ///
    /// If an empirical law has no values.
    #[inline]
    #[must_use]
    pub fn quantile(&self, u: f64) -> Duration {
        let nanos = match *self {
            Self::Deterministic(duration) => duration.as_nanos(),
            Self::Uniform { from, to } => {
                let (from, to) = (from.as_nanos(), to.as_nanos());
                let width = to.saturating_sub(from);
                from + ((u * width as f64) as u64).min(width)
            }
            Self::Exponential { mean } => (mean.as_nanos() as f64 * unit_exponential(u)) as u64,
            Self::LogNormal { median, sigma: 0.0 } => median.as_nanos(),
            Self::LogNormal { median, sigma } => {
                (median.as_nanos() as f64 * libm::exp(sigma * normal_quantile(u))) as u64
            }
            Self::Weibull { scale, shape } => {
                // x^(1/shape) as exp(ln x / shape): half the price of pow, and off by far less than a nanosecond.
                (scale.as_nanos() as f64 * libm::exp(libm::log(unit_exponential(u)) / shape)) as u64
            }
            Self::Empirical(ref values) => {
                let index = (u * values.len() as f64) as usize;
                values[index.min(values.len() - 1)].as_nanos()
            }
        };
        Duration::from_nanos(nanos).at_least_a_tick()
    }

    /// Draw number `position` of the stream `key`: the quantile at its [uniform](crate::StreamKey::uniform), which is not
    /// computed where the law does not depend on it.
    ///
    /// # Panics
    ///
    /// If an empirical law has no values.
    #[inline]
    #[must_use]
    pub fn draw(&self, key: StreamKey, position: u64) -> Duration {
        match *self {
            Self::Deterministic(duration) => duration.at_least_a_tick(),
            _ => self.quantile(key.uniform(position)),
        }
    }

    /// The mean of the law in seconds, before draws are floored to nanoseconds.
    #[must_use]
    pub fn mean_secs(&self) -> f64 {
        match *self {
            Self::Deterministic(duration) => duration.as_secs_f64(),
            Self::Uniform { from, to } => f64::midpoint(from.as_secs_f64(), to.as_secs_f64()),
            Self::Exponential { mean } => mean.as_secs_f64(),
            Self::LogNormal { median, sigma } => median.as_secs_f64() * libm::exp(sigma * sigma / 2.0),
            Self::Weibull { scale, shape } => scale.as_secs_f64() * libm::tgamma(1.0 + 1.0 / shape),
            Self::Empirical(ref values) => {
                let total: u128 = values.iter().map(|value| u128::from(value.as_nanos())).sum();
                total as f64 / values.len() as f64 / 1e9
            }
        }
    }
}

/// The `u`-quantile of the exponential law of mean 1. Nothing is lost in 1 − u: it is exact for the numbers that
/// [`StreamKey::uniform`](crate::StreamKey::uniform) draws.
#[inline]
fn unit_exponential(u: f64) -> f64 {
    -libm::log(1.0 - u)
}

fn positive(duration: Duration, parameter: &'static str) -> Result<(), DistributionError> {
    if duration.is_zero() { Err(DistributionError::ZeroScale { parameter }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn values(nanos: &[u64]) -> Distribution {
        Distribution::Empirical(nanos.iter().map(|&nanos| Duration::from_nanos(nanos)).collect())
    }

    fn laws() -> Vec<Distribution> {
        vec![
            Distribution::Deterministic(SECOND),
            Distribution::Uniform { from: Duration::from_millis(5), to: SECOND },
            Distribution::Exponential { mean: SECOND },
            Distribution::LogNormal { median: SECOND, sigma: 0.7 },
            Distribution::LogNormal { median: SECOND, sigma: 0.0 },
            Distribution::Weibull { scale: SECOND, shape: 0.6 },
            Distribution::Weibull { scale: SECOND, shape: 3.0 },
            values(&[3, 3, 9, 1_000]),
        ]
    }

    #[test]
    fn quantiles_ascend_and_hold_at_least_a_tick() {
        for law in laws() {
            assert_eq!(law.validate(), Ok(()));
            let quantiles: Vec<Duration> = (0..=4_096).map(|k| law.quantile(f64::from(k) / 4_096.0)).collect();
            assert!(quantiles.is_sorted(), "{law:?}");
            assert!(quantiles[0] >= Duration::TICK, "{law:?}");
        }
    }

    /// The mean as the integral of the quantile function, by the midpoint rule on a million cells.
    #[test]
    fn the_stated_mean_is_the_mean_of_the_quantiles() {
        let cells = 1_000_000;
        for law in laws() {
            let total: f64 =
                (0..cells).map(|cell| law.quantile((f64::from(cell) + 0.5) / f64::from(cells)).as_secs_f64()).sum();
            let mean = total / f64::from(cells);
            // The rule's own error is the tail beyond the last midpoint, at most 3e-5 of the mean for these laws; half
            // a nanosecond is floored away on average.
            assert!((mean - law.mean_secs()).abs() < 3e-5 * law.mean_secs() + 1e-9, "{law:?}: {mean}");
        }
    }

    #[test]
    fn quantiles_of_the_text_books() {
        let quarter = |law: Distribution| law.quantile(0.25).as_nanos();
        assert_eq!(quarter(Distribution::Uniform { from: SECOND, to: Duration::from_secs(5) }), 2_000_000_000);
        assert_eq!(quarter(Distribution::Exponential { mean: SECOND }), 287_682_072); // ln 4/3
        assert_eq!(quarter(Distribution::Weibull { scale: SECOND, shape: 2.0 }), 536_360_021); // its root
        assert_eq!(quarter(Distribution::LogNormal { median: SECOND, sigma: 0.0 }), 1_000_000_000);
        assert_eq!(Distribution::LogNormal { median: SECOND, sigma: 2.0 }.quantile(0.5), SECOND);
        assert_eq!(quarter(Distribution::Deterministic(Duration::ZERO)), 1);
        let dice = values(&[10, 20, 30, 40, 50, 60]);
        let rolls: Vec<u64> =
            [0.01, 0.17, 0.34, 0.51, 0.67, 0.99].iter().map(|&u| dice.quantile(u).as_nanos()).collect();
        assert_eq!(rolls, [10, 20, 30, 40, 50, 60]);
    }

    #[test]
    fn a_weibull_law_of_shape_one_is_exponential() {
        let weibull = Distribution::Weibull { scale: SECOND, shape: 1.0 };
        let exponential = Distribution::Exponential { mean: SECOND };
        for k in 1..1_000 {
            let u = f64::from(k) / 1_000.0;
            assert!(weibull.quantile(u).as_nanos().abs_diff(exponential.quantile(u).as_nanos()) <= 1);
        }
    }

    #[test]
    fn a_draw_is_the_quantile_at_the_uniform() {
        let key = StreamKey::root(3);
        for law in laws() {
            for position in 0..100 {
                assert_eq!(law.draw(key, position), law.quantile(key.uniform(position)), "{law:?}");
            }
        }
    }

    #[test]
    fn the_longest_durations_do_not_wrap() {
        let widest = Distribution::Uniform { from: Duration::TICK, to: Duration::from_nanos(u64::MAX) };
        assert_eq!(widest.quantile(1.0), Duration::from_nanos(u64::MAX));
        assert_eq!(Distribution::Exponential { mean: SECOND }.quantile(1.0), Duration::from_nanos(u64::MAX));
    }

    #[test]
    fn what_is_no_law_is_refused_with_the_reason() {
        for (law, reason) in [
            (
                Distribution::Uniform { from: SECOND, to: Duration::TICK },
                "the lower bound 1s is above the upper bound 1ns",
            ),
            (Distribution::Exponential { mean: Duration::ZERO }, "the mean must be longer than 0s"),
            (Distribution::LogNormal { median: Duration::ZERO, sigma: 1.0 }, "the median must be longer than 0s"),
            (Distribution::LogNormal { median: SECOND, sigma: -1.0 }, "sigma must be a number from 0 up, not -1"),
            (Distribution::LogNormal { median: SECOND, sigma: f64::NAN }, "sigma must be a number from 0 up, not NaN"),
            (Distribution::LogNormal { median: SECOND, sigma: 99.0 }, "the tail is so heavy that the mean is infinite"),
            (Distribution::Weibull { scale: Duration::ZERO, shape: 1.0 }, "the scale must be longer than 0s"),
            (Distribution::Weibull { scale: SECOND, shape: 0.0 }, "the shape must be a number above 0, not 0"),
            (Distribution::Weibull { scale: SECOND, shape: 1e-3 }, "the tail is so heavy that the mean is infinite"),
            (values(&[]), "there are no values to draw from"),
            (values(&[1, 3, 2]), "value 2 is below the one before it; sort the values"),
        ] {
            assert_eq!(law.validate().expect_err(reason).to_string(), reason);
        }
    }
}
