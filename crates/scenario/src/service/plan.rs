//! What the richer world knows of a run before the first event: options, regimes, and the keys of all draws.

use engine::StreamKey;

use super::Service;
use crate::mode::{Mode, Regime};
use crate::replication::identity;

/// The options of a run with everything that draws need.
#[derive(Clone, Debug)]
pub(crate) struct ServicePlan {
    pub(crate) service: Service,
    /// The regimes of the mode's timeline.
    pub(crate) regimes: Vec<Regime>,
    /// Keys what belongs to a replication.
    key: StreamKey,
    needs_service: bool,
}

impl ServicePlan {
    pub(crate) fn new(service: &Service, mode: &Mode, key: StreamKey) -> Self {
        let regimes = mode.timeline.iter().map(|(_, regime)| regime.clone()).collect();
        let needs_service = !service.beyond_the_plain_world(mode).is_empty();
        Self { service: service.clone(), regimes, key, needs_service }
    }

    /// Whether only the model of this module can run it.
    pub(crate) fn needs_service(&self) -> bool {
        self.needs_service
    }

    /// The stream of a purpose that is drawn anew for every attempt.
    pub(super) fn of_attempt(&self, purpose: u64, attempt: u32) -> StreamKey {
        let first = self.of_request(purpose);
        if attempt == 0 { first } else { first.child(u64::from(attempt)) }
    }

    /// The stream of a purpose that is drawn once for every dependency request.
    pub(super) fn of_request(&self, purpose: u64) -> StreamKey {
        self.key.child(identity::DEPENDENCY).child(purpose)
    }

    /// The client instance of a request.
    pub(super) fn instance(&self, flow: u64, number: u64) -> u32 {
        match self.service.instances {
            1 => 0,
            instances => {
                let uniform = self.key.child(flow).child(identity::INSTANCE).uniform(number);
                ((uniform * f64::from(instances)) as u32).min(instances - 1)
            }
        }
    }

    /// The shard of a dependency request.
    pub(crate) fn shard(&self, number: u64) -> u32 {
        let weights = &self.service.shards;
        if weights.len() < 2 {
            return 0;
        }
        let mut rest = self.of_request(identity::SHARD).uniform(number) * weights.iter().sum::<f64>();
        let found = weights.iter().position(|weight| {
            rest -= weight;
            rest < 0.0
        });
        found.unwrap_or(weights.len() - 1) as u32
    }

    /// By what factor the open duration of an instance's breakers differs from the rule's.
    pub(super) fn timer_factor(&self, instance: u32) -> f64 {
        let uniform = self.key.child(identity::RUN).child(identity::TIMER_JITTER).uniform(u64::from(instance));
        1.0 + self.service.timer_jitter * (2.0 * uniform - 1.0)
    }
}
