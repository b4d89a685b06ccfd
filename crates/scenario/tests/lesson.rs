//! Every figure that the fixed-round lesson prints.

use scenario::lesson::{ComparedRule, Constants, Detection, Lesson, Mode, replay};

const MODES: [Mode; 4] = [Mode::Healthy, Mode::Partial, Mode::Slowdown, Mode::Down];

fn lesson() -> Lesson {
    replay(&Constants::default()).expect("the default constants are in range")
}

#[test]
fn constants_are_the_lessons() {
    let constants = Constants::default();
    assert_eq!((constants.rounds, constants.start, constants.slots), (1_200, 200, 32));
    assert_eq!((constants.threshold, constants.window, constants.open_for), (0.5, 20, 100));
    assert_eq!((constants.tracking_rate, constants.event_rate, constants.seed), (416.67, 97.22, 20_260_731));
}

#[test]
fn runs_without_and_with_the_breaker() {
    // Tracking responses, tracking no slot, event responses, rejected, errors, calls, slot-rounds.
    let expected = [
        (Mode::Healthy, false, [5_000, 0, 1_135, 0, 31, 1_166, 7_492]),
        (Mode::Healthy, true, [5_000, 0, 1_135, 0, 31, 1_166, 7_492]),
        (Mode::Partial, false, [5_000, 0, 1_021, 0, 145, 1_166, 6_637]),
        (Mode::Partial, true, [5_000, 0, 1_021, 0, 145, 1_166, 6_637]),
        (Mode::Slowdown, false, [4_329, 671, 190, 0, 826, 1_016, 19_312]),
        (Mode::Slowdown, true, [5_000, 0, 190, 953, 23, 213, 1_646]),
        (Mode::Down, false, [5_000, 0, 190, 0, 976, 1_166, 4_144]),
        (Mode::Down, true, [5_000, 0, 190, 953, 23, 213, 1_285]),
    ];
    let runs: Vec<_> = lesson()
        .runs
        .into_iter()
        .map(|run| {
            let counts = run.counts;
            let figures = [
                counts.tracking_responses,
                counts.tracking_no_slot,
                counts.event_responses,
                counts.event_rejected,
                counts.event_errors,
                counts.calls,
                counts.event_slot_rounds,
            ];
            (run.mode, run.breaker, figures)
        })
        .collect();
    assert_eq!(runs, expected);
}

#[test]
fn cost_of_a_day_without_failure() {
    let lesson = lesson();
    let healthy = lesson.counts(Mode::Healthy, true);
    assert_eq!((healthy.calls, healthy.openings, healthy.event_rejected), (1_166, 0, 0));
    let (without, with) = (lesson.counts(Mode::Partial, false), lesson.counts(Mode::Partial, true));
    assert_eq!((with.openings, without.event_responses, with.event_responses), (0, 1_021, 1_021));
}

#[test]
fn gain_on_a_failing_day() {
    let lesson = lesson();
    let (without, with) = (lesson.counts(Mode::Slowdown, false), lesson.counts(Mode::Slowdown, true));
    let saved = 100.0 * (without.event_slot_rounds - with.event_slot_rounds) as f64 / without.event_slot_rounds as f64;
    assert_eq!(format!("{saved:.2}"), "91.48");
    assert_eq!((lesson.scaled.calls_saved, lesson.scaled.tracking_rescued), (48_180, 40_260));
}

#[test]
fn three_rules_in_four_modes() {
    let detected = |round, slot_rounds| Some(Detection { round, slot_rounds });
    // Detection, openings, rejected valid events; modes in order.
    let expected = [
        (
            "consecutive 5",
            [(None, 0, Some(0)), (None, 0, Some(0)), (detected(4, 110), 10, None), (detected(4, 15), 10, None)],
        ),
        (
            "ratio 0.50 / 20",
            [(None, 0, Some(0)), (None, 0, Some(0)), (detected(9, 220), 10, None), (detected(9, 30), 10, None)],
        ),
        (
            "ratio 0.10 / 20",
            [
                (None, 4, Some(386)),
                (detected(88, 117), 9, Some(698)),
                (detected(67, 22), 11, None),
                (detected(67, 3), 11, None),
            ],
        ),
    ];
    let expected: Vec<_> = expected
        .into_iter()
        .flat_map(|(rule, figures)| {
            MODES.into_iter().zip(figures).map(move |(mode, (detection, openings, rejected_valid_events))| {
                ComparedRule { rule, mode, detection, openings, rejected_valid_events }
            })
        })
        .collect();
    assert_eq!(lesson().rules, expected);
}

#[test]
fn sensitivity_to_the_open_duration() {
    let sensitivity = lesson().sensitivity;
    assert_eq!(sensitivity.slowdown_calls, [213, 208]);
    assert_eq!(sensitivity.healthy_rejected, [386, 741]);
}
