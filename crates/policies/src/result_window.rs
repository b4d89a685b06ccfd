//! The latest results of a breaker, as bits.

use std::hash::{Hash, Hasher};

use crate::Verdict;

/// The last so many results. Two windows are equal if they hold the same results in the same order.
///
/// Its capacity is not stored: the rule knows it, and gives it with every result.
#[derive(Clone, Debug)]
pub struct ResultWindow {
    results: u32,
    failures: u32,
    bits: Bits,
}

/// A bit is set for a failure. Bits beyond the results are clear.
#[derive(Clone, Debug)]
enum Bits {
    /// Up to [`ResultWindow::INLINE`] results in place; the latest in the lowest bit.
    Shifted(u128),
    /// A ring of bits, allocated once. `next` is where the next result goes.
    Ring { words: Box<[u64]>, next: u32 },
}

impl ResultWindow {
    /// The largest capacity that needs no allocation.
    const INLINE: u32 = u128::BITS;

    pub(crate) fn new(capacity: u32) -> Self {
        let bits = if capacity <= Self::INLINE {
            Bits::Shifted(0)
        } else {
            Bits::Ring { words: vec![0; capacity.div_ceil(u64::BITS) as usize].into(), next: 0 }
        };
        Self { results: 0, failures: 0, bits }
    }

    /// The number of results in the window.
    pub(crate) const fn len(&self) -> u32 {
        self.results
    }

    /// How many of them are failures.
    pub(crate) const fn failures(&self) -> u32 {
        self.failures
    }

    /// Adds a result; the oldest one leaves a window that holds `capacity` results already.
    #[inline]
    pub(crate) fn push(&mut self, capacity: u32, verdict: Verdict) {
        let failed = verdict == Verdict::Failure;
        // Places that hold no result yet are clear: a success leaves them.
        let oldest_failed = match &mut self.bits {
            Bits::Shifted(bits) => {
                let oldest = 1_u128 << (capacity - 1);
                let oldest_failed = *bits & oldest != 0;
                *bits = (*bits & !oldest) << 1 | u128::from(failed);
                oldest_failed
            }
            Bits::Ring { words, next } => {
                let word = &mut words[(*next / u64::BITS) as usize];
                let place = *next % u64::BITS;
                let oldest_failed = *word >> place & 1 != 0;
                *word = *word & !(1 << place) | u64::from(failed) << place;
                *next = if *next + 1 == capacity { 0 } else { *next + 1 };
                oldest_failed
            }
        };
        self.failures = self.failures + u32::from(failed) - u32::from(oldest_failed);
        if self.results < capacity {
            self.results += 1;
        }
    }

    /// Forgets every result.
    pub(crate) fn clear(&mut self) {
        self.results = 0;
        self.failures = 0;
        match &mut self.bits {
            Bits::Shifted(bits) => *bits = 0,
            Bits::Ring { words, next } => {
                words.fill(0);
                *next = 0;
            }
        }
    }
}

impl ResultWindow {
    /// The latest of these results, as many as fit into a window of `capacity`.
    pub(crate) fn resized(&self, capacity: u32) -> Self {
        let mut resized = Self::new(capacity);
        for failed in self.oldest_first() {
            resized.push(capacity, if failed { Verdict::Failure } else { Verdict::Success });
        }
        resized
    }

    /// Whether each result was a failure, the oldest first.
    fn oldest_first(&self) -> impl Iterator<Item = bool> {
        let results = self.results;
        (0..results).map(move |age| match &self.bits {
            Bits::Shifted(bits) => bits >> (results - 1 - age) & 1 != 0,
            Bits::Ring { words, next } => {
                // Until the window is full, `next` equals `results` and the oldest result lies at 0.
                let place = (next % results + age) % results;
                words[(place / u64::BITS) as usize] >> (place % u64::BITS) & 1 != 0
            }
        })
    }
}

