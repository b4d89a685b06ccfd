//! Worlds as values: the readable form.

use std::cmp::Reverse;
use std::collections::VecDeque;

use engine::{Duration, Time};

use super::{Heard, Hold, Worlds};
use crate::plan::RunPlan;
use crate::replication::Request;
use crate::shared::fingerprints::{Fingerprints, key};
use crate::shared::lane_set::LaneSet;
use crate::shared::script::Script;

/// Each lane has a world of its own, which is cloned at a fork and compared before a merge.
#[derive(Clone, Default)]
pub(in crate::shared) struct ValueWorlds<const K: usize> {
    alive: LaneSet<K>,
    worlds: Vec<World>,
    fingerprints: Fingerprints<K>,
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
    /// The call of whose end breakers hear.
    heard: Option<u32>,
}

impl<const K: usize> ValueWorlds<K> {
    /// Ends whatever ends before `limit`.
    fn end_before(&mut self, limit: Time, heard: &mut Vec<Heard<K>>) {
        for lane in self.alive {
            let world = &mut self.worlds[lane];
            while let Some(&held) = world.holds.front().filter(|held| held.end < limit) {
                world.holds.pop_front();
                let lanes = LaneSet::just(lane);
                self.fingerprints.end(key(held.name), lanes);
                heard.extend(held.heard.map(|call| Heard { lanes, call, end: held.end }));
            }
        }
    }

    fn add(&mut self, held: Held, lanes: LaneSet<K>) {
        for lane in lanes {
            let holds = &mut self.worlds[lane].holds;
            let place = holds.partition_point(|other| other < &held);
            holds.insert(place, held);
        }
        self.fingerprints.begin(key(held.name), lanes);
    }

    fn full_now(&self, plan: &RunPlan) -> LaneSet<K> {
        let mut full = LaneSet::EMPTY;
        for lane in self.alive {
            full.put(lane, self.worlds[lane].holds.len() == plan.slots as usize);
        }
        full
    }
}

impl<const K: usize> Worlds<K> for ValueWorlds<K> {
    fn begin_stream(&mut self, _script: &Script<'_>) {
        *self = Self {
            alive: LaneSet::just(0),
            worlds: vec![World::default(); LaneSet::<K>::LANES],
            fingerprints: Fingerprints::new(),
        };
    }

    fn alive(&self) -> LaneSet<K> {
        self.alive
    }

    fn pass(
        &mut self,
        script: &Script<'_>,
        gap: usize,
        mut turned_away: impl FnMut(&Request, LaneSet<K>),
        heard: &mut Vec<Heard<K>>,
    ) {
        let Script { plan, requests, backdrop, .. } = *script;
        for position in backdrop.gap(gap) {
            let request = &requests[position];
            self.end_before(request.at + Duration::TICK, heard);
            let full = self.full_now(plan);
            if !full.is_empty() {
                turned_away(request, full);
            }
            let held = Held { end: request.at + request.hold, name: Hold::Call.name(position), heard: None };
            self.add(held, self.alive.without(full));
        }
        let is_last = gap == script.calls();
        self.end_before(if is_last { plan.horizon } else { script.call(gap).at + Duration::TICK }, heard);
        // The lanes' worlds were worked off one after the other.
        heard.sort_by_key(|heard| Reverse((heard.end, heard.call)));
    }

    fn full(&self, script: &Script<'_>, _call: usize) -> LaneSet<K> {
        self.full_now(script.plan)
    }

    fn begin(&mut self, script: &Script<'_>, call: usize, started: LaneSet<K>, rejected: LaneSet<K>) {
        let (plan, request) = (script.plan, script.call(call));
        for (hold, lanes) in [(Hold::Call, started), (Hold::Rejection, rejected)] {
            let held = Held {
                end: request.at + hold.duration(request, plan),
                name: hold.name(script.position(call)),
                heard: hold.is_heard(plan).then_some(call as u32),
            };
            self.add(held, lanes);
        }
    }

    fn fork(&mut self, from: usize, to: usize) {
        self.worlds[to] = self.worlds[from].clone();
        self.fingerprints.fork(from, to);
        self.alive.put(to, true);
    }

    fn merge(&mut self, merge: impl FnMut(usize, usize)) {
        let Self { alive, worlds, fingerprints, .. } = self;
        fingerprints.coinciding(alive, |first, second| worlds[first] == worlds[second], merge);
    }
}
