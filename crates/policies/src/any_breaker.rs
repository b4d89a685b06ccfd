//! A running breaker of whatever rule.

use std::any::Any;

use engine::{Duration, StreamKey, Time};

use crate::{Answer, AnyRule, CallId, Clocks, Outcome, Phase, Resumed, Rule, RuleVisitor, Transition};

/// A rule and its state behind one type, for worlds that hold breakers of several families. The methods are those of
/// [`Rule`].
#[derive(Debug)]
pub struct AnyBreaker(Box<dyn Breaker>);

trait Breaker: Any + std::fmt::Debug + Send {
    fn is_as(&self, other: &dyn Any) -> bool;
    fn as_any(&self) -> &dyn Any;
    fn advance(&mut self, now: Clocks) -> Option<Transition>;
    fn ask(&mut self, now: Clocks, call: CallId) -> (Answer, Option<Transition>);
    fn resume(&mut self, now: Clocks) -> Option<Resumed>;
    fn release(&mut self, now: Clocks, call: CallId) -> Option<Transition>;
    fn ignore(&mut self, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition>;
    fn record(&mut self, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition>;
    fn next_timer(&self) -> Option<Time>;
    fn phase(&self, now: Clocks) -> Phase;
    fn copy(&self) -> Box<dyn Breaker>;
}

#[derive(Clone, Debug)]
struct Running<R: Rule> {
    rule: R,
    state: R::State,
}

impl<R: Rule> Breaker for Running<R> {
    fn is_as(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<Self>().is_some_and(|other| other.state == self.state)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn advance(&mut self, now: Clocks) -> Option<Transition> {
        self.rule.advance(&mut self.state, now)
    }

    fn ask(&mut self, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        self.rule.ask(&mut self.state, now, call)
    }

    fn resume(&mut self, now: Clocks) -> Option<Resumed> {
        self.rule.resume(&mut self.state, now)
    }

    fn release(&mut self, now: Clocks, call: CallId) -> Option<Transition> {
        self.rule.release(&mut self.state, now, call)
    }

    fn ignore(&mut self, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.rule.ignore(&mut self.state, now, call, outcome)
    }

    fn record(&mut self, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.rule.record(&mut self.state, now, call, outcome)
    }

    fn next_timer(&self) -> Option<Time> {
        self.rule.next_timer(&self.state)
    }

    fn phase(&self, now: Clocks) -> Phase {
        self.rule.phase(&self.state, now)
    }

    fn copy(&self) -> Box<dyn Breaker> {
        Box::new(self.clone())
    }
}

/// Starts a rule's breaker: at a drawn phase, or at a given time of day.
enum Start {
    Drawn(StreamKey),
    At(Duration),
}

impl RuleVisitor for Start {
    type Output = AnyBreaker;

    fn visit<R: Rule>(self, rule: R) -> AnyBreaker {
        let state = match self {
            Self::Drawn(run) => rule.start(run),
            Self::At(epoch) => rule.start_at(epoch),
        };
        AnyBreaker(Box::new(Running { rule, state }))
    }
}

impl AnyBreaker {
    /// See [`Rule::start`].
    #[must_use]
    pub fn start(rule: &AnyRule, run: StreamKey) -> Self {
        rule.visit(Start::Drawn(run))
    }

    /// See [`Rule::start_at`].
    #[must_use]
    pub fn start_at(rule: &AnyRule, epoch: Duration) -> Self {
        rule.visit(Start::At(epoch))
    }

    /// The same breaker under other numbers of the same family: its state stays. `None` where it cannot: for another
    /// family, and for a library's breaker, whose settings are those with which it was made.
    #[must_use]
    pub fn retuned(&self, rule: &AnyRule) -> Option<Self> {
        match *rule {
            AnyRule::None(rule) => self.with(rule, |state| *state),
            AnyRule::Consecutive(rule) => self.with(rule, Clone::clone),
            // What is remembered has the size of the window.
            AnyRule::Ratio(rule) => self.with(rule, |state| rule.refitted(state)),
            AnyRule::Dialect(_) => None,
        }
    }

    fn with<R: Rule>(&self, rule: R, state: impl FnOnce(&R::State) -> R::State) -> Option<Self> {
        let running = self.0.as_any().downcast_ref::<Running<R>>()?;
        Some(Self(Box::new(Running { rule, state: state(&running.state) })))
    }

    /// Whether both are in the same state of the same family of rules, whatever their numbers.
    #[must_use]
    pub fn is_as(&self, other: &Self) -> bool {
        self.0.is_as(other.0.as_any())
    }

    /// See [`Rule::advance`].
    pub fn advance(&mut self, now: Clocks) -> Option<Transition> {
        self.0.advance(now)
    }

    /// See [`Rule::ask`].
    pub fn ask(&mut self, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        self.0.ask(now, call)
    }

    /// See [`Rule::resume`].
    pub fn resume(&mut self, now: Clocks) -> Option<Resumed> {
        self.0.resume(now)
    }

    /// See [`Rule::release`].
    pub fn release(&mut self, now: Clocks, call: CallId) -> Option<Transition> {
        self.0.release(now, call)
    }

    /// See [`Rule::ignore`].
    pub fn ignore(&mut self, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.0.ignore(now, call, outcome)
    }

    /// See [`Rule::record`].
    pub fn record(&mut self, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.0.record(now, call, outcome)
    }

    /// See [`Rule::next_timer`].
    #[must_use]
    pub fn next_timer(&self) -> Option<Time> {
        self.0.next_timer()
    }

    /// See [`Rule::phase`].
    #[must_use]
    pub fn phase(&self, now: Clocks) -> Phase {
        self.0.phase(now)
    }
}

impl Clone for AnyBreaker {
    fn clone(&self) -> Self {
        Self(self.0.copy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Consecutive, HalfOpen, NoBreaker, Ratio, Verdict};

    fn consecutive(threshold: u32) -> AnyRule {
        Consecutive::new(threshold, Duration::from_secs(6), HalfOpen::default()).expect("valid").into()
    }

    fn at(seconds: u64) -> Time {
        Time::ZERO + Duration::from_secs(seconds)
    }

    fn fail(breaker: &mut AnyBreaker, request: u64) -> Option<Transition> {
        let now = Clocks::synchronous(at(request));
        let call = CallId { asked_at: at(request), request, attempt: 0 };
        assert_eq!(breaker.ask(now, call).0, Answer::Admit);
        breaker.record(now, call, Outcome { verdict: Verdict::Failure, duration: Duration::TICK })
    }

    #[test]
    fn a_streak_counts_on_under_another_threshold() {
        let mut breaker = AnyBreaker::start(&consecutive(5), StreamKey::root(1));
        assert!(fail(&mut breaker, 1).is_none() && fail(&mut breaker, 2).is_none());
        let mut breaker = breaker.retuned(&consecutive(2)).expect("the same family");
        assert_eq!(breaker.phase(Clocks::synchronous(at(2))), Phase::Closed);
        assert!(fail(&mut breaker, 3).is_some());
    }

    #[test]
    fn a_window_keeps_the_latest_results() {
        let ratio = |window| -> AnyRule {
            Ratio::new(window, 1.0, Duration::from_secs(6), HalfOpen::default()).expect("valid").into()
        };
        let mut breaker = AnyBreaker::start(&ratio(100), StreamKey::root(1));
        assert!(fail(&mut breaker, 1).is_none() && fail(&mut breaker, 2).is_none());
        let mut breaker = breaker.retuned(&ratio(3)).expect("the same family");
        assert!(fail(&mut breaker, 3).is_some());
    }

    #[test]
    fn another_family_has_no_use_for_the_state() {
        let breaker = AnyBreaker::start(&consecutive(5), StreamKey::root(1));
        assert!(breaker.retuned(&NoBreaker.into()).is_none());
        assert!(!breaker.is_as(&AnyBreaker::start(&NoBreaker.into(), StreamKey::root(1))));
        let mut other = breaker.clone();
        assert!(breaker.is_as(&other));
        fail(&mut other, 1);
        assert!(!breaker.is_as(&other));
    }
}
