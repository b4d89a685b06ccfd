//! Which worlds might have come to be equal.

use super::lane_set::LaneSet;

/// One hash per lane, kept up to date as holds begin and end: the exclusive or of a key for each hold in the world.
///
/// Equal worlds have equal hashes, whatever the order in which they came about. Equal hashes only name candidates. (What is
/// said of all live lanes alike, or of none, makes no difference.)
#[derive(Clone, Debug)]
pub(super) struct Fingerprints {
    hashes: Vec<u64>,
    /// Whether two worlds may have come to be equal since the last search. The end of a hold can do that, and a fork over
    /// a decision that in the end took no slot in either world.
    closer: bool,
}

impl Fingerprints {
    pub(super) fn new(lanes: usize) -> Self {
        Self { hashes: vec![0; lanes], closer: false }
    }

    /// The hold called `name` begins in these worlds.
    #[inline]
    pub(super) fn begin<const K: usize>(&mut self, name: u32, lanes: LaneSet<K>) {
        let key = key(name);
        for lane in lanes {
            self.hashes[lane] ^= key;
        }
    }

    /// The hold called `name` ends in these worlds.
    #[inline]
    pub(super) fn end<const K: usize>(&mut self, name: u32, lanes: LaneSet<K>) {
        self.begin(name, lanes);
        self.closer = true;
    }

    pub(super) fn fork(&mut self, from: usize, to: usize) {
        self.hashes[to] = self.hashes[from];
        self.closer = true;
    }

    /// Calls `merge(first, second)` for lanes that have equal hashes and are the `same`.
    pub(super) fn coinciding<const K: usize>(
        &mut self,
        alive: LaneSet<K>,
        same: impl Fn(usize, usize) -> bool,
        mut merge: impl FnMut(usize, usize),
    ) {
        if !std::mem::take(&mut self.closer) {
            return;
        }
        // Most lanes meet nobody, and a filter says so: one bit of 256 for each hash that was seen.
        let mut seen = [0_u64; 4];
        for lane in alive {
            let hash = self.hashes[lane];
            let (word, bit) = ((hash >> 62) as usize, 1 << (hash & 63));
            if seen[word] & bit != 0 {
                let before = alive.into_iter().take_while(|&other| other < lane);
                let twin = before.into_iter().find(|&other| self.hashes[other] == hash && same(other, lane));
                if let Some(twin) = twin {
                    merge(twin, lane);
                }
            }
            seen[word] |= bit;
        }
    }
}

/// A well-mixed word for each name: the output function of SplitMix64 (Steele, Lea & Flood 2014).
#[inline]
fn key(name: u32) -> u64 {
    let word = (u64::from(name) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
