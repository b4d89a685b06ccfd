//! A window of so many buckets, of which the oldest leaves as a new one begins.

use super::Tally;

/// So many buckets and their sum. Nothing allocates after the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Buckets<T> {
    ring: Box<[T]>,
    current: usize,
    total: T,
}

impl<T: Tally> Buckets<T> {
    /// `number` empty buckets; at least one.
    pub(crate) fn new(number: usize) -> Self {
        Self { ring: vec![T::default(); number.max(1)].into(), current: 0, total: T::default() }
    }

    /// The sum over all buckets.
    pub(crate) const fn total(&self) -> T {
        self.total
    }

    /// Counts in the current bucket.
    pub(crate) fn add(&mut self, one: T) {
        self.ring[self.current] += one;
        self.total += one;
    }

    /// Begins `number` new buckets, empty ones; as many of the oldest leave.
    pub(crate) fn begin(&mut self, number: u64) {
        for _ in 0..number.min(self.ring.len() as u64) {
            self.current = if self.current + 1 == self.ring.len() { 0 } else { self.current + 1 };
            self.total -= std::mem::take(&mut self.ring[self.current]);
        }
    }

    /// Begins a new bucket in which that much is counted already.
    pub(crate) fn push(&mut self, bucket: T) {
        self.begin(1);
        self.add(bucket);
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.ring.fill(T::default());
        self.current = 0;
        self.total = T::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_buckets_leave() {
        let mut buckets = Buckets::<u32>::new(3);
        for count in [1, 10, 100] {
            buckets.push(count);
        }
        assert_eq!(buckets.total(), 111);
        buckets.push(1_000);
        assert_eq!(buckets.total(), 1_110);
        buckets.begin(2);
        assert_eq!(buckets.total(), 1_000);
        buckets.add(5);
        buckets.begin(u64::MAX);
        assert_eq!(buckets.total(), 0);
    }

    #[test]
    fn cleared_is_as_new() {
        let mut buckets = Buckets::<u32>::new(2);
        buckets.push(7);
        buckets.clear();
        assert_eq!(buckets, Buckets::new(2));
    }
}
