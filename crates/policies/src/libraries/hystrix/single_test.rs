//! Hystrix 1.5.18: open or closed, and a single test now and then.

use engine::{Duration, StreamKey, Time};

use super::health::HealthWindow;
use super::{PARAMETERS, Properties};
use crate::dialect::LibraryRule;
use crate::time_of_day::{TimeOfDay, drawn_phase};
use crate::{Answer, CallId, Clocks, Library, Outcome, Phase, Rule, Settings, Transition, Verdict};

static LIBRARY: Library = Library {
    name: "hystrix_1_5_18",
    recorded_as: "hystrix",
    version: "1.5.18",
    source: "https://github.com/Netflix/Hystrix/tree/v1.5.18",
    path: "hystrix-core/src/main/java/com/netflix/hystrix/HystrixCircuitBreaker.java, …/metric/consumer/HealthCountsStream.java",
    parameters: &PARAMETERS,
    make: |given| Ok(HystrixSingleTest(Properties::new(given)?).into()),
};

/// A breaker of Hystrix 1.5.18, which has no half-open phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HystrixSingleTest(Properties);

/// The state of a [`HystrixSingleTest`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HystrixSingleTestState {
    day: TimeOfDay,
    health: HealthWindow,
    /// When it opened or was last tested, in milliseconds.
    open: Option<u64>,
}

impl HystrixSingleTest {
    const fn interval(&self) -> Duration {
        Duration::from_millis(self.0.interval)
    }

    fn begin(&self, day: TimeOfDay, age: Duration) -> HystrixSingleTestState {
        let health = HealthWindow::new(age, self.interval(), self.0.buckets());
        HystrixSingleTestState { day, health, open: None }
    }
}

impl Rule for HystrixSingleTest {
    type State = HystrixSingleTestState;

    fn start(&self, run: StreamKey) -> HystrixSingleTestState {
        self.begin(TimeOfDay::drawn(run, Duration::from_millis(1)), drawn_phase(run, self.interval()))
    }

    fn start_at(&self, epoch: Duration) -> HystrixSingleTestState {
        self.begin(TimeOfDay::at_start(epoch), Duration::ZERO)
    }

    fn advance(&self, _state: &mut HystrixSingleTestState, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut HystrixSingleTestState, now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        state.health.catch_up(now.monotonic, self.interval(), self.0.buckets());
        let millis = state.day.millis(now);
        match &mut state.open {
            Some(tested) if millis > tested.saturating_add(self.0.sleep) => {
                *tested = millis;
                (Answer::Admit, None)
            }
            Some(_) => (Answer::Reject, None),
            None if self.0.trips(&state.health) => {
                state.open = Some(millis);
                (Answer::Reject, Transition::between(Phase::Closed, Phase::Open))
            }
            None => (Answer::Admit, None),
        }
    }

    fn release(&self, _state: &mut HystrixSingleTestState, _now: Clocks, _call: CallId) -> Option<Transition> {
        None
    }

    fn record(
        &self,
        state: &mut HystrixSingleTestState,
        now: Clocks,
        _call: CallId,
        outcome: Outcome,
    ) -> Option<Transition> {
        state.health.catch_up(now.monotonic, self.interval(), self.0.buckets());
        if outcome.verdict == Verdict::Success && state.open.take().is_some() {
            state.health.restart(now.monotonic, self.interval());
            return Transition::between(Phase::Open, Phase::Closed);
        }
        state.health.add(outcome.verdict);
        None
    }

    fn next_timer(&self, _state: &HystrixSingleTestState) -> Option<Time> {
        None
    }

    fn phase(&self, state: &HystrixSingleTestState, _now: Clocks) -> Phase {
        if state.open.is_some() { Phase::Open } else { Phase::Closed }
    }

    fn closeness(&self, state: &HystrixSingleTestState) -> Option<f64> {
        state.open.is_none().then(|| self.0.closeness(&state.health))
    }
}

impl LibraryRule for HystrixSingleTest {
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
