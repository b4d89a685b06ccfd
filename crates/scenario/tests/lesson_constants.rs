//! The fixed-round lesson under other constants, and constants that it refuses.

use std::fmt::Write;

use scenario::lesson::{ConstantError, Constants, Lesson, replay};

/// Figures of an independent program; its head says how to read it.
const FIGURES: &str = include_str!("data/lesson_constants.txt");

/// The lesson in the words of the data file.
fn in_words(lesson: &Lesson) -> String {
    let mut text = String::new();
    let mut line = |words: &[&dyn ToString]| {
        let words: Vec<_> = words.iter().map(|word| word.to_string()).collect();
        writeln!(text, "{}", words.join(" ")).expect("a string can be written to");
    };
    let or_dash = |figure: Option<i64>| figure.map_or("-".to_owned(), |figure| figure.to_string());
    for run in &lesson.runs {
        let counts = &run.counts;
        line(&[
            &"run",
            &run.mode.name(),
            &if run.breaker { "with" } else { "without" },
            &counts.tracking_responses,
            &counts.tracking_no_slot,
            &counts.event_responses,
            &counts.event_rejected,
            &counts.event_errors,
            &counts.calls,
            &counts.event_slot_rounds,
        ]);
    }
    for row in &lesson.rules {
        line(&[
            &"rule",
            &row.rule,
            &row.mode.name(),
            &or_dash(row.detection.map(|detection| detection.round as i64)),
            &or_dash(row.detection.map(|detection| detection.slot_rounds as i64)),
            &row.openings,
            &or_dash(row.rejected_valid_events),
        ]);
    }
    line(&[&"scaled", &lesson.scaled.calls_saved, &lesson.scaled.tracking_rescued]);
    let ([calls, longer_calls], [rejected, longer_rejected]) =
        (lesson.sensitivity.slowdown_calls, lesson.sensitivity.healthy_rejected);
    line(&[&"sensitivity", &calls, &longer_calls, &rejected, &longer_rejected]);
    text
}

#[test]
fn figures_under_other_constants_are_an_independent_programs() {
    let mut cases = 0;
    for case in FIGURES.split("\nconstants").skip(1) {
        let (settings, expected) = case.split_once('\n').expect("figures follow the constants");
        let mut constants = Constants::default();
        for setting in settings.split_whitespace() {
            let (key, value) = setting.split_once('=').expect("KEY=VALUE");
            constants.set(key, value).unwrap_or_else(|error| panic!("{setting}: {error}"));
        }
        let lesson = replay(&constants).unwrap_or_else(|error| panic!("{settings}: {error}"));
        assert_eq!(in_words(&lesson).trim_end(), expected.trim_end(), "constants{settings}");
        cases += 1;
    }
    assert_eq!(cases, 37);
}

#[test]
fn every_key_sets_its_own_constant() {
    let mut constants = Constants::default();
    let values = ["7", "8", "900", "100", "1.5", "2.5", "11", "0.25", "13"];
    for (key, value) in Constants::KEYS.into_iter().zip(values) {
        constants.set(key, value).expect("in range");
    }
    let expected = Constants {
        seed: 7,
        slots: 8,
        rounds: 900,
        start: 100,
        tracking_rate: 1.5,
        event_rate: 2.5,
        window: 11,
        threshold: 0.25,
        open_for: 13,
    };
    assert_eq!(constants, expected);
}

