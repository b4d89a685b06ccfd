//! What a sweep writes.

use std::fs;

use polars::prelude::DataFrame;
use tempfile::tempdir;

use crate::support::{argument, numbers, small_sweep, succeed, table, words};

const COLUMNS: [&str; 40] = [
    "design",
    "rule",
    "mode",
    "replication",
    "requests",
    "calls",
    "responses",
    "errors",
    "rejected",
    "no_slot",
    "in_flight",
    "openings",
    "false_openings",
    "fault_at_ns",
    "detected",
    "detection_outcome",
    "detection_delay_rounds",
    "slot_rounds_to_detection",
    "slot_rounds_to_detection_restricted",
    "slot_rounds_fault",
    "false_open_rejections",
    "rejected_after_heal",
    "closed_after_heal_rounds",
    "neighbour_requests",
    "neighbour_responses",
    "neighbour_no_slot",
    "neighbour_no_slot_fault",
    "neighbour_in_flight",
    "retries",
    "timeouts",
    "lost",
    "cancelled",
    "ignored",
    "rate_limited",
    "waiting",
    "fallbacks",
    "wrong_successes",
    "neighbour_wait_rounds",
    "dependency_peak",
    "stuck_breakers",
];

const TABLES: [&str; 4] = ["runs.parquet", "designs.parquet", "summary.parquet", "front.parquet"];

fn column_names(table: &DataFrame) -> Vec<&str> {
    table.get_column_names().into_iter().map(|name| name.as_str()).collect()
}

#[test]
fn runs_have_a_row_per_replication_mode_and_design_in_that_order() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &[]);
    let runs = table(folder.path(), "runs.parquet");
    assert_eq!(column_names(&runs), COLUMNS);
    assert_eq!(runs.height(), 10 * 4 * 20);
    let (design, mode, replication) = (numbers(&runs, "design"), words(&runs, "mode"), numbers(&runs, "replication"));
    let modes = ["healthy", "partial", "slowdown", "down"];
    for row in 0..runs.height() {
        assert_eq!(design[row], Some((row % 10) as f64));
        assert_eq!(mode[row], modes[row / 10 % 4]);
        assert_eq!(replication[row], Some((row / 40) as f64));
    }
}

#[test]
fn every_request_of_every_row_is_accounted_for() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &[]);
    let runs = table(folder.path(), "runs.parquet");
    let column = |name| numbers(&runs, name).into_iter().map(|value| value.expect("never null")).collect::<Vec<f64>>();
    let [requests, calls, responses, errors] = ["requests", "calls", "responses", "errors"].map(column);
    let [rejected, no_slot, in_flight] = ["rejected", "no_slot", "in_flight"].map(column);
    let [neighbours, answered, lost, holding] =
        ["neighbour_requests", "neighbour_responses", "neighbour_no_slot", "neighbour_in_flight"].map(column);
    for row in 0..runs.height() {
        assert_eq!(calls[row], responses[row] + errors[row] + in_flight[row]);
        assert_eq!(requests[row], calls[row] + rejected[row] + no_slot[row]);
        assert_eq!(neighbours[row], answered[row] + lost[row] + holding[row]);
    }
    // All designs and modes of a replication see the same requests.
    for replication in requests.chunks(40) {
        assert!(replication.iter().all(|&count| count == replication[0]));
    }
}

#[test]
fn files_are_the_same_bytes_on_any_number_of_threads() {
    let folders = [1, 2, 7].map(|jobs| {
        let folder = tempdir().expect("a folder");
        let plots = folder.path().join("plots");
        succeed(&["sweeps/small.toml", "--out", argument(folder.path()), "--jobs", &jobs.to_string()]);
        assert!(plots.join("detection.svg").exists() && plots.join("detection.png").exists());
        folder
    });
    for name in TABLES.iter().copied().chain(["plots/detection.svg", "plots/fault.png", "plots/neighbours.png"]) {
        let bytes = |index: usize| fs::read(folders[index].path().join(name)).expect("written");
        assert!(bytes(0) == bytes(1) && bytes(0) == bytes(2), "{name} differs");
    }
}

