//! The terminal report: the front as a table to act on.

use std::collections::BTreeSet;
use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use engine::{Duration, Time};

use crate::estimates::{Estimate, Estimates};
use crate::fronts::{Front, LOSS, Point, modes_by_opening};
use crate::measures::{MEAN, MEAN_PER_HOUR, PROBABILITY, PROBABILITY_OF_ANY};
use crate::numbers::{counted, grouped};
use crate::sweep_file::Sweep;

/// More rows than this are thinned out evenly; `front.parquet` has all.
const MOST_ROWS: usize = 24;

/// Prints the sweep's main front (the first right mode against the first false mode), and what it means.
///
/// # Errors
///
/// When the output cannot be written.
pub fn print(sweep: &Sweep, estimates: &Estimates, fronts: &[Front], out: &mut impl Write) -> io::Result<()> {
    print_stuck(sweep, estimates, out)?;
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
         means per run over {}, with {} % intervals for each design by itself\n",
        front.theme.label,
        name(front.x.mode),
        name(front.y.mode),
        counted(estimates.get(0, 0, "requests", MEAN).n, "replication"),
        estimates.level().fraction() * 100.0,
    )?;
    let shipped = quickest_harmless(sweep, estimates, front);
    writeln!(out, "{}", table(sweep, estimates, front, &wrong, shipped).trim_fmt())?;
    print_reading(sweep, estimates, front, shipped, out)
}

/// Runs in which a breaker was stuck half-open are named one by one: no mean tells of them.
fn print_stuck(sweep: &Sweep, estimates: &Estimates, out: &mut impl Write) -> io::Result<()> {
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
        writeln!(out, "STUCK half-open: design {design} ({rule}) in {runs} of {of} runs of {mode}")?;
    }
    if stuck.len() > MOST_STUCK {
        writeln!(out, "… and {} more pairs of design and mode", stuck.len() - MOST_STUCK)?;
    }
    Ok(())
}

/// More lines than this are left to the tables.
const MOST_STUCK: usize = 12;

/// One line under the header and nothing else: narrow, and easy to copy.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));

