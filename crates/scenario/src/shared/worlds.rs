//! What shared trajectories need of worlds: pools and the holds in them, one world per lane.

mod bits;
mod split_holds;
mod values;

use engine::{Duration, Time};

use bits::BitWorlds;
use values::ValueWorlds;

use super::lane_set::LaneSet;
use super::script::Script;
use crate::plan::RunPlan;
use crate::replication::Request;
use crate::scenario::OutcomeAt;

/// The live worlds of one stream. A world is a slot pool and the holds that are under way in it: all that can influence
/// what happens later, but for the breakers.
///
/// All are asked and told by one script, or by those of modes that have been the same so far.
pub(super) trait Worlds<const K: usize>: Clone + Default {
    /// There is one world, in lane 0, in which nothing has happened; whatever was before is forgotten.
    fn begin_stream(&mut self, script: &Script<'_>);

    /// The lanes that hold a world.
    fn alive(&self) -> LaneSet<K>;

    /// Lets happen what lies between the call before and call `gap`, and in the last gap what happens before the horizon:
    /// holds end, and neighbours take slots or are `turned_away` in some lanes. The results of which breakers hear are
    /// added to `heard`, which is empty: in each lane by (end, call), the first at the end. Those that end at the instant of an
    /// arrival come before it.
    fn pass(
        &mut self,
        script: &Script<'_>,
        gap: usize,
        turned_away: impl FnMut(&Request, LaneSet<K>),
        heard: &mut Vec<Heard<K>>,
    );

    /// The lanes in which no slot is free when call number `call` arrives.
    fn full(&self, script: &Script<'_>, call: usize) -> LaneSet<K>;

    /// With the arrival of `call`, it takes a slot in the worlds `started`, and its rejection does in the worlds `rejected`; one
    /// must be free there.
    fn begin(&mut self, script: &Script<'_>, call: usize, started: LaneSet<K>, rejected: LaneSet<K>);

    /// Copies the world of lane `from` to lane `to`, which holds none.
    fn fork(&mut self, from: usize, to: usize);

    /// Finds worlds that are equal and calls `merge(first, second)` for each pair; the second is then no longer alive.
    fn merge(&mut self, merge: impl FnMut(usize, usize));
}

/// A form of worlds, for any number of lanes.
pub(super) trait Form {
    type Worlds<const K: usize>: Worlds<K>;
}

/// Each world is a value.
pub(super) struct Values;

/// Each world is a column of bits.
pub(super) struct Bits;

impl Form for Values {
    type Worlds<const K: usize> = ValueWorlds<K>;
}

impl Form for Bits {
    type Worlds<const K: usize> = BitWorlds<K>;
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
