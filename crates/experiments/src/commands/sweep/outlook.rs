//! What a sweep is going to do, before it does it.

use std::io::Write;

use scenario::Sharing;

use super::{Folders, missing};
use crate::blocks::BlockStore;
use crate::cli::RunArgs;
use crate::commands::Failure;
use crate::console;
use crate::numbers::{counted, grouped, magnitude};
use crate::objective_values::ObjectiveValues;
use crate::pilot::{self, Forecast};
use crate::sweep_file::{Stopping, Sweep};
use crate::wrapped::wrapped;

/// Bytes that a design takes in each mode, as measured with 120,000 designs (10,000) and with 105,000 of which half are others in
/// other words (13,000): sums, estimates, and the tables when they are written.
const MEMORY_PER_DESIGN_AND_MODE: f64 = 11_500.0;
/// Bytes that a request takes in each mode while its replication is under way, as measured with 15 million requests.
const MEMORY_PER_REQUEST_AND_MODE: f64 = 60.0;

/// What is going to be simulated.
pub(super) fn describe(sweep: &Sweep, folders: &Folders, out: &mut impl Write) -> Result<(), Failure> {
    let mut paragraph = |text: String| writeln!(out, "{}", wrapped(&text, console::width(), "  "));
    let modes: Vec<&str> = sweep.modes.iter().map(|mode| mode.name.as_str()).collect();
    paragraph(format!(
        "{}: {} x {} ({}) x {} = {}, about {} requests{}",
        sweep.name,
        counted(sweep.designs.len() as u64, "design"),
        counted(sweep.modes.len() as u64, "mode"),
        modes.join(", "),
        counted(u64::from(sweep.replications), "replication"),
        counted(sweep.runs(), "run"),
        magnitude(sweep.requests()),
        if sweep.stopping.is_some() { " at most" } else { "" },
    ))?;
    if let Some(Stopping { looks, .. }) = &sweep.stopping {
        paragraph(format!(
            "It ends when it is precise: after {} to {} replications, looked at every {}",
            grouped(looks.min()),
            grouped(looks.max()),
            grouped(looks.block())
        ))?;
    }
    let memory = sweep.designs.len() as f64 * sweep.modes.len() as f64 * MEMORY_PER_DESIGN_AND_MODE;
    let memory = if sweep.analysis.resamples() || sweep.race.is_some() {
        memory + f64::from(sweep.replications) * ObjectiveValues::bytes_per_replication(sweep)
    } else {
        memory
    };
    if memory > 1e9 {
        paragraph(format!("note: this sweep takes about {:.0} GB of memory", memory / 1e9))?;
    }
    let memory = sweep.requests_per_run() * sweep.modes.len() as f64 * MEMORY_PER_REQUEST_AND_MODE;
    if memory > 1e9 && !sweep.needs_the_richer_world() {
        paragraph(format!(
            "note: runs of so many requests take about {:.0} GB of memory for each thread",
            memory / 1e9
        ))?;
    }
    // Designs that share worlds are hundreds of times faster than those that do not.
    let fastest = if sweep.needs_the_richer_world() { 1e7 } else { 1e10 };
    let days = sweep.requests() / fastest / 86_400.0;
    if days > 1.0 {
        paragraph(format!(
            "note: on one machine this takes {} days or more; --dry-run measures how long, and shards divide it among machines",
            grouped(days.ceil() as u64)
        ))?;
    }
    for note in &sweep.notes {
        paragraph(format!("note: {note}"))?;
    }
    writeln!(out, "results: {}, plots: {}", folders.data.display(), folders.plots.display())?;
    Ok(())
}

/// What a sweep takes, as far as a pilot can tell.
pub(super) fn foretell(sweep: &Sweep, folders: &Folders, args: &RunArgs, out: &mut impl Write) -> Result<(), Failure> {
    let done = sweep.replications - missing(&BlockStore::new(&folders.data, sweep).list()?, sweep.replications);
    let sharing = if args.plain { Sharing::Plain } else { Sharing::Auto };
    let mut paragraph = |text: String| writeln!(out, "{}", wrapped(&text, console::width(), "  "));
    let forecast = pilot::forecast(sweep, args.jobs, sharing, done)?;
    if done > 0 {
        paragraph(format!("{} are in blocks already.", counted(u64::from(done), "replication")))?;
    }
    match forecast {
        Forecast::Likely(forecasts) => {
            for forecast in &forecasts {
                let with = if sweep.stopping.is_some() {
                    format!("With {}: ", counted(u64::from(forecast.replications), "replication"))
                } else {
                    String::new()
                };
                paragraph(format!(
                    "{with}runs.parquet: about {} bytes, and about {} in blocks; {:.1} to {:.1} s on {}, as busy as they were \
                     during a pilot of {}.",
                    grouped(forecast.runs_file.round() as u64),
                    grouped(forecast.blocks.round() as u64),
                    forecast.seconds.0,
                    forecast.seconds.1,
                    counted(forecast.jobs as u64, "thread"),
                    counted(u64::from(forecast.pilot), "replication"),
                ))?;
            }
        }
        Forecast::Longer { seconds, jobs } => paragraph(format!(
            "The pilot was given up before its first replication was done: all take at least {:.1} hours on {}. Fewer designs \
             or modes, or a shorter horizon, make each replication shorter; shards divide the replications among machines.",
            seconds / 3600.0,
            counted(jobs as u64, "thread"),
        ))?,
    }
    writeln!(out, "Dry run: nothing was written.")?;
    Ok(())
}
