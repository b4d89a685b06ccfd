//! `experiments scenario`: words, picture, numbers.

use std::process::{Command, Output};

use experiments::situation::{Situation, names};

use crate::folder;

fn scenario(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_experiments"));
    command.current_dir(folder().join("..")).arg("scenario").args(arguments);
    command.output().expect("the program starts")
}

#[test]
fn every_situation_is_named_after_its_file_and_explained() {
    let names = names(&folder()).unwrap();
    assert!(names.len() >= 11, "{names:?}");
    for name in &names {
        let situation = Situation::load(&folder().join(format!("{name}.toml")), &[], None);
        let situation = situation.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(&situation.variants[0].1.name, name);
        assert!(situation.variants.len() >= 2 && situation.about.len() > 200, "{name}");
    }
    let listed = String::from_utf8(scenario(&[]).stdout).expect("text");
    assert!(names.iter().all(|name| listed.contains(name.as_str())), "{listed}");
}

#[test]
fn a_situation_is_told_drawn_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().expect("UTF-8");
    let output = scenario(&["breaker-without-a-time-out", "--replications", "3", "--out", out]);
    let shown = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{shown}");
    for part in ["hangs are never seen", "Means per run over 3 replications", "time-out of 250 ms", "0 of 3"] {
        assert!(shown.contains(part), "{part} in\n{shown}");
    }
    assert!(folder.path().join("timeline.png").is_file());
    let svg = std::fs::read_to_string(folder.path().join("timeline.svg")).unwrap();
    assert!(svg.contains("slots in use") && svg.contains("the fault"));
}

#[test]
fn a_wrong_name_gets_an_answer() {
    let output = scenario(&["retry-strom"]);
    let said = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("did you mean `retry-storm`?"), "{said}");
}

#[test]
fn another_folder_is_told_where_situations_are() {
    let elsewhere = tempfile::tempdir().unwrap();
    for arguments in [&["scenario"][..], &["scenario", "retry-storm"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_experiments"));
        let output = command.current_dir(elsewhere.path()).args(arguments).output().expect("the program starts");
        let said = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("name the folder with --folder DIR") && !said.contains("reference.txt"), "{said}");
    }
}

#[test]
fn pictures_show_wrong_successes_and_tables_the_attempts() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().expect("UTF-8");
    assert!(scenario(&["silent-fallback-on-a-money-path", "--replications", "1", "--out", out]).status.success());
    let svg = std::fs::read_to_string(folder.path().join("timeline.svg")).unwrap();
    assert!(svg.contains("wrong successes a second"));
    let shown = scenario(&["retry-storm", "--replications", "1", "--out", out]);
    let shown = String::from_utf8(shown.stdout).expect("text");
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("attempts, all") && shown.contains("A budget bounds the storm"), "{shown}");
}

/// The page about bulkheads shows what its commands print.
#[test]
fn the_page_about_bulkheads_is_up_to_date() {
    let page = std::fs::read_to_string(folder().join("../docs/bulkhead-or-breaker.md")).unwrap();
    let out = tempfile::tempdir().unwrap();
    let out = out.path().to_str().expect("UTF-8");
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");

    let mut command = Command::new(env!("CARGO_BIN_EXE_experiments"));
    let sizes = command.current_dir(folder().join("..")).args(["bulkhead", "--out", out]).output().unwrap();
    let sizes: Vec<String> = String::from_utf8(sizes.stdout).expect("text").lines().map(words).collect();
    let block = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a table");
    assert!(block.lines().count() >= 8);
    for line in block.lines().map(words) {
        assert!(sizes.contains(&line), "{line}\nis not in\n{}", sizes.join("\n"));
    }

    let shown = scenario(&["bulkhead-or-breaker", "--out", out]);
    let shown = String::from_utf8(shown.stdout).expect("text");
    // The columns after mode, variant and rule: requests, answered, errors, rejected, valid, no slot, neighbours lost.
    let cell = |mode: &str, variant: &str, column: usize| {
        let line = shown
            .lines()
            .map(str::trim_start)
            .find(|line| line.strip_prefix(mode).is_some_and(|rest| rest.trim_start().starts_with(variant)));
        let line = line.unwrap_or_else(|| panic!("{mode} {variant}"));
        let numbers = line.split_whitespace().filter(|word| word.contains('.')).map(str::to_owned).collect::<Vec<_>>();
        numbers[column].clone()
    };
    let variants = ["as it stands", "breaker", "bulkhead", "both"];
    let row = |mode: &str, column| variants.map(|variant| cell(mode, variant, column)).join(" | ");
    for mode in ["slowdown", "down", "partial", "healthy", "failure-free", "hang"] {
        let expected = format!(" | {} |", row(mode, 6));
        assert!(page.lines().any(|line| line.contains(mode) && line.contains(&expected)), "{mode}: {expected}");
    }
    for mode in ["slowdown", "down", "partial"] {
        assert!(page.contains(&format!("| {mode} | {} |", row(mode, 2))), "{mode}");
    }
}
