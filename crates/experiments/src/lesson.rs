//! The subcommand `lesson`: the fixed-round lesson's figures as tables, or as JSON.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};
use scenario::lesson::{self, ConstantError, Constants, Counts, Lesson, Mode};
use serde::Serialize;

use crate::did_you_mean::did_you_mean;

/// What stands where a figure does not apply.
const DASH: &str = "-";

/// Why the lesson could not be shown.
#[derive(Debug)]
pub enum LessonError {
    /// A setting is not of the form `key=value`.
    NoAssignment(String),
    /// A constant is unknown or out of range.
    Constant(ConstantError),
    /// The output cannot be written.
    Output(io::Error),
}

/// Runs the lesson with the settings `key=value` and writes its tables, or JSON, to `out`.
///
/// # Errors
///
/// If a setting cannot be used, or `out` cannot be written to.
pub fn run(sets: &[String], json: bool, out: &mut impl Write) -> Result<(), LessonError> {
    let mut constants = Constants::default();
    for set in sets {
        let (key, value) = set.split_once('=').ok_or_else(|| LessonError::NoAssignment(set.clone()))?;
        constants.set(key.trim(), value).map_err(LessonError::Constant)?;
    }
    let lesson = lesson::replay(&constants).map_err(LessonError::Constant)?;
    if json { writeln!(out, "{}", to_json(&lesson)) } else { print(&lesson, &constants, out) }
        .map_err(LessonError::Output)
}

/// Writes both tables, the scaled and the sensitivity figures.
///
/// # Errors
///
/// If `out` cannot be written to.
pub fn print(lesson: &Lesson, constants: &Constants, out: &mut impl Write) -> io::Result<()> {
    let Constants { slots, rounds, start, window, threshold, open_for, .. } = constants;
    writeln!(
        out,
        "The fixed-round lesson: {rounds} rounds of 10 ms, {slots} slots shared by tracking queries and events."
    )?;
    writeln!(
        out,
        "The dependency that events call fails from round {start} on. Chosen breaker: opens when {threshold:?} of the"
    )?;
    writeln!(out, "last {window} calls failed, for {open_for} rounds.")?;

    writeln!(out, "\nEach mode without and with the chosen breaker\n{}", runs_table(lesson).trim_fmt())?;
    print_gains(lesson, out)?;

    writeln!(out, "\nThree rules, open for 100 rounds, in each mode\n{}", rules_table(lesson).trim_fmt())?;
    writeln!(out, "Detection is the first opening after the failure, in rounds from its start.")?;
    writeln!(
        out,
        "Rejected valid events: healthy, every rejection; partial, responses without a breaker minus those with it."
    )?;

    let [short, long] = lesson.sensitivity.slowdown_calls;
    let [short_rejected, long_rejected] = lesson.sensitivity.healthy_rejected;
    writeln!(out, "\nSensitivity to the open duration")?;
    writeln!(out, "  slowdown, chosen breaker: {short} calls at {open_for} rounds, {long} at 200")?;
    writeln!(out, "  healthy, ratio 0.10 / 20: {short_rejected} events rejected at 100 rounds, {long_rejected} at 200")
}

/// The figures that the first table leads to.
fn print_gains(lesson: &Lesson, out: &mut impl Write) -> io::Result<()> {
    let both = |mode| (lesson.counts(mode, false), lesson.counts(mode, true));
    let gain = |without: &Counts, with: &Counts| {
        format!(
            "tracking without a slot {} -> {}, calls {} -> {}, event slot-rounds {} -> {}{}",
            without.tracking_no_slot,
            with.tracking_no_slot,
            without.calls,
            with.calls,
            without.event_slot_rounds,
            with.event_slot_rounds,
            percent_less(without.event_slot_rounds, with.event_slot_rounds)
        )
    };
    let (_, healthy) = both(Mode::Healthy);
    let (partial_without, partial) = both(Mode::Partial);
    let (slowdown_without, slowdown) = both(Mode::Slowdown);
    let (down_without, down) = both(Mode::Down);
    let lost = partial_without.event_responses as i64 - partial.event_responses as i64;

    writeln!(out, "\nWhat the breaker costs")?;
    writeln!(
        out,
        "  healthy:  {} openings, {} events rejected, {} calls judged",
        healthy.openings, healthy.event_rejected, healthy.calls
    )?;
    writeln!(
        out,
        "  partial:  {} openings, event responses {} -> {} ({lost} lost)",
        partial.openings, partial_without.event_responses, partial.event_responses
    )?;
    writeln!(out, "What it gains")?;
    writeln!(out, "  slowdown: {}", gain(slowdown_without, slowdown))?;
    writeln!(out, "  down:     {}", gain(down_without, down))?;
    writeln!(
        out,
        "  in a slowdown of ten minutes: {} calls saved, {} tracking queries rescued",
        lesson.scaled.calls_saved, lesson.scaled.tracking_rescued
    )
}

