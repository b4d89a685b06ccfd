//! What the gate looks like from outside, and why that changes.

use policies::Phase;
use serde::Serialize;

/// The state of the gate between the requests and the dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// The breaker lets calls pass.
    Closed,
    /// The breaker turns every call away.
    Open,
    /// The breaker lets probes pass.
    HalfOpen,
    /// There is no breaker in the way.
    Bypassed,
}

/// What made the state change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The result of a call.
    Result,
    /// Time that has passed.
    Timer,
    /// A request that asked.
    Request,
    /// Somebody's hand.
    Intervention,
}

impl From<Phase> for State {
    fn from(phase: Phase) -> Self {
        match phase {
            Phase::Closed => Self::Closed,
            Phase::Open => Self::Open,
            Phase::HalfOpen => Self::HalfOpen,
        }
    }
}

impl State {
    /// The state in a sentence.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
            Self::HalfOpen => "half-open",
            Self::Bypassed => "bypassed",
        }
    }
}
