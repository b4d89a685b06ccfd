//! Whatever a sweep keeps of its replications, as they are received.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use scenario::{DesignSet, SharingStats};
use statistics::{Level, Progress as PrecisionProgress};

use super::level_of;
use super::simulation::{Simulated, Speed};
use crate::blocks::Origin;
use crate::commands::Failure;
use crate::estimates::Accumulators;
use crate::fronts::{self, Front};
use crate::objective_values::ObjectiveValues;
use crate::progress::Progress;
use crate::race::Race;
use crate::runner::{ReplicationRuns, requests};
use crate::stopping::{Look, Watch};
use crate::sweep_file::Sweep;
use crate::tables::RunsFile;

/// What the replications so far have left behind.
pub(super) struct Received<'a> {
    sweep: &'a Sweep,
    level: Level,
    accumulators: Accumulators,
    objectives: Option<ObjectiveValues>,
    watch: Option<Watch>,
    /// What the last look of the watch said.
    look: Option<Look>,
    race: Option<Race>,
    runs_file: RunsFile<'a>,
    runs_path: &'a Path,
    progress: Progress,
    stop: &'a AtomicBool,
    sharing: SharingStats,
    reused: u32,
}

impl<'a> Received<'a> {
    /// Nothing yet. What comes goes into `runs_file` at `runs_path` and is shown as `progress`, also whether it is about to
    /// `stop`.
    ///
    /// # Errors
    ///
    /// When the sweep's level is none.
    pub(super) fn new(
        sweep: &'a Sweep,
        runs_file: RunsFile<'a>,
        runs_path: &'a Path,
        progress: Progress,
        stop: &'a AtomicBool,
    ) -> Result<Self, Failure> {
        let level = level_of(sweep)?;
        Ok(Self {
            sweep,
            level,
            accumulators: Accumulators::new(sweep),
            objectives: sweep.analysis.resamples().then(|| ObjectiveValues::new(sweep)),
            watch: Watch::new(sweep, level),
            look: None,
            race: Race::new(sweep),
            runs_file,
            runs_path,
            progress,
            stop,
            sharing: SharingStats::default(),
            reused: 0,
        })
    }

    /// After how many replications to look next, if at all.
    pub(super) fn next_look(&self) -> Option<u64> {
        // Where there are both, they look together.
        let watch = self.watch.as_ref().and_then(Watch::next_look);
        watch.or_else(|| self.race.as_ref().and_then(Race::next_look))
    }

    /// The designs that are in the race, where there is one.
    pub(super) fn racing(&self) -> Option<DesignSet> {
        self.race.as_ref().map(|race| race.design_set(self.sweep))
    }

    /// Takes the runs of a replication; always in order of the replications.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(super) fn receive(&mut self, runs: &ReplicationRuns, origin: Origin) -> Result<(), Failure> {
        self.sharing += runs.sharing;
        self.accumulators.add(runs);
        if let Some(objectives) = &mut self.objectives {
            objectives.add(runs);
        }
        if let Some(watch) = &mut self.watch {
            watch.add(runs);
        }
        if let Some(race) = &mut self.race {
            race.add(runs);
        }
        match origin {
            Origin::Simulated => self.progress.advance(requests(runs), self.stop.load(Ordering::Relaxed)),
            Origin::Block => {
                self.reused += 1;
                self.progress.reuse();
            }
        }
        self.runs_file.append(runs).map_err(Failure::write(self.runs_path))
    }

    /// Looks, after as many replications as [`Received::next_look`] says: designs leave the race, and the precision may be
    /// reached or out of reach. Whether to go on.
    ///
    /// # Errors
    ///
    /// When runs cannot be written, or there are no fronts.
    pub(super) fn look(&mut self) -> Result<bool, Failure> {
        if let Some(race) = self.race.as_mut().filter(|race| race.next_look().is_some())
            && race.look(self.sweep)
        {
            let slots = race.slots().to_vec();
            self.keep_only(&slots)?;
        }
        let Some(watch) = &self.watch else { return Ok(true) };
        let on_front = if watch.asks_for_fronts() { self.designs_on_fronts()? } else { Vec::new() };
        let look = watch.look(self.sweep, &on_front);
        let goes_on = matches!(look.progress, PrecisionProgress::Continue { .. });
        self.look = Some(look);
        Ok(goes_on)
    }

    /// From now on replications have only the runs of these slots, in this order.
    fn keep_only(&mut self, slots: &[usize]) -> Result<(), Failure> {
        self.accumulators.keep_only(slots);
        if let Some(watch) = &mut self.watch {
            watch.keep_only(slots);
        }
        self.runs_file.keep_only(slots).map_err(Failure::write(self.runs_path))
    }

    /// The designs that are on a front of the sweep by the estimates so far, as indices.
    fn designs_on_fronts(&self) -> Result<Vec<usize>, Failure> {
        let estimates = self.accumulators.estimates(self.sweep, self.level);
        let fronts = fronts::fronts(self.sweep, &estimates).map_err(|error| Failure::System(error.to_string()))?;
        let points = fronts.iter().flat_map(Front::overall);
        Ok(points.flat_map(|point| point.ties.iter().copied().chain([point.design])).collect())
    }

    /// What came of so many replications, on so many threads.
    pub(super) fn finish(self, replications: u32, jobs: usize) -> Simulated<'a> {
        let (requests, seconds) = self.progress.finish();
        Simulated {
            replications,
            runs_file: self.runs_file,
            accumulators: self.accumulators,
            objectives: self.objectives,
            sharing: self.sharing,
            speed: Speed { reused: self.reused, requests, seconds, jobs },
            look: self.look,
            departures: self.race.map(|race| race.departures()).unwrap_or_default(),
        }
    }
}
