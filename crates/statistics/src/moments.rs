//! The moments of a stream of numbers that judging a mean takes, in constant memory.

use crate::stopping::is_enough;

/// Count, mean and the central moments up to the third, one number at a time (Pébay, *Formulas for robust, one-pass parallel
/// computation of covariances and arbitrary-order statistical moments*, Sandia report SAND2008-6212, 2008).
///
/// Equal numbers have a standard deviation of exactly zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// The sum of squared deviations from the mean.
    squares: f64,
    /// The sum of cubed deviations from the mean.
    cubes: f64,
}

impl Moments {
    /// Adds one number.
    pub fn add(&mut self, x: f64) {
        let before = self.count as f64;
        self.count += 1;
        let n = self.count as f64;
        let deviation = x - self.mean;
        let step = deviation / n;
        let square = deviation * step * before;
        self.cubes += step * (square * (n - 2.0) - 3.0 * self.squares);
        self.squares += square;
        self.mean += step;
    }

    /// How many numbers.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; `None` if there are none.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Their standard deviation, with divisor n − 1; `None` below two.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }

    /// The sample's skewness m₃ / m₂^1.5, of the moments with divisor n; `None` for numbers that do not differ.
    #[must_use]
    pub fn skewness(&self) -> Option<f64> {
        let n = self.count as f64;
        (self.squares > 0.0).then(|| (self.cubes / n) / (self.squares / n).powf(1.5))
    }

    /// Whether they differ and are enough for their skewness that a t interval of their mean can be trusted:
    /// [`StoppingRule::of_mean`](crate::StoppingRule::of_mean) says how many that are.
    #[must_use]
    pub fn suffice_for_a_mean(&self) -> bool {
        self.skewness().is_some_and(|skewness| is_enough(self.count, skewness))
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut moments = Self::default();
        numbers.into_iter().for_each(|x| moments.add(x));
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_of_two_passes() {
        let numbers = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0, 31.0].map(|x| x + 1e6);
        let moments: Moments = numbers.into_iter().collect();
        let n = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / n;
        let power = |k: i32| numbers.iter().map(|x| (x - mean).powi(k)).sum::<f64>();
        let close = |a: Option<f64>, b: f64| a.is_some_and(|a| (a - b).abs() <= 1e-9 * b.abs());
        assert_eq!(moments.count(), 9);
        assert!(close(moments.mean(), mean));
        assert!(close(moments.standard_deviation(), (power(2) / (n - 1.0)).sqrt()));
        assert!(close(moments.skewness(), power(3) / n / (power(2) / n).powf(1.5)));
    }

    #[test]
    fn what_is_undefined_is_none() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.standard_deviation(), moments.skewness()), (None, None, None));
        for _ in 0..1000 {
            moments.add(0.1);
        }
        assert_eq!((moments.mean(), moments.standard_deviation(), moments.skewness()), (Some(0.1), Some(0.0), None));
    }
}
