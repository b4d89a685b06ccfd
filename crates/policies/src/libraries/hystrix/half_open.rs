//! Hystrix 1.5.13: closed, open and half-open.

use engine::{Duration, StreamKey, Time};

use super::health::HealthWindow;
use super::{PARAMETERS, Properties};
use crate::dialect::LibraryRule;
use crate::time_of_day::{TimeOfDay, drawn_phase};
use crate::{Answer, CallId, Clocks, Library, Outcome, Phase, Rule, Settings, Transition, Verdict};

static LIBRARY: Library = Library {
    name: "hystrix_1_5_13",
    recorded_as: "hystrix",
    version: "1.5.13",
    source: "https://github.com/Netflix/Hystrix/tree/v1.5.13",
    path: "hystrix-core/src/main/java/com/netflix/hystrix/HystrixCircuitBreaker.java, …/metric/consumer/HealthCountsStream.java",
    parameters: &PARAMETERS,
    make: |given| Ok(HystrixHalfOpen(Properties::new(given)?).into()),
};

/// A breaker of Hystrix 1.5.13, which has a half-open phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HystrixHalfOpen(Properties);

/// The state of a [`HystrixHalfOpen`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HystrixHalfOpenState {
    day: TimeOfDay,
    health: HealthWindow,
    phase: Phase,
    /// In milliseconds.
    opened_at: u64,
}

impl HystrixHalfOpen {
    const fn interval(&self) -> Duration {
        Duration::from_millis(self.0.interval)
    }

    fn begin(&self, day: TimeOfDay, age: Duration) -> HystrixHalfOpenState {
        let health = HealthWindow::new(age, self.interval(), self.0.buckets());
        HystrixHalfOpenState { day, health, phase: Phase::Closed, opened_at: 0 }
    }

    /// Whether snapshots have to be taken one by one, since one of them may open the breaker.
    fn may_trip(&self, state: &HystrixHalfOpenState) -> bool {
        state.phase == Phase::Closed && (self.0.volume == 0 || !state.health.is_empty())
    }

    fn open(state: &mut HystrixHalfOpenState, now: Clocks) -> Option<Transition> {
        state.opened_at = state.day.millis(now);
        Transition::between(std::mem::replace(&mut state.phase, Phase::Open), Phase::Open)
    }

    /// What did not succeed, in whatever way, opens a half-open breaker.
    fn mark_non_success(state: &mut HystrixHalfOpenState, now: Clocks) -> Option<Transition> {
        if state.phase == Phase::HalfOpen { Self::open(state, now) } else { None }
    }
}

impl Rule for HystrixHalfOpen {
    type State = HystrixHalfOpenState;

    fn start(&self, run: StreamKey) -> HystrixHalfOpenState {
        self.begin(TimeOfDay::drawn(run, Duration::from_millis(1)), drawn_phase(run, self.interval()))
    }

    fn start_at(&self, epoch: Duration) -> HystrixHalfOpenState {
        self.begin(TimeOfDay::at_start(epoch), Duration::ZERO)
    }

    fn advance(&self, state: &mut HystrixHalfOpenState, now: Clocks) -> Option<Transition> {
        while self.may_trip(state) && state.health.next() <= now.monotonic {
            let due = state.health.next();
            state.health.take(self.interval());
            if self.0.trips(&state.health) {
                let wall = Time::ZERO + now.wall.since(Time::ZERO + now.monotonic.since(due));
                return Self::open(state, Clocks { monotonic: due, wall });
            }
        }
        state.health.catch_up(now.monotonic, self.interval(), self.0.buckets());
        None
    }

    fn ask(&self, state: &mut HystrixHalfOpenState, now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        match state.phase {
            Phase::Closed => (Answer::Admit, None),
            Phase::HalfOpen => (Answer::Reject, Self::mark_non_success(state, now)),
            Phase::Open if state.day.millis(now) > state.opened_at.saturating_add(self.0.sleep) => {
                state.phase = Phase::HalfOpen;
                (Answer::Admit, Transition::between(Phase::Open, Phase::HalfOpen))
            }
            Phase::Open => (Answer::Reject, None),
        }
    }

    fn release(&self, state: &mut HystrixHalfOpenState, now: Clocks, _call: CallId) -> Option<Transition> {
        Self::mark_non_success(state, now)
    }

    fn record(
        &self,
        state: &mut HystrixHalfOpenState,
        now: Clocks,
        _call: CallId,
        outcome: Outcome,
    ) -> Option<Transition> {
        state.health.catch_up(now.monotonic, self.interval(), self.0.buckets());
        if outcome.verdict == Verdict::Success && state.phase == Phase::HalfOpen {
            state.phase = Phase::Closed;
            state.health.restart(now.monotonic, self.interval());
            return Transition::between(Phase::HalfOpen, Phase::Closed);
        }
        state.health.add(outcome.verdict);
        if outcome.verdict == Verdict::Failure { Self::mark_non_success(state, now) } else { None }
    }

    fn next_timer(&self, state: &HystrixHalfOpenState) -> Option<Time> {
        self.may_trip(state).then(|| state.health.next())
    }

    fn phase(&self, state: &HystrixHalfOpenState, _now: Clocks) -> Phase {
        state.phase
    }

    fn closeness(&self, state: &HystrixHalfOpenState) -> Option<f64> {
        (state.phase == Phase::Closed).then(|| self.0.closeness(&state.health))
    }
}

impl LibraryRule for HystrixHalfOpen {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        self.0.settings()
    }

    fn open_times(&self) -> (Duration, Duration) {
        self.0.open_times()
    }

    fn probes(&self) -> u32 {
        1
    }

    fn simplest(self) -> Self {
        Self(self.0.simplest())
    }
}
