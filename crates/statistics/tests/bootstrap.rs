//! Bootstrap intervals: coverage, exactness where the resamples can be counted, repetition, and named fall-backs.

#[path = "support/coverage_cases.rs"]
mod coverage_cases;
#[path = "support/macro_replications.rs"]
mod macro_replications;

use BootstrapKind::{Basic, Bca, Percentile};
use coverage_cases::{Law, bootstrap_coverage, level};
use macro_replications::{about, agrees};
use statistics::{BootstrapKind, Fallback, Interval, Level, Method, Resampling, bca_levels, bootstrap};

const RESAMPLING: Resampling = Resampling { draws: 2_000, seed: 3 };

fn mean(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

fn maximum(sample: &[f64]) -> f64 {
    sample.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn different(sample: &[f64]) -> f64 {
    let mut bits: Vec<u64> = sample.iter().map(|x| x.to_bits()).collect();
    bits.sort_unstable();
    bits.dedup();
    bits.len() as f64
}

fn median(sample: &[f64]) -> f64 {
    statistics::quantile(sample, 0.5).unwrap().unwrap()
}

/// 2,000 samples per case, held to what an independent simulation measured (`tools/coverage_targets.py`) to three of its
/// standard errors. The band at 1 − 10⁻⁶ finds a coverage that is off by 0.07 around 0.87 and 0.05 around 0.94.
#[test]
fn coverage_is_what_it_should_be() {
    for (kind, law, size, coverage) in [
        (Percentile, Law::Lognormal, 20, 0.8578),
        (Bca, Law::Lognormal, 20, 0.8749),
        (Bca, Law::Lognormal, 50, 0.9081),
        (Basic, Law::Normal, 50, 0.9410),
        (Bca, Law::Normal, 50, 0.9403),
    ] {
        let covered = bootstrap_coverage(kind, law, size, 2_000, 2_000);
        assert!(agrees(covered, 2_000, about(coverage, 0.007)), "{covered} by {kind:?} for {law:?}, n = {size}");
    }
}

#[test]
fn a_bootstrap_of_five_is_caught() {
    let covered = bootstrap_coverage(Percentile, Law::Normal, 5, 2_000, 500);
    assert!(!agrees(covered, 2_000, 0.95..=0.95), "{covered}");
}

/// All 3,125 resamples of five numbers are equally probable, so the distribution of the draws is known: a quantile of
/// 200,000 draws lies, with probability 1 − 10⁻⁶, between the exact quantiles at levels 0.0025 beside (five standard
/// errors at most).
#[test]
fn draws_have_the_distribution_of_all_resamples() {
    let sample = [1.0, 2.0, 4.0, 8.0, 16.0];
    let mut all: Vec<f64> = (0..3_125usize)
        .map(|code| (0..5).map(|place| sample[code / 5usize.pow(place) % 5]).sum::<f64>() / 5.0)
        .collect();
    all.sort_unstable_by(f64::total_cmp);
    let exact = |q: f64| all[(q * 3_125.0) as usize];
    for fraction in [0.5, 0.8, 0.9] {
        let level = Level::new(fraction).unwrap();
        let interval = bootstrap(&sample, mean, Percentile, Resampling { draws: 200_000, seed: 1 }, level);
        let Interval { lo, hi } = interval.estimate.interval.unwrap();
        let beside = |q: f64| exact(q - 0.006)..=exact(q + 0.006);
        assert!(beside(level.tail()).contains(&lo), "{lo} at {fraction}");
        assert!(beside(1.0 - level.tail()).contains(&hi), "{hi} at {fraction}");
    }
}

#[test]
fn the_basic_interval_is_the_percentile_interval_reflected() {
    let sample = [3.0, 1.0, 4.0, 1.5, 9.0, 2.6, 5.0, 3.5];
    let interval = |kind| bootstrap(&sample, mean, kind, RESAMPLING, level()).estimate.interval.unwrap();
    let (percentile, basic) = (interval(Percentile), interval(Basic));
    assert_eq!(basic, Interval { lo: 2.0 * mean(&sample) - percentile.hi, hi: 2.0 * mean(&sample) - percentile.lo });
}

#[test]
fn a_seed_repeats_and_another_one_does_not() {
    let sample = [3.0, 1.0, 4.0, 1.5, 9.0, 2.6, 5.0, 3.5];
    let with_seed = |seed| bootstrap(&sample, mean, Bca, Resampling { seed, ..RESAMPLING }, level());
    assert_eq!(with_seed(8), with_seed(8));
    assert_ne!(with_seed(8), with_seed(9));
    assert_eq!(with_seed(8).estimate.method, Method::BootstrapBca);
}

#[test]
fn an_observation_may_be_a_pair() {
    let pairs = [(3.0, 1.0), (4.0, 1.5), (9.0, 2.6), (5.0, 3.5), (6.0, 2.0)];
    let ratio = |pairs: &[(f64, f64)]| {
        let (y, x) = pairs.iter().fold((0.0, 0.0), |(y, x), pair| (y + pair.0, x + pair.1));
        y / x
    };
    let estimate = bootstrap(&pairs, ratio, Bca, RESAMPLING, level()).estimate;
    assert!(estimate.interval.unwrap().contains(estimate.value.unwrap()), "{estimate:?}");
}

#[test]
fn what_cannot_be_is_named() {
    let skewed: Vec<f64> = (0..30).map(|i| 1.3f64.powi(i)).collect();
    let reason = |sample: &[f64], statistic: fn(&[f64]) -> f64, kind| {
        let result = bootstrap(sample, statistic, kind, RESAMPLING, level());
        let ends = result.estimate.interval.map(|interval| (interval.lo, interval.hi));
        assert!(ends.is_none_or(|(lo, hi)| lo.is_finite() && lo <= hi && hi.is_finite()), "{result:?}");
        (result.fallback.map(Fallback::name), result.estimate.method, ends.is_some())
    };
    assert_eq!(reason(&[], mean, Bca), (Some("too_few"), Method::BootstrapBca, false));
    assert_eq!(reason(&[1.0, 2.0, 3.0], mean, Bca), (Some("too_few"), Method::BootstrapBca, false));
    assert_eq!(reason(&[2.0; 10], mean, Bca), (Some("all_equal"), Method::BootstrapBca, false));
    assert_eq!(reason(&[2.0; 10], mean, Percentile), (Some("all_equal"), Method::BootstrapPercentile, false));
    assert_eq!(
        reason(&[1.0, 2.0, 3.0, f64::NAN, 5.0], mean, Basic),
        (Some("not_finite"), Method::BootstrapBasic, false)
    );
    assert_eq!(reason(&skewed, mean, Bca), (None, Method::BootstrapBca, true));
    // No resample has as many different values as thirty different observations.
    assert_eq!(reason(&skewed, different, Bca), (Some("infinite_bias"), Method::BootstrapPercentile, true));
    assert!(reason(&skewed, maximum, Bca).2, "ends are finite, whatever they are worth");
    // Three values of nine are the middle one: leaving any observation out moves the median nowhere.
    let tied = [1.0, 2.0, 3.0, 5.0, 5.0, 5.0, 7.0, 8.0, 9.0];
    assert_eq!(reason(&tied, median, Bca), (Some("infinite_acceleration"), Method::BootstrapPercentile, true));
    assert_eq!(reason(&tied, median, Percentile), (None, Method::BootstrapPercentile, true));
}

#[test]
fn too_few_draws_for_the_level_are_refused() {
    let sample: Vec<f64> = (0..20).map(f64::from).collect();
    let fallback = |draws| bootstrap(&sample, mean, Basic, Resampling { draws, seed: 1 }, level()).fallback;
    assert_eq!(fallback(39), Some(Fallback::TooFew));
    assert_eq!(fallback(40), None);
    assert_eq!(fallback(0), Some(Fallback::TooFew));
}

#[test]
fn bca_without_bias_or_acceleration_is_percentile() {
    let draws: Vec<f64> = (-50..=50).map(f64::from).collect();
    let levels = bca_levels(0.0, &draws, &[-1.0, 0.0, 1.0], level()).unwrap();
    assert!((levels.0 - 0.025).abs() < 1e-12 && (levels.1 - 0.975).abs() < 1e-12, "{levels:?}");
    assert_eq!(bca_levels(99.0, &draws, &[-1.0, 0.0, 1.0], level()), Err(Fallback::InfiniteBias));
    assert_eq!(bca_levels(0.0, &draws, &[1.0; 3], level()), Err(Fallback::InfiniteAcceleration));
}
