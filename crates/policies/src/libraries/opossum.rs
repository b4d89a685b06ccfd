//! opossum.
//!
//! - *Window*: `rollingCountBuckets` buckets that rotate by a timer from the breaker's making. Calls are counted when they are
//!   made (fires), rejected ones too. *Minimum*: `volumeThreshold` fires.
//! - *Evaluated*: on failures, after the warm-up. *Compared*: failures ÷ fires > `errorThresholdPercentage`.
//! - *Open time*: `resetTimeout`, by a timer.
//! - *Half-open*: one probe. *Verdict*: by the first result of any call.
//! - *Lost probes*: half-open for ever, unless `timeout` fails it. *Late results*: decide like any. A call that is out for
//!   `timeout` fails there, by a timer that goes before whatever else happens then; its result is ignored.
//! - *Window after closing*: as it is; nothing ever empties it but time. *Own rejections*: counted as fires.
//! - *Never ran*: a probe leaves its place to the next call; its fire stays counted. *Ignored* (`errorFilter`): a success.

use std::collections::VecDeque;

use engine::{Duration, StreamKey, Time};

use crate::dialect::LibraryRule;
use crate::library::Given;
use crate::time_of_day::drawn_phase;
use crate::windows::Buckets;
use crate::{
    Answer, CallId, Clocks, Library, Outcome, Parameter, Phase, Real, Rule, Settings, TimeUnit, Transition, Value,
    Verdict, closeness,
};

mod fires;

use fires::Fires;

static LIBRARY: Library = Library {
    name: "opossum",
    recorded_as: "opossum",
    version: "9.0.0",
    source: "https://www.npmjs.com/package/opossum/v/9.0.0",
    path: "lib/circuit.js, lib/status.js",
    parameters: &[
        Parameter::number("errorThresholdPercentage", 50.0, "percent of failures above which the breaker opens"),
        Parameter::count("volumeThreshold", 0, "calls that a judgement needs"),
        // Node makes a timer of 0 one of a millisecond; here it would be due before what has just happened.
        Parameter::time("resetTimeout", TimeUnit::Milliseconds, 30_000, "milliseconds of an open breaker").above(0.0),
        Parameter::time("rollingCountTimeout", TimeUnit::Milliseconds, 10_000, "milliseconds of the window").above(0.0),
        Parameter::count("rollingCountBuckets", 10, "buckets of the window").at_least(1.0).at_most(super::MAX_WINDOW),
        Parameter::time_or_false(
            "timeout",
            TimeUnit::Milliseconds,
            10_000,
            "milliseconds after which a call has failed",
        ),
        Parameter::flag("allowWarmUp", false, "whether the breaker stays closed for its first rollingCountTimeout"),
    ],
    make: |given| Ok(Opossum::new(given).into()),
};

/// A breaker of opossum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opossum {
    error_threshold_percentage: Real,
    volume_threshold: u32,
    reset_timeout: Duration,
    rolling_count_timeout: Duration,
    rolling_count_buckets: u32,
    timeout: Option<Duration>,
    allow_warm_up: bool,
}

/// The state of an [`Opossum`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OpossumState {
    /// How long before the run the breaker was made.
    age: Duration,
    /// How often the buckets have rotated.
    rotations: u64,
    fires: Buckets<Fires>,
    stage: Stage,
    /// The calls that are out, where a timer fails them.
    out: VecDeque<CallId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Closed,
    Open { since: Time },
    HalfOpen { probe: Option<CallId> },
}

impl Opossum {
    fn new(given: &Given<'_>) -> Self {
        Self {
            error_threshold_percentage: Real::new(given.number("errorThresholdPercentage")),
            volume_threshold: given.count("volumeThreshold"),
            reset_timeout: given.time("resetTimeout"),
            rolling_count_timeout: given.time("rollingCountTimeout"),
            rolling_count_buckets: given.count("rollingCountBuckets"),
            timeout: given.optional_time("timeout").filter(|timeout| !timeout.is_zero()),
            allow_warm_up: given.flag("allowWarmUp"),
        }
    }

    /// The time between rotations: whole milliseconds, at least one.
    fn bucket_interval(&self) -> Duration {
        let millis = self.rolling_count_timeout.as_nanos() / u64::from(self.rolling_count_buckets) / 1_000_000;
        Duration::from_millis(millis.max(1))
    }

    fn begin(&self, age: Duration) -> OpossumState {
        OpossumState {
            age,
            rotations: 0,
            fires: Buckets::new(self.rolling_count_buckets as usize),
            stage: Stage::Closed,
            out: VecDeque::new(),
        }
    }

    /// Rotates the buckets that are due.
    fn rotate(&self, state: &mut OpossumState, now: Time) {
        let age = now.as_nanos().saturating_add(state.age.as_nanos());
        let rotations = age / self.bucket_interval().as_nanos();
        state.fires.begin(rotations.saturating_sub(state.rotations));
        state.rotations = rotations;
    }

    fn is_warming_up(&self, state: &OpossumState, now: Time) -> bool {
        self.allow_warm_up && now + state.age < Time::ZERO + self.rolling_count_timeout
    }

    fn fail(&self, state: &mut OpossumState, now: Time) -> Option<Transition> {
        self.rotate(state, now);
        state.fires.add(Fires { fires: 0, failures: 1 });
        let half_open = matches!(state.stage, Stage::HalfOpen { .. });
        if self.is_warming_up(state, now) || matches!(state.stage, Stage::Open { .. }) {
            return None;
        }
        let Fires { fires, failures } = state.fires.total();
        let rate = f64::from(failures) / f64::from(fires) * 100.0;
        if !half_open && (fires < self.volume_threshold || rate <= self.error_threshold_percentage.get()) {
            return None;
        }
        let from = phase_of(state.stage);
        state.stage = Stage::Open { since: now };
        Transition::between(from, Phase::Open)
    }

