//! `[analysis]`: paired differences, simultaneous intervals, and the terminal's table.

use std::fs;
use std::path::Path;

use polars::prelude::DataFrame;
use statistics::{
    Level, Observations, Resampling, mean, paired_difference, simultaneous_differences, simultaneous_means,
};
use tempfile::tempdir;

use crate::support::{argument, numbers, small_sweep, succeed, table, words};

const CURRENT: &str = r#"analysis.current={ kind = "ratio", window = 20, threshold = 0.6, open_for = "5s" }"#;

/// A value of `summary.parquet` with its interval and method.
type Row = (Option<f64>, Option<f64>, Option<f64>, String);

struct Summary(DataFrame);

impl Summary {
    fn of(folder: &Path) -> Self {
        Self(table(folder, "summary.parquet"))
    }

    /// The rows of an estimator, by design, mode and metric.
    fn rows(&self, estimator: &str) -> Vec<(String, Row)> {
        let (designs, modes) = (numbers(&self.0, "design"), words(&self.0, "mode"));
        let (metrics, methods) = (words(&self.0, "metric"), words(&self.0, "method"));
        let (value, lo, hi) = (numbers(&self.0, "value"), numbers(&self.0, "lo"), numbers(&self.0, "hi"));
        let estimators = words(&self.0, "estimator");
        let rows = (0..self.0.height()).filter(|&row| estimators[row] == estimator);
        rows.map(|row| {
            let key = format!("{} {} {}", designs[row].expect("a number"), modes[row], metrics[row]);
            (key, (value[row], lo[row], hi[row], methods[row].clone()))
        })
        .collect()
    }

    fn row(&self, estimator: &str, key: &str) -> Row {
        let mut rows = self.rows(estimator).into_iter().filter(|(of, _)| of == key);
        let (_, row) = rows.next().unwrap_or_else(|| panic!("no {estimator} of {key}"));
        assert_eq!(rows.next(), None);
        row
    }
}

/// The values of a column in the small sweep's runs of a design in a mode, by replication.
fn values(folder: &Path, designs: usize, design: usize, mode: usize, column: &str) -> Vec<f64> {
    let runs = table(folder, "runs.parquet");
    let all = numbers(&runs, column);
    all.chunks(4 * designs).map(|replication| replication[mode * designs + design].expect("never null")).collect()
}

fn assert_close(ours: Option<f64>, theirs: f64) {
    let ours = ours.expect("there is a value");
    assert!((ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0), "{ours} is not {theirs}");
}

#[test]
fn differences_to_the_current_setting_are_paired_and_those_of_itself_zero() {
    let folder = tempdir().expect("a folder");
    let printed = small_sweep(folder.path(), &["--set", CURRENT]);
    let summary = Summary::of(folder.path());
    let metric = "slot_rounds_to_detection_restricted";
    let [own, current] = [2, 10].map(|design| values(folder.path(), 11, design, 2, metric));
    let level = Level::new(0.95).expect("a level");
    let expected = paired_difference(&own, &current, level).expect("pairs");
    let interval = expected.interval.expect("20 pairs");
    let (value, lo, hi, method) = summary.row("mean_difference_to_baseline", &format!("2 slowdown {metric}"));
    assert_eq!(method, "paired_t");
    assert_close(value, expected.value.expect("20 pairs"));
    assert_close(lo, interval.lo);
    assert_close(hi, interval.hi);
    assert!(summary.rows("mean_difference_to_none").is_empty());

    let differences = summary.rows("mean_difference_to_baseline");
    let own: Vec<_> = differences.iter().filter(|(key, _)| key.starts_with("10 ")).collect();
    assert!(own.len() > 40);
    let zero = (Some(0.0), Some(0.0), Some(0.0), "exact".to_owned());
    assert!(own.iter().all(|(_, row)| *row == zero), "{own:?}");

    let manifest = fs::read_to_string(folder.path().join("manifest.json")).expect("a manifest");
    assert!(manifest.contains("\"current_design\": 10,\n  \"baseline_design\": 10,"), "{manifest}");
    let (front, differences) = printed.split_once("Against your current setting (design 10: ").expect("two parts");
    assert!(differences.starts_with("ratio 0.6 of 20, open 5s), paired over 20 replications:"), "{differences}");
    for part in [front, differences] {
        assert!(part.lines().any(|line| line.starts_with("yours ·  10 ")), "{printed}");
    }
    assert!(front.contains("\nyours: your current setting.\n"), "{printed}");
}

#[test]
fn another_baseline_than_the_current_setting() {
    let folder = tempdir().expect("a folder");
    let printed = small_sweep(folder.path(), &["--set", CURRENT, "--set", "analysis.baseline=none"]);
    assert!(printed.contains("Against the baseline (design 0: none), paired over 20 replications"), "{printed}");
    let summary = Summary::of(folder.path());
    assert!(summary.rows("mean_difference_to_baseline").is_empty());
    assert_eq!(summary.row("mean_difference_to_none", "10 slowdown slot_rounds_fault").3, "paired_t");
}

