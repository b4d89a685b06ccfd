//! `experiments SWEEP`: simulate, write, draw, report.

mod account;
mod outlook;
mod received;
mod simulation;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use statistics::Level;

use account::{report_race, report_sharing, report_speed};
use outlook::{describe, foretell};
use simulation::{Simulated, Wanted, simulate_and_append};

use super::merge::{mergeable, next_round};
use super::{Failure, Outcome, rounds};
use crate::blocks::{BlockStore, Cover, Destination, Listing, Occupied, Plan, finished_replications};
use crate::cli::{MergeArgs, ProgressForm, RunArgs};
use crate::console::{self, Console, say};
use crate::estimates::Estimates;
use crate::folder_lock::FolderLock;
use crate::front_uncertainty::{self, FrontUncertainty};
use crate::fronts::{self, Front};
use crate::manifest::{self, Execution, Manifest, PrecisionFacts, manifest_file};
use crate::numbers::{counted, grouped};
use crate::objective_values::ObjectiveValues;
use crate::publish::publish;
use crate::race::Departure;
use crate::runner::{thread_count, thread_pool};
use crate::set_aside::{PREVIOUS, set_aside};
use crate::signals::Signals;
use crate::simultaneous::add_simultaneous;
use crate::stopping::Look;
use crate::sweep_file::{self, Stopping, Sweep};
use crate::tables::{RunsFile, write_designs, write_front, write_hypervolumes, write_membership, write_summary};
use crate::wrapped::wrapped;
use crate::{front_report, plots, report};

/// Where a sweep's results go.
struct Folders {
    data: PathBuf,
    plots: PathBuf,
}

impl Folders {
    fn of(sweep: &Sweep, out: Option<&Path>) -> Self {
        match out {
            Some(out) => Self { data: out.to_owned(), plots: out.join("plots") },
            None => Self { data: Path::new("data").join(&sweep.name), plots: Path::new("plots").join(&sweep.name) },
        }
    }
}

/// Runs a sweep.
///
/// # Errors
///
/// When the sweep is wrong or its results cannot be written.
pub fn run(args: &RunArgs) -> Result<Outcome, Failure> {
    let started = Instant::now();
    let sweep = sweep_file::load(&args.sweep, &args.overrides, args.replications)?;
    let folders = Folders::of(&sweep, args.out.as_deref());
    let mut out = Console::new(args.quiet);
    describe(&sweep, &folders, &mut out)?;
    if args.dry_run {
        foretell(&sweep, &folders, args, &mut out)?;
        out.finish()?;
        return Ok(Outcome::Done);
    }
    let outcome = run_into(&sweep, &folders, args, Task::Simulate, started, &mut out)?;
    out.finish()?;
    Ok(outcome)
}

/// Makes the tables of a sweep of blocks alone.
///
/// # Errors
///
/// When the sweep is wrong, blocks are missing, damaged or of another sweep, or the tables cannot be written.
pub fn merge(args: &MergeArgs) -> Result<Outcome, Failure> {
    let started = Instant::now();
    let sweep = sweep_file::load(&args.what.sweep, &args.what.overrides, args.what.replications)?;
    let folders = Folders::of(&sweep, Some(&args.out));
    let mut out = Console::new(args.quiet);
    describe(&sweep, &folders, &mut out)?;
    let (from, partial) = (args.from.clone(), args.partial);
    let args = RunArgs {
        sweep: args.what.sweep.clone(),
        overrides: args.what.overrides.clone(),
        replications: args.what.replications,
        jobs: 1,
        plain: false,
        out: Some(args.out.clone()),
        block: None,
        discard_blocks: false,
        replace: false,
        dry_run: false,
        quiet: args.quiet,
        progress: ProgressForm::Auto,
        no_plots: args.no_plots,
    };
    if sweep.race.is_some() {
        return Err(Failure::Input(rounds::NO_PARTS_OF_A_RACE.to_owned()));
    }
    let task = Task::Merge { from: from.as_ref(), partial };
    let outcome = run_into(&sweep, &folders, &args, task, started, &mut out)?;
    out.finish()?;
    Ok(outcome)
}

/// Where the runs come from.
#[derive(Clone, Copy)]
enum Task<'a> {
    /// Blocks, and what is missing is simulated.
    Simulate,
    /// Blocks alone, from elsewhere if so given; those before the first gap, or a look that is not precise enough, will do if
    /// `partial`.
    Merge { from: Option<&'a Destination>, partial: bool },
}

