//! Quantiles, intervals and p-values agree with scipy and with exact fractions, digit by digit.

use statistics::{Level, fisher_exact, proportion, t_quantile, zero_event_upper};

/// The largest relative difference allowed for samples of up to 10,000. (Beyond, the logarithm of the gamma function in
/// the distribution functions costs a digit.)
const TOLERANCE: f64 = 1e-10;

/// The same for larger samples.
const TOLERANCE_BEYOND: f64 = 1e-9;

/// The numbers of a file made by `tests/data/make_reference.py`, row by row.
fn rows<const COLUMNS: usize>(csv: &str) -> Vec<[f64; COLUMNS]> {
    let number = |field: &str| field.parse::<f64>().unwrap_or_else(|_| panic!("not a number: {field}"));
    let row =
        |line: &str| line.split(',').map(number).collect::<Vec<_>>().try_into().expect("as many fields as columns");
    csv.lines().skip(1).map(row).collect()
}

fn assert_close(ours: f64, reference: f64, sample: f64, what: impl std::fmt::Debug) {
    let tolerance = if sample <= 10_000.0 { TOLERANCE } else { TOLERANCE_BEYOND };
    let off = (ours - reference).abs();
    assert!(off <= tolerance * reference.abs(), "{what:?}: {ours:e}, not {reference:e}");
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
        assert_close(t_quantile(n as u64, level(fraction)).unwrap(), quantile, n, row);
    }
}

#[test]
fn clopper_pearson_intervals() {
    let rows = rows::<5>(include_str!("data/clopper_pearson.csv"));
    assert_eq!(rows.len(), 350);
    for row in rows {
        let [events, trials, fraction, lo, hi] = row;
        let interval = proportion(events as u64, trials as u64, level(fraction)).unwrap().interval.unwrap();
        assert_close(interval.lo, lo, trials, row);
        assert_close(interval.hi, hi, trials, row);
        if events == 0.0 {
            assert_close(zero_event_upper(trials as u64, level(fraction)), hi, trials, row);
        }
    }
}

#[test]
fn fisher_p_values() {
    let rows = rows::<5>(include_str!("data/fisher.csv"));
    assert_eq!(rows.len(), 17);
    for row in rows {
        let [a, n, b, m, p] = row;
        let sample = n + m;
        let [a, n, b, m] = [a, n, b, m].map(|count| count as u64);
        assert_close(fisher_exact(a, n, b, m), p, sample, row);
        assert_close(fisher_exact(b, m, a, n), p, sample, ("samples swapped", row));
        assert_close(fisher_exact(n - a, n, m - b, m), p, sample, ("events and others swapped", row));
    }
}
