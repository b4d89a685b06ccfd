//! The failsafe crate.
//!
//! - *Window*: the run of failures; or a moving average of success over time, with a count of requests in five slices; or
//!   either. *Minimum*: for the average, one `window` since the start or the last closing, and `min_request_threshold`.
//! - *Evaluated*: on failures. *Compared*: run ≥ `num_failures`; average < `required_success_rate`.
//! - *Open time*: the next of the back-off; its last instant is still open; a call has to ask. Back-offs count whole seconds,
//!   except the constant one, and begin anew when the breaker closes. With both policies each has a back-off of its own, and
//!   the longer time counts.
//! - *Half-open*: every call is let through. *Verdict*: by the first result of any call. A failure that meets no policy
//!   opens for as long as the time before.
//! - *Lost probes*: do no harm. *Late results*: decide like any; in open phases failures are ignored, and successes still end
//!   the run and raise the average.
//! - *Window after closing*: empty but for the success that closed. *Own rejections*: not counted. *Never ran*, *ignored*: as
//!   if it had not asked.

use engine::{Duration, StreamKey, Time};

use crate::dialect::LibraryRule;
use crate::library::Given;
use crate::open_time::{Ends, OpenUntil};
use crate::windows::Average;
use crate::{
    Answer, CallId, Clocks, Library, Outcome, Parameter, Phase, Real, ResultRule, Rule, RuleError, Settings, TimeUnit,
    Transition, Value, Verdict, closeness,
};

mod backoff;
mod slices;

use backoff::Backoff;
use slices::Slices;

static LIBRARY: Library = Library {
    name: "failsafe_rs",
    recorded_as: "failsafe (Rust crate)",
    version: "1.3.0",
    source: "https://crates.io/crates/failsafe/1.3.0",
    path: "src/state_machine.rs, src/failure_policy.rs, src/ema.rs, src/windowed_adder.rs, src/backoff.rs",
    parameters: &[
        Parameter::word("failure_policy", &[EITHER, AVERAGE, RUN], "what opens the breaker"),
        Parameter::count("consecutive_failures.num_failures", 5, "failures in a row"),
        Parameter::number("success_rate_over_time_window.required_success_rate", 0.8, "average share of successes")
            .at_least(0.0)
            .at_most(1.0),
        Parameter::count("success_rate_over_time_window.min_request_threshold", 5, "requests in the window"),
        // The counter of requests divides by a fifth of the window in milliseconds.
        Parameter::time("success_rate_over_time_window.window", TimeUnit::Object, 30_000, "time of the average")
            .at_least(5.0),
        Parameter::word("backoff.kind", &Backoff::KINDS, "how the time of an open breaker grows"),
        Parameter::time("backoff.wait", TimeUnit::Object, 0, "the constant time").optional(),
        Parameter::time("backoff.start", TimeUnit::Object, 10_000, "the first time, of which the whole seconds count")
            .at_least(1_000.0),
        Parameter::time("backoff.max", TimeUnit::Object, 300_000, "the longest time, of which the whole seconds count")
            .at_least(1_000.0),
    ],
    make: |given| FailsafeRs::new(given).map(Into::into),
};

const EITHER: &str = "success_rate_over_time_window or_else consecutive_failures";
const AVERAGE: &str = "success_rate_over_time_window";
const RUN: &str = "consecutive_failures";

/// A breaker of the failsafe crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailsafeRs {
    run: Option<RunPolicy>,
    average: Option<AveragePolicy>,
    backoff: Backoff,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct RunPolicy {
    num_failures: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct AveragePolicy {
    required_success_rate: Real,
    min_request_threshold: u32,
    window: Duration,
}

/// The state of a [`FailsafeRs`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FailsafeRsState {
    run_key: StreamKey,
    /// How many times have been drawn at random.
    draws: u64,
    stage: Stage,
    failures: u32,
    failures_backoff: u32,
    average: Average,
    average_backoff: u32,
    /// The start, or the last closing.
    revived: Time,
    requests: Slices,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Closed,
    Open { until: OpenUntil, open_for: Duration },
    HalfOpen { open_for: Duration },
}

