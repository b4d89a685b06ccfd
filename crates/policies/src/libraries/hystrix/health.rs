//! Hystrix's stream of health counts.

use engine::{Duration, Time};

use crate::Verdict;
use crate::windows::{Buckets, Results};

/// Results by bucket. A bucket is seen when it is over, by the snapshot that is taken then; the snapshots come at intervals
/// from the start of the stream. A result at the instant of a snapshot belongs to the next bucket.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct HealthWindow {
    /// The next snapshot.
    next: Time,
    open: Results,
    over: Buckets<Results>,
}

impl HealthWindow {
    /// The stream has begun so long before the run.
    pub(super) fn new(age: Duration, interval: Duration, buckets: u64) -> Self {
        let first = Time::ZERO + Duration::from_nanos(interval.as_nanos() - age.as_nanos());
        Self { next: first, open: Results::default(), over: Buckets::new(buckets as usize) }
    }

    /// The stream begins anew, with a success that is a bucket of its own.
    pub(super) fn restart(&mut self, now: Time, interval: Duration) {
        self.next = now + interval;
        self.open = Results::default();
        self.over.clear();
        self.over.push(Results::one(Verdict::Success));
    }

    pub(super) fn add(&mut self, verdict: Verdict) {
        self.open += Results::one(verdict);
    }

    /// What the latest snapshot shows.
    pub(super) const fn snapshot(&self) -> Results {
        self.over.total()
    }

    /// What the latest snapshot shows, and what has come since.
    pub(super) fn recent(&self) -> Results {
        let mut recent = self.over.total();
        recent += self.open;
        recent
    }

    /// When the next snapshot comes.
    pub(super) const fn next(&self) -> Time {
        self.next
    }

    /// Whether nothing is in the window, so that all snapshots will be the same.
    pub(super) fn is_empty(&self) -> bool {
        self.open == Results::default() && self.over.total() == Results::default()
    }

    /// Takes the next snapshot.
    pub(super) fn take(&mut self, interval: Duration) {
        self.over.push(std::mem::take(&mut self.open));
        self.next += interval;
    }

    /// Takes every snapshot that is due.
    pub(super) fn catch_up(&mut self, now: Time, interval: Duration, buckets: u64) {
        if self.next > now {
            return;
        }
        self.take(interval);
        if self.next > now {
            return;
        }
        let missed = now.since(self.next).as_nanos() / interval.as_nanos() + 1;
        self.over.begin(missed.min(buckets));
        self.next += Duration::from_nanos(missed * interval.as_nanos());
    }
}
