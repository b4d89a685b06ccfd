//! How rarely designs open falsely: what is printed, written and drawn, and what is refused.

use std::path::Path;

use serde_json::Value;
use tempfile::tempdir;

use crate::support::{argument, fail, numbers, succeed, table, words};

const SWEEP: &str = r#"
name = "seldom"
replications = 3
modes = ["healthy", "partial", "down"]

[[rule]]
kind = "none"

[[rule]]
kind = "consecutive"
threshold = [2, 5]
open_for = ["1s", "5s"]

[[rule]]
kind = "sentinel"
grade = "DEGRADE_GRADE_EXCEPTION_COUNT"
count = 9.0
timeWindow = "5s"
"#;

fn written(folder: &Path, text: &str) -> String {
    let path = folder.join("seldom.toml");
    std::fs::write(&path, text).expect("a file");
    argument(&path).to_owned()
}

#[test]
fn every_design_is_told_about_in_every_mode_in_which_opening_is_false() {
    let folder = tempdir().expect("a folder");
    let sweep = written(folder.path(), SWEEP);
    let out = folder.path().join("out");
    let printed = succeed(&["rare", &sweep, "--out", argument(&out)]);
    for line in [
        "none (design 0)",
        "  healthy  no false open: it never opens",
        "consecutive 2 (designs 1-2)",
        "consecutive 5 (designs 3-4)",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line:?} in\n{printed}");
    }
    let estimated = printed.lines().find(|line| line.contains("(95 %: ") && line.contains(" a day)"));
    assert!(estimated.is_some(), "{printed}");

    let rare = table(&out, "rare.parquet");
    assert_eq!(rare.height(), 6 * 2);
    assert_eq!(words(&rare, "mode")[..4], ["healthy", "partial", "healthy", "partial"]);
    let methods = words(&rare, "method");
    assert_eq!((methods[2].as_str(), methods[10].as_str()), ("exact", "splitting"));
    // Two failures in a row at 2.5 %: (1 − p²) ÷ (p²(1 − p)) = 1,640 calls.
    let calls = numbers(&rare, "mean_calls")[2].expect("a mean");
    assert!((calls - 1_640.0).abs() < 1e-6, "{calls}");
    let (seconds, rate) = (numbers(&rare, "mean_seconds")[2], numbers(&rare, "calls_per_second")[2]);
    assert_eq!(seconds, rate.map(|rate| calls / rate));
    let (lo, mean, hi) = (
        numbers(&rare, "mean_seconds_lo")[10].expect("an end"),
        numbers(&rare, "mean_seconds")[10].expect("a mean"),
        numbers(&rare, "mean_seconds_hi")[10].expect("an end"),
    );
    assert!(lo < mean && mean < hi && hi < 4.0 * lo, "{lo} {mean} {hi}");
}

#[test]
fn rows_as_json_are_those_of_the_table_on_any_number_of_threads() {
    let folder = tempdir().expect("a folder");
    let sweep = written(folder.path(), SWEEP);
    let of_threads = |jobs: &str| {
        let out = folder.path().join(jobs);
        let partial = "modes=[\"partial\", \"down\"]";
        let what = ["rare", &sweep, "--json", "--designs", "3,5", "--set", partial];
        let json = succeed(&[&what[..], &["--jobs", jobs, "--out", argument(&out)]].concat());
        let bytes = std::fs::read(out.join("rare.parquet")).expect("a table");
        (json, bytes)
    };
    let (json, bytes) = of_threads("1");
    assert_eq!((&json, &bytes), (&of_threads("2").0, &of_threads("2").1));
    let rows: Vec<Value> = serde_json::from_str(&json).expect("JSON");
    let designs: Vec<u64> = rows.iter().filter_map(|row| row["design"].as_u64()).collect();
    assert_eq!(designs, [3, 5]);
    assert_eq!(rows[0]["method"], "exact");
    assert_eq!(rows[0]["mean_calls_lo"], Value::Null);
    assert!(rows[1]["mean_calls_lo"].is_number());
}

