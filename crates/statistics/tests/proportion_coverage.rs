//! Clopper–Pearson never covers less than its level, and never misses more than α/2 on a side; Wilson covers what is
//! published: summed over every possible number of events, and simulated. Two other intervals show that the same sums
//! catch a mistake.

#[path = "support/coverage_cases.rs"]
mod coverage_cases;
#[path = "support/macro_replications.rs"]
mod macro_replications;

use coverage_cases::{ProportionInterval, binomial, clopper_pearson, level, proportion_coverage as coverage, wilson};
use macro_replications::{agrees, covered};
use statistics::{Estimate, Interval, Method, Scope, proportion, proportion_wilson, zero_event_upper};

const LEVEL: f64 = 0.95;
const ALPHA_HALF: f64 = 0.025;

/// Rounding in a sum of up to 1,001 binomial probabilities.
const ROUNDING: f64 = 1e-10;

/// The probabilities that the interval lies wholly below the true proportion, and wholly above it.
fn misses(trials: u64, p: f64, interval: impl Fn(u64) -> Interval) -> (f64, f64) {
    let (mut below, mut above) = (0.0, 0.0);
    for (events, probability) in (0..).zip(binomial(trials, p)) {
        let Interval { lo, hi } = interval(events);
        below += if hi < p { probability } else { 0.0 };
        above += if lo > p { probability } else { 0.0 };
    }
    (below, above)
}

fn interval(estimate: Estimate) -> Interval {
    estimate.interval.unwrap()
}

/// The usual approximation, p̂ ± 1.96 √(p̂(1 − p̂)/n).
fn wald(events: u64, trials: u64) -> Estimate {
    let right = clopper_pearson(events, trials);
    let (n, share) = (trials as f64, events as f64 / trials as f64);
    let half_width = 1.96 * (share * (1.0 - share) / n).sqrt();
    Estimate { interval: Some(Interval { lo: share - half_width, hi: share + half_width }), ..right }
}

#[test]
fn covers_at_least_at_its_level_for_every_proportion() {
    for trials in [1, 2, 5, 20, 100, 200, 500] {
        for p in (1..200).map(|step| f64::from(step) / 200.0).chain([1e-4, 1e-3, 0.0123, 0.9991]) {
            let (below, above) = misses(trials, p, |events| interval(clopper_pearson(events, trials)));
            let worst = below.max(above);
            assert!(
                worst <= ALPHA_HALF + ROUNDING,
                "misses on a side with probability {worst} at n = {trials}, p = {p}"
            );
        }
    }
}

#[test]
fn coverage_is_what_is_published() {
    // Exact coverages to three digits: Clopper–Pearson, Wilson, Wald.
    for (trials, p, exact, score, approximate) in [
        (100, 0.001, 0.995, 0.905, 0.095),
        (100, 0.01, 0.982, 0.921, 0.633),
        (100, 0.05, 0.983, 0.966, 0.877),
        (1000, 0.001, 0.981, 0.920, 0.632),
        (1000, 0.01, 0.976, 0.964, 0.927),
    ] {
        assert!((coverage(clopper_pearson, trials, p) - exact).abs() <= 5e-4, "n = {trials}, p = {p}");
        assert!((coverage(wilson, trials, p) - score).abs() <= 5e-4, "n = {trials}, p = {p}");
        assert!((coverage(wald, trials, p) - approximate).abs() <= 5e-4, "n = {trials}, p = {p}");
        assert!(coverage(wald, trials, p) < LEVEL, "the usual approximation is caught at n = {trials}, p = {p}");
    }
}

/// On average over true proportions from 0 to 1, Wilson covers at its level to within half a point.
#[test]
fn wilson_covers_at_its_level_on_average() {
    for trials in [20, 50, 200] {
        let mean = (1..1_000).map(|step| coverage(wilson, trials, f64::from(step) / 1e3)).sum::<f64>() / 999.0;
        assert!((mean - LEVEL).abs() < 0.005, "{mean} at n = {trials}");
        let wald = (1..1_000).map(|step| coverage(wald, trials, f64::from(step) / 1e3)).sum::<f64>() / 999.0;
        assert!((wald - LEVEL).abs() > 0.005, "the usual approximation is caught: {wald} at n = {trials}");
    }
}

/// 10,000 samples per case; the band at 1 − 10⁻⁶ finds a coverage that is off by 0.02.
#[test]
fn simulated_coverage_is_the_summed_one() {
    for (trials, p) in [(100, 0.01), (100, 0.05), (200, 0.3)] {
        for estimate in [clopper_pearson as ProportionInterval, wilson] {
            let summed = coverage(estimate, trials, p);
            let covered = covered(10_000, trials, |sampler| {
                let events = (0..trials).filter(|_| sampler.uniform() < p).count() as u64;
                interval(estimate(events, trials)).contains(p)
            });
            assert!(agrees(covered, 10_000, summed..=summed), "{covered}, not {summed}, at n = {trials}, p = {p}");
        }
    }
}

#[test]
fn wilson_says_what_it_is_and_keeps_to_probabilities() {
    let estimate = proportion_wilson(0, 10, level()).unwrap();
    assert_eq!((estimate.value, estimate.method, estimate.scope), (Some(0.0), Method::Wilson, Scope::PerDesign));
    let (none, all) = (interval(estimate), interval(wilson(10, 10)));
    assert!(none.lo == 0.0 && all.hi == 1.0 && (none.hi - (1.0 - all.lo)).abs() < 1e-15, "{none:?} {all:?}");
    assert_eq!(proportion_wilson(0, 0, level()).unwrap().interval, None);
    assert!(proportion_wilson(3, 2, level()).is_err());
}

#[test]
fn a_one_sided_bound_for_zero_events_is_caught() {
    let (trials, p) = (200, 0.016);
    let one_sided = |events| match events {
        0 => Interval { lo: 0.0, hi: 1.0 - 0.05f64.powf(1.0 / 200.0) },
        _ => interval(clopper_pearson(events, trials)),
    };
    let (below, _) = misses(trials, p, one_sided);
    assert!(below > ALPHA_HALF, "{below}");
}

#[test]
fn no_event_is_not_never() {
    let interval = interval(clopper_pearson(0, 200));
    assert_eq!(interval.lo, 0.0);
    assert_eq!(interval.hi, zero_event_upper(200, level()));
    assert!((interval.hi - 0.018_275).abs() < 1e-6, "{interval:?}");
}

#[test]
fn nothing_but_events_is_the_mirror_image() {
    let (none, all) = (interval(clopper_pearson(0, 200)), interval(clopper_pearson(200, 200)));
    assert_eq!(all.hi, 1.0);
    assert!((all.lo - (1.0 - none.hi)).abs() < 1e-15, "{all:?}");
}

#[test]
fn without_trials_nothing_is_known() {
    let estimate = proportion(0, 0, level()).unwrap();
    assert_eq!((estimate.value, estimate.interval), (None, None));
    assert_eq!(zero_event_upper(0, level()), 1.0);
}

#[test]
fn more_events_than_trials_are_refused() {
    let message = proportion(3, 2, level()).unwrap_err().to_string();
    assert_eq!(message, "there cannot be more events (3) than trials (2)");
}
