//! The rule `none`: no breaker at all.

use engine::{Duration, StreamKey, Time};

use crate::{Answer, CallId, Clocks, Outcome, Phase, ResultRule, Rule, Transition};

/// No breaker: every call passes. The yardstick for all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoBreaker;

impl Rule for NoBreaker {
    type State = ();

    fn start(&self, _run: StreamKey) -> Self::State {}

    #[inline]
    fn advance(&self, (): &mut Self::State, _now: Clocks) -> Option<Transition> {
        None
    }

    #[inline]
    fn ask(&self, (): &mut Self::State, _now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        (Answer::Admit, None)
    }

    #[inline]
    fn release(&self, (): &mut Self::State, _now: Clocks, _call: CallId) -> Option<Transition> {
        None
    }

    #[inline]
    fn record(&self, (): &mut Self::State, _now: Clocks, _call: CallId, _outcome: Outcome) -> Option<Transition> {
        None
    }

    #[inline]
    fn next_timer(&self, (): &Self::State) -> Option<Time> {
        None
    }

    #[inline]
    fn phase(&self, (): &Self::State, _now: Clocks) -> Phase {
        Phase::Closed
    }

    fn result_rule(&self, _longest: Duration) -> Option<ResultRule> {
        Some(ResultRule::Never)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    #[test]
    fn never_opens() {
        NoBreaker.start(StreamKey::root(0));
        for request in 0..1_000 {
            let now = Clocks::synchronous(Time::from_nanos(request));
            let call = CallId { asked_at: now.monotonic, request, attempt: 0 };
            assert_eq!(NoBreaker.ask(&mut (), now, call), (Answer::Admit, None));
            let outcome = Outcome { verdict: Verdict::Failure, duration: Duration::TICK };
            assert_eq!(NoBreaker.record(&mut (), now, call, outcome), None);
            assert_eq!(NoBreaker.phase(&(), now), Phase::Closed);
        }
    }
}
