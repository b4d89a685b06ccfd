//! What a circuit breaker is to the world: a rule (numbers) and its state (a value), asked and told about calls.

use std::fmt::Debug;
use std::hash::Hash;

use engine::{Duration, StreamKey, Time};

/// A circuit breaker's setting. The setting is plain numbers; what changes during a run is the [`Rule::State`].
///
/// A rule has no clock and no randomness of its own: time comes in with every question, and what a library would draw at
/// random is keyed by the run. The methods of one state are called with times that never decrease, and its calls ask in
/// ascending order of [`CallId`]. A call that was admitted ends in at most one of [`Rule::release`] and [`Rule::record`];
/// where results come at the instant of a question, the world decides which is first (the engine: results).
pub trait Rule: Copy + Debug + Send + Sync {
    /// All that a later answer can depend on. Two equal states answer alike for ever.
    type State: Clone + Debug + Eq + Hash + Send;

    /// The state at the start of a run. `run` keys whatever jitter or phase a rule has.
    fn start(&self, run: StreamKey) -> Self::State;

    /// Executes the next timer that is due at `now`, if one is; called until it returns `None`.
    fn advance(&self, state: &mut Self::State, now: Clocks) -> Option<Transition>;

    /// A call asks to be let through.
    fn ask(&self, state: &mut Self::State, now: Clocks, call: CallId) -> (Answer, Option<Transition>);

    /// An admitted call never ran: it found no slot, or was cancelled.
    fn release(&self, state: &mut Self::State, now: Clocks, call: CallId);

    /// The outcome of an admitted call.
    fn record(&self, state: &mut Self::State, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition>;

    /// When [`Rule::advance`] has to be called next, if no question or result comes first.
    fn next_timer(&self, state: &Self::State) -> Option<Time>;

    /// The phase as an onlooker sees it at `now`. Reading changes nothing.
    fn phase(&self, state: &Self::State, now: Clocks) -> Phase;
}

/// The two clocks that breakers read. They differ only where a scenario steps the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Time since the start of the run; never steps.
    pub monotonic: Time,
    /// The time of day, as an offset from the start of the run.
    pub wall: Time,
}

impl Clocks {
    /// Both clocks show `now`.
    #[must_use]
    pub const fn synchronous(now: Time) -> Self {
        Self { monotonic: now, wall: now }
    }
}

/// Who asks: unique in a run, ordered by the instant of asking.
///
/// The identity is the same in every simulated world in which that call asks, so that a rule recognises a stale result by
/// comparing identities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId {
    /// The instant of asking.
    pub asked_at: Time,
    /// The number of the request in its flow.
    pub request: u64,
    /// 0 for the first attempt of the request.
    pub attempt: u32,
}

impl CallId {
    /// Not later than any call.
    pub const FIRST: Self = Self { asked_at: Time::ZERO, request: 0, attempt: 0 };

    /// The earliest identity later than this one.
    #[must_use]
    pub const fn next(self) -> Self {
        let Self { asked_at, request, attempt } = self;
        match (attempt.checked_add(1), request.checked_add(1)) {
            (Some(attempt), _) => Self { asked_at, request, attempt },
            (None, Some(request)) => Self { asked_at, request, attempt: 0 },
            (None, None) => Self { asked_at: Time::from_nanos(asked_at.as_nanos() + 1), request: 0, attempt: 0 },
        }
    }
}

/// What a breaker says to a call that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go ahead.
    Admit,
    /// Turned away at once.
    Reject,
}

/// How an admitted call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Success or failure.
    pub verdict: Verdict,
    /// How long the call took, for rules that judge slowness.
    pub duration: Duration,
}

/// Success or failure of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The dependency answered.
    Success,
    /// The dependency failed or timed out.
    Failure,
}

/// The three phases of a circuit breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Calls pass.
    Closed,
    /// Calls are turned away.
    Open,
    /// A few probes pass; their results decide.
    HalfOpen,
}

/// A change of phase. An *opening* is any transition to [`Phase::Open`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transition {
    /// The phase before.
    pub from: Phase,
    /// The phase after.
    pub to: Phase,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_identity_is_the_next_in_order() {
        let id = |nanos, request, attempt| CallId { asked_at: Time::from_nanos(nanos), request, attempt };
        for (id, next) in [
            (CallId::FIRST, id(0, 0, 1)),
            (id(5, 6, 7), id(5, 6, 8)),
            (id(5, 6, u32::MAX), id(5, 7, 0)),
            (id(5, u64::MAX, u32::MAX), id(6, 0, 0)),
        ] {
            assert_eq!(id.next(), next);
            assert!(id < next);
        }
    }
}
