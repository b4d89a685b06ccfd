//! What failsafe for Java and failsafe-go have in common: everything but their time windows and the rounding of rates.
//!
//! - *Window*: the last so many results, or ten buckets over a period. *Minimum*: none for k of n, which need not be there
//!   yet; the execution threshold for periods. *Evaluated*: on every result. *Compared*: ≥; rates are rounded to whole percent.
//! - *Open time*: the delay; ends at its instant; a call has to ask.
//! - *Half-open*: as many calls at once as the success setting (else the execution threshold, else the failure setting) has
//!   capacity. *Verdict*: over a window of that capacity, by the success threshold, else by the failure settings; closing is
//!   tested first.
//! - *Lost probes*: keep their permit. *Late results*: counted in half-open and closed phases, and each gives back a permit
//!   that it never took; without effect in open phases.
//! - *Window after closing*: empty. *Own rejections*: not counted. *Never ran*: gives a permit back. *Ignored* (not handled):
//!   a success.

use std::fmt::Debug;
use std::hash::Hash;

use engine::{Duration, Time};

use crate::library::Given;
use crate::open_time::{Ends, OpenUntil};
use crate::time_of_day::TimeOfDay;
use crate::windows::Results;
use crate::{
    Answer, Clocks, Filling, Parameter, Phase, Real, ResultRule, ResultWindow, RuleError, Settings, TimeUnit,
    Transition, Value, Verdict, closeness,
};

pub(super) const fn failure_threshold() -> Parameter {
    Parameter::count(
        "failureThreshold",
        1,
        "failures that open the breaker: in a row, of the capacity, or in the period",
    )
    .at_least(1.0)
    .at_most(super::MAX_WINDOW)
}

pub(super) const fn failure_capacity() -> Parameter {
    Parameter::count(
        "failureThresholdingCapacity",
        1,
        "latest results that count; by default as many as failureThreshold",
    )
    .at_least(1.0)
    .at_most(super::MAX_WINDOW)
    .optional()
}

pub(super) const fn period(least_millis: f64) -> Parameter {
    Parameter::time("failureThresholdingPeriod", TimeUnit::Object, 0, "time in which results count")
        .optional()
        .at_least(least_millis)
}

pub(super) const fn executions() -> Parameter {
    Parameter::count("failureExecutionThreshold", 0, "results in the period that a judgement needs")
        .optional()
        .at_least(1.0)
}

pub(super) const fn success_threshold() -> Parameter {
    Parameter::count("successThreshold", 0, "successes that close a half-open breaker: in a row, or of the capacity")
        .optional()
        .at_least(1.0)
        .at_most(super::MAX_WINDOW)
}

pub(super) const fn success_capacity() -> Parameter {
    Parameter::count("successThresholdingCapacity", 0, "probes that count; by default as many as successThreshold")
        .optional()
        .at_least(1.0)
        .at_most(super::MAX_WINDOW)
}

pub(super) const fn delay() -> Parameter {
    Parameter::time("delay", TimeUnit::Object, 60_000, "time of an open breaker")
}

/// The settings as the builder leaves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Thresholds {
    failures: u32,
    failure_capacity: u32,
    /// 0: none.
    executions: u32,
    rate: Option<Real>,
    pub(super) period: Option<Duration>,
    /// Successes and the capacity of which they are.
    successes: Option<(u32, u32)>,
    delay: Duration,
}

impl Thresholds {
    /// `executions_without_rate`: whether the builder has a setting of failures in a period with a number of executions.
    pub(super) fn new(given: &Given<'_>, executions_without_rate: bool) -> Result<Self, RuleError> {
        let needs = |name, what: &str| Err(given.refuse(name, what.to_owned()));
        let mut failures = given.count("failureThreshold");
        let rate = given.optional_number("failureRateThreshold").filter(|&rate| rate > 0.0).map(Real::new);
        let period = given.optional_time("failureThresholdingPeriod");
        let mut failure_capacity = given.optional_count("failureThresholdingCapacity").unwrap_or(failures);
        let mut executions = given.optional_count("failureExecutionThreshold").unwrap_or(0);
        match (rate, period) {
            (Some(_), None) => return needs("failureThresholdingPeriod", "a period, as failureRateThreshold needs it"),
            (Some(_), Some(_)) if executions == 0 => {
                return needs("failureExecutionThreshold", "a number of executions, as failureRateThreshold needs it");
            }
            // A rate makes the numbers of failures meaningless.
            (Some(_), Some(_)) => (failures, failure_capacity) = (1, 1),
            (None, None) if executions > 0 => {
                return needs("failureExecutionThreshold", "it together with failureThresholdingPeriod");
            }
            (None, None) => {}
            (None, Some(_)) => {
                if executions > 0 && !executions_without_rate {
                    return needs("failureExecutionThreshold", "it with failureRateThreshold only");
                }
                if given.has("failureThresholdingCapacity") {
                    return needs("failureThresholdingCapacity", "it without failureThresholdingPeriod");
                }
                failure_capacity = failures;
                if executions == 0 {
                    executions = failures;
                }
            }
        }
        let success_capacity = given.optional_count("successThresholdingCapacity");
        let successes = match (given.optional_count("successThreshold"), success_capacity) {
            (Some(successes), capacity) => Some((successes, capacity.unwrap_or(successes))),
            (None, None) => None,
            (None, Some(_)) => return needs("successThresholdingCapacity", "it together with successThreshold"),
        };
        let delay = given.time("delay");
        Ok(Self { failures, failure_capacity, executions, rate, period, successes, delay })
    }

