//! The cycle closed → open → half-open → closed that most breakers share, with the rule for late results.

use std::fmt::Debug;
use std::hash::Hash;

use engine::{Duration, StreamKey, Time};

use crate::{Answer, CallId, Clocks, HalfOpen, Outcome, Phase, ResultRule, Rule, RuleError, Transition, Verdict};

/// When a closed breaker has seen enough to open: the part in which the rules of one cycle differ.
pub trait Criterion: Copy + Debug + Send + Sync + 'static {
    /// What is remembered of the results since the breaker closed.
    type Evidence: Clone + Debug + Eq + Hash + Send + 'static;

    /// No result yet. The only place that may allocate.
    fn no_evidence(&self) -> Self::Evidence;

    /// Takes one more result into account and says whether the breaker opens now.
    fn add(&self, evidence: &mut Self::Evidence, verdict: Verdict) -> bool;

    /// Back to what [`Criterion::no_evidence`] returns, in place.
    fn clear(&self, evidence: &mut Self::Evidence);

    /// How near the breaker is to opening: see [`Rule::closeness`].
    fn closeness(&self, evidence: &Self::Evidence) -> f64;

    /// The criterion as a rule on the order of results.
    fn result_rule(&self) -> ResultRule;
}

/// A breaker that opens when its criterion says so, for a fixed time, and then probes.
///
/// - *Closed*: every call passes and every result counts. When the criterion is met by a result, the breaker opens at the
///   instant of that result.
/// - *Open*: every call is rejected until `open_for` has elapsed. The first call that asks at or after that instant makes
///   the breaker half-open; without a call it stays open (there is no timer).
/// - *Half-open*: calls pass as probes while fewer than [`HalfOpen::permits`] of them are in flight. The first failed
///   probe opens the breaker again for the whole of `open_for`; [`HalfOpen::successes`] successful ones close it, with no
///   evidence left.
///
/// **Late results.** Every transition begins a new *generation*, and the result of a call that was admitted in an earlier
/// one changes nothing: it is not counted, decides nothing and frees no permit. The half-open generation begins with the
/// call whose question caused it; the closed one after the last call admitted before it. Identities decide, not instants,
/// so this is exact where instants coincide.
///
/// The monotonic clock drives the open time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cycle<C> {
    criterion: C,
    open_for: Duration,
    half_open: HalfOpen,
}

/// Where a breaker stands in its [`Cycle`].
///
/// The evidence is empty unless the breaker is closed, and what no longer matters is set back to one value, so that states
/// with the same future are equal. (Two closed states that differ only in which results are late compare as different even
/// if no such result is outstanding: the state does not know which calls are in flight.)
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CycleState<E> {
    stage: Stage,
    /// The first call of the present generation: results of earlier ones are late. [`CallId::FIRST`] while open, when no
    /// call at all can be of the present generation.
    generation: CallId,
    evidence: E,
}

impl<E> CycleState<E> {
    pub(crate) const fn evidence(&self) -> &E {
        &self.evidence
    }

    /// The same place in the cycle, with other evidence.
    pub(crate) const fn with_evidence(&self, evidence: E) -> Self {
        Self { stage: self.stage, generation: self.generation, evidence }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Stage {
    Closed,
    Open { until: Time },
    HalfOpen { probes: Probes },
}

/// What a half-open breaker knows of its probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Probes {
    in_flight: u32,
    succeeded: u32,
    /// The latest probe let through; the generation's first call where none is in flight.
    latest: CallId,
}

impl<C: Criterion> Cycle<C> {
    pub(crate) fn checked(criterion: C, open_for: Duration, half_open: HalfOpen) -> Result<Self, RuleError> {
        if open_for.is_zero() {
            return Err(RuleError::NoOpenTime);
        }
        Ok(Self { criterion, open_for, half_open: half_open.checked()? })
    }

    pub(crate) const fn criterion(&self) -> &C {
        &self.criterion
    }

    /// How long the breaker rejects every call once it has opened. A time too long to be represented means for ever.
    #[must_use]
    pub const fn open_for(&self) -> Duration {
        self.open_for
    }