impl AveragePolicy {
    /// Milliseconds of the average: whole seconds count.
    const fn millis(&self) -> u64 {
        self.window.as_nanos() / 1_000_000_000 * 1_000
    }

    /// Milliseconds of a slice of the counter.
    const fn slice(&self) -> u64 {
        self.window.as_nanos() / 1_000_000 / Slices::NUMBER as u64
    }
}

impl FailsafeRs {
    fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        let policy = given.word("failure_policy");
        let run = RunPolicy { num_failures: given.count("consecutive_failures.num_failures") };
        let average = AveragePolicy {
            required_success_rate: Real::new(given.number("success_rate_over_time_window.required_success_rate")),
            min_request_threshold: given.count("success_rate_over_time_window.min_request_threshold"),
            window: given.time("success_rate_over_time_window.window"),
        };
        Ok(Self {
            run: (policy != Some(AVERAGE)).then_some(run),
            average: (policy != Some(RUN)).then_some(average),
            backoff: Backoff::new(given)?,
        })
    }

    fn elapsed_millis(state: &FailsafeRsState, now: Clocks) -> u64 {
        now.monotonic.since(state.revived).as_nanos() / 1_000_000
    }

    fn record_success(&self, state: &mut FailsafeRsState, now: Clocks) {
        state.failures = 0;
        if let Some(policy) = self.average {
            let elapsed = Self::elapsed_millis(state, now);
            state.average.update(policy.millis(), elapsed, 1.0);
            state.requests.add(now.monotonic, policy.slice());
        }
    }

    /// A failure that counts; how long the breaker opens for, if a policy says so.
    fn mark_dead_on_failure(&self, state: &mut FailsafeRsState, now: Clocks) -> Option<Duration> {
        let by_average = self.average.and_then(|policy| {
            state.requests.add(now.monotonic, policy.slice());
            let elapsed = Self::elapsed_millis(state, now);
            let rate = state.average.update(policy.millis(), elapsed, 0.0);
            let dead = elapsed >= policy.millis()
                && rate < policy.required_success_rate.get()
                && state.requests.sum(now.monotonic, policy.slice()) >= policy.min_request_threshold;
            dead.then(|| self.backoff.next(&mut state.average_backoff, state.run_key, &mut state.draws))
        });
        let by_run = self.run.and_then(|policy| {
            state.failures = state.failures.saturating_add(1);
            let dead = state.failures >= policy.num_failures;
            dead.then(|| self.backoff.next(&mut state.failures_backoff, state.run_key, &mut state.draws))
        });
        by_average.max(by_run)
    }

    fn revive(&self, state: &mut FailsafeRsState, now: Clocks) {
        state.stage = Stage::Closed;
        state.failures = 0;
        (state.failures_backoff, state.average_backoff) = (0, 0);
        state.average = Average::empty();
        state.revived = now.monotonic;
        state.requests.reset(now.monotonic);
    }
}

impl Rule for FailsafeRs {
    type State = FailsafeRsState;

    fn start(&self, run: StreamKey) -> FailsafeRsState {
        FailsafeRsState {
            run_key: run,
            draws: 0,
            stage: Stage::Closed,
            failures: 0,
            failures_backoff: 0,
            average: Average::empty(),
            average_backoff: 0,
            revived: Time::ZERO,
            requests: Slices::new(),
        }
    }

    fn advance(&self, _state: &mut FailsafeRsState, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut FailsafeRsState, now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        match state.stage {
            Stage::Closed | Stage::HalfOpen { .. } => (Answer::Admit, None),
            Stage::Open { until, open_for } if until.is_over(now.monotonic, Ends::After) => {
                state.stage = Stage::HalfOpen { open_for };
                (Answer::Admit, Transition::between(Phase::Open, Phase::HalfOpen))
            }
            Stage::Open { .. } => (Answer::Reject, None),
        }
    }

