//! The holds that some live worlds have and others do not.

use crate::shared::lane_set::LaneSet;

/// So many planes are added to at once, without asking how far a carry goes, which nothing can foretell. It seldom goes further.
const PLANES: usize = 3;

/// Each split hold has the set of lanes that hold it. The slots that they take in each world are counted in bit planes: bit l
/// of plane b is bit b of lane l's count, so that "one more slot in these lanes" is the addition of a carry to all lanes at
/// once.
///
/// They go by number. Numbers without a hold, and those of holds that need none, have an empty set.
#[derive(Clone)]
pub(super) struct SplitHolds<const K: usize> {
    /// By number. Lanes without a world keep whatever bits they had; a fork overwrites them.
    lanes: Vec<LaneSet<K>>,
    vacant: Vec<u32>,
    /// The slots that they take, in as many bit planes as their number in a pool needs, lowest first.
    slots: Vec<[LaneSet<K>; PLANES]>,
    /// The most slots that they take in a world, and where; `None` when that may have changed.
    fullest: Option<(u32, LaneSet<K>)>,
}

impl<const K: usize> SplitHolds<K> {
    /// None yet, in a pool of so many slots.
    pub(super) fn new(slots: u32) -> Self {
        let planes = u32::BITS - slots.leading_zeros();
        Self {
            lanes: Vec::new(),
            vacant: Vec::new(),
            slots: vec![[LaneSet::EMPTY; PLANES]; (planes as usize).div_ceil(PLANES).max(1)],
            fullest: None,
        }
    }

    /// No world has more of them.
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        (self.lanes.len() - self.vacant.len()) as u32
    }

    /// One begins in these lanes; returns its number.
    #[inline(always)]
    pub(super) fn begin(&mut self, lanes: LaneSet<K>) -> usize {
        if !lanes.is_empty() {
            self.add_slot(lanes);
        }
        match self.vacant.pop() {
            Some(number) => {
                self.lanes[number as usize] = lanes;
                number as usize
            }
            None => {
                self.lanes.push(lanes);
                self.lanes.len() - 1
            }
        }
    }

    /// It ends; returns the live lanes that held it.
    #[inline(always)]
    pub(super) fn end(&mut self, number: usize, alive: LaneSet<K>) -> LaneSet<K> {
        self.vacant.push(number as u32);
        let lanes = std::mem::replace(&mut self.lanes[number], LaneSet::EMPTY) & alive;
        if !lanes.is_empty() {
            self.remove_slot(lanes);
        }
        lanes
    }

    /// (No carry is left over: a pool has no more slots.)
    #[inline(always)]
    fn add_slot(&mut self, lanes: LaneSet<K>) {
        self.fullest = None;
        let mut carry = lanes;
        for planes in &mut self.slots {
            for plane in planes {
                let both = *plane & carry;
                *plane ^= carry;
                carry = both;
            }
            if carry.is_empty() {
                break;
            }
        }
    }

    #[inline(always)]
    fn remove_slot(&mut self, lanes: LaneSet<K>) {
        self.fullest = None;
        let mut borrow = lanes;
        for planes in &mut self.slots {
            for plane in planes {
                let short = borrow.without(*plane);
                *plane ^= borrow;
                borrow = short;
            }
            if borrow.is_empty() {
                break;
            }
        }
    }

    /// Lane `to` holds what lane `from` does.
    #[inline]
    pub(super) fn fork(&mut self, from: usize, to: usize) {
        self.lanes.iter_mut().for_each(|lanes| lanes.copy(from, to));
        self.slots.as_flattened_mut().iter_mut().for_each(|plane| plane.copy(from, to));
        self.fullest = None;
    }

    /// Some lane is no longer alive.
    pub(super) fn forget_fullest(&mut self) {
        self.fullest = None;
    }

    /// The most slots that they take in a live world, and the lanes where they do.
    #[inline(always)]
    pub(super) fn fullest(&mut self, alive: LaneSet<K>) -> (u32, LaneSet<K>) {
        match self.fullest {
            Some(fullest) => fullest,
            None => self.find_fullest(alive),
        }
    }

    #[inline(never)]
    fn find_fullest(&mut self, alive: LaneSet<K>) -> (u32, LaneSet<K>) {
        let (mut most, mut lanes) = (0, alive);
        for &plane in self.slots.as_flattened().iter().rev() {
            let more = lanes & plane;
            let any = !more.is_empty();
            most = 2 * most + u32::from(any);
            lanes = more | lanes.without(LaneSet::all_if(any));
        }
        self.fullest = Some((most, lanes));
        (most, lanes)
    }

    /// The live lanes that hold what `lane` does, itself among them: every hold is in both or in neither.
    #[inline(always)]
    pub(super) fn equal_to(&self, lane: usize, alive: LaneSet<K>) -> LaneSet<K> {
        let unlike = |lanes: &LaneSet<K>| *lanes ^ LaneSet::all_if(lanes.contains(lane));
        // Most lanes meet nobody. Whoever has another number of slots taken, by its lowest bits, need not be compared.
        let unlike_number = self.slots[0].iter().fold(LaneSet::EMPTY, |others, plane| others | unlike(plane));
        let candidates = alive.without(unlike_number);
        if candidates == LaneSet::just(lane) {
            return candidates;
        }
        candidates.without(self.lanes.iter().fold(LaneSet::EMPTY, |others, lanes| others | unlike(lanes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_worlds_apart_and_counts_their_slots() {
        let mut alive = LaneSet::<2>::just(0);
        for lane in [1, 70] {
            alive.put(lane, true);
        }
        let mut holds = SplitHolds::<2>::new(4);
        let first = holds.begin(LaneSet::just(0));
        let second = holds.begin(LaneSet::just(70));
        assert_eq!((first, second), (0, 1));
        assert_eq!(holds.equal_to(1, alive), LaneSet::just(1));
        holds.fork(70, 1);
        let mut both = LaneSet::just(1);
        both.put(70, true);
        assert_eq!(holds.equal_to(1, alive), both);
        let third = holds.begin(both);
        assert_eq!(holds.fullest(alive), (2, both));
        assert_eq!(holds.end(first, alive), LaneSet::just(0));
        assert_eq!(holds.end(third, alive), both);
        assert_eq!((holds.begin(LaneSet::EMPTY), holds.count()), (third, 2));
        assert_eq!(holds.fullest(alive), (1, both));
        assert_eq!(holds.end(second, alive.without(both)), LaneSet::EMPTY);
    }
}
