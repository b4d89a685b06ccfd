//! Watching a run of the richer world.

use engine::{Duration, Time};
use policies::Transition;

/// Hears what happens in a run, in order.
pub trait ServiceObserver {
    /// Whether there is anybody to hear; what is noted is not computed otherwise.
    const WATCHES: bool = true;

    /// Something happened at `now`; `snapshot` is the world after it.
    fn note(&mut self, now: Time, snapshot: Snapshot, note: ServiceNote);
}

/// Nobody watches.
impl ServiceObserver for () {
    const WATCHES: bool = false;

    fn note(&mut self, _now: Time, _snapshot: Snapshot, _note: ServiceNote) {}
}

impl<F: FnMut(Time, Snapshot, ServiceNote)> ServiceObserver for F {
    fn note(&mut self, now: Time, snapshot: Snapshot, note: ServiceNote) {
        self(now, snapshot, note);
    }
}

/// The world's levels at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Slots in use, of all instances and both flows.
    pub slots_in_use: u32,
    /// Requests that wait for a slot.
    pub queued: u32,
    /// Calls under way at the dependency, abandoned ones included.
    pub at_dependency: u32,
}

/// Why an attempt is turned away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// By the rate limiter.
    RateLimited,
    /// By the breaker.
    Rejected,
    /// There was neither a slot nor a place in the queue.
    NoSlot,
}

/// How an attempt ended for its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It succeeded.
    Success,
    /// It failed.
    Failure,
    /// It was given up at the time-out.
    TimedOut,
    /// It was cancelled.
    Cancelled,
    /// Its outcome is one that the breaker ignores.
    Ignored,
}

/// What happens in a run. Requests are named by their number in their flow, attempts from 0, breakers by instance and,
/// within one, by shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceNote {
    /// The regime of that index in the mode's timeline begins.
    Regime(usize),
    /// The wall clock is set: the step of that index.
    ClockStep(usize),
    /// A breaker changes its phase.
    Transition {
        /// Which.
        breaker: u32,
        /// From where to where.
        transition: Transition,
    },
    /// A breaker turns out to be stuck half-open.
    Stuck {
        /// Which.
        breaker: u32,
    },
    /// An attempt starts to hold its slot.
    Started {
        /// The request.
        request: u64,
        /// Its attempt.
        attempt: u32,
        /// The breaker that let it through.
        breaker: u32,
        /// Whether the breaker was half-open then.
        probe: bool,
        /// How long it will hold the slot; `None`: for ever.
        hold: Option<Duration>,
    },
    /// An attempt ends and gives its slot back.
    Ended {
        /// The request.
        request: u64,
        /// Its attempt.
        attempt: u32,
        /// How.
        ended: Ended,
    },
    /// An attempt is turned away.
    Refused {
        /// The request.
        request: u64,
        /// Its attempt.
        attempt: u32,
        /// By what.
        refusal: Refusal,
        /// The breaker of its instance and shard.
        breaker: u32,
    },
    /// An attempt waits in the queue for a slot.
    Queued {
        /// The request.
        request: u64,
        /// Its attempt.
        attempt: u32,
    },
    /// An attempt is held back by its breaker.
    HeldBack {
        /// The request.
        request: u64,
        /// Its attempt.
        attempt: u32,
    },
    /// Another attempt will be made.
    Again {
        /// The request.
        request: u64,
        /// The coming attempt.
        attempt: u32,
        /// After how long.
        delay: Duration,
    },
    /// A request is answered by the fallback.
    Fallback {
        /// The request.
        request: u64,
        /// Whether it is told something wrong as if it were a success.
        wrong: bool,
    },
    /// A neighbour's request arrives.
    Neighbour {
        /// The request.
        request: u64,
        /// Whether it found a slot or a place in the queue.
        served: bool,
    },
    /// A neighbour's request starts to hold its slot after it waited.
    NeighbourServed {
        /// The request.
        request: u64,
        /// How long it waited.
        waited: Duration,
    },
    /// A neighbour's request gives its slot back.
    NeighbourDone {
        /// The request.
        request: u64,
    },
    /// A rejection gives its slot back.
    RejectionEnd,
    /// The dependency is done with a call that its client had given up.
    AbandonedEnd,
}
