//! Which worlds might have come to be equal.

use super::lane_set::LaneSet;

/// One hash per lane, kept up to date as holds begin and end: the exclusive or of a key for each hold in the world.
///
/// Equal worlds have equal hashes, whatever the order in which they came about. Equal hashes only name candidates. (What is
/// said of all live lanes alike, or of none, makes no difference.)
#[derive(Clone, Debug, Default)]
pub(super) struct Fingerprints<const K: usize> {
    hashes: Vec<u64>,
    /// Of two worlds that have come to be equal since the last search, one is in here: a hold that only one of them had
    /// has ended there, or it was forked over a decision that in the end took no slot in either.
    closer: LaneSet<K>,
}

impl<const K: usize> Fingerprints<K> {
    pub(super) fn new() -> Self {
        Self { hashes: vec![0; LaneSet::<K>::LANES], closer: LaneSet::EMPTY }
    }

    /// The hold with this [`key`] begins in these worlds.
    #[inline(always)]
    pub(super) fn begin(&mut self, key: u64, lanes: LaneSet<K>) {
        for lane in lanes {
            self.hashes[lane] ^= key;
        }
    }

    /// It ends in these worlds.
    #[inline(always)]
    pub(super) fn end(&mut self, key: u64, lanes: LaneSet<K>) {
        self.begin(key, lanes);
        self.closer = self.closer | lanes;
    }

    pub(super) fn fork(&mut self, from: usize, to: usize) {
        self.hashes[to] = self.hashes[from];
        self.closer.put(to, true);
    }

    /// Calls `merge(first, second)` for lanes that have equal hashes and are the `same`, the first being the lower one and
    /// the second no longer `alive`.
    #[inline(always)]
    pub(super) fn coinciding(
        &mut self,
        alive: &mut LaneSet<K>,
        same: impl Fn(usize, usize) -> bool,
        mut merge: impl FnMut(usize, usize),
    ) {
        let closer = std::mem::replace(&mut self.closer, LaneSet::EMPTY);
        let hashes = &self.hashes[..alive.end()];
        for lane in closer & *alive {
            // Most lanes meet nobody. (Where there is no world, a hash means nothing.)
            let hash = hashes[lane];
            if hashes.iter().filter(|&&other| other == hash).count() == 1 {
                continue;
            }
            for other in *alive {
                if other != lane && hashes[other] == hash && alive.contains(lane) && same(lane, other) {
                    let (first, second) = (lane.min(other), lane.max(other));
                    alive.put(second, false);
                    merge(first, second);
                }
            }
        }
    }
}

/// A well-mixed word for each name of a hold: the output function of SplitMix64 (Steele, Lea & Flood 2014).
#[inline]
pub(super) fn key(name: u32) -> u64 {
    let word = (u64::from(name) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
