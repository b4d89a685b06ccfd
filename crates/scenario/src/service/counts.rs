//! What the richer world counts besides the plain one's columns.

use engine::Duration;

/// The additional counts of a run. A request counts if it arrives at or after the end of the warm-up, and with it all of
/// its attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServiceCounts {
    /// Attempts that started after the first of their request.
    pub retries: u64,
    /// Attempts that were given up at the time-out.
    pub timeouts: u64,
    /// Attempts whose answer never came.
    pub lost: u64,
    /// Requests that ended by being cancelled while their call was under way.
    pub cancelled: u64,
    /// Requests that ended with an outcome that the breaker is told to ignore.
    pub ignored: u64,
    /// Requests that the rate limiter turned away at their first attempt.
    pub rate_limited: u64,
    /// Of the requests in flight at the horizon, those that have not started: in the queue, or held back by the breaker.
    pub waiting: u64,
    /// Requests that were answered by the fallback.
    pub fallbacks: u64,
    /// Of these, those that were told something wrong as if it were a success.
    pub wrong_successes: u64,
    /// How long neighbours waited in the queue, all together; those that still wait, up to the horizon.
    pub neighbour_wait: Duration,
    /// The most calls that were under way at the dependency at once, abandoned ones included, warm-up or not.
    pub dependency_peak: u32,
    /// Breakers that were stuck half-open.
    pub stuck_breakers: u32,
}

impl ServiceCounts {
    /// Whether a breaker was stuck half-open: an outcome of the whole run.
    #[must_use]
    pub fn stuck(&self) -> bool {
        self.stuck_breakers > 0
    }
}
