//! Quantiles of distributions to nearly full precision.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

use crate::Level;

/// Newton steps that improve a quantile until they no longer matter; from a start as close as ours, two or three do.
const MAX_STEPS: usize = 10;

/// Improves `start`, a nearby value, to the quantile at which `cdf` is `probability`, by Newton's method.
///
/// The library's own inversion stops early: its t quantile at level 0.5 is wrong in the eighth digit for 2,000
/// observations and in the third for a million, although its distribution functions are good to twelve digits and nine.
pub(crate) fn polish(start: f64, probability: f64, cdf: impl Fn(f64) -> f64, density: impl Fn(f64) -> f64) -> f64 {
    let mut quantile = start;
    for _ in 0..MAX_STEPS {
        let step = (cdf(quantile) - probability) / density(quantile);
        if !step.is_finite() {
            return start;
        }
        quantile -= step;
        if step.abs() <= 4.0 * f64::EPSILON * quantile.abs() {
            break;
        }
    }
    quantile
}

/// The normal quantile that an interval of `level` uses: the 1 − α/2 quantile, 1.96 at 95 %.
pub(crate) fn normal_quantile(level: Level) -> f64 {
    // From the lower tail, by symmetry: 1 − α/2 would round α away at extreme levels.
    -normal_inverse(level.tail())
}

/// The standard normal quantile of a probability in (0, 1).
pub(crate) fn normal_inverse(probability: f64) -> f64 {
    let normal = Normal::standard();
    polish(normal.inverse_cdf(probability), probability, |z| normal.cdf(z), |z| normal.pdf(z))
}

/// The probability that a standard normal variable is at most `z`.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    Normal::standard().cdf(z)
}
