//! A trace is the run that the tables report.

use tempfile::tempdir;

use crate::support::{argument, numbers, small_sweep, succeed, table};

#[test]
fn a_trace_ends_with_the_row_of_the_table() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--replications", "2"]);
    let runs = table(folder.path(), "runs.parquet");
    // Replication 1, mode slowdown (2), design 2 of 10 designs and 4 modes.
    let row = 40 + 2 * 10 + 2;
    let trace = succeed(&["trace", "sweeps/small.toml", "--design", "2", "--mode", "slowdown", "--replication", "1"]);
    for column in ["requests", "rejected", "openings", "slot_rounds_to_detection", "neighbour_no_slot"] {
        let value = numbers(&runs, column)[row].expect("not null");
        let line = trace.lines().find(|line| line.split_whitespace().next() == Some(column)).expect("a line");
        assert_eq!(line.split_whitespace().nth(1), Some(value.to_string().as_str()), "{column}");
    }
    let count = |words: &str| trace.lines().filter(|line| line.contains(words)).count() as f64;
    assert_eq!(Some(count("-> open")), numbers(&runs, "openings")[row]);
    assert_eq!(Some(count("turned away by the breaker")), numbers(&runs, "rejected")[row]);
    assert_eq!(Some(count("finds no free slot")), numbers(&runs, "neighbour_no_slot")[row]);
}

#[test]
fn a_trace_of_the_richer_world_ends_with_its_row_too() {
    let folder = tempdir().expect("a folder");
    let sweep = ["sweeps/service.toml", "--no-plots", "--replications", "2", "--out", argument(folder.path())];
    assert!(succeed(&sweep).contains("they are simulated one at a time"));
    let runs = table(folder.path(), "runs.parquet");
    // Replication 1, mode overload (1), design 3 of 7 designs and 2 modes.
    let row = 14 + 7 + 3;
    let trace = succeed(&["trace", "sweeps/service.toml", "--design", "3", "--mode", "overload", "--replication", "1"]);
    let count = |words: &str| Some(trace.lines().filter(|line| line.contains(words)).count() as f64);
    for (words, column) in [
        ("-> open", "openings"),
        ("is given up at the time-out", "timeouts"),
        ("answered by the fallback", "fallbacks"),
        ("answered by the fallback, and wrongly", "wrong_successes"),
        ("completes: success", "responses"),
    ] {
        assert_eq!(count(words), numbers(&runs, column)[row], "{column}");
    }
    assert!(numbers(&runs, "timeouts")[row] > Some(0.0));
}
