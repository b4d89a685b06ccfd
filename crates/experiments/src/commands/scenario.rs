//! `experiments scenario`: a named situation in words, in a picture, and in numbers.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use comfy_table::{CellAlignment, Table, presets};
use scenario::{RunRecord, ServiceCounts, rounds};

use super::{Failure, Outcome};
use crate::cli::ScenarioArgs;
use crate::did_you_mean::did_you_mean;
use crate::figures::{self, LineFigure, LinePanel};
use crate::numbers::counted;
use crate::situation::{self, Situation, Timeline, highest, mean_attempts, records, timeline};
use crate::wrapped::wrapped;

/// Shows a situation, or lists all of them.
///
/// # Errors
///
/// If there is no such situation, its file is wrong, or the picture cannot be written.
pub fn run(args: &ScenarioArgs, out: &mut impl Write) -> Result<Outcome, Failure> {
    let names = situation::names(&args.folder);
    let Some(name) = &args.name else {
        for name in names? {
            let about = Situation::load(&situation::file(&args.folder, &name), &[], Some(1))?.about;
            let headline = about.split(": ").next().unwrap_or_default();
            writeln!(out, "{name:<36} {headline}")?;
        }
        return Ok(Outcome::Done);
    };
    let path = situation::file(&args.folder, name);
    if !path.is_file() {
        let names = names?;
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let advice = match did_you_mean(name, &known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("there are: {}", known.join(", ")),
        };
        return Err(Failure::Input(format!("there is no scenario `{name}` in {}; {advice}", args.folder.display())));
    }
    let situation = Situation::load(&path, &args.overrides, args.replications)?;
    let about: Vec<&str> = situation.about.split_whitespace().collect();
    writeln!(out, "{}\n", wrapped(&about.join(" "), 100, ""))?;
    print_numbers(&situation, out)?;
    let timelines = draw(&situation, &folder(args, &path))?;
    if timelines.iter().any(|timeline| timeline.most_probes > 1) {
        let probes: Vec<String> = situation
            .variants
            .iter()
            .zip(&timelines)
            .map(|((name, _), timeline)| format!("{name} {}", timeline.most_probes))
            .collect();
        writeln!(out, "\nMost probes within {} of replication 0: {}.", situation::PROBE_WINDOW, probes.join(", "))?;
    }
    writeln!(out, "\nPicture of replication 0: {}/timeline.svg and .png", folder(args, &path).display())?;
    Ok(Outcome::Done)
}

fn folder(args: &ScenarioArgs, path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default();
    args.out.clone().unwrap_or_else(|| Path::new("plots").join(stem))
}

