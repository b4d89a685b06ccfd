//! `experiments bulkhead`: what a bulkhead of each size protects and costs, beside a breaker.

use std::fs;
use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};
use scenario::RunRecord;

use super::{Failure, Outcome};
use crate::cli::BulkheadArgs;
use crate::figures::{self, Line, LineFigure, LinePanel};
use crate::situation::{AS_IT_STANDS, Situation, records};

/// Seconds of a day, for the cost of a day without failures.
const DAY: f64 = 86_400.0;

/// The variants of the situation, beside the file as it stands.
const BREAKER: &str = "breaker";
const BULKHEAD: &str = "bulkhead";
const BOTH: &str = "both";

/// The days that are compared: what happens, and on which of them nothing does.
const SLOWDOWN: &str = "slowdown";
const HANG: &str = "hang";
const FAILURE_FREE: &str = "failure-free";

/// Prints and draws the losses by the bulkhead's size.
///
/// # Errors
///
/// If the situation cannot be read or lacks a variant or a mode, or the figure cannot be written.
pub fn run(args: &BulkheadArgs, out: &mut impl Write) -> Result<Outcome, Failure> {
    let plain = Situation::load(&args.file, &[], args.replications)?;
    let slots = plain.variants[0].1.scenario.slots;
    let mut sizes = Vec::new();
    for size in 1..slots {
        let set = [format!("scenario.bulkhead={size}")];
        let situation = Situation::load(&args.file, &set, args.replications)?;
        sizes.push((size, Losses::of(&situation, BULKHEAD)?, Losses::of(&situation, BOTH)?));
    }
    let (neither, breaker) = (Losses::of(&plain, AS_IT_STANDS)?, Losses::of(&plain, BREAKER)?);
    print(slots, &neither, &breaker, &sizes, out)?;
    draw(args, &neither, &breaker, &sizes)?;
    writeln!(out, "\nPlot: {}/bulkhead-size.svg and .png", args.out.display())?;
    Ok(Outcome::Done)
}

/// What a setting loses, in percent of the requests of a run.
#[derive(Clone, Copy, Debug)]
struct Losses {
    /// Of the neighbours', in a slowdown.
    slowdown: f64,
    /// Of the neighbours', while calls hang.
    hang: f64,
    /// Of the neighbours', while nothing fails.
    failure_free: f64,
    /// Of the dependency flow's own, while nothing fails.
    own: f64,
    /// Of the neighbours', so many in a day on which nothing fails.
    per_day: f64,
}

impl Losses {
    fn of(situation: &Situation, variant: &str) -> Result<Self, Failure> {
        let missing = |what: &str, name: &str| Failure::Input(format!("the situation has no {what} \"{name}\""));
        let sweep = situation.variant(variant).ok_or_else(|| missing("variant", variant))?;
        let runs = |name: &str| {
            let mode = sweep.modes.iter().find(|mode| mode.name == name).ok_or_else(|| missing("mode", name))?;
            Ok::<_, Failure>(records(sweep, 0, mode))
        };
        let share = |runs: &[RunRecord], part: fn(&RunRecord) -> u64, whole: fn(&RunRecord) -> u64| {
            let sum = |of: fn(&RunRecord) -> u64| runs.iter().map(of).sum::<u64>() as f64;
            100.0 * sum(part) / sum(whole)
        };
        let neighbours = |runs: &[RunRecord]| share(runs, |run| run.neighbour_no_slot, |run| run.neighbour_requests);
        let quiet = runs(FAILURE_FREE)?;
        let seconds: f64 = quiet.iter().map(|run| run.observed.as_secs_f64()).sum();
        let lost: u64 = quiet.iter().map(|run| run.neighbour_no_slot).sum();
        Ok(Self {
            slowdown: neighbours(&runs(SLOWDOWN)?),
            hang: neighbours(&runs(HANG)?),
            failure_free: neighbours(&quiet),
            own: share(&quiet, |run| run.no_slot, |run| run.requests),
            per_day: lost as f64 / seconds * DAY,
        })
    }

    fn row(&self, name: &str) -> Vec<String> {
        let percent = |share: f64| format!("{share:.2} %");
        let millions = format!("{:.2}", self.per_day / 1e6);
        let shares = [self.slowdown, self.hang, self.failure_free].map(percent);
        [name.to_owned()].into_iter().chain(shares).chain([millions, percent(self.own)]).collect()
    }
}

fn print(
    slots: u32,
    neither: &Losses,
    breaker: &Losses,
    sizes: &[(u32, Losses, Losses)],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header([
        "",
        "neighbours lost\nin a slowdown",
        "while calls\nhang",
        "with no\nfailures",
        "millions\na day",
        "own requests lost\nwith no failures",
    ]);
    table.add_row(neither.row("neither")).add_row(breaker.row(BREAKER));
    for (size, bulkhead, both) in sizes.iter().filter(|(size, ..)| size % 4 == 0) {
        table.add_row(bulkhead.row(&format!("bulkhead of {size}")));
        table.add_row(both.row(&format!("bulkhead of {size} and breaker")));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "What is lost for want of a slot, of {slots} in all, in percent of the requests:\n")?;
    writeln!(out, "{}", table.trim_fmt())
}

fn draw(
    args: &BulkheadArgs,
    neither: &Losses,
    breaker: &Losses,
    sizes: &[(u32, Losses, Losses)],
) -> Result<(), Failure> {
    let by_size = |name: &str, of: &dyn Fn(&(u32, Losses, Losses)) -> f64| Line {
        name: name.to_owned(),
        points: sizes.iter().map(|size| (f64::from(size.0), of(size))).collect(),
        steps: false,
    };
    let level = |name: &str, value: f64| by_size(name, &|_| value);
    let figure = LineFigure {
        title: "What a bulkhead protects, and what it costs".to_owned(),
        note: "Lost for want of a slot, means over all replications. A bulkhead gives so many slots to the dependency flow \
               and the others to the neighbours; without one they share them all."
            .to_owned(),
        panels: vec![
            LinePanel {
                title: "Neighbours lost, by the size of the bulkhead".to_owned(),
                x_label: "slots for the dependency flow".to_owned(),
                y_label: "% of their requests".to_owned(),
                lines: vec![
                    by_size("bulkhead, any day at all", &|size| size.1.failure_free),
                    level("breaker, slowdown", breaker.slowdown),
                    level("breaker or neither, hang", breaker.hang),
                    level("neither, slowdown", neither.slowdown),
                    level("breaker or neither, no failures", breaker.failure_free),
                ],
                logarithmic: true,
                ..LinePanel::default()
            },
            LinePanel {
                title: "The dependency flow's own requests lost, with no failures".to_owned(),
                x_label: "slots for the dependency flow".to_owned(),
                y_label: "% of its requests".to_owned(),
                lines: vec![by_size("bulkhead, any day at all", &|size| size.1.own)],
                ..LinePanel::default()
            },
        ],
        columns: 2,
    };
    fs::create_dir_all(&args.out).map_err(Failure::write(&args.out))?;
    let path = |extension: &str| args.out.join(format!("bulkhead-size.{extension}"));
    figures::draw_lines(&figure, &path("svg"), &path("png")).map_err(Failure::from)
}
