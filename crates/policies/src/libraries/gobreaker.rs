//! gobreaker, version 2.
//!
//! - *Window*: with `Interval` 0 everything since the last change of phase; with `Interval` one tumbling window, the next of
//!   which begins with the first operation after its end; with `BucketPeriod` rolling buckets from the start of the closed
//!   phase. A run of failures is counted within the window. Calls are counted when they start, results in the bucket in
//!   which their call started.
//! - *Minimum*: `ReadyToTrip`'s. *Evaluated*: on failures. *Compared*: as `ReadyToTrip` says; calls in flight lower a ratio.
//! - *Open time*: `Timeout`; its last instant is still open; ends at the next call that asks *or the next result*.
//! - *Half-open*: `MaxRequests` calls in all. *Verdict*: as many successes in a row close; a failure opens again.
//! - *Lost probes*: half-open for ever. *Late results*: dropped by generation; a tumbling window ends one, too.
//! - *Window after closing*: empty. *Own rejections*: not counted. *Never ran*, *ignored* (`IsExcluded`): gives its place back.

use engine::{Duration, StreamKey, Time};

use crate::dialect::LibraryRule;
use crate::library::Given;
use crate::open_time::{Ends, OpenUntil};
use crate::time_of_day::drawn_phase;
use crate::{
    Answer, CallId, Clocks, Library, Outcome, Parameter, Phase, Real, ResultRule, Rule, RuleError, Settings, TimeUnit,
    Transition, Value, Verdict, closeness,
};

mod counts;

use counts::{Counts, RollingCounts};

static LIBRARY: Library = Library {
    name: "gobreaker",
    recorded_as: "sony/gobreaker",
    version: "2.4.0",
    source: "https://github.com/sony/gobreaker/tree/v2.4.0",
    path: "v2/gobreaker.go, v2/counter.go",
    parameters: &[
        Parameter::count("MaxRequests", 0, "calls of a half-open breaker, and successes that close it; 0 is 1"),
        Parameter::time("Interval", TimeUnit::Object, 0, "time after which a closed breaker forgets; 0 is never"),
        Parameter::time("BucketPeriod", TimeUnit::Object, 0, "time of one rolling bucket; 0 is one tumbling window"),
        Parameter::time("Timeout", TimeUnit::Object, 60_000, "time of an open breaker; 0 is 60 s"),
        Parameter::word(
            "ReadyToTrip.kind",
            &[DEFAULT, CONSECUTIVE, TOTAL, RATIO],
            "the function that opens the breaker",
        ),
        Parameter::count("ReadyToTrip.n", 0, "failures, in a row or in all").optional(),
        Parameter::count("ReadyToTrip.min_requests", 0, "calls that a ratio needs").optional(),
        Parameter::number("ReadyToTrip.ratio", 0.0, "share of failures among calls").optional(),
    ],
    make: |given| Gobreaker::new(given).map(Into::into),
};

const DEFAULT: &str = "default";
const CONSECUTIVE: &str = "consecutive_failures_ge";
const TOTAL: &str = "total_failures_ge";
const RATIO: &str = "failure_ratio";

/// A breaker of gobreaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gobreaker {
    max_requests: u32,
    interval: Duration,
    bucket_period: Duration,
    timeout: Duration,
    ready_to_trip: ReadyToTrip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum ReadyToTrip {
    Default,
    ConsecutiveFailures(u32),
    TotalFailures(u32),
    FailureRatio { min_requests: u32, ratio: Real },
}

/// The state of a [`Gobreaker`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GobreakerState {
    phase: Phase,
    /// How long before the run the breaker was made.
    age: Duration,
    /// When the generation began, on a clock that starts with the breaker.
    began: Time,
    /// The first call of the generation.
    first: CallId,
    /// The latest call that was let through.
    latest: Option<CallId>,
    open_until: OpenUntil,
    counts: RollingCounts,
}

