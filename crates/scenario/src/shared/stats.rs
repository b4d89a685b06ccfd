//! How much the designs of a sweep shared.

use std::iter::Sum;
use std::ops::AddAssign;

/// What running designs together saved. Sums over streams, so that the figures of several add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharingStats {
    /// Streams that were run: one for each mode and replication.
    pub streams: u64,
    /// Requests before the horizon, summed over streams.
    pub requests: u64,
    /// Requests times designs: what would have been simulated one design at a time.
    pub design_requests: u64,
    /// Requests times worlds: what was simulated.
    pub world_requests: u64,
    /// The most worlds that were alive at once.
    pub most_worlds: u64,
    /// Worlds cloned because designs in them disagreed.
    pub forks: u64,
    /// Worlds given up because they had come to equal another one.
    pub merges: u64,
    /// Histories of closed breakers, or parts of them, joined because they had come to have one future.
    pub joins: u64,
}

impl SharingStats {
    /// A world begins after so many requests. (Sums are modulo 2⁶⁴ until all worlds have ended.)
    pub(super) fn world_begins(&mut self, requests: usize) {
        self.world_requests = self.world_requests.wrapping_sub(requests as u64);
    }

    /// A world ends after so many requests.
    pub(super) fn world_ends(&mut self, requests: usize) {
        self.world_requests = self.world_requests.wrapping_add(requests as u64);
    }

    /// Worlds alive at a request, on average.
    #[must_use]
    pub fn mean_worlds(&self) -> f64 {
        self.world_requests as f64 / self.requests as f64
    }

    /// Requests that did not have to be simulated because designs shared a world.
    #[must_use]
    pub const fn requests_saved(&self) -> u64 {
        self.design_requests.saturating_sub(self.world_requests)
    }
}

impl AddAssign for SharingStats {
    fn add_assign(&mut self, other: Self) {
        self.streams += other.streams;
        self.requests += other.requests;
        self.design_requests += other.design_requests;
        self.world_requests += other.world_requests;
        self.most_worlds = self.most_worlds.max(other.most_worlds);
        self.forks += other.forks;
        self.merges += other.merges;
        self.joins += other.joins;
    }
}

impl Sum for SharingStats {
    fn sum<I: Iterator<Item = Self>>(stats: I) -> Self {
        stats.fold(Self::default(), |mut sum, stats| {
            sum += stats;
            sum
        })
    }
}
