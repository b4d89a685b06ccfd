//! A running breaker of any rule, whose numbers can be changed while it runs.

use std::any::Any;

use engine::{StreamKey, Time};
use policies::{Answer, AnyRule, CallId, Clocks, Outcome, Phase, Resumed, Rule, RuleVisitor, Transition};

/// A rule and its state.
#[derive(Clone, Debug)]
struct Of<R: Rule> {
    rule: R,
    state: R::State,
}

/// What the world needs of a breaker, whatever its rule.
trait Running: Any + Send {
    fn boxed_clone(&self) -> Box<dyn Running>;
    fn as_any(&self) -> &dyn Any;
    fn is_as(&self, other: &dyn Running) -> bool;
    fn advance(&mut self, now: Clocks) -> Option<Transition>;
    fn ask(&mut self, now: Clocks, call: CallId) -> (Answer, Option<Transition>);
    fn resume(&mut self, now: Clocks) -> Option<Resumed>;
    fn record(&mut self, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition>;
    fn next_timer(&self) -> Option<Time>;
    fn phase(&self, now: Clocks) -> Phase;
}

impl<R: Rule> Running for Of<R> {
    fn boxed_clone(&self) -> Box<dyn Running> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn is_as(&self, other: &dyn Running) -> bool {
        other.as_any().downcast_ref::<Self>().is_some_and(|other| other.state == self.state)
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

    fn record(&mut self, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.rule.record(&mut self.state, now, call, outcome)
    }

    fn next_timer(&self) -> Option<Time> {
        self.rule.next_timer(&self.state)
    }

    fn phase(&self, now: Clocks) -> Phase {
        self.rule.phase(&self.state, now)
    }
}

/// A running breaker.
pub(super) struct Breaker(Box<dyn Running>);

impl Clone for Breaker {
    fn clone(&self) -> Self {
        Self(self.0.boxed_clone())
    }
}

impl Breaker {
    /// A breaker at its start: closed, without evidence.
    pub(super) fn start(rule: &AnyRule, key: StreamKey) -> Self {
        struct Start(StreamKey);
        impl RuleVisitor for Start {
            type Output = Breaker;
            fn visit<R: Rule>(self, rule: R) -> Breaker {
                Breaker(Box::new(Of { rule, state: rule.start(self.0) }))
            }
        }
        rule.visit(Start(key))
    }

    /// The same breaker under other numbers of the same kind: its state stays. `None` where it cannot: for another kind,
    /// and for a library's breaker, whose settings are those with which it was made.
    pub(super) fn retuned(&self, rule: &AnyRule) -> Option<Self> {
        match *rule {
            AnyRule::None(rule) => self.with(rule, |state| *state),
            AnyRule::Consecutive(rule) => self.with(rule, Clone::clone),
            // What is remembered has the size of the window.
            AnyRule::Ratio(rule) => self.with(rule, |state| rule.refitted(state)),
            AnyRule::Dialect(_) => None,
        }
    }

    fn with<R: Rule>(&self, rule: R, state: impl FnOnce(&R::State) -> R::State) -> Option<Self> {
        let running = self.0.as_any().downcast_ref::<Of<R>>()?;
        Some(Self(Box::new(Of { rule, state: state(&running.state) })))
    }

    /// Whether both are in the same state of the same family of rules.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        self.0.is_as(&*other.0)
    }

    /// Executes the next timer that is due.
    pub(super) fn advance(&mut self, now: Time) -> Option<Transition> {
        self.0.advance(Clocks::synchronous(now))
    }

    /// A call asks to be let through.
    pub(super) fn ask(&mut self, now: Time, call: CallId) -> (Answer, Option<Transition>) {
        self.0.ask(Clocks::synchronous(now), call)
    }

    /// The next waiting call that goes on, or is turned away.
    pub(super) fn resume(&mut self, now: Time) -> Option<Resumed> {
        self.0.resume(Clocks::synchronous(now))
    }

    /// The outcome of a call that was let through.
    pub(super) fn record(&mut self, now: Time, call: CallId, outcome: Outcome) -> Option<Transition> {
        self.0.record(Clocks::synchronous(now), call, outcome)
    }

