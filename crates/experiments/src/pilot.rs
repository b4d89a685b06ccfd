//! A small part of a sweep, simulated to foretell what all of it takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use scenario::Sharing;

use crate::blocks::{BlockStore, replications_per_block};
use crate::commands::Failure;
use crate::estimates::Accumulators;
use crate::manifest::Manifest;
use crate::runner::{ReplicationRuns, simulate_all, thread_count, thread_pool};
use crate::sweep_file::Sweep;
use crate::tables::RunsFile;

/// A pilot has no more replications than this, ...
const MOST_REPLICATIONS: u32 = 64;
/// ... and begins no more after this time.
const LONGEST: Duration = Duration::from_secs(2);
/// It is given up after this time, even without a replication.
const GIVEN_UP: Duration = Duration::from_secs(20);

/// What a sweep is going to take.
#[derive(Clone, Debug)]
pub enum Forecast {
    /// As the pilot tells: for all replications, after what the fewest take where precision decides how many there are.
    Likely(Vec<Likely>),
    /// The pilot was given up before its first replication was done.
    Longer {
        /// Seconds that all replications take at least.
        seconds: f64,
        /// On so many threads.
        jobs: usize,
    },
}

/// What a sweep takes if all of it is like the pilot.
#[derive(Clone, Copy, Debug)]
pub struct Likely {
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
pub fn forecast(sweep: &Sweep, jobs: usize, sharing: Sharing, done: u32) -> Result<Forecast, Failure> {
    let jobs = thread_count(jobs, sweep.replications);
    let missing = f64::from(sweep.replications - done);
    let Part { runs, rates } = simulate_part(sweep, jobs, sharing)?;
    if runs.is_empty() {
        // Each thread has been at one replication for all of the time.
        let seconds = GIVEN_UP.as_secs_f64() * (missing / jobs as f64).ceil();
        return Ok(Forecast::Longer { seconds, jobs });
    }
    let (sizes, written) = sizes(sweep, &runs)?;
    let fastest = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let slowest = rates.iter().copied().fold(0.0, f64::max);
    let likely = |replications: u32| {
        let (all, missing) = (f64::from(replications), f64::from(replications.saturating_sub(done)));
        Likely {
            replications,
            pilot: runs.len() as u32,
            runs_file: sizes.runs_file.at(all, replications_per_group(sweep)),
            // A race keeps none.
            blocks: if sweep.race.is_some() {
                0.0
            } else {
                sizes.blocks.at(all, f64::from(replications_per_block(sweep)))
            },
            // Writing runs beside simulating: at best it takes no time of its own, at worst all of it.
            seconds: ((missing * fastest).max(all * written), missing * slowest + all * written),
            jobs,
        }
    };
    let fewest = sweep.stopping.as_ref().and_then(|stopping| u32::try_from(stopping.looks.min()).ok());
    Ok(Forecast::Likely(fewest.into_iter().chain([sweep.replications]).map(likely).collect()))
}

/// The runs of a pilot, and the seconds per replication in each of its batches.
struct Part {
    runs: Vec<ReplicationRuns>,
    rates: Vec<f64>,
}

fn simulate_part(sweep: &Sweep, jobs: usize, sharing: Sharing) -> Result<Part, Failure> {
    let pool = thread_pool(jobs).map_err(|error| Failure::System(format!("cannot start threads: {error}")))?;
    let mut part = Part { runs: Vec::new(), rates: Vec::new() };
    let wanted = sweep.replications.min(MOST_REPLICATIONS);
    let began = Instant::now();
    let given_up = alarm_after(GIVEN_UP);
    loop {
        let first = part.runs.len() as u32;
        let enough = part.rates.len() >= 2 && began.elapsed() >= LONGEST;
        if first >= wanted || enough || given_up.load(Ordering::Relaxed) {
            return Ok(part);
        }
        let batch = first..sweep.replications.min(first + 2 * jobs as u32);
        let started = Instant::now();
        let after = simulate_all(sweep, &pool, sharing, batch, &given_up, |runs| {
            part.runs.push(runs);
            Ok::<_, Failure>(())
        })?;
        if after > first {
            part.rates.push(started.elapsed().as_secs_f64() / f64::from(after - first));
        }
    }
}

/// Is set after a time.
fn alarm_after(time: Duration) -> Arc<AtomicBool> {
    let alarm = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&alarm);
    std::thread::spawn(move || {
        std::thread::sleep(time);
        set.store(true, Ordering::Relaxed);
    });
    alarm
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
            file.append(runs).map_err(Failure::write(&path))?;
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
