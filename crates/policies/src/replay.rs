//! Playing back what a library was asked and told, to hear what a rule says.

use engine::{Duration, Time};

use crate::{Answer, AnyBreaker, AnyRule, CallId, Clocks, Outcome, Phase, Resumed};

/// A breaker that is asked and told things at given instants, as in a recording: made at instant zero, with both clocks in
/// step. Timers that are due have fired before anything happens at an instant.
///
/// Instants must not decrease. Calls are told apart by the identities that they get when they ask: recordings may number
/// them otherwise.
#[derive(Clone, Debug)]
pub struct Replay {
    breaker: AnyBreaker,
    asked: u64,
}

impl Replay {
    /// Starts a breaker at the time of day `epoch`: see [`Rule::start_at`](crate::Rule::start_at).
    #[must_use]
    pub fn new(rule: &AnyRule, epoch: Duration) -> Self {
        Self { breaker: AnyBreaker::start_at(rule, epoch), asked: 0 }
    }

    /// Lets the timers fire that are due at `now` or before, each at its instant.
    pub fn advance(&mut self, now: Time) {
        while let Some(due) = self.breaker.next_timer().filter(|&due| due <= now) {
            while self.breaker.advance(Clocks::synchronous(due)).is_some() {}
        }
    }

    /// A call asks at `now`. Returns the answer, the phase after it, and the identity of the call.
    pub fn acquire(&mut self, now: Time) -> (Answer, Phase, CallId) {
        self.advance(now);
        let id = CallId { asked_at: now, request: self.asked, attempt: 0 };
        self.asked += 1;
        let (answer, _) = self.breaker.ask(Clocks::synchronous(now), id);
        (answer, self.phase(now), id)
    }

    /// The call ends at `now` with an outcome. Returns the phase after it.
    pub fn complete(&mut self, now: Time, call: CallId, outcome: Outcome) -> Phase {
        self.advance(now);
        self.breaker.record(Clocks::synchronous(now), call, outcome);
        self.phase(now)
    }

    /// The next waiting call that is told something at `now`, and the phase after it.
    pub fn resume(&mut self, now: Time) -> Option<(Resumed, Phase)> {
        self.advance(now);
        let resumed = self.breaker.resume(Clocks::synchronous(now))?;
        Some((resumed, self.phase(now)))
    }

    /// The phase at `now`, without letting any timer fire.
    #[must_use]
    pub fn phase(&self, now: Time) -> Phase {
        self.breaker.phase(Clocks::synchronous(now))
    }
}
