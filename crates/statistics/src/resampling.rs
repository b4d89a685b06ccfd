//! Random numbers for resampling, by key: what draw 17 is depends on the seed and on 17, not on who asks first.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};

/// How often, and from which seed, something is resampled.
///
/// Draw number b of a seed is the same in every call, on every thread and whatever other draws there are. Equal seeds
/// for two quantities of one table use the same replications for both, as common random numbers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resampling {
    /// How many draws, at least 1; 2,000 or more for the ends of a 95 % interval. Without any, what resamples panics,
    /// except where it says that it names too few draws as the reason for giving no interval.
    pub draws: u32,
    /// The seed.
    pub seed: u64,
}

impl Resampling {
    /// How often each of so many replications is drawn, as `counts` are long, in one draw.
    pub fn counts(self, draw: u32, counts: &mut [u32]) {
        DrawGenerator::new(self.seed, draw).counts(counts);
    }

    /// The generators of the draws, in order.
    pub(crate) fn generators(self) -> impl Iterator<Item = DrawGenerator> {
        assert!(self.draws > 0, "resampling needs at least one draw");
        (0..self.draws).map(move |draw| DrawGenerator::new(self.seed, draw))
    }
}

/// The random numbers of one draw: xoshiro256++.
pub(crate) struct DrawGenerator(Xoshiro256PlusPlus);

impl DrawGenerator {
    /// The generator of a draw.
    pub(crate) fn new(seed: u64, draw: u32) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(scramble(seed) ^ u64::from(draw)))
    }

    /// A whole number below `bound`, by the high half of a product: biased by less than `bound` / 2^64.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// A seed for something else.
    pub(crate) fn seed(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A standard normal number, by inversion.
    pub(crate) fn normal(&mut self) -> f64 {
        Normal::standard().inverse_cdf(((self.0.next_u64() >> 11) as f64 + 0.5) * (-53f64).exp2())
    }

    /// How often each observation is drawn when as many are drawn with replacement as there are, into `counts`.
    pub(crate) fn counts(&mut self, counts: &mut [u32]) {
        counts.fill(0);
        for _ in 0..counts.len() {
            counts[self.below(counts.len())] += 1;
        }
    }
}

/// The finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014): seeds that differ in one bit become unlike, so that
/// the draws of seed 1 are not those of seed 0 in another order.
fn scramble(seed: u64) -> u64 {
    let mixed = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_depends_on_seed_and_number_alone() {
        let words = |seed, draws| -> Vec<u64> {
            Resampling { draws, seed }.generators().map(|mut generator| generator.0.next_u64()).collect()
        };
        assert_eq!(words(7, 100)[..50], words(7, 50));
        let mut all: Vec<u64> = (0..40).flat_map(|seed| words(seed, 50)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2_000, "no two draws of nearby seeds are alike");
    }

    /// Pearson's χ² of 70,000 indices in seven cells: above 45 (six degrees of freedom) with probability 5 · 10⁻⁸; a cell
    /// that is 4 % too probable is found nine times in ten.
    #[test]
    fn every_observation_is_drawn_equally_often() {
        let mut totals = [0u32; 7];
        for mut generator in (Resampling { draws: 10_000, seed: 1 }).generators() {
            let mut counts = [0; 7];
            generator.counts(&mut counts);
            assert_eq!(counts.iter().sum::<u32>(), 7);
            totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        }
        let distance: f64 = totals.iter().map(|&total| (f64::from(total) - 1e4).powi(2) / 1e4).sum();
        assert!(distance < 45.0, "{totals:?}");
    }
}