    fn succeed(state: &mut OpossumState) -> Option<Transition> {
        let Stage::HalfOpen { .. } = state.stage else { return None };
        state.stage = Stage::Closed;
        Transition::between(Phase::HalfOpen, Phase::Closed)
    }

    /// The call ends; false if its timer has failed it before.
    fn was_out(&self, state: &mut OpossumState, call: CallId) -> bool {
        if self.timeout.is_none() {
            return true;
        }
        let place = state.out.binary_search(&call);
        place.map(|place| state.out.remove(place)).is_ok()
    }

    fn half_open_at(&self, state: &OpossumState) -> Option<Time> {
        match state.stage {
            Stage::Open { since } => Some(since + self.reset_timeout),
            Stage::Closed | Stage::HalfOpen { .. } => None,
        }
    }

    fn fails_at(&self, state: &OpossumState) -> Option<Time> {
        Some(state.out.front()?.asked_at + self.timeout?)
    }

    /// The next timer, and whether it is that of a call. At one instant the timer goes first that was set first.
    fn next_due(&self, state: &OpossumState) -> Option<(Time, bool)> {
        let reset = self.half_open_at(state).map(|due| (due, false));
        let timeout = self.fails_at(state).map(|due| (due, true));
        match (reset, timeout, state.stage) {
            (Some(reset), Some(timeout), Stage::Open { since }) => {
                let asked_first = state.out.front().is_some_and(|call| call.asked_at <= since);
                Some(if timeout.0 < reset.0 || timeout.0 == reset.0 && asked_first { timeout } else { reset })
            }
            (reset, timeout, _) => reset.or(timeout),
        }
    }
}

const fn phase_of(stage: Stage) -> Phase {
    match stage {
        Stage::Closed => Phase::Closed,
        Stage::Open { .. } => Phase::Open,
        Stage::HalfOpen { .. } => Phase::HalfOpen,
    }
}

impl Rule for Opossum {
    type State = OpossumState;

    fn start(&self, run: StreamKey) -> OpossumState {
        self.begin(drawn_phase(run, self.bucket_interval()))
    }

    fn start_at(&self, _epoch: Duration) -> OpossumState {
        self.begin(Duration::ZERO)
    }

    fn advance(&self, state: &mut OpossumState, now: Clocks) -> Option<Transition> {
        while let Some((due, is_timeout)) = self.next_due(state).filter(|&(due, _)| due <= now.monotonic) {
            if !is_timeout {
                state.stage = Stage::HalfOpen { probe: None };
                return Transition::between(Phase::Open, Phase::HalfOpen);
            }
            state.out.pop_front();
            if let Some(transition) = self.fail(state, due) {
                return Some(transition);
            }
        }
        None
    }

    fn ask(&self, state: &mut OpossumState, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        self.rotate(state, now.monotonic);
        state.fires.add(Fires { fires: 1, failures: 0 });
        match &mut state.stage {
            Stage::Closed => {}
            Stage::HalfOpen { probe: probe @ None } => *probe = Some(call),
            Stage::Open { .. } | Stage::HalfOpen { .. } => return (Answer::Reject, None),
        }
        if self.timeout.is_some() {
            state.out.push_back(call);
        }
        (Answer::Admit, None)
    }

    fn release(&self, state: &mut OpossumState, _now: Clocks, call: CallId) -> Option<Transition> {
        self.was_out(state, call);
        if state.stage == (Stage::HalfOpen { probe: Some(call) }) {
            state.stage = Stage::HalfOpen { probe: None };
        }
        None
    }

    fn ignore(&self, state: &mut OpossumState, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.record(state, now, call, Outcome { verdict: Verdict::Success, ..outcome })
    }

    fn record(&self, state: &mut OpossumState, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        if !self.was_out(state, call) {
            return None;
        }
        match outcome.verdict {
            Verdict::Success => Self::succeed(state),
            Verdict::Failure => self.fail(state, now.monotonic),
        }
    }

    fn next_timer(&self, state: &OpossumState) -> Option<Time> {
        self.next_due(state).map(|(due, _)| due)
    }

    fn phase(&self, state: &OpossumState, _now: Clocks) -> Phase {
        phase_of(state.stage)
    }

    fn closeness(&self, state: &OpossumState) -> Option<f64> {
        let Fires { fires, failures } = state.fires.total();
        let share = self.error_threshold_percentage.get() / 100.0;
        (state.stage == Stage::Closed).then(|| closeness::of_share(failures, fires, self.volume_threshold, share))
    }
}

impl LibraryRule for Opossum {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        Settings::new()
            .with("errorThresholdPercentage", Value::Number(self.error_threshold_percentage.get()))
            .with("volumeThreshold", Value::Number(self.volume_threshold.into()))
            .with("resetTimeout", Value::Time(self.reset_timeout))
            .with("rollingCountTimeout", Value::Time(self.rolling_count_timeout))
            .with("rollingCountBuckets", Value::Number(self.rolling_count_buckets.into()))
            .with("timeout", self.timeout.map_or(Value::Flag(false), Value::Time))
            .with("allowWarmUp", Value::Flag(self.allow_warm_up))
    }

    fn open_times(&self) -> (Duration, Duration) {
        (self.reset_timeout, self.reset_timeout)
    }

    fn probes(&self) -> u32 {
        1
    }

    /// The window's time counts as whole milliseconds of its buckets, and as the warm-up.
    fn simplest(self) -> Self {
        if self.allow_warm_up {
            return self;
        }
        let buckets = u64::from(self.rolling_count_buckets);
        Self { rolling_count_timeout: Duration::from_nanos(self.bucket_interval().as_nanos() * buckets), ..self }
    }
}