/// A number of the table: its name, and its value in a run.
type Figure = (&'static str, fn(&RunRecord) -> f64);

/// What the plain world does not watch.
const UNWATCHED: &str = "peak at the\ndependency";

/// Always shown.
const USUAL: [Figure; 8] = [
    ("requests", |run| run.requests as f64),
    ("answered", |run| run.responses as f64),
    ("errors", |run| run.errors as f64),
    ("turned\naway", |run| run.rejected as f64),
    ("of these\nvalid", |run| run.false_open_rejections as f64),
    ("no slot", |run| run.no_slot as f64),
    ("neighbours\nlost", |run| run.neighbour_no_slot as f64),
    ("openings", |run| run.openings as f64),
];

/// Shown where one of them is not zero.
const OTHERS: [Figure; 11] = [
    ("in flight\nat the end", |run| run.in_flight as f64),
    ("turned away\nafter heal", |run| run.rejected_after_heal.unwrap_or(0) as f64),
    ("retries", |run| more(run).retries as f64),
    ("time-outs", |run| more(run).timeouts as f64),
    ("lost", |run| more(run).lost as f64),
    ("cancelled", |run| more(run).cancelled as f64),
    ("ignored", |run| more(run).ignored as f64),
    ("rate\nlimited", |run| more(run).rate_limited as f64),
    ("wrong\nsuccesses", |run| more(run).wrong_successes as f64),
    ("neighbours'\nwait, rounds", |run| rounds(more(run).neighbour_wait)),
    (UNWATCHED, |run| f64::from(more(run).dependency_peak)),
];

fn more(run: &RunRecord) -> ServiceCounts {
    run.service.unwrap_or_default()
}

fn print_numbers(situation: &Situation, out: &mut impl Write) -> io::Result<()> {
    let mut rows: Vec<([String; 3], Vec<RunRecord>)> = Vec::new();
    let mut attempts: Vec<Option<f64>> = Vec::new();
    for mode in situation.modes() {
        for (name, sweep) in &situation.variants {
            let Some(mode) = sweep.modes.iter().find(|own| own.name == mode.name) else { continue };
            for (design, of) in sweep.designs.iter().enumerate() {
                let words = [mode.name.clone(), name.clone(), of.rule.to_string()];
                rows.push((words, records(sweep, design, mode)));
                attempts.push(mean_attempts(sweep, design, mode));
            }
        }
    }
    let mean = |runs: &[RunRecord], of: fn(&RunRecord) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
    let seen = |figure: &&Figure| rows.iter().any(|(_, runs)| mean(runs, figure.1) > 0.0);
    let figures: Vec<Figure> = USUAL.iter().chain(OTHERS.iter().filter(seen)).copied().collect();
    let watched = rows.iter().any(|(_, runs)| runs.iter().any(|run| run.service.is_some()));

    let mut header = vec!["mode", "variant", "breaker"];
    header.extend(figures.iter().map(|figure| figure.0));
    let retried = attempts.iter().any(Option::is_some);
    if retried {
        header.push("attempts, all\nthat started");
    }
    if watched {
        header.push("stuck\nruns");
    }
    let cells = rows.iter().zip(&attempts).map(|((words, runs), attempts)| {
        let mut row = words.to_vec();
        let known = runs.iter().any(|run| run.service.is_some());
        row.extend(figures.iter().map(|figure| match figure.0 {
            UNWATCHED if !known => "-".to_owned(),
            _ => format!("{:.1}", mean(runs, figure.1)),
        }));
        if retried {
            row.push(attempts.map_or_else(|| "-".to_owned(), |attempts| format!("{attempts:.1}")));
        }
        if watched {
            let stuck = runs.iter().filter(|run| more(run).stuck()).count();
            row.push(if known { format!("{stuck} of {}", runs.len()) } else { "-".to_owned() });
        }
        row
    });
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header).add_rows(cells);
    for column in table.column_iter_mut().skip(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "Means per run over {}:\n", counted(situation.variants[0].1.replications.into(), "replication"))?;
    writeln!(out, "{}", table.trim_fmt())
}

/// A panel for each variant: its first design in the first mode.
fn draw(situation: &Situation, folder: &Path) -> Result<Vec<Timeline>, Failure> {
    let timelines: Vec<Timeline> = situation
        .variants
        .iter()
        .filter_map(|(name, sweep)| Some(timeline(name, sweep, 0, sweep.modes.first()?)))
        .collect();
    let figure = LineFigure {
        title: situation.about.split(". ").next().unwrap_or_default().to_owned(),
        note: "Replication 0. Lines show the highest value of each 600th of the run; strip: the fault; shaded: the \
               breaker's state, where there is one breaker."
            .to_owned(),
        panels: timelines
            .iter()
            .map(|timeline| LinePanel { reaches: highest(&timelines), ..timeline.panel.clone() })
            .collect(),
        columns: 1,
    };
    fs::create_dir_all(folder).map_err(Failure::write(folder))?;
    let path = |extension: &str| folder.join(format!("timeline.{extension}"));
    figures::draw_lines(&figure, &path("svg"), &path("png"))?;
    Ok(timelines)
}