#[test]
fn refused_settings_change_nothing_and_say_what_is_possible() {
    let cases = [
        ("seed", "0", "no multiple of 2147483647"),
        ("seed", "2147483647", "no multiple of 2147483647"),
        ("seed", "-3", "a whole number from 1"),
        ("seed", "9007199254740992", "a whole number from 1 to 9007199254740991"),
        ("slots", "0", "from 1 to 1000000"),
        ("slots", "1.5", "a whole number"),
        ("rounds", "0", "10 ms rounds from 1"),
        ("start", "soon", "below `rounds`"),
        ("tracking_rate", "-1", "from 0 to 1000000"),
        ("tracking_rate", "NaN", "from 0 to 1000000"),
        ("event_rate", "inf", "from 0 to 1000000"),
        ("event_rate", "many", "requests per second"),
        ("window", "0", "from 1 to 1000000"),
        ("window", "1000001", "from 1 to 1000000"),
        ("threshold", "0", "in (0, 1]"),
        ("threshold", "1.7", "in (0, 1]"),
        ("threshold", "NaN", "in (0, 1]"),
        ("open_for", "0", "1 or more"),
    ];
    for (key, value, part) in cases {
        let mut constants = Constants::default();
        let message = constants.set(key, value).expect_err(value).to_string();
        assert!(message.contains(part), "{key}={value}: {message}");
        assert!(message.contains("give"), "{key}={value} has no remedy: {message}");
        assert_eq!(constants, Constants::default());
    }
}

#[test]
fn unknown_keys_are_answered_with_the_known_ones() {
    let error = Constants::default().set("Seed", "1").expect_err("keys are lower case");
    assert_eq!(error, ConstantError::UnknownKey { key: "Seed".to_owned() });
    for key in Constants::KEYS {
        assert!(error.to_string().contains(key));
    }
}

#[test]
fn failure_must_start_within_the_run_whatever_is_set_first() {
    let mut constants = Constants::default();
    constants.set("start", "2000").expect("the run may still become longer");
    let error = replay(&constants).expect_err("the failure starts after the end");
    assert_eq!(error, ConstantError::StartAfterEnd { start: 2_000, rounds: 1_200 });
    constants.set("rounds", "2001").expect("in range");
    assert!(replay(&constants).is_ok());
}

#[test]
fn a_run_without_end_is_refused_whatever_is_set_first() {
    let mut constants = Constants::default();
    constants.set("rounds", "10000000").expect("in range");
    constants.set("event_rate", "1000000").expect("in range");
    let message = replay(&constants).expect_err("that would be 10¹¹ requests").to_string();
    for part in ["10000000 rounds", "1.0e11", "more than 1e8", "`rounds`, `tracking_rate` or `event_rate`"] {
        assert!(message.contains(part), "{message}");
    }
    constants.set("rounds", "10000").expect("in range");
    constants.set("tracking_rate", "0").expect("in range");
    assert_eq!(constants.check(), Ok(()), "10⁸ requests are possible");
    constants.set("rounds", "10001").expect("in range");
    assert!(constants.check().is_err(), "and no more");
}

#[test]
fn many_slots_take_no_longer_than_few() {
    // 240,000 requests in each run, of which up to 220,000 hold a slot at once: searching the slots for a free one would
    // take minutes.
    let mut constants = Constants::default();
    for (key, value) in
        [("slots", "1000000"), ("rounds", "24"), ("start", "1"), ("tracking_rate", "0"), ("event_rate", "1000000")]
    {
        constants.set(key, value).expect("in range");
    }
    let lesson = replay(&constants).expect("in range");
    let slowdown = &lesson.runs.iter().find(|run| run.mode == scenario::lesson::Mode::Slowdown && !run.breaker);
    let counts = &slowdown.expect("it is run").counts;
    assert_eq!((counts.calls, counts.event_no_slot), (240_000, 0));
}

#[test]
fn extreme_numbers_are_repeated_in_few_characters() {
    let long = "9".repeat(100_000);
    for (key, value, part) in [
        ("event_rate", "1e300", "`1e300`"),
        ("threshold", "1e300", "`1e300`"),
        ("threshold", "-1e-320", "`-1e-320`"),
        ("threshold", &long, "threshold inf "),
        ("slots", &long, "999…`"),
        (&long, "1", "999…`"),
    ] {
        let message = Constants::default().set(key, value).expect_err("out of range").to_string();
        assert!(message.contains(part) && message.chars().count() < 350, "{message}");
    }
}

#[test]
fn a_rate_of_minus_zero_is_zero() {
    let mut constants = Constants::default();
    for key in ["tracking_rate", "event_rate"] {
        constants.set(key, "-0.0").expect("as good as zero");
    }
    assert_eq!((constants.tracking_rate.to_bits(), constants.event_rate.to_bits()), (0, 0));
}
