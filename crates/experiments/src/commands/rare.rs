//! `experiments rare`: how rarely each design opens falsely.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use policies::AnyRule;
use statistics::Level;

use super::{Failure, Outcome};
use crate::cli::RareArgs;
use crate::folder_lock::FolderLock;
use crate::manifest::Manifest;
use crate::numbers::counted;
use crate::rare::{self, Effort, Entry, Finding, RareRow, sentence};
use crate::runner::thread_pool;
use crate::sweep_file::{self, Sweep};
use crate::tables::write_rare;

/// Finds, writes and prints how rarely the designs of a sweep open falsely.
///
/// # Errors
///
/// When the sweep is wrong or has no mode in which opening is false, a design does not exist, or a result cannot be written.
pub fn run(args: &RareArgs, out: &mut impl Write) -> Result<Outcome, Failure> {
    let sweep = sweep_file::load(&args.sweep, &args.overrides, None)?;
    let modes = rare::false_modes(&sweep).map_err(Failure::Input)?;
    let designs = match &args.designs {
        None => (0..sweep.designs.len()).collect(),
        Some(list) => designs(list, &sweep)?,
    };
    let (data, plots) = folders(&sweep, args.out.as_deref());
    // Before anything is computed: results that are missing should not cost the time.
    let detection = if args.plot { Some(rare::detection(&data, &sweep, &args.sweep)?) } else { None };
    fs::create_dir_all(&data).map_err(Failure::write(&data))?;
    let lock = FolderLock::take(&data).map_err(Failure::write(&data))?;
    let Some(_lock) = lock else { return Err(Failure::Busy(data)) };

    let level = Level::new(sweep.level).map_err(|error| Failure::System(error.to_string()))?;
    let plain = Effort::default();
    let effort = Effort { trials: plain.trials * args.effort, simulate: args.simulate, ..plain };
    let pool = thread_pool(args.jobs).map_err(|error| Failure::System(format!("cannot start threads: {error}")))?;
    let entries = rare::find(&sweep, &modes, &designs, effort, level, &pool);

    let rows: Vec<RareRow> = entries.iter().map(|entry| entry.row(&sweep)).collect();
    let path = data.join("rare.parquet");
    write_rare(&path, &Manifest::new(&sweep).to_json(), &rows).map_err(Failure::write(&path))?;
    if let Some(means) = detection {
        rare::draw(&plots, &sweep, &entries, &means)?;
    }
    if args.json {
        let json = serde_json::to_string_pretty(&rows).map_err(|error| Failure::System(error.to_string()))?;
        writeln!(out, "{json}")?;
    } else {
        print(&sweep, &entries, out)?;
        writeln!(out, "\nTable: {}", path.display())?;
        if args.plot {
            writeln!(out, "Plot: {}/rare.svg and .png", plots.display())?;
        }
    }
    Ok(Outcome::Done)
}

fn folders(sweep: &Sweep, out: Option<&Path>) -> (PathBuf, PathBuf) {
    match out {
        Some(out) => (out.to_owned(), out.join("plots")),
        None => (Path::new("data").join(&sweep.name), Path::new("plots").join(&sweep.name)),
    }
}

/// The designs of a list such as `0,20-24`, in ascending order.
fn designs(list: &str, sweep: &Sweep) -> Result<Vec<usize>, Failure> {
    let last = sweep.designs.len() - 1;
    let wrong = |part: &str| {
        Failure::Input(format!(
            "--designs \"{list}\": \"{part}\" names no design; this sweep has designs 0 to {last}: write numbers and ranges \
             such as 0,{last} or 0-{last}"
        ))
    };
    let mut designs = Vec::new();
    for part in list.split(',').map(str::trim) {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|&number| number <= last);
        match (number(from), number(to)) {
            (Some(from), Some(to)) if from <= to => designs.extend(from..=to),
            _ => return Err(wrong(part)),
        }
    }
    designs.sort_unstable();
    designs.dedup();
    Ok(designs)
}

/// A paragraph for all designs of which the same is found in every mode, as they differ in what an open breaker does.
fn print(sweep: &Sweep, entries: &[Entry], out: &mut impl Write) -> io::Result<()> {
    let modes = entries.chunk_by(|a, b| a.design == b.design).next().map_or(1, <[Entry]>::len);
    let findings = |entries: &[Entry]| entries.iter().map(|entry| entry.finding.clone()).collect::<Vec<_>>();
    let of_design: Vec<&[Entry]> = entries.chunks(modes).collect();
    let same = |a: &&[Entry], b: &&[Entry]| {
        let rule = |entries: &&[Entry]| without_open_time(&sweep.designs[entries[0].design].rule);
        rule(a) == rule(b) && findings(a) == findings(b)
    };
    let width = entries.iter().map(|entry| sweep.modes[entry.mode].name.len()).max().unwrap_or(0);
    writeln!(out, "How long a breaker goes without a false open while the mode's fault lasts, in the mean:")?;
    for group in of_design.chunk_by(same) {
        let first = group[0][0].design;
        let numbers: Vec<u32> = group.iter().map(|entries| sweep.designs[entries[0].design].number).collect();
        let name = match without_open_time(&sweep.designs[first].rule) {
            Some(name) if group.len() > 1 => name,
            _ => sweep.designs[first].rule.to_string(),
        };
        writeln!(out, "\n{name} ({})", in_words(&numbers))?;
        for entry in group[0] {
            writeln!(out, "  {:<width$}  {}", sweep.modes[entry.mode].name, sentence(entry, sweep.level))?;
        }
    }
    let exact = |entry: &&Entry| matches!(entry.finding, Finding::Exact { .. }) && entry.without_slot > 0.001;
    if let Some(entry) = entries.iter().filter(exact).max_by(|a, b| a.without_slot.total_cmp(&b.without_slot)) {
        writeln!(
            out,
            "\nIn {}, {:.1} % of the calls find no free slot, and more while slow failures hold the slots. Computed times leave \
             that out; with --simulate they are estimated.",
            sweep.modes[entry.mode].name,
            100.0 * entry.without_slot
        )?;
    }
    let refused = entries.iter().filter(|entry| entry.method() == rare::Method::Refused).count();
    if refused > 0 {
        writeln!(out, "\n{} of {} are not known.", refused, counted(entries.len() as u64, "answer"))?;
    }
    Ok(())
}

/// What opens a rule that is no library's, in words.
fn without_open_time(rule: &AnyRule) -> Option<String> {
    let threshold = rule.threshold()?;
    Some(match rule.window() {
        Some(window) => format!("{} {threshold} of {window}", rule.name()),
        None => format!("{} {threshold}", rule.name()),
    })
}

/// Ascending numbers: `design 7`, `designs 0-4`, `designs 1, 3`.
fn in_words(numbers: &[u32]) -> String {
    let ranges = numbers.chunk_by(|a, b| a + 1 == *b).map(|range| match range {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    let list = ranges.collect::<Vec<_>>().join(", ");
    if numbers.len() == 1 { format!("design {list}") } else { format!("designs {list}") }
}
