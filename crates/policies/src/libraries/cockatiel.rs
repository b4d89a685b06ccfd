//! cockatiel.
//!
//! - *Window*: the run of failures ([`ConsecutiveBreaker`](Judge)), across all phases; the last `size` results; or windows of
//!   at most a second each, of which a result begins at most one, however long the gap was. *Minimum*: none,
//!   `minimumNumberOfCalls`, `duration` × `minimumRps`.
//! - *Evaluated*: on failures. *Compared*: run ≥ `threshold`; failures > `threshold` × results.
//! - *Open time*: `halfOpenAfter`, on the wall clock in milliseconds; ends at its instant; a call has to ask. A back-off
//!   grows with each failed test call and begins anew when the breaker closes.
//! - *Half-open*: one test call. Other calls **wait** until it ends, and then ask again: they all run, or are all turned away.
//! - *Verdict*: by the test call. *Lost probes*: calls wait for ever.
//! - *Late results*: counted in every phase; a failure that meets the closed breaker's threshold opens a half-open one again,
//!   and the test call's later success closes nothing.
//! - *Window after closing*: the success that closed. *Own rejections*: not counted.
//! - *Never ran*: a test call leaves the breaker open as it was before it. *Ignored* (not handled): a test call that closes; else
//!   as if it had not asked.

use engine::{Duration, StreamKey, Time};

use crate::dialect::LibraryRule;
use crate::half_open::Probes;
use crate::library::Given;
use crate::time_of_day::TimeOfDay;
use crate::{
    Answer, CallId, Clocks, Durations, Library, Outcome, Parameter, Phase, ResultRule, Resumed, Rule, RuleError,
    Settings, TimeUnit, Transition, Value, Verdict,
};

mod backoff;
mod judge;

use backoff::Backoff;
use judge::{Evidence, Judge};

static LIBRARY: Library = Library {
    name: "cockatiel",
    recorded_as: "cockatiel",
    version: "3.2.1",
    source: "https://www.npmjs.com/package/cockatiel/v/3.2.1",
    path: "dist/CircuitBreakerPolicy.js, dist/breaker/*.js, dist/backoff/*.js",
    parameters: &[
        Parameter::time("halfOpenAfter", TimeUnit::Milliseconds, 0, "milliseconds of an open breaker").optional(),
        Parameter::word("halfOpenAfter.kind", &[backoff::EXPONENTIAL, backoff::ITERABLE], "a back-off instead")
            .optional(),
        Parameter::time(
            "halfOpenAfter.initialDelay",
            TimeUnit::Milliseconds,
            128,
            "the first time, which then doubles",
        ),
        Parameter::time("halfOpenAfter.maxDelay", TimeUnit::Milliseconds, 30_000, "the longest time"),
        Parameter::number("halfOpenAfter.exponent", 2.0, "without effect on the generator without jitter"),
        Parameter::times("halfOpenAfter.durations", "the times one after the other, the last for ever"),
        Parameter::word("breaker.kind", &[judge::CONSECUTIVE, judge::COUNT, judge::SAMPLING], "what opens the breaker")
            .required(),
        Parameter::number("breaker.threshold", 0.0, "failures in a row, or a share of failures").required(),
        Parameter::count("breaker.size", 0, "results in the window")
            .optional()
            .at_least(1.0)
            .at_most(super::MAX_WINDOW),
        Parameter::count("breaker.minimumNumberOfCalls", 0, "results that a judgement needs; size by default")
            .optional()
            .at_least(1.0),
        Parameter::time("breaker.duration", TimeUnit::Milliseconds, 0, "milliseconds of the sampled windows")
            .optional()
            .at_most(1e9),
        Parameter::number(
            "breaker.minimumRps",
            0.0,
            "results per second that a judgement needs; 5 ÷ threshold by default",
        )
        .optional()
        .at_least(0.0),
    ],
    make: |given| Cockatiel::new(given).map(Into::into),
};

/// A breaker of cockatiel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cockatiel {
    judge: Judge,
    backoff: Backoff,
}