impl PartialEq for ResultWindow {
    fn eq(&self, other: &Self) -> bool {
        if (self.results, self.failures) != (other.results, other.failures) {
            return false;
        }
        match (&self.bits, &other.bits) {
            (Bits::Shifted(mine), Bits::Shifted(theirs)) => mine == theirs,
            _ => self.oldest_first().eq(other.oldest_first()),
        }
    }
}

impl Eq for ResultWindow {}

impl Hash for ResultWindow {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.results.hash(state);
        self.failures.hash(state);
        if let Bits::Shifted(bits) = self.bits {
            bits.hash(state);
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_types, reason = "hashes are compared with each other only, and never kept")]
mod tests {
    use std::collections::VecDeque;
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

    use super::*;

    /// A fixed sequence of results in which every pattern of a few results occurs.
    fn results() -> impl Iterator<Item = Verdict> {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        std::iter::repeat_with(move || {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if bits >> 62 == 0 { Verdict::Failure } else { Verdict::Success }
        })
    }

    fn hash(window: &ResultWindow) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one(window)
    }

    #[test]
    fn holds_the_last_results_at_every_capacity() {
        for capacity in (1..=260).chain([1_000, 1_024]) {
            let mut window = ResultWindow::new(capacity);
            let mut expected = VecDeque::new();
            for verdict in results().take(3 * capacity as usize + 2) {
                window.push(capacity, verdict);
                expected.push_back(verdict == Verdict::Failure);
                if expected.len() > capacity as usize {
                    expected.pop_front();
                }
                assert_eq!(window.len() as usize, expected.len());
                assert_eq!(window.failures() as usize, expected.iter().filter(|failed| **failed).count());
            }
            assert!(window.oldest_first().eq(expected), "capacity {capacity}");
        }
    }

    #[test]
    fn equal_when_the_same_results_are_left_however_they_came() {
        for capacity in [1, 20, 128, 129, 200] {
            let mut straight = ResultWindow::new(capacity);
            let mut after_others = ResultWindow::new(capacity);
            for _ in 0..7 {
                after_others.push(capacity, Verdict::Failure);
            }
            for verdict in results().skip(5).take(capacity as usize) {
                straight.push(capacity, verdict);
                after_others.push(capacity, verdict);
            }
            assert_eq!(straight, after_others, "capacity {capacity}");
            assert_eq!(hash(&straight), hash(&after_others));

            straight.push(capacity, Verdict::Failure);
            after_others.push(capacity, Verdict::Success);
            assert_ne!(straight, after_others);
        }
    }

    #[test]
    fn order_matters_to_equality() {
        for capacity in [64, 300] {
            let (mut a, mut b) = (ResultWindow::new(capacity), ResultWindow::new(capacity));
            for (in_a, in_b) in [(Verdict::Failure, Verdict::Success), (Verdict::Success, Verdict::Failure)] {
                a.push(capacity, in_a);
                b.push(capacity, in_b);
            }
            assert_ne!(a, b);
        }
    }

    #[test]
    fn resized_keeps_the_latest_results() {
        for (from, to, pushed) in
            [(10, 4, 25), (4, 10, 25), (300, 200, 450), (200, 300, 450), (300, 20, 30), (20, 300, 7)]
        {
            let mut window = ResultWindow::new(from);
            for verdict in results().take(pushed) {
                window.push(from, verdict);
            }
            let kept = pushed.min(from as usize).min(to as usize);
            let mut expected = ResultWindow::new(to);
            for verdict in results().take(pushed).skip(pushed - kept) {
                expected.push(to, verdict);
            }
            let resized = window.resized(to);
            assert_eq!(resized, expected, "from {from} to {to}");
            assert_eq!((resized.len(), resized.failures()), (expected.len(), expected.failures()));
        }
    }

    #[test]
    fn cleared_is_as_new() {
        for capacity in [3, 128, 500] {
            let mut window = ResultWindow::new(capacity);
            for verdict in results().take(capacity as usize + 50) {
                window.push(capacity, verdict);
            }
            window.clear();
            assert_eq!(window, ResultWindow::new(capacity));
            window.push(capacity, Verdict::Failure);
            assert_eq!((window.len(), window.failures()), (1, 1));
        }
    }
}
