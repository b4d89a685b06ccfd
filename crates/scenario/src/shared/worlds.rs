//! What shared trajectories need of worlds: pools and the holds in them, one world per lane.

mod bits;
mod split_holds;
mod values;

use engine::{Duration, Time};

pub(super) use bits::BitWorlds;
pub(super) use values::ValueWorlds;

use super::lane_set::LaneSet;
use super::script::Script;
use crate::plan::RunPlan;
use crate::replication::Request;
use crate::scenario::OutcomeAt;

/// The live worlds of one stream. A world is a slot pool and the holds that are under way in it: all that can influence
/// what happens later, but for the breakers.
pub(super) trait Worlds<'a, const K: usize>: Clone {
    /// One world, in lane 0, in which nothing has happened.
    fn new(script: Script<'a>) -> Self;

    /// From here on it goes by another mode's script, which has been the same so far.
    fn follow(&mut self, script: Script<'a>);

    /// The lanes that hold a world.
    fn alive(&self) -> LaneSet<K>;

    /// Lets happen what lies between the call before and call `gap`, and in the last gap what happens before the horizon:
    /// holds end, and neighbours take slots or are `turned_away` in some lanes. The results of which breakers hear are
    /// added to `heard`, in each lane by (end, call). Those that end at the instant of an arrival come before it.
    fn pass(&mut self, gap: usize, turned_away: impl FnMut(&Request, LaneSet<K>), heard: &mut Vec<Heard<K>>);

    /// The lanes in which no slot is free when call number `call` arrives.
    fn full(&mut self, call: usize) -> LaneSet<K>;

    /// With the arrival of `call`, it takes a slot in the worlds `started`, and its rejection does in the worlds `rejected`; one
    /// must be free there.
    fn begin(&mut self, call: usize, started: LaneSet<K>, rejected: LaneSet<K>);

    /// Copies the world of lane `from` to lane `to`, which holds none.
    fn fork(&mut self, from: usize, to: usize);

    /// Finds worlds that are equal and calls `merge(first, second)` for each pair; the second is then no longer alive.
    fn merge(&mut self, merge: impl FnMut(usize, usize));
}

/// A call to the dependency has ended in these lanes, and breakers hear of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heard<const K: usize> {
    pub(super) lanes: LaneSet<K>,
    pub(super) call: u32,
    pub(super) end: Time,
}

/// What holds a slot from the arrival of a call on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    /// The call, where it was let through.
    Call,
    /// The answer "no".
    Rejection,
}

impl Hold {
    /// A name for the hold that begins with the arrival of the request at that position, ascending by (request, hold).
    fn name(self, position: usize) -> u32 {
        2 * position as u32 + u32::from(self == Self::Rejection)
    }

    fn duration(self, request: &Request, plan: &RunPlan) -> Duration {
        match self {
            Self::Call => request.hold,
            Self::Rejection => plan.rejection_hold,
        }
    }

    /// Whether breakers hear of its end.
    fn is_heard(self, plan: &RunPlan) -> bool {
        self == Self::Call && plan.outcome == OutcomeAt::Completion
    }
}
