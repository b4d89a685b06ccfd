//! `experiments SWEEP`: simulate, write, draw, report.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use statistics::Level;

use super::{Failure, Outcome};
use crate::cli::RunArgs;
use crate::estimates::{Accumulators, Estimates};
use crate::fronts::{self, Front};
use crate::manifest::{Execution, Manifest, manifest_file};
use crate::numbers::{grouped, magnitude};
use crate::progress::Progress;
use crate::publish::publish;
use crate::runner::{ReplicationRuns, simulate_all, thread_pool};
use crate::sweep_file::{self, Sweep};
use crate::tables::{RunsFile, write_designs, write_front, write_summary};
use crate::{plots, report};

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
    // Standard output is for the reader; with --quiet there is none.
    let mut out: Box<dyn Write> = if args.quiet { Box::new(std::io::sink()) } else { Box::new(std::io::stdout()) };
    describe(&sweep, &folders, &mut out)?;
    if args.dry_run {
        writeln!(out, "Dry run: nothing was simulated or written.")?;
        return Ok(Outcome::Done);
    }

    let manifest = Manifest::new(&sweep);
    let metadata = manifest.to_json();
    // Before anything is simulated: a folder that cannot be written to should not cost a sweep.
    let runs_path = folders.data.join("runs.parquet");
    fs::create_dir_all(&folders.data).map_err(Failure::write(&folders.data))?;
    let runs_file = RunsFile::create(&runs_path, &metadata, &sweep).map_err(Failure::write(&runs_path))?;

    let simulated = simulate_and_write(&sweep, args, runs_file, &runs_path)?;
    let done = simulated.replications;
    if done == 0 {
        writeln!(
            out,
            "Interrupted before the first replication ended: nothing was written. Run the same command again."
        )?;
        return Ok(Outcome::Partial);
    }

    let level = Level::new(sweep.level).map_err(|error| Failure::Input(error.to_string()))?;
    let estimates = simulated.accumulators.estimates(&sweep, level);
    let fronts = fronts::fronts(&sweep, &estimates).map_err(|error| Failure::System(error.to_string()))?;
    write_tables(&folders, &metadata, &sweep, &estimates, &fronts)?;
    if !args.no_plots {
        plots::draw(&folders.plots, &sweep, &estimates, &fronts)?;
    }
    let execution = Execution {
        complete: done == sweep.replications,
        replications: sweep.replications,
        replications_done: done,
        jobs: simulated.jobs,
        elapsed_secs: started.elapsed().as_secs_f64(),
        designs_simulated: sweep.distinct_designs(),
        requests_simulated: simulated.requests,
    };
    let manifest_path = folders.data.join("manifest.json");
    publish(&manifest_path, manifest_file(&manifest, &execution).as_bytes()).map_err(Failure::write(&manifest_path))?;

    report::print(&sweep, &estimates, &fronts, &mut out)?;
    summarise(&simulated, &execution, &folders, args, &mut out)?;
    if execution.complete {
        return Ok(Outcome::Done);
    }
    eprintln!(
        "Interrupted: {done} of {} replications are done and written, and everything above is about them alone.\n\
         Run the same command again for all of them, or with --replications {done} for exactly these.",
        sweep.replications
    );
    Ok(Outcome::Partial)
}

/// What is going to be simulated.
fn describe(sweep: &Sweep, folders: &Folders, out: &mut impl Write) -> Result<(), Failure> {
    let modes: Vec<&str> = sweep.modes.iter().map(|mode| mode.name.as_str()).collect();
    writeln!(
        out,
        "{}: {} designs x {} modes ({}) x {} replications = {} runs, about {} requests",
        sweep.name,
        sweep.designs.len(),
        sweep.modes.len(),
        modes.join(", "),
        sweep.replications,
        grouped(sweep.runs()),
        magnitude(sweep.requests()),
    )?;
    for note in &sweep.notes {
        writeln!(out, "note: {note}")?;
    }
    writeln!(out, "results: {}, plots: {}", folders.data.display(), folders.plots.display())?;
    Ok(())
}

/// What came of simulating.
struct Simulated {
    replications: u32,
    accumulators: Accumulators,
    requests: u64,
    seconds: f64,
    jobs: usize,
}

fn simulate_and_write(
    sweep: &Sweep,
    args: &RunArgs,
    mut runs_file: RunsFile<'_>,
    runs_path: &Path,
) -> Result<Simulated, Failure> {
    let pool = thread_pool(args.jobs).map_err(|error| Failure::System(format!("cannot start threads: {error}")))?;
    let stop = stop_on_signal()?;
    let mut accumulators = Accumulators::new(sweep);
    let mut progress = Progress::new(sweep.replications, args.quiet);
    let replications = simulate_all(sweep, &pool, &stop, |runs| {
        accumulators.add(&runs);
        progress.advance(requests(&runs));
        runs_file.append(runs).map_err(Failure::write(runs_path))
    })?;
    let (requests, seconds) = progress.finish();
    if replications > 0 {
        runs_file.finish().map_err(Failure::write(runs_path))?;
    }
    Ok(Simulated { replications, accumulators, requests, seconds, jobs: pool.current_num_threads() })
}

/// Set by Ctrl-C or a termination signal: finish what is running, start nothing more.
fn stop_on_signal() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let told = move || {
        if !flag.swap(true, Ordering::Relaxed) {
            eprintln!("\nStopping: finishing the replications that are running.");
        }
    };
    ctrlc::set_handler(told).map_err(|error| Failure::System(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(stop)
}

/// Requests of both flows that were simulated for a replication.
fn requests(runs: &ReplicationRuns) -> u64 {
    runs.runs.iter().flatten().map(|run| run.requests + run.neighbour_requests).sum()
}

fn write_tables(
    folders: &Folders,
    metadata: &str,
    sweep: &Sweep,
    estimates: &Estimates,
    fronts: &[Front],
) -> Result<(), Failure> {
    let path = |name| folders.data.join(name);
    let (designs, summary, front) = (path("designs.parquet"), path("summary.parquet"), path("front.parquet"));
    write_designs(&designs, metadata, sweep).map_err(Failure::write(&designs))?;
    write_summary(&summary, metadata, sweep, estimates).map_err(Failure::write(&summary))?;
    write_front(&front, metadata, sweep, fronts).map_err(Failure::write(&front))
}

fn summarise(
    simulated: &Simulated,
    execution: &Execution,
    folders: &Folders,
    args: &RunArgs,
    out: &mut impl Write,
) -> Result<(), Failure> {
    writeln!(
        out,
        "{} requests simulated in {:.1} s on {} threads ({:.1} M requests/s); {:.1} s in all.",
        magnitude(simulated.requests as f64),
        simulated.seconds,
        simulated.jobs,
        simulated.requests as f64 / simulated.seconds / 1e6,
        execution.elapsed_secs,
    )?;
    writeln!(out, "Tables: {}/{{runs,designs,summary,front}}.parquet", folders.data.display())?;
    if !args.no_plots {
        writeln!(out, "Plots:  {}/*.svg and *.png", folders.plots.display())?;
    }
    Ok(())
}
