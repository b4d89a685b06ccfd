//! The terminal report: the front as a table to act on.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};

use crate::estimates::{Estimate, Estimates};
use crate::fronts::{Front, LOSS, Point, modes_by_opening};
use crate::measures::{MEAN, MEAN_PER_HOUR, PROBABILITY};
use crate::sweep_file::Sweep;

/// More rows than this are thinned out evenly; `front.parquet` has all.
const MOST_ROWS: usize = 24;

/// Prints the sweep's main front (the first right mode against the first false mode), and what it means.
///
/// # Errors
///
/// When the output cannot be written.
pub fn print(sweep: &Sweep, estimates: &Estimates, fronts: &[Front], out: &mut impl Write) -> io::Result<()> {
    let (right, wrong) = modes_by_opening(sweep);
    let Some(front) = fronts.first() else {
        let (have, lack) = if right.is_empty() { ("false", "right") } else { ("right", "false") };
        return writeln!(
            out,
            "No front: opening is {have} in every mode. Add a mode in which opening is {lack} to see what the one costs the other."
        );
    };
    let name = |mode: usize| sweep.modes[mode].name.as_str();
    writeln!(
        out,
        "\nPareto front of {} in {} against valid requests turned away in {}:\n\
         means per run over {} replications, with {} % intervals for each design by itself\n",
        front.theme.label,
        name(front.x.mode),
        name(front.y.mode),
        estimates.get(0, 0, "requests", MEAN).n,
        estimates.level().fraction() * 100.0,
    )?;
    writeln!(out, "{}", table(sweep, estimates, front, &wrong).trim_fmt())?;
    print_reading(sweep, estimates, front, &wrong, out)
}

/// One line under the header and nothing else: narrow, and easy to copy.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));

fn table(sweep: &Sweep, estimates: &Estimates, front: &Front, wrong: &[usize]) -> Table {
    let name = |mode: usize| sweep.modes[mode].name.as_str();
    let x_mode = front.x.mode;
    let mut header: Vec<String> =
        ["design", "rule", "detected", "slot-rounds to\ndetection", "slot-rounds in\nthe fault", "neighbours\nlost"]
            .map(str::to_owned)
            .to_vec();
    header.extend(wrong.iter().map(|&mode| format!("turned away\nin {}", name(mode))));
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled).set_header(header);
    let overall = front.overall();
    for point in thin_out(&overall) {
        let get = |mode: usize, metric, estimator| estimates.get(point.design, mode, metric, estimator);
        let design = &sweep.designs[point.design];
        let ties = if point.ties.is_empty() { String::new() } else { format!(" (+ {} equal)", point.ties.len()) };
        let mut row = vec![
            design.number.to_string(),
            format!("{}{ties}", design.rule),
            percent(get(x_mode, "detected", PROBABILITY)),
            with_half_width(get(x_mode, "slot_rounds_to_detection_restricted", MEAN)),
            with_half_width(get(x_mode, "slot_rounds_fault", MEAN)),
            with_half_width(get(x_mode, "neighbour_no_slot_fault", MEAN)),
        ];
        row.extend(wrong.iter().map(|&mode| with_half_width(get(mode, LOSS, MEAN))));
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// What the front says to someone who has to choose.
fn print_reading(
    sweep: &Sweep,
    estimates: &Estimates,
    front: &Front,
    wrong: &[usize],
    out: &mut impl Write,
) -> io::Result<()> {
    let overall = front.overall();
    let shown = thin_out(&overall).len();
    if shown < overall.len() {
        writeln!(out, "{shown} of {} designs on the front are shown; front.parquet has all.", overall.len())?;
    }
    let never = |design: usize| wrong.iter().all(|&mode| estimates.get(design, mode, LOSS, MEAN).value == Some(0.0));
    let candidates = front.families.iter().flat_map(|(_, points)| points);
    let safe = candidates
        .filter(|point| sweep.designs[point.design].rule.open_for().is_some() && never(point.design))
        .min_by(|a, b| a.x.value.partial_cmp(&b.x.value).expect("objectives are numbers"));
    let modes: Vec<&str> = wrong.iter().map(|&mode| sweep.modes[mode].name.as_str()).collect();
    let modes = modes.join(" or ");
    match safe {
        None => writeln!(out, "Every breaker of this sweep turned valid requests away in {modes}."),
        Some(Point { design, x, .. }) => {
            let number = sweep.designs[*design].number;
            let rule = &sweep.designs[*design].rule;
            let per_hour = wrong.iter().filter_map(|&mode| estimates.get(*design, mode, LOSS, MEAN_PER_HOUR).hi);
            let bound = per_hour.fold(0.0, f64::max);
            writeln!(
                out,
                "Quickest breaker that turned no valid request away in {modes}: design {number} ({rule}), {} slot-rounds.\n\
                 Not seen is not never: up to {} valid requests an hour remain possible there.",
                with_half_width(*x),
                significant(bound, 2),
            )
        }
    }
}

/// At most [`MOST_ROWS`] points, the ends included.
fn thin_out<'a>(points: &[&'a Point]) -> Vec<&'a Point> {
    if points.len() <= MOST_ROWS {
        return points.to_vec();
    }
    (0..MOST_ROWS).map(|row| points[row * (points.len() - 1) / (MOST_ROWS - 1)]).collect()
}

/// A probability with its interval, in percent.
fn percent(estimate: Estimate) -> String {
    match (estimate.value, estimate.lo, estimate.hi) {
        (Some(value), Some(lo), Some(hi)) => {
            format!("{:.0} % [{:.0}, {:.0}]", value * 100.0, lo * 100.0, hi * 100.0)
        }
        (Some(value), ..) => format!("{:.0} %", value * 100.0),
        _ => "–".to_owned(),
    }
}

/// A mean with the half-width of its interval, both rounded to the half-width's second digit; an unseen count as its bound.
fn with_half_width(estimate: Estimate) -> String {
    let (Some(value), Some(lo), Some(hi)) = (estimate.value, estimate.lo, estimate.hi) else {
        return estimate.value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1} ± ?"));
    };
    match estimate.method {
        "exact" => "0".to_owned(),
        "zero_events" => format!("0 (< {})", significant(hi, 2)),
        _ => {
            let half_width = (hi - lo) / 2.0;
            let decimals = decimals_of(half_width, 2);
            format!("{value:.decimals$} ± {half_width:.decimals$}")
        }
    }
}

/// A number with so many significant digits, without an exponent.
fn significant(value: f64, digits: i32) -> String {
    let decimals = decimals_of(value, digits);
    format!("{value:.decimals$}")
}

fn decimals_of(value: f64, digits: i32) -> usize {
    if value <= 0.0 {
        return 1;
    }
    (digits - 1 - value.log10().floor() as i32).clamp(0, 6) as usize
}
