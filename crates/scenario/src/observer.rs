//! Watching a run from outside, for traces and tests; free when nobody watches.

use engine::Time;
use policies::Transition;

use crate::replication::Request;

/// Hears what happens in a run, in order.
pub trait Observer {
    /// Something happened at `now`; after it, so many slots are in use.
    fn note(&mut self, now: Time, slots_in_use: u32, note: Note);
}

/// Nobody watches.
impl Observer for () {
    #[inline(always)]
    fn note(&mut self, _now: Time, _slots_in_use: u32, _note: Note) {}
}

impl<F: FnMut(Time, u32, Note)> Observer for F {
    fn note(&mut self, now: Time, slots_in_use: u32, note: Note) {
        self(now, slots_in_use, note);
    }
}

/// What happens in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The regime of that index in the mode's timeline begins.
    Regime(usize),
    /// The breaker changes its phase.
    Transition(Transition),
    /// A dependency request is held back by the breaker, until it starts or is turned away.
    Wait(Request),
    /// A dependency request is admitted and starts.
    Call(Request),
    /// A dependency call ends.
    Completion(Request),
    /// A dependency request is turned away by the breaker.
    Rejection(Request),
    /// A dependency request is admitted and finds no free slot.
    NoSlot(Request),
    /// A neighbour's request arrives.
    Neighbour {
        /// The request.
        request: Request,
        /// Whether it found a free slot.
        has_slot: bool,
    },
    /// A neighbour's request gives its slot back.
    NeighbourCompletion(Request),
    /// A rejection gives its slot back.
    RejectionEnd,
}
