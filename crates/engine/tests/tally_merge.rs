//! Merging tallies: what is exact, and what holds up to rounding.

use engine::Tally;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn tally(numbers: &[f64]) -> Tally {
    numbers.iter().copied().collect()
}

fn merged(a: &Tally, b: &Tally) -> Tally {
    let mut sum = *a;
    sum.merge(b);
    sum
}

/// Equal counts and extremes; means and variances equal up to the rounding of sums of `a.count()` terms of size `scale`.
fn assert_close(a: &Tally, b: &Tally, scale: f64) {
    assert_eq!((a.count(), a.min(), a.max()), (b.count(), b.min(), b.max()));
    let slack = 4.0 * f64::EPSILON * (a.count() + 1) as f64;
    let close = |a: Option<f64>, b: Option<f64>, scale: f64| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= slack * scale,
        (a, b) => a == b,
    };
    assert!(close(a.mean(), b.mean(), scale), "{a:?} {b:?}");
    assert!(close(a.variance(), b.variance(), scale * scale), "{a:?} {b:?}");
}

const SCALE: f64 = 1e6;

fn numbers() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-SCALE..SCALE, 0..40)
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 500, failure_persistence: None, rng_seed: RngSeed::Fixed(6), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn either_order_gives_the_same_bits(a in numbers(), b in numbers()) {
        let (a, b) = (tally(&a), tally(&b));
        prop_assert_eq!(merged(&a, &b), merged(&b, &a));
    }

    #[test]
    fn nothing_changes_nothing(a in numbers()) {
        let a = tally(&a);
        prop_assert_eq!(merged(&a, &Tally::new()), a);
        prop_assert_eq!(merged(&Tally::new(), &a), a);
    }

    #[test]
    fn grouping_changes_no_more_than_rounding(a in numbers(), b in numbers(), c in numbers()) {
        let together = tally(&[a.clone(), b.clone(), c.clone()].concat());
        let (a, b, c) = (tally(&a), tally(&b), tally(&c));
        let left = merged(&merged(&a, &b), &c);
        assert_close(&left, &merged(&a, &merged(&b, &c)), SCALE);
        assert_close(&left, &together, SCALE);
    }

    /// The definition, in two passes.
    #[test]
    fn mean_and_variance_are_those_of_the_definition(a in prop::collection::vec(-SCALE..SCALE, 2..60)) {
        let n = a.len() as f64;
        let mean = a.iter().sum::<f64>() / n;
        let variance = a.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
        let tally = tally(&a);
        let slack = 4.0 * f64::EPSILON * n;
        prop_assert!((tally.mean().unwrap() - mean).abs() <= slack * SCALE);
        prop_assert!((tally.variance().unwrap() - variance).abs() <= slack * SCALE * SCALE);
    }
}
