//! Replications in parallel, results in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};

use rayon::iter::{ParallelBridge, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use scenario::{Replication, RunRecord, run_any};

use crate::sweep_file::Sweep;

/// All runs of one replication: for each mode, one record for each *distinct* design, in order.
#[derive(Clone, Debug)]
pub struct ReplicationRuns {
    /// The replication's number, from 0.
    pub replication: u32,
    /// `runs[mode][slot]`, where slot is [`DistinctDesigns::slot_of`] of a design.
    pub runs: Vec<Vec<RunRecord>>,
}

/// Which designs have to be simulated: those that are the same rule in other words share the runs of the first of them.
#[derive(Clone, Debug)]
pub struct DistinctDesigns {
    /// The designs that are simulated, as indices into [`Sweep::designs`].
    pub simulated: Vec<usize>,
    /// For every design, the position of its runs.
    pub slot_of: Vec<usize>,
}

impl DistinctDesigns {
    /// Sorts a sweep's designs into the simulated ones and their equivalents.
    #[must_use]
    pub fn of(sweep: &Sweep) -> Self {
        let mut simulated = Vec::new();
        let mut slot_of: Vec<usize> = Vec::with_capacity(sweep.designs.len());
        for (index, design) in sweep.designs.iter().enumerate() {
            match design.equivalent_to {
                Some(first) => slot_of.push(slot_of[first as usize]),
                None => {
                    slot_of.push(simulated.len());
                    simulated.push(index);
                }
            }
        }
        Self { simulated, slot_of }
    }
}

/// Builds the pool that simulates: `jobs` threads, or one per core for 0.
///
/// # Errors
///
/// When the operating system refuses the threads.
pub fn thread_pool(jobs: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(jobs).thread_name(|index| format!("replications-{index}")).build()
}

/// Simulates one replication: all modes, all distinct designs.
#[must_use]
pub fn simulate(sweep: &Sweep, distinct: &DistinctDesigns, replication: u32) -> ReplicationRuns {
    let draws = Replication::draw(&sweep.scenario, sweep.root_seed, replication);
    let run_mode = |mode| {
        let stream = draws.stream(mode);
        distinct.simulated.iter().map(|&design| run_any(&sweep.designs[design].rule, &stream)).collect()
    };
    ReplicationRuns { replication, runs: sweep.modes.iter().map(run_mode).collect() }
}

/// Simulates all replications on `pool` and hands each to `receive` in order of its number, as it and all before it are
/// done. Stops early when `stop` is set: what is running is finished, and whatever continues the prefix is still handed
/// over. Returns how many replications were handed over.
///
/// # Errors
///
/// The first error of `receive`; nothing more is started then.
pub fn simulate_all<E: Send>(
    sweep: &Sweep,
    pool: &ThreadPool,
    stop: &AtomicBool,
    receive: impl FnMut(ReplicationRuns) -> Result<(), E> + Send,
) -> Result<u32, E> {
    let distinct = DistinctDesigns::of(sweep);
    let failed = AtomicBool::new(false);
    // Workers wait when the writer is behind, so that finished runs do not pile up.
    let (sender, receiver) = mpsc::sync_channel(2 * pool.current_num_threads());
    std::thread::scope(|threads| {
        let writer = threads.spawn(|| {
            let result = in_order(receiver, receive);
            failed.store(result.is_err(), Ordering::Relaxed);
            result
        });
        pool.install(|| {
            (0..sweep.replications)
                .take_while(|_| !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed))
                .par_bridge()
                .for_each_with(sender, |sender, replication| {
                    // The receiver is gone only after an error, which is reported below.
                    let _ = sender.send(simulate(sweep, &distinct, replication));
                });
        });
        writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Hands over what arrives in order of its replication, holding back what is early.
fn in_order<E>(
    receiver: Receiver<ReplicationRuns>,
    mut receive: impl FnMut(ReplicationRuns) -> Result<(), E>,
) -> Result<u32, E> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for runs in receiver {
        early.insert(runs.replication, runs);
        while let Some(runs) = early.remove(&next) {
            receive(runs)?;
            next += 1;
        }
    }
    Ok(next)
}
