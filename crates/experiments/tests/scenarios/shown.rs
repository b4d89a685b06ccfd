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
