//! Resilience4j.
//!
//! - *Window*: the last `slidingWindowSize` results; or as many seconds, of the time of day (SYNCHRONIZED) or from the making
//!   of the window on (LOCK_FREE). *Minimum*: `minimumNumberOfCalls`, lowered to the window where that counts results.
//! - *Evaluated*: on every result. *Compared*: percent ≥ threshold, as 32-bit floats; failures and slow calls each by
//!   themselves. A call is slow if it took longer than `slowCallDurationThreshold`.
//! - *Open time*: on the wall clock, whole milliseconds; its last instant is still open; a call has to ask. It may grow with
//!   every opening until the breaker closes.
//! - *Half-open*: `permittedNumberOfCallsInHalfOpenState` calls in all. *Verdict*: over the last so many results once the
//!   lesser of permits and minimum is there.
//! - *Lost probes*: half-open for ever, unless `maxWaitDurationInHalfOpenState` ends the phase by a timer.
//! - *Late results*: counted like probes' in half-open, and in the new window after closing.
//! - *Window after closing*: empty. *Own rejections*: not counted. *Never ran*, *ignored*: gives a permit back, even one that
//!   was never taken.

use engine::{Duration, StreamKey, Time};

use crate::dialect::LibraryRule;
use crate::library::Given;
use crate::time_of_day::{TimeOfDay, drawn_phase};
use crate::{
    Answer, CallId, Clocks, Filling, Library, Outcome, Parameter, Phase, Real, Real32, ResultRule, Rule, RuleError,
    Settings, TimeUnit, Transition, Value, Verdict, closeness,
};

mod measurements;
mod window;

use measurements::Measurements;
use window::{Shape, Window};

static LIBRARY: Library = Library {
    name: "resilience4j",
    recorded_as: "resilience4j",
    version: "2.4.0",
    source: "https://github.com/resilience4j/resilience4j/tree/v2.4.0",
    path: "resilience4j-circuitbreaker/src/main/java/…/internal/CircuitBreakerStateMachine.java, …/CircuitBreakerMetrics.java, \
           resilience4j-core/src/main/java/…/metrics/*.java",
    parameters: &[
        Parameter::word("slidingWindowType", &[COUNT_BASED, TIME_BASED], "what the window counts: results or seconds"),
        Parameter::count("slidingWindowSize", 100, "results or seconds").at_least(1.0).at_most(super::MAX_WINDOW),
        Parameter::count("minimumNumberOfCalls", 100, "results that a judgement needs").at_least(1.0),
        Parameter::word("slidingWindowSynchronizationStrategy", &[SYNCHRONIZED, LOCK_FREE], "where seconds begin"),
        Parameter::number("failureRateThreshold", 50.0, "percent of failures that opens the breaker")
            .above(0.0)
            .at_most(100.0),
        Parameter::number("slowCallRateThreshold", 100.0, "percent of slow calls that opens the breaker")
            .above(0.0)
            .at_most(100.0),
        Parameter::time(
            "slowCallDurationThreshold",
            TimeUnit::Object,
            60_000,
            "time of the longest call that is not slow",
        )
        .above(0.0),
        Parameter::time(
            "waitDurationInOpenState",
            TimeUnit::Object,
            60_000,
            "time of an open breaker, the first if it grows",
        )
        .at_least(1.0),
        Parameter::number("waitInterval_multiplier", 1.0, "factor of that time from opening to opening").optional(),
        Parameter::time("waitInterval_max", TimeUnit::Object, 0, "the longest such time").optional().at_least(1.0),
        Parameter::count("permittedNumberOfCallsInHalfOpenState", 10, "calls of a half-open breaker")
            .at_least(1.0)
            .at_most(super::MAX_WINDOW),
        Parameter::time("maxWaitDurationInHalfOpenState", TimeUnit::Object, 0, "longest time half-open; 0 is for ever"),
        Parameter::word("transitionToStateAfterWaitDuration", &[OPEN, CLOSED], "what comes after that time"),
    ],
    make: |given| Resilience4j::new(given).map(Into::into),
};

