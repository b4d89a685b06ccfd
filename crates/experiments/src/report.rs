//! The terminal report: the front as a table to act on.

mod cells;
mod layout;
mod rows;

use std::collections::BTreeSet;
use std::io::{self, Write};

use engine::{Duration, Time};

use crate::estimates::Estimates;
use crate::fronts::{Front, LOSS, Point, modes_by_opening};
use crate::measures::{
    CONDITIONAL_MEAN, MEAN, MEAN_PER_HOUR, PROBABILITY, PROBABILITY_ALREADY_OPEN, PROBABILITY_OF_ANY,
    difference_estimator, simultaneous,
};
use crate::numbers::counted;
use crate::rule_label::{constants, differences, table_label};
use crate::sweep_file::Sweep;
use crate::wrapped::wrapped;

use layout::{Column, tables};
use rows::{Row, rows, thin_out};

/// Prints the sweep's main front (the first right mode against the first false mode), and what it means, in lines of at
/// most `width` characters.
///
/// # Errors
///
/// When the output cannot be written.
pub fn print(
    sweep: &Sweep,
    estimates: &Estimates,
    fronts: &[Front],
    width: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    print_stuck(sweep, estimates, width, out)?;
    let (right, wrong) = modes_by_opening(sweep);
    let Some(front) = fronts.first() else {
        let (have, lack) = if right.is_empty() { ("false", "right") } else { ("right", "false") };
        let text = format!(
            "No front: opening is {have} in every mode. Add a mode in which opening is {lack} to see what the one costs \
             the other."
        );
        return writeln!(out, "{}", wrapped(&text, width, ""));
    };
    let name = |mode: usize| sweep.modes[mode].name.as_str();
    let caption = format!(
        "Pareto front of {} in {} against valid requests turned away in {}: means per run over {}, with {}{}.",
        front.theme.label,
        name(front.x.mode),
        name(front.y.mode),
        counted(estimates.replications(), "replication"),
        intervals(sweep, estimates),
        if sweep.analysis.simultaneous { OTHER_BANDS } else { "" },
    );
    writeln!(out, "\n{}", wrapped(&caption, width, ""))?;
    let shipped = quickest_harmless(sweep, estimates, front);
    let rows = rows(sweep, front, shipped);
    for line in constants(sweep, &rows.iter().map(|row| row.design).collect::<Vec<_>>()) {
        writeln!(out, "{}", wrapped(&line, width, "  "))?;
    }
    let keys = keys(sweep, &rows, width);
    writeln!(out, "\n{}", tables(&keys, &values(sweep, estimates, front, &wrong, &rows), width))?;
    print_legend(&rows, width, out)?;
    print_reading(sweep, estimates, front, shipped, width, out)?;
    print_differences(sweep, estimates, front, &keys, &rows, width, out)
}

/// Which intervals a table has, in words.
fn intervals(sweep: &Sweep, estimates: &Estimates) -> String {
    let percent = cells::number(estimates.level().fraction() * 100.0, 0.0);
    if !sweep.analysis.simultaneous {
        return format!("{percent} % intervals for each design by itself");
    }
    let designs = counted(sweep.distinct_designs() as u64, "distinct design");
    format!("{percent} % intervals that hold for all {designs} together, column by column (sup-t)")
}

/// Where simultaneous intervals are wider than the dependence between designs demands.
const OTHER_BANDS: &str = "; percentages, counts of which nothing was seen, what is turned away after a heal and what is \
                           turned away by the hour are corrected by Bonferroni's inequality";

/// Runs in which a breaker was stuck half-open are named one by one: no mean tells of them.
fn print_stuck(sweep: &Sweep, estimates: &Estimates, width: usize, out: &mut impl Write) -> io::Result<()> {
    if !sweep.needs_the_richer_world() {
        return Ok(());
    }
    let all = (0..sweep.designs.len()).flat_map(|design| (0..sweep.modes.len()).map(move |mode| (design, mode)));
    let stuck: Vec<(usize, usize, u64, u64)> = all
        .filter_map(|(design, mode)| {
            let share = estimates.get(design, mode, "stuck_breakers", PROBABILITY_OF_ANY);
            let runs = (share.value? * share.n as f64).round() as u64;
            (runs > 0).then_some((design, mode, runs, share.n))
        })
        .collect();
    for &(design, mode, runs, of) in stuck.iter().take(MOST_STUCK) {
        let (rule, mode) = (&sweep.designs[design].rule, &sweep.modes[mode].name);
        let text = format!("STUCK half-open: design {design} ({rule}) in {runs} of {of} runs of {mode}");
        writeln!(out, "{}", wrapped(&text, width, "  "))?;
    }
    if stuck.len() > MOST_STUCK {
        writeln!(out, "… and {} more pairs of design and mode", stuck.len() - MOST_STUCK)?;
    }
    Ok(())
}

/// More lines than this are left to the tables.
const MOST_STUCK: usize = 12;

