//! recloser.
//!
//! - *Window*: the last `closed_len` results. *Minimum*: they have to be there before the result that is judged, so that the
//!   first judgement is of result `closed_len` + 1.
//! - *Evaluated*: on every result. *Compared*: share ≥ `error_rate_closed`, as 32-bit floats.
//! - *Open time*: `open_wait`, or as the strategy says; its last instant is still open; a call has to ask.
//! - *Half-open*: every call is let through. *Verdict*: over the last `half_open_len` results once there is one more, a
//!   success with a share ≤ `error_rate_half_open` closes, a failure with a share ≥ it opens again.
//! - *Lost probes*: do no harm. *Late results*: counted in closed and half-open phases, not in open ones.
//! - *Window after closing*: empty. *Own rejections*: not counted. *Never ran*: as if it had not asked. *Ignored* (by the error
//!   predicate): a success.

use engine::{Duration, StreamKey, Time};

use crate::dialect::LibraryRule;
use crate::library::Given;
use crate::open_time::{Ends, OpenUntil};
use crate::{
    Answer, CallId, Clocks, Filling, Library, Outcome, Parameter, Phase, Real32, ResultRule, ResultWindow, Rule,
    RuleError, Settings, TimeUnit, Transition, Value, Verdict, closeness,
};

static LIBRARY: Library = Library {
    name: "recloser",
    recorded_as: "recloser (Rust crate)",
    version: "1.4.0",
    source: "https://crates.io/crates/recloser/1.4.0",
    path: "src/recloser.rs, src/ring_buffer.rs",
    parameters: &[
        Parameter::number(
            "error_rate",
            0.5,
            "share of failures that opens or closes, where the two below say no other",
        ),
        Parameter::number("error_rate_closed", 0.5, "share of failures that opens a closed breaker").optional(),
        Parameter::number("error_rate_half_open", 0.5, "share of failures that opens or closes a half-open breaker")
            .optional(),
        Parameter::count("closed_len", 100, "results in the window of a closed breaker")
            .at_least(1.0)
            .at_most(super::MAX_WINDOW),
        Parameter::count("half_open_len", 10, "results in the window of a half-open breaker")
            .at_least(1.0)
            .at_most(super::MAX_WINDOW),
        Parameter::time("open_wait", TimeUnit::Object, 30_000, "time of an open breaker"),
        Parameter::word(
            "open_wait_strategy",
            &[TIMES_FAIL_COUNT],
            "n × open_wait from the n-th failed recovery in a row on",
        )
        .optional(),
    ],
    make: |given| Recloser::new(given).map(Into::into),
};

const TIMES_FAIL_COUNT: &str = "open_wait_times_fail_count";

/// A breaker of recloser.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recloser {
    error_rate_closed: Real32,
    error_rate_half_open: Real32,
    closed_len: u32,
    half_open_len: u32,
    open_wait: Duration,
    times_fail_count: bool,
}

/// The state of a [`Recloser`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RecloserState(State);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    Closed(ResultWindow),
    Open { until: OpenUntil, fail_count: u32 },
    HalfOpen { results: ResultWindow, fail_count: u32 },
}

impl Recloser {
    fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        let rate = |name| {
            let rate = given.optional_number(name).unwrap_or_else(|| given.number("error_rate"));
            Real32::new(rate as f32)
        };
        Ok(Self {
            error_rate_closed: rate("error_rate_closed"),
            error_rate_half_open: rate("error_rate_half_open"),
            closed_len: given.count("closed_len"),
            half_open_len: given.count("half_open_len"),
            open_wait: given.time("open_wait"),
            times_fail_count: given.word("open_wait_strategy").is_some(),
        })
    }

    /// Open after so many failed recoveries in a row, the opening of a closed breaker not among them.
    fn open(&self, now: Clocks, recoveries: u32) -> State {
        let times = if self.times_fail_count { recoveries.max(1) } else { 1 };
        let open_for = Duration::from_nanos(self.open_wait.as_nanos().saturating_mul(times.into()));
        State::Open { until: OpenUntil::after(now.monotonic, open_for), fail_count: recoveries + 1 }
    }
}

