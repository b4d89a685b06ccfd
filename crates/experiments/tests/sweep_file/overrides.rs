//! `--set` and `--replications`: values replaced from the command line.

use engine::{Duration, Time};
use experiments::sweep_file::{Sweep, parse};
use policies::AnyRule;
use scenario::{ArrivalProcess, FaultAt};

const TEXT: &str = "replications = 5\n[scenario]\nslots = 7\n[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"consecutive\"\n\
                    threshold = 5\nopen_for = \"1s\"\n";

fn set(arguments: &[&str]) -> Sweep {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    parse("my.toml", TEXT, &arguments, None).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn numbers_and_bare_texts() {
    let sweep = set(&["scenario.slots=64", "scenario.fault_at=3s", " name = other ", "level=0.9"]);
    assert_eq!(sweep.scenario.slots, 64);
    assert_eq!(sweep.scenario.fault_at, FaultAt::Fixed(Time::ZERO + Duration::from_secs(3)));
    assert_eq!(sweep.name, "other");
    assert_eq!(sweep.level.to_bits(), 0.9_f64.to_bits());
}

#[test]
fn lists_and_tables_as_toml() {
    let sweep = set(&[
        "rule.1.open_for=[\"1s\", \"3s\"]",
        "rule.1.threshold={ from = 2, to = 4, step = 1 }",
        "scenario.fault_at={ uniform = [\"1s\", \"2s\"] }",
        "modes=[\"down\"]",
    ]);
    assert_eq!(sweep.designs.len(), 1 + 6);
    assert_eq!(sweep.modes.len(), 1);
    let from = Time::ZERO + Duration::from_secs(1);
    assert_eq!(sweep.scenario.fault_at, FaultAt::Uniform { from, to: Time::ZERO + Duration::from_secs(2) });
}

#[test]
fn tables_that_are_not_there_are_made() {
    let sweep = set(&["scenario.dependency.arrivals.kind=even", "scenario.dependency.arrivals.rate=5/s"]);
    assert_eq!(sweep.scenario.dependency, ArrivalProcess::Even { rate: 5.0 });
}

#[test]
fn a_value_inside_a_table_that_an_argument_has_put_there() {
    let sweep = set(&["scenario={ slots = 3, warm_up = \"1s\" }", "scenario.slots=4"]);
    assert_eq!((sweep.scenario.slots, sweep.scenario.warm_up), (4, Time::ZERO + Duration::from_secs(1)));
}

#[test]
fn the_last_of_two_arguments_counts() {
    assert_eq!(set(&["scenario.slots=3", "scenario.slots=4"]).scenario.slots, 4);
}

#[test]
fn all_rules_can_be_replaced_by_a_list() {
    let sweep = set(&["rule=[{ kind = \"consecutive\", threshold = 1, open_for = \"1s\" }]"]);
    assert_eq!(sweep.designs.len(), 1);
    assert!(matches!(sweep.designs[0].rule, AnyRule::Consecutive(_)));
}

#[test]
fn an_argument_can_mend_the_file() {
    let text = TEXT.replace("threshold = 5", "threshold = 0");
    assert!(parse("my.toml", &text, &[], None).is_err());
    assert!(parse("my.toml", &text, &["rule.1.threshold=5".to_owned()], None).is_ok());
}

#[test]
fn replications_replace_the_files() {
    assert_eq!(parse("my.toml", TEXT, &[], Some(9)).unwrap().replications, 9);
    assert_eq!(parse("my.toml", TEXT, &[], None).unwrap().replications, 5);
    let error = parse("my.toml", TEXT, &[], Some(0)).unwrap_err();
    let said = "--replications: key `replications`: 0 replications are none; ask for 1 or more, such as 200";
    assert_eq!(error.to_string(), said);
}

#[test]
fn what_is_advised_for_a_mode_that_is_not_there_works() {
    let sweep = set(&[
        "mode=[{ name = \"brownout\", regime = [{ at = \"0s\", regime = \"healthy\" }, { at = \"fault\", regime = \"down\" }] }]",
        "mode.0.name=mine",
    ]);
    assert_eq!(sweep.modes.last().map(|mode| &*mode.name), Some("mine"));
}
