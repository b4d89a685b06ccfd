//! What is said about wrong files, word for word. The cases lie in `messages/`: a text, `=>`, and what is said, one line
//! per finding; `<…>` stands for the words of the TOML parser.

use experiments::sweep_file::parse;

use crate::complaint;

/// The cases of a file: what is written and what is said.
fn cases(file: &str) -> impl Iterator<Item = (&str, &str)> {
    let (_, cases) = file.split_once("\n====\n").expect("a title comes first");
    cases.split("\n====\n").map(|case| {
        let (written, said) = case.split_once("=>\n").expect("a case has two parts");
        (written, said.trim_end())
    })
}

/// Whether `said` is what is expected, line by line.
fn matches(said: &str, expected: &str) -> bool {
    let same = |(said, expected): (&str, &str)| match expected.split_once("<…>") {
        Some((before, after)) => {
            said.len() > before.len() + after.len() && said.starts_with(before) && said.ends_with(after)
        }
        None => said == expected,
    };
    said.lines().count() == expected.lines().count() && said.lines().zip(expected.lines()).all(same)
}

fn check(file: &str, number_of_cases: usize) {
    for (written, expected) in cases(file) {
        let said = complaint(written);
        assert!(matches(&said, expected), "about\n{written}\nit is said\n{said}\nand not\n{expected}");
    }
    assert_eq!(cases(file).count(), number_of_cases);
}

#[test]
fn text_that_is_no_toml() {
    check(include_str!("messages/toml.txt"), 5);
}

#[test]
fn keys_at_the_top() {
    check(include_str!("messages/header.txt"), 19);
}

#[test]
fn replications_until_it_is_precise() {
    check(include_str!("messages/replications.txt"), 28);
}

#[test]
fn races() {
    check(include_str!("messages/race.txt"), 5);
}

#[test]
fn the_scenario() {
    check(include_str!("messages/scenario.txt"), 30);
}

#[test]
fn arrivals_holds_and_regimes() {
    check(include_str!("messages/laws.txt"), 35);
}

#[test]
fn modes() {
    check(include_str!("messages/modes.txt"), 31);
}

#[test]
fn rules() {
    check(include_str!("messages/rules.txt"), 38);
}

#[test]
fn axes_zips_and_the_size_of_a_grid() {
    check(include_str!("messages/axes.txt"), 33);
}

#[test]
fn several_findings_come_in_the_order_of_the_file() {
    check(include_str!("messages/several.txt"), 1);
}

#[test]
fn arguments() {
    let text = "[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"consecutive\"\nthreshold = 5\nopen_for = \"1s\"\n";
    let file = include_str!("messages/set.txt");
    for (written, expected) in cases(file) {
        let argument = written.trim_end().strip_prefix("--set ").expect("an argument is written");
        let error = parse("my.toml", text, &[argument.to_owned()], None).expect_err(argument);
        assert!(matches(&error.to_string(), expected), "it is said\n{error}\nand not\n{expected}");
    }
    assert_eq!(cases(file).count(), 27);
}

#[test]
fn a_finding_has_parts() {
    let error = parse("a/my.toml", "slots = 3\n[[rule]]\nkind = \"none\"\n", &[], None).unwrap_err();
    let [finding] = error.findings() else { panic!("{error}") };
    assert_eq!((&*finding.place, &*finding.key, &*finding.problem), ("a/my.toml:1:1", "slots", "unknown key"));
    assert!(finding.remedy.starts_with("leave it out, or use a key that belongs here: `name`"));
}

#[test]
fn rules_of_libraries() {
    check(include_str!("messages/dialects.txt"), 9);
}

#[test]
fn what_is_asked_of_the_fronts() {
    check(include_str!("messages/front.txt"), 11);
}

#[test]
fn what_is_asked_of_the_results() {
    check(include_str!("messages/analysis.txt"), 10);
}