fn run_into(
    sweep: &Sweep,
    folders: &Folders,
    args: &RunArgs,
    task: Task<'_>,
    started: Instant,
    out: &mut Console,
) -> Result<Outcome, Failure> {
    let signals = Signals::listen().map_err(|error| Failure::System(format!("cannot listen for Ctrl-C: {error}")))?;
    // Before anything is simulated: a folder that cannot be written to should not cost a sweep.
    fs::create_dir_all(&folders.data).map_err(Failure::write(&folders.data))?;
    let lock = FolderLock::take(&folders.data).map_err(Failure::write(&folders.data))?;
    let Some(_lock) = lock else {
        return Err(Failure::Busy(folders.data.clone()));
    };
    let store = match task {
        Task::Merge { from: Some(from), .. } => BlockStore::at(from, sweep)?,
        _ => BlockStore::new(&folders.data, sweep),
    };
    let (listing, end) = match task {
        Task::Simulate => (make_room(sweep, &store, folders, args)?, sweep.replications),
        Task::Merge { partial, .. } => (Listing::default(), mergeable(sweep, &store, partial)?),
    };
    let keep = !args.replace && matches!(Occupied::of(&folders.data, &store, &listing)?, Occupied::Finished(_));
    let manifest = Manifest::new(sweep);
    let runs_path = folders.data.join("runs.parquet");
    let runs_file = RunsFile::create(&runs_path, &manifest.to_json(), sweep).map_err(Failure::write(&runs_path))?;

    let wanted = Wanted { store: &store, end, simulate: matches!(task, Task::Simulate) };
    let simulated = simulate_and_append(sweep, args, &wanted, runs_file, &runs_path, &signals)?;
    signals.obey_at_once();
    let done = simulated.replications;
    let complete = simulated.is_complete(sweep);
    let look = simulated.look.clone();
    if let (false, Task::Merge { partial, .. }, Some(Stopping { looks, .. })) = (complete, task, &sweep.stopping)
        && !signals.stop().load(Ordering::Relaxed)
    {
        say(next_round(looks, look.as_ref(), sweep, &store)?);
        if !partial || done == 0 {
            return Ok(Outcome::Partial);
        }
    }
    if !complete && sweep.race.is_some() {
        say(format_args!(
            "Interrupted after {done} of {}{} replications: no table was written. A race leaves no blocks, so the same command \
             begins anew; without [race] it would go on.",
            at_most(sweep),
            sweep.replications
        ));
        return Ok(Outcome::Partial);
    }
    let earlier = manifest.replications_in(&folders.data);
    if done == 0 || (!complete && earlier > done) {
        say(format_args!(
            "Interrupted after {done} of {}{} replications: no table was written{}. Run the same command again: it does only what \
             is missing.",
            at_most(sweep),
            sweep.replications,
            if earlier > 0 { format!(", and the folder keeps its earlier {earlier}") } else { String::new() },
        ));
        return Ok(Outcome::Partial);
    }
    if keep {
        set_aside(&folders.data, &folders.plots, &store, &listing.foreign)
            .map_err(|(path, error)| Failure::write(&path)(error))?;
    }
    publish_all(sweep, folders, args, started, &manifest, simulated, out)?;
    // The tables that were made of them are replaced.
    for (hash, range) in &listing.foreign {
        store.remove(hash, range)?;
    }
    if complete && args.discard_blocks {
        for range in store.list()?.own {
            store.remove(store.plan().hash(), &range)?;
        }
        store.remove_empty_folder();
    }
    if complete {
        return Ok(if report_precision(sweep, look.as_ref(), out)? { Outcome::Done } else { Outcome::NotPrecise });
    }
    if end < sweep.replications && done == end {
        say(format_args!(
            "Partial: everything above is about the first {done} of {}{} replications.",
            at_most(sweep),
            sweep.replications
        ));
        return Ok(Outcome::Partial);
    }
    say(format_args!(
        "Interrupted: {done} of {}{} replications are done and written, and everything above is about them alone.\n\
         Run the same command again for all of them, which does only what is missing, or with --replications {done} for \
         exactly these.",
        at_most(sweep),
        sweep.replications
    ));
    Ok(Outcome::Partial)
}

/// Where not all replications may be wanted.
fn at_most(sweep: &Sweep) -> &'static str {
    if sweep.stopping.is_some() { "at most " } else { "" }
}

