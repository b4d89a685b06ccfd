//! pybreaker.
//!
//! - *Window*: the run of failures, across all phases: any success ends it, opening does not.
//! - *Minimum*: none. *Evaluated*: on failures. *Compared*: run ≥ `fail_max`.
//! - *Open time*: `reset_timeout` from the latest opening, on the wall clock in microseconds; ends at its instant; a call has
//!   to ask.
//! - *Half-open*: every call is let through. *Verdict*: `success_threshold` successes close it; a failure opens it again.
//! - *Lost probes*: do no harm.
//! - *Late results*: judged by the phase in which the call was let through, with the counters of now. A failure of a call
//!   from a closed phase that brings the run to `fail_max` opens, and while open it begins the open time anew; a failed probe
//!   does so at any time; a successful probe may close at any time.
//! - *Window after closing*: empty. *Own rejections*: not counted. *Never ran*: as if it had not asked. *Ignored*
//!   (`exclude`): a success.

use engine::{Duration, StreamKey, Time};

use crate::dialect::LibraryRule;
use crate::half_open::Probes;
use crate::library::Given;
use crate::time_of_day::TimeOfDay;
use crate::{
    Answer, CallId, Clocks, Library, Outcome, Parameter, Phase, ResultRule, Rule, Settings, TimeUnit, Transition,
    Value, Verdict, closeness,
};

static LIBRARY: Library = Library {
    name: "pybreaker",
    recorded_as: "pybreaker",
    version: "1.4.1",
    source: "https://pypi.org/project/pybreaker/1.4.1/",
    path: "src/pybreaker/__init__.py",
    parameters: &[
        Parameter::count("fail_max", 5, "failures in a row that open the breaker"),
        Parameter::time("reset_timeout", TimeUnit::Seconds, 60_000, "seconds of an open breaker"),
        Parameter::count("success_threshold", 1, "successes that close a half-open breaker"),
    ],
    make: |given| Ok(Pybreaker::new(given).into()),
};

/// A breaker of pybreaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pybreaker {
    fail_max: u32,
    reset_timeout: Duration,
    success_threshold: u32,
}

/// The state of a [`Pybreaker`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PybreakerState {
    day: TimeOfDay,
    phase: Phase,
    /// The counter of failures.
    failures: u32,
    /// The counter of successes, for closing.
    successes: u32,
    /// When the breaker opened, in microseconds.
    opened_at: u64,
    probes: Probes,
}

impl Pybreaker {
    fn new(given: &Given<'_>) -> Self {
        Self {
            fail_max: given.count("fail_max"),
            reset_timeout: given.time("reset_timeout"),
            success_threshold: given.count("success_threshold"),
        }
    }

    fn begin(day: TimeOfDay) -> PybreakerState {
        PybreakerState { day, phase: Phase::Closed, failures: 0, successes: 0, opened_at: 0, probes: Probes::default() }
    }

    fn succeed(&self, state: &mut PybreakerState, was_probe: bool) -> Option<Transition> {
        state.failures = 0;
        if !was_probe {
            return None;
        }
        state.successes += 1;
        if state.successes < self.success_threshold {
            return None;
        }
        state.successes = 0;
        enter(state, Phase::Closed)
    }

    fn fail(&self, state: &mut PybreakerState, now: Clocks, was_probe: bool) -> Option<Transition> {
        state.failures = state.failures.saturating_add(1);
        if !was_probe && state.failures < self.fail_max {
            return None;
        }
        state.opened_at = state.day.micros(now);
        state.successes = 0;
        enter(state, Phase::Open)
    }
}

fn enter(state: &mut PybreakerState, phase: Phase) -> Option<Transition> {
    Transition::between(std::mem::replace(&mut state.phase, phase), phase)
}

impl Rule for Pybreaker {
    type State = PybreakerState;

    fn start(&self, run: StreamKey) -> PybreakerState {
        Self::begin(TimeOfDay::drawn(run, Duration::from_nanos(1_000)))
    }

    fn start_at(&self, epoch: Duration) -> PybreakerState {
        Self::begin(TimeOfDay::at_start(epoch))
    }

    fn advance(&self, _state: &mut PybreakerState, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut PybreakerState, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        match state.phase {
            Phase::Closed => (Answer::Admit, None),
            Phase::HalfOpen => {
                state.probes.begin(call);
                (Answer::Admit, None)
            }
            Phase::Open => {
                // `timedelta` rounds the seconds to whole microseconds.
                let timeout = (self.reset_timeout.as_nanos() + 500) / 1_000;
                if state.day.micros(now) < state.opened_at.saturating_add(timeout) {
                    return (Answer::Reject, None);
                }
                state.successes = 0;
                state.probes.begin(call);
                (Answer::Admit, enter(state, Phase::HalfOpen))
            }
        }
    }

    fn release(&self, state: &mut PybreakerState, _now: Clocks, call: CallId) -> Option<Transition> {
        state.probes.end(call);
        None
    }

    fn ignore(&self, state: &mut PybreakerState, _now: Clocks, call: CallId, _outcome: Outcome) -> Option<Transition> {
        let was_probe = state.probes.end(call);
        self.succeed(state, was_probe)
    }

    fn record(&self, state: &mut PybreakerState, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        let was_probe = state.probes.end(call);
        match outcome.verdict {
            Verdict::Success => self.succeed(state, was_probe),
            Verdict::Failure => self.fail(state, now, was_probe),
        }
    }

    fn next_timer(&self, _state: &PybreakerState) -> Option<Time> {
        None
    }

    fn phase(&self, state: &PybreakerState, _now: Clocks) -> Phase {
        state.phase
    }

    fn closeness(&self, state: &PybreakerState) -> Option<f64> {
        (state.phase == Phase::Closed).then(|| closeness::of_count(state.failures, self.fail_max.into()))
    }

    fn result_rule(&self, _longest: Duration) -> Option<ResultRule> {
        Some(ResultRule::Run { failures: self.fail_max.max(1) })
    }
}

impl LibraryRule for Pybreaker {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        Settings::new()
            .with("fail_max", Value::Number(self.fail_max.into()))
            .with("reset_timeout", Value::Time(self.reset_timeout))
            .with("success_threshold", Value::Number(self.success_threshold.into()))
    }

    fn open_times(&self) -> (Duration, Duration) {
        (self.reset_timeout, self.reset_timeout)
    }

    fn probes(&self) -> u32 {
        self.success_threshold.max(1)
    }

    /// Every threshold is reached by the first one.
    fn simplest(self) -> Self {
        Self { fail_max: self.fail_max.max(1), success_threshold: self.success_threshold.max(1), ..self }
    }
}
