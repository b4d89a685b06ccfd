//! All designs over one stream, step by step.

use engine::{Duration, Time};
use policies::AnyRule;

use super::breakers::{Breakers, Joining};
use super::grid::Grid;
use super::lane_set::LaneSet;
use super::lanes::Moment;
use super::script::Script;
use super::stats::SharingStats;
use super::worlds::{Heard, Worlds};
use crate::record::RunRecord;
use crate::replication::{Fate, Request};
use crate::scenario::OutcomeAt;

/// The sweep of one stream. Its clone is the same sweep once more, which may follow the stream of another mode.
#[derive(Clone)]
pub(super) struct Sweep<'a, W, const K: usize> {
    script: Script<'a>,
    worlds: W,
    breakers: Breakers<'a>,
    decisions: Decisions<K>,
    /// The call that comes next.
    next_call: usize,
    /// The regime that begins next, and when; never if there is none.
    next_regime: usize,
    next_change: Time,
    stats: SharingStats,
    /// Scratch: the results of a gap. Empty between gaps.
    heard: Vec<Heard<K>>,
}

/// What the breakers in each lane would say, by lane.
#[derive(Clone)]
struct Decisions<const K: usize> {
    admits: LaneSet<K>,
    rejects: LaneSet<K>,
    waits: LaneSet<K>,
    hears: LaneSet<K>,
}

/// Why designs could not be run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// There were more worlds than lanes.
    TooManyWorlds,
    /// Slot time may be too long to be counted exactly.
    TooLong,
}

impl Problem {
    /// Tries again if that may help.
    pub(super) fn with_more_lanes<T>(self, attempt: impl FnOnce() -> Result<T, Self>) -> Result<T, Self> {
        if self == Self::TooManyWorlds { attempt() } else { Err(self) }
    }
}

impl<const K: usize> Decisions<K> {
    #[inline]
    fn refresh(&mut self, lane: usize, breakers: &Breakers<'_>) {
        let members = &breakers.lanes[lane];
        let (closed, waiting) = (!members.histories.is_empty(), !members.waiting.is_empty());
        let (open, probing) = (!members.open.is_empty(), !members.probing.is_empty());
        let loners = !members.loners.is_empty();
        // Each of these is as good as chance, hence no branches; loners are rare.
        self.admits.put(lane, closed | waiting | (loners && breakers.any_loner(lane, true)));
        self.rejects.put(lane, open | probing | (loners && breakers.any_loner(lane, false)));
        self.waits.put(lane, waiting);
        self.hears.put(lane, closed | probing | loners);
    }
}

