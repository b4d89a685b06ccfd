//! The streams of all modes of one replication, and what they have in common.

use engine::Time;

use crate::mode::Mode;
use crate::plan::RunPlan;
use crate::replication::{Fate, Replication, Request, RequestStream};

/// One stream for each mode of a replication.
///
/// Modes differ in what the dependency does, and not before its regimes differ: until then, they are one run.
#[derive(Clone, Debug)]
pub struct ModeStreams {
    streams: Vec<RequestStream>,
    one_backdrop: bool,
    common_until: Time,
}

impl ModeStreams {
    /// Draws the requests of every mode.
    #[must_use]
    pub fn draw(replication: &Replication<'_>, modes: &[Mode]) -> Self {
        let streams: Vec<_> = modes.iter().map(|mode| replication.stream(mode)).collect();
        let regime = |mode: &Mode, index: usize| mode.timeline.get(index).map(|(_, regime)| regime.clone());
        let common_until = plans_differ_from(&streams, |stream, index| {
            modes.first().map(|first| regime(first, index)) == Some(regime(&modes[stream], index))
        });
        Self { streams, one_backdrop: true, common_until }
    }

    /// Streams from recordings or tests, one for each mode. What they have in common is found by comparing them.
    #[must_use]
    pub fn new(streams: Vec<RequestStream>) -> Self {
        let mut common_until = plans_differ_from(&streams, |_, _| true);
        let mut one_backdrop = true;
        if let Some((first, others)) = streams.split_first() {
            for other in others {
                let pairs = || first.requests.iter().zip(&other.requests);
                one_backdrop &= first.requests.len() == other.requests.len()
                    && world_of(&first.plan) == world_of(&other.plan)
                    && pairs().all(|(one, other)| without_fate(one) == without_fate(other));
                if let Some((one, other)) = pairs().find(|(one, other)| one != other) {
                    common_until = common_until.min(one.at).min(other.at);
                }
            }
        }
        Self { streams, one_backdrop, common_until }
    }

    /// By mode.
    #[must_use]
    pub fn streams(&self) -> &[RequestStream] {
        &self.streams
    }

    /// Whether requests arrive at the same instants, and neighbours hold their slots for the same times, in all modes; and
    /// plans fix the same from the start, such as slots and what counts.
    pub(crate) fn have_one_backdrop(&self) -> bool {
        self.one_backdrop
    }

    /// What happens before this instant is the same in all modes, as long as breakers decide alike.
    pub(crate) fn common_until(&self) -> Time {
        self.common_until
    }
}

/// What modes do not change about a request: everything about a neighbour's, and when a call asks.
fn without_fate(request: &Request) -> (Time, Option<engine::Duration>) {
    (request.at, (request.fate == Fate::Neighbour).then_some(request.hold))
}

/// The earliest instant at which a regime begins that not all plans have. `same_regime(stream, index)` says whether that
/// regime's dependency is the same as in the first stream.
fn plans_differ_from(streams: &[RequestStream], same_regime: impl Fn(usize, usize) -> bool) -> Time {
    let Some(first) = streams.first().map(|stream| &stream.plan) else { return Time::ZERO };
    let mut from = Time::MAX;
    for (number, other) in streams.iter().map(|stream| &stream.plan).enumerate().skip(1) {
        if world_of(first) != world_of(other) {
            return Time::ZERO;
        }
        let regimes = first.regimes.len().max(other.regimes.len());
        let differs =
            |&index: &usize| first.regimes.get(index) != other.regimes.get(index) || !same_regime(number, index);
        if let Some(index) = (0..regimes).find(differs) {
            let start = |plan: &RunPlan| plan.regimes.get(index).map_or(Time::MAX, |&(start, _)| start);
            from = from.min(start(first)).min(start(other));
        }
        if first.heal_at != other.heal_at {
            let heals = [first.heal_at, other.heal_at].into_iter().flatten();
            from = heals.fold(from, Time::min);
        }
    }
    from
}

/// What a plan fixes from the start.
fn world_of(plan: &RunPlan) -> impl PartialEq {
    (plan.breaker_key, plan.slots, plan.outcome, plan.rejection_hold, plan.warm_up, plan.horizon)
}