const COUNT_BASED: &str = "COUNT_BASED";
const TIME_BASED: &str = "TIME_BASED";
const SYNCHRONIZED: &str = "SYNCHRONIZED";
const LOCK_FREE: &str = "LOCK_FREE";
const OPEN: &str = "OPEN";
const CLOSED: &str = "CLOSED";

/// A breaker of Resilience4j.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resilience4j {
    shape: Shape,
    size: u32,
    minimum: u32,
    failure_rate: Real32,
    slow_rate: Real32,
    slow_duration: Duration,
    wait: Duration,
    growth: Option<Growth>,
    permits: u32,
    /// Zero: for ever.
    max_wait: Duration,
    closes_after_wait: bool,
}

/// How the open time grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Growth {
    multiplier: Real,
    max: Option<Duration>,
}

/// The state of a [`Resilience4j`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resilience4jState {
    day: TimeOfDay,
    stage: Stage,
    /// How often it has opened since it was closed.
    attempts: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Closed {
        window: Window,
    },
    /// Until an instant of the day, in nanoseconds.
    Open {
        until: u64,
    },
    HalfOpen {
        window: Window,
        permits: u32,
        ends: Option<Time>,
    },
}

impl Resilience4j {
    fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        let size = given.count("slidingWindowSize");
        let lock_free = given.word("slidingWindowSynchronizationStrategy") == Some(LOCK_FREE);
        let shape = match given.word("slidingWindowType") {
            Some(TIME_BASED) if lock_free && size < 2 => {
                return Err(given.refuse("slidingWindowSize", "at least 2 with LOCK_FREE and TIME_BASED".to_owned()));
            }
            Some(TIME_BASED) if lock_free => Shape::SlicesLockFree,
            Some(TIME_BASED) => Shape::Seconds,
            _ if lock_free => Shape::ResultsLockFree,
            _ => Shape::Results,
        };
        let max = given.optional_time("waitInterval_max");
        let growth = match (given.optional_number("waitInterval_multiplier"), max) {
            (Some(multiplier), max) => Some(Growth { multiplier: Real::new(multiplier), max }),
            (None, None) => None,
            (None, Some(_)) => {
                return Err(given.refuse("waitInterval_max", "it together with waitInterval_multiplier".to_owned()));
            }
        };
        let percent = |name| Real32::new(given.number(name) as f32);
        Ok(Self {
            shape,
            size,
            minimum: given.count("minimumNumberOfCalls"),
            failure_rate: percent("failureRateThreshold"),
            slow_rate: percent("slowCallRateThreshold"),
            slow_duration: given.time("slowCallDurationThreshold"),
            wait: given.time("waitDurationInOpenState"),
            growth,
            permits: given.count("permittedNumberOfCallsInHalfOpenState"),
            max_wait: given.time("maxWaitDurationInHalfOpenState"),
            closes_after_wait: given.word("transitionToStateAfterWaitDuration") == Some(CLOSED),
        })
    }

    /// The minimum as the configuration keeps it.
    fn minimum(&self) -> u32 {
        if self.shape.counts_results() { self.minimum.min(self.size) } else { self.minimum }
    }

    /// How long the breaker is open the `attempt`-th time in a row, from 1: whole milliseconds at every step.
    fn open_for(&self, attempt: u32) -> Duration {
        let mut millis = whole_millis(self.wait);
        if let Some(Growth { multiplier, max }) = self.growth {
            let limit = max.map_or(i64::MAX as u64, whole_millis);
            for _ in 1..attempt {
                let grown = (millis as f64 * multiplier.get()).max(0.0) as u64;
                if grown == millis {
                    break;
                }
                millis = grown.min(i64::MAX as u64);
                if multiplier.get() >= 1.0 && millis >= limit {
                    break;
                }
            }
            millis = millis.min(limit);
        }
        Duration::from_nanos(millis.saturating_mul(1_000_000))
    }

    /// A breaker that was made so long before the run.
    fn begin(&self, day: TimeOfDay, age: Duration) -> Resilience4jState {
        Resilience4jState { day, stage: self.closed(day, Clocks::synchronous(Time::ZERO), age), attempts: 0 }
    }

    fn closed(&self, day: TimeOfDay, now: Clocks, age: Duration) -> Stage {
        Stage::Closed { window: Window::new(self.shape, self.size, day, now, age) }
    }

    fn enter_closed(&self, state: &mut Resilience4jState, now: Clocks) -> Option<Transition> {
        let from = phase_of(&state.stage);
        state.stage = self.closed(state.day, now, Duration::ZERO);
        state.attempts = 0;
        Transition::between(from, Phase::Closed)
    }

    fn enter_open(&self, state: &mut Resilience4jState, now: Clocks) -> Option<Transition> {
        let from = phase_of(&state.stage);
        state.attempts = state.attempts.saturating_add(1);
        let until = state.day.nanos(now).saturating_add(self.open_for(state.attempts).as_nanos());
        state.stage = Stage::Open { until };
        Transition::between(from, Phase::Open)
    }

    /// Whether the thresholds are exceeded; `None` below the minimum.
    fn exceeds(&self, measured: Measurements, minimum: u32) -> Option<bool> {
        if measured.total == 0 || measured.total < minimum {
            return None;
        }
        let percent = |part: u32| part as f32 * 100.0 / measured.total as f32;
        Some(percent(measured.failed) >= self.failure_rate.get() || percent(measured.slow) >= self.slow_rate.get())
    }
}

