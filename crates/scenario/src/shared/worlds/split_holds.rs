//! The holds that some live worlds have and others do not.

use crate::shared::clone_in_place::clone_in_place;
use crate::shared::lane_set::LaneSet;

/// So many planes are added to at once, without asking how far a carry goes, which nothing can foretell. It seldom goes further.
const PLANES: usize = 6;

/// Each split hold has the set of lanes that hold it. The slots that they take in each world are counted in bit planes: bit l
/// of plane b is bit b of lane l's count, so that "one more slot in these lanes" is the addition of a carry to all lanes at
/// once.
///
/// They go by number. Numbers without a hold, and those of holds that need none, have an empty set.
#[derive(Default)]
pub(super) struct SplitHolds<const K: usize> {
    /// By number. Lanes without a world keep whatever bits they had; a fork overwrites them.
    lanes: Vec<LaneSet<K>>,
    vacant: Vec<u32>,
    /// The slots that they take, in as many bit planes as their number in a pool needs, lowest first.
    slots: Vec<[LaneSet<K>; PLANES]>,
}

clone_in_place!([const K: usize] SplitHolds<K> { lanes, vacant, slots });

impl<const K: usize> SplitHolds<K> {
    /// There are none yet, in a pool of so many slots.
    pub(super) fn clear(&mut self, slots: u32) {
        self.lanes.clear();
        self.vacant.clear();
        let planes = u32::BITS - slots.leading_zeros();
        self.slots.clear();
        self.slots.resize((planes as usize).div_ceil(PLANES).max(1), [LaneSet::EMPTY; PLANES]);
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

    /// The live lanes that hold it.
    #[inline(always)]
    pub(super) fn lanes(&self, number: usize, alive: LaneSet<K>) -> LaneSet<K> {
        self.lanes[number] & alive
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
    }

    /// The lanes in which they take exactly so many slots, no more than a pool has.
    #[inline(always)]
    pub(super) fn taking(&self, number: u32) -> LaneSet<K> {
        let (mut lanes, mut bits) = (!LaneSet::EMPTY, number);
        for planes in &self.slots {
            for &plane in planes {
                lanes = lanes.without(plane ^ LaneSet::all_if(bits & 1 != 0));
                bits >>= 1;
            }
        }
        lanes
    }

    /// The lanes in which they take more, from the highest plane down: where all higher bits are equal, the first that is set
    /// here and not in the number.
    #[inline]
    pub(super) fn taking_more_than(&self, number: u32) -> LaneSet<K> {
        let (mut more, mut equal) = (LaneSet::EMPTY, !LaneSet::EMPTY);
        for (index, &plane) in self.slots.as_flattened().iter().enumerate().rev() {
            let bit = LaneSet::all_if(u64::from(number) >> index & 1 != 0);
            more = more | (equal & plane).without(bit);
            equal = equal.without(plane ^ bit);
        }
        more
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
        let mut holds = SplitHolds::<2>::default();
        holds.clear(4);
        let first = holds.begin(LaneSet::just(0));
        let second = holds.begin(LaneSet::just(70));
        assert_eq!((first, second), (0, 1));
        assert_eq!(holds.equal_to(1, alive), LaneSet::just(1));
        holds.fork(70, 1);
        let mut both = LaneSet::just(1);
        both.put(70, true);
        assert_eq!(holds.equal_to(1, alive), both);
        let third = holds.begin(both);
        assert_eq!((alive & holds.taking(2), alive & holds.taking(1)), (both, LaneSet::just(0)));
        assert_eq!((alive & holds.taking_more_than(1), alive & holds.taking_more_than(0)), (both, alive));
        assert_eq!(alive & holds.taking_more_than(2), LaneSet::EMPTY);
        assert_eq!(holds.end(first, alive), LaneSet::just(0));
        assert_eq!(holds.end(third, alive), both);
        assert_eq!((holds.begin(LaneSet::EMPTY), holds.count()), (third, 2));
        assert_eq!((alive & holds.taking(1), alive & holds.taking(0)), (both, LaneSet::just(0)));
        assert_eq!(holds.end(second, alive.without(both)), LaneSet::EMPTY);
    }
}
