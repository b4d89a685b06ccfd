//! `conform` replays recordings and says where a breaker differs.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use tempfile::tempdir;

use crate::support::{argument, experiments, fail, run, succeed, text, workspace};

const VECTORS: &str = "crates/experiments/tests/data/two_vectors.jsonl";

fn recorded() -> String {
    fs::read_to_string(workspace().join(VECTORS)).expect("readable")
}

#[test]
fn recordings_that_agree_end_with_their_number() {
    assert_eq!(succeed(&["conform", VECTORS, VECTORS]), "4 passed, 0 failed\n");
}

#[test]
fn every_recording_of_the_project_is_replayed() {
    let folder = workspace().join("crates/policies/tests/vectors");
    let files = fs::read_dir(folder).expect("the recordings lie there").map(|file| file.expect("readable").path());
    let files: Vec<_> = files.filter(|file| file.extension().is_some_and(|ending| ending == "jsonl")).collect();
    let vectors: usize = files.iter().map(|file| fs::read_to_string(file).expect("readable").lines().count()).sum();
    assert!(files.len() >= 12 && vectors >= 250, "{vectors} in {} files", files.len());
    let arguments: Vec<_> = std::iter::once("conform").chain(files.iter().map(|file| argument(file))).collect();
    assert_eq!(succeed(&arguments), format!("{vectors} passed, 0 failed\n"));
}

#[test]
fn standard_input_is_read_as_well() {
    let mut program =
        experiments(&["conform", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    let mut input = program.stdin.take().expect("was asked for");
    input.write_all(recorded().as_bytes()).expect("is read");
    drop(input);
    let output = program.wait_with_output().expect("ends");
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "2 passed, 0 failed\n");
}

#[test]
fn a_difference_is_shown_with_its_place_settings_and_both_answers() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("changed.jsonl");
    // One nanosecond later the library was half-open.
    let changed = recorded().replace(
        "\"t_ms\":101.000001,\"op\":\"acquire\",\"call\":3,\"admitted\":false,\"state\":\"open\"",
        "\"t_ms\":101.000001,\"op\":\"acquire\",\"call\":3,\"admitted\":true,\"state\":\"half_open\"",
    );
    fs::write(&file, changed).expect("writable");
    let output = run(&["conform", argument(&file)]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    for part in [
        "changed.jsonl:2: to the nanosecond\n",
        "\"open_wait_ms\":100",
        "ops[4] differs, at 101.000001ms: call 3 asks",
        "recorded: admitted, then half_open",
        "here:     turned away, then open",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.ends_with("\n1 passed, 1 failed\n"), "{said}");
}

#[test]
fn what_is_no_vector_exits_with_2_and_names_file_line_and_key() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("bad.jsonl");
    let good = recorded();
    for (line, said) in [
        ("{\"id\":", "bad.jsonl:3:6: EOF"),
        ("{}", "bad.jsonl:3:2: missing field `id`"),
        (
            "{\"id\":\"x\",\"library\":\"y\",\"version\":\"1\",\"settings\":{},\"ops\":[]}",
            "known are \"cockatiel\" 3.2.1",
        ),
        (
            "{\"id\":\"x\",\"library\":\"opossum\",\"version\":\"9.0.0\",\"settings\":{\"timeouts\":1},\"ops\":[]}",
            "bad.jsonl:3: `settings.timeouts`",
        ),
    ] {
        fs::write(&file, format!("{good}{line}\n")).expect("writable");
        let error = fail(&["conform", argument(&file)], 2);
        assert!(error.contains(said), "{line}: {error}");
    }
    assert!(fail(&["conform", "missing.jsonl"], 2).contains("missing.jsonl"));
}

#[test]
fn an_agreement_about_nothing_is_none() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("nothing.jsonl");
    for content in ["", "\n \n"] {
        fs::write(&file, content).expect("writable");
        let error = fail(&["conform", VECTORS, argument(&file)], 2);
        assert!(error.contains("nothing.jsonl holds no vector, so there is nothing to check"), "{error}");
    }
    let empty = "{\"id\":\"x\",\"library\":\"opossum\",\"version\":\"9.0.0\",\"settings\":{},\"ops\":[]}";
    fs::write(&file, empty).expect("writable");
    let error = fail(&["conform", argument(&file)], 2);
    assert!(error.contains("nothing.jsonl:1: `ops`: there is no operation, so there is nothing to check"), "{error}");
}

#[test]
fn misspelt_fields_and_byte_order_marks_are_told() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("bad.jsonl");
    let good = recorded();
    for (wrong, said) in [
        (
            good.replacen("\"settings\":", "\"setings\":", 1),
            "`setings`: there is no such field; did you mean `settings`?",
        ),
        (good.replacen("\"t_ms\":", "\"t_sm\":", 1), "`t_sm`: there is no such field; did you mean `t_ms`?"),
        (
            good.replacen('{', "{\"zzzz\":1,", 1),
            "`zzzz`: there is no such field; leave it out, or use one of id, library",
        ),
        (format!("\u{feff}{good}"), "bad.jsonl:1:1: the line begins with a byte order mark"),
    ] {
        fs::write(&file, wrong).expect("writable");
        let error = fail(&["conform", argument(&file)], 2);
        assert!(error.contains(said), "{said}: {error}");
    }
}
