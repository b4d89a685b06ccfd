//! A running breaker of whatever rule.

use engine::{Duration, StreamKey, Time};

use crate::{Answer, AnyRule, CallId, Clocks, Outcome, Phase, Resumed, Rule, RuleVisitor, Transition};

/// A rule and its state behind one type, for worlds that hold breakers of several families. The methods are those of
/// [`Rule`].
#[derive(Debug)]
pub struct AnyBreaker(Box<dyn Breaker>);

trait Breaker: std::fmt::Debug + Send {
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