#[test]
fn sharing_worlds_changes_no_byte() {
    let (shared, plain) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    let said = small_sweep(shared.path(), &[]);
    assert!(said.contains("Designs shared worlds"), "{said}");
    let said = small_sweep(plain.path(), &["--plain"]);
    assert!(!said.contains("Designs shared worlds"), "{said}");
    for name in TABLES {
        let bytes = |folder: &std::path::Path| fs::read(folder.join(name)).expect("written");
        assert!(bytes(shared.path()) == bytes(plain.path()), "{name} differs");
    }
}

#[test]
fn more_replications_only_append() {
    let (few, many) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    small_sweep(few.path(), &["--replications", "3"]);
    small_sweep(many.path(), &["--seeds", "8"]);
    let (few, many) = (table(few.path(), "runs.parquet"), table(many.path(), "runs.parquet"));
    assert_eq!((few.height(), many.height()), (3 * 40, 8 * 40));
    assert!(few.equals_missing(&many.slice(0, few.height())));
}

#[test]
fn a_smaller_grid_has_the_same_rows() {
    let (all, some) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    small_sweep(all.path(), &[]);
    small_sweep(some.path(), &["--set", "rule.1.threshold=[5]", "--set", "modes=[\"down\"]"]);
    let (all, some) = (table(all.path(), "runs.parquet"), table(some.path(), "runs.parquet"));
    // "consecutive 5" is design 2 of the whole grid and design 1 of the smaller one.
    let rows = |runs: &DataFrame, design: f64| {
        let (designs, modes) = (numbers(runs, "design"), words(runs, "mode"));
        let columns =
            ["calls", "rejected", "openings", "slot_rounds_fault", "neighbour_no_slot"].map(|name| numbers(runs, name));
        let chosen = (0..runs.height()).filter(|&row| designs[row] == Some(design) && modes[row] == "down");
        chosen.map(|row| columns.each_ref().map(|column| column[row])).collect::<Vec<_>>()
    };
    assert_eq!(rows(&all, 2.0), rows(&some, 1.0));
    assert_eq!(rows(&all, 2.0).len(), 20);
}

#[test]
fn equivalent_designs_keep_their_number_and_have_the_same_rows() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &[]);
    let designs = table(folder.path(), "designs.parquet");
    let expected = ["design", "rule", "threshold", "window", "open_for_ns", "equivalent_to"];
    assert_eq!(column_names(&designs)[..6], expected);
    let equivalent = numbers(&designs, "equivalent_to");
    // Thresholds 0.1 and 0.2 on a window of 5 both mean one failure.
    assert_eq!(equivalent[5], Some(4.0));
    assert_eq!(equivalent.iter().flatten().count(), 1);
    assert_eq!(numbers(&designs, "threshold")[4..6], [Some(0.1), Some(0.2)]);
    assert_eq!(numbers(&designs, "window")[0], None);
    assert_eq!(numbers(&designs, "open_for_ns")[1], Some(1e9));

    let runs = table(folder.path(), "runs.parquet");
    for column in COLUMNS[4..].iter().filter(|&&name| name != "detection_outcome") {
        for design in numbers(&runs, column).chunks(10) {
            assert_eq!(design[4], design[5], "{column}");
        }
    }
}

#[test]
fn the_manifest_lies_beside_the_tables_and_in_their_metadata() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--replications", "2", "--jobs", "1"]);
    let text = fs::read_to_string(folder.path().join("manifest.json")).expect("written");
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(manifest["root_seed"], 1);
    assert_eq!(manifest["results_version"], 2);
    assert_eq!(manifest["execution"]["replications_done"], 2);
    assert_eq!(manifest["execution"]["complete"], true);
    assert_eq!(manifest["sweep"]["scenario"]["slots"], 32);
    for name in TABLES {
        let bytes = fs::read(folder.path().join(name)).expect("written");
        let sweep = manifest["sweep"].to_string();
        assert!(bytes.windows(sweep.len()).any(|window| window == sweep.as_bytes()), "{name} has no manifest");
    }
}

#[test]
fn a_dry_run_and_a_quiet_run() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    let printed = small_sweep(&out, &["--dry-run"]);
    assert!(printed.contains("10 designs x 4 modes") && printed.contains("800 runs"), "{printed}");
    assert!(!out.exists(), "a dry run writes nothing");
    assert_eq!(small_sweep(&out, &["--quiet"]), "");
    assert!(out.join("summary.parquet").exists());
}