    /// The checks of the builder for Java.
    pub(super) fn check_order(&self, given: &Given<'_>) -> Result<(), RuleError> {
        let at_least =
            |name, number: u32, other: &str| Err(given.refuse(name, format!("at least {number}, the {other}")));
        if self.rate.is_none() && self.failure_capacity < self.failures {
            return at_least("failureThresholdingCapacity", self.failures, "failureThreshold");
        }
        if self.rate.is_none() && self.period.is_some() && self.executions < self.failures {
            return at_least("failureExecutionThreshold", self.failures, "failureThreshold");
        }
        match self.successes {
            Some((successes, capacity)) if capacity < successes => {
                at_least("successThresholdingCapacity", successes, "successThreshold")
            }
            _ => Ok(()),
        }
    }

    pub(super) fn settings(&self) -> Settings {
        let mut settings = Settings::new();
        let count = |settings: &mut Settings, name, number: u32| settings.set(name, Value::Number(number.into()));
        match (self.rate, self.period) {
            (Some(rate), Some(period)) => {
                settings.set("failureRateThreshold", Value::Number(rate.get()));
                count(&mut settings, "failureExecutionThreshold", self.executions);
                settings.set("failureThresholdingPeriod", Value::Time(period));
            }
            (_, Some(period)) => {
                count(&mut settings, "failureThreshold", self.failures);
                if self.executions != self.failures {
                    count(&mut settings, "failureExecutionThreshold", self.executions);
                }
                settings.set("failureThresholdingPeriod", Value::Time(period));
            }
            (_, None) => {
                count(&mut settings, "failureThreshold", self.failures);
                if self.failure_capacity != self.failures {
                    count(&mut settings, "failureThresholdingCapacity", self.failure_capacity);
                }
            }
        }
        if let Some((successes, capacity)) = self.successes {
            count(&mut settings, "successThreshold", successes);
            if capacity != successes {
                count(&mut settings, "successThresholdingCapacity", capacity);
            }
        }
        settings.with("delay", Value::Time(self.delay))
    }

    pub(super) const fn open_times(&self) -> (Duration, Duration) {
        (self.delay, self.delay)
    }

    pub(super) const fn half_open_capacity(&self) -> u32 {
        match self {
            Self { successes: Some((_, capacity)), .. } => *capacity,
            Self { executions: 0, failure_capacity, .. } => *failure_capacity,
            Self { executions, .. } => *executions,
        }
    }
}

/// The buckets of a period.
pub(super) const BUCKETS: usize = 10;

/// Where the two differ.
pub(super) trait Port {
    /// Ten buckets over a period.
    type TimeWindow: Clone + Debug + Eq + Hash + Send + 'static;

    /// What a rate of 1 is a share of.
    const UNIT_OF_RATES: f64;

    /// An empty window that begins at that millisecond of the time of day.
    fn time_window(began: u64) -> Self::TimeWindow;
    fn count(window: &mut Self::TimeWindow, period: Duration, day: TimeOfDay, now: Clocks, verdict: Verdict);
    fn results(window: &Self::TimeWindow) -> Results;
    /// Whether the rounded share of failures is at or above the threshold.
    fn fails(results: Results, threshold: f64) -> bool;
    /// Whether the rounded share of successes is above what the threshold leaves.
    fn succeeds(results: Results, threshold: f64) -> bool;
}

/// The state of a breaker.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State<W> {
    day: TimeOfDay,
    stage: Stage<W>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Stage<W> {
    Counting(ResultWindow),
    Timed(W),
    Open { until: OpenUntil },
    HalfOpen { results: ResultWindow, permits: u32 },
}

impl<W> State<W> {
    pub(super) const fn phase(&self) -> Phase {
        match self.stage {
            Stage::Counting(_) | Stage::Timed(_) => Phase::Closed,
            Stage::Open { .. } => Phase::Open,
            Stage::HalfOpen { .. } => Phase::HalfOpen,
        }
    }
}

fn results_of(window: &ResultWindow) -> Results {
    Results { successes: window.len() - window.failures(), failures: window.failures() }
}

impl Thresholds {
    /// A breaker that was made so long before the run.
    pub(super) fn begin<P: Port>(&self, day: TimeOfDay, age: Duration) -> State<P::TimeWindow> {
        State { day, stage: self.closed::<P>(day, Clocks::synchronous(Time::ZERO), age) }
    }

    /// The length of a bucket; the smallest one where nothing has buckets.
    pub(super) fn bucket(&self) -> Duration {
        self.period.map_or(Duration::TICK, |period| Duration::from_nanos(period.as_nanos() / BUCKETS as u64))
    }