#[test]
fn the_plot_needs_the_results_of_the_same_sweep() {
    let folder = tempdir().expect("a folder");
    let sweep = written(folder.path(), SWEEP);
    let out = folder.path().join("out");
    let rare = ["rare", &sweep, "--designs", "0-4", "--plot", "--out", argument(&out)];
    let error = fail(&rare, 2);
    assert!(error.contains("summary.parquet") && error.contains("run `experiments "), "{error}");

    succeed(&[&sweep, "--no-plots", "--out", argument(&out)]);
    let printed = succeed(&rare);
    assert!(printed.contains("rare.svg and .png"), "{printed}");
    let svg = std::fs::read_to_string(out.join("plots/rare.svg")).expect("a figure");
    assert!(svg.contains("partial: false opens per day") && svg.contains("5 in a row"), "no labels");
    assert!(out.join("plots/rare.png").exists());

    let other = [&rare[..], &["--set", "scenario.slots=20"]].concat();
    assert!(fail(&other, 2).contains("results of another sweep"));
}

#[test]
fn what_makes_no_sense_is_refused_with_a_remedy() {
    let folder = tempdir().expect("a folder");
    let sweep = written(folder.path(), SWEEP);
    let out = folder.path().join("out");
    let refused = |more: &[&str]| {
        let arguments = [&["rare", &sweep, "--out", argument(&out)], more].concat();
        let error = fail(&arguments, 2);
        assert!(!out.exists(), "nothing is written");
        error
    };
    assert!(refused(&["--set", "modes=[\"down\"]"]).contains("in no mode of this sweep is opening false (down): add"));
    assert!(refused(&["--set", "scenario.queue=5"]).contains("cannot be told with `queue`"));
    assert!(refused(&["--designs", "2,9"]).contains("\"9\" names no design; this sweep has designs 0 to 5"));
    assert!(refused(&["--designs", "4-2"]).contains("names no design"));
    let none = ["--set", "modes=[\"healthy\"]", "--set", "scenario.regimes.healthy.failure_probability=0.0"];
    assert!(refused(&none).contains("between 0 and 1"));
    assert!(refused(&["--set", "scenario.dependency.arrivals=\"0/s\""]).contains("no call arrives"));
}

/// One of two modes in which nothing, or everything, fails is told about; the other one is estimated.
#[test]
fn a_mode_without_failures_is_told_so() {
    let folder = tempdir().expect("a folder");
    let sweep = written(folder.path(), SWEEP);
    let out = folder.path().join("out");
    let arguments = ["rare", &sweep, "--designs", "1", "--out", argument(&out)];
    let set = |value: &'static str| {
        let set = format!("scenario.regimes.partial.failure_probability={value}");
        succeed(&[&arguments[..], &["--set", &set]].concat())
    };
    assert!(set("0.0").contains("partial  no false open: no call fails in this regime"));
    assert!(set("1.0").contains("partial  not known: every call fails"));
}

/// Two failures in a row are computed, and estimated only if asked for; what never opens is not estimated even then.
#[test]
fn what_can_be_computed_is_estimated_if_one_asks() {
    let folder = tempdir().expect("a folder");
    let sweep = written(folder.path(), SWEEP);
    let out = folder.path().join("out");
    let arguments = ["rare", &sweep, "--designs", "0,1", "--out", argument(&out)];
    let computed = succeed(&arguments);
    assert!(computed.contains("% of the calls find no free slot") && computed.contains("--simulate"), "{computed}");
    let estimated = succeed(&[&arguments[..], &["--simulate"]].concat());
    assert!(!estimated.contains("(exact") && !estimated.contains("--simulate"), "{estimated}");
    let rare = table(&out, "rare.parquet");
    assert_eq!(words(&rare, "method"), ["exact", "exact", "splitting", "splitting"]);
    assert!(
        numbers(&rare, "without_slot").iter().all(|share| share.is_some_and(|share| (0.01..0.02).contains(&share)))
    );
}