#[test]
fn fronts_name_designs_that_nothing_betters() {
    let folder = tempdir().expect("a folder");
    let printed = small_sweep(folder.path(), &[]);
    assert!(printed.contains("Pareto front") && printed.contains("consecutive 5, open 1s"), "{printed}");
    let front = table(folder.path(), "front.parquet");
    let (x, y) = (numbers(&front, "x"), numbers(&front, "y"));
    let (rule, x_mode, y_mode, metric) =
        (words(&front, "rule"), words(&front, "x_mode"), words(&front, "y_mode"), words(&front, "x_metric"));
    let group = |row: usize| (&rule[row], &x_mode[row], &y_mode[row], &metric[row]);
    let mut pairs = 0;
    for a in 0..front.height() {
        for b in (0..front.height()).filter(|&b| group(a) == group(b)) {
            assert!(!(x[a] < x[b] && y[a] < y[b]), "row {b} is dominated by row {a}");
            pairs += 1;
        }
    }
    assert!(pairs > front.height(), "there are fronts of several designs");
    let metrics: std::collections::BTreeSet<_> = metric.iter().map(String::as_str).collect();
    assert_eq!(metrics.len(), 3);
}

#[test]
fn figures_of_earlier_results_do_not_stay() {
    let folder = tempdir().expect("a folder");
    let out = argument(folder.path());
    succeed(&["sweeps/small.toml", "--out", out]);
    let figure = folder.path().join("plots/detection.png");
    assert!(figure.exists());
    let printed = succeed(&["sweeps/small.toml", "--out", out, "--set", "modes=[\"healthy\", \"partial\"]"]);
    assert!(!figure.exists() && !printed.contains("Plots:"), "{printed}");
    assert!(printed.contains("No front: opening is false in every mode"), "{printed}");
}

#[test]
fn many_modes_are_in_the_tables_and_some_in_the_figures() {
    let folder = tempdir().expect("a folder");
    let mut sweep =
        String::from("[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"consecutive\"\nthreshold = 3\nopen_for = \"1s\"\n");
    for number in 0..6 {
        for regime in ["partial", "down"] {
            sweep += &format!(
                "[[mode]]\nname = \"{regime}-{number}\"\n[[mode.regime]]\nat = \"0s\"\nregime = \"healthy\"\n"
            );
            sweep += &format!("[[mode.regime]]\nat = \"fault\"\nregime = \"{regime}\"\n");
        }
    }
    let file = folder.path().join("modes.toml");
    fs::write(&file, sweep).expect("writable");
    let out = folder.path().join("results");
    succeed(&[argument(&file), "--replications", "2", "--out", argument(&out)]);
    let front = table(&out, "front.parquet");
    let modes: std::collections::BTreeSet<String> = words(&front, "x_mode").into_iter().collect();
    assert_eq!(modes.len(), 8, "the given two and six of its own");
    let svg = fs::read_to_string(out.join("plots/fault.svg")).expect("drawn");
    assert_eq!(svg.matches(" against ").count(), 4 * 4, "a panel for each of four by four modes");
}

#[test]
fn no_sentence_or_table_is_wider_than_the_report() {
    let folder = tempdir().expect("a folder");
    let careful = ["--replications", "6", "--set", "analysis.front.select=3", "--set", "analysis.front.draws=200"];
    for (sweep, more) in [("sweeps/dialects.toml", &["--replications", "2"][..]), ("sweeps/careful.toml", &careful)] {
        let out = folder.path().join(sweep);
        let said = succeed(&[&[sweep, "--no-plots", "--jobs", "1", "--out", argument(&out)], more].concat());
        assert!(said.contains("Designs shared worlds"), "{said}");
        // A path is left in one piece, to be copied.
        let is_path = |line: &str| ["results: ", "Tables: "].iter().any(|start| line.starts_with(start));
        for line in said.lines().filter(|line| !is_path(line)) {
            assert!(line.chars().count() <= 100, "{line}\n{said}");
        }
    }
}
