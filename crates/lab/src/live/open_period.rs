//! Until when an open breaker stays open.

use engine::Time;
use policies::{AnyBreaker, Clocks, Phase};

/// When an open breaker that is left alone will read as something else than open; `None` if it is not open, or not before
/// `end`.
///
/// Rules without a timer change their phase at a question only, but say at any time which phase the question would find.
/// An open breaker that is left alone leaves the open phase once, so the instant can be found by bisection.
pub(super) fn open_until(breaker: &AnyBreaker, now: Time, end: Time) -> Option<Time> {
    let is_open = |at: Time| breaker.phase(Clocks::synchronous(at)) == Phase::Open;
    if !is_open(now) || is_open(end) {
        return None;
    }
    let (mut open, mut over) = (now.as_nanos(), end.as_nanos());
    while over - open > 1 {
        let middle = open + (over - open) / 2;
        if is_open(Time::from_nanos(middle)) {
            open = middle;
        } else {
            over = middle;
        }
    }
    Some(Time::from_nanos(over))
}

#[cfg(test)]
mod tests {
    use engine::{Duration, StreamKey};
    use policies::{AnyRule, CallId, Consecutive, HalfOpen, Outcome, Verdict};

    use super::*;

    #[test]
    fn a_running_open_period_keeps_its_end() {
        let rule = |seconds| -> AnyRule {
            Consecutive::new(1, Duration::from_secs(seconds), HalfOpen::default()).expect("valid").into()
        };
        let at = |seconds| Time::ZERO + Duration::from_secs(seconds);
        let mut breaker = AnyBreaker::start(&rule(6), StreamKey::root(1));
        let call = CallId { asked_at: at(1), request: 1, attempt: 0 };
        breaker.ask(Clocks::synchronous(at(1)), call);
        let outcome = Outcome { verdict: Verdict::Failure, duration: Duration::TICK };
        assert!(breaker.record(Clocks::synchronous(at(1)), call, outcome).is_some());
        assert_eq!(open_until(&breaker, at(1), at(90)), Some(at(7)));
        let breaker = breaker.retuned(&rule(60)).expect("the same family");
        assert_eq!(open_until(&breaker, at(2), at(90)), Some(at(7)));
        assert_eq!(open_until(&breaker, at(7), at(90)), None);
        assert_eq!(open_until(&breaker, at(2), at(6)), None);
    }
}
