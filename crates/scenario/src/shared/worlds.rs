//! What shared trajectories need of worlds: pools and the holds in them, one world per lane.

mod bits;
mod values;

use engine::{Duration, Time};

pub(super) use bits::BitWorlds;
pub(super) use values::ValueWorlds;

use super::lane_set::LaneSet;
use crate::plan::RunPlan;
use crate::replication::{Fate, Request};
use crate::scenario::OutcomeAt;

/// The live worlds of one stream. A world is a slot pool and the holds that are under way in it: all that can influence
/// what happens later, but for the breakers.
pub(super) trait Worlds<'a, const K: usize> {
    /// One world, in lane 0, in which nothing has happened.
    fn new(requests: &'a [Request], plan: &'a RunPlan) -> Self;

    /// The lanes that hold a world.
    fn alive(&self) -> LaneSet<K>;

    /// Those of them in which no slot is free.
    fn full(&self) -> LaneSet<K>;

    /// Ends whatever ends no later than the arrival of request `next` (at its number: before the horizon) and before
    /// `limit`. Calls `heard(lanes, request, end)` for every call to the dependency of which breakers hear now, in each
    /// lane by (end, request). What nobody hears of may end at once, whatever the limit.
    fn end_until(&mut self, next: usize, limit: Time, heard: impl FnMut(LaneSet<K>, u32, Time));

    /// A hold that begins with the arrival of request `index` takes a slot in each of these worlds; one must be free there.
    fn begin(&mut self, index: usize, hold: Hold, lanes: LaneSet<K>);

    /// Copies the world of lane `from` to lane `to`, which holds none.
    fn fork(&mut self, from: usize, to: usize);

    /// Finds worlds that are equal and calls `merge(first, second)` for each pair; the second is then no longer alive.
    fn merge(&mut self, merge: impl FnMut(usize, usize));
}

/// What holds a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// A neighbour's request, or a call to the dependency that was let through.
    Request,
    /// The answer "no" to a call to the dependency.
    Rejection,
}

impl Hold {
    /// A name for the hold that begins with the arrival of request `index`, ascending by (request, hold).
    fn name(self, index: usize) -> u32 {
        2 * index as u32 + u32::from(self == Self::Rejection)
    }

    /// What [`Hold::name`] names.
    fn named(name: u32) -> (usize, Self) {
        ((name / 2) as usize, if name.is_multiple_of(2) { Self::Request } else { Self::Rejection })
    }

    fn duration(self, request: &Request, plan: &RunPlan) -> Duration {
        match self {
            Self::Request => request.hold,
            Self::Rejection => plan.rejection_hold,
        }
    }

    /// Whether breakers hear of its end.
    fn is_heard(self, request: &Request, plan: &RunPlan) -> bool {
        self == Self::Request && request.fate != Fate::Neighbour && plan.outcome == OutcomeAt::Completion
    }
}
