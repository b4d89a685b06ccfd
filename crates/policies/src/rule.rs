//! What a circuit breaker is to the world: a rule (numbers) and its state (a value), asked and told about calls.

use std::fmt::Debug;
use std::hash::Hash;

use engine::{Duration, StreamKey, Time};

use crate::ResultRule;

/// A circuit breaker's setting. The setting is plain numbers; what changes during a run is the [`Rule::State`].
///
/// A rule has no clock and no randomness of its own: time comes in with every question, and what a library would draw at
/// random is keyed by the run. The methods of one state are called with times that never decrease, and its calls ask in
/// ascending order of [`CallId`]. A call that was admitted ends in at most one of [`Rule::release`], [`Rule::ignore`] and
/// [`Rule::record`]; where results come at the instant of a question, the world decides which is first (the engine:
/// results).
///
/// **What the world does.** Timers that are due at an instant fire before anything else is told or asked at it. After every
/// [`Rule::advance`], [`Rule::ask`], [`Rule::release`], [`Rule::ignore`] and [`Rule::record`], the world of a rule whose
/// calls may wait ([`Rule::WAITS`]) calls [`Rule::resume`] until it returns `None`.
pub trait Rule: Copy + Debug + Send + Sync + 'static {
    /// All that a later answer can depend on. Two equal states answer alike for ever.
    type State: Clone + Debug + Eq + Hash + Send + 'static;

    /// Whether [`Rule::ask`] may answer [`Answer::Wait`].
    const WAITS: bool = false;

    /// The state at the start of a run. `run` keys whatever a rule would draw at random, and the *phase* of grids on
    /// the time of day and of ticks: where between two of their edges the run begins.
    fn start(&self, run: StreamKey) -> Self::State;

    /// The state of a breaker that is made when the run starts, at which the time of day is `epoch` after midnight of
    /// 1 January 1970: no phase is drawn. Draws at random are those of a fixed key.
    fn start_at(&self, epoch: Duration) -> Self::State {
        let _ = epoch;
        self.start(StreamKey::root(0))
    }

    /// Executes the timers that are due at `now`, up to and including the first that changes the phase; called until it
    /// returns `None`.
    fn advance(&self, state: &mut Self::State, now: Clocks) -> Option<Transition>;

    /// A call asks to be let through. Where the rule's own rejections count in its rate, it counts them here.
    fn ask(&self, state: &mut Self::State, now: Clocks, call: CallId) -> (Answer, Option<Transition>);

    /// The next waiting call that now goes on or is turned away, in the order in which they will do so at this instant.
    /// A call that goes on has been admitted: it ends in at most one of [`Rule::release`], [`Rule::ignore`] and
    /// [`Rule::record`], under the identity with which it asked.
    fn resume(&self, state: &mut Self::State, now: Clocks) -> Option<Resumed> {
        let _ = (state, now);
        None
    }

    /// An admitted call never ran: it found no slot, or was cancelled.
    fn release(&self, state: &mut Self::State, now: Clocks, call: CallId) -> Option<Transition>;

    /// The outcome of an admitted call that the caller has told the breaker not to judge: an ignored or excluded error,
    /// a bad request. Rules differ in what they make of it; the default is that of a call that never ran.
    fn ignore(&self, state: &mut Self::State, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        let _ = outcome;
        self.release(state, now, call)
    }

    /// The outcome of an admitted call.
    fn record(&self, state: &mut Self::State, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition>;

    /// When [`Rule::advance`] has to be called next, if no question or result comes first.
    fn next_timer(&self, state: &Self::State) -> Option<Time>;

    /// The phase as an onlooker sees it at `now`. Reading changes nothing.
    fn phase(&self, state: &Self::State, now: Clocks) -> Phase;

    /// How near a closed breaker is to opening: 0 without failures, about 1 where it opens, as far as the latest question or
    /// result has told it. It orders states by how likely they open soon, which is what importance splitting needs; no answer
    /// depends on it. `None` where there is no such number, and in other phases.
    fn closeness(&self, state: &Self::State) -> Option<f64> {
        let _ = state;
        None
    }

    /// What opens a closed breaker, where the order of results alone decides, and no call takes longer than `longest`.
    /// `None` where time or anything else counts, too.
    fn result_rule(&self, longest: Duration) -> Option<ResultRule> {
        let _ = longest;
        None
    }
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
    /// Neither yet: the call waits at the breaker, holding nothing, until [`Rule::resume`] names it.
    Wait,
}

/// What becomes of a call that waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resumed {
    /// The call, as it asked.
    pub call: CallId,
    /// Whether it goes on now; otherwise it is turned away.
    pub admitted: bool,
    /// The change of phase that it caused, if it did: an open breaker may take it for a probe.
    pub transition: Option<Transition>,
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

impl Transition {
    /// The transition between two phases; `None` if they are one.
    #[must_use]
    pub fn between(from: Phase, to: Phase) -> Option<Self> {
        (from != to).then_some(Self { from, to })
    }
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
