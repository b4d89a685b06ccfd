//! Worlds as values: the readable form.

use std::collections::VecDeque;

use engine::{Duration, Time};

use super::{Hold, Worlds};
use crate::plan::RunPlan;
use crate::replication::Request;
use crate::shared::fingerprints::Fingerprints;
use crate::shared::lane_set::LaneSet;

/// Each lane has a world of its own, which is cloned at a fork and compared before a merge.
pub(in crate::shared) struct ValueWorlds<'a, const K: usize> {
    requests: &'a [Request],
    plan: &'a RunPlan,
    alive: LaneSet<K>,
    worlds: Vec<World>,
    fingerprints: Fingerprints,
}

/// The holds that are under way, in the order in which they end. Their number is that of busy slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct World {
    holds: VecDeque<Held>,
}

/// A hold by (end, name), so that what ends together ends in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Held {
    end: Time,
    name: u32,
}

impl<'a, const K: usize> Worlds<'a, K> for ValueWorlds<'a, K> {
    fn new(requests: &'a [Request], plan: &'a RunPlan) -> Self {
        Self {
            requests,
            plan,
            alive: LaneSet::just(0),
            worlds: vec![World::default(); LaneSet::<K>::LANES],
            fingerprints: Fingerprints::new(LaneSet::<K>::LANES),
        }
    }

    fn alive(&self) -> LaneSet<K> {
        self.alive
    }

    fn full(&self) -> LaneSet<K> {
        let mut full = LaneSet::EMPTY;
        for lane in self.alive {
            full.put(lane, self.worlds[lane].holds.len() == self.plan.slots as usize);
        }
        full
    }

    fn end_until(&mut self, next: usize, limit: Time, mut heard: impl FnMut(LaneSet<K>, u32, Time)) {
        let arrival = self.requests.get(next).map_or(self.plan.horizon, |request| request.at + Duration::TICK);
        let limit = limit.min(arrival);
        for lane in self.alive {
            let world = &mut self.worlds[lane];
            while let Some(&held) = world.holds.front().filter(|held| held.end < limit) {
                world.holds.pop_front();
                self.fingerprints.end(held.name, LaneSet::<K>::just(lane));
                let (index, hold) = Hold::named(held.name);
                if hold.is_heard(&self.requests[index], self.plan) {
                    heard(LaneSet::just(lane), index as u32, held.end);
                }
            }
        }
    }

    fn begin(&mut self, index: usize, hold: Hold, lanes: LaneSet<K>) {
        let request = &self.requests[index];
        let held = Held { end: request.at + hold.duration(request, self.plan), name: hold.name(index) };
        for lane in lanes {
            let holds = &mut self.worlds[lane].holds;
            let place = holds.partition_point(|other| other < &held);
            holds.insert(place, held);
        }
        self.fingerprints.begin(held.name, lanes);
    }

    fn fork(&mut self, from: usize, to: usize) {
        self.worlds[to] = self.worlds[from].clone();
        self.fingerprints.fork(from, to);
        self.alive.put(to, true);
    }

    fn merge(&mut self, mut merge: impl FnMut(usize, usize)) {
        let Self { alive, worlds, fingerprints, .. } = self;
        let before = *alive;
        fingerprints.coinciding(
            before,
            |first, second| worlds[first] == worlds[second],
            |first, second| {
                alive.put(second, false);
                merge(first, second);
            },
        );
    }
}