impl Gobreaker {
    fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        let needs = |name| given.refuse(name, "a value, as ReadyToTrip.kind needs it".to_owned());
        let count = |name| given.optional_count(name).ok_or_else(|| needs(name));
        let ready_to_trip = match given.word("ReadyToTrip.kind") {
            Some(CONSECUTIVE) => ReadyToTrip::ConsecutiveFailures(count("ReadyToTrip.n")?),
            Some(TOTAL) => ReadyToTrip::TotalFailures(count("ReadyToTrip.n")?),
            Some(RATIO) => ReadyToTrip::FailureRatio {
                min_requests: count("ReadyToTrip.min_requests")?,
                ratio: Real::new(given.optional_number("ReadyToTrip.ratio").ok_or_else(|| needs("ReadyToTrip.ratio"))?),
            },
            _ => ReadyToTrip::Default,
        };
        let rule = Self {
            max_requests: given.count("MaxRequests"),
            interval: given.time("Interval"),
            bucket_period: given.time("BucketPeriod"),
            timeout: given.time("Timeout"),
            ready_to_trip,
        };
        if rule.buckets() as f64 > super::MAX_WINDOW {
            return Err(given.refuse("BucketPeriod", format!("at most {} buckets in Interval", super::MAX_WINDOW)));
        }
        Ok(rule)
    }

    fn begin(&self, age: Duration) -> GobreakerState {
        GobreakerState {
            phase: Phase::Closed,
            age,
            began: Time::ZERO,
            first: CallId::FIRST,
            latest: None,
            open_until: OpenUntil::after(Time::ZERO, Duration::ZERO),
            counts: RollingCounts::new(self.buckets() as usize),
        }
    }

    const fn max_requests(&self) -> u32 {
        if self.max_requests == 0 { 1 } else { self.max_requests }
    }

    const fn timeout(&self) -> Duration {
        if self.timeout.is_zero() { Duration::from_secs(60) } else { self.timeout }
    }

    /// The number of rolling buckets; the interval is rounded up to a multiple of their period.
    const fn buckets(&self) -> u64 {
        if self.interval.is_zero() || self.bucket_period.is_zero() {
            return 1;
        }
        self.interval.as_nanos().div_ceil(self.bucket_period.as_nanos())
    }

    /// The length of the tumbling window, where there is one.
    fn tumbling(&self) -> Option<Duration> {
        let window = if self.bucket_period.is_zero() { self.interval } else { self.bucket_period };
        (self.buckets() == 1 && !self.interval.is_zero()).then_some(window)
    }

    /// The number of the bucket at an instant: buckets roll while the breaker is closed.
    fn age(&self, state: &GobreakerState, instant: Time) -> u64 {
        if self.buckets() == 1 || state.phase != Phase::Closed {
            return 0;
        }
        (instant + state.age).since(state.began).as_nanos() / self.bucket_period.as_nanos()
    }

    fn is_ready_to_trip(&self, counts: Counts) -> bool {
        match self.ready_to_trip {
            ReadyToTrip::Default => counts.consecutive_failures > 5,
            ReadyToTrip::ConsecutiveFailures(n) => counts.consecutive_failures >= n,
            ReadyToTrip::TotalFailures(n) => counts.total_failures >= n,
            ReadyToTrip::FailureRatio { min_requests, ratio } => {
                counts.requests >= min_requests
                    && f64::from(counts.total_failures) / f64::from(counts.requests) >= ratio.get()
            }
        }
    }

    /// A new generation begins, of which `first` is the first call.
    fn begin_generation(
        &self,
        state: &mut GobreakerState,
        now: Clocks,
        phase: Phase,
        first: CallId,
    ) -> Option<Transition> {
        state.began = now.monotonic + state.age;
        state.first = first;
        state.counts.clear();
        if phase == Phase::Open {
            state.open_until = OpenUntil::after(now.monotonic, self.timeout());
        }
        Transition::between(std::mem::replace(&mut state.phase, phase), phase)
    }

    /// What time alone has done, as every operation finds out first. `first` is the first call of a generation that begins.
    fn catch_up(&self, state: &mut GobreakerState, now: Clocks, first: CallId) -> Option<Transition> {
        match state.phase {
            Phase::Closed => {
                let is_over = |window| now.monotonic + state.age > state.began + window;
                if self.tumbling().is_some_and(is_over) {
                    return self.begin_generation(state, now, Phase::Closed, first);
                }
                let age = self.age(state, now.monotonic);
                state.counts.grow(age);
                None
            }
            Phase::Open if state.open_until.is_over(now.monotonic, Ends::After) => {
                self.begin_generation(state, now, Phase::HalfOpen, first)
            }
            Phase::Open | Phase::HalfOpen => None,
        }
    }

    /// The end of a call: `judge` hears of it if it is of the present generation.
    fn end(
        &self,
        state: &mut GobreakerState,
        now: Clocks,
        call: CallId,
        judge: impl FnOnce(&mut GobreakerState, u64) -> Option<Transition>,
    ) -> Option<Transition> {
        let first = state.latest.map_or(CallId::FIRST, CallId::next);
        let transition = self.catch_up(state, now, first);
        if call < state.first {
            return transition;
        }
        let age = self.age(state, call.asked_at);
        judge(state, age).or(transition)
    }

    fn exclude(&self, state: &mut GobreakerState, now: Clocks, call: CallId) -> Option<Transition> {
        self.end(state, now, call, |state, age| {
            state.counts.count(age, Counts::exclude);
            None
        })
    }
}

