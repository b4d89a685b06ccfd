//! Intervals between order statistics: coverage by exact sums and by simulation, and what is refused.

#[path = "support/coverage_cases.rs"]
mod coverage_cases;
#[path = "support/macro_replications.rs"]
mod macro_replications;

use coverage_cases::{level, quantile_coverage};
use macro_replications::agrees;
use statistics::{
    Interval, Level, Method, QuantileError, Scope, observations_for_quantile, observations_for_upper_bound, quantile,
    quantile_interval, quantile_ranks,
};

/// The binomial probability of at most `most` of `n`, summed in whole numbers: exact for q = 1/2 and n up to 60.
fn at_most_of_fair_coins(most: u64, n: u64) -> f64 {
    let mut ways = 1u128;
    let mut total = 0u128;
    for x in 0..=most {
        total += ways;
        ways = ways * u128::from(n - x) / u128::from(x + 1);
    }
    total as f64 / 2f64.powi(n as i32)
}

#[test]
fn tails_of_the_median_are_at_most_half_alpha_and_no_rank_further_in_is() {
    for n in 6..=60 {
        let ranks = quantile_ranks(n, 0.5, level()).unwrap();
        assert_eq!(ranks.upper, n + 1 - ranks.lower, "symmetric at n = {n}");
        let miss = at_most_of_fair_coins(ranks.lower - 1, n);
        assert!(miss <= 0.025 && at_most_of_fair_coins(ranks.lower, n) > 0.025, "n = {n}: {ranks:?}");
        assert!((ranks.coverage - (1.0 - 2.0 * miss)).abs() < 1e-13, "n = {n}: {ranks:?}");
    }
}

#[test]
fn coverage_is_at_least_the_level() {
    for n in (10..2_000).step_by(37) {
        for q in [0.01, 0.05, 0.1, 0.3, 0.5, 0.75, 0.9, 0.99] {
            match quantile_ranks(n, q, level()) {
                Ok(ranks) => assert!(
                    ranks.coverage >= 0.95 && 1 <= ranks.lower && ranks.lower < ranks.upper && ranks.upper <= n,
                    "n = {n}, q = {q}: {ranks:?}"
                ),
                Err(error) => assert!(matches!(error, QuantileError::TooFew { needed, .. } if needed > n), "{error}"),
            }
        }
    }
}

/// 10,000 samples; band at 1 − 10⁻⁶, so that coverage 0.02 beside the exact one is found.
#[test]
fn simulated_coverage_is_the_exact_one() {
    for (q, size) in [(0.5, 50), (0.95, 100), (0.95, 300), (0.99, 500)] {
        let exact = quantile_ranks(size as u64, q, level()).unwrap().coverage;
        let covered = quantile_coverage(q, size, 10_000);
        assert!(agrees(covered, 10_000, exact..=exact), "{covered} for q = {q}, n = {size}, not {exact}");
    }
}

#[test]
fn ranks_one_off_are_caught() {
    // The interval between the ranks of the mistake "r with P(X ≤ r) ≤ α/2, s = r's mirror image" misses too often.
    let ranks = quantile_ranks(50, 0.5, level()).unwrap();
    let wrong = 1.0 - 2.0 * at_most_of_fair_coins(ranks.lower, 50);
    assert!(wrong < 0.95, "{wrong}");
}

#[test]
fn too_few_are_refused_with_the_number_that_is_missing() {
    for (q, needed) in [(0.5, 6), (0.05, 72), (0.95, 72), (0.99, 368), (0.999, 3_688)] {
        assert_eq!(observations_for_quantile(q, level()), Ok(needed));
        assert!(quantile_ranks(needed, q, level()).is_ok());
        assert_eq!(quantile_ranks(needed - 1, q, level()), Err(QuantileError::TooFew { q, n: needed - 1, needed }));
    }
    let message = quantile_interval(&[1.0; 50], 0.95, level()).unwrap_err().to_string();
    assert_eq!(
        message,
        "an interval for the 0.95 quantile needs at least 72 observations at this level, but there are 50: add 22 more"
    );
    for (q, needed) in [(0.95, 59), (0.99, 299), (0.999, 2_995)] {
        assert_eq!(observations_for_upper_bound(q, 0.05), Ok(needed));
    }
}

#[test]
fn impossible_quantiles_are_refused() {
    for q in [0.0, 1.0, -0.1, 95.0, f64::NAN] {
        assert!(matches!(quantile_ranks(100, q, level()), Err(QuantileError::NotAProbability { .. })), "{q}");
    }
    assert!(quantile(&[1.0], 1.5).is_err());
    assert_eq!(quantile(&[1.0, f64::NAN], 0.5), Err(QuantileError::NotANumber { index: 1 }));
}

#[test]
fn the_estimate_says_what_it_is() {
    let observations: Vec<f64> = (1..=50).rev().map(f64::from).collect();
    let estimate = quantile_interval(&observations, 0.5, level()).unwrap();
    assert_eq!((estimate.value, estimate.interval), (Some(25.5), Some(Interval { lo: 18.0, hi: 33.0 })));
    assert_eq!((estimate.method, estimate.scope, estimate.n), (Method::OrderStatistics, Scope::PerDesign, 50));
}

#[test]
fn never_is_a_value() {
    let mut delays = vec![1.0; 40];
    delays.extend([f64::INFINITY; 60]);
    let estimate = quantile_interval(&delays, 0.4, Level::new(0.9).unwrap()).unwrap();
    assert_eq!(estimate.interval, Some(Interval { lo: 1.0, hi: f64::INFINITY }));
    assert_eq!(quantile(&delays, 0.395).unwrap(), Some(f64::INFINITY), "between 1 and never");
    assert_eq!(quantile(&delays, 0.1).unwrap(), Some(1.0));
    assert_eq!(quantile(&delays, 0.9).unwrap(), Some(f64::INFINITY));
    assert_eq!(quantile(&[], 0.5), Ok(None));
}
