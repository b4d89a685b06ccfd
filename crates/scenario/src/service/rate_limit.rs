//! A rate limiter: a token bucket, kept as the instant at which it would be full.

use engine::{Duration, Time};

/// At most so many calls in the long run, and so many at once. It reacts to volume and to nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateLimit {
    /// Calls per second in the long run; positive.
    pub rate: f64,
    /// Calls that may come at once after a quiet time; at least 1.
    pub burst: u32,
}

/// The bucket, by the generic cell rate algorithm: exact in whole nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenBucket {
    /// The time in which a token grows.
    interval: Duration,
    /// A bucket of `burst` tokens is full so long after the last one is taken.
    tolerance: Duration,
    /// When the bucket is full again.
    full_at: Time,
}

impl TokenBucket {
    pub(crate) fn new(limit: RateLimit) -> Self {
        let interval = Duration::from_secs_f64(limit.rate.recip()).at_least_a_tick();
        let tolerance = Duration::from_nanos(interval.as_nanos().saturating_mul(u64::from(limit.burst)));
        Self { interval, tolerance, full_at: Time::ZERO }
    }

    /// Takes a token if there is a whole one.
    pub(crate) fn try_take(&mut self, now: Time) -> bool {
        let full_at = self.full_at.max(now) + self.interval;
        let there = full_at.since(now) <= self.tolerance;
        if there {
            self.full_at = full_at;
        }
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_one_per_interval() {
        let mut bucket = TokenBucket::new(RateLimit { rate: 10.0, burst: 3 });
        let mut taken = |millis| bucket.try_take(Time::ZERO + Duration::from_millis(millis));
        assert_eq!([taken(0), taken(0), taken(0), taken(0)], [true, true, true, false]);
        assert_eq!([taken(99), taken(100), taken(199), taken(200)], [false, true, false, true]);
        // Ten intervals later the bucket holds three again, and no more.
        assert_eq!([taken(1_200), taken(1_200), taken(1_200), taken(1_200)], [true, true, true, false]);
    }
}