/// The columns that say which design a row is about.
fn keys(sweep: &Sweep, rows: &[Row<'_>], width: usize) -> Vec<Column> {
    let widest_rule = width * 36 / 100;
    let rule = |row: &Row<'_>| wrapped(&(table_label(sweep, row.design) + &alike(sweep, row)), widest_rule, "  ");
    let column = |header: &str, cell: &dyn Fn(&Row<'_>) -> String| Column {
        header: header.to_owned(),
        cells: rows.iter().map(cell).collect(),
    };
    vec![
        column("", &|row| row.mark()),
        column("design", &|row| sweep.designs[row.design].number.to_string()),
        column("rule", &rule),
    ]
}

/// How many designs a row stands for, and what they differ in.
fn alike(sweep: &Sweep, row: &Row<'_>) -> String {
    if row.ties.is_empty() {
        return String::new();
    }
    let group: Vec<usize> = row.ties.iter().copied().chain([row.design]).collect();
    format!(" + {} ({})", row.ties.len(), differences(sweep, &group).join(", "))
}

/// The columns of estimates: the two objectives first.
fn values(sweep: &Sweep, estimates: &Estimates, front: &Front, wrong: &[usize], rows: &[Row<'_>]) -> Vec<Column> {
    let get = |design, mode, metric, estimator: &'static str| {
        let estimator = if sweep.analysis.simultaneous { simultaneous(estimator) } else { estimator };
        estimates.get(design, mode, metric, estimator)
    };
    let x_mode = front.x.mode;
    let mean = |header: &str, mode: usize, metric: &'static str, estimator: &'static str| Column {
        header: header.to_owned(),
        cells: rows.iter().map(|row| cells::mean(get(row.design, mode, metric, estimator))).collect(),
    };
    let detected = |row: &Row<'_>| {
        let already_open = estimates.get(row.design, x_mode, "detection_outcome", PROBABILITY_ALREADY_OPEN);
        cells::detected(get(row.design, x_mode, "detected", PROBABILITY), already_open)
    };
    // From a cold start a rate would be that of the start.
    let (loss, unit) = if sweep.scenario.warm_up > Time::ZERO { (MEAN_PER_HOUR, " an hour") } else { (MEAN, "") };
    let turned_away = |mode: usize| mean(&turned_away_in(sweep, mode, unit), mode, LOSS, loss);
    let mut columns = vec![
        Column { header: "detected".to_owned(), cells: rows.iter().map(detected).collect() },
        mean(DRAWN_TO_DETECTION.0, x_mode, DRAWN_TO_DETECTION.1, MEAN),
        turned_away(front.y.mode),
        mean(DRAWN_IN_FAULT.0, x_mode, DRAWN_IN_FAULT.1, MEAN),
        mean(NEIGHBOURS_LOST.0, x_mode, NEIGHBOURS_LOST.1, MEAN),
    ];
    if heals(estimates, x_mode) {
        columns.push(mean("turned away\nafter the heal", x_mode, "rejected_after_heal", CONDITIONAL_MEAN));
    }
    columns.extend(wrong.iter().filter(|&&mode| mode != front.y.mode).map(|&mode| turned_away(mode)));
    columns
}

/// Columns of the table and what they are about.
const DRAWN_TO_DETECTION: (&str, &str) = ("slot-rounds to\ndetection", "slot_rounds_to_detection_restricted");
const DRAWN_IN_FAULT: (&str, &str) = ("slot-rounds in\nthe fault", "slot_rounds_fault");
const NEIGHBOURS_LOST: (&str, &str) = ("neighbours\nlost", "neighbour_no_slot_fault");

fn turned_away_in(sweep: &Sweep, mode: usize, unit: &str) -> String {
    wrapped(&format!("turned away{unit} in {}", sweep.modes[mode].name), 14, "")
}

/// Whether the dependency was seen to heal in a mode.
fn heals(estimates: &Estimates, mode: usize) -> bool {
    estimates.get(0, mode, "rejected_after_heal", CONDITIONAL_MEAN).n > 0
}

