//! What goes wrong is said in a sentence, with the right exit code.

use std::fs;

use tempfile::tempdir;

use crate::support::{argument, fail, run, small_sweep, succeed, text as text_of};

#[test]
fn bad_input_exits_with_2_and_names_the_place() {
    let folder = tempdir().expect("a folder");
    let sweep = folder.path().join("bad.toml");
    for (text, expected) in [
        ("slts = 3\n[[rule]]\nkind = \"none\"\n", "bad.toml:1:1"),
        ("[[rule]]\nkind = \"ratio\"\nwindow = 20\nthreshold = 1.7\nopen_for = \"1s\"\n", "bad.toml:4"),
        ("[[rule]]\nkind = \"ratio\"\nwindow = []\nthreshold = 0.5\nopen_for = \"1s\"\n", "bad.toml:3"),
        (
            "[scenario.dependency]\narrivals = { kind = \"poisson\", rate = \"-1/s\" }\n[[rule]]\nkind = \"none\"\n",
            "bad.toml:2",
        ),
    ] {
        fs::write(&sweep, text).expect("writable");
        let said = fail(&[argument(&sweep)], 2);
        assert!(said.contains(expected), "{said}");
    }
    let missing = folder.path().join("missing.toml");
    assert!(fail(&[argument(&missing)], 2).contains("missing.toml"));
}

#[test]
fn a_folder_that_cannot_be_written_is_said_before_anything_is_simulated() {
    let folder = tempdir().expect("a folder");
    let blocked = folder.path().join("file");
    fs::write(&blocked, "in the way").expect("writable");
    let out = blocked.join("results");
    let arguments = ["sweeps/small.toml", "--replications", "1000000000", "--out", argument(&out)];
    let said = fail(&arguments, 1);
    assert!(said.contains("cannot write") && said.contains("--out DIR"), "{said}");
}

#[test]
fn an_unknown_design_or_mode_is_answered_with_those_there_are() {
    let trace = |design: &str, mode: &str| {
        fail(&["trace", "sweeps/small.toml", "--design", design, "--mode", mode, "--replication", "0"], 2)
    };
    assert!(trace("10", "down").contains("designs 0 to 9"));
    assert!(trace("0", "dwn").contains("healthy, partial, slowdown, down"));
}

/// Arguments with which a command reads the file `name`.
#[cfg(target_os = "linux")]
fn readings(name: &str) -> [Vec<&str>; 7] {
    [
        vec![name],
        vec!["plan", name, "--shards", "2"],
        vec!["trace", name, "--design", "0", "--mode", "down", "--replication", "0"],
        vec!["export", name, "--as", "opossum"],
        vec!["import", name],
        vec!["conform", name],
        vec!["scenario", name, "--folder", "scenarios"],
    ]
}

#[test]
#[cfg(target_os = "linux")]
fn what_does_not_end_and_what_is_no_file_is_refused() {
    let folder = tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    // As long as a disk has room for, and nothing in it: so it takes no room.
    let huge = path("huge.toml");
    fs::File::create(&huge).and_then(|file| file.set_len(100_000_000_000)).expect("a file with a hole");
    std::os::unix::fs::symlink("turn.toml", path("turn.toml")).expect("a link to itself");
    std::os::unix::fs::symlink("/dev/zero", path("zero.toml")).expect("a link to a device");
    fs::create_dir(path("folder.toml")).expect("a folder");
    for name in ["huge.toml", "turn.toml", "zero.toml", "folder.toml"] {
        let file = path(name);
        for arguments in readings(argument(&file)) {
            let said = fail(&arguments, 2);
            assert!(said.starts_with("error: ") && said.contains(name) && said.len() < 1_000, "{arguments:?}: {said}");
        }
    }
}

#[test]
#[cfg(unix)]
fn pipes_and_folders_among_results_are_refused_and_not_waited_for() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--replications", "2"]);
    let out = argument(folder.path());
    for name in ["manifest.json", "runs.parquet", "designs.parquet"] {
        let path = folder.path().join(name);
        let content = fs::read(&path).expect("written");
        for instead in ["pipe", "folder"] {
            fs::remove_file(&path).expect("removable");
            if instead == "pipe" {
                let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo is there");
                assert!(made.success());
            } else {
                fs::create_dir(&path).expect("a folder");
            }
            let command: &[&str] =
                if name == "designs.parquet" { &["compare", out, "sweeps/reference.txt"] } else { &["verify", out] };
            let said = fail(command, 2);
            assert!(said.contains(name) && said.contains("no file"), "{said}");
            let removed = if instead == "pipe" { fs::remove_file(&path) } else { fs::remove_dir(&path) };
            removed.expect("removable");
            fs::write(&path, &content).expect("writable");
        }
    }
    // Nor does a run wait for a pipe in the place of its lock.
    let made = std::process::Command::new("mkfifo").arg(folder.path().join(".lock")).status().expect("mkfifo is there");
    assert!(made.success());
    let said = fail(&["sweeps/small.toml", "--no-plots", "--out", out], 1);
    assert!(said.contains("something is there that is no file"), "{said}");
}

#[test]
fn a_terminal_is_not_commanded_by_what_is_in_a_file() {
    let folder = tempdir().expect("a folder");
    let sweep = folder.path().join("loud.toml");
    fs::write(&sweep, "\"\\u001b[2J\" = 1\nname = \"a/\\u001b]0;x\\u0007\"\n[[rule]]\nkind = \"none\"\n")
        .expect("writable");
    let said = fail(&[argument(&sweep)], 2);
    assert!(said.contains("\\u{1b}[2J") && !said.contains('\u{1b}') && !said.contains('\u{7}'), "{said}");
    let options = folder.path().join("options.yml");
    let text = "resilience4j.circuitbreaker.instances:\n  \"a\\nkind = 1\\eX\":\n    slidingWindowSize: 10\n";
    fs::write(&options, text).expect("writable");
    let printed = succeed(&["import", argument(&options)]);
    assert!(printed.contains("# a\\nkind = 1\\u{1b}X, ") && !printed.contains('\u{1b}'), "{printed}");
}

#[test]
fn work_for_days_and_memory_for_a_fleet_are_said_before_they_are_begun() {
    let folder = tempdir().expect("a folder");
    let sweep = folder.path().join("callers.toml");
    // A thousand callers who hardly think.
    let text = "[scenario]\nhorizon = \"60s\"\ncallers = { number = 1000, think = { kind = \"exponential\", mean = \"1ms\" } }\n[[rule]]\n\
                kind = \"consecutive\"\nthreshold = { from = 1, to = 10000, step = 1 }\nopen_for = \"1s\"\n";
    fs::write(&sweep, text).expect("writable");
    // The run itself is refused, so that nothing is simulated.
    let blocked = folder.path().join("file");
    fs::write(&blocked, "in the way").expect("writable");
    let said = |arguments: &[&str]| {
        let output = run(&[arguments, &["--out", argument(&blocked.join("results"))]].concat());
        assert_eq!(output.status.code(), Some(1), "{}", text_of(&output.stderr));
        text_of(&output.stdout)
    };
    let printed = said(&[argument(&sweep)]);
    assert!(printed.contains("note: on one machine this takes") && printed.contains("days or more"), "{printed}");
    let printed = said(&["sweeps/small.toml", "--set", "scenario.horizon=100000s"]);
    assert!(printed.contains("GB of memory for each thread") && !printed.contains("days or more"), "{printed}");
}