/// Says whether the precision is reached that a sweep asks for; one that asks for none has reached it.
fn report_precision(sweep: &Sweep, look: Option<&Look>, out: &mut impl Write) -> Result<bool, Failure> {
    let Some(look) = look else { return Ok(true) };
    let replications = grouped(look.replications);
    if look.is_precise() {
        let text = format!(
            "Precision reached at {replications} replications: {} as precise as asked for, each by itself.",
            counted(look.demanded as u64, "estimate")
        );
        writeln!(out, "{}", wrapped(&text, console::width(), "  "))?;
        return Ok(true);
    }
    say(format_args!(
        "Precision not reached at {replications} replications, the most that are allowed: {}\nRaise `replications.max`, which \
         goes on from here, or ask for less.",
        look.shortfalls_in_words(sweep)
    ));
    Ok(false)
}

/// Prepares the folder's blocks for a sweep: what another one has not finished there is in the way, unless it may go.
fn make_room(sweep: &Sweep, store: &BlockStore, folders: &Folders, args: &RunArgs) -> Result<Listing, Failure> {
    store.create_folder()?;
    store.remove_staged()?;
    let mut listing = store.list()?;
    if args.replace {
        for (hash, range) in listing.foreign.drain(..) {
            store.remove(&hash, &range)?;
        }
    }
    let folder = folders.data.display();
    match Occupied::of(&folders.data, store, &listing)? {
        Occupied::Unfinished(difference, replications) => {
            return Err(Failure::Input(format!(
                "{folder} holds unfinished work of another sweep, {}: {difference}. The two must not be mixed. Choose another \
                 folder with --out DIR, or finish the other sweep by the command that began it, or throw its work away with \
                 --replace",
                counted(replications, "replication"),
            )));
        }
        Occupied::Finished(difference) if !args.quiet => {
            let what_becomes = if args.replace {
                "they will be replaced".to_owned()
            } else {
                let previous = folders.data.join(PREVIOUS);
                let room = if previous.join(manifest::FILE_NAME).exists() { ", in place of those there" } else { "" };
                format!(
                    "they will be kept in {}{room}. Give this sweep another name, or another folder with --out DIR, to keep \
                     both where they are",
                    previous.display()
                )
            };
            say(format_args!("note: {folder} holds the results of another sweep ({difference}): {what_becomes}"));
        }
        Occupied::Finished(_) | Occupied::Not => {}
    }
    let there = sweep.replications - missing(&listing, sweep.replications);
    if there > 0 && !args.quiet {
        say(format_args!(
            "note: {} of {} replications are there already",
            grouped(u64::from(there)),
            sweep.replications
        ));
    }
    Ok(listing)
}

/// How many of the replications no block holds.
fn missing(listing: &Listing, replications: u32) -> u32 {
    Cover::new(listing.own.clone()).missing(0..replications).iter().map(|range| range.end - range.start).sum()
}

