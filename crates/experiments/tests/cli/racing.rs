//! A race: designs that are surely dominated stop getting replications, as a function of the replications alone.

use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use crate::support::{argument, fail, numbers, run, succeed, table, text, words};

/// Without the race, the same sweep.
const SWEEP: &str = r#"
name = "race"
modes = ["partial", "down"]
replications = 160

[[rule]]
kind = "none"

[[rule]]
kind = "consecutive"
threshold = [2, 3, 4]
open_for = "1s"

[[rule]]
kind = "ratio"
window = [10, 50]
threshold = [0.2, 0.3, 0.5]
open_for = ["1s", "5s"]
"#;
const RACE: &str = "race={ themes = [\"detection\"], min = 40, block = 40 }";
const TABLES: [&str; 4] = ["runs.parquet", "designs.parquet", "summary.parquet", "front.parquet"];

fn folder() -> TempDir {
    let folder = tempdir().expect("a folder");
    fs::write(folder.path().join("race.toml"), SWEEP).expect("writable");
    folder
}

fn sweep(folder: &Path, out: &str, more: &[&str]) -> String {
    let (file, out) = (folder.join("race.toml"), folder.join(out));
    succeed(&[&[argument(&file), "--no-plots", "--out", argument(&out)], more].concat())
}

#[test]
fn who_leaves_depends_on_nothing_but_the_replications() {
    let folder = folder();
    let printed = sweep(folder.path(), "one", &["--set", RACE, "--jobs", "1"]);
    assert!(printed.contains("Race: 3 of 16 designs left it"), "{printed}");
    sweep(folder.path(), "other", &["--set", RACE, "--jobs", "2", "--plain"]);
    for name in TABLES {
        let bytes = |out: &str| fs::read(folder.path().join(out).join(name)).expect("written");
        assert!(bytes("one") == bytes("other"), "{name} differs");
    }
}

#[test]
fn those_who_left_have_fewer_rows_and_are_on_no_front() {
    let folder = folder();
    sweep(folder.path(), "race", &["--set", RACE]);
    sweep(folder.path(), "all", &[]);
    let read = |out: &str, name: &str| table(&folder.path().join(out), name);
    let designs = read("race", "designs.parquet");
    let (left_at, dominators) = (numbers(&designs, "left_at"), numbers(&designs, "dominated_by"));
    assert_eq!(left_at.len(), 16);
    assert_eq!(left_at.iter().flatten().count(), 3);
    assert!(left_at.iter().flatten().all(|left| [40.0, 80.0, 120.0].contains(left)), "{left_at:?}");
    assert_eq!(left_at[0], None, "the design without a breaker stays");
    assert!(left_at.iter().zip(&dominators).all(|(left, dominator)| left.is_some() == dominator.is_some()));
    assert!(read("all", "designs.parquet").column("left_at").is_err());

    // Every row is that of the sweep without a race; those that are missing are those of the designs that had left.
    let key = |table: &polars::prelude::DataFrame| -> Vec<(f64, f64, String)> {
        let (design, replication) = (numbers(table, "design"), numbers(table, "replication"));
        let modes = words(table, "mode");
        let rows = design.into_iter().zip(replication).zip(modes);
        rows.map(|((design, replication), mode)| (design.expect("all"), replication.expect("all"), mode)).collect()
    };
    let (some, all) = (read("race", "runs.parquet"), read("all", "runs.parquet"));
    let raced =
        |&(design, replication, _): &(f64, f64, String)| left_at[design as usize].is_none_or(|left| replication < left);
    let kept: Vec<bool> = key(&all).iter().map(raced).collect();
    assert!(some.height() < all.height());
    for column in some.get_column_names() {
        let of = |table: &polars::prelude::DataFrame| words_of(table, column);
        let expected: Vec<String> =
            of(&all).into_iter().zip(&kept).filter(|(_, kept)| **kept).map(|(word, _)| word).collect();
        assert_eq!(of(&some), expected, "{column}");
    }

    let on_front: Vec<usize> =
        numbers(&read("race", "front.parquet"), "design").iter().map(|d| d.expect("all") as usize).collect();
    assert!(!on_front.is_empty() && on_front.iter().all(|&design| left_at[design].is_none()));
    // No member of the front of all was lost: seed 1 is one of the many for which this holds.
    let all_fronts = read("all", "front.parquet");
    let overall = words_of(&all_fronts, "on_overall_front");
    let of_detection = words(&all_fronts, "x_metric");
    for (row, design) in numbers(&all_fronts, "design").iter().enumerate() {
        let member = overall[row] == "true" && of_detection[row] == "slot_rounds_to_detection_restricted";
        assert!(!member || left_at[design.expect("all") as usize].is_none(), "{design:?}");
    }
    let summary = read("race", "summary.parquet");
    let (design, n) = (numbers(&summary, "design"), numbers(&summary, "n"));
    let most = |of: usize| {
        let own = design.iter().zip(&n).filter(|(design, _)| **design == Some(of as f64));
        own.filter_map(|(_, n)| *n).fold(0.0, f64::max)
    };
    assert!((0..16).all(|design| most(design) == left_at[design].unwrap_or(160.0)));
}

/// A column in words, whatever its type.
fn words_of(table: &polars::prelude::DataFrame, name: &str) -> Vec<String> {
    let column = table.column(name).expect("the column exists");
    (0..column.len()).map(|row| column.get(row).expect("in it").to_string()).collect()
}

#[test]
fn the_setting_in_use_stays() {
    let folder = folder();
    let left = |out: &str| {
        let designs = table(&folder.path().join(out), "designs.parquet");
        numbers(&designs, "left_at")[10]
    };
    sweep(folder.path(), "free", &["--set", RACE]);
    assert_eq!(left("free"), Some(40.0));
    let current = "analysis.current={ kind = \"ratio\", window = 50, threshold = 0.2, open_for = \"1s\" }";
    sweep(folder.path(), "held", &["--set", RACE, "--set", current]);
    assert_eq!(left("held"), None);
}

#[test]
fn it_ends_when_those_in_it_are_precise() {
    let folder = folder();
    let until = "replications={ min = 40, block = 40, max = 160, precision = { metric = \"slot_rounds_fault\", relative = 0.05, \
                 floor = 5.0 } }";
    let printed = sweep(folder.path(), "precise", &["--set", until, "--set", "race={}"]);
    assert!(printed.contains("Precision reached at") && printed.contains("Race: "), "{printed}");
}

#[test]
fn it_is_not_done_in_parts() {
    let folder = folder();
    let (file, out) = (folder.path().join("race.toml"), folder.path().join("out"));
    let (file, out) = (argument(&file), argument(&out));
    let shard = ["shard", file, "--set", RACE, "--out", out, "--index", "0", "--count", "2"];
    assert!(fail(&shard, 64).contains("cannot be done in parts"));
    assert!(fail(&["merge", file, "--set", RACE, "--out", out], 2).contains("cannot be done in parts"));
    assert!(fail(&["plan", file, "--set", RACE, "--shards", "2"], 2).contains("cannot be done in parts"));
    sweep(folder.path(), "out", &["--set", RACE]);
    assert!(fail(&["verify", out], 2).contains("tells of a race"));
    // Alone, a mode has no front.
    let output = run(&[file, "--dry-run", "--out", out, "--set", RACE, "--set", "modes=[\"down\"]"]);
    assert!(text(&output.stdout).contains("no design leaves the race"));
}
