//! A dependency that suffers from its load: it gets slower, and fails more, the more is asked of it.

use engine::Duration;

/// A dependency with slots of its own. Calls beyond them are not turned away: they make everything that starts now slower
/// and likelier to fail. With clients that give up and try again, such a dependency can stay overloaded after the cause
/// has gone: a metastable failure (Bronson, Aghayev, Charapko and Zhu, HotOS 2021).
///
/// The *excess* is by how much of its slots the load exceeds them: with 20 slots and 30 calls under way, the new one
/// included, 0.5. Calls that their client has given up count until the dependency is done with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Calls that it can work on without getting slower; at least 1.
    pub slots: u32,
    /// How much longer a call holds, in parts of itself, per unit of excess; not negative.
    pub slowdown: f64,
    /// What part of the calls that would succeed fail instead, per unit of excess; not negative. No more than all.
    pub failures: f64,
}

impl Load {
    /// The excess with `calls` under way.
    pub(crate) fn excess(&self, calls: u32) -> f64 {
        f64::from(calls.saturating_sub(self.slots)) / f64::from(self.slots)
    }

    /// The probability of failure under an excess, from the one without.
    pub(crate) fn failure_probability(&self, without: f64, excess: f64) -> f64 {
        without + (1.0 - without) * (self.failures * excess).min(1.0)
    }

    /// The hold under an excess, from the one without.
    pub(crate) fn hold(&self, without: Duration, excess: f64) -> Duration {
        let more = without.as_nanos() as f64 * (self.slowdown * excess);
        Duration::from_nanos(without.as_nanos().saturating_add(more as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_exceeds_the_slots_hurts() {
        let load = Load { slots: 20, slowdown: 2.0, failures: 0.5 };
        let hold = Duration::from_millis(60);
        assert_eq!((load.excess(20), load.hold(hold, 0.0), load.failure_probability(0.1, 0.0)), (0.0, hold, 0.1));
        assert_eq!(load.excess(30), 0.5);
        assert_eq!(load.hold(hold, 0.5), Duration::from_millis(120));
        assert_eq!(load.failure_probability(0.2, 0.5), 0.2 + 0.8 * 0.25);
        assert_eq!(load.failure_probability(0.2, 99.0), 1.0);
    }
}