/// The state of a [`Cockatiel`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CockatielState {
    day: TimeOfDay,
    stage: Stage,
    evidence: Evidence,
    /// Test calls that have not ended; several, where a late failure opened the breaker under one of them.
    tests: Probes,
    /// Calls that wait, each for a test call.
    waiting: Vec<Waiting>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Closed,
    /// Since an instant in milliseconds; `failed` test calls since it was closed.
    Open {
        since: u64,
        failed: u32,
    },
    HalfOpen {
        test: CallId,
        since: u64,
        failed: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Waiting {
    call: CallId,
    test: CallId,
}

impl Cockatiel {
    fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        Ok(Self { judge: Judge::new(given)?, backoff: Backoff::new(given)? })
    }

    fn begin(&self, day: TimeOfDay) -> CockatielState {
        CockatielState {
            day,
            stage: Stage::Closed,
            evidence: self.judge.no_evidence(),
            tests: Probes::default(),
            waiting: Vec::new(),
        }
    }

    /// The call asks, for the first time or again.
    fn execute(&self, state: &mut CockatielState, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        match state.stage {
            Stage::Closed => (Answer::Admit, None),
            Stage::HalfOpen { test, .. } => {
                state.waiting.push(Waiting { call, test });
                (Answer::Wait, None)
            }
            Stage::Open { since, failed } => {
                // Milliseconds are whole on one side, so that parts of them on the other round up.
                let open_for = self.backoff.duration(failed).as_nanos().div_ceil(1_000_000);
                if state.day.millis(now).saturating_sub(since) < open_for {
                    return (Answer::Reject, None);
                }
                state.stage = Stage::HalfOpen { test: call, since, failed };
                state.tests.begin(call);
                (Answer::Admit, Transition::between(Phase::Open, Phase::HalfOpen))
            }
        }
    }

    fn open(state: &mut CockatielState, now: Clocks) -> Option<Transition> {
        let from = phase_of(state.stage);
        let failed = match state.stage {
            Stage::Open { .. } => return None,
            Stage::Closed => 0,
            Stage::HalfOpen { failed, .. } => failed.saturating_add(1),
        };
        state.stage = Stage::Open { since: state.day.millis(now), failed };
        Transition::between(from, Phase::Open)
    }

    fn close(state: &mut CockatielState) -> Option<Transition> {
        let Stage::HalfOpen { .. } = state.stage else { return None };
        state.stage = Stage::Closed;
        Transition::between(Phase::HalfOpen, Phase::Closed)
    }
}

const fn phase_of(stage: Stage) -> Phase {
    match stage {
        Stage::Closed => Phase::Closed,
        Stage::Open { .. } => Phase::Open,
        Stage::HalfOpen { .. } => Phase::HalfOpen,
    }
}

impl Rule for Cockatiel {
    type State = CockatielState;

    const WAITS: bool = true;

    fn start(&self, run: StreamKey) -> CockatielState {
        self.begin(TimeOfDay::drawn(run, Duration::from_millis(1)))
    }

    fn start_at(&self, epoch: Duration) -> CockatielState {
        self.begin(TimeOfDay::at_start(epoch))
    }

    fn advance(&self, _state: &mut CockatielState, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut CockatielState, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        self.execute(state, now, call)
    }

    /// The first call whose test call has ended asks again. One that finds another test call out waits for that.
    fn resume(&self, state: &mut CockatielState, now: Clocks) -> Option<Resumed> {
        loop {
            let place = state.waiting.iter().position(|waiting| !state.tests.contains(waiting.test))?;
            let Waiting { call, .. } = state.waiting.remove(place);
            let (answer, transition) = self.execute(state, now, call);
            if answer != Answer::Wait {
                return Some(Resumed { call, admitted: answer == Answer::Admit, transition });
            }
        }
    }

    fn release(&self, state: &mut CockatielState, _now: Clocks, call: CallId) -> Option<Transition> {
        state.tests.end(call);
        match state.stage {
            Stage::HalfOpen { test, since, failed } if test == call => {
                state.stage = Stage::Open { since, failed };
                Transition::between(Phase::HalfOpen, Phase::Open)
            }
            _ => None,
        }
    }

    fn ignore(&self, state: &mut CockatielState, _now: Clocks, call: CallId, _outcome: Outcome) -> Option<Transition> {
        if state.tests.end(call) { Self::close(state) } else { None }
    }

    fn record(&self, state: &mut CockatielState, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        let millis = state.day.millis(now);
        let was_test = state.tests.end(call);
        match (outcome.verdict, was_test) {
            (Verdict::Success, _) => {
                self.judge.succeed(&mut state.evidence, millis, was_test);
                if was_test { Self::close(state) } else { None }
            }
            (Verdict::Failure, _) => {
                let meets = self.judge.fail(&mut state.evidence, millis);
                if was_test || meets { Self::open(state, now) } else { None }
            }
        }
    }

    fn next_timer(&self, _state: &CockatielState) -> Option<Time> {
        None
    }

    fn phase(&self, state: &CockatielState, _now: Clocks) -> Phase {
        phase_of(state.stage)
    }

    fn closeness(&self, state: &CockatielState) -> Option<f64> {
        (state.stage == Stage::Closed).then(|| self.judge.closeness(&state.evidence))
    }

    fn result_rule(&self, _longest: Duration) -> Option<ResultRule> {
        self.judge.result_rule()
    }
}

impl LibraryRule for Cockatiel {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        let mut settings = Settings::new();
        self.backoff.write(&mut settings);
        self.judge.write(&mut settings);
        settings
    }

    fn open_times(&self) -> (Duration, Duration) {
        (self.backoff.duration(0), self.backoff.longest())
    }

    fn probes(&self) -> u32 {
        1
    }

    fn simplest(self) -> Self {
        Self { judge: self.judge.simplest(), backoff: self.backoff }
    }
}
