//! An exponential moving average over time.

use crate::Real;

/// An average in which a value loses weight with its age: after `window`, by the factor e. A burst of values within a short
/// time hardly moves it.
///
/// A value at instant 0 leaves it empty: the value after it counts as the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Average {
    latest: u64,
    average: Real,
}

impl Average {
    pub(crate) fn empty() -> Self {
        Self { latest: 0, average: Real::new(0.0) }
    }

    /// Whether no value has been taken in, or only one at instant 0.
    pub(crate) const fn is_empty(&self) -> bool {
        self.latest == 0
    }

    /// The average at the latest value.
    pub(crate) fn latest(&self) -> f64 {
        self.average.get()
    }

    /// Takes in the value at an instant, and returns the average. Instants and window have one unit.
    pub(crate) fn update(&mut self, window: u64, instant: u64, value: f64) -> f64 {
        let average = if self.latest == 0 {
            value
        } else {
            let age = instant.saturating_sub(self.latest);
            let weight = if window == 0 { 0.0 } else { libm::exp(-(age as f64) / window as f64) };
            value * (1.0 - weight) + self.average.get() * weight
        };
        *self = Self { latest: instant, average: Real::new(average) };
        average
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weight_decays_with_time_and_not_with_the_number_of_values() {
        let mut average = Average::empty();
        assert_eq!(average.update(1_000, 500, 1.0).to_bits(), 1.0_f64.to_bits());
        // The closed form: after a failure at each millisecond of one window, e^-1 is left.
        let after = (501..=1_500).map(|instant| average.update(1_000, instant, 0.0)).last().expect("values");
        assert!((after - libm::exp(-1.0)).abs() < 1e-12, "{after}");
    }
}
