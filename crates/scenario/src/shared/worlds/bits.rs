//! Worlds as columns of bits: what happens in all of them happens once.

use engine::Time;

use super::{Hold, Worlds};
use crate::plan::RunPlan;
use crate::replication::{Fate, Request};
use crate::shared::fingerprints::Fingerprints;
use crate::shared::lane_set::LaneSet;
use crate::shared::timetable::{Finger, Timetable};

/// All worlds together, for holds whose ends are known when they begin and are the same in every world.
///
/// A hold that begins in every live world at once is *common*. It stays so: a fork copies it, and whoever is alive at its
/// end descends from a world that held it. So common holds need no set of lanes, and those that nobody hears of are
/// no more than a number of slots and a number of ends before each arrival.
///
/// The others are *split*: each has the set of lanes that hold it, and the slots that they take in each world are counted
/// in bit planes: bit l of plane b is bit b of lane l's count. "One more slot in these lanes" is the addition of a carry to
/// all lanes at once. Lanes without a world keep whatever bits they had; a fork overwrites them.
pub(in crate::shared) struct BitWorlds<'a, const K: usize> {
    requests: &'a [Request],
    plan: &'a RunPlan,
    timetable: Timetable<'a>,
    alive: LaneSet<K>,
    number_alive: usize,
    /// Slots taken by common holds, in every world.
    common: u32,
    /// Slots taken by split holds, in bit planes.
    split_slots: Vec<LaneSet<K>>,
    /// Split holds by slot number; vacant ones are in no lane.
    splits: Vec<Split<K>>,
    vacant: Vec<u32>,
    fingerprints: Fingerprints,
    /// By arrival, and for the time after the last one: what ends since the arrival before.
    ends: Vec<Ends>,
    /// By request: its place in a list of those.
    calls: Vec<Call>,
    /// Where to look up the end of a neighbour's request, a successful call, a failed one, a rejection.
    fingers: [Finger; 4],
}

/// What ends between two arrivals, the second included.
#[derive(Clone, Copy, Debug)]
struct Ends {
    /// How many common holds of which nobody hears.
    common: u32,
    /// The first split hold of which nobody hears.
    split: u32,
    /// The first call of which breakers hear, in a list by (end, request).
    heard: u32,
}

/// A hold that some live worlds have and others do not.
#[derive(Clone, Copy, Debug)]
struct Split<const K: usize> {
    lanes: LaneSet<K>,
    name: u32,
    /// The next one in the list of those that end before the same arrival.
    next: u32,
}

/// A call of whose end breakers hear.
#[derive(Clone, Copy, Debug)]
struct Call {
    /// The next one in the list of those that end before the same arrival.
    next: u32,
    /// Its split hold, or [`NONE`] if its hold is common.
    split: u32,
}

/// The end of a list.
const NONE: u32 = u32::MAX;

impl<const K: usize> BitWorlds<'_, K> {
    /// One more slot taken by split holds in these lanes.
    fn add_slot(&mut self, lanes: LaneSet<K>) {
        let mut carry = lanes;
        for plane in &mut self.split_slots {
            let both = *plane & carry;
            *plane ^= carry;
            carry = both;
            if carry.is_empty() {
                return;
            }
        }
        self.split_slots.push(carry);
    }

    /// One slot less taken by split holds in these lanes.
    fn remove_slot(&mut self, lanes: LaneSet<K>) {
        let mut borrow = lanes;
        for plane in &mut self.split_slots {
            let short = borrow.without(*plane);
            *plane ^= borrow;
            borrow = short;
            if borrow.is_empty() {
                return;
            }
        }
    }

    /// These lanes or all other live ones, whichever are fewer: to fingerprints it is the same, since they tell lanes apart,
    /// and a key for all lanes or for none does not.
    #[inline(always)]
    fn fewer(&self, lanes: LaneSet<K>) -> LaneSet<K> {
        if 2 * lanes.len() > self.number_alive { self.alive.without(lanes) } else { lanes }
    }

    fn begin_split(&mut self, name: u32, lanes: LaneSet<K>) -> u32 {
        self.add_slot(lanes);
        self.fingerprints.begin(name, self.fewer(lanes));
        let split = Split { lanes, name, next: NONE };
        match self.vacant.pop() {
            Some(number) => {
                self.splits[number as usize] = split;
                number
            }
            None => {
                self.splits.push(split);
                self.splits.len() as u32 - 1
            }
        }
    }

    /// Ends a split hold; returns the live worlds that held it, and the next one in its list.
    fn end_split(&mut self, number: u32) -> (LaneSet<K>, u32) {
        let split = &mut self.splits[number as usize];
        let Split { lanes, name, next } = *split;
        split.lanes = LaneSet::EMPTY;
        self.vacant.push(number);
        let lanes = lanes & self.alive;
        self.remove_slot(lanes);
        self.fingerprints.end(name, self.fewer(lanes));
        (lanes, next)
    }

    /// Puts a call in the list of those that end before the same arrival, after those that end no later.
    fn enlist(&mut self, arrival: usize, index: usize, end: Time, split: u32) {
        let ends = |call: u32| {
            let request = &self.requests[call as usize];
            request.at + request.hold
        };
        let (mut before, mut next) = (None, self.ends[arrival].heard);
        while next != NONE && ends(next) <= end {
            before = Some(next);
            next = self.calls[next as usize].next;
        }
        match before {
            Some(call) => self.calls[call as usize].next = index as u32,
            None => self.ends[arrival].heard = index as u32,
        }
        self.calls[index] = Call { next, split };
    }
}

