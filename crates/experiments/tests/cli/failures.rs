//! What goes wrong is said in a sentence, with the right exit code.

use std::fs;

use tempfile::tempdir;

use crate::support::{argument, fail};

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