    /// When [`Breaker::advance`] has to be called next.
    pub(super) fn next_timer(&self) -> Option<Time> {
        self.0.next_timer()
    }

    /// The phase as an onlooker sees it.
    pub(super) fn phase(&self, now: Time) -> Phase {
        self.0.phase(Clocks::synchronous(now))
    }

    /// When an open breaker that is left alone will read as something else than open; `None` if it is not open, or not
    /// before `end`.
    ///
    /// Rules without a timer change their phase at a question only, but say at any time which phase the question would
    /// find. An open breaker that is left alone leaves the open phase once, so the instant can be found by bisection.
    pub(super) fn open_until(&self, now: Time, end: Time) -> Option<Time> {
        if self.phase(now) != Phase::Open || self.phase(end) == Phase::Open {
            return None;
        }
        let (mut open, mut over) = (now.as_nanos(), end.as_nanos());
        while over - open > 1 {
            let middle = open + (over - open) / 2;
            if self.phase(Time::from_nanos(middle)) == Phase::Open {
                open = middle;
            } else {
                over = middle;
            }
        }
        Some(Time::from_nanos(over))
    }
}

#[cfg(test)]
mod tests {
    use engine::Duration;
    use policies::{Consecutive, HalfOpen, Ratio, Verdict};

    use super::*;

    fn consecutive(threshold: u32, open_for: u64) -> AnyRule {
        Consecutive::new(threshold, Duration::from_secs(open_for), HalfOpen::default()).expect("valid").into()
    }

    fn at(seconds: u64) -> Time {
        Time::ZERO + Duration::from_secs(seconds)
    }

    fn fail(breaker: &mut Breaker, request: u64) -> Option<Transition> {
        let call = CallId { asked_at: at(request), request, attempt: 0 };
        assert_eq!(breaker.ask(at(request), call).0, Answer::Admit);
        breaker.record(at(request), call, Outcome { verdict: Verdict::Failure, duration: Duration::TICK })
    }

    #[test]
    fn a_running_open_period_keeps_its_end() {
        let mut breaker = Breaker::start(&consecutive(1, 6), StreamKey::root(1));
        assert!(fail(&mut breaker, 1).is_some());
        assert_eq!(breaker.open_until(at(1), at(90)), Some(at(7)));
        let breaker = breaker.retuned(&consecutive(1, 60)).expect("the same family");
        assert_eq!(breaker.open_until(at(2), at(90)), Some(at(7)));
        assert_eq!(breaker.open_until(at(7), at(90)), None);
        assert_eq!(breaker.open_until(at(2), at(6)), None);
    }

    #[test]
    fn a_streak_counts_on_under_another_threshold() {
        let mut breaker = Breaker::start(&consecutive(5, 6), StreamKey::root(1));
        assert!(fail(&mut breaker, 1).is_none() && fail(&mut breaker, 2).is_none());
        let mut breaker = breaker.retuned(&consecutive(2, 6)).expect("the same family");
        assert_eq!(breaker.phase(at(2)), Phase::Closed);
        assert!(fail(&mut breaker, 3).is_some());
    }

    #[test]
    fn a_window_keeps_the_latest_results() {
        let ratio = |window| -> AnyRule {
            Ratio::new(window, 1.0, Duration::from_secs(6), HalfOpen::default()).expect("valid").into()
        };
        let mut breaker = Breaker::start(&ratio(100), StreamKey::root(1));
        assert!(fail(&mut breaker, 1).is_none() && fail(&mut breaker, 2).is_none());
        let mut breaker = breaker.retuned(&ratio(3)).expect("the same family");
        assert!(fail(&mut breaker, 3).is_some());
    }

    #[test]
    fn another_family_has_no_use_for_the_state() {
        let breaker = Breaker::start(&consecutive(5, 6), StreamKey::root(1));
        assert!(breaker.retuned(&policies::NoBreaker.into()).is_none());
        assert!(!breaker.is_as(&Breaker::start(&policies::NoBreaker.into(), StreamKey::root(1))));
        assert!(breaker.is_as(&breaker.clone()));
    }
}
