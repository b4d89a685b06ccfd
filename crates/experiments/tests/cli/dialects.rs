//! Sweeps over breakers of libraries.

use std::fs;
use std::path::Path;

use polars::prelude::DataFrame;
use tempfile::tempdir;

use crate::support::{argument, numbers, succeed, table, words};

const SWEEP: &str = r#"
name = "dialects"
replications = 6
modes = ["partial", "slowdown"]

[scenario]
slots = 8
heal_after = "5s"
fault_at = { uniform = ["2s", "4s"] }

[[rule]]
kind = "none"

[[rule]]
kind = "consecutive"
threshold = [3, 5]
open_for = "1s"

[[rule]]
kind = "cockatiel"
halfOpenAfter = 500
breaker.kind = ["ConsecutiveBreaker"]
breaker.threshold = [3, 5]

[[rule]]
kind = "hystrix_1_5_13"
circuitBreaker.sleepWindowInMilliseconds = 500

[[rule]]
kind = "opossum"
volumeThreshold = 5
resetTimeout = [500, "1s"]
timeout = [false, 200]

[[rule]]
kind = "resilience4j"
slidingWindowSize = 20
slowCallDurationThreshold = ["100ms", "60s"]
waitDurationInOpenState = "500ms"

[[rule]]
kind = "sentinel"
grade = "DEGRADE_GRADE_EXCEPTION_RATIO"
count = 0.5
timeWindow = 1
"#;

fn sweep(folder: &Path, more: &[&str]) {
    let file = folder.join("dialects.toml");
    fs::write(&file, SWEEP).expect("a file");
    let out = folder.join("out");
    let mut arguments = vec![argument(&file), "--no-plots", "--out", argument(&out)];
    arguments.extend(more);
    succeed(&arguments);
}

fn bytes(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join("out").join(name)).expect("a table")
}

#[test]
fn the_bytes_are_the_same_shared_or_plain_from_one_thread_or_two() {
    let folders = [tempdir(), tempdir(), tempdir()].map(|folder| folder.expect("a folder"));
    sweep(folders[0].path(), &["--jobs", "1"]);
    sweep(folders[1].path(), &["--jobs", "2"]);
    sweep(folders[2].path(), &["--plain"]);
    for name in ["runs.parquet", "designs.parquet", "summary.parquet", "front.parquet"] {
        let first = bytes(folders[0].path(), name);
        for other in &folders[1..] {
            assert!(bytes(other.path(), name) == first, "{name} differs");
        }
    }
}

#[test]
fn designs_have_a_column_for_every_parameter() {
    let folder = tempdir().expect("a folder");
    sweep(folder.path(), &[]);
    let out = folder.path().join("out");
    let designs = table(&out, "designs.parquet");
    let rules = words(&designs, "rule");
    let of = |name: &str, numbers: Vec<Option<f64>>| -> Vec<Option<f64>> {
        numbers.into_iter().zip(&rules).filter(|(_, rule)| *rule == name).map(|(number, _)| number).collect()
    };
    let milli = 1e6;
    let column = |designs: &DataFrame, name: &str| numbers(designs, name);
    let reset = of("opossum", column(&designs, "opossum.resetTimeout_ns"));
    assert_eq!(reset, [500.0, 500.0, 1_000.0, 1_000.0].map(|millis| Some(millis * milli)));
    let timeout = of("opossum", column(&designs, "opossum.timeout_ns"));
    assert_eq!(timeout, [None, Some(200.0 * milli), None, Some(200.0 * milli)]);
    assert_eq!(of("sentinel", column(&designs, "sentinel.count")), [Some(0.5)]);
    assert_eq!(of("resilience4j", column(&designs, "opossum.resetTimeout_ns")), [None, None]);
    assert_eq!(of("resilience4j", column(&designs, "open_for_ns")), [Some(500.0 * milli), Some(500.0 * milli)]);
    let runs = table(&out, "runs.parquet");
    let counts =
        |name: &str| numbers(&runs, name).into_iter().map(|count| count.expect("not null")).collect::<Vec<_>>();
    let [requests, calls, rejected] = ["requests", "calls", "rejected"].map(counts);
    let [no_slot, responses, errors, in_flight] = ["no_slot", "responses", "errors", "in_flight"].map(counts);
    for row in 0..runs.height() {
        assert_eq!(requests[row], calls[row] + rejected[row] + no_slot[row], "row {row}");
        assert_eq!(calls[row], responses[row] + errors[row] + in_flight[row], "row {row}");
    }
    assert!(counts("openings").iter().any(|&openings| openings > 0.0));
}

#[test]
fn a_trace_shows_who_waits() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("dialects.toml");
    fs::write(&file, SWEEP).expect("a file");
    let trace = succeed(&["trace", argument(&file), "--design", "3", "--mode", "slowdown", "--replication", "0"]);
    let count = |words: &str| trace.lines().filter(|line| line.contains(words)).count();
    assert!(count("waits at the breaker") > 0);
    assert!(count("-> half-open") > 0 || count("-> half_open") > 0);
}