fn table(sweep: &Sweep, estimates: &Estimates, front: &Front, wrong: &[usize], shipped: Option<&Point>) -> Table {
    // From a cold start a rate would be that of the start.
    let (loss, unit) = if sweep.scenario.warm_up > Time::ZERO { (MEAN_PER_HOUR, " an hour") } else { (MEAN, "") };
    let mut header: Vec<String> = [
        "",
        "design",
        "rule",
        "detected",
        "slot-rounds to\ndetection",
        "slot-rounds in\nthe fault",
        "neighbours\nlost",
    ]
    .map(str::to_owned)
    .to_vec();
    header.extend(wrong.iter().map(|&mode| format!("turned away{unit}\nin {}", sweep.modes[mode].name)));
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled).set_header(header);
    let overall = front.overall();
    let mut rows: Vec<(usize, usize)> =
        thin_out(&overall).into_iter().map(|point| (point.design, point.ties.len())).collect();
    // For comparison: no breaker at all, and the one that is named below, where they are not on the front.
    let none = sweep.designs.iter().position(|design| design.rule.open_for().is_none());
    let compared =
        shipped.map(|point| (point.design, point.ties.len())).into_iter().chain(none.map(|design| (design, 0)));
    for row in compared {
        if rows.iter().all(|&(shown, _)| shown != row.0) {
            rows.push(row);
        }
    }
    for (design, ties) in rows {
        let get = |mode: usize, metric, estimator| estimates.get(design, mode, metric, estimator);
        let alike = if ties == 0 { String::new() } else { format!(" (+ {ties} alike)") };
        let x_mode = front.x.mode;
        let mut row = vec![
            if shipped.is_some_and(|point| point.design == design) { "*" } else { "" }.to_owned(),
            sweep.designs[design].number.to_string(),
            format!("{}{alike}", sweep.designs[design].rule),
            percent(get(x_mode, "detected", PROBABILITY)),
            with_half_width(get(x_mode, "slot_rounds_to_detection_restricted", MEAN)),
            with_half_width(get(x_mode, "slot_rounds_fault", MEAN)),
            with_half_width(get(x_mode, "neighbour_no_slot_fault", MEAN)),
        ];
        row.extend(wrong.iter().map(|&mode| with_half_width(get(mode, LOSS, loss))));
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
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
    out: &mut impl Write,
) -> io::Result<()> {
    let (right, wrong) = &modes_by_opening(sweep);
    let overall = front.overall();
    let shown = thin_out(&overall).len();
    if shown < overall.len() {
        writeln!(out, "{shown} of {} designs on the front are shown; front.parquet has all.", overall.len())?;
    }
    let names = |modes: &[usize]| {
        let names: Vec<&str> = modes.iter().map(|&mode| sweep.modes[mode].name.as_str()).collect();
        names.join(" or ")
    };
    let Some(&Point { design, ref ties, .. }) = shipped else {
        if sweep.designs.iter().all(|design| design.rule.open_for().is_none()) {
            return writeln!(
                out,
                "This sweep has no breaker to choose: add a [[rule]] of kind \"consecutive\" or \"ratio\"."
            );
        }
        return writeln!(
            out,
            "No breaker of this sweep both opened in {} % of the runs of {} and turned no valid request away in {}.",
            LEAST_DETECTED * 100.0,
            names(right),
            names(wrong),
        );
    };
    let per_hour = wrong.iter().filter_map(|&mode| estimates.get(design, mode, LOSS, MEAN_PER_HOUR).hi);
    let bound = per_hour.fold(0.0, f64::max);
    writeln!(
        out,
        "* The quickest breaker that turned no valid request away in {}: design {} ({}).\n\
         \x20 Not seen is not never: up to {} valid requests an hour remain possible there.",
        names(wrong),
        sweep.designs[design].number,
        sweep.designs[design].rule,
        significant(bound, bound),
    )?;
    // Designs of a library may tie in other numbers as well.
    let own = sweep.designs[design].rule.open_for();
    let durations: BTreeSet<Duration> = ties
        .iter()
        .filter_map(|&tie| sweep.designs[tie].rule.open_for())
        .filter(|&open_for| Some(open_for) != own)
        .collect();
    let durations: Vec<String> = durations.iter().map(Duration::to_string).collect();
    if !durations.is_empty() {
        writeln!(
            out,
            "  It detects as soon with open durations of {}, too: choose by the slot-rounds in the fault against what is\n\
             \x20 turned away after a heal (rejected_after_heal), as sweeps/tuning.toml measures them.",
            durations.join(", ")
        )?;
    }
    Ok(())
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
    let Some(value) = estimate.value else { return "–".to_owned() };
    match (estimate.method, estimate.lo.zip(estimate.hi)) {
        ("exact", _) => "0".to_owned(),
        ("zero_events", Some((_, hi))) => format!("0 (< {})", significant(hi, hi)),
        ("zero_events", None) => "none seen".to_owned(),
        (_, Some((lo, hi))) => {
            let half_width = (hi - lo) / 2.0;
            format!("{} ± {}", significant(value, half_width), significant(half_width, half_width))
        }
        (_, None) => format!("{value:.1} ± ?"),
    }
}

/// A number rounded to the second significant digit of `scale`, thousands grouped.
fn significant(value: f64, scale: f64) -> String {
    let last_digit = if scale > 0.0 { scale.log10().floor() as i32 - 1 } else { -1 };
    if last_digit < 0 {
        let decimals = last_digit.unsigned_abs().min(6) as usize;
        return format!("{value:.decimals$}");
    }
    let unit = 10_f64.powi(last_digit);
    grouped(((value / unit).round() * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, half_width: f64, method: &'static str) -> Estimate {
        let (lo, hi) = (Some(value - half_width), Some(value + half_width));
        Estimate { metric: "rejected", estimator: MEAN, n: 20, value: Some(value), lo, hi, method }
    }

    #[test]
    fn digits_that_mean_nothing_are_not_printed() {
        assert_eq!(with_half_width(estimate(217_334.4, 16_250.0, "t")), "217,000 ± 16,000");
        assert_eq!(with_half_width(estimate(491.93, 9.14, "t")), "491.9 ± 9.1");
        assert_eq!(with_half_width(estimate(0.031, 0.0123, "t")), "0.031 ± 0.012");
        assert_eq!(with_half_width(estimate(22.0, 0.0, "t")), "22.0 ± 0.0");
    }

    #[test]
    fn nothing_seen_is_no_zero() {
        let bound = Estimate { lo: Some(0.0), hi: Some(1.75), ..estimate(0.0, 0.0, "zero_events") };
        assert_eq!(with_half_width(bound), "0 (< 1.8)");
        assert_eq!(with_half_width(Estimate { hi: None, ..bound }), "none seen");
        assert_eq!(with_half_width(estimate(0.0, 0.0, "exact")), "0");
        assert_eq!(with_half_width(Estimate { lo: None, hi: None, n: 1, ..estimate(3.0, 0.0, "t") }), "3.0 ± ?");
        assert_eq!(with_half_width(Estimate { value: None, n: 0, ..estimate(3.0, 0.0, "t") }), "–");
    }
}