impl Rule for Gobreaker {
    type State = GobreakerState;

    fn start(&self, run: StreamKey) -> GobreakerState {
        let window = self.tumbling().unwrap_or(if self.buckets() == 1 { Duration::TICK } else { self.bucket_period });
        self.begin(drawn_phase(run, window))
    }

    fn start_at(&self, _epoch: Duration) -> GobreakerState {
        self.begin(Duration::ZERO)
    }

    fn advance(&self, _state: &mut GobreakerState, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut GobreakerState, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        let transition = self.catch_up(state, now, call);
        let total = state.counts.total();
        match state.phase {
            Phase::Open => return (Answer::Reject, transition),
            Phase::HalfOpen if total.requests - total.total_exclusions >= self.max_requests() => {
                return (Answer::Reject, transition);
            }
            Phase::HalfOpen | Phase::Closed => {}
        }
        state.latest = Some(call);
        state.counts.begin();
        (Answer::Admit, transition)
    }

    fn release(&self, state: &mut GobreakerState, now: Clocks, call: CallId) -> Option<Transition> {
        self.exclude(state, now, call)
    }

    fn record(&self, state: &mut GobreakerState, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.end(state, now, call, |state, age| {
            let later = state.latest.map_or(CallId::FIRST, CallId::next);
            match (state.phase, outcome.verdict) {
                (Phase::Open, _) => None,
                (Phase::HalfOpen, Verdict::Failure) => self.begin_generation(state, now, Phase::Open, later),
                (Phase::HalfOpen, Verdict::Success) => {
                    state.counts.count(age, Counts::succeed);
                    let closes = state.counts.total().consecutive_successes >= self.max_requests();
                    if closes { self.begin_generation(state, now, Phase::Closed, later) } else { None }
                }
                (Phase::Closed, Verdict::Success) => {
                    state.counts.count(age, Counts::succeed);
                    None
                }
                (Phase::Closed, Verdict::Failure) => {
                    state.counts.count(age, Counts::fail);
                    let trips = self.is_ready_to_trip(state.counts.total());
                    if trips { self.begin_generation(state, now, Phase::Open, later) } else { None }
                }
            }
        })
    }

    fn next_timer(&self, _state: &GobreakerState) -> Option<Time> {
        None
    }