const fn whole_millis(time: Duration) -> u64 {
    time.as_nanos() / 1_000_000
}

const fn phase_of(stage: &Stage) -> Phase {
    match stage {
        Stage::Closed { .. } => Phase::Closed,
        Stage::Open { .. } => Phase::Open,
        Stage::HalfOpen { .. } => Phase::HalfOpen,
    }
}

impl Rule for Resilience4j {
    type State = Resilience4jState;

    fn start(&self, run: StreamKey) -> Resilience4jState {
        let second = Duration::from_secs(1);
        self.begin(TimeOfDay::drawn(run, second), drawn_phase(run, second))
    }

    fn start_at(&self, epoch: Duration) -> Resilience4jState {
        self.begin(TimeOfDay::at_start(epoch), Duration::ZERO)
    }

    fn advance(&self, state: &mut Resilience4jState, now: Clocks) -> Option<Transition> {
        self.next_timer(state).filter(|&ends| ends <= now.monotonic)?;
        if self.closes_after_wait { self.enter_closed(state, now) } else { self.enter_open(state, now) }
    }

    fn ask(&self, state: &mut Resilience4jState, now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        match &mut state.stage {
            Stage::Closed { .. } => (Answer::Admit, None),
            Stage::Open { until } if state.day.nanos(now) <= *until => (Answer::Reject, None),
            Stage::Open { .. } => {
                let window = Window::new(Shape::Results, self.permits, state.day, now, Duration::ZERO);
                let ends = (whole_millis(self.max_wait) > 0)
                    .then(|| now.monotonic + Duration::from_millis(whole_millis(self.max_wait)));
                state.stage = Stage::HalfOpen { window, permits: self.permits - 1, ends };
                (Answer::Admit, Transition::between(Phase::Open, Phase::HalfOpen))
            }
            Stage::HalfOpen { permits: 0, .. } => (Answer::Reject, None),
            Stage::HalfOpen { permits, .. } => {
                *permits -= 1;
                (Answer::Admit, None)
            }
        }
    }

    fn release(&self, state: &mut Resilience4jState, _now: Clocks, _call: CallId) -> Option<Transition> {
        if let Stage::HalfOpen { permits, .. } = &mut state.stage {
            *permits += 1;
        }
        None
    }

