//! What the checks use of an engine, as a trait: the sound kit, and one planted defect per variant.

use engine::{Class, EventKey, StreamKey, Tally, Time};

/// The points at which the checks touch the engine. The default of each is the engine's own behaviour.
pub(crate) trait Kit {
    /// The variance of a sample.
    fn variance(sample: &[f64]) -> Option<f64> {
        sample.iter().copied().collect::<Tally>().variance()
    }

    /// The key of an event.
    fn key(time: Time, class: Class, sequence: u64) -> EventKey {
        EventKey::new(time, class, sequence)
    }

    /// Whether the timer for the completion of this customer's service goes off.
    fn fires(_customer: u64) -> bool {
        true
    }

    /// When measuring begins, if the warm-up is to end at `end`.
    fn warm_up_end(end: Time) -> Time {
        end
    }

    /// The root of the streams of a replication.
    fn root(replication: u64) -> StreamKey {
        StreamKey::root(2_026).child(replication)
    }

    /// The stream of the gaps between arrivals.
    fn gaps(root: StreamKey) -> StreamKey {
        root.child(0)
    }

    /// The stream of the service times.
    fn services(root: StreamKey) -> StreamKey {
        root.child(1)
    }
}

/// The engine as it is.
pub(crate) struct Sound;

impl Kit for Sound {}

/// Divides by n.
pub(crate) struct PopulationVariance;

impl Kit for PopulationVariance {
    fn variance(sample: &[f64]) -> Option<f64> {
        let n = sample.len() as f64;
        Sound::variance(sample).map(|variance| variance * (n - 1.0) / n)
    }
}

/// Reverses the order of the events of an instant and class, and lets what begins go before what ends.
pub(crate) struct ReversedTies;

impl Kit for ReversedTies {
    fn key(time: Time, class: Class, sequence: u64) -> EventKey {
        let class = if class == Class::Completion { Class::Observer } else { class };
        EventKey::new(time, class, EventKey::MAX_SEQUENCE - sequence)
    }
}

/// Loses every thousandth timer.
pub(crate) struct LostTimer;

impl Kit for LostTimer {
    fn fires(customer: u64) -> bool {
        customer % 1_000 != 999
    }
}

/// Begins to measure one nanosecond late.
pub(crate) struct LateWarmUp;

impl Kit for LateWarmUp {
    fn warm_up_end(end: Time) -> Time {
        end + engine::Duration::TICK
    }
}

/// Gives all replications the same seed.
pub(crate) struct OneSeed;

impl Kit for OneSeed {
    fn root(_replication: u64) -> StreamKey {
        Sound::root(0)
    }
}

/// Draws gaps and services from the same stream.
pub(crate) struct OneStream;

impl Kit for OneStream {
    fn services(root: StreamKey) -> StreamKey {
        Self::gaps(root)
    }
}