    fn phase(&self, state: &GobreakerState, _now: Clocks) -> Phase {
        state.phase
    }

    fn closeness(&self, state: &GobreakerState) -> Option<f64> {
        if state.phase != Phase::Closed {
            return None;
        }
        let counts = state.counts.total();
        Some(match self.simplest().ready_to_trip {
            ReadyToTrip::Default => closeness::of_count(counts.consecutive_failures, 6.0),
            ReadyToTrip::ConsecutiveFailures(n) => closeness::of_count(counts.consecutive_failures, n.into()),
            ReadyToTrip::TotalFailures(n) => closeness::of_count(counts.total_failures, n.into()),
            ReadyToTrip::FailureRatio { min_requests, ratio } => {
                closeness::of_share(counts.total_failures, counts.requests, min_requests, ratio.get())
            }
        })
    }

    fn result_rule(&self, _longest: Duration) -> Option<ResultRule> {
        if !self.interval.is_zero() {
            return None;
        }
        match self.simplest().ready_to_trip {
            ReadyToTrip::Default => Some(ResultRule::Run { failures: 6 }),
            ReadyToTrip::ConsecutiveFailures(failures) => Some(ResultRule::Run { failures }),
            ReadyToTrip::TotalFailures(failures) => Some(ResultRule::Total { failures }),
            ReadyToTrip::FailureRatio { min_requests, ratio } => {
                Some(ResultRule::Share { minimum: min_requests.max(1), threshold: ratio.get(), counts_starts: true })
            }
        }
    }
}

impl LibraryRule for Gobreaker {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        let settings = Settings::new()
            .with("MaxRequests", Value::Number(self.max_requests.into()))
            .with("Interval", Value::Time(self.interval))
            .with("BucketPeriod", Value::Time(self.bucket_period))
            .with("Timeout", Value::Time(self.timeout));
        let (kind, n) = match self.ready_to_trip {
            ReadyToTrip::Default => return settings.with("ReadyToTrip.kind", Value::Word(DEFAULT)),
            ReadyToTrip::FailureRatio { min_requests, ratio } => {
                return settings
                    .with("ReadyToTrip.kind", Value::Word(RATIO))
                    .with("ReadyToTrip.min_requests", Value::Number(min_requests.into()))
                    .with("ReadyToTrip.ratio", Value::Number(ratio.get()));
            }
            ReadyToTrip::ConsecutiveFailures(n) => (CONSECUTIVE, n),
            ReadyToTrip::TotalFailures(n) => (TOTAL, n),
        };
        settings.with("ReadyToTrip.kind", Value::Word(kind)).with("ReadyToTrip.n", Value::Number(n.into()))
    }

    fn open_times(&self) -> (Duration, Duration) {
        (self.timeout(), self.timeout())
    }

    fn probes(&self) -> u32 {
        self.max_requests()
    }

    fn simplest(self) -> Self {
        let (mut interval, mut bucket_period) = (self.interval, self.bucket_period);
        match self.tumbling() {
            Some(window) => (interval, bucket_period) = (window, Duration::ZERO),
            None if interval.is_zero() => bucket_period = Duration::ZERO,
            None => interval = Duration::from_nanos(self.buckets() * bucket_period.as_nanos()),
        }
        let ready_to_trip = match self.ready_to_trip {
            ReadyToTrip::Default => ReadyToTrip::ConsecutiveFailures(6),
            // Every function is asked at failures only.
            ReadyToTrip::ConsecutiveFailures(n) => ReadyToTrip::ConsecutiveFailures(n.max(1)),
            ReadyToTrip::TotalFailures(n) => ReadyToTrip::TotalFailures(n.max(1)),
            ratio @ ReadyToTrip::FailureRatio { .. } => ratio,
        };
        Self { max_requests: self.max_requests(), timeout: self.timeout(), interval, bucket_period, ready_to_trip }
    }
}
