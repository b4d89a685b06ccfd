//! Worlds as columns of bits: what happens in all of them happens once.

use engine::Time;

use super::split_holds::SplitHolds;
use super::{Heard, Hold, Worlds};
use crate::replication::{Fate, Request};
use crate::shared::backdrop::Backdrop;
use crate::shared::clone_in_place::clone_in_place;
use crate::shared::lane_set::LaneSet;
use crate::shared::script::Script;
use crate::shared::timetable::Finger;

/// All worlds together, for holds whose ends are known when they begin and are the same in every world.
///
/// A hold that begins in every live world at once is *common*. It stays so: a fork copies it, and whoever is alive at its
/// end descends from a world that held it. So common holds need no set of lanes, and are no more than a number of slots.
/// That of the neighbours' is known beforehand ([`Backdrop`]), as if all of them found a
/// slot; so where they all do, nothing need be done about them at all.
///
/// The others are *split* ([`SplitHolds`]). A neighbour that is turned away in some lanes is split among the others, and
/// *missing* among the common ones.
#[derive(Default)]
pub(in crate::shared) struct BitWorlds<const K: usize> {
    alive: LaneSet<K>,
    number_alive: usize,
    /// Slots taken by common holds that begin with calls, in every world.
    common: u32,
    /// Of the slots that the backdrop counts for neighbours, those that are not taken in every world.
    missing: u32,
    split: SplitHolds<K>,
    /// By number: split holds, and whatever else ends unheard.
    quiet: Vec<Quiet>,
    /// Of two worlds that have come to be equal since the last search, one is in here: a hold that only one of them had
    /// has ended there, or it was forked over a decision that in the end took no slot in either.
    closer: LaneSet<K>,
    /// The lanes forked over the call that comes next.
    forked: LaneSet<K>,
    /// By gap: what ends in it.
    ends: Vec<Ends>,
    /// By call: its place in a list of those.
    calls: Vec<Call>,
    /// Where to look up the end of a successful call, a failed one, a neighbour's request.
    fingers: [Finger; 3],
    /// Scratch, by place of a neighbour in a crowded gap, and for what is left when the last one has arrived: the first of a
    /// list of what ends before it.
    due: Vec<u32>,
}

clone_in_place!([const K: usize] BitWorlds<K> {
    alive, number_alive, common, missing, split, quiet, closer, forked, ends, calls, fingers, due,
});

/// What ends in a gap: two lists.
#[derive(Clone, Copy, Debug)]
struct Ends {
    /// The first hold of which nobody hears.
    quiet: u32,
    /// The last call of which breakers hear.
    heard: u32,
    /// How many of the holds are those of missing neighbours.
    missing: u32,
}

impl Ends {
    const NONE: Self = Self { quiet: NONE, heard: NONE, missing: 0 };
}

/// A hold that some live worlds have and others do not, or one of which nobody hears.
#[derive(Clone, Copy, Debug)]
struct Quiet {
    end: Time,
    /// The next one in the list of those that end in the same gap.
    next: u32,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// In some lanes.
    Split,
    /// In all lanes.
    Common,
    /// A neighbour's, and not in all lanes.
    Missing,
}

/// A call of whose end breakers hear.
#[derive(Clone, Copy, Debug)]
struct Call {
    end: Time,
    /// The next one in the list of those that end in the same gap.
    next: u32,
    /// Its split hold, or [`NONE`] if its hold is common.
    split: u32,
}

/// The end of a list.
const NONE: u32 = u32::MAX;

impl<const K: usize> BitWorlds<K> {
    /// These lanes or all other live ones, whichever are fewer.
    #[inline(always)]
    fn fewer(&self, lanes: LaneSet<K>) -> LaneSet<K> {
        if 2 * lanes.len() > self.number_alive { self.alive.without(lanes) } else { lanes }
    }

    /// A hold begins that is split, or of which nobody hears.
    #[inline(always)]
    fn begin_quiet(&mut self, end: Time, lanes: LaneSet<K>, kind: Kind) -> u32 {
        match kind {
            Kind::Split => {}
            Kind::Common => self.common += 1,
            Kind::Missing => self.missing += 1,
        }
        let number = self.split.begin(lanes);
        let quiet = Quiet { end, next: NONE, kind };
        match self.quiet.get_mut(number) {
            Some(vacant) => *vacant = quiet,
            None => self.quiet.push(quiet),
        }
        number as u32
    }

    /// Ends it; returns the live worlds in which it was split, and the next one in its list.
    #[inline]
    fn end_quiet(&mut self, number: u32) -> (LaneSet<K>, u32) {
        let Quiet { next, kind, .. } = self.quiet[number as usize];
        // As good as chance, hence no branches.
        self.common -= u32::from(kind == Kind::Common);
        self.missing -= u32::from(kind == Kind::Missing);
        let lanes = self.split.end(number as usize, self.alive);
        self.closer = self.closer | self.fewer(lanes);
        (lanes, next)
    }

