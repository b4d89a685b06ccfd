//! Sentinel's degrade rules.
//!
//! - *Window*: one bucket of `statIntervalMs` on the grid of the time of day, emptied at its end.
//! - *Minimum*: `minRequestAmount` results in the bucket. *Evaluated*: on every result.
//! - *Compared*: share of errors > `count`, or errors > `count`, or share of slow calls > `slowRatioThreshold` (at 1.0 also =).
//!   A call is slow if its whole milliseconds are more than `count`; slow rules know no errors.
//! - *Open time*: `timeWindow`, on the wall clock in milliseconds; ends at its instant; a call has to ask.
//! - *Half-open*: one probe. *Verdict*: by the first result of any call.
//! - *Lost probes*: half-open for ever. *Late results*: decide like the probe's; counted in every phase.
//! - *Window after closing*: the current bucket is emptied. *Own rejections*: not counted.
//! - *Never ran*: a probe that a later rule blocks opens the breaker again, with the open time of before, so that the next
//!   call probes. *Ignored*: a call without an error.

use engine::{Duration, StreamKey, Time};

use crate::dialect::LibraryRule;
use crate::library::Given;
use crate::time_of_day::TimeOfDay;
use crate::windows::Results;
use crate::{
    Answer, CallId, Clocks, Library, Outcome, Parameter, Phase, Real, Rule, RuleError, Settings, TimeUnit, Transition,
    Value, Verdict, closeness,
};

static LIBRARY: Library = Library {
    name: "sentinel",
    recorded_as: "sentinel",
    version: "1.8.9",
    source: "https://github.com/alibaba/Sentinel/tree/1.8.9",
    path: "sentinel-core/src/main/java/com/alibaba/csp/sentinel/slots/block/degrade",
    parameters: &[
        Parameter::word("grade", &[RT, RATIO, COUNT], "what is judged: slow calls, share of errors, number of errors"),
        Parameter::number("count", 0.0, "ms of a call that is not slow, share of errors, or number of errors")
            .at_least(0.0),
        Parameter::number("slowRatioThreshold", 1.0, "share of slow calls, for slow calls only")
            .at_least(0.0)
            .at_most(1.0),
        Parameter::time("timeWindow", TimeUnit::Seconds, 0, "whole seconds of an open breaker").required().above(0.0),
        Parameter::count("minRequestAmount", 5, "results that a judgement needs").at_least(1.0),
        Parameter::time("statIntervalMs", TimeUnit::Milliseconds, 1_000, "whole milliseconds of the bucket")
            .at_least(1.0),
    ],
    make: |given| Sentinel::new(given).map(Into::into),
};

const RT: &str = "DEGRADE_GRADE_RT";
const RATIO: &str = "DEGRADE_GRADE_EXCEPTION_RATIO";
const COUNT: &str = "DEGRADE_GRADE_EXCEPTION_COUNT";

/// A breaker of Sentinel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sentinel {
    grade: Grade,
    count: Real,
    slow_ratio_threshold: Real,
    /// In milliseconds.
    time_window: u64,
    min_request_amount: u32,
    /// In milliseconds.
    stat_interval: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Grade {
    Rt,
    Ratio,
    Count,
}

/// The state of a [`Sentinel`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SentinelState {
    day: TimeOfDay,
    phase: Phase,
    /// When the next probe may go, in milliseconds.
    retry_at: u64,
    probe: Option<CallId>,
    /// The number of the bucket on the grid.
    bucket: u64,
    /// Bad calls (errors, or slow ones) count as failures.
    results: Results,
}

impl Sentinel {
    fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        let grade = match given.word("grade") {
            Some(RATIO) => Grade::Ratio,
            Some(COUNT) => Grade::Count,
            _ => Grade::Rt,
        };
        let count = given.number("count");
        if grade == Grade::Ratio && count > 1.0 {
            return Err(given.refuse("count", format!("at most 1 with grade = {RATIO}, as it is a share")));
        }
        let millis = |name, unit: u64, what: &str| {
            let time = given.time(name).as_nanos();
            let whole = time.is_multiple_of(unit);
            whole.then_some(time / 1_000_000).ok_or_else(|| given.refuse(name, format!("a whole number of {what}")))
        };
        Ok(Self {
            grade,
            count: Real::new(count),
            slow_ratio_threshold: Real::new(given.number("slowRatioThreshold")),
            time_window: millis("timeWindow", 1_000_000_000, "seconds")?,
            min_request_amount: given.count("minRequestAmount"),
            stat_interval: millis("statIntervalMs", 1_000_000, "milliseconds")?,
        })
    }

    fn begin(day: TimeOfDay) -> SentinelState {
        let results = Results::default();
        SentinelState { day, phase: Phase::Closed, retry_at: 0, probe: None, bucket: 0, results }
    }

    fn is_bad(&self, state: &SentinelState, now: Clocks, outcome: Outcome) -> bool {
        if self.grade != Grade::Rt {
            return outcome.verdict == Verdict::Failure;
        }
        let began = Clocks { wall: Time::ZERO + now.wall.since(Time::ZERO + outcome.duration), ..now };
        let took = state.day.millis(now) - state.day.millis(began);
        // Java's `Math.round`.
        took as f64 > (self.count.get() + 0.5).floor()
    }

    fn trips(&self, results: Results) -> bool {
        if results.total() < self.min_request_amount {
            return false;
        }
        let ratio = f64::from(results.failures) / f64::from(results.total());
        match self.grade {
            Grade::Count => f64::from(results.failures) > self.count.get(),
            Grade::Ratio => ratio > self.count.get(),
            Grade::Rt => {
                let threshold = self.slow_ratio_threshold.get();
                ratio > threshold || threshold >= 1.0 && ratio >= 1.0
            }
        }
    }

    fn open(&self, state: &mut SentinelState, now: Clocks) -> Option<Transition> {
        state.retry_at = state.day.millis(now).saturating_add(self.time_window);
        enter(state, Phase::Open)
    }
}

