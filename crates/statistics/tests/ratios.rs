//! Ratios of paired means: coverage of the delta method's interval and of Fieller's set, and sets that are no interval.
//!
//! 10,000 samples per case, held to what an independent simulation measured (`tools/coverage_targets.py`); the band at
//! 1 − 10⁻⁶ finds a coverage that is off by 0.022, or 0.04 around 0.82.

#[path = "support/coverage_cases.rs"]
mod coverage_cases;
#[path = "support/macro_replications.rs"]
mod macro_replications;

use coverage_cases::{RatioMethod, level, ratio_coverage};
use macro_replications::{about, agrees};
use statistics::{ConfidenceSet, Method, Scope, ratio_delta, ratio_fieller};

const SAMPLES: u64 = 10_000;

#[test]
fn sets_cover_as_often_as_they_should() {
    for (method, size, coverage, unbounded_share) in [
        (RatioMethod::Delta, 5, 0.8229, 0.0),
        (RatioMethod::Delta, 10, 0.8815, 0.0),
        (RatioMethod::Delta, 30, 0.9246, 0.0),
        (RatioMethod::Fieller, 5, 0.9661, 0.5487),
        (RatioMethod::Fieller, 10, 0.9582, 0.0379),
        (RatioMethod::Fieller, 30, 0.9522, 0.0),
    ] {
        let (covered, unbounded) = ratio_coverage(method, size, SAMPLES);
        assert!(agrees(covered, SAMPLES, about(coverage, 0.0016)), "{covered} by {method:?} at n = {size}");
        assert!(agrees(unbounded, SAMPLES, about(unbounded_share, 0.002)), "{unbounded} by {method:?} at n = {size}");
    }
}

#[test]
fn the_delta_interval_of_few_replications_is_caught() {
    let (covered, _) = ratio_coverage(RatioMethod::Delta, 10, SAMPLES);
    assert!(!agrees(covered, SAMPLES, 0.95..=0.95), "{covered}");
}

#[test]
fn a_denominator_that_may_be_zero_leaves_everything_but_a_gap() {
    // The denominator's mean, 0.5, is within its error of 0; the numerator's, 10, is not: the ratio may be anything large.
    let (numerators, denominators) = ([10.0, 10.5, 9.5, 10.2], [1.5, -0.5, 2.0, -1.0]);
    let estimate = ratio_fieller(&numerators, &denominators, level()).unwrap();
    let Some(ConfidenceSet::Outside(gap)) = estimate.set else { panic!("{estimate:?}") };
    assert!(gap.lo < 0.0 && gap.hi > 0.0, "{gap:?}");
    let set = estimate.set.unwrap();
    assert!(set.contains(20.0) && set.contains(-1e9) && set.contains(gap.hi) && !set.contains(0.0), "{set:?}");
    assert_eq!(set.bounded(), None);
}

#[test]
fn zero_over_zero_may_be_everything() {
    let (numerators, denominators) = ([1.0, -1.2, 0.3, 0.1], [1.5, -0.5, -2.0, 1.2]);
    let estimate = ratio_fieller(&numerators, &denominators, level()).unwrap();
    assert_eq!(estimate.set, Some(ConfidenceSet::Everything));
    assert!(estimate.set.unwrap().contains(-1e300));
}

#[test]
fn a_denominator_of_nothing_but_zeros_excludes_no_ratio() {
    let estimate = ratio_fieller(&[10.0, 10.5, 9.5, 10.2], &[0.0; 4], level()).unwrap();
    assert_eq!((estimate.value, estimate.set), (None, Some(ConfidenceSet::Everything)));
    assert_eq!(ratio_delta(&[10.0, 10.5, 9.5, 10.2], &[0.0; 4], level()).unwrap().set, None);
}

#[test]
fn exact_multiples_have_no_width() {
    let denominators = [1.0, 2.0, 4.0, 3.0];
    let numerators = denominators.map(|x| 3.0 * x);
    let delta = ratio_delta(&numerators, &denominators, level()).unwrap();
    let interval = delta.set.unwrap().bounded().unwrap();
    assert_eq!(delta.value, Some(3.0));
    assert!((interval.lo - 3.0).abs() < 1e-7 && (interval.hi - 3.0).abs() < 1e-7, "{interval:?}");
    let fieller = ratio_fieller(&numerators, &denominators, level()).unwrap();
    assert!(fieller.set.unwrap().contains(3.0), "{fieller:?}");
    assert_eq!((fieller.method, fieller.scope, fieller.n), (Method::Fieller, Scope::PerDesign, 4));
}

#[test]
fn one_pair_has_a_value_and_no_set() {
    for ratio in [ratio_delta, ratio_fieller] {
        let one = ratio(&[3.0], &[2.0], level()).unwrap();
        assert_eq!((one.value, one.set), (Some(1.5), None));
        let none = ratio(&[], &[], level()).unwrap();
        assert_eq!((none.value, none.set), (None, None));
        assert_eq!(ratio(&[1.0, 2.0], &[0.0, f64::INFINITY], level()).unwrap().set, None);
        assert!(ratio(&[1.0, 2.0], &[1.0], level()).is_err());
    }
}
