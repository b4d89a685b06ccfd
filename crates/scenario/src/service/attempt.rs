//! How an attempt fares: drawn by the identity of request and attempt.

use engine::{Duration, Time};

use super::plan::ServicePlan;
use crate::mode::Regime;
use crate::plan::RunPlan;
use crate::replication::identity;

/// How an attempt would end if nobody gave it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attempt {
    /// How long the dependency works on it.
    pub(crate) hold: Duration,
    pub(crate) outcome: Natural,
}

/// The end of an attempt that nobody gives up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Natural {
    Success,
    Failure,
    Cancelled,
    Ignored,
    /// The answer never comes.
    Lost,
}

/// Which attempt of which request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AttemptId {
    pub(crate) number: u64,
    pub(crate) attempt: u32,
    pub(crate) shard: u32,
}

impl ServicePlan {
    /// How an attempt fares that meets the dependency as it is at `at`, with so much load beyond its slots.
    pub(crate) fn attempt(&self, plan: &RunPlan, id: AttemptId, at: Time, excess: f64) -> Attempt {
        let AttemptId { number, attempt, shard } = id;
        let index = self.regime_index(plan, shard, at);
        let regime = &self.regimes[index];
        let mut probability = self.failure_probability(plan, index, shard, at);
        if let Some(load) = &self.service.load {
            probability = load.failure_probability(probability, excess);
        }
        let failed = self.of_attempt(identity::FAILURE, attempt).bernoulli(number, probability);
        let slow = regime
            .options
            .slow
            .as_ref()
            .filter(|slow| !failed && self.of_attempt(identity::SLOW, attempt).bernoulli(number, slow.probability));
        let law = match (failed, slow) {
            (true, _) => &regime.failure_hold,
            (false, Some(slow)) => &slow.hold,
            (false, None) => &regime.success_hold,
        };
        let mut hold = law.draw(self.of_attempt(identity::HOLD, attempt), number);
        if let Some(load) = &self.service.load {
            hold = load.hold(hold, excess);
        }
        let otherwise = if failed { Natural::Failure } else { Natural::Success };
        Attempt { hold, outcome: self.other_ending(regime, number, attempt).unwrap_or(otherwise) }
    }

    fn other_ending(&self, regime: &Regime, number: u64, attempt: u32) -> Option<Natural> {
        let options = &regime.options;
        if options.lost + options.cancelled + options.ignored == 0.0 {
            return None;
        }
        let uniform = self.of_attempt(identity::ENDING, attempt).uniform(number);
        match uniform {
            u if u < options.lost => Some(Natural::Lost),
            u if u < options.lost + options.cancelled => Some(Natural::Cancelled),
            u if u < options.lost + options.cancelled + options.ignored => Some(Natural::Ignored),
            _ => None,
        }
    }

    /// The regime in force for a shard at an instant: where one is for another shard only, the first.
    pub(super) fn regime_index(&self, plan: &RunPlan, shard: u32, at: Time) -> usize {
        let index = plan.regimes.partition_point(|&(start, _)| start <= at) - 1;
        if self.regimes[index].options.shard.is_none_or(|only| only == shard) { index } else { 0 }
    }

    /// The probability in force, ramps included.
    fn failure_probability(&self, plan: &RunPlan, index: usize, shard: u32, at: Time) -> f64 {
        let regime = &self.regimes[index];
        let Some(ramp) = &regime.options.ramp else { return regime.failure_probability };
        let (start, _) = plan.regimes[index];
        let before = match index {
            0 => regime.failure_probability,
            _ => {
                let previous = self.regime_index(plan, shard, Time::from_nanos(start.as_nanos() - 1));
                self.regimes[previous].failure_probability
            }
        };
        ramp.probability(before, regime.failure_probability, at.since(start))
    }
}