/// In the world of the main sweep; for designs that open in every run and differ in their results.
#[test]
fn paired_intervals_are_narrower_than_those_of_independent_results() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--set", CURRENT, "--replications", "100"]);
    let summary = Summary::of(folder.path());
    let level = Level::new(0.95).expect("a level");
    let mut ratios = Vec::new();
    for metric in ["slot_rounds_to_detection_restricted", "slot_rounds_fault", "neighbour_no_slot_fault"] {
        let half_width = |design| {
            let values = values(folder.path(), 11, design, 2, metric);
            mean(&values, level).interval.expect("100 replications").half_width()
        };
        for design in [1, 2, 3, 6, 9] {
            let (_, lo, hi, _) = summary.row("mean_difference_to_baseline", &format!("{design} slowdown {metric}"));
            let paired = (hi.expect("an interval") - lo.expect("an interval")) / 2.0;
            ratios.push(paired / half_width(design).hypot(half_width(10)));
        }
    }
    assert!(ratios.iter().all(|&ratio| ratio < 0.95), "{ratios:?}");
    let product: f64 = ratios.iter().product();
    let typical = product.powf(1.0 / ratios.len() as f64);
    assert!(typical < 0.8, "{typical}: {ratios:?}");
}

#[test]
fn simultaneous_intervals_contain_those_of_each_design_and_change_no_other_row() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--set", CURRENT]);
    let plain = Summary::of(folder.path());
    let printed = small_sweep(folder.path(), &["--set", CURRENT, "--set", "analysis.simultaneous=true"]);
    assert!(printed.contains("Nothing was simulated"), "{printed}");
    assert!(printed.contains("hold for all 10 distinct designs"), "{printed}");
    let with = Summary::of(folder.path());
    let mut methods = std::collections::BTreeMap::<String, usize>::new();
    for estimator in ["mean", "conditional_mean", "mean_per_hour", "probability", "mean_difference_to_baseline"] {
        assert_eq!(with.rows(estimator), plain.rows(estimator), "{estimator}");
        for (key, (value, lo, hi, method)) in with.rows(&format!("simultaneous_{estimator}")) {
            let by_itself = plain.row(estimator, &key);
            assert_eq!(value, by_itself.0, "{key}");
            assert_eq!((lo.is_some(), hi.is_some()), (by_itself.1.is_some(), by_itself.2.is_some()), "{key}");
            assert!(lo <= by_itself.1 && hi >= by_itself.2, "{key}: [{lo:?}, {hi:?}] {by_itself:?}");
            *methods.entry(method).or_default() += 1;
        }
    }
    // The small sweep does not heal. Equivalent designs have rows of their own: eleven for each of these.
    let all: Vec<_> = methods.keys().map(String::as_str).collect();
    let expected = [
        "bonferroni_clopper_pearson",
        "bonferroni_t",
        "bonferroni_zero_events",
        "exact",
        "paired_sup_t",
        "sup_t",
        "zero_events",
    ];
    assert!(all.iter().all(|method| expected.contains(method)), "{methods:?}");
    assert!(methods["sup_t"] >= 60 && methods["paired_sup_t"] >= 50, "{methods:?}");
    assert_eq!(methods["bonferroni_clopper_pearson"], 22, "{methods:?}");
}

#[test]
fn bands_are_those_of_the_runs_drawn_anew() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--set", CURRENT, "--set", "analysis.simultaneous=true"]);
    let summary = Summary::of(folder.path());
    let metric = "slot_rounds_fault";
    // Design 5 is 4 in other words.
    let distinct = [0, 1, 2, 3, 4, 6, 7, 8, 9, 10];
    let columns = distinct.map(|design| values(folder.path(), 11, design, 2, metric));
    let observations = Observations::from_columns(&columns).expect("a table");
    let resampling = Resampling { draws: 4_000, seed: 1 };
    let level = Level::new(0.95).expect("a level");
    let means = simultaneous_means(&observations, resampling, level);
    let differences = simultaneous_differences(&observations, 9, resampling, level);
    assert!(means.critical.expect("20 replications") > 2.1);
    for (slot, design) in distinct.into_iter().enumerate() {
        let key = format!("{design} slowdown {metric}");
        let (value, lo, hi, method) = summary.row("simultaneous_mean", &key);
        let band = means.estimates[slot].interval.expect("20 replications");
        assert_eq!(method, "sup_t");
        assert_close(value, means.estimates[slot].value.expect("20 replications"));
        assert_close(lo, band.lo);
        assert_close(hi, band.hi);
        let (_, lo, hi, method) = summary.row("simultaneous_mean_difference_to_baseline", &key);
        let band = differences.estimates[slot].interval.expect("20 pairs");
        assert_eq!(method, if design == 10 { "exact" } else { "paired_sup_t" });
        assert_close(lo, band.lo);
        assert_close(hi, band.hi);
    }
}

