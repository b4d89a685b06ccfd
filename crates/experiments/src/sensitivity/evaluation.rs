//! The objectives at every point: means over the same replications.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use engine::Tally;
use policies::{AnyRule, RuleKey};
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use scenario::{DesignSet, Mode, ModeStreams, Replication, RunRecord, Scenario, Sharing};

use crate::columns::Read;
use crate::fronts::{Objective, objectives};
use crate::sweep_file::{Sensitivity, Sweep, SweepError, SweepText};

/// More designs than this are not run together: they would take more memory than they save time.
const MOST_DESIGNS: usize = 4_096;

/// Runs per thread that are begun at once.
const TASKS_PER_THREAD: usize = 8;

/// All worlds of an analysis, each with the points that it is the world of.
#[derive(Debug)]
pub struct Worlds {
    worlds: Vec<World>,
    objectives: Vec<(Objective, Read)>,
    points: usize,
    root_seed: u64,
}

/// A setting of the world, and the rules of the points that have it.
#[derive(Debug)]
struct World {
    scenario: Scenario,
    modes: Vec<Mode>,
    designs: DesignSet,
    /// How many designs there are.
    rules: usize,
    /// The points, each with the position of its rule among the designs.
    points: Vec<(usize, usize)>,
}

/// A world that is still being put together.
struct Growing {
    scenario: Scenario,
    modes: Vec<Mode>,
    rules: Vec<AnyRule>,
    slots: BTreeMap<RuleKey, usize>,
    points: Vec<(usize, usize)>,
}

/// The objectives at every point.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// `[objective][point]`.
    pub values: Vec<Vec<Tally>>,
}

impl Worlds {
    /// Sorts points by their worlds. `values` are those of the factors at each point.
    ///
    /// # Errors
    ///
    /// If a point is no valid sweep.
    pub fn new(sweep: &Sweep, study: &Sensitivity, text: &SweepText, values: &[Vec<f64>]) -> Result<Self, SweepError> {
        let mut worlds: Vec<Growing> = Vec::new();
        let mut last_of: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for (point, values) in values.iter().enumerate() {
            let at = study.sweep(text, values)?;
            let world = study.world(values);
            let number = match last_of.get(&world) {
                Some(&number) if worlds[number].rules.len() < MOST_DESIGNS => number,
                _ => {
                    worlds.push(Growing {
                        scenario: at.scenario,
                        modes: at.modes,
                        rules: Vec::new(),
                        slots: BTreeMap::new(),
                        points: Vec::new(),
                    });
                    last_of.insert(world, worlds.len() - 1);
                    worlds.len() - 1
                }
            };
            worlds[number].add(point, at.designs[0].rule);
        }
        Ok(Self {
            worlds: worlds.into_iter().map(Growing::finish).collect(),
            objectives: objectives(sweep).into_iter().map(|objective| (objective, objective.read())).collect(),
            points: values.len(),
            root_seed: sweep.root_seed,
        })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.worlds.len()
    }

    /// How many runs a replication of all of them comes to.
    #[must_use]
    pub fn runs_per_replication(&self) -> usize {
        self.worlds.iter().map(|world| world.rules * world.modes.len()).sum()
    }

    /// Runs replications 0 to `replications` of every point: the same ones at each, so that points differ by their settings
    /// and not by chance. `advance` hears of every replication of a world with its simulated requests. `None` if `stop` was
    /// set before all was done.
    pub fn evaluate(
        &self,
        pool: &ThreadPool,
        replications: u32,
        stop: &AtomicBool,
        advance: impl Fn(u64) + Sync,
    ) -> Option<Evaluation> {
        let mut values = vec![vec![Tally::default(); self.points]; self.objectives.len()];
        let at_once = (pool.current_num_threads() * TASKS_PER_THREAD).div_ceil(replications as usize);
        for worlds in self.worlds.chunks(at_once) {
            let tasks: Vec<(&World, u32)> = worlds
                .iter()
                .flat_map(|world| (0..replications).map(move |replication| (world, replication)))
                .collect();
            let runs: Vec<Option<Vec<f64>>> = pool.install(|| {
                let run = |(world, replication): (&World, u32)| {
                    if stop.load(Ordering::Relaxed) {
                        return None;
                    }
                    let (values, requests) = self.run(world, replication);
                    advance(requests);
                    Some(values)
                };
                tasks.clone().into_par_iter().map(run).collect()
            });
            // In order of the replications, so that the sums do not depend on threads.
            for ((world, _), run) in tasks.iter().zip(runs) {
                let of_slots = run?;
                let slots = world.rules;
                for (objective, values) in values.iter_mut().enumerate() {
                    for &(point, slot) in &world.points {
                        values[point].add(of_slots[objective * slots + slot]);
                    }
                }
            }
        }
        Some(Evaluation { values })
    }

    /// The objectives of every design in one replication, objective by objective, and the simulated requests.
    fn run(&self, world: &World, replication: u32) -> (Vec<f64>, u64) {
        let draws = Replication::draw(&world.scenario, self.root_seed, replication);
        let (runs, _) = world.designs.run_modes(&ModeStreams::draw(&draws, &world.modes), Sharing::Auto);
        let requests = runs.iter().flatten().map(|run| run.requests + run.neighbour_requests).sum();
        let number = |read: Read, run: &RunRecord| read.number(run).expect("objectives exist in every run");
        let values = self
            .objectives
            .iter()
            .flat_map(|&(objective, read)| runs[objective.mode].iter().map(move |run| number(read, run)));
        (values.collect(), requests)
    }
}

impl Growing {
    fn add(&mut self, point: usize, rule: AnyRule) {
        let slot = *self.slots.entry(rule.key()).or_insert(self.rules.len());
        if slot == self.rules.len() {
            self.rules.push(rule);
        }
        self.points.push((point, slot));
    }

    fn finish(self) -> World {
        let Self { scenario, modes, rules, points, .. } = self;
        World { scenario, modes, designs: DesignSet::new(&rules), rules: rules.len(), points }
    }
}

impl Evaluation {
    /// An objective's means, point by point.
    #[must_use]
    pub fn means(&self, objective: usize) -> Vec<f64> {
        self.values[objective].iter().map(|tally| tally.mean().expect("there are replications")).collect()
    }

    /// The squared standard error of an objective's mean at a point; `None` of a single replication.
    #[must_use]
    pub fn squared_error(&self, objective: usize, point: usize) -> Option<f64> {
        let tally = &self.values[objective][point];
        tally.variance().map(|variance| variance / tally.count() as f64)
    }

    /// The part of the evaluation that is about some of the points.
    #[must_use]
    pub fn part(&self, points: std::ops::Range<usize>) -> Self {
        Self { values: self.values.iter().map(|of_points| of_points[points.clone()].to_vec()).collect() }
    }
}
