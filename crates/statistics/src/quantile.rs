//! Quantiles to nearly full precision.

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