    fn release(&self, _state: &mut FailsafeRsState, _now: Clocks, _call: CallId) -> Option<Transition> {
        None
    }

    fn record(&self, state: &mut FailsafeRsState, now: Clocks, _call: CallId, outcome: Outcome) -> Option<Transition> {
        let from = self.phase(state, now);
        match (state.stage, outcome.verdict) {
            (Stage::HalfOpen { .. }, Verdict::Success) => {
                self.revive(state, now);
                self.record_success(state, now);
            }
            (_, Verdict::Success) => self.record_success(state, now),
            (Stage::Open { .. }, Verdict::Failure) => {}
            (Stage::Closed | Stage::HalfOpen { .. }, Verdict::Failure) => {
                let mut open_for = self.mark_dead_on_failure(state, now);
                if let Stage::HalfOpen { open_for: before } = state.stage {
                    open_for = open_for.or(Some(before));
                }
                if let Some(open_for) = open_for {
                    state.stage = Stage::Open { until: OpenUntil::after(now.monotonic, open_for), open_for };
                }
            }
        }
        Transition::between(from, self.phase(state, now))
    }

    fn next_timer(&self, _state: &FailsafeRsState) -> Option<Time> {
        None
    }

    fn phase(&self, state: &FailsafeRsState, _now: Clocks) -> Phase {
        match state.stage {
            Stage::Closed => Phase::Closed,
            Stage::Open { .. } => Phase::Open,
            Stage::HalfOpen { .. } => Phase::HalfOpen,
        }
    }

    fn closeness(&self, state: &FailsafeRsState) -> Option<f64> {
        if state.stage != Stage::Closed {
            return None;
        }
        let by_run = self.run.map_or(0.0, |policy| closeness::of_count(state.failures, policy.num_failures.into()));
        // An average of 1 is no failures, and one of no more than the required rate opens.
        let by_average = self.average.filter(|_| !state.average.is_empty()).map_or(0.0, |policy| {
            let bearable = 1.0 - policy.required_success_rate.get();
            (1.0 - state.average.latest()) / bearable.max(f64::MIN_POSITIVE)
        });
        Some(by_run.max(by_average))
    }

    fn result_rule(&self, _longest: Duration) -> Option<ResultRule> {
        let policy = self.run.filter(|_| self.average.is_none())?;
        Some(ResultRule::Run { failures: policy.num_failures.max(1) })
    }
}

impl LibraryRule for FailsafeRs {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        let policy = match (self.average, self.run) {
            (Some(_), Some(_)) => EITHER,
            (Some(_), None) => AVERAGE,
            (None, _) => RUN,
        };
        let mut settings = Settings::new().with("failure_policy", Value::Word(policy));
        if let Some(policy) = self.run {
            settings.set("consecutive_failures.num_failures", Value::Number(policy.num_failures.into()));
        }
        if let Some(policy) = self.average {
            let rate = Value::Number(policy.required_success_rate.get());
            settings.set("success_rate_over_time_window.required_success_rate", rate);
            let requests = Value::Number(policy.min_request_threshold.into());
            settings.set("success_rate_over_time_window.min_request_threshold", requests);
            settings.set("success_rate_over_time_window.window", Value::Time(policy.window));
        }
        self.backoff.write(&mut settings);
        settings
    }

    fn open_times(&self) -> (Duration, Duration) {
        self.backoff.open_times()
    }

    fn probes(&self) -> u32 {
        1
    }

    fn simplest(self) -> Self {
        // A failure makes a run of one.
        let run = self.run.map(|policy| RunPolicy { num_failures: policy.num_failures.max(1) });
        Self { run, backoff: self.backoff.simplest(), ..self }
    }
}