    fn list_quiet(&mut self, gap: usize, number: u32) {
        let first = std::mem::replace(&mut self.ends[gap].quiet, number);
        self.quiet[number as usize].next = first;
    }

    /// Puts a call at the head of the list of those that end in the same gap: by call, the last one first.
    #[inline(always)]
    fn list_heard(&mut self, gap: usize, call: usize, end: Time, split: u32) {
        let next = std::mem::replace(&mut self.ends[gap].heard, call as u32);
        self.calls[call] = Call { end, split, next };
    }

    /// Ends a call of which breakers hear, who hear of calls by (end, call); returns the next one in its list.
    #[inline(always)]
    fn end_heard(&mut self, number: u32, heard: &mut Vec<Heard<K>>) -> u32 {
        let Call { end, split, next } = self.calls[number as usize];
        let lanes = if split == NONE {
            self.common -= 1;
            self.alive
        } else {
            self.end_quiet(split).0
        };
        tell(heard, Heard { lanes, call: number, end });
        next
    }

    /// Whether in all worlds every neighbour of this gap finds a slot. What ends in it only makes room; a neighbour that is
    /// missing throughout is one that the peak counts too many.
    #[inline(always)]
    fn has_room(&self, script: &Script<'_>, gap: usize) -> bool {
        let Script { plan, backdrop, .. } = *script;
        let peak = backdrop.peaks[gap];
        let taken = (peak + self.common).saturating_sub(self.missing - self.ends[gap].missing);
        let Some(free) = plan.slots.checked_sub(taken) else { return false };
        self.split.count() <= free || peak == 0 || (self.split.taking_more_than(free) & self.alive).is_empty()
    }

    /// The slots that are left for split holds when the request at that position arrives.
    #[inline(always)]
    fn free_at(&self, script: &Script<'_>, position: usize) -> u32 {
        let Script { plan, backdrop, .. } = *script;
        plan.slots - (backdrop.taken[position] + self.common - self.missing)
    }

    /// The lanes in which no slot is free when the request at that position arrives.
    #[inline(always)]
    fn full_at(&self, script: &Script<'_>, position: usize) -> LaneSet<K> {
        let free = self.free_at(script, position);
        // No world takes more slots than there are.
        if self.split.count() < free { LaneSet::EMPTY } else { self.split.taking(free) & self.alive }
    }

    /// Passes a gap in which somebody may find no slot: one neighbour after the other.
    fn pass_crowded(
        &mut self,
        script: &Script<'_>,
        gap: usize,
        mut turned_away: impl FnMut(&Request, LaneSet<K>),
        heard: &mut Vec<Heard<K>>,
    ) {
        let Script { requests, backdrop, .. } = *script;
        let positions = backdrop.gap(gap);
        self.due.clear();
        self.due.resize(positions.len() + 1, NONE);
        let Ends { mut quiet, heard: mut call, .. } = std::mem::replace(&mut self.ends[gap], Ends::NONE);
        while quiet != NONE {
            let Quiet { end, next, .. } = self.quiet[quiet as usize];
            self.will_end(backdrop.position_from(end, positions.start) - positions.start, quiet);
            quiet = next;
        }
        while call != NONE {
            let Call { end, next, split } = self.calls[call as usize];
            // In a crowded gap a common hold is one among others.
            let (lanes, quiet) = if split == NONE {
                self.common -= 1;
                (self.alive, self.begin_quiet(end, LaneSet::EMPTY, Kind::Common))
            } else {
                (self.split.lanes(split as usize, self.alive), split)
            };
            tell(heard, Heard { lanes, call, end });
            self.will_end(backdrop.position_from(end, positions.start) - positions.start, quiet);
            call = next;
        }
        for (place, position) in positions.enumerate() {
            self.end_due(place);
            let full = self.split.taking(self.free_at(script, position)) & self.alive;
            if !full.is_empty() {
                turned_away(&requests[position], full);
                self.turn_away(script, gap, position, full);
            }
        }
        self.end_due(self.due.len() - 1);
    }

    /// That ends in the crowded gap which is being passed, before its neighbour at that place.
    #[inline(always)]
    fn will_end(&mut self, place: usize, number: u32) {
        self.quiet[number as usize].next = std::mem::replace(&mut self.due[place], number);
    }

    /// Ends what ends before the neighbour at that place of the crowded gap which is being passed.
    #[inline(always)]
    fn end_due(&mut self, place: usize) {
        let mut number = self.due[place];
        while number != NONE {
            (_, number) = self.end_quiet(number);
        }
    }

    /// A neighbour of this gap finds no slot in some lanes.
    fn turn_away(&mut self, script: &Script<'_>, gap: usize, position: usize, full: LaneSet<K>) {
        let Script { requests, backdrop, .. } = *script;
        let request = &requests[position];
        let end = request.at + request.hold;
        let number = self.begin_quiet(end, self.alive.without(full), Kind::Missing);
        let until = backdrop.timetable.arrival_from(end, &mut self.fingers[2]);
        if until == Some(gap) {
            self.will_end(backdrop.position_from(end, position) - backdrop.gap(gap).start, number);
        } else if let Some(until) = until {
            self.list_quiet(until, number);
            self.ends[until].missing += 1;
        }
    }
}

