//! Importance splitting finds probabilities down to 10⁻¹² that are known: gambler's ruin, and excursions of a ring.

#[path = "support/macro_replications.rs"]
mod macro_replications;
#[path = "support/splitting_cases.rs"]
mod splitting_cases;

use macro_replications::{agrees, covered};
use splitting_cases::{gambler, gambler_exact, ring};
use statistics::{Level, RingRule, SplittingPlan, mean, splitting};

/// How many standard errors an estimate is off: beyond 6 with probability below 10⁻⁶ on 199 degrees of freedom.
fn standard_errors_off(plan: SplittingPlan, estimate: &statistics::SplittingEstimate, exact: f64) -> f64 {
    let t = statistics::t_quantile(u64::from(plan.repetitions), Level::new(0.95).unwrap()).unwrap();
    let standard_error = estimate.probability.interval.unwrap().half_width() / t;
    (estimate.probability.value.unwrap() - exact) / standard_error
}

/// 200 repetitions of 200 trials: the relative standard error is about 2 %, so that a bias of 15 % is found.
#[test]
fn ruin_is_avoided_as_seldom_as_it_should() {
    for (levels, p) in [(9, 0.3), (29, 0.3), (12, 0.1)] {
        let plan = SplittingPlan { levels, trials: 200, repetitions: 200, seed: 1 };
        let estimate = gambler(plan, p);
        let exact = gambler_exact(levels, p);
        let off = standard_errors_off(plan, &estimate, exact);
        assert!(off.abs() < 6.0, "{estimate:?} {exact:e}");
        let relative = estimate.probability.interval.unwrap().half_width() / exact;
        assert!(relative < 0.12, "{relative} at {exact:e}");
    }
    assert!(gambler_exact(12, 0.1) < 1e-11);
}

/// Ten failures of the last twenty calls at 2.5 %: 4.3 · 10⁻¹⁰ per excursion, as the exact method says.
#[test]
fn a_ring_opens_as_seldom_as_the_exact_method_says() {
    for (window, failures, p) in [(6, 3, 0.125), (20, 10, 0.025)] {
        let exact = RingRule { window, failures }.first_passage(p).unwrap().excursion_opens;
        let plan = SplittingPlan { levels: failures - 1, trials: 400, repetitions: 200, seed: 2 };
        let estimate = ring(plan, window, p);
        assert!(standard_errors_off(plan, &estimate, exact).abs() < 6.0, "{estimate:?} {exact:e}");
    }
}

/// 2,000 estimates of 30 repetitions each. The products are skewed, which costs a point or two; the band at 1 − 10⁻⁶ finds
/// 0.86.
#[test]
fn the_interval_covers() {
    let exact = gambler_exact(9, 0.3);
    let mut seed = 0;
    let covered = covered(2_000, 1, |_| {
        seed += 1;
        let plan = SplittingPlan { levels: 9, trials: 50, repetitions: 30, seed };
        gambler(plan, 0.3).probability.interval.unwrap().contains(exact)
    });
    assert!(agrees(covered, 2_000, 0.92..=0.96), "{covered}");
}

/// A mistake that looks harmless: to average the logarithms of the products. It is biased, and found to be.
#[test]
fn a_geometric_mean_is_caught() {
    let exact = gambler_exact(9, 0.3);
    let logarithms: Vec<f64> = (0..2_000)
        .map(|seed| {
            let plan = SplittingPlan { levels: 9, trials: 30, repetitions: 2, seed };
            gambler(plan, 0.3).probability.value.unwrap()
        })
        .filter(|value| *value > 0.0)
        .map(f64::ln)
        .collect();
    let estimate = mean(&logarithms, Level::new(1.0 - 1e-6).unwrap());
    assert!(!estimate.interval.unwrap().contains(exact.ln()), "{estimate:?} {}", exact.ln());
}

#[test]
fn a_plan_repeats_and_another_seed_does_not() {
    let plan = SplittingPlan { levels: 9, trials: 50, repetitions: 5, seed: 1 };
    assert_eq!(gambler(plan, 0.3), gambler(plan, 0.3));
    assert_ne!(gambler(plan, 0.3), gambler(SplittingPlan { seed: 2, ..plan }, 0.3));
}

#[test]
fn shares_by_level_are_conditional_probabilities() {
    let plan = SplittingPlan { levels: 5, trials: 2_000, repetitions: 20, seed: 1 };
    let shares = gambler(plan, 0.4).by_level;
    assert_eq!(shares.len(), 5);
    for (level, share) in (1..).zip(shares) {
        let exact = gambler_exact(level, 0.4) / gambler_exact(level - 1, 0.4);
        // 40,000 trials: six standard errors.
        assert!((share - exact).abs() < 0.015, "{share} {exact} at {level}");
    }
}

#[test]
fn an_event_that_was_never_reached_has_no_interval() {
    let plan = SplittingPlan { levels: 3, trials: 10, repetitions: 4, seed: 1 };
    let level = Level::new(0.95).unwrap();
    let estimate = splitting(plan, || (), |(), stage, _| (stage < 2).then_some(()), level).unwrap();
    assert_eq!((estimate.probability.value, estimate.probability.interval), (Some(0.0), None));
    assert_eq!(estimate.by_level, [1.0, 0.0]);
    let certain = splitting(plan, || (), |(), _, _| Some(()), level).unwrap();
    assert_eq!((certain.probability.value, certain.by_level), (Some(1.0), vec![1.0; 3]));
    for (levels, trials, repetitions) in [(0, 1, 2), (1, 0, 2), (1, 1, 1)] {
        let plan = SplittingPlan { levels, trials, repetitions, seed: 1 };
        assert!(splitting(plan, || (), |(), _, _| Some(()), level).is_err());
    }
}
