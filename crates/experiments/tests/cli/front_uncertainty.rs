//! What `[analysis.front]` adds to a sweep's results.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tempfile::tempdir;

use crate::support::{argument, numbers, run, small_sweep, succeed, table, text, words};

const ASKED: [&str; 8] = [
    "--replications",
    "40",
    "--set",
    "analysis.front.draws=300",
    "--set",
    "analysis.front.select=15",
    "--set",
    "analysis.front.reference={slot_rounds_to_detection_restricted=2000.0, false_open_rejections=1000.0}",
];

fn studied(folder: &Path, more: &[&str]) -> String {
    let mut arguments = ASKED.to_vec();
    arguments.extend(more);
    small_sweep(folder, &arguments)
}

#[test]
fn every_distinct_design_has_a_row_for_every_pair_of_objectives() {
    let folder = tempdir().expect("a folder");
    let said = studied(folder.path(), &[]);
    assert!(said.contains("How sure this front is, by 300 draws of 40 replications:"), "{said}");
    assert!(said.contains("{runs,designs,summary,front,membership,hypervolume}.parquet"), "{said}");
    let membership = table(folder.path(), "membership.parquet");
    // Nine distinct designs; three themes, two right modes and two false ones.
    assert_eq!(membership.height(), 9 * 3 * 2 * 2);
    let [p, possible, knee] = ["p_on_front", "p_on_front_possible", "p_knee"].map(|name| numbers(&membership, name));
    let class = words(&membership, "class");
    for row in 0..membership.height() {
        let (p, possible) = (p[row].expect("a share"), possible[row].expect("a share"));
        assert!((0.0..=1.0).contains(&p) && p <= possible && possible <= 1.0);
        let expected = match (p, possible) {
            (p, _) if p >= 0.95 => "in",
            (_, p) if p <= 0.005 => "out",
            _ => "undecided",
        };
        assert_eq!(class[row], expected);
    }
    let seen: BTreeSet<&String> = class.iter().collect();
    assert_eq!(seen.len(), 3, "all three classes are there: {seen:?}");
    for front in knee.chunks(9) {
        assert!(front.iter().flatten().sum::<f64>() <= 1.0 + 1e-12);
    }
}