    fn closed<P: Port>(&self, day: TimeOfDay, now: Clocks, age: Duration) -> Stage<P::TimeWindow> {
        match self.period {
            Some(_) => Stage::Timed(P::time_window(day.millis(now) - age.as_nanos() / 1_000_000)),
            None => Stage::Counting(ResultWindow::new(self.failure_capacity)),
        }
    }

    pub(super) fn ask<W>(&self, state: &mut State<W>, now: Clocks) -> (Answer, Option<Transition>) {
        match &mut state.stage {
            Stage::Counting(_) | Stage::Timed(_) => (Answer::Admit, None),
            Stage::Open { until } if !until.is_over(now.monotonic, Ends::At) => (Answer::Reject, None),
            Stage::Open { .. } => {
                let capacity = self.half_open_capacity();
                let results = ResultWindow::new(capacity);
                state.stage = Stage::HalfOpen { results, permits: capacity - 1 };
                (Answer::Admit, Transition::between(Phase::Open, Phase::HalfOpen))
            }
            Stage::HalfOpen { permits: 0, .. } => (Answer::Reject, None),
            Stage::HalfOpen { permits, .. } => {
                *permits -= 1;
                (Answer::Admit, None)
            }
        }
    }

    pub(super) fn release<W>(state: &mut State<W>) {
        if let Stage::HalfOpen { permits, .. } = &mut state.stage {
            *permits += 1;
        }
    }

    pub(super) fn record<P: Port>(
        &self,
        state: &mut State<P::TimeWindow>,
        now: Clocks,
        verdict: Verdict,
    ) -> Option<Transition> {
        let from = state.phase();
        let results = match &mut state.stage {
            Stage::Open { .. } => return None,
            Stage::Counting(window) => {
                window.push(self.failure_capacity, verdict);
                results_of(window)
            }
            Stage::Timed(window) => {
                P::count(window, self.period.unwrap_or(Duration::ZERO), state.day, now, verdict);
                P::results(window)
            }
            Stage::HalfOpen { results: window, .. } => {
                window.push(self.half_open_capacity(), verdict);
                results_of(window)
            }
        };
        let (opens, closes) = match from {
            Phase::HalfOpen => self.verdict::<P>(results),
            Phase::Closed | Phase::Open => (self.trips::<P>(results), false),
        };
        if closes {
            state.stage = self.closed::<P>(state.day, now, Duration::ZERO);
        } else if opens {
            state.stage = Stage::Open { until: OpenUntil::after(now.monotonic, self.delay) };
        } else if let Stage::HalfOpen { permits, .. } = &mut state.stage {
            *permits += 1;
        }
        Transition::between(from, state.phase())
    }

    fn trips<P: Port>(&self, results: Results) -> bool {
        results.total() >= self.executions
            && match self.rate {
                Some(rate) => P::fails(results, rate.get()),
                None => results.failures >= self.failures,
            }
    }

    /// See [`Rule::closeness`](crate::Rule::closeness).
    pub(super) fn closeness<P: Port>(&self, state: &State<P::TimeWindow>) -> Option<f64> {
        let results = match &state.stage {
            Stage::Counting(window) => results_of(window),
            Stage::Timed(window) => P::results(window),
            Stage::Open { .. } | Stage::HalfOpen { .. } => return None,
        };
        Some(match self.rate {
            Some(rate) => {
                closeness::of_share(results.failures, results.total(), self.executions, rate.get() * P::UNIT_OF_RATES)
            }
            None => closeness::of_count(results.failures, self.failures.into()),
        })
    }

    /// See [`Rule::result_rule`](crate::Rule::result_rule).
    pub(super) fn result_rule(&self) -> Option<ResultRule> {
        if self.period.is_some() {
            return None;
        }
        ResultRule::window(self.failure_capacity, Filling::Counts, |failures| failures >= self.failures)
    }

    /// Whether a half-open breaker opens, and whether it closes.
    fn verdict<P: Port>(&self, results: Results) -> (bool, bool) {
        // Where a threshold is larger than its capacity, which only one of the two refuses, the difference wraps around.
        let exceeds = |number: u32, capacity: u32, threshold: u32| number > capacity.wrapping_sub(threshold);
        match (self.successes, self.rate) {
            (Some((threshold, capacity)), _) => {
                (exceeds(results.failures, capacity, threshold), results.successes >= threshold)
            }
            (None, Some(rate)) => {
                let enough = results.total() >= self.executions;
                (enough && P::fails(results, rate.get()), enough && P::succeeds(results, rate.get()))
            }
            (None, None) => {
                let closes = exceeds(results.successes, self.failure_capacity, self.failures);
                (results.failures >= self.failures, closes)
            }
        }
    }
}

/// The share `of` results in percent, rounded half up: none of none.
pub(super) fn whole_percent(of: u32, results: Results) -> f64 {
    if results.total() == 0 {
        return 0.0;
    }
    // Of numbers that are not negative, rounding half up and half away from zero are one.
    (f64::from(of) / f64::from(results.total()) * 100.0).round()
}