/// Replaces the folder's contents by the results, the manifest last of the tables: where there is one, it is theirs.
fn publish_all(
    sweep: &Sweep,
    folders: &Folders,
    args: &RunArgs,
    started: Instant,
    manifest: &Manifest,
    simulated: Simulated<'_>,
    out: &mut Console,
) -> Result<(), Failure> {
    let level = level_of(sweep)?;
    let mut estimates = simulated.accumulators.estimates(sweep, level);
    if let Some(objectives) = simulated.objectives.as_ref().filter(|_| sweep.analysis.simultaneous) {
        add_simultaneous(&mut estimates, sweep, &simulated.accumulators, objectives)
            .map_err(|error| Failure::Input(error.to_string()))?;
    }
    let fronts = fronts::fronts(sweep, &estimates).map_err(|error| Failure::System(error.to_string()))?;
    let complete = simulated.is_complete(sweep);
    let replications_finished = match finished_replications(&folders.data, &Plan::of(sweep)) {
        earlier if complete => earlier.max(simulated.replications),
        earlier => earlier,
    };
    let manifest_path = folders.data.join(manifest::FILE_NAME);
    remove_if_there(&manifest_path)?;
    simulated.runs_file.finish().map_err(Failure::write(&folders.data.join("runs.parquet")))?;
    write_tables(folders, &manifest.to_json(), sweep, &estimates, &fronts, &simulated.departures)?;
    let uncertainty = study_fronts(sweep, args, &estimates, &fronts, simulated.objectives.as_ref())?;
    write_uncertainty(folders, &manifest.to_json(), sweep, &uncertainty)?;
    let execution = Execution {
        complete,
        replications: sweep.replications,
        replications_done: simulated.replications,
        replications_finished,
        replications_reused: simulated.speed.reused,
        jobs: simulated.speed.jobs,
        elapsed_secs: started.elapsed().as_secs_f64(),
        designs_simulated: sweep.distinct_designs(),
        requests_simulated: simulated.speed.requests,
        precision: simulated.look.as_ref().map(PrecisionFacts::from),
    };
    publish(&manifest_path, manifest_file(manifest, &execution).as_bytes()).map_err(Failure::write(&manifest_path))?;

    // Figures of earlier results would contradict the tables.
    for figure in plots::files(&folders.plots) {
        remove_if_there(&figure)?;
    }
    if !args.no_plots {
        plots::draw(&folders.plots, sweep, &estimates, &fronts, &uncertainty)?;
    }
    let width = console::width();
    report::print(sweep, &estimates, &fronts, width, out)?;
    if let Some(asked) = &sweep.analysis.front {
        front_report::print(sweep, asked, &uncertainty, width, out)?;
    }
    report_speed(simulated.speed, started, width, out)?;
    report_race(sweep, &simulated.departures, simulated.replications, width, out)?;
    report_sharing(&simulated.sharing, width, out)?;
    let more = match (uncertainty.is_empty(), uncertainty.iter().any(|front| front.hypervolume.is_some())) {
        (true, _) => "",
        (false, false) => ",membership",
        (false, true) => ",membership,hypervolume",
    };
    writeln!(out, "Tables: {}/{{runs,designs,summary,front{more}}}.parquet", folders.data.display())?;
    if !args.no_plots && !fronts.is_empty() {
        writeln!(out, "Plots:  {}/*.svg and *.png", folders.plots.display())?;
    }
    Ok(())
}

/// How far the fronts can be trusted, where that is asked.
fn study_fronts(
    sweep: &Sweep,
    args: &RunArgs,
    estimates: &Estimates,
    fronts: &[Front],
    objectives: Option<&ObjectiveValues>,
) -> Result<Vec<FrontUncertainty>, Failure> {
    let Some((asked, objectives)) = sweep.analysis.front.as_ref().zip(objectives) else { return Ok(Vec::new()) };
    let jobs = thread_count(args.jobs, asked.draws);
    let pool = thread_pool(jobs).map_err(|error| Failure::System(format!("cannot start threads: {error}")))?;
    Ok(front_uncertainty::study(sweep, asked, estimates, fronts, objectives, &pool))
}

/// The tables that only some sweeps have; those of earlier results would contradict the others.
fn write_uncertainty(
    folders: &Folders,
    metadata: &str,
    sweep: &Sweep,
    fronts: &[FrontUncertainty],
) -> Result<(), Failure> {
    let (membership, hypervolume) = (folders.data.join("membership.parquet"), folders.data.join("hypervolume.parquet"));
    match fronts.is_empty() {
        true => remove_if_there(&membership)?,
        false => write_membership(&membership, metadata, sweep, fronts).map_err(Failure::write(&membership))?,
    }
    match fronts.iter().any(|front| front.hypervolume.is_some()) {
        true => write_hypervolumes(&hypervolume, metadata, sweep, fronts).map_err(Failure::write(&hypervolume)),
        false => remove_if_there(&hypervolume),
    }
}

fn remove_if_there(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::write(path)(error)),
        _ => Ok(()),
    }
}

fn level_of(sweep: &Sweep) -> Result<Level, Failure> {
    Level::new(sweep.level).map_err(|error| Failure::Input(error.to_string()))
}

fn write_tables(
    folders: &Folders,
    metadata: &str,
    sweep: &Sweep,
    estimates: &Estimates,
    fronts: &[Front],
    departures: &[Option<Departure>],
) -> Result<(), Failure> {
    let path = |name| folders.data.join(name);
    let (designs, summary, front) = (path("designs.parquet"), path("summary.parquet"), path("front.parquet"));
    write_designs(&designs, metadata, sweep, departures).map_err(Failure::write(&designs))?;
    write_summary(&summary, metadata, sweep, estimates).map_err(Failure::write(&summary))?;
    write_front(&front, metadata, sweep, fronts).map_err(Failure::write(&front))
}