/// What the marks in the table mean.
fn print_legend(rows: &[Row<'_>], width: usize, out: &mut impl Write) -> io::Result<()> {
    let lines = [
        (rows.iter().any(|row| row.is_current), "yours: your current setting."),
        (rows.iter().any(|row| !row.on_front), "· Not on the front, and shown for comparison."),
        (
            rows.iter().any(|row| !row.ties.is_empty()),
            "+ n (…): n more designs, which differ in these alone, had the same two objectives.",
        ),
    ];
    for (_, line) in lines.iter().filter(|(applies, _)| *applies) {
        writeln!(out, "{}", wrapped(line, width, "  "))?;
    }
    Ok(())
}

/// The differences to the baseline that is asked for, in a table of the same rows.
fn print_differences(
    sweep: &Sweep,
    estimates: &Estimates,
    front: &Front,
    keys: &[Column],
    rows: &[Row<'_>],
    width: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let analysis = &sweep.analysis;
    if analysis.current.is_none() && analysis.baseline.is_none() {
        return Ok(());
    }
    let Some((baseline, estimator)) = sweep.baseline().zip(difference_estimator(sweep)) else { return Ok(()) };
    let estimator = if analysis.simultaneous { simultaneous(estimator) } else { estimator };
    let column = |header: &str, mode: usize, metric: &str| Column {
        header: header.to_owned(),
        cells: rows.iter().map(|row| cells::difference(estimates.get(row.design, mode, metric, estimator))).collect(),
    };
    let (_, wrong) = modes_by_opening(sweep);
    let mut values: Vec<Column> = [DRAWN_TO_DETECTION, DRAWN_IN_FAULT, NEIGHBOURS_LOST]
        .map(|(header, metric)| column(header, front.x.mode, metric))
        .into();
    let turned_away = wrong.iter().map(|&mode| column(&turned_away_in(sweep, mode, ""), mode, LOSS));
    // The two objectives come first here, too.
    values.splice(1..1, turned_away);
    let design = &sweep.designs[baseline];
    let caption = format!(
        "Against {} (design {}: {}), paired over {}: mean differences per run, with {}. Below zero is less than there.",
        if analysis.current == Some(baseline) { "your current setting" } else { "the baseline" },
        design.number,
        design.rule,
        counted(estimates.get(0, 0, "requests", MEAN).n, "replication"),
        intervals(sweep, estimates),
    );
    writeln!(out, "\n{}\n\n{}", wrapped(&caption, width, ""), tables(keys, &values, width))
}

/// A breaker that opens in fewer runs of a mode in which it should is not one to ship.
const LEAST_DETECTED: f64 = 0.95;

/// The quickest breaker that turned no valid request away in any false mode and opens in every right one.
fn quickest_harmless<'a>(sweep: &Sweep, estimates: &Estimates, front: &'a Front) -> Option<&'a Point> {
    let (right, wrong) = modes_by_opening(sweep);
    let opens = |design, mode: &usize| {
        estimates.get(design, *mode, "detected", PROBABILITY).value.is_some_and(|share| share >= LEAST_DETECTED)
    };
    let harmless = |design, mode: &usize| estimates.get(design, *mode, LOSS, MEAN).value == Some(0.0);
    let points = front.families.iter().flat_map(|(_, points)| points);
    points
        .filter(|point| right.iter().all(|mode| opens(point.design, mode)))
        .filter(|point| wrong.iter().all(|mode| harmless(point.design, mode)))
        .min_by(|a, b| a.x.value.partial_cmp(&b.x.value).expect("objectives are numbers"))
}

/// What the front says to someone who has to choose.
fn print_reading(
    sweep: &Sweep,
    estimates: &Estimates,
    front: &Front,
    shipped: Option<&Point>,
    width: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut paragraph = |text: String| writeln!(out, "{}", wrapped(&text, width, "  "));
    let (right, wrong) = &modes_by_opening(sweep);
    let overall = front.overall();
    let shown = thin_out(&overall).len();
    if shown < overall.len() {
        paragraph(format!("{shown} of {} designs on the front are shown; front.parquet has all.", overall.len()))?;
    }
    let names = |modes: &[usize]| {
        let names: Vec<&str> = modes.iter().map(|&mode| sweep.modes[mode].name.as_str()).collect();
        names.join(" or ")
    };
    let Some(&Point { design, ref ties, .. }) = shipped else {
        if sweep.designs.iter().all(|design| design.rule.open_for().is_none()) {
            return paragraph(
                "This sweep has no breaker to choose: add a [[rule]] of kind \"consecutive\" or \"ratio\".".to_owned(),
            );
        }
        return paragraph(format!(
            "No breaker of this sweep both opened in {} % of the runs of {} and turned no valid request away in {}.",
            LEAST_DETECTED * 100.0,
            names(right),
            names(wrong),
        ));
    };
    let per_hour = wrong.iter().filter_map(|&mode| estimates.get(design, mode, LOSS, MEAN_PER_HOUR).hi);
    let bound = per_hour.fold(0.0, f64::max);
    paragraph(format!(
        "* The quickest breaker that turned no valid request away in {}: design {} ({}). Not seen is not never: up to {} \
         valid requests an hour remain possible there ({} % for this design by itself).",
        names(wrong),
        sweep.designs[design].number,
        sweep.designs[design].rule,
        cells::number(bound, bound),
        cells::number(estimates.level().fraction() * 100.0, 0.0),
    ))?;
    // Designs of a library may tie in other numbers as well.
    let own = sweep.designs[design].rule.open_for();
    let durations: BTreeSet<Duration> = ties
        .iter()
        .filter_map(|&tie| sweep.designs[tie].rule.open_for())
        .filter(|&open_for| Some(open_for) != own)
        .collect();
    let durations: Vec<String> = durations.iter().map(Duration::to_string).collect();
    if !durations.is_empty() {
        let after = if heals(estimates, front.x.mode) {
            "turned away after the heal: summary.parquet has both for each of them (slot_rounds_fault, rejected_after_heal)"
        } else {
            "turned away after a heal, which this sweep has not; sweeps/tuning.toml measures that"
        };
        paragraph(format!(
            "It detects as soon with open durations of {}, too: choose by the slot-rounds in the fault against what is \
             {after}.",
            durations.join(", "),
        ))?;
    }
    Ok(())
}