/// Adds a result of which breakers hear by (end, call), the first of them at the end. Lists begin with the last call: so calls of
/// one end are in order, and usually it is the last one that ends last.
#[inline(always)]
fn tell<const K: usize>(heard: &mut Vec<Heard<K>>, result: Heard<K>) {
    let mut place = heard.len();
    heard.push(result);
    while place > 0 && heard[place - 1].end < result.end {
        heard.swap(place - 1, place);
        place -= 1;
    }
}

impl<const K: usize> Worlds<K> for BitWorlds<K> {
    fn begin_stream(&mut self, script: &Script<'_>) {
        (self.alive, self.number_alive) = (LaneSet::just(0), 1);
        (self.common, self.missing) = (0, 0);
        self.split.clear(script.plan.slots);
        self.quiet.clear();
        (self.closer, self.forked) = (LaneSet::EMPTY, LaneSet::EMPTY);
        self.ends.clear();
        self.ends.resize(script.calls() + 1, Ends::NONE);
        // Each is written when it begins.
        self.calls.resize(script.calls(), Call { end: Time::ZERO, next: NONE, split: NONE });
        self.fingers = [Finger::default(); 3];
    }

    #[inline(always)]
    fn alive(&self) -> LaneSet<K> {
        self.alive
    }

    #[inline(always)]
    fn pass(
        &mut self,
        script: &Script<'_>,
        gap: usize,
        turned_away: impl FnMut(&Request, LaneSet<K>),
        heard: &mut Vec<Heard<K>>,
    ) {
        if !self.has_room(script, gap) {
            self.pass_crowded(script, gap, turned_away, heard);
            return;
        }
        let Ends { mut quiet, heard: mut call, .. } = std::mem::replace(&mut self.ends[gap], Ends::NONE);
        while quiet != NONE {
            (_, quiet) = self.end_quiet(quiet);
        }
        while call != NONE {
            call = self.end_heard(call, heard);
        }
    }

    #[inline(always)]
    fn full(&self, script: &Script<'_>, call: usize) -> LaneSet<K> {
        self.full_at(script, script.position(call))
    }

    #[inline(always)]
    fn begin(&mut self, script: &Script<'_>, call: usize, started: LaneSet<K>, rejected: LaneSet<K>) {
        let Script { plan, backdrop, .. } = *script;
        let request = script.call(call);
        let forked = std::mem::replace(&mut self.forked, LaneSet::EMPTY);
        self.closer = self.closer | forked.without(started).without(rejected);
        if !started.is_empty() {
            let end = request.at + request.hold;
            let finger = &mut self.fingers[usize::from(request.fate == Fate::Failure)];
            // Whatever lasts to the horizon is in no list.
            let until = backdrop.timetable.arrival_from(end, finger);
            let is_heard = Hold::Call.is_heard(plan);
            let is_common = started == self.alive;
            let split = if is_common && (is_heard || until.is_none()) {
                self.common += 1;
                NONE
            } else {
                self.begin_unlisted(end, started)
            };
            match until {
                Some(gap) if is_heard => self.list_heard(gap, call, end, split),
                Some(gap) => self.list_quiet(gap, split),
                None => {}
            }
        }
        if !rejected.is_empty() {
            let end = request.at + plan.rejection_hold;
            let number = self.begin_unlisted(end, rejected);
            let until = backdrop.rejection_ends[call];
            if until != Backdrop::NEVER {
                self.list_quiet(until as usize, number);
            }
        }
    }

    #[inline]
    fn fork(&mut self, from: usize, to: usize) {
        self.split.fork(from, to);
        self.forked.put(to, true);
        self.alive.put(to, true);
        self.number_alive += 1;
    }

    #[inline(always)]
    fn merge(&mut self, mut merge: impl FnMut(usize, usize)) {
        let mut closer = std::mem::replace(&mut self.closer, LaneSet::EMPTY);
        // Those that have just merged are no longer alive, and have left nobody to be equal to.
        while let Some(lane) = (closer & self.alive).into_iter().next() {
            closer.put(lane, false);
            let mut equal = self.split.equal_to(lane, self.alive).into_iter();
            let Some(first) = equal.next() else { continue };
            for second in equal {
                self.alive.put(second, false);
                self.number_alive -= 1;
                merge(first, second);
            }
        }
    }
}

impl<const K: usize> BitWorlds<K> {
    /// A hold begins in these lanes.
    #[inline(always)]
    fn begin_unlisted(&mut self, end: Time, lanes: LaneSet<K>) -> u32 {
        if lanes == self.alive {
            self.begin_quiet(end, LaneSet::EMPTY, Kind::Common)
        } else {
            self.begin_quiet(end, lanes, Kind::Split)
        }
    }
}
