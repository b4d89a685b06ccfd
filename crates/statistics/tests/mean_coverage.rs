//! The t interval covers the true mean as often as theory and an independent simulation say: at its level for normal
//! observations, less for skewed ones.
//!
//! 10,000 samples per size and law. The band is the Clopper–Pearson interval of the true coverage at 1 − 10⁻⁶ (0.939 to
//! 0.960 around 95 %), so a correct interval fails one of the 15 cases with probability below 1.5 · 10⁻⁵ over the choice
//! of the seeds, and a coverage that is off by 0.022 or more passes with the probability 10⁻⁶. Two intervals with a
//! well-known mistake show that the band is narrow enough.

#[path = "support/coverage_cases.rs"]
mod coverage_cases;
#[path = "support/macro_replications.rs"]
mod macro_replications;

use coverage_cases::{Law, mean_coverage, t_interval};
use macro_replications::{about, agrees};
use statistics::Interval;

const SAMPLES: u64 = 10_000;

/// Samples for the mistakes, whose effect is as small as 0.01.
const SAMPLES_FOR_MISTAKES: u64 = 40_000;

/// The coverage that `tools/coverage_targets.py` measured with a million samples, to four times its standard error.
fn target(what: &str, size: usize) -> std::ops::RangeInclusive<f64> {
    let wanted = format!("{what},{size},");
    let line = include_str!("data/coverage_targets.csv").lines().find(|line| line.starts_with(&wanted));
    let coverage: f64 = line.unwrap_or_else(|| panic!("no target for {wanted}"))[wanted.len()..].parse().unwrap();
    about(coverage, 4.0 * (coverage * (1.0 - coverage) / 1e6).sqrt())
}

/// The interval around the same mean, `factor` times as wide.
fn stretched(sample: &[f64], factor: f64) -> Interval {
    let right = t_interval(sample);
    let (middle, half_width) = (f64::midpoint(right.lo, right.hi), factor * right.half_width());
    Interval { lo: middle - half_width, hi: middle + half_width }
}

#[test]
fn t_interval_covers_as_often_as_it_should() {
    for law in Law::ALL {
        for size in [5, 10, 20, 50, 200] {
            let covered = mean_coverage(law, size, SAMPLES, t_interval);
            let target = match law {
                Law::Normal => 0.95..=0.95,
                _ => target(&format!("t_{}", law.name()), size),
            };
            assert!(agrees(covered, SAMPLES, target.clone()), "{covered} for {law:?}, n = {size}, not {target:?}");
        }
    }
}

#[test]
fn dividing_by_n_is_caught() {
    for size in [5, 10] {
        let n = size as f64;
        let wrong = |sample: &[f64]| stretched(sample, ((n - 1.0) / n).sqrt());
        let covered = mean_coverage(Law::Normal, size, SAMPLES_FOR_MISTAKES, wrong);
        assert!(!agrees(covered, SAMPLES_FOR_MISTAKES, 0.95..=0.95), "{covered} at n = {size}");
        assert!(agrees(covered, SAMPLES_FOR_MISTAKES, target("t_by_n_normal", size)), "{covered} at n = {size}");
    }
}

#[test]
fn a_normal_quantile_is_caught() {
    for (size, t) in [(5, 2.776_445), (10, 2.262_157), (20, 2.093_024)] {
        let wrong = |sample: &[f64]| stretched(sample, 1.959_964 / t);
        let covered = mean_coverage(Law::Normal, size, SAMPLES_FOR_MISTAKES, wrong);
        assert!(!agrees(covered, SAMPLES_FOR_MISTAKES, 0.95..=0.95), "{covered} at n = {size}");
        assert!(agrees(covered, SAMPLES_FOR_MISTAKES, target("z_normal", size)), "{covered} at n = {size}");
    }
}
