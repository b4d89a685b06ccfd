//! The lesson's random generator.

/// A multiplicative congruential generator (Lehmer) with multiplier 48271 and modulus 2³¹ − 1, known as MINSTD: Park,
/// Miller and Stockmeyer, "Remarks on choosing and implementing random number generators", CACM 36 (1993).
#[derive(Clone, Debug)]
pub(super) struct Lehmer {
    state: u64,
}

impl Lehmer {
    pub(super) const MODULUS: u64 = (1 << 31) - 1;
    const MULTIPLIER: u64 = 48_271;

    /// `seed` must not be a multiple of the modulus: the generator would stay at zero.
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed % Self::MODULUS }
    }

    /// A number in (0, 1).
    pub(super) fn uniform(&mut self) -> f64 {
        self.state = self.state * Self::MULTIPLIER % Self::MODULUS;
        self.state as f64 / Self::MODULUS as f64
    }

    /// A whole number in 0..`n`.
    fn below(&mut self, n: usize) -> usize {
        (self.uniform() * n as f64) as usize
    }

    /// Shuffles in place (Fisher and Yates, from the end).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousandth_number_is_the_published_one() {
        // The check value for multiplier 48271 and seed 1, as in the C++ standard's [rand.predef] for minstd_rand.
        let mut generator = Lehmer::new(1);
        for _ in 0..10_000 {
            generator.uniform();
        }
        assert_eq!(generator.state, 399_268_537);
    }

    #[test]
    fn shuffle_keeps_every_item() {
        let mut items: Vec<_> = (0..100).collect();
        Lehmer::new(7).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
