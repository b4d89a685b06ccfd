//! Sets of lanes as bits, so that one operation serves every world.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitXor, BitXorAssign, Not};

/// A set of *lanes*, the numbered places for live worlds: bit l stands for lane l.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LaneSet<const K: usize>([u64; K]);

impl<const K: usize> LaneSet<K> {
    /// How many lanes there are.
    pub(super) const LANES: usize = K * u64::BITS as usize;
    pub(super) const EMPTY: Self = Self([0; K]);

    pub(super) fn just(lane: usize) -> Self {
        let mut set = Self::EMPTY;
        set.put(lane, true);
        set
    }

    #[inline(always)]
    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The word of a lane. There is a power of two of them, so that this needs no check of bounds.
    #[inline(always)]
    const fn word(lane: usize) -> usize {
        const { assert!(K.is_power_of_two()) };
        (lane / 64) & (K - 1)
    }

    #[inline(always)]
    pub(super) fn contains(self, lane: usize) -> bool {
        self.0[Self::word(lane)] >> (lane % 64) & 1 != 0
    }

    /// Puts the lane in or takes it out.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, inside: bool) {
        let word = &mut self.0[Self::word(lane)];
        *word = *word & !(1 << (lane % 64)) | u64::from(inside) << (lane % 64);
    }

    /// Lane `to` is in the set if lane `from` is.
    #[inline(always)]
    pub(super) fn copy(&mut self, from: usize, to: usize) {
        let bit = self.0[Self::word(from)] >> (from % 64) & 1;
        let word = &mut self.0[Self::word(to)];
        *word = *word & !(1 << (to % 64)) | bit << (to % 64);
    }

    /// All lanes if `yes`, none otherwise.
    #[inline(always)]
    pub(super) const fn all_if(yes: bool) -> Self {
        Self([(yes as u64).wrapping_neg(); K])
    }

    /// One more than the highest lane in the set.
    #[inline(always)]
    pub(super) fn end(self) -> usize {
        let last = self.0.iter().rposition(|&word| word != 0);
        last.map_or(0, |last| last * 64 + 64 - self.0[last].leading_zeros() as usize)
    }

    #[inline(always)]
    pub(super) fn without(self, others: Self) -> Self {
        self & !others
    }

    pub(super) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The lowest lane that is not in the set.
    pub(super) fn first_absent(self) -> Option<usize> {
        (!self).into_iter().next()
    }
}

impl<const K: usize> Default for LaneSet<K> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const K: usize> BitAnd for LaneSet<K> {
    type Output = Self;

    #[inline(always)]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const K: usize> BitAndAssign for LaneSet<K> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word &= other;
        }
    }
}

impl<const K: usize> BitOr for LaneSet<K> {
    type Output = Self;

    #[inline(always)]
    fn bitor(mut self, other: Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        self
    }
}

impl<const K: usize> BitXor for LaneSet<K> {
    type Output = Self;

    #[inline(always)]
    fn bitxor(mut self, other: Self) -> Self {
        self ^= other;
        self
    }
}

impl<const K: usize> BitXorAssign for LaneSet<K> {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word ^= other;
        }
    }
}

impl<const K: usize> Not for LaneSet<K> {
    type Output = Self;

    #[inline(always)]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl<const K: usize> IntoIterator for LaneSet<K> {
    type Item = usize;
    type IntoIter = Lanes<K>;

    #[inline(always)]
    fn into_iter(self) -> Lanes<K> {
        Lanes { left: self.0, word: 0 }
    }
}

/// The lanes of a set in ascending order.
pub(super) struct Lanes<const K: usize> {
    left: [u64; K],
    word: usize,
}

impl<const K: usize> Iterator for Lanes<K> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.word < K {
            let left = &mut self.left[self.word];
            if *left != 0 {
                let lane = self.word * 64 + left.trailing_zeros() as usize;
                *left &= *left - 1;
                return Some(lane);
            }
            self.word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_of_all_words() {
        let mut set = LaneSet::<2>::EMPTY;
        for lane in [0, 63, 64, 127] {
            assert!(!set.contains(lane));
            set.put(lane, true);
            assert!(set.contains(lane));
        }
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [0, 63, 64, 127]);
        set.put(63, false);
        assert_eq!((set.len(), set.first_absent(), set.end()), (3, Some(1), 128));
        assert_eq!(set.without(LaneSet::just(64)).into_iter().collect::<Vec<_>>(), [0, 127]);
        set.copy(64, 1);
        set.copy(63, 127);
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [0, 1, 64]);
        assert_eq!((LaneSet::<2>::EMPTY.end(), LaneSet::<2>::just(63).end()), (0, 64));
        assert_eq!((LaneSet::<2>::all_if(true), LaneSet::<2>::all_if(false)), (!LaneSet::EMPTY, LaneSet::EMPTY));
        assert_eq!((!LaneSet::<2>::EMPTY).first_absent(), None);
        assert_eq!((!LaneSet::<2>::EMPTY).len(), LaneSet::<2>::LANES);
    }
}
