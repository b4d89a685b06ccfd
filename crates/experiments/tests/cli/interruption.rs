//! Interrupted: what is done is kept, whole, and the rest is said.

#![cfg(unix)]

use std::fs::{self, OpenOptions};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::support::{argument, experiments, fail, numbers, small_sweep, table, text};

/// Starts a sweep that would take hours, and waits until it simulates.
fn endless_sweep(out: &Path, more: &[&str]) -> Child {
    let mut arguments = vec!["sweeps/small.toml", "--replications", "1000000", "--no-plots", "--out", argument(out)];
    arguments.extend(more);
    let child = experiments(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // The results file appears when simulating begins.
    let started = Instant::now();
    while !out.join("runs.parquet.partial").exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing is written");
        thread::sleep(Duration::from_millis(20));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill is there");
    assert!(kill.success());
}

fn interrupt(child: Child) -> Output {
    signal(&child, "-INT");
    child.wait_with_output().expect("it ends")
}

#[test]
fn ctrl_c_finishes_what_is_running_and_keeps_a_prefix() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    let child = endless_sweep(&out, &[]);
    thread::sleep(Duration::from_millis(500));
    let output = interrupt(child);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("Run the same command again"), "{said}");

    let runs = table(&out, "runs.parquet");
    let done = runs.height() / 40;
    assert!(done > 0 && runs.height() == done * 40);
    assert!(said.contains(&format!("--replications {done}")), "{said}");
    assert_eq!(numbers(&runs, "replication").last(), Some(&Some((done - 1) as f64)));

    // What is there is what a run of so many replications writes, to the byte.
    let again = folder.path().join("again");
    small_sweep(&again, &["--replications", &done.to_string()]);
    for name in ["runs.parquet", "summary.parquet", "front.parquet"] {
        let bytes = |folder: &Path| fs::read(folder.join(name)).expect("written");
        assert!(bytes(&out) == bytes(&again), "{name} differs");
    }
}

#[test]
fn an_interrupted_run_does_not_replace_more_of_the_same() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    // Long runs, and more of them than there is time for before the signal comes.
    let long = ["--set", "scenario.horizon=120s"];
    // Without blocks the interrupted run has to begin anew.
    small_sweep(&out, &[&long[..], &["--replications", "200", "--discard-blocks"]].concat());
    let before = fs::read(out.join("runs.parquet")).expect("written");
    let output = interrupt(endless_sweep(&out, &long));
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("keeps its earlier 200"), "{said}");
    assert!(fs::read(out.join("runs.parquet")).expect("kept") == before);
    assert!(!out.join("runs.parquet.partial").exists() && !out.join(".lock").exists());
}

#[test]
fn two_runs_do_not_write_into_one_folder() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    let first = endless_sweep(&out, &[]);
    let said = fail(&["sweeps/small.toml", "--no-plots", "--out", argument(&out)], 1);
    assert!(said.contains("another run is writing into"), "{said}");
    assert_eq!(interrupt(first).status.code(), Some(1));
    // A run that was killed leaves its files behind, and they are in nobody's way.
    let killed = endless_sweep(&out, &[]);
    signal(&killed, "-KILL");
    killed.wait_with_output().expect("it ends");
    small_sweep(&out, &[]);
    assert_eq!(table(&out, "runs.parquet").height(), 800);
}

#[test]
fn a_reader_who_goes_away_costs_no_result() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    let arguments = ["sweeps/small.toml", "--no-plots", "--out", argument(&out)];
    let mut child = experiments(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    drop(child.stdout.take());
    drop(child.stderr.take());
    assert!(child.wait().expect("it ends").success());
    assert_eq!(table(&out, "runs.parquet").height(), 800);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_the_output_costs_no_result() {
    let full = || OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    let arguments = ["sweeps/small.toml", "--no-plots", "--out", argument(&out)];
    let status = experiments(&arguments).stdout(full()).stderr(full()).status().expect("it starts");
    assert_eq!(status.code(), Some(1), "the output was lost");
    assert_eq!(table(&out, "runs.parquet").height(), 800);
    let status = experiments(&["missing.toml"]).stderr(full()).status().expect("it starts");
    assert_eq!(status.code(), Some(2));
}
