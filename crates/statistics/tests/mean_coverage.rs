//! The t interval covers the true mean of normal observations as often as its level says.
//!
//! 40,000 samples per size. The band is the Clopper–Pearson interval of the true coverage at 1 − 10⁻⁶ (that of 95 % is
//! 0.9445 to 0.9552), so a correct interval fails one of the three sizes with probability 3 · 10⁻⁶ over the choice of
//! the seed, and a coverage that is off by 0.011 or more passes with the same small probability. Two intervals with a
//! well-known mistake show that the band is narrow enough.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use statistics::{Interval, Level, mean, proportion};
use statrs::distribution::{ContinuousCDF, Normal};

const SAMPLES: u64 = 40_000;
const TRUE_MEAN: f64 = 3.0;
const STANDARD_DEVIATION: f64 = 2.0;

/// How often the intervals hold the true mean.
fn covered(sample_size: usize, interval: impl Fn(&[f64]) -> Interval) -> u64 {
    let normal = Normal::new(TRUE_MEAN, STANDARD_DEVIATION).unwrap();
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(20_240_607 + sample_size as u64);
    let mut uniform = || ((generator.next_u64() >> 11) as f64 + 0.5) * (-53f64).exp2();
    let mut sample = vec![0.0; sample_size];
    let mut draw_and_try = || {
        sample.fill_with(|| normal.inverse_cdf(uniform()));
        interval(&sample).contains(TRUE_MEAN)
    };
    (0..SAMPLES).filter(|_| draw_and_try()).count() as u64
}

/// Whether so many covered samples agree with 95 %.
fn agrees_with_level(covered: u64) -> bool {
    let band = proportion(covered, SAMPLES, Level::new(1.0 - 1e-6).unwrap()).unwrap().interval.unwrap();
    band.contains(0.95)
}

fn t_interval(sample: &[f64]) -> Interval {
    mean(sample, Level::new(0.95).unwrap()).interval.unwrap()
}

/// The interval around the same mean, `factor` times as wide.
fn stretched(sample: &[f64], factor: f64) -> Interval {
    let right = t_interval(sample);
    let (middle, half_width) = (f64::midpoint(right.lo, right.hi), factor * (right.hi - right.lo) / 2.0);
    Interval { lo: middle - half_width, hi: middle + half_width }
}

#[test]
fn t_interval_covers_at_its_level() {
    for size in [5, 10, 20] {
        let covered = covered(size, t_interval);
        assert!(agrees_with_level(covered), "{covered} of {SAMPLES} at n = {size}");
    }
}

#[test]
fn dividing_by_n_is_caught() {
    for size in [5, 10] {
        let n = size as f64;
        let covered = covered(size, |sample| stretched(sample, ((n - 1.0) / n).sqrt()));
        assert!(!agrees_with_level(covered), "{covered} of {SAMPLES} at n = {size}");
    }
}

#[test]
fn a_normal_quantile_is_caught() {
    for (size, t) in [(5, 2.776), (10, 2.262), (20, 2.093)] {
        let covered = covered(size, |sample| stretched(sample, 1.96 / t));
        assert!(!agrees_with_level(covered), "{covered} of {SAMPLES} at n = {size}");
    }
}