    /// How the breaker probes after that.
    #[must_use]
    pub const fn half_open(&self) -> HalfOpen {
        self.half_open
    }

    fn open(&self, state: &mut CycleState<C::Evidence>, from: Phase, now: Clocks) -> Transition {
        self.criterion.clear(&mut state.evidence);
        state.generation = CallId::FIRST;
        state.stage = Stage::Open { until: now.monotonic + self.open_for };
        Transition { from, to: Phase::Open }
    }

    fn record_probe(
        &self,
        state: &mut CycleState<C::Evidence>,
        mut probes: Probes,
        now: Clocks,
        verdict: Verdict,
    ) -> Option<Transition> {
        if verdict == Verdict::Failure {
            return Some(self.open(state, Phase::HalfOpen, now));
        }
        probes.succeeded += 1;
        if probes.succeeded < self.half_open.successes {
            state.stage = Stage::HalfOpen { probes: probes.with_one_ended(state.generation) };
            return None;
        }
        state.generation = probes.latest.next();
        state.stage = Stage::Closed;
        Some(Transition { from: Phase::HalfOpen, to: Phase::Closed })
    }
}

impl Probes {
    const fn with_one_ended(mut self, generation: CallId) -> Self {
        self.in_flight = self.in_flight.saturating_sub(1);
        if self.in_flight == 0 {
            self.latest = generation;
        }
        self
    }
}

impl<C: Criterion> Rule for Cycle<C> {
    type State = CycleState<C::Evidence>;

    fn start(&self, _run: StreamKey) -> Self::State {
        CycleState { stage: Stage::Closed, generation: CallId::FIRST, evidence: self.criterion.no_evidence() }
    }

    /// Nothing is ever due: an open breaker becomes half-open when a call asks.
    #[inline]
    fn advance(&self, _state: &mut Self::State, _now: Clocks) -> Option<Transition> {
        None
    }

    #[inline]
    fn ask(&self, state: &mut Self::State, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        match &mut state.stage {
            Stage::Closed => (Answer::Admit, None),
            Stage::Open { until } if now.monotonic < *until => (Answer::Reject, None),
            Stage::Open { .. } => {
                state.generation = call;
                state.stage = Stage::HalfOpen { probes: Probes { in_flight: 1, succeeded: 0, latest: call } };
                (Answer::Admit, Some(Transition { from: Phase::Open, to: Phase::HalfOpen }))
            }
            Stage::HalfOpen { probes } if probes.in_flight < self.half_open.permits => {
                probes.in_flight += 1;
                probes.latest = call;
                (Answer::Admit, None)
            }
            Stage::HalfOpen { .. } => (Answer::Reject, None),
        }
    }

    fn release(&self, state: &mut Self::State, _now: Clocks, call: CallId) -> Option<Transition> {
        if let Stage::HalfOpen { probes } = &mut state.stage
            && call >= state.generation
        {
            *probes = probes.with_one_ended(state.generation);
        }
        None
    }

    #[inline]
    fn record(&self, state: &mut Self::State, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        if call < state.generation {
            return None;
        }
        match state.stage {
            Stage::Closed => {
                self.criterion.add(&mut state.evidence, outcome.verdict).then(|| self.open(state, Phase::Closed, now))
            }
            Stage::Open { .. } => None,
            Stage::HalfOpen { probes } => self.record_probe(state, probes, now, outcome.verdict),
        }
    }

    #[inline]
    fn next_timer(&self, _state: &Self::State) -> Option<Time> {
        None
    }

    /// An open breaker whose open time has elapsed reads as half-open, as the next call will find it, although no
    /// transition has taken place yet.
    fn phase(&self, state: &Self::State, now: Clocks) -> Phase {
        match state.stage {
            Stage::Closed => Phase::Closed,
            Stage::Open { until } if now.monotonic < until => Phase::Open,
            Stage::Open { .. } | Stage::HalfOpen { .. } => Phase::HalfOpen,
        }
    }

