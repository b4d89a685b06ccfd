//! Simulates a sweep, or takes it from blocks, from one look to the next.

use std::path::Path;

use scenario::{Sharing, SharingStats};
use statistics::Progress as PrecisionProgress;

use super::received::Received;
use crate::blocks::{BlockStore, Origin, Work, replications_per_block};
use crate::cli::RunArgs;
use crate::commands::Failure;
use crate::estimates::Accumulators;
use crate::objective_values::ObjectiveValues;
use crate::progress::Progress;
use crate::race::Departure;
use crate::runner::{simulate_designs, thread_count, thread_pool};
use crate::signals::Signals;
use crate::stopping::Look;
use crate::sweep_file::Sweep;
use crate::tables::RunsFile;

/// Which runs are wanted, and from where.
pub(super) struct Wanted<'a> {
    pub(super) store: &'a BlockStore,
    /// Replications from 0 to this one, without it.
    pub(super) end: u32,
    /// Whether what no block holds is simulated.
    pub(super) simulate: bool,
}

/// Simulates or reads what is wanted, in order, and appends it to `runs_file`, which lies at `runs_path`.
///
/// # Errors
///
/// When threads are refused, or something cannot be read or written.
pub(super) fn simulate_and_append<'a>(
    sweep: &'a Sweep,
    args: &RunArgs,
    wanted: &Wanted<'_>,
    runs_file: RunsFile<'a>,
    runs_path: &'a Path,
    signals: &'a Signals,
) -> Result<Simulated<'a>, Failure> {
    let jobs = thread_count(args.jobs, sweep.replications);
    let pool = thread_pool(jobs).map_err(|error| Failure::System(format!("cannot start threads: {error}")))?;
    let sharing = if args.plain { Sharing::Plain } else { Sharing::Auto };
    let work = Work {
        sweep,
        pool: &pool,
        sharing,
        store: wanted.store,
        block_length: args.block.unwrap_or_else(|| replications_per_block(sweep)),
        simulate: wanted.simulate,
        stop: signals.stop(),
    };
    let progress = Progress::new(wanted.end, args.progress.unless_quiet(args.quiet));
    let mut received = Received::new(sweep, runs_file, runs_path, progress, signals.stop())?;
    let mut replications = 0;
    loop {
        let next = received.next_look();
        let until = next.map_or(wanted.end, |look| wanted.end.min(u32::try_from(look).unwrap_or(u32::MAX)));
        let range = replications..until;
        replications = match received.racing() {
            None => work.in_order(range, |runs, origin| received.receive(&runs, origin))?,
            Some(designs) => simulate_designs(sweep, designs, &pool, sharing, range, signals.stop(), |runs| {
                received.receive(&runs, Origin::Simulated)
            })?,
        };
        let is_look = next == Some(u64::from(replications));
        if !is_look || !received.look()? || until == wanted.end {
            return Ok(received.finish(replications, jobs));
        }
    }
}

/// What came of simulating.
pub(super) struct Simulated<'a> {
    pub(super) replications: u32,
    pub(super) runs_file: RunsFile<'a>,
    pub(super) accumulators: Accumulators,
    /// The objectives of every run, where they are resampled.
    pub(super) objectives: Option<ObjectiveValues>,
    pub(super) sharing: SharingStats,
    pub(super) speed: Speed,
    /// What the last look at the precision said, where it was looked at.
    pub(super) look: Option<Look>,
    /// For each design, whether and when it left the race.
    pub(super) departures: Vec<Option<Departure>>,
}

impl Simulated<'_> {
    /// Whether no more replications are wanted.
    pub(super) fn is_complete(&self, sweep: &Sweep) -> bool {
        match (&sweep.stopping, &self.look) {
            (None, _) => self.replications == sweep.replications,
            (Some(_), None) => false,
            (Some(_), Some(look)) => {
                look.replications == u64::from(self.replications)
                    && !matches!(look.progress, PrecisionProgress::Continue { .. })
            }
        }
    }
}

/// How much was simulated how fast.
#[derive(Clone, Copy)]
pub(super) struct Speed {
    /// Replications that were taken from blocks.
    pub(super) reused: u32,
    pub(super) requests: u64,
    pub(super) seconds: f64,
    pub(super) jobs: usize,
}
