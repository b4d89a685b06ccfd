//! Failsafe for Java: see [`failsafe`](super::failsafe) for what it does.
//!
//! Its own: rates are whole percent. The buckets of a period begin when the closed phase does, in milliseconds of the time of
//! day. After a gap of more than ten buckets all of them are emptied and restamped from now on, but the result is counted in
//! the bucket that was the current one before: its start now lies in the future, and it stays in the window for longer. From
//! then on, buckets are stamped one window ahead of their restamped starts.

use engine::{Duration, StreamKey, Time};

use super::failsafe::{self, BUCKETS, Port, State, Thresholds};
use crate::dialect::LibraryRule;
use crate::time_of_day::{TimeOfDay, drawn_phase};
use crate::windows::Results;
use crate::{
    Answer, CallId, Clocks, Library, Outcome, Parameter, Phase, ResultRule, Rule, Settings, Transition, Verdict,
};

static LIBRARY: Library = Library {
    name: "failsafe_java",
    recorded_as: "failsafe-lib/failsafe",
    version: "3.3.2",
    source: "https://github.com/failsafe-lib/failsafe/tree/failsafe-parent-3.3.2",
    path: "core/src/main/java/dev/failsafe",
    parameters: &[
        failsafe::failure_threshold(),
        failsafe::failure_capacity(),
        failsafe::period(10.0),
        failsafe::executions(),
        Parameter::number("failureRateThreshold", 0.0, "whole percent of failures that opens the breaker")
            .optional()
            .at_least(1.0)
            .at_most(100.0),
        failsafe::success_threshold(),
        failsafe::success_capacity(),
        failsafe::delay(),
    ],
    make: |given| {
        let thresholds = Thresholds::new(given, true)?;
        thresholds.check_order(given)?;
        if given.optional_number("failureRateThreshold").is_some_and(|rate| rate.fract() != 0.0) {
            return Err(given.refuse("failureRateThreshold", "a whole number of percent, from 1 to 100".to_owned()));
        }
        Ok(FailsafeJava(thresholds).into())
    },
};

/// A breaker of Failsafe for Java.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FailsafeJava(Thresholds);

/// The state of a [`FailsafeJava`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FailsafeJavaState(State<Buckets>);

/// Ten buckets, each with its own start.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Buckets {
    buckets: [Bucket; BUCKETS],
    current: usize,
    total: Results,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bucket {
    /// In milliseconds; `None` until it has been the current one.
    start: Option<u64>,
    results: Results,
}

impl Buckets {
    fn new(began: u64) -> Self {
        let mut buckets = [Bucket { start: None, results: Results::default() }; BUCKETS];
        buckets[0].start = Some(began);
        Self { buckets, current: 0, total: Results::default() }
    }

    /// The bucket in which a result is counted at `now`.
    fn bucket_at(&mut self, now: u64, period: u64) -> &mut Bucket {
        let length = period / BUCKETS as u64;
        let mut counted_in = self.current;
        let age = now.saturating_sub(self.buckets[self.current].start.unwrap_or(0));
        let moves = age / length;
        if moves > BUCKETS as u64 {
            self.reset(now, length);
        } else {
            for _ in 0..moves {
                let previous_start = self.buckets[self.current].start.unwrap_or(0);
                self.current = (self.current + 1) % BUCKETS;
                counted_in = self.current;
                let bucket = &mut self.buckets[self.current];
                self.total -= bucket.results;
                let start = bucket.start.map_or(previous_start + length, |start| start + period);
                *bucket = Bucket { start: Some(start), results: Results::default() };
            }
        }
        &mut self.buckets[counted_in]
    }

    fn reset(&mut self, now: u64, length: u64) {
        for (start, bucket) in (0..).map(|number| now + number * length).zip(&mut self.buckets) {
            *bucket = Bucket { start: Some(start), results: Results::default() };
        }
        self.total = Results::default();
        self.current = 0;
    }
}

impl Port for FailsafeJava {
    type TimeWindow = Buckets;

    const UNIT_OF_RATES: f64 = 0.01;

    fn time_window(began: u64) -> Buckets {
        Buckets::new(began)
    }

    fn count(window: &mut Buckets, period: Duration, day: TimeOfDay, now: Clocks, verdict: Verdict) {
        let one = Results::one(verdict);
        window.bucket_at(day.millis(now), period.as_nanos() / 1_000_000).results += one;
        window.total += one;
    }

    fn results(window: &Buckets) -> Results {
        window.total
    }

    fn fails(results: Results, threshold: f64) -> bool {
        failsafe::whole_percent(results.failures, results) >= threshold
    }

    fn succeeds(results: Results, threshold: f64) -> bool {
        failsafe::whole_percent(results.successes, results) > 100.0 - threshold
    }
}

impl Rule for FailsafeJava {
    type State = FailsafeJavaState;

    fn start(&self, run: StreamKey) -> FailsafeJavaState {
        let day = TimeOfDay::drawn(run, Duration::from_millis(1));
        FailsafeJavaState(self.0.begin::<Self>(day, drawn_phase(run, self.0.bucket())))
    }

    fn start_at(&self, epoch: Duration) -> FailsafeJavaState {
        FailsafeJavaState(self.0.begin::<Self>(TimeOfDay::at_start(epoch), Duration::ZERO))
    }

    fn advance(&self, _state: &mut FailsafeJavaState, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut FailsafeJavaState, now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        self.0.ask(&mut state.0, now)
    }

    fn release(&self, state: &mut FailsafeJavaState, _now: Clocks, _call: CallId) -> Option<Transition> {
        Thresholds::release(&mut state.0);
        None
    }

    fn ignore(
        &self,
        state: &mut FailsafeJavaState,
        now: Clocks,
        _call: CallId,
        _outcome: Outcome,
    ) -> Option<Transition> {
        self.0.record::<Self>(&mut state.0, now, Verdict::Success)
    }

    fn record(
        &self,
        state: &mut FailsafeJavaState,
        now: Clocks,
        _call: CallId,
        outcome: Outcome,
    ) -> Option<Transition> {
        self.0.record::<Self>(&mut state.0, now, outcome.verdict)
    }

    fn next_timer(&self, _state: &FailsafeJavaState) -> Option<Time> {
        None
    }

    fn phase(&self, state: &FailsafeJavaState, _now: Clocks) -> Phase {
        state.0.phase()
    }

    fn closeness(&self, state: &FailsafeJavaState) -> Option<f64> {
        self.0.closeness::<Self>(&state.0)
    }

    fn result_rule(&self, _longest: Duration) -> Option<ResultRule> {
        self.0.result_rule()
    }
}

impl LibraryRule for FailsafeJava {
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