    fn closeness(&self, state: &Self::State) -> Option<f64> {
        matches!(state.stage, Stage::Closed).then(|| self.criterion.closeness(&state.evidence))
    }

    fn result_rule(&self, _longest: Duration) -> Option<ResultRule> {
        Some(self.criterion.result_rule())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Consecutive;

    const OPENS: Option<Transition> = Some(Transition { from: Phase::Closed, to: Phase::Open });
    const PROBES: Option<Transition> = Some(Transition { from: Phase::Open, to: Phase::HalfOpen });
    const REOPENS: Option<Transition> = Some(Transition { from: Phase::HalfOpen, to: Phase::Open });
    const CLOSES: Option<Transition> = Some(Transition { from: Phase::HalfOpen, to: Phase::Closed });

    /// A breaker that opens at the first failure, for ten nanoseconds.
    struct Breaker {
        rule: Consecutive,
        state: CycleState<u32>,
    }

    fn at(nanos: u64) -> Clocks {
        Clocks::synchronous(Time::from_nanos(nanos))
    }

    fn call(nanos: u64, request: u64) -> CallId {
        CallId { asked_at: Time::from_nanos(nanos), request, attempt: 0 }
    }

    impl Breaker {
        fn new(permits: u32, successes: u32) -> Self {
            let rule = Consecutive::new(1, Duration::from_nanos(10), HalfOpen { permits, successes }).expect("valid");
            Self { rule, state: rule.start(StreamKey::root(0)) }
        }

        fn ask(&mut self, call: CallId) -> (Answer, Option<Transition>) {
            self.rule.ask(&mut self.state, at(call.asked_at.as_nanos()), call)
        }

        fn record(&mut self, nanos: u64, call: CallId, verdict: Verdict) -> Option<Transition> {
            let outcome = Outcome { verdict, duration: Duration::TICK };
            self.rule.record(&mut self.state, at(nanos), call, outcome)
        }

        /// Opens at the given instant.
        fn open(&mut self, nanos: u64) {
            assert_eq!(self.ask(call(nanos, 0)), (Answer::Admit, None));
            assert_eq!(self.record(nanos, call(nanos, 0), Verdict::Failure), OPENS);
        }
    }

    #[test]
    fn open_for_exactly_its_time() {
        let mut breaker = Breaker::new(1, 1);
        breaker.open(5);
        assert_eq!(breaker.ask(call(14, 1)), (Answer::Reject, None));
        assert_eq!(breaker.ask(call(15, 2)), (Answer::Admit, PROBES));
    }

    #[test]
    fn an_open_time_beyond_the_clock_never_ends() {
        let rule = Consecutive::new(1, Duration::from_nanos(u64::MAX), HalfOpen::default()).expect("valid");
        let mut breaker = Breaker { rule, state: rule.start(StreamKey::root(0)) };
        breaker.open(5);
        assert_eq!(breaker.ask(call(u64::MAX - 1, 1)), (Answer::Reject, None));
    }

    #[test]
    fn phase_sees_the_elapsed_open_time_and_changes_nothing() {
        let mut breaker = Breaker::new(1, 1);
        breaker.open(5);
        assert_eq!(breaker.rule.phase(&breaker.state, at(14)), Phase::Open);
        assert_eq!(breaker.rule.phase(&breaker.state, at(15)), Phase::HalfOpen);
        assert_eq!(breaker.ask(call(15, 1)), (Answer::Admit, PROBES));
    }

    #[test]
    fn one_probe_closes_or_opens_again() {
        let mut breaker = Breaker::new(1, 1);
        breaker.open(0);
        assert_eq!(breaker.ask(call(10, 1)), (Answer::Admit, PROBES));
        assert_eq!(breaker.ask(call(12, 2)), (Answer::Reject, None));
        assert_eq!(breaker.record(13, call(10, 1), Verdict::Failure), REOPENS);
        assert_eq!(breaker.ask(call(22, 3)), (Answer::Reject, None));
        assert_eq!(breaker.ask(call(23, 4)), (Answer::Admit, PROBES));
        assert_eq!(breaker.record(30, call(23, 4), Verdict::Success), CLOSES);
        assert_eq!(breaker.ask(call(30, 5)), (Answer::Admit, None));
    }

    #[test]
    fn a_probe_without_a_slot_gives_its_permit_back() {
        let mut breaker = Breaker::new(1, 1);
        breaker.open(0);
        assert_eq!(breaker.ask(call(10, 1)), (Answer::Admit, PROBES));
        breaker.rule.release(&mut breaker.state, at(10), call(10, 1));
        assert_eq!(breaker.ask(call(10, 2)), (Answer::Admit, None));
        assert_eq!(breaker.ask(call(10, 3)), (Answer::Reject, None));
    }

    #[test]
    fn several_permits_and_successes() {
        let mut breaker = Breaker::new(2, 3);
        breaker.open(0);
        assert_eq!(breaker.ask(call(10, 1)), (Answer::Admit, PROBES));
        assert_eq!(breaker.ask(call(10, 2)), (Answer::Admit, None));
        assert_eq!(breaker.ask(call(10, 3)), (Answer::Reject, None));
        assert_eq!(breaker.record(11, call(10, 2), Verdict::Success), None);
        assert_eq!(breaker.ask(call(11, 4)), (Answer::Admit, None));
        assert_eq!(breaker.record(12, call(10, 1), Verdict::Success), None);
        assert_eq!(breaker.ask(call(12, 5)), (Answer::Admit, None));
        assert_eq!(breaker.record(13, call(11, 4), Verdict::Success), CLOSES);
        // The fifth call was a probe: the closed breaker does not count it.
        assert_eq!(breaker.record(14, call(12, 5), Verdict::Failure), None);
    }

    #[test]
    fn a_call_from_before_the_opening_is_no_probe_at_the_same_instant() {
        let mut breaker = Breaker::new(1, 1);
        let (early, failing) = (call(10, 0), call(10, 1));
        breaker.ask(early);
        breaker.ask(failing);
        assert_eq!(breaker.record(10, failing, Verdict::Failure), OPENS);
        assert_eq!(breaker.ask(call(20, 2)), (Answer::Admit, PROBES));
        let before = breaker.state.clone();
        assert_eq!(breaker.record(20, early, Verdict::Success), None);
        breaker.rule.release(&mut breaker.state, at(20), early);
        assert_eq!(breaker.state, before);
    }

    #[test]
    fn at_the_instant_of_closing_identity_tells_probes_from_later_calls() {
        let mut breaker = Breaker::new(2, 1);
        breaker.open(0);
        let (probe, late_probe) = (call(10, 1), call(10, 2));
        assert_eq!(breaker.ask(probe), (Answer::Admit, PROBES));
        assert_eq!(breaker.ask(late_probe), (Answer::Admit, None));
        assert_eq!(breaker.record(10, probe, Verdict::Success), CLOSES);
        let current = call(10, 3);
        assert_eq!(breaker.ask(current), (Answer::Admit, None));
        assert_eq!(breaker.record(10, late_probe, Verdict::Failure), None);
        assert_eq!(breaker.record(10, current, Verdict::Failure), OPENS);
    }

    #[test]
    fn an_opened_breaker_keeps_no_trace_of_how_it_came_to_open() {
        let mut once = Breaker::new(1, 1);
        once.open(20);
        let mut again = Breaker::new(1, 1);
        again.open(5);
        assert_eq!(again.ask(call(15, 1)), (Answer::Admit, PROBES));
        assert_eq!(again.record(20, call(15, 1), Verdict::Failure), REOPENS);
        assert_eq!(once.state, again.state);
    }

    #[test]
    fn an_open_time_of_zero_is_refused() {
        assert_eq!(Consecutive::new(1, Duration::ZERO, HalfOpen::default()), Err(RuleError::NoOpenTime));
        let no_permit = HalfOpen { permits: 0, successes: 1 };
        assert_eq!(Consecutive::new(1, Duration::TICK, no_permit), Err(RuleError::NoPermits));
    }
}
