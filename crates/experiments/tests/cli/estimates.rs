//! `summary.parquet` says what `runs.parquet` holds.

use polars::prelude::DataFrame;
use statistics::{Level, mean, paired_difference, proportion};
use tempfile::tempdir;

use crate::support::{numbers, small_sweep, table, words};

/// One row of the summary: (n, value, lo, hi, method).
type Row = (f64, Option<f64>, Option<f64>, Option<f64>, String);

struct Tables {
    runs: DataFrame,
    summary: DataFrame,
}

impl Tables {
    fn small() -> Self {
        let folder = tempdir().expect("a folder");
        small_sweep(folder.path(), &[]);
        Self { runs: table(folder.path(), "runs.parquet"), summary: table(folder.path(), "summary.parquet") }
    }

    /// The values of a column in the runs of a design in a mode, by replication.
    fn values(&self, design: usize, mode: usize, column: &str) -> Vec<Option<f64>> {
        numbers(&self.runs, column).chunks(40).map(|replication| replication[mode * 10 + design]).collect()
    }

    fn estimate(&self, design: f64, mode: &str, metric: &str, estimator: &str) -> Row {
        let (designs, modes) = (numbers(&self.summary, "design"), words(&self.summary, "mode"));
        let (metrics, estimators) = (words(&self.summary, "metric"), words(&self.summary, "estimator"));
        let matches = |row: &usize| {
            designs[*row] == Some(design)
                && modes[*row] == mode
                && metrics[*row] == metric
                && estimators[*row] == estimator
        };
        let rows: Vec<usize> = (0..self.summary.height()).filter(matches).collect();
        let [row] = rows[..] else { panic!("{} rows of {metric} {estimator}", rows.len()) };
        let number = |column| numbers(&self.summary, column)[row];
        assert_eq!(number("level"), Some(0.95));
        (
            number("n").expect("never null"),
            number("value"),
            number("lo"),
            number("hi"),
            words(&self.summary, "method")[row].clone(),
        )
    }
}

fn assert_close(ours: Option<f64>, theirs: f64) {
    let ours = ours.expect("there is a value");
    assert!((ours - theirs).abs() <= 1e-12 * theirs.abs().max(1.0), "{ours} is not {theirs}");
}

#[test]
fn means_differences_and_proportions_are_those_of_the_runs() {
    let level = Level::new(0.95).expect("a level");
    let tables = Tables::small();
    let some = |values: Vec<Option<f64>>| values.into_iter().flatten().collect::<Vec<f64>>();

    let metric = "slot_rounds_to_detection_restricted";
    let slowdown = some(tables.values(2, 2, metric));
    let expected = mean(&slowdown, level);
    let (n, value, lo, hi, method) = tables.estimate(2.0, "slowdown", metric, "mean");
    let interval = expected.interval.expect("20 replications");
    assert_eq!((n, method.as_str()), (20.0, "t"));
    assert_close(value, expected.value.expect("20 replications"));
    assert_close(lo, interval.lo);
    assert_close(hi, interval.hi);

    let none = some(tables.values(0, 2, metric));
    let expected = paired_difference(&slowdown, &none, level).expect("pairs");
    let (n, value, lo, _, method) = tables.estimate(2.0, "slowdown", metric, "mean_difference_to_none");
    assert_eq!((n, method.as_str()), (20.0, "paired_t"));
    assert_close(value, expected.value.expect("20 pairs"));
    assert_close(lo, expected.interval.expect("20 pairs").lo);

    let detected = some(tables.values(7, 0, "detected")).iter().sum::<f64>() as u64;
    let expected = proportion(detected, 20, level).expect("a proportion").interval.expect("20 trials");
    let (_, _, lo, hi, method) = tables.estimate(7.0, "healthy", "detected", "probability");
    assert_eq!(method, "clopper_pearson");
    assert_close(lo, expected.lo);
    assert_close(hi, expected.hi);
}

#[test]
fn conditional_means_count_the_runs_that_they_rest_on() {
    let tables = Tables::small();
    let delays: Vec<f64> = tables.values(1, 1, "detection_delay_rounds").into_iter().flatten().collect();
    let (n, value, ..) = tables.estimate(1.0, "partial", "detection_delay_rounds", "conditional_mean");
    assert_eq!(n, delays.len() as f64);
    assert_close(value, delays.iter().sum::<f64>() / delays.len() as f64);
    // Restricted: every run counts, the undetected ones with the whole fault of 10 s, 1,000 rounds.
    let all = tables.values(1, 1, "detection_delay_rounds");
    let restricted = all.iter().map(|delay| delay.unwrap_or(1_000.0)).sum::<f64>() / 20.0;
    assert_close(tables.estimate(1.0, "partial", "detection_delay_rounds", "restricted_mean").1, restricted);
}

#[test]
fn what_was_never_seen_has_an_upper_end_and_what_cannot_happen_has_none() {
    let tables = Tables::small();
    // No opening in 20 runs leaves 3.7 / 20 per run; one costs its second and its probes, and 1 in 40 of these fails.
    let openings = -(0.025_f64.ln()) / 20.0;
    let rejections = openings / 0.975 * 97.22 * (1.0 + 1.0 / 97.22 + 0.06);
    // "consecutive 5" turned nothing away in 20 healthy runs.
    let (_, value, lo, hi, method) = tables.estimate(2.0, "healthy", "false_open_rejections", "mean");
    assert_eq!((value, lo, method.as_str()), (Some(0.0), Some(0.0), "zero_events"));
    assert_close(hi, rejections);
    let (_, _, _, hi, _) = tables.estimate(2.0, "healthy", "false_open_rejections", "mean_per_hour");
    assert_close(hi, rejections * 300.0);
    let (_, _, _, hi, _) = tables.estimate(2.0, "healthy", "false_openings", "mean");
    assert_close(hi, openings);
    // Without a breaker nothing can be turned away.
    let (_, value, lo, hi, method) = tables.estimate(0.0, "healthy", "false_open_rejections", "mean");
    assert_eq!((value, lo, hi, method.as_str()), (Some(0.0), Some(0.0), Some(0.0), "exact"));
}

#[test]
fn one_replication_has_values_and_no_intervals() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--replications", "1"]);
    let summary = table(folder.path(), "summary.parquet");
    let (value, lo, method) = (numbers(&summary, "value"), numbers(&summary, "lo"), words(&summary, "method"));
    let of_t: Vec<usize> = (0..summary.height()).filter(|&row| method[row] == "t" && value[row].is_some()).collect();
    assert!(of_t.len() > 100);
    assert!(of_t.iter().all(|&row| lo[row].is_none()));
}
