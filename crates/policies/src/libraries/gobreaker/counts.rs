//! gobreaker's counts, in all and by rolling bucket.

/// Calls started and results that came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Counts {
    pub(super) requests: u32,
    pub(super) total_successes: u32,
    pub(super) total_failures: u32,
    pub(super) total_exclusions: u32,
    pub(super) consecutive_successes: u32,
    pub(super) consecutive_failures: u32,
}

impl Counts {
    pub(super) const fn succeed(&mut self) {
        self.total_successes += 1;
        self.consecutive_successes += 1;
        self.consecutive_failures = 0;
    }

    pub(super) const fn fail(&mut self) {
        self.total_failures += 1;
        self.consecutive_failures += 1;
        self.consecutive_successes = 0;
    }

    pub(super) const fn exclude(&mut self) {
        self.total_exclusions += 1;
    }
}

/// Counts in all and by bucket. The runs are the window's: one that reaches back to the oldest bucket loses what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RollingCounts {
    total: Counts,
    /// The number of the current bucket since the generation began.
    age: u64,
    buckets: Box<[Counts]>,
}

impl RollingCounts {
    pub(super) fn new(buckets: usize) -> Self {
        Self { total: Counts::default(), age: 0, buckets: vec![Counts::default(); buckets].into() }
    }

    pub(super) const fn total(&self) -> Counts {
        self.total
    }

    fn bucket(&mut self, age: u64) -> &mut Counts {
        let number = age % self.buckets.len() as u64;
        &mut self.buckets[number as usize]
    }

    /// A call starts.
    pub(super) fn begin(&mut self) {
        self.total.requests += 1;
        let age = self.age;
        self.bucket(age).requests += 1;
    }

    /// A result of a call that started in bucket `age`, if that is still in the window.
    pub(super) fn count(&mut self, age: u64, result: fn(&mut Counts)) {
        if age <= self.age && self.age - age < self.buckets.len() as u64 {
            result(&mut self.total);
            result(self.bucket(age));
        }
    }

    pub(super) fn clear(&mut self) {
        self.total = Counts::default();
        self.age = 0;
        self.buckets.fill(Counts::default());
    }

    /// The current bucket is now number `age`.
    pub(super) fn grow(&mut self, age: u64) {
        if age <= self.age {
            return;
        }
        if age - self.age >= self.buckets.len() as u64 {
            self.clear();
            self.age = age;
        } else {
            for _ in self.age..age {
                self.roll();
            }
        }
    }

    fn roll(&mut self) {
        self.age += 1;
        let age = self.age;
        let oldest = std::mem::take(self.bucket(age));
        let (successes, failures) = (oldest.consecutive_successes, oldest.consecutive_failures);
        // The oldest bucket is empty by now: what is left of the totals is in the others.
        let others = self.buckets.iter().fold((0, 0), |(successes, failures), bucket| {
            (successes + bucket.total_successes, failures + bucket.total_failures)
        });
        let total = &mut self.total;
        if total.consecutive_successes == successes + others.0 {
            total.consecutive_successes = total.consecutive_successes.saturating_sub(successes);
        }
        if total.consecutive_failures == failures + others.1 {
            total.consecutive_failures = total.consecutive_failures.saturating_sub(failures);
        }
        total.requests = total.requests.saturating_sub(oldest.requests);
        total.total_successes = total.total_successes.saturating_sub(oldest.total_successes);
        total.total_failures = total.total_failures.saturating_sub(oldest.total_failures);
        total.total_exclusions = total.total_exclusions.saturating_sub(oldest.total_exclusions);
    }
}
