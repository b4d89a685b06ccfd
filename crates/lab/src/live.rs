//! A run as it goes on: it can be stopped anywhere, changed by hand, cloned, and gone on with.

mod arrivals;
mod log;
mod open_period;
mod sentences;
mod state;
mod world;

use std::sync::{Mutex, PoisonError};

use engine::{Calendar, Class, EventKey, Simulation, Time};

pub use log::Counters;
pub(crate) use log::{Created, Decision, Log, Said, Switched};
pub use state::{Cause, State};

use crate::input::{Change, Input};
use crate::settings::{HORIZON, Settings};
use log::LogLength;
use world::{Event, World};

/// A run under way. A clone goes on by itself, exactly as the original would: a branch begins with a clone.
#[derive(Clone)]
pub struct Live {
    simulation: Simulation<World>,
    interventions: u64,
}

impl Live {
    /// A run at time zero.
    #[must_use]
    pub fn start(seed: u64, settings: Settings) -> Self {
        let mut calendar = Calendar::new();
        let world = World::start(seed, settings, &mut calendar);
        Self { simulation: Simulation::from_parts(world, calendar), interventions: 0 }
    }

    /// The whole run of an input, from zero.
    #[must_use]
    pub fn of(input: &Input) -> Self {
        let mut live = Self::start(input.seed, input.settings);
        for intervention in &input.interventions {
            live.run_until(intervention.at);
            live.intervene(&intervention.change);
        }
        live.run_until(HORIZON);
        live
    }

    /// How far the run has come: everything strictly before this instant has happened.
    #[must_use]
    pub fn now(&self) -> Time {
        self.simulation.now()
    }

    /// Lets everything happen that lies strictly before `end`.
    pub fn run_until(&mut self, end: Time) {
        self.simulation.run_until(end);
    }

    /// Changes a setting now: before everything else that happens at this instant, after earlier interventions.
    pub fn intervene(&mut self, change: &Change) {
        let key = EventKey::new(self.now(), Class::Change, Event::FIRST_INTERVENTION + self.interventions);
        self.interventions += 1;
        self.simulation.calendar_mut().schedule_keyed(key, Event::Intervention(*change));
    }

    /// The settings that apply now; those of an intervention at this very instant do not yet.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.simulation.model().settings
    }

    /// After how many events the counters were checked, and whether they were in order each time.
    #[must_use]
    pub fn conservation(&self) -> (u64, bool) {
        let world = self.simulation.model();
        (world.checks, world.is_conserved)
    }

    pub(crate) fn log(&self) -> &Log {
        &self.simulation.model().log
    }

    pub(crate) fn into_log(self) -> Log {
        self.simulation.into_model().log
    }

    /// The run without its log, to be put aside.
    pub(crate) fn checkpoint(&mut self) -> Checkpoint {
        let log = std::mem::take(&mut self.simulation.model_mut().log);
        let bare = self.clone();
        let length = log.length();
        self.simulation.model_mut().log = log;
        Checkpoint { at: self.now(), bare: Mutex::new(bare), length }
    }
}

/// A run that was put aside under way.
pub(crate) struct Checkpoint {
    at: Time,
    /// A breaker's state may be moved to another thread, but not be shared among threads.
    bare: Mutex<Live>,
    length: LogLength,
}

impl Checkpoint {
    /// How far the run had come.
    pub(crate) fn at(&self) -> Time {
        self.at
    }

    /// Takes the run up again; `log` is that of the run, or of one that was the same up to here.
    pub(crate) fn resume(&self, log: &Log) -> Live {
        let mut live = self.bare.lock().unwrap_or_else(PoisonError::into_inner).clone();
        live.simulation.model_mut().log = log.as_it_was(self.length);
        live
    }
}