/// The first 15 replications choose, the other 25 report: recomputed from the runs.
#[test]
fn what_was_chosen_is_reported_by_the_other_replications() {
    let folder = tempdir().expect("a folder");
    studied(folder.path(), &[]);
    let (runs, membership) = (table(folder.path(), "runs.parquet"), table(folder.path(), "membership.parquet"));
    let (design, mode, replication) = (numbers(&runs, "design"), words(&runs, "mode"), numbers(&runs, "replication"));
    let metric = "slot_rounds_to_detection_restricted";
    let values = numbers(&runs, metric);
    let mean = |of: Option<f64>, chosen_by: bool| {
        let rows = (0..runs.height()).filter(|&row| {
            design[row] == of && mode[row] == "slowdown" && (replication[row] < Some(15.0)) == chosen_by
        });
        let values: Vec<f64> = rows.map(|row| values[row].expect("a number")).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let (x_metric, x_mode, y_mode) =
        (words(&membership, "x_metric"), words(&membership, "x_mode"), words(&membership, "y_mode"));
    let of_design = numbers(&membership, "design");
    let column = |name| numbers(&membership, name);
    let [select, report, lo, hi] = ["select_x", "report_x", "report_x_lo", "report_x_hi"].map(column);
    let [select_n, report_n] = ["select_n", "report_n"].map(column);
    let mut checked = 0;
    for row in (0..membership.height())
        .filter(|&row| x_metric[row] == metric && x_mode[row] == "slowdown" && y_mode[row] == "healthy")
    {
        let close = |value: Option<f64>, expected: f64| (value.expect("a mean") - expected).abs() < 1e-9 * expected;
        assert!(close(select[row], mean(of_design[row], true)), "design {:?}", of_design[row]);
        assert!(close(report[row], mean(of_design[row], false)), "design {:?}", of_design[row]);
        assert!(lo[row] < report[row] && report[row] < hi[row]);
        assert_eq!((select_n[row], report_n[row]), (Some(15.0), Some(25.0)));
        checked += 1;
    }
    assert_eq!(checked, 9);
}

#[test]
fn hypervolumes_are_measured_where_there_is_a_reference_point() {
    let folder = tempdir().expect("a folder");
    studied(folder.path(), &[]);
    let areas = table(folder.path(), "hypervolume.parquet");
    // One theme of three has a reference point.
    assert_eq!(areas.height(), 2 * 2);
    let column = |name| numbers(&areas, name);
    let [area, lo, hi, chosen, reported] =
        ["hypervolume", "lo", "hi", "select_hypervolume", "report_hypervolume"].map(column);
    for row in 0..areas.height() {
        assert!(lo[row] < hi[row] && area[row] > Some(0.0) && area[row] < Some(2e6));
        assert!(chosen[row].is_some() && reported[row].is_some());
    }
    // Not asked any more: what contradicts the other tables goes.
    small_sweep(folder.path(), &["--replications", "40"]);
    assert!(!folder.path().join("hypervolume.parquet").exists() && !folder.path().join("membership.parquet").exists());
}

#[test]
fn threads_blocks_and_pieces_change_no_byte() {
    let folders = [1, 2, 7].map(|jobs| {
        let folder = tempdir().expect("a folder");
        let head = ["sweeps/small.toml", "--out", argument(folder.path()), "--jobs"];
        let jobs = jobs.to_string();
        let arguments: Vec<&str> = head.into_iter().chain([jobs.as_str()]).chain(ASKED).collect();
        succeed(&arguments);
        folder
    });
    let pieces = tempdir().expect("a folder");
    // Fewer replications first, another question, then all of it: from blocks and anew.
    small_sweep(pieces.path(), &["--replications", "13"]);
    let head = ["sweeps/small.toml", "--out", argument(pieces.path())];
    let said = succeed(&head.into_iter().chain(ASKED).collect::<Vec<_>>());
    assert!(said.contains("13 replications were taken from blocks"), "{said}");
    for name in ["membership.parquet", "hypervolume.parquet", "plots/detection.svg", "plots/detection.png"] {
        let bytes = |folder: &Path| fs::read(folder.join(name)).expect("written");
        let first = bytes(folders[0].path());
        for folder in folders[1..].iter().chain([&pieces]) {
            assert!(first == bytes(folder.path()), "{name} differs");
        }
    }
}

#[test]
fn the_other_tables_are_those_of_a_plain_sweep() {
    let (asked, plain) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    studied(asked.path(), &[]);
    small_sweep(plain.path(), &["--replications", "40"]);
    for name in ["runs.parquet", "designs.parquet", "summary.parquet", "front.parquet"] {
        assert!(table(asked.path(), name).equals_missing(&table(plain.path(), name)), "{name} differs");
    }
}

#[test]
fn too_few_replications_say_nothing_about_a_front() {
    let folder = tempdir().expect("a folder");
    let arguments = ["--replications", "5", "--set", "analysis.front.draws=300"];
    let said = small_sweep(folder.path(), &arguments);
    assert!(
        said.contains("note: `analysis.front` says nothing: it wants 10 replications or more, and there are 5"),
        "{said}"
    );
    assert!(said.contains("Nothing is said about how sure the front is"), "{said}");
    assert!(!folder.path().join("membership.parquet").exists());
}

#[test]
fn figures_say_how_sure_the_front_is() {
    let folder = tempdir().expect("a folder");
    let output = run(&["sweeps/careful.toml", "--out", argument(folder.path())]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let figure = fs::read_to_string(folder.path().join("plots/detection.svg")).expect("drawn");
    for words in [
        "filled: surely on the front of all; half: undecided; hollow: surely not on it",
        "shaded: where 5 to 95 % of redrawn fronts lie",
        "ringed: the knee, with its share of redrawn fronts",
        "region: both means together, 95 %",
        "Fronts were redrawn 2,000 times from these replications.",
    ] {
        assert!(figure.contains(words), "{words}");
    }
}