/// By how much `after` is less than `before`; nothing where there was nothing.
fn percent_less(before: u64, after: u64) -> String {
    if before == 0 {
        return String::new();
    }
    format!(" ({:.2} % less)", 100.0 * (before as f64 - after as f64) / before as f64)
}

fn runs_table(lesson: &Lesson) -> Table {
    let header = [
        "mode",
        "breaker",
        "tracking\nresponses",
        "tracking\nno slot",
        "event\nresponses",
        "event\nrejected",
        "event\nerrors",
        "calls",
        "event\nslot-rounds",
    ];
    let rows = lesson.runs.iter().map(|run| {
        let counts = &run.counts;
        let mut row = vec![run.mode.name().to_owned(), if run.breaker { "with" } else { "without" }.to_owned()];
        row.extend(
            [
                counts.tracking_responses,
                counts.tracking_no_slot,
                counts.event_responses,
                counts.event_rejected,
                counts.event_errors,
                counts.calls,
                counts.event_slot_rounds,
            ]
            .map(|count| count.to_string()),
        );
        row
    });
    table(&header, rows)
}

fn rules_table(lesson: &Lesson) -> Table {
    let header =
        ["rule", "mode", "detection\nround", "slot-rounds\nto detection", "openings", "rejected\nvalid events"];
    let or_dash = |figure: Option<String>| figure.unwrap_or_else(|| DASH.to_owned());
    let rows = lesson.rules.iter().map(|row| {
        vec![
            row.rule.to_owned(),
            row.mode.name().to_owned(),
            or_dash(row.detection.map(|detection| detection.round.to_string())),
            or_dash(row.detection.map(|detection| detection.slot_rounds.to_string())),
            row.openings.to_string(),
            or_dash(row.rejected_valid_events.map(|events| events.to_string())),
        ]
    });
    table(&header, rows)
}

/// A table without lines: two columns of words, then figures.
fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header).add_rows(rows);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The figures as one line of JSON, `null` where the tables have a dash.
///
/// # Panics
///
/// Never: whole numbers, words and lists can always be written as JSON.
#[must_use]
pub fn to_json(lesson: &Lesson) -> String {
    serde_json::to_string(&JsonLesson::from(lesson)).expect("whole numbers and words are JSON")
}

#[derive(Serialize)]
struct JsonLesson {
    runs: Vec<JsonRun>,
    rules: Vec<JsonRule>,
    scaled: JsonScaled,
    sensitivity: JsonSensitivity,
}

#[derive(Serialize)]
struct JsonRun {
    mode: &'static str,
    breaker: bool,
    tracking_responses: u64,
    tracking_no_slot: u64,
    event_responses: u64,
    event_rejected: u64,
    event_errors: u64,
    calls: u64,
    event_slot_rounds: u64,
}

#[derive(Serialize)]
struct JsonRule {
    rule: &'static str,
    mode: &'static str,
    detection_round: Option<u64>,
    slot_rounds_to_detection: Option<u64>,
    opens: u64,
    rejected_valid_events: Option<i64>,
}

#[derive(Serialize)]
struct JsonScaled {
    calls_saved: i64,
    tracking_rescued: i64,
}

#[derive(Serialize)]
struct JsonSensitivity {
    slowdown_calls: [u64; 2],
    healthy_rejected: [u64; 2],
}

impl From<&Lesson> for JsonLesson {
    fn from(lesson: &Lesson) -> Self {
        let runs = lesson.runs.iter().map(|run| JsonRun {
            mode: run.mode.name(),
            breaker: run.breaker,
            tracking_responses: run.counts.tracking_responses,
            tracking_no_slot: run.counts.tracking_no_slot,
            event_responses: run.counts.event_responses,
            event_rejected: run.counts.event_rejected,
            event_errors: run.counts.event_errors,
            calls: run.counts.calls,
            event_slot_rounds: run.counts.event_slot_rounds,
        });
        let rules = lesson.rules.iter().map(|row| JsonRule {
            rule: row.rule,
            mode: row.mode.name(),
            detection_round: row.detection.map(|detection| detection.round),
            slot_rounds_to_detection: row.detection.map(|detection| detection.slot_rounds),
            opens: row.openings,
            rejected_valid_events: row.rejected_valid_events,
        });
        Self {
            runs: runs.collect(),
            rules: rules.collect(),
            scaled: JsonScaled {
                calls_saved: lesson.scaled.calls_saved,
                tracking_rescued: lesson.scaled.tracking_rescued,
            },
            sensitivity: JsonSensitivity {
                slowdown_calls: lesson.sensitivity.slowdown_calls,
                healthy_rejected: lesson.sensitivity.healthy_rejected,
            },
        }
    }
}

