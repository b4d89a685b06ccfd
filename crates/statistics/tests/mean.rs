//! Means and paired differences: values, and where an interval is undefined.

use statistics::{Interval, Level, Method, mean, mean_of_moments, paired_difference, t_quantile};

fn level() -> Level {
    Level::new(0.95).unwrap()
}

#[test]
fn the_interval_is_mean_plus_minus_t_standard_errors() {
    // Standard deviation √(10/4), t on four degrees of freedom 2.7764451051977934.
    let estimate = mean(&[1.0, 2.0, 3.0, 4.0, 5.0], level());
    let half_width = 2.776_445_105_197_793_4 * (2.5f64 / 5.0).sqrt();
    let Interval { lo, hi } = estimate.interval.unwrap();
    assert_eq!((estimate.value, estimate.n, estimate.method), (Some(3.0), 5, Method::StudentT));
    assert!((lo - (3.0 - half_width)).abs() < 1e-14 && (hi - (3.0 + half_width)).abs() < 1e-14, "{lo} {hi}");
}

#[test]
fn moments_and_observations_give_the_same() {
    let from_observations = mean(&[1.0, 2.0, 3.0, 4.0, 5.0], level());
    assert_eq!(mean_of_moments(5, 3.0, 2.5f64.sqrt(), level()), from_observations);
}

#[test]
fn a_large_offset_costs_no_digits_of_the_spread() {
    let near = mean(&[1.0, 2.0, 3.0, 4.0, 5.0], level()).interval.unwrap();
    let far = mean(&[1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0, 1e9 + 4.0, 1e9 + 5.0], level()).interval.unwrap();
    assert!(((far.hi - far.lo) - (near.hi - near.lo)).abs() < 1e-6, "{near:?} {far:?}");
}

#[test]
fn one_observation_has_a_value_and_no_interval() {
    let estimate = mean(&[7.0], level());
    assert_eq!((estimate.value, estimate.interval, estimate.n), (Some(7.0), None, 1));
    // Whatever the caller takes the spread of one observation to be.
    for standard_deviation in [0.0, f64::NAN] {
        assert_eq!(mean_of_moments(1, 7.0, standard_deviation, level()).interval, None);
    }
    assert_eq!(t_quantile(1, level()), None);
}

#[test]
fn no_observation_has_neither() {
    let estimate = mean(&[], level());
    assert_eq!((estimate.value, estimate.interval, estimate.n), (None, None, 0));
    assert_eq!(t_quantile(0, level()), None);
}

#[test]
fn what_is_not_finite_has_no_interval() {
    assert_eq!(mean(&[1.0, f64::INFINITY], level()).interval, None);
    assert_eq!(mean_of_moments(3, 1.0, f64::NAN, level()).interval, None);
}

#[test]
fn what_both_sides_share_cancels_in_a_paired_difference() {
    let shared = [10.0, 250.0, 3.0, 90.0];
    let first: Vec<f64> = shared.iter().zip([1.0, 2.0, 3.0, 2.0]).map(|(s, own)| s + own).collect();
    let estimate = paired_difference(&first, &shared, level()).unwrap();
    assert_eq!(estimate, mean(&[1.0, 2.0, 3.0, 2.0], level()));
    let interval = estimate.interval.unwrap();
    assert!(interval.lo > 0.0, "{interval:?} shows a difference that the means' own intervals, ±180 wide, hide");
    assert!(mean(&first, level()).interval.unwrap().contains(mean(&shared, level()).value.unwrap()));
}

#[test]
fn lists_of_different_lengths_are_no_pairs() {
    let message = paired_difference(&[1.0, 2.0], &[1.0], level()).unwrap_err().to_string();
    assert_eq!(message, "pairs need as many observations on both sides, but there are 2 and 1");
}
