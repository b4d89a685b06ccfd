//! The fixed instants of a run: regimes, fault, heal, warm-up, horizon.

use engine::{Duration, StreamKey, Time};

use crate::mode::{Mode, Opening, Regime, Start};
use crate::scenario::{OutcomeAt, Scenario};

/// What is known of a (mode, replication) before the first event.
#[derive(Clone, Debug, PartialEq)]
pub struct RunPlan {
    /// Keys whatever jitter a breaker has.
    pub breaker_key: StreamKey,
    /// Slots in the pool.
    pub slots: u32,
    /// When the breaker hears of outcomes.
    pub outcome: OutcomeAt,
    /// How long a rejection holds a slot where one is free; zero: not at all.
    pub rejection_hold: Duration,
    /// What arrives earlier counts in no column.
    pub warm_up: Time,
    /// The run covers [0, horizon).
    pub horizon: Time,
    /// Start of each regime and what an opening means in it, ascending from zero.
    pub regimes: Vec<(Time, Opening)>,
    /// The start of the second regime.
    pub fault_at: Time,
    /// The first later start of a regime with the first one's name, if it comes before the horizon.
    pub heal_at: Option<Time>,
}

impl RunPlan {
    /// Resolves a mode's timeline for a run whose scenario's fault instant is `fault_at` and which ends at `horizon`.
    ///
    /// # Panics
    ///
    /// When the mode has fewer than two regimes.
    #[must_use]
    pub fn new(scenario: &Scenario, mode: &Mode, fault_at: Time, horizon: Time, breaker_key: StreamKey) -> Self {
        let starts: Vec<Time> = mode.timeline.iter().map(|(start, _)| start.resolve(fault_at)).collect();
        let first_name = &mode.timeline[0].1.name;
        let heal_at = (2..starts.len())
            .find(|&index| &mode.timeline[index].1.name == first_name)
            .map(|index| starts[index])
            .filter(|&at| at < horizon);
        Self {
            breaker_key,
            slots: scenario.slots,
            outcome: scenario.outcome,
            rejection_hold: scenario.rejection_hold,
            warm_up: scenario.warm_up,
            horizon,
            fault_at: starts[1],
            heal_at,
            regimes: starts.into_iter().zip(mode.timeline.iter().map(|(_, regime)| regime.opening)).collect(),
        }
    }

    /// The end of the fault: the heal, or the horizon where nothing heals.
    #[must_use]
    pub fn fault_end(&self) -> Time {
        self.heal_at.unwrap_or(self.horizon)
    }

    /// Whether `instant` lies within the fault.
    #[must_use]
    #[inline]
    pub fn in_fault(&self, instant: Time) -> bool {
        instant >= self.fault_at && instant < self.fault_end()
    }

    pub(crate) fn regimes_in_order(&self) -> RegimeCursor<'_> {
        RegimeCursor { plan: self, index: 0 }
    }
}

/// Finds the regime in force for instants that never decrease.
pub(crate) struct RegimeCursor<'a> {
    plan: &'a RunPlan,
    index: usize,
}

impl RegimeCursor<'_> {
    pub(crate) fn at<'m>(&mut self, timeline: &'m [(Start, Regime)], instant: Time) -> &'m Regime {
        while self.plan.regimes.get(self.index + 1).is_some_and(|&(start, _)| start <= instant) {
            self.index += 1;
        }
        &timeline[self.index].1
    }
}
