//! Times to detection: curves, restricted means, medians that exist, and outcomes that compete.

#[path = "support/coverage_cases.rs"]
mod coverage_cases;
#[path = "support/macro_replications.rs"]
mod macro_replications;

use coverage_cases::{delays, incidence_coverage, level, survival_coverage};
use macro_replications::{Sampler, agrees};
use statistics::{CumulativeIncidence, Ending, KaplanMeier, Scope, mean, zero_event_upper};

#[test]
fn with_one_horizon_the_restricted_mean_is_the_mean_up_to_it() {
    for seed in 0..20 {
        let subjects = delays(&mut Sampler::new(seed), 37);
        let restricted = KaplanMeier::new(&subjects).unwrap().restricted_mean(8.0, level()).value.unwrap();
        let times: Vec<f64> = subjects.iter().map(|&(time, _)| time).collect();
        let plain = mean(&times, level()).value.unwrap();
        assert!((restricted - plain).abs() < 1e-13 * plain, "{restricted} {plain}");
    }
}

/// 10,000 samples of 100; at this size the normal quantile costs the restricted mean about half a point, so its target is
/// 0.94 to 0.95, and 0.915 would be found; the scale ln(−ln S) keeps the curve near the level.
#[test]
fn intervals_of_the_restricted_mean_and_of_the_curve_cover() {
    let (restricted_mean, curve) = survival_coverage(100, 10_000);
    assert!(agrees(restricted_mean, 10_000, 0.94..=0.95), "{restricted_mean}");
    assert!(agrees(curve, 10_000, 0.945..=0.96), "{curve}");
}

#[test]
fn those_never_detected_are_not_dropped() {
    let subjects = [(1.0, true), (2.0, true), (3.0, true), (9.0, false), (9.0, false), (9.0, false)];
    let curve = KaplanMeier::new(&subjects).unwrap();
    let detected_alone = 2.0;
    assert_eq!(curve.restricted_mean(9.0, level()).value, Some(5.5));
    assert!(curve.restricted_mean(9.0, level()).interval.unwrap().lo > detected_alone);
}

#[test]
fn a_median_exists_only_if_half_had_the_event() {
    let median = |subjects: &[(f64, bool)]| KaplanMeier::new(subjects).unwrap().median();
    assert_eq!(median(&[(1.0, true), (2.0, true), (9.0, false), (9.0, false), (9.0, false)]), None);
    assert_eq!(median(&[(1.0, true), (2.0, true), (3.0, true), (9.0, false), (9.0, false)]), Some(3.0));
    assert_eq!(median(&[(1.0, true), (2.0, true), (4.0, true), (9.0, false)]), Some(3.0), "one half between 2 and 4");
    assert_eq!(median(&[(1.0, true), (9.0, false)]), Some(1.0), "one half for ever after");
    // 6/7 · 5/6 · 4/5 · … comes to one half only by rounding.
    let seven: Vec<(f64, bool)> = (1..=10).map(|time| (f64::from(time), true)).collect();
    assert_eq!(median(&seven), Some(5.5));
    assert_eq!(median(&[]), None);
}

#[test]
fn beyond_the_last_time_watched_nothing_is_known() {
    let open = KaplanMeier::new(&[(1.0, true), (4.0, false)]).unwrap();
    assert!(open.survival(4.0, level()).value.is_some() && open.restricted_mean(4.0, level()).value.is_some());
    let beyond = [open.survival(4.1, level()), open.restricted_mean(4.1, level())];
    assert!(beyond.iter().all(|estimate| estimate.value.is_none() && estimate.interval.is_none()), "{beyond:?}");
    let closed = KaplanMeier::new(&[(1.0, true), (4.0, true)]).unwrap();
    assert_eq!(closed.survival(9.0, level()).value, Some(0.0));
    assert_eq!(closed.restricted_mean(9.0, level()).value, Some(2.5));
    assert_eq!(KaplanMeier::new(&[]).unwrap().survival(0.0, level()).value, None);
}