impl std::fmt::Display for LessonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoAssignment(set) => write!(
                f,
                "`{set:.120}` sets nothing: write `key=value`, such as `threshold=0.35`; the keys are {}",
                Constants::KEYS.join(", ")
            ),
            Self::Constant(ConstantError::UnknownKey { key }) => match did_you_mean(key, &Constants::KEYS) {
                Some(known) => write!(
                    f,
                    "the lesson has no constant `{key}`: did you mean `{known}`? The keys are {}",
                    Constants::KEYS.join(", ")
                ),
                None => ConstantError::UnknownKey { key: key.clone() }.fmt(f),
            },
            Self::Constant(error) => error.fmt(f),
            Self::Output(error) => write!(f, "the lesson's figures cannot be written: {error}"),
        }
    }
}

impl std::error::Error for LessonError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoAssignment(_) => None,
            Self::Constant(error) => Some(error),
            Self::Output(error) => Some(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(sets: &[&str], json: bool) -> Result<String, String> {
        let sets: Vec<_> = sets.iter().map(|&set| set.to_owned()).collect();
        let mut out = Vec::new();
        run(&sets, json, &mut out).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(out).expect("text"))
    }

    #[test]
    fn json_has_the_documented_shape_and_order() {
        let json = output(&[], true).expect("the lesson runs");
        for part in [
            r#"{"runs":[{"mode":"healthy","breaker":false,"tracking_responses":5000,"tracking_no_slot":0,"#,
            r#""event_responses":1135,"event_rejected":0,"event_errors":31,"calls":1166,"event_slot_rounds":7492},"#,
            r#"{"mode":"healthy","breaker":true,"tracking_responses":5000,"#,
            r#"],"rules":[{"rule":"consecutive 5","mode":"healthy","detection_round":null,"#,
            r#""slot_rounds_to_detection":null,"opens":0,"rejected_valid_events":0},"#,
            r#"{"rule":"ratio 0.10 / 20","mode":"down","detection_round":67,"slot_rounds_to_detection":3,"#,
            r#""opens":11,"rejected_valid_events":null}],"scaled":{"calls_saved":48180,"tracking_rescued":40260},"#,
            r#""sensitivity":{"slowdown_calls":[213,208],"healthy_rejected":[386,741]}}"#,
        ] {
            assert!(json.contains(part), "{part}\nis not in\n{json}");
        }
        assert_eq!(json.matches("\"breaker\"").count(), 8);
        assert_eq!(json.matches("\"detection_round\"").count(), 12);
    }

    #[test]
    fn tables_show_every_figure_of_the_json() {
        let text = output(&[], false).expect("the lesson runs");
        let figures = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
        let lines: Vec<_> = text.lines().map(figures).collect();
        for line in [
            "slowdown without 4329 671 190 0 826 1016 19312",
            "slowdown with 5000 0 190 953 23 213 1646",
            "down with 5000 0 190 953 23 213 1285",
            "consecutive 5 slowdown 4 110 10 -",
            "ratio 0.10 / 20 healthy - - 4 386",
            "ratio 0.10 / 20 partial 88 117 9 698",
            "in a slowdown of ten minutes: 48180 calls saved, 40260 tracking queries rescued",
            "slowdown, chosen breaker: 213 calls at 100 rounds, 208 at 200",
            "healthy, ratio 0.10 / 20: 386 events rejected at 100 rounds, 741 at 200",
        ] {
            assert!(lines.iter().any(|shown| shown == line), "{line}\nis not in\n{text}");
        }
        assert!(text.contains("event slot-rounds 19312 -> 1646 (91.48 % less)"), "{text}");
    }

    #[test]
    fn extreme_numbers_and_texts_take_few_characters() {
        let text = output(&["threshold=1e-320", "rounds=201"], false).expect("the lesson runs");
        assert!(text.contains("opens when 1e-320 of the"), "{text}");
        let message = output(&[&"x".repeat(100_000)], false).expect_err("there is no `=`");
        assert!(message.len() < 400, "{} characters", message.len());
    }

    #[test]
    fn settings_act_and_the_last_one_counts() {
        let changed = output(&["threshold=0.1", "open_for=200", "open_for=100"], true).expect("the lesson runs");
        assert_eq!(changed, output(&["threshold=0.1"], true).expect("the lesson runs"));
        assert_ne!(changed, output(&[], true).expect("the lesson runs"));
    }

    #[test]
    fn refusals_say_what_to_do() {
        for (set, part) in [
            ("threshold", "write `key=value`"),
            ("treshold=0.5", "did you mean `threshold`?"),
            ("zzz=1", "set one of seed, slots"),
            ("threshold=1.7", "1.7 is not in (0, 1]: give"),
            ("event_rate=-1", "give a number of requests per second from 0"),
            ("start=1200", "set `start` below `rounds`"),
        ] {
            let message = output(&[set], false).expect_err(set);
            assert!(message.contains(part), "{set}: {message}");
        }
    }
}