fn enter(state: &mut SentinelState, phase: Phase) -> Option<Transition> {
    state.probe = None;
    Transition::between(std::mem::replace(&mut state.phase, phase), phase)
}

impl Rule for Sentinel {
    type State = SentinelState;

    fn start(&self, run: StreamKey) -> SentinelState {
        Self::begin(TimeOfDay::drawn(run, Duration::from_millis(self.stat_interval)))
    }

    fn start_at(&self, epoch: Duration) -> SentinelState {
        Self::begin(TimeOfDay::at_start(epoch))
    }

    fn advance(&self, _state: &mut SentinelState, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut SentinelState, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        match state.phase {
            Phase::Closed => (Answer::Admit, None),
            Phase::Open if state.day.millis(now) >= state.retry_at => {
                let transition = enter(state, Phase::HalfOpen);
                state.probe = Some(call);
                (Answer::Admit, transition)
            }
            Phase::Open | Phase::HalfOpen => (Answer::Reject, None),
        }
    }

    fn release(&self, state: &mut SentinelState, _now: Clocks, call: CallId) -> Option<Transition> {
        if state.probe == Some(call) { enter(state, Phase::Open) } else { None }
    }

    fn ignore(&self, state: &mut SentinelState, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.record(state, now, call, Outcome { verdict: Verdict::Success, ..outcome })
    }

    fn record(&self, state: &mut SentinelState, now: Clocks, _call: CallId, outcome: Outcome) -> Option<Transition> {
        let bucket = state.day.millis(now) / self.stat_interval;
        if bucket != std::mem::replace(&mut state.bucket, bucket) {
            state.results = Results::default();
        }
        let bad = self.is_bad(state, now, outcome);
        state.results += Results::one(if bad { Verdict::Failure } else { Verdict::Success });
        match state.phase {
            Phase::Open => None,
            Phase::HalfOpen if bad => self.open(state, now),
            Phase::HalfOpen => {
                state.results = Results::default();
                enter(state, Phase::Closed)
            }
            Phase::Closed if self.trips(state.results) => self.open(state, now),
            Phase::Closed => None,
        }
    }

    fn next_timer(&self, _state: &SentinelState) -> Option<Time> {
        None
    }

    fn phase(&self, state: &SentinelState, _now: Clocks) -> Phase {
        state.phase
    }

    fn closeness(&self, state: &SentinelState) -> Option<f64> {
        let share = match self.grade {
            Grade::Count => None,
            Grade::Ratio => Some(self.count.get()),
            Grade::Rt => Some(self.slow_ratio_threshold.get()),
        };
        let Results { failures, .. } = state.results;
        (state.phase == Phase::Closed).then(|| match share {
            Some(share) => closeness::of_share(failures, state.results.total(), self.min_request_amount, share),
            None => closeness::of_count(failures, self.count.get() + 1.0),
        })
    }
}

impl LibraryRule for Sentinel {
    const LIBRARY: &'static Library = &LIBRARY;

    fn settings(&self) -> Settings {
        let grade = match self.grade {
            Grade::Rt => RT,
            Grade::Ratio => RATIO,
            Grade::Count => COUNT,
        };
        Settings::new()
            .with("grade", Value::Word(grade))
            .with("count", Value::Number(self.count.get()))
            .with("slowRatioThreshold", Value::Number(self.slow_ratio_threshold.get()))
            .with("timeWindow", Value::Time(Duration::from_millis(self.time_window)))
            .with("minRequestAmount", Value::Number(self.min_request_amount.into()))
            .with("statIntervalMs", Value::Time(Duration::from_millis(self.stat_interval)))
    }

    fn open_times(&self) -> (Duration, Duration) {
        let time_window = Duration::from_millis(self.time_window);
        (time_window, time_window)
    }

    fn probes(&self) -> u32 {
        1
    }

    /// Rules on errors know no slow calls.
    fn simplest(self) -> Self {
        match self.grade {
            Grade::Rt => self,
            Grade::Ratio | Grade::Count => Self { slow_ratio_threshold: Real::new(1.0), ..self },
        }
    }
}
