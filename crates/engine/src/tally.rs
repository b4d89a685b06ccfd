//! Count, mean and variance of a stream of numbers, in constant memory.

/// Count, mean, variance and extremes of numbers, one at a time (Welford, Technometrics 1962).
///
/// Two tallies merge into the tally of both sets (Chan, Golub and LeVeque, COMPSTAT 1982). What holds for the merge:
/// count, minimum and maximum are exact whatever the order; merging A into B and B into A gives the same bits; the
/// empty tally changes nothing; and different ways to merge three or more differ in mean and variance by rounding only.
/// A number that is NaN makes mean and variance NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    count: u64,
    mean: f64,
    /// The sum of squared deviations from the mean.
    squares: f64,
    min: f64,
    max: f64,
}

impl Tally {
    /// The tally of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { count: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }

    /// Adds one number.
    #[inline]
    pub fn add(&mut self, x: f64) {
        self.count += 1;
        let deviation = x - self.mean;
        // Nothing is counted up to 2^63, and processors convert signed numbers in one instruction.
        self.mean += deviation / self.count.cast_signed() as f64;
        self.squares += deviation * (x - self.mean);
        // NaN changes neither, as with `f64::min` and `f64::max`. They would also look whether these are NaN, which never are.
        if x < self.min {
            self.min = x;
        }
        if x > self.max {
            self.max = x;
        }
    }

    /// Adds all numbers of another tally.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = *other;
            return;
        }
        let (ours, theirs) = (self.count as f64, other.count as f64);
        let distance = other.mean - self.mean;
        // Both expressions are symmetric in the two tallies, to the last bit.
        self.squares = (self.squares + other.squares) + distance * distance * (ours * theirs / (ours + theirs));
        self.mean = (ours * self.mean + theirs * other.mean) / (ours + theirs);
        self.count += other.count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
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

    /// The unbiased estimate of their variance, with divisor n − 1; `None` below two.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// The square root of the [`variance`](Self::variance); `None` below two.
    #[must_use]
    pub fn std_dev(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The least; `None` if there are none.
    #[must_use]
    pub fn min(&self) -> Option<f64> {
        (self.count > 0).then_some(self.min)
    }

    /// The greatest; `None` if there are none.
    #[must_use]
    pub fn max(&self) -> Option<f64> {
        (self.count > 0).then_some(self.max)
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

impl Extend<f64> for Tally {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, numbers: I) {
        for x in numbers {
            self.add(x);
        }
    }
}

impl FromIterator<f64> for Tally {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut tally = Self::new();
        tally.extend(numbers);
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divisor_is_one_less_than_the_count() {
        let tally: Tally = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        assert_eq!(tally.mean(), Some(5.0));
        assert_eq!(tally.variance(), Some(32.0 / 7.0));
        assert_eq!((tally.min(), tally.max(), tally.count()), (Some(2.0), Some(9.0), 8));
    }

    #[test]
    fn what_is_undefined_is_none() {
        let mut tally = Tally::new();
        assert_eq!((tally.mean(), tally.variance(), tally.min(), tally.max()), (None, None, None, None));
        tally.add(3.0);
        assert_eq!((tally.mean(), tally.variance(), tally.std_dev()), (Some(3.0), None, None));
    }

    #[test]
    fn what_is_no_number_is_neither_the_least_nor_the_greatest() {
        let tally: Tally = [f64::NAN, 2.0, f64::NAN, -1.0, f64::NAN].into_iter().collect();
        assert_eq!((tally.min(), tally.max(), tally.count()), (Some(-1.0), Some(2.0), 5));
    }

    #[test]
    fn a_large_offset_does_not_drown_the_variance() {
        let tally: Tally = [4.0, 7.0, 13.0, 16.0].map(|x| x + 1e9).into_iter().collect();
        assert_eq!(tally.variance(), Some(30.0));
    }
}
