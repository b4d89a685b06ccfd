//! A small part of a sweep, simulated to foretell what all of it takes.

use std::time::{Duration, Instant};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use scenario::Sharing;

use crate::blocks::{BlockStore, replications_per_block};
use crate::commands::Failure;
use crate::estimates::Accumulators;
use crate::manifest::Manifest;
use crate::runner::{DistinctDesigns, ReplicationRuns, simulate, thread_count, thread_pool};
use crate::sweep_file::Sweep;
use crate::tables::RunsFile;

/// A pilot has no more replications than this, ...
const MOST_REPLICATIONS: u32 = 64;
/// ... and begins no more after this time.
const LONGEST: Duration = Duration::from_secs(2);

/// What a sweep is going to take.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    /// For so many replications in all.
    pub replications: u32,
    /// Replications that were simulated for it.
    pub pilot: u32,
    /// The size of `runs.parquet` in bytes.
    pub runs_file: f64,
    /// The size of all blocks in bytes.
    pub blocks: f64,
    /// Seconds on this machine, as busy as it was: at least, and at most if the rest is like the pilot.
    pub seconds: (f64, f64),
    /// On so many threads.
    pub jobs: usize,
}

/// Simulates a part of a sweep and extrapolates to all of it; where a sweep ends when it is precise, first to the fewest
/// replications. The first `done` of them need not be simulated any more.
///
/// # Errors
///
/// When there is no room for a temporary file, or the threads are refused.
pub fn forecasts(sweep: &Sweep, jobs: usize, sharing: Sharing, done: u32) -> Result<Vec<Forecast>, Failure> {
    let jobs = thread_count(jobs, sweep.replications);
    let pool = thread_pool(jobs).map_err(|error| Failure::System(format!("cannot start threads: {error}")))?;
    let designs = DistinctDesigns::of(sweep).design_set(sweep);
    let began = Instant::now();
    let mut runs: Vec<ReplicationRuns> = Vec::new();
    let mut rates = Vec::new();
    while (runs.len() as u32) < sweep.replications.min(MOST_REPLICATIONS)
        && (rates.len() < 2 || began.elapsed() < LONGEST)
    {
        let first = runs.len() as u32;
        let batch = first..sweep.replications.min(first + 2 * jobs as u32);
        let started = Instant::now();
        let simulated: Vec<ReplicationRuns> = pool.install(|| {
            batch.clone().into_par_iter().map(|replication| simulate(sweep, &designs, sharing, replication)).collect()
        });
        rates.push(started.elapsed().as_secs_f64() / batch.len() as f64);
        runs.extend(simulated);
    }
    let (sizes, written) = sizes(sweep, &runs)?;
    let fastest = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let slowest = rates.iter().copied().fold(0.0, f64::max);
    let forecast = |replications: u32| {
        let (all, missing) = (f64::from(replications), f64::from(replications.saturating_sub(done)));
        Forecast {
            replications,
            pilot: runs.len() as u32,
            runs_file: sizes.runs_file.at(all, replications_per_group(sweep)),
            blocks: sizes.blocks.at(all, f64::from(replications_per_block(sweep))),
            // Writing runs beside simulating: at best it takes no time of its own, at worst all of it.
            seconds: ((missing * fastest).max(all * written), missing * slowest + all * written),
            jobs,
        }
    };
    let fewest = sweep.stopping.as_ref().and_then(|stopping| u32::try_from(stopping.looks.min()).ok());
    Ok(fewest.into_iter().chain([sweep.replications]).map(forecast).collect())
}

fn replications_per_group(sweep: &Sweep) -> f64 {
    f64::from(u32::try_from(RunsFile::replications_per_group(sweep)).unwrap_or(u32::MAX))
}

/// The size of something by its number of replications: a part for each group of them, and a part for each of them.
#[derive(Clone, Copy)]
struct Size {
    per_group: f64,
    per_replication: f64,
}

/// So many replications take so many bytes.
type Measured = (usize, u64);

impl Size {
    /// From the sizes of a half and the whole of a pilot.
    fn of(half: Measured, whole: Measured) -> Self {
        if half.0 == whole.0 {
            return Self { per_group: 0.0, per_replication: whole.1 as f64 / whole.0 as f64 };
        }
        let per_replication = (whole.1 as f64 - half.1 as f64) / (whole.0 - half.0) as f64;
        Self { per_group: (whole.1 as f64 - per_replication * whole.0 as f64).max(0.0), per_replication }
    }

    fn at(self, replications: f64, group: f64) -> f64 {
        self.per_group * (replications / group).ceil() + self.per_replication * replications
    }
}

struct Sizes {
    runs_file: Size,
    blocks: Size,
}

/// The sizes as measured with the runs of a pilot, and the seconds that writing and adding up a replication take.
fn sizes(sweep: &Sweep, runs: &[ReplicationRuns]) -> Result<(Sizes, f64), Failure> {
    let folder =
        tempfile::tempdir().map_err(|error| Failure::System(format!("cannot make a temporary folder: {error}")))?;
    let path = folder.path().join("runs.parquet");
    let store = BlockStore::new(folder.path(), sweep);
    let manifest = Manifest::new(sweep).to_json();
    let began = Instant::now();
    let measure = |part: &[ReplicationRuns]| -> Result<(Measured, Measured), Failure> {
        let mut accumulators = Accumulators::new(sweep);
        let mut file = RunsFile::create(&path, &manifest, sweep).map_err(Failure::write(&path))?;
        for runs in part {
            accumulators.add(runs);
            file.append(runs.clone()).map_err(Failure::write(&path))?;
        }
        file.finish().map_err(Failure::write(&path))?;
        let size = std::fs::metadata(&path).map_err(Failure::read(&path))?.len();
        Ok(((part.len(), size), (part.len(), store.size_of(part)?)))
    };
    let half = measure(&runs[..runs.len().div_ceil(2)])?;
    let whole = measure(runs)?;
    let written = began.elapsed().as_secs_f64() / (half.0.0 + whole.0.0) as f64;
    let sizes = Sizes { runs_file: Size::of(half.0, whole.0), blocks: Size::of(half.1, whole.1) };
    Ok((sizes, written))
}
