//! Random numbers by identity: a key names a stream, a position names a draw.

use rand::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

/// The step of SplitMix64's state, 2^64 divided by the golden ratio.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

// Domains keep apart what is derived from one number in different ways. The digits are those of pi.
const ROOT: u64 = 0x243f_6a88_85a3_08d3;
const CHILD: u64 = 0x1319_8a2e_0370_7344;
const GENERATOR: u64 = 0xa409_3822_299f_31d0;

/// Names one random stream: derived from a root seed by the identities that the stream belongs to.
///
/// Draw n of a stream is a function of the key and n alone, so that draws can be made in any order, on any thread, or
/// not at all, and no other draw changes. Streams are told apart by what they are for and never by when they are made:
///
/// ```
/// use engine::StreamKey;
///
/// const SERVICE: u64 = 1;
/// let replication = 7;
/// let service = StreamKey::root(2026).child(replication).child(SERVICE);
/// assert_eq!(service.uniform(40), service.uniform(40));
/// ```
///
/// The words of a key are those of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) with the key as its state. Keys
/// behave as random numbers of 64 bits: of k keys, of each of which n draws are used, two share draws with a
/// probability of about k²·n / 2^64; children of one key are always distinct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamKey(u64);

impl StreamKey {
    /// The root of all streams of a seed. Distinct seeds have distinct roots.
    #[inline]
    #[must_use]
    pub fn root(seed: u64) -> Self {
        Self(mix(seed ^ ROOT))
    }

    /// The stream of `identity` below this one: a replication, a flow, a purpose.
    ///
    /// Distinct identities have distinct children, and the order of descent matters.
    #[inline]
    #[must_use]
    pub fn child(self, identity: u64) -> Self {
        Self(mix(mix(self.0 ^ CHILD) ^ mix(identity)))
    }

    /// Draw number `position` of this stream: a word of 64 random bits, by random access.
    #[inline]
    #[must_use]
    pub fn word(self, position: u64) -> u64 {
        mix(self.0.wrapping_add(position.wrapping_mul(GOLDEN_GAMMA)))
    }

    /// Draw number `position` as a number in the open interval (0, 1).
    ///
    /// The values are the odd multiples of 2^−53, all equally likely: 0 and 1 are excluded, the mean is exactly ½, and
    /// 1 − u is as likely as u and computed without rounding.
    #[inline]
    #[must_use]
    pub fn uniform(self, position: u64) -> f64 {
        open_unit(self.word(position))
    }

    /// Draw number `position` as an event of probability `p`: whether its [`uniform`](Self::uniform) is below `p`.
    ///
    /// Never at `p` = 0, always at `p` = 1, and an event at `p` is one at every larger `p` too.
    #[inline]
    #[must_use]
    pub fn bernoulli(self, position: u64, p: f64) -> bool {
        self.uniform(position) < p
    }

    /// A sequential generator for what draws an unknown number of words one after the other: arrival processes.
    #[inline]
    #[must_use]
    pub fn generator(self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(mix(self.0 ^ GENERATOR))
    }
}

/// A word of random bits as a number in the open interval (0, 1): an odd multiple of 2^−53.
///
/// For words of a [`StreamKey::generator`]; a keyed draw has [`StreamKey::uniform`].
#[inline]
#[must_use]
pub fn open_unit(word: u64) -> f64 {
    const UNIT: f64 = 1.0 / (1u64 << 53) as f64;
    (word >> 11 | 1) as f64 * UNIT
}

/// The first output of SplitMix64 from a state: a bijection of the 64-bit numbers without visible structure.
#[inline]
fn mix(state: u64) -> u64 {
    SplitMix64::seed_from_u64(state).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_split_mix_in_sequence() {
        let key = StreamKey::root(5).child(9);
        let mut sequential = SplitMix64::seed_from_u64(key.0);
        for position in 0..1_000 {
            assert_eq!(key.word(position), sequential.next_u64());
        }
    }

    #[test]
    fn the_unit_interval_is_open_at_both_ends() {
        assert_eq!(open_unit(0), 1.0 / (1u64 << 53) as f64);
        assert_eq!(open_unit(u64::MAX), 1.0 - 1.0 / (1u64 << 53) as f64);
        assert_eq!(1.0 - open_unit(!12_345), open_unit(12_345));
    }

    #[test]
    fn certain_and_impossible_events() {
        let key = StreamKey::root(1);
        for position in 0..10_000 {
            assert!(key.bernoulli(position, 1.0));
            assert!(!key.bernoulli(position, 0.0));
        }
    }
}
