//! failsafe-go: see [`failsafe`](super::failsafe) for what it does.
//!
//! Its own: rates are fractions, rounded to two decimals; what a threshold of 0.67 leaves is 1 − 0.67 in floating point, a little
//! less than 0.33. The buckets of a period lie on the grid of the time of day, and expire as they should.

use engine::{Duration, StreamKey, Time};

use super::failsafe::{self, BUCKETS, Port, State, Thresholds};
use crate::dialect::LibraryRule;
use crate::time_of_day::TimeOfDay;
use crate::windows::{Buckets, Results};
use crate::{
    Answer, CallId, Clocks, Library, Outcome, Parameter, Phase, ResultRule, Rule, Settings, Transition, Verdict,
};

static LIBRARY: Library = Library {
    name: "failsafe_go",
    recorded_as: "failsafe-go",
    version: "0.9.7",
    source: "https://github.com/failsafe-go/failsafe-go/tree/v0.9.7",
    path: "circuitbreaker/*.go, internal/util/*.go",
    parameters: &[
        failsafe::failure_threshold(),
        failsafe::failure_capacity(),
        // A tenth of the period is a whole nanosecond.
        failsafe::period(1e-5),
        failsafe::executions(),
        Parameter::number("failureRateThreshold", 0.0, "share of failures that opens the breaker")
            .optional()
            .at_least(0.0)
            .at_most(1.0),
        failsafe::success_threshold(),
        failsafe::success_capacity(),
        failsafe::delay(),
    ],
    make: |given| Ok(FailsafeGo(Thresholds::new(given, false)?).into()),
};

/// A breaker of failsafe-go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailsafeGo(Thresholds);

/// The state of a [`FailsafeGo`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FailsafeGoState(State<GridBuckets>);

/// Ten buckets on the grid of the time of day.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct GridBuckets {
    /// The number of the current bucket on the grid.
    number: u64,
    buckets: Buckets<Results>,
}

impl Port for FailsafeGo {
    type TimeWindow = GridBuckets;

    const UNIT_OF_RATES: f64 = 1.0;

    fn time_window(_began: u64) -> GridBuckets {
        GridBuckets { number: 0, buckets: Buckets::new(BUCKETS) }
    }

    fn count(window: &mut GridBuckets, period: Duration, day: TimeOfDay, now: Clocks, verdict: Verdict) {
        let number = day.nanos(now) / (period.as_nanos() / BUCKETS as u64);
        window.buckets.begin(number.saturating_sub(window.number));
        window.number = window.number.max(number);
        window.buckets.add(Results::one(verdict));
    }

    fn results(window: &GridBuckets) -> Results {
        window.buckets.total()
    }

    fn fails(results: Results, threshold: f64) -> bool {
        failsafe::whole_percent(results.failures, results) / 100.0 >= threshold
    }

    fn succeeds(results: Results, threshold: f64) -> bool {
        failsafe::whole_percent(results.successes, results) / 100.0 > 1.0 - threshold
    }
}

impl Rule for FailsafeGo {
    type State = FailsafeGoState;

    fn start(&self, run: StreamKey) -> FailsafeGoState {
        FailsafeGoState(self.0.begin::<Self>(TimeOfDay::drawn(run, self.0.bucket()), Duration::ZERO))
    }

    fn start_at(&self, epoch: Duration) -> FailsafeGoState {
        FailsafeGoState(self.0.begin::<Self>(TimeOfDay::at_start(epoch), Duration::ZERO))
    }

    fn advance(&self, _state: &mut FailsafeGoState, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut FailsafeGoState, now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        self.0.ask(&mut state.0, now)
    }

    fn release(&self, state: &mut FailsafeGoState, _now: Clocks, _call: CallId) -> Option<Transition> {
        Thresholds::release(&mut state.0);
        None
    }

    fn ignore(&self, state: &mut FailsafeGoState, now: Clocks, _call: CallId, _outcome: Outcome) -> Option<Transition> {
        self.0.record::<Self>(&mut state.0, now, Verdict::Success)
    }

    fn record(&self, state: &mut FailsafeGoState, now: Clocks, _call: CallId, outcome: Outcome) -> Option<Transition> {
        self.0.record::<Self>(&mut state.0, now, outcome.verdict)
    }

    fn next_timer(&self, _state: &FailsafeGoState) -> Option<Time> {
        None
    }

    fn phase(&self, state: &FailsafeGoState, _now: Clocks) -> Phase {
        state.0.phase()
    }

    fn closeness(&self, state: &FailsafeGoState) -> Option<f64> {
        self.0.closeness::<Self>(&state.0)
    }

    fn result_rule(&self, _longest: Duration) -> Option<ResultRule> {
        self.0.result_rule()
    }
}

impl LibraryRule for FailsafeGo {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        self.0.settings()
    }

    fn open_times(&self) -> (Duration, Duration) {
        self.0.open_times()
    }

    fn probes(&self) -> u32 {
        self.0.half_open_capacity()
    }
}
