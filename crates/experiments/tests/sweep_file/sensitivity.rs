//! The table `[sensitivity]`: what is varied, and what is said where it is wrong.

use experiments::blocks::Plan;
use experiments::sweep_file::{Quantity, Scale, Sensitivity, Sweep, parse};

use crate::read;

const RULES: &str = "[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"ratio\"\nwindow = [10, 40]\nthreshold = 0.5\n\
                     open_for = [\"1s\", \"2s\", \"4s\"]\n";

fn with(table: &str) -> String {
    format!("{RULES}{table}")
}

fn said(text: &str) -> String {
    parse("my.toml", text, &[], None).expect_err("it is wrong").to_string()
}

fn names(study: &Sensitivity) -> Vec<&str> {
    study.factors.iter().map(|factor| factor.name.as_str()).collect()
}

fn study(sweep: &Sweep) -> &Sensitivity {
    sweep.sensitivity.as_ref().expect("the file has the table")
}

#[test]
fn numbers_of_several_values_are_varied_between_the_least_and_the_largest() {
    let study = Sensitivity::usual(&read(RULES), "my.toml").expect("one rule has axes");
    assert_eq!(names(&study), ["window", "open_for"]);
    let window = &study.factors[0];
    assert_eq!((window.from, window.to, window.quantity, window.scale), (10.0, 40.0, Quantity::Whole, Scale::Linear));
    assert_eq!(study.factors[1].to_string(), "1s to 4s");
    assert_eq!(study.values(&[1.0, 0.5]), [40.0, 2.5e9]);
}

#[test]
fn the_table_adds_ranges_and_takes_some_away() {
    let sweep = read(&with(
        "[sensitivity.factors]\nthreshold = [0.1, 0.9]\nwindow = 20\nopen_for = { from = \"500ms\", scale = \"log\" }\n\
         half_open_permits = [1, 3]\nscenario.dependency.arrivals = [\"50/s\", \"150/s\"]\n\
         \"scenario.regimes.down.failure_hold\" = { from = \"10ms\", to = \"100ms\" }\n",
    ));
    let study = study(&sweep);
    let mut found: Vec<String> = study.factors.iter().map(|factor| format!("{}: {factor}", factor.name)).collect();
    found.sort();
    assert_eq!(
        found,
        [
            "half_open_permits: 1 to 3, whole numbers",
            "open_for: 500ms to 4s, logarithmic",
            "scenario.dependency.arrivals: 50/s to 150/s",
            "scenario.regimes.down.failure_hold: 10ms to 100ms",
            "threshold: 0.1 to 0.9",
        ]
    );
}

#[test]
fn it_is_no_part_of_what_is_run() {
    let (plain, analysed) = (read(RULES), read(&with("[sensitivity]\nrule = 1\nfactors.window = [1, 9]\n")));
    assert_eq!(plain.resolved(), analysed.resolved());
    assert_eq!(Plan::of(&plain), Plan::of(&analysed));
}

#[test]
fn minimum_calls_stay_within_the_window() {
    let sweep = read(
        "[[rule]]\nkind = \"resilience4j\"\nslidingWindowSize = [5, 50]\nminimumNumberOfCalls = [5, 50]\n[sensitivity]\n",
    );
    let study = study(&sweep);
    let at = |name: &str| names(study).iter().position(|known| *known == name).expect("varied");
    let (window, minimum) = (at("slidingWindowSize"), at("minimumNumberOfCalls"));
    for cell in 0..100 {
        let point = [f64::from(cell % 10) / 9.0, f64::from(cell / 10) / 9.0];
        let values = study.values(&point);
        assert!((5.0..=values[window]).contains(&values[minimum]), "{values:?}");
    }
}

#[test]
fn what_is_wrong_names_line_key_and_remedy() {
    for (table, expected) in [
        ("[sensitivity]\nrules = 1\n", "my.toml:9:1: key `sensitivity.rules`: unknown key; did you mean `rule`?"),
        (
            "[sensitivity]\nrule = \"ration\"\n",
            "key `sensitivity.rule`: the sweep has no rule \"ration\"; did you mean `ratio`?",
        ),
        (
            "[sensitivity]\nrule = 2\n",
            "my.toml:9:8: key `sensitivity.rule`: 2 is out of range: expected a whole number from 0 to 1",
        ),
        (
            "[sensitivity]\nrule = \"none\"\n",
            "key `sensitivity`: nothing is varied; give an axis of the rule several values",
        ),
        (
            "[sensitivity.factors]\ntreshold = [0.1, 0.9]\n",
            "my.toml:9:12: key `sensitivity.factors.treshold`: the rule \"ratio\" has no such key; did you mean `threshold`?",
        ),
        ("[sensitivity.factors]\nroot_seed = [1, 2]\n", "has no such key"),
        (
            "[sensitivity.factors]\nthreshold = [0.1, 1.9]\n",
            "my.toml:9:19: key `sensitivity.factors.threshold.1`: 1.9 is out of range",
        ),
        (
            "[sensitivity.factors]\nthreshold = [0.9, 0.1]\n",
            "the range does not rise; let the first end be the smaller one",
        ),
        (
            "[sensitivity.factors]\nthreshold = [0.1, 0.2, 0.3]\n",
            "a range has two ends, and this list 3; write [from, to]",
        ),
        (
            "[sensitivity.factors]\nthreshold = { to = 0.9 }\n",
            "the range lacks `from`, and no axis says it; add from = 0.5",
        ),
        ("[sensitivity.factors]\nwindow = { form = 5, to = 9 }\n", "unknown key; did you mean `from`?"),
        ("[sensitivity.factors]\nwindow = { scale = \"logarithmic\" }\n", "\"logarithmic\" is not known here"),
        ("[sensitivity.factors]\nwindow = { at_most = \"threshold\" }\n", "`threshold` is not varied here"),
        (
            "[sensitivity.factors]\nwindow = { at_most = \"open_for\" }\n",
            "`window` and `open_for` are different quantities",
        ),
        ("[sensitivity.factors]\nscenario.slots = [1, \"2s\"]\n", "the two ends are different quantities"),
        (
            "[sensitivity.factors]\nscenario.slots = { from = 0, to = 2, scale = \"log\" }\n",
            "a logarithmic range cannot begin at zero; begin above it",
        ),
    ] {
        let said = said(&with(table));
        assert!(said.contains(expected), "{table}\n{said}");
    }
}

#[test]
fn a_rule_has_to_be_chosen_where_there_are_several() {
    let two = format!("{RULES}[[rule]]\nkind = \"consecutive\"\nthreshold = [1, 5]\nopen_for = \"1s\"\n");
    let error = Sensitivity::usual(&read(&two), "my.toml").expect_err("which one?").to_string();
    assert!(error.contains("my.toml: key `sensitivity.rule`: the sweep has 2 rules"), "{error}");
    assert!(error.contains("(\"ratio\", \"consecutive\")") && error.contains("--set sensitivity.rule=1"), "{error}");
    let chosen = parse("my.toml", &two, &["sensitivity.rule=consecutive".to_owned()], None).expect("by its kind");
    assert_eq!(names(study(&chosen)), ["threshold"]);
}

#[test]
fn words_of_a_library_are_no_range() {
    let rule = "[[rule]]\nkind = \"resilience4j\"\nslidingWindowType = [\"COUNT_BASED\", \"TIME_BASED\"]\n\
                slidingWindowSize = [5, 50]\n[sensitivity]\n";
    assert!(
        said(rule).contains("the axis has 2 values that are no numbers; choose one for the analysis"),
        "{}",
        said(rule)
    );
}