/// The share of failures after one more result, where the window was full before it.
fn rate(results: &mut ResultWindow, capacity: u32, verdict: Verdict) -> Option<f32> {
    let was_full = results.len() == capacity;
    results.push(capacity, verdict);
    was_full.then(|| results.failures() as f32 / capacity as f32)
}

impl Rule for Recloser {
    type State = RecloserState;

    fn start(&self, _run: StreamKey) -> RecloserState {
        RecloserState(State::Closed(ResultWindow::new(self.closed_len)))
    }

    fn advance(&self, _state: &mut RecloserState, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut RecloserState, now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        let State::Open { until, fail_count } = state.0 else { return (Answer::Admit, None) };
        if !until.is_over(now.monotonic, Ends::After) {
            return (Answer::Reject, None);
        }
        state.0 = State::HalfOpen { results: ResultWindow::new(self.half_open_len), fail_count };
        (Answer::Admit, Transition::between(Phase::Open, Phase::HalfOpen))
    }

    fn release(&self, _state: &mut RecloserState, _now: Clocks, _call: CallId) -> Option<Transition> {
        None
    }

    fn ignore(&self, state: &mut RecloserState, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.record(state, now, call, Outcome { verdict: Verdict::Success, ..outcome })
    }

    fn record(&self, state: &mut RecloserState, now: Clocks, _call: CallId, outcome: Outcome) -> Option<Transition> {
        let verdict = outcome.verdict;
        match &mut state.0 {
            State::Open { .. } => None,
            State::Closed(results) => {
                let rate = rate(results, self.closed_len, verdict)?;
                if rate < self.error_rate_closed.get() {
                    return None;
                }
                state.0 = self.open(now, 0);
                Transition::between(Phase::Closed, Phase::Open)
            }
            State::HalfOpen { results, fail_count } => {
                let rate = rate(results, self.half_open_len, verdict)?;
                let threshold = self.error_rate_half_open.get();
                match verdict {
                    Verdict::Success if rate <= threshold => {
                        state.0 = State::Closed(ResultWindow::new(self.closed_len));
                        Transition::between(Phase::HalfOpen, Phase::Closed)
                    }
                    Verdict::Failure if rate >= threshold => {
                        state.0 = self.open(now, *fail_count);
                        Transition::between(Phase::HalfOpen, Phase::Open)
                    }
                    _ => None,
                }
            }
        }
    }

    fn next_timer(&self, _state: &RecloserState) -> Option<Time> {
        None
    }

    fn phase(&self, state: &RecloserState, _now: Clocks) -> Phase {
        match state.0 {
            State::Closed(_) => Phase::Closed,
            State::Open { .. } => Phase::Open,
            State::HalfOpen { .. } => Phase::HalfOpen,
        }
    }

    fn closeness(&self, state: &RecloserState) -> Option<f64> {
        let State::Closed(results) = &state.0 else { return None };
        let enough = f64::from(self.error_rate_closed.get()) * f64::from(self.closed_len);
        Some(closeness::of_count(results.failures(), enough))
    }

    fn result_rule(&self, _longest: Duration) -> Option<ResultRule> {
        let enough = |failures: u32| failures as f32 / self.closed_len as f32 >= self.error_rate_closed.get();
        ResultRule::window(self.closed_len, Filling::WaitsOneMore, enough)
    }
}

impl LibraryRule for Recloser {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        let rate = |rate: Real32| Value::Number(rate.shortest());
        let mut settings = Settings::new();
        if self.error_rate_closed == self.error_rate_half_open {
            settings.set("error_rate", rate(self.error_rate_closed));
        } else {
            settings.set("error_rate_closed", rate(self.error_rate_closed));
            settings.set("error_rate_half_open", rate(self.error_rate_half_open));
        }
        let settings = settings
            .with("closed_len", Value::Number(self.closed_len.into()))
            .with("half_open_len", Value::Number(self.half_open_len.into()))
            .with("open_wait", Value::Time(self.open_wait));
        match self.times_fail_count {
            true => settings.with("open_wait_strategy", Value::Word(TIMES_FAIL_COUNT)),
            false => settings,
        }
    }

    fn open_times(&self) -> (Duration, Duration) {
        let longest = if self.times_fail_count { Duration::from_nanos(u64::MAX) } else { self.open_wait };
        (self.open_wait, longest)
    }

    fn probes(&self) -> u32 {
        self.half_open_len + 1
    }
}
