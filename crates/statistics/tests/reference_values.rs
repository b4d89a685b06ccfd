//! Quantiles, intervals and p-values agree with scipy and with exact fractions, digit by digit.

#[path = "support/reference.rs"]
mod reference;

use reference::{assert_close, rows};
use statistics::{
    ConfidenceSet, CumulativeIncidence, Ending, KaplanMeier, Level, bca_levels, fisher_exact, proportion,
    proportion_wilson, quantile, quantile_ranks, ratio_delta, ratio_fieller, t_quantile, zero_event_upper,
};

/// The largest relative difference allowed; for samples beyond 10,000 one digit less, which the logarithm of the gamma
/// function in the distribution functions costs.
fn tolerance(sample: f64) -> f64 {
    if sample <= 10_000.0 { 1e-10 } else { 1e-9 }
}

fn level(fraction: f64) -> Level {
    Level::new(fraction).unwrap()
}

#[test]
fn t_quantiles() {
    let rows = rows::<3>(include_str!("data/t_quantile.csv"));
    assert_eq!(rows.len(), 45);
    for row in rows {
        let [n, fraction, quantile] = row;
        assert_close(t_quantile(n as u64, level(fraction)).unwrap(), quantile, tolerance(n), row);
    }
}

#[test]
fn clopper_pearson_intervals() {
    let rows = rows::<5>(include_str!("data/clopper_pearson.csv"));
    assert_eq!(rows.len(), 350);
    for row in rows {
        let [events, trials, fraction, lo, hi] = row;
        let interval = proportion(events as u64, trials as u64, level(fraction)).unwrap().interval.unwrap();
        assert_close(interval.lo, lo, tolerance(trials), row);
        assert_close(interval.hi, hi, tolerance(trials), row);
        if events == 0.0 {
            assert_close(zero_event_upper(trials as u64, level(fraction)), hi, tolerance(trials), row);
        }
    }
}

#[test]
fn fisher_p_values() {
    let rows = rows::<5>(include_str!("data/fisher.csv"));
    assert_eq!(rows.len(), 17);
    for row in rows {
        let [a, n, b, m, p] = row;
        let tolerance = tolerance(n + m);
        let [a, n, b, m] = [a, n, b, m].map(|count| count as u64);
        assert_close(fisher_exact(a, n, b, m), p, tolerance, row);
        assert_close(fisher_exact(b, m, a, n), p, tolerance, ("samples swapped", row));
        assert_close(fisher_exact(n - a, n, m - b, m), p, tolerance, ("events and others swapped", row));
    }
}

#[test]
fn wilson_intervals() {
    let rows = rows::<5>(include_str!("data/wilson.csv"));
    assert_eq!(rows.len(), 305);
    for row in rows {
        let [events, trials, fraction, lo, hi] = row;
        let interval = proportion_wilson(events as u64, trials as u64, level(fraction)).unwrap().interval.unwrap();
        // scipy takes the difference of nearly equal numbers for an end that is 0 on paper.
        let clean = |end: f64| if end < 1e-15 { 0.0 } else { end };
        assert_close(interval.lo, clean(lo), 1e-10, row);
        assert_close(1.0 - interval.hi, 1.0 - hi, 1e-10, row);
        assert_close(interval.hi, hi, 1e-10, row);
    }
}

#[test]
fn order_statistics() {
    let rows = rows::<6>(include_str!("data/quantile_ranks.csv"));
    assert_eq!(rows.len(), 12);
    for row in rows {
        let [n, q, fraction, lower, upper, coverage] = row;
        let ranks = quantile_ranks(n as u64, q, level(fraction)).unwrap();
        assert_eq!((ranks.lower as f64, ranks.upper as f64), (lower, upper), "{row:?}");
        assert_close(ranks.coverage, coverage, 1e-10, row);
    }
}

/// Twenty-four pairs.
fn sample() -> (Vec<f64>, Vec<f64>) {
    rows::<2>(include_str!("data/sample.csv")).into_iter().map(<[f64; 2]>::into).collect()
}

#[test]
fn quantiles_of_samples() {
    let (sample, _) = sample();
    let rows = rows::<3>(include_str!("data/quantile.csv"));
    assert_eq!(rows.len(), 28);
    for row in rows {
        let [n, q, value] = row;
        assert_close(quantile(&sample[..n as usize], q).unwrap().unwrap(), value, 1e-13, row);
    }
}

