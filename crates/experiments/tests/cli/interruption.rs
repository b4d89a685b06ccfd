//! Interrupted: what is done is kept, whole, and the rest is said.

#![cfg(unix)]

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::support::{argument, experiments, numbers, small_sweep, table, text};

#[test]
fn ctrl_c_finishes_what_is_running_and_keeps_a_prefix() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    let arguments = ["sweeps/small.toml", "--replications", "1000000", "--no-plots", "--out", argument(&out)];
    let child = experiments(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");

    // The results file appears when simulating begins.
    let started = Instant::now();
    while !out.join("runs.parquet.partial").exists() {
        assert!(started.elapsed() < Duration::from_secs(60), "nothing is written");
        thread::sleep(Duration::from_millis(20));
    }
    thread::sleep(Duration::from_millis(500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(kill.success());
    let output = child.wait_with_output().expect("it ends");
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
        let bytes = |folder: &std::path::Path| std::fs::read(folder.join(name)).expect("written");
        assert!(bytes(&out) == bytes(&again), "{name} differs");
    }
}