    fn record(
        &self,
        state: &mut Resilience4jState,
        now: Clocks,
        _call: CallId,
        outcome: Outcome,
    ) -> Option<Transition> {
        let one = Measurements {
            total: 1,
            failed: u32::from(outcome.verdict == Verdict::Failure),
            slow: u32::from(outcome.duration > self.slow_duration),
        };
        match &mut state.stage {
            Stage::Open { .. } => None,
            Stage::Closed { window } => {
                let measured = window.record(one, state.day, now);
                if self.exceeds(measured, self.minimum()) == Some(true) { self.enter_open(state, now) } else { None }
            }
            Stage::HalfOpen { window, .. } => {
                let measured = window.record(one, state.day, now);
                match self.exceeds(measured, self.minimum().min(self.permits)) {
                    Some(true) => self.enter_open(state, now),
                    Some(false) => self.enter_closed(state, now),
                    None => None,
                }
            }
        }
    }

    fn next_timer(&self, state: &Resilience4jState) -> Option<Time> {
        match state.stage {
            Stage::HalfOpen { ends, .. } => ends,
            Stage::Closed { .. } | Stage::Open { .. } => None,
        }
    }

    fn phase(&self, state: &Resilience4jState, _now: Clocks) -> Phase {
        phase_of(&state.stage)
    }

    fn closeness(&self, state: &Resilience4jState) -> Option<f64> {
        let Stage::Closed { window } = &state.stage else { return None };
        let measured = window.measured();
        let of = |part: u32, percent: Real32| {
            closeness::of_share(part, measured.total, self.minimum(), f64::from(percent.get()) / 100.0)
        };
        Some(of(measured.failed, self.failure_rate).max(of(measured.slow, self.slow_rate)))
    }

    fn result_rule(&self, longest: Duration) -> Option<ResultRule> {
        if !self.shape.counts_results() || longest > self.slow_duration {
            return None;
        }
        let filling = if self.minimum() == self.size { Filling::Waits } else { Filling::Differs };
        let full = |failed: u32| Measurements { total: self.size, failed, slow: 0 };
        ResultRule::window(self.size, filling, |failed| self.exceeds(full(failed), self.minimum()) == Some(true))
    }
}

impl LibraryRule for Resilience4j {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        let kind = if self.shape.counts_results() { COUNT_BASED } else { TIME_BASED };
        let strategy = if self.shape.is_lock_free() { LOCK_FREE } else { SYNCHRONIZED };
        let mut settings = Settings::new()
            .with("slidingWindowType", Value::Word(kind))
            .with("slidingWindowSize", Value::Number(self.size.into()))
            .with("minimumNumberOfCalls", Value::Number(self.minimum.into()))
            .with("slidingWindowSynchronizationStrategy", Value::Word(strategy))
            .with("failureRateThreshold", Value::Number(self.failure_rate.shortest()))
            .with("slowCallRateThreshold", Value::Number(self.slow_rate.shortest()))
            .with("slowCallDurationThreshold", Value::Time(self.slow_duration))
            .with("waitDurationInOpenState", Value::Time(self.wait));
        if let Some(Growth { multiplier, max }) = self.growth {
            settings.set("waitInterval_multiplier", Value::Number(multiplier.get()));
            if let Some(max) = max {
                settings.set("waitInterval_max", Value::Time(max));
            }
        }
        let after = if self.closes_after_wait { CLOSED } else { OPEN };
        settings
            .with("permittedNumberOfCallsInHalfOpenState", Value::Number(self.permits.into()))
            .with("maxWaitDurationInHalfOpenState", Value::Time(self.max_wait))
            .with("transitionToStateAfterWaitDuration", Value::Word(after))
    }

    fn open_times(&self) -> (Duration, Duration) {
        let first = self.open_for(1);
        let longest = match self.growth {
            Some(Growth { multiplier, max }) if multiplier.get() > 1.0 => max.unwrap_or(Duration::from_nanos(u64::MAX)),
            _ => first,
        };
        (first, longest)
    }

    fn probes(&self) -> u32 {
        self.minimum().min(self.permits)
    }

    fn simplest(self) -> Self {
        let growth = self.growth.filter(|growth| growth.multiplier.get() != 1.0 || growth.max.is_some());
        let closes_after_wait = self.closes_after_wait && whole_millis(self.max_wait) > 0;
        let shape = if self.shape.counts_results() { Shape::Results } else { self.shape };
        Self { shape, minimum: self.minimum(), growth, closes_after_wait, ..self }
    }
}