impl<'a, W: Worlds<'a, K>, const K: usize> Sweep<'a, W, K> {
    /// All breakers closed, in one world.
    pub(super) fn new(rules: &[AnyRule], grid: &'a Grid, joining: Joining, script: Script<'a>) -> Self {
        let breakers = Breakers::new::<K>(rules, grid, joining, script);
        let none = LaneSet::EMPTY;
        let mut decisions = Decisions { admits: none, rejects: none, waits: none, hears: none };
        decisions.refresh(0, &breakers);
        Self {
            script,
            worlds: W::new(script),
            breakers,
            decisions,
            next_call: 0,
            next_regime: 0,
            next_change: script.plan.regimes[0].0,
            stats: SharingStats { most_worlds: 1, ..SharingStats::default() },
            heard: Vec::new(),
        }
    }

    /// **The prefix rule.** Goes on with the stream of another mode, which has been the same up to the next call: the same
    /// requests, and the same regimes at the same instants.
    pub(super) fn follow(&mut self, script: Script<'a>) {
        self.script = script;
        self.worlds.follow(script);
        self.breakers.follow(script);
        self.next_change = script.plan.regimes.get(self.next_regime).map_or(Time::MAX, |&(start, _)| start);
    }

    /// What has been counted so far; from now on only the rest is.
    pub(super) fn take_stats(&mut self) -> SharingStats {
        let seen = self.next_call.checked_sub(1).map_or(0, |last| self.script.position(last) + 1);
        let worlds = self.worlds.alive().len();
        let joins = std::mem::take(&mut self.breakers.joins);
        let mut rest = SharingStats { most_worlds: worlds as u64, ..SharingStats::default() };
        (0..worlds).for_each(|_| rest.world_begins(seen));
        let mut stats = SharingStats { joins, ..std::mem::replace(&mut self.stats, rest) };
        (0..worlds).for_each(|_| stats.world_ends(seen));
        stats
    }

    /// Runs until all calls before this one have been answered.
    pub(super) fn run_until(&mut self, call: usize) -> Result<(), Problem> {
        while self.next_call < call {
            let now = self.script.call(self.next_call).at;
            self.pass(self.next_call, now + Duration::TICK);
            self.dependency(self.next_call)?;
            self.next_call += 1;
        }
        Ok(())
    }

    /// Runs to the horizon. Returns the records by design.
    pub(super) fn run(mut self) -> Result<(Vec<RunRecord>, SharingStats), Problem> {
        let Script { plan, requests, .. } = self.script;
        self.run_until(self.script.calls())?;
        // The horizon itself is no part of the run.
        self.pass(self.script.calls(), plan.horizon);
        self.breakers.catch_up_loners(plan.horizon);
        (0..self.worlds.alive().len()).for_each(|_| self.stats.world_ends(requests.len()));
        if self.breakers.accounts.may_be_too_long() {
            return Err(Problem::TooLong);
        }
        let records = self.records();
        let stats = SharingStats {
            streams: 1,
            requests: requests.len() as u64,
            design_requests: (requests.len() * records.len()) as u64,
            joins: self.breakers.joins,
            ..self.stats
        };
        Ok((records, stats))
    }

    /// Lets happen what lies in a gap and before `limit`: holds end, breakers hear of results, regimes begin. A regime comes
    /// after what ends earlier and before whatever else happens at its instant.
    #[inline(always)]
    fn pass(&mut self, gap: usize, limit: Time) {
        let Self { worlds, breakers, heard, .. } = self;
        worlds.pass(gap, |request, full| breakers.accounts.neighbour_without_slot(request, full), heard);
        let mut results = std::mem::take(&mut self.heard);
        for Heard { lanes, call, end } in results.drain(..) {
            while self.next_change <= end {
                self.begin_regime();
            }
            let failed = self.script.call(call as usize).fate == Fate::Failure;
            for lane in lanes & self.decisions.hears {
                if self.breakers.hear(lane, call, failed, end) {
                    self.decisions.refresh(lane, &self.breakers);
                }
            }
        }
        self.heard = results;
        while self.next_change < limit {
            self.begin_regime();
        }
    }

    #[cold]
    fn begin_regime(&mut self) {
        let (plan, index) = (self.script.plan, self.next_regime);
        let (start, opening) = plan.regimes[index];
        self.breakers.catch_up_loners(start);
        self.breakers.accounts.begin_regime(opening);
        if index == 1 {
            self.breakers.accounts.begin_fault();
            self.breakers.note_phases(start, Moment::Fault);
        }
        if plan.heal_at == Some(start) {
            self.breakers.note_phases(start, Moment::Heal);
        }
        self.next_regime += 1;
        self.next_change = plan.regimes.get(self.next_regime).map_or(Time::MAX, |&(start, _)| start);
    }

    /// A request to the dependency: wake, merge, fork; then every world decides one thing.
    fn dependency(&mut self, call: usize) -> Result<(), Problem> {
        let (plan, request) = (self.script.plan, self.script.call(call));
        let now = request.at;
        self.breakers.asked = now;
        let decisions = &mut self.decisions;
        self.breakers.wake(now, |breakers, lane| decisions.refresh(lane, breakers));
        self.ask_loners(request);
        self.merge(call);
        for lane in self.decisions.admits & self.decisions.rejects {
            self.fork(call, lane)?;
        }
        let Decisions { admits, rejects, waits, .. } = self.decisions;
        let full = self.worlds.full(call);
        let (started, no_slot) = (admits.without(full), admits & full);
        let hold_rejections = LaneSet::all_if(!plan.rejection_hold.is_zero());
        self.worlds.begin(call, started, rejects.without(full) & hold_rejections);
        let accounts = &mut self.breakers.accounts;
        accounts.call(request, started, no_slot, rejects);

        for lane in waits & started {
            self.breakers.probe(lane, call as u32);
            self.decisions.refresh(lane, &self.breakers);
        }
        if !self.breakers.loners.is_empty() {
            no_slot.into_iter().for_each(|lane| self.breakers.release_loners(lane, request));
        }
        if plan.outcome == OutcomeAt::Admission {
            for lane in started {
                if self.breakers.hear(lane, call as u32, request.fate == Fate::Failure, now) {
                    self.decisions.refresh(lane, &self.breakers);
                }
            }
        }
        Ok(())
    }

    fn ask_loners(&mut self, request: &Request) {
        if !self.breakers.loners.is_empty() {
            self.breakers.ask_loners(request);
            for lane in self.worlds.alive() {
                self.decisions.refresh(lane, &self.breakers);
            }
        }
    }

    fn fork(&mut self, call: usize, lane: usize) -> Result<(), Problem> {
        let to = self.worlds.alive().first_absent().ok_or(Problem::TooManyWorlds)?;
        self.worlds.fork(lane, to);
        self.breakers.fork(lane, to);
        self.decisions.refresh(lane, &self.breakers);
        self.decisions.refresh(to, &self.breakers);
        self.stats.forks += 1;
        self.stats.world_begins(self.script.position(call));
        self.stats.most_worlds = self.stats.most_worlds.max(self.worlds.alive().len() as u64);
        Ok(())
    }

    #[inline(always)]
    fn merge(&mut self, call: usize) {
        let Self { worlds, breakers, decisions, stats, script, .. } = self;
        worlds.merge(|into, from| {
            breakers.merge(into, from);
            decisions.refresh(into, breakers);
            decisions.refresh(from, breakers);
            stats.merges += 1;
            stats.world_ends(script.position(call));
        });
    }

    /// The records by design.
    fn records(&mut self) -> Vec<RunRecord> {
        let Breakers { grid, accounts, lanes, histories, parked, loners, .. } = &mut self.breakers;
        // By seat: all that its accounts come to.
        for lane in self.worlds.alive() {
            let world = accounts.lane(lane);
            for watched in &lanes[lane].histories {
                let history = &histories[watched.history as usize];
                let mut shared = history.offset;
                shared += world;
                history.seats().for_each(|seat| *accounts.seat_mut(seat) += shared);
            }
            for pack in lanes[lane].packs() {
                let pack = parked.pack(pack);
                let mut shared = pack.offset;
                shared += world;
                pack.seats.iter().for_each(|&seat| *accounts.seat_mut(seat) += shared);
            }
            for &loner in &lanes[lane].loners {
                *accounts.seat_mut(loners[loner as usize].seat) += world;
            }
        }
        grid.seat_of().iter().map(|&seat| accounts.record(seat)).collect()
    }
}