/// The part of what is printed that is about the front.
fn report(printed: &str) -> &str {
    let start = printed.find("Pareto front").expect("there is a front");
    let end = printed.find("requests in ").or_else(|| printed.find("Nothing was simulated")).expect("there is an end");
    printed[start..end].rsplit_once('\n').expect("lines").0
}

#[test]
fn the_report_fits_a_hundred_columns() {
    let current = r#"analysis.current={ kind = "gobreaker", "ReadyToTrip.kind" = "failure_ratio", "ReadyToTrip.min_requests" = 20, "ReadyToTrip.ratio" = 0.6 }"#;
    for sweep in [
        "sweep.toml",
        "sweeps/brownout.toml",
        "sweeps/dialects.toml",
        "sweeps/reference.toml",
        "sweeps/service.toml",
        "sweeps/small.toml",
        "sweeps/tuning.toml",
    ] {
        let folder = tempdir().expect("a folder");
        let given =
            [sweep, "--replications", "4", "--no-plots", "--out", argument(folder.path()), "--set", "name=\"width\""];
        let plain = succeed(&given);
        let asked = [&given[..], &["--replace", "--set", current, "--set", "analysis.simultaneous=true"]].concat();
        let asked = succeed(&asked);
        assert!(asked.contains("Against your current setting"), "{asked}");
        for printed in [&plain, &asked] {
            let wide: Vec<&str> = report(printed).lines().filter(|line| line.chars().count() > 100).collect();
            assert!(wide.is_empty(), "{sweep}: {wide:#?}");
        }
        let heals = matches!(sweep, "sweeps/tuning.toml" | "sweeps/brownout.toml" | "sweeps/service.toml");
        assert_eq!(plain.contains("after the heal\n"), heals, "{plain}");
    }
}

#[test]
fn rows_say_what_they_stand_for() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("rows.toml");
    let text = "[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"consecutive\"\nthreshold = 1\nopen_for = \"20s\"\n\
                [[rule]]\nkind = \"consecutive\"\nthreshold = 12\nopen_for = \"2s\"\n\
                [[rule]]\nkind = \"consecutive\"\nthreshold = 5\nopen_for = [\"1s\", \"2s\", \"5s\"]\n\
                [[rule]]\nkind = \"opossum\"\nvolumeThreshold = [0, 20]\nresetTimeout = \"5s\"\n";
    fs::write(&path, text).expect("written");
    let out = folder.path().join("out");
    let printed = succeed(&[argument(&path), "--no-plots", "--replications", "20", "--out", argument(&out)]);
    // The marks of a design's row, and all of the row.
    let row = |design: &str| {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        let mut rows = printed.lines().map(|line| (words(line), line));
        let found = rows.find_map(|(words, line)| {
            let marks = words.iter().take_while(|word| ["yours", "*", "·"].contains(&word.as_str())).count();
            (words.get(marks).map(String::as_str) == Some(design)).then(|| (words[..marks].join(" "), line))
        });
        found.unwrap_or_else(|| panic!("no design {design} in\n{printed}"))
    };
    // Open since one of the first failures, which are one in forty, and for longer than the fault takes to come.
    assert!(row("1").1.contains("already open"), "{printed}");
    // Alone in its rule: shown, though 5 in a row opens sooner and turns no more away.
    assert!(row("2").0 == "·" && row("2").1.contains("12 in a row, 2s"), "{printed}");
    assert!(row("3").1.contains("5 in a row, 1s + 2 (open_for)"), "{printed}");
    assert!(
        printed.contains("opossum: resetTimeout = 5000.\n") == printed.contains("opossum volumeThreshold"),
        "{printed}"
    );
}

#[test]
fn the_current_setting_is_shown_in_its_own_words() {
    let folder = tempdir().expect("a folder");
    // Design 5 is design 4 in other words: one failure of five.
    let current = r#"analysis.current={ kind = "ratio", window = 5, threshold = 0.2, open_for = "1s" }"#;
    let printed = small_sweep(folder.path(), &["--set", current]);
    assert!(printed.contains("\nyours: your current setting.\n"), "{printed}");
    assert!(printed.contains("Against your current setting (design 5: ratio 0.2 of 5, open 1s)"), "{printed}");
    let is_row = |line: &&str| line.starts_with("yours") && line.contains(" 5 ") && line.contains("20 % of 5 ");
    assert!(printed.lines().filter(is_row).count() >= 2, "{printed}");
}
