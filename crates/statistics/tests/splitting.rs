//! Importance splitting finds probabilities down to 10⁻¹² that are known: gambler's ruin, and excursions of a ring.

#[path = "support/macro_replications.rs"]
mod macro_replications;
#[path = "support/splitting_cases.rs"]
mod splitting_cases;

use macro_replications::Sampler;
use macro_replications::{agrees, covered};
use splitting_cases::{gambler, gambler_exact, ring};
use statistics::{Entrances, Level, RingRule, SplittingPlan, mean, splitting, splitting_rate};

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

/// A walk on 0, 1, 2 … that goes up with probability `p`, else down, and at 0 stays; how often per step it comes to `top`,
/// when it is put back to 0 each time.
fn walk_rate(plan: SplittingPlan, p: f64, watched: u32, skip: u32) -> statistics::SplittingEstimate {
    let top = plan.levels + 1;
    let step = |height: u32, sampler: &mut Sampler| {
        if sampler.uniform() < p { height + 1 } else { height.saturating_sub(1) }
    };
    let watch = |seed| {
        let mut sampler = Sampler::new(seed);
        let (mut height, mut states) = (0, Vec::new());
        for time in 0..skip + watched {
            let next = step(height, &mut sampler);
            if time >= skip && height == 0 && next == 1 {
                states.push(next);
            }
            height = if next == top { 0 } else { next };
        }
        Entrances { states, watched: f64::from(watched) }
    };
    let run = |mut height: u32, stage: u32, seed: u64| {
        let mut sampler = Sampler::new(seed);
        while height > 0 && height < stage + 1 {
            height = step(height, &mut sampler);
        }
        (height > 0).then_some(height)
    };
    splitting_rate(plan, watch, run, Level::new(0.95).unwrap()).unwrap()
}

/// The mean time of the walk from 0 to `top`, by the times from each height to the next.
fn walk_exact(p: f64, top: u32) -> f64 {
    let next = |below: f64, _| (1.0 + (1.0 - p) * below) / p;
    let steps = (1..top).scan(1.0 / p, |time, height| {
        *time = next(*time, height);
        Some(*time)
    });
    1.0 / p + steps.sum::<f64>()
}

/// From some visits in ten thousand steps to 2.5 · 10⁻¹³ of one. The relative standard error is 2 to 3 %: a bias of 18 % is
/// found.
#[test]
fn a_walk_comes_as_often_to_the_top_as_it_should() {
    for (levels, p) in [(5, 0.3), (11, 0.1)] {
        let plan = SplittingPlan { levels, trials: 200, repetitions: 200, seed: 3 };
        let estimate = walk_rate(plan, p, 1_000, 100);
        let exact = 1.0 / walk_exact(p, levels + 1);
        assert!(standard_errors_off(plan, &estimate, exact).abs() < 6.0, "{estimate:?} {exact:e}");
    }
    assert!(walk_exact(0.1, 12) > 1e11);
    // A fair coin comes to 2 in six steps on average: two heads, where a tail may fall at 1 only.
    assert_eq!(walk_exact(0.5, 2), 6.0);
}

/// A process that is watched for so short a time that it hardly does anything still has the right rate on average.
#[test]
fn repetitions_that_see_nothing_count_as_nothing() {
    let plan = SplittingPlan { levels: 1, trials: 20, repetitions: 4_000, seed: 4 };
    let estimate = walk_rate(plan, 0.2, 3, 50);
    let exact = 1.0 / walk_exact(0.2, 2);
    assert!(standard_errors_off(plan, &estimate, exact).abs() < 6.0, "{estimate:?} {exact:e}");
}
