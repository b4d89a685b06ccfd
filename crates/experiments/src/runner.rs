//! Replications in parallel, results in order.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use policies::AnyRule;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use scenario::{DesignSet, ModeStreams, Replication, RunRecord, Sharing, SharingMemory, SharingStats};

use crate::in_order::in_order;
use crate::sweep_file::Sweep;

/// All runs of one replication: for each mode, one record for each *distinct* design, in order.
#[derive(Clone, Debug)]
pub struct ReplicationRuns {
    /// The replication's number, from 0.
    pub replication: u32,
    /// `runs[mode][slot]`, where slot is [`DistinctDesigns::slot_of`] of a design.
    pub runs: Vec<Vec<RunRecord>>,
    /// How much of it was shared among designs.
    pub sharing: SharingStats,
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

    /// The simulated designs, prepared to be run.
    #[must_use]
    pub fn design_set(&self, sweep: &Sweep) -> DesignSet {
        let rules: Vec<AnyRule> = self.simulated.iter().map(|&design| sweep.designs[design].rule).collect();
        DesignSet::new(&rules)
    }
}

/// More threads than this have never helped, and starting them costs seconds.
const MOST_THREADS: usize = 512;

/// How many threads are worth starting for a sweep: `jobs`, or one per core for 0, but no more than there are replications.
#[must_use]
pub fn thread_count(jobs: usize, replications: u32) -> usize {
    let wanted = if jobs == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { jobs };
    wanted.min(replications as usize).min(MOST_THREADS)
}

/// Builds the pool that simulates, of `jobs` threads.
///
/// # Errors
///
/// When the operating system refuses the threads.
pub fn thread_pool(jobs: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new().num_threads(jobs).thread_name(|index| format!("replications-{index}")).build()
}

/// Simulates one replication: all modes, all of the `designs`, in the way of `sharing`, which does not change the records.
#[must_use]
pub fn simulate(sweep: &Sweep, designs: &DesignSet, sharing: Sharing, replication: u32) -> ReplicationRuns {
    simulate_in(&mut SharingMemory::default(), sweep, designs, sharing, replication)
}

/// [`simulate`] in memory that may have been used before.
fn simulate_in(
    memory: &mut SharingMemory,
    sweep: &Sweep,
    designs: &DesignSet,
    sharing: Sharing,
    replication: u32,
) -> ReplicationRuns {
    let draws = Replication::draw(&sweep.scenario, sweep.root_seed, replication);
    let mut runs = Vec::new();
    let sharing = designs.run_modes_in(memory, &ModeStreams::draw(&draws, &sweep.modes), sharing, &mut runs);
    ReplicationRuns { replication, runs, sharing }
}

/// Simulates a range of replications on `pool` and hands each to `receive` in order of its number, as it and all before it
/// are done. Stops early when `stop` is set: what is running has two seconds to end, whatever continues the prefix is still
/// handed over, and the rest is abandoned. Returns the replication after the last that was handed over.
///
/// # Errors
///
/// The first error of `receive`; nothing more is started then.
pub fn simulate_all<E>(
    sweep: &Sweep,
    pool: &ThreadPool,
    sharing: Sharing,
    range: Range<u32>,
    stop: &AtomicBool,
    receive: impl FnMut(ReplicationRuns) -> Result<(), E>,
) -> Result<u32, E> {
    let designs = DistinctDesigns::of(sweep).design_set(sweep);
    simulate_designs(sweep, designs, pool, sharing, range, stop, receive)
}

/// [`simulate_all`] of some of the designs, whose runs are in their order.
///
/// # Errors
///
/// The first error of `receive`; nothing more is started then.
pub fn simulate_designs<E>(
    sweep: &Sweep,
    designs: DesignSet,
    pool: &ThreadPool,
    sharing: Sharing,
    range: Range<u32>,
    stop: &AtomicBool,
    receive: impl FnMut(ReplicationRuns) -> Result<(), E>,
) -> Result<u32, E> {
    let sweep = sweep.clone();
    let simulate = move |memory: &mut _, replication| simulate_in(memory, &sweep, &designs, sharing, replication);
    in_order(pool, range, stop, simulate, receive)
}

/// Requests of both flows that were simulated for a replication.
#[must_use]
pub fn requests(runs: &ReplicationRuns) -> u64 {
    runs.runs.iter().flatten().map(|run| run.requests + run.neighbour_requests).sum()
}