#[test]
fn without_an_event_the_curve_has_no_interval() {
    let curve = KaplanMeier::new(&[(4.0, false); 10]).unwrap();
    let estimate = curve.survival(2.0, level());
    assert_eq!((estimate.value, estimate.interval, estimate.scope), (Some(1.0), None, Scope::PerDesign));
    let restricted = curve.restricted_mean(4.0, level());
    assert_eq!((restricted.value, restricted.interval), (Some(4.0), None));
}

#[test]
fn impossible_times_are_refused() {
    for time in [-1.0, f64::NAN, f64::INFINITY] {
        let message = KaplanMeier::new(&[(1.0, true), (time, false)]).unwrap_err().to_string();
        assert!(message.starts_with(&format!("the time of subject 1 is {time}")), "{message}");
        assert!(CumulativeIncidence::new(&[(time, Ending::Event)]).is_err());
    }
}

#[test]
fn healing_first_is_no_censoring() {
    // Six of ten heal before they are detected: at most four in ten can ever be detected.
    let mut subjects = vec![(1.0, Ending::Competing); 6];
    subjects.extend([(2.0, Ending::Event); 4]);
    let incidence = CumulativeIncidence::new(&subjects).unwrap().by(3.0, level());
    assert!((incidence.value.unwrap() - 0.4).abs() < 1e-15, "{incidence:?}");
    let as_censored: Vec<(f64, bool)> =
        subjects.iter().map(|&(time, ending)| (time, ending == Ending::Event)).collect();
    let wrong = KaplanMeier::new(&as_censored).unwrap().survival(3.0, level()).value.unwrap();
    assert_eq!(1.0 - wrong, 1.0, "taken for censored, all would be detected");
}

#[test]
fn without_censoring_the_incidence_is_a_proportion_and_its_variance_that_of_one() {
    for seed in 0..20 {
        let mut sampler = Sampler::new(seed);
        let subjects: Vec<(f64, Ending)> = (0..40)
            .map(|_| {
                let time = (10.0 * sampler.exponential()).ceil();
                (time, if sampler.uniform() < 0.4 { Ending::Competing } else { Ending::Event })
            })
            .collect();
        let incidence = CumulativeIncidence::new(&subjects).unwrap();
        for time in [5.0, 10.0, 30.0] {
            let events = subjects.iter().filter(|&&(t, ending)| t <= time && ending == Ending::Event).count() as f64;
            let share = events / 40.0;
            let estimate = incidence.by(time, level());
            assert!((estimate.value.unwrap() - share).abs() < 1e-14, "{estimate:?}");
            // Both ends give the standard error back: ln(ln F(lo) / ln F) = z se / |F ln F|.
            let half_width = (estimate.interval.unwrap().lo.ln() / share.ln()).ln();
            let standard_error = half_width * (share * share.ln()).abs() / 1.959_963_984_540_054;
            let binomial = (share * (1.0 - share) / 40.0).sqrt();
            assert!((standard_error - binomial).abs() < 1e-9 * binomial, "{standard_error} {binomial}");
        }
    }
}

/// 10,000 samples of 100, band at 1 − 10⁻⁶: 0.92 would be found.
#[test]
fn the_interval_of_the_incidence_covers_it() {
    let covered = incidence_coverage(100, 10_000);
    assert!(agrees(covered, 10_000, 0.943..=0.955), "{covered}");
}

#[test]
fn no_event_is_not_never() {
    let mut subjects = vec![(1.0, Ending::Competing); 5];
    subjects.extend([(2.0, Ending::Censored); 3]);
    subjects.extend([(6.0, Ending::Censored); 12]);
    let incidence = CumulativeIncidence::new(&subjects).unwrap();
    let estimate = incidence.by(5.0, level());
    let interval = estimate.interval.unwrap();
    assert_eq!((estimate.value, interval.lo, interval.hi), (Some(0.0), 0.0, zero_event_upper(17, level())));
    assert_eq!(incidence.by(7.0, level()).value, None, "twelve were still without outcome when last seen");
}
