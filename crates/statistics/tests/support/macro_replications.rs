//! Seeded samples, and the band in which a measured coverage has to lie.

#![allow(dead_code, reason = "nobody uses all of it")]

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use statistics::{Level, proportion};
use statrs::distribution::{ContinuousCDF, Normal};

/// The generator of a macro-replication's sample.
pub(crate) struct Sampler(Xoshiro256PlusPlus);

impl Sampler {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// Strictly between 0 and 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) * (-53f64).exp2()
    }

    pub(crate) fn normal(&mut self) -> f64 {
        Normal::standard().inverse_cdf(self.uniform())
    }

    /// With mean 1.
    pub(crate) fn exponential(&mut self) -> f64 {
        -self.uniform().ln()
    }

    /// The exponential of a standard normal number: mean √e, median 1.
    pub(crate) fn lognormal(&mut self) -> f64 {
        self.normal().exp()
    }

    pub(crate) fn sample(&mut self, size: usize, mut draw: impl FnMut(&mut Self) -> f64) -> Vec<f64> {
        (0..size).map(|_| draw(self)).collect()
    }
}

/// In how many of `macro_replications` samples `covers` holds; sample i is made from `seed` + i.
pub(crate) fn covered(macro_replications: u64, seed: u64, mut covers: impl FnMut(&mut Sampler) -> bool) -> u64 {
    // Consecutive seeds go through SplitMix64 before they become states.
    (0..macro_replications).filter(|i| covers(&mut Sampler::new((seed << 32) + i))).count() as u64
}

/// Whether so many covered samples agree with a true coverage anywhere in `target`: the Clopper–Pearson interval of the
/// coverage at 1 − 10⁻⁶ meets it. Correct code fails with probability below 10⁻⁶ over the choice of the seed.
pub(crate) fn agrees(covered: u64, macro_replications: u64, target: std::ops::RangeInclusive<f64>) -> bool {
    let level = Level::new(1.0 - 1e-6).unwrap();
    let band = proportion(covered, macro_replications, level).unwrap().interval.unwrap();
    band.lo <= *target.end() && *target.start() <= band.hi
}

/// A target that was published to three digits.
pub(crate) fn about(coverage: f64, digits: f64) -> std::ops::RangeInclusive<f64> {
    coverage - digits..=coverage + digits
}