impl<'a, const K: usize> Worlds<'a, K> for BitWorlds<'a, K> {
    fn new(requests: &'a [Request], plan: &'a RunPlan) -> Self {
        let arrivals = requests.len() + 1;
        Self {
            requests,
            plan,
            timetable: Timetable::new(requests, plan.horizon),
            alive: LaneSet::just(0),
            number_alive: 1,
            common: 0,
            split_slots: Vec::new(),
            splits: Vec::new(),
            vacant: Vec::new(),
            fingerprints: Fingerprints::new(LaneSet::<K>::LANES),
            ends: vec![Ends { common: 0, split: NONE, heard: NONE }; arrivals],
            calls: vec![Call { next: NONE, split: NONE }; requests.len()],
            fingers: [Finger::default(); 4],
        }
    }

    #[inline(always)]
    fn alive(&self) -> LaneSet<K> {
        self.alive
    }

    #[inline(always)]
    fn full(&self) -> LaneSet<K> {
        let left = self.plan.slots - self.common;
        let split_holds = self.splits.len() - self.vacant.len();
        if split_holds < left as usize {
            return LaneSet::EMPTY;
        }
        // The lanes whose count is just what the common holds leave.
        let mut full = self.alive;
        for (bit, &plane) in self.split_slots.iter().enumerate() {
            full &= if left >> bit & 1 != 0 { plane } else { !plane };
        }
        if left >> self.split_slots.len() == 0 { full } else { LaneSet::EMPTY }
    }

    #[inline(always)]
    fn end_until(&mut self, next: usize, limit: Time, mut heard: impl FnMut(LaneSet<K>, u32, Time)) {
        self.common -= std::mem::take(&mut self.ends[next].common);
        let mut split = std::mem::replace(&mut self.ends[next].split, NONE);
        while split != NONE {
            (_, split) = self.end_split(split);
        }
        while self.ends[next].heard != NONE {
            let index = self.ends[next].heard;
            let request = &self.requests[index as usize];
            let end = request.at + request.hold;
            if end >= limit {
                break;
            }
            let call = self.calls[index as usize];
            self.ends[next].heard = call.next;
            let lanes = if call.split == NONE {
                self.common -= 1;
                self.alive
            } else {
                self.end_split(call.split).0
            };
            heard(lanes, index, end);
        }
    }

    #[inline(always)]
    fn begin(&mut self, index: usize, hold: Hold, lanes: LaneSet<K>) {
        if lanes.is_empty() {
            return;
        }
        let request = &self.requests[index];
        let end = request.at + hold.duration(request, self.plan);
        let finger = match (hold, request.fate) {
            (Hold::Request, Fate::Neighbour) => 0,
            (Hold::Request, Fate::Success) => 1,
            (Hold::Request, Fate::Failure) => 2,
            (Hold::Rejection, _) => 3,
        };
        let arrival = self.timetable.arrival_from(end, &mut self.fingers[finger]);
        let is_heard = hold.is_heard(request, self.plan);
        // Whatever lasts to the horizon is in no list.
        if lanes == self.alive {
            self.common += 1;
            match arrival {
                Some(arrival) if is_heard => self.enlist(arrival, index, end, NONE),
                Some(arrival) => self.ends[arrival].common += 1,
                None => {}
            }
        } else {
            let split = self.begin_split(hold.name(index), lanes);
            match arrival {
                Some(arrival) if is_heard => self.enlist(arrival, index, end, split),
                Some(arrival) => {
                    let first = std::mem::replace(&mut self.ends[arrival].split, split);
                    self.splits[split as usize].next = first;
                }
                None => {}
            }
        }
    }

    fn fork(&mut self, from: usize, to: usize) {
        for split in &mut self.splits {
            split.lanes.copy(from, to);
        }
        for plane in &mut self.split_slots {
            plane.copy(from, to);
        }
        self.fingerprints.fork(from, to);
        self.alive.put(to, true);
        self.number_alive += 1;
    }

    fn merge(&mut self, mut merge: impl FnMut(usize, usize)) {
        let Self { alive, number_alive, splits, fingerprints, .. } = self;
        let before = *alive;
        fingerprints.coinciding(
            before,
            |first, second| splits.iter().all(|split| split.lanes.contains(first) == split.lanes.contains(second)),
            |first, second| {
                alive.put(second, false);
                *number_alive -= 1;
                merge(first, second);
            },
        );
    }
}