#[test]
fn ratios() {
    let (denominators, numerators) = sample();
    let rows = rows::<8>(include_str!("data/ratio.csv"));
    assert_eq!(rows.len(), 12);
    let mut unbounded = 0;
    for row in rows {
        let [n, fraction, sign, low, high, ratio, delta_lo, delta_hi] = row;
        let (y, x) = (&numerators[..n as usize], &denominators[..n as usize]);
        let delta = ratio_delta(y, x, level(fraction)).unwrap();
        let interval = delta.set.unwrap().bounded().unwrap();
        assert_close(delta.value.unwrap(), ratio, 1e-10, row);
        assert_close(interval.lo, delta_lo, 1e-10, row);
        assert_close(interval.hi, delta_hi, 1e-10, row);

        match ratio_fieller(y, x, level(fraction)).unwrap().set.unwrap() {
            // The file has the real part twice where the roots are complex.
            ConfidenceSet::Everything => assert!(sign < 0.0 && low == high, "{row:?}"),
            ConfidenceSet::Bounded(ends) => {
                assert!(sign > 0.0, "{row:?}");
                assert_close(ends.lo, low, 1e-10, row);
                assert_close(ends.hi, high, 1e-10, row);
            }
            ConfidenceSet::Outside(gap) => {
                unbounded += 1;
                assert!(sign < 0.0, "{row:?}");
                assert_close(gap.lo, low, 1e-10, row);
                assert_close(gap.hi, high, 1e-10, row);
            }
        }
    }
    assert_eq!(unbounded, 7, "the file has sets that reach to infinity on both sides");
}

#[test]
fn levels_of_bca() {
    let (sample, _) = sample();
    let draws: Vec<f64> = rows::<1>(include_str!("data/bootstrap_draws.csv")).into_iter().flatten().collect();
    let sum: f64 = sample.iter().sum();
    let jackknife: Vec<f64> = sample.iter().map(|x| (sum - x) / 23.0).collect();
    let rows = rows::<3>(include_str!("data/bca_levels.csv"));
    assert_eq!(rows.len(), 3);
    for row in rows {
        let [fraction, lower, upper] = row;
        let levels = bca_levels(sum / 24.0, &draws, &jackknife, level(fraction)).unwrap();
        assert_close(levels.0, lower, 1e-10, row);
        assert_close(levels.1, upper, 1e-10, row);
    }
}

/// Thirty subjects: the time watched, and 1 for the event, 2 for a competing one, 0 for neither.
fn followup() -> Vec<[f64; 2]> {
    rows(include_str!("data/followup.csv"))
}

#[test]
fn survival_curves() {
    let subjects: Vec<(f64, bool)> = followup().into_iter().map(|[time, ending]| (time, ending == 1.0)).collect();
    let curve = KaplanMeier::new(&subjects).unwrap();
    let rows_of_curve = rows::<4>(include_str!("data/survival.csv"));
    assert_eq!(rows_of_curve.len(), 5);
    for row in rows_of_curve {
        let [time, survival, lo, hi] = row;
        let estimate = curve.survival(time, level(0.95));
        let interval = estimate.interval.unwrap();
        assert_close(estimate.value.unwrap(), survival, 1e-13, row);
        assert_close(interval.lo, lo, 1e-10, row);
        assert_close(interval.hi, hi, 1e-10, row);
    }
    let rows_of_means = rows::<3>(include_str!("data/restricted_mean.csv"));
    assert_eq!(rows_of_means.len(), 5);
    for row in rows_of_means {
        let [horizon, mean, variance] = row;
        let estimate = curve.restricted_mean(horizon, level(0.95));
        assert_close(estimate.value.unwrap(), mean, 1e-13, row);
        let half_width = estimate.interval.unwrap().half_width();
        assert_close(half_width, 1.959_963_984_540_054 * variance.sqrt(), 1e-10, row);
    }
}

#[test]
fn cumulative_incidences() {
    let ending = |code: f64| [Ending::Censored, Ending::Event, Ending::Competing][code as usize];
    let subjects: Vec<(f64, Ending)> = followup().into_iter().map(|[time, code]| (time, ending(code))).collect();
    let incidence = CumulativeIncidence::new(&subjects).unwrap();
    let rows = rows::<2>(include_str!("data/incidence.csv"));
    assert_eq!(rows.len(), 7);
    for row in rows {
        assert_close(incidence.by(row[0], level(0.95)).value.unwrap(), row[1], 1e-13, row);
    }
}
