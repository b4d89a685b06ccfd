//! Interrupted: what is done is kept, whole, and the rest is said.

#![cfg(unix)]

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
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

/// A sweep whose every replication takes minutes: 2,000 designs, each simulated by itself for 5,000 seconds.
fn slow_sweep(folder: &Path) -> PathBuf {
    let sweep = folder.join("slow.toml");
    let text = "modes = [\"down\"]\n[scenario]\nhorizon = \"5000s\"\nqueue = 1\n[[rule]]\nkind = \"consecutive\"\n\
                threshold = { from = 1, to = 2000, step = 1 }\nopen_for = \"1s\"\n";
    fs::write(&sweep, text).expect("writable");
    sweep
}

/// Waits until a process simulates: its folder is prepared then.
fn wait_for(file: &Path) {
    let started = Instant::now();
    while !file.exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "{} does not appear", file.display());
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(500));
}

#[test]
fn a_replication_of_minutes_is_abandoned_at_the_first_signal() {
    let folder = tempdir().expect("a folder");
    let (sweep, out) = (slow_sweep(folder.path()), folder.path().join("results"));
    let start = |arguments: &[&str], ready: &str| {
        let mut command = experiments(arguments);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        wait_for(&out.join(ready));
        child
    };
    let run = ["--replications", "4", "--no-plots", "--out", argument(&out)];
    let whole: Vec<&str> = [argument(&sweep)].into_iter().chain(run).collect();
    let shard =
        ["shard", argument(&sweep), "--replications", "4", "--index", "0", "--count", "1", "--out", argument(&out)];
    for (arguments, ready, with, code) in [
        (&shard[..], "blocks", "-TERM", 143),
        (&shard, "blocks", "-INT", 130),
        (&whole, "runs.parquet.partial", "-TERM", 1),
    ] {
        let child = start(arguments, ready);
        let asked = Instant::now();
        signal(&child, with);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        // A replication takes some minutes even on a machine that does nothing else.
        assert!(asked.elapsed() < Duration::from_secs(30), "it went on for {:?}", asked.elapsed());
        // Nothing half-done is there.
        assert_eq!(fs::read_dir(out.join("blocks")).expect("made").count(), 0);
        assert!(!out.join("runs.parquet").exists());
    }
}

#[test]
fn a_second_signal_ends_everything_at_once() {
    let folder = tempdir().expect("a folder");
    let (sweep, out) = (slow_sweep(folder.path()), folder.path().join("results"));
    let child = experiments(&["shard", argument(&sweep), "--index", "0", "--count", "1", "--out", argument(&out)])
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    wait_for(&out.join("blocks"));
    signal(&child, "-TERM");
    // Two signals of a kind are one unless the first has been seen.
    thread::sleep(Duration::from_millis(300));
    signal(&child, "-TERM");
    assert_eq!(child.wait_with_output().expect("it ends").status.code(), Some(143));
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
