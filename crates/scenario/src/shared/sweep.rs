//! All designs over one stream, step by step.

use engine::{Duration, Time};
use policies::AnyRule;

use super::breakers::{Breakers, Joining};
use super::clone_in_place::clone_in_place;
use super::lane_set::LaneSet;
use super::lanes::Moment;
use super::script::Script;
use super::stats::SharingStats;
use super::worlds::{Heard, Worlds};
use crate::plan::RunPlan;
use crate::record::RunRecord;
use crate::replication::{Fate, Request};
use crate::scenario::OutcomeAt;

/// The sweep of one stream, and afterwards of another one. Its clone is the same sweep once more.
///
/// **The prefix rule.** It may go on with the script of another mode, which has been the same up to the next call: the same
/// requests, and the same regimes at the same instants.
#[derive(Default)]
pub(super) struct Sweep<W, const K: usize> {
    worlds: W,
    breakers: Breakers,
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

clone_in_place!([W: Clone, const K: usize] Sweep<W, K> {
    worlds, breakers, decisions, next_call, next_regime, next_change, stats, heard,
});

/// What the breakers in each lane would say, by lane.
#[derive(Clone, Default)]
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
    /// Nobody is in the lane any more.
    fn forget(&mut self, lane: usize) {
        for lanes in [&mut self.admits, &mut self.rejects, &mut self.waits, &mut self.hears] {
            lanes.put(lane, false);
        }
    }

    #[inline]
    fn refresh(&mut self, lane: usize, breakers: &Breakers) {
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

impl<W: Worlds<K>, const K: usize> Sweep<W, K> {
    /// All breakers are closed, in one world, and nothing has happened.
    pub(super) fn begin(&mut self, rules: &[AnyRule], joining: Joining, script: &Script<'_>) {
        self.worlds.begin_stream(script);
        self.breakers.begin::<K>(rules, joining, script);
        self.decisions = Decisions::default();
        self.decisions.refresh(0, &self.breakers);
        (self.next_call, self.next_regime) = (0, 0);
        self.next_change = self.start_of_next_regime(script);
        self.stats = SharingStats { most_worlds: 1, ..SharingStats::default() };
        self.heard.clear();
    }

    /// What has been counted so far; from now on only the rest is.
    pub(super) fn take_stats(&mut self, script: &Script<'_>) -> SharingStats {
        let seen = self.next_call.checked_sub(1).map_or(0, |last| script.position(last) + 1);
        let worlds = self.worlds.alive().len();
        let joins = std::mem::take(&mut self.breakers.joins);
        let mut rest = SharingStats { most_worlds: worlds as u64, ..SharingStats::default() };
        (0..worlds).for_each(|_| rest.world_begins(seen));
        let mut stats = SharingStats { joins, ..std::mem::replace(&mut self.stats, rest) };
        (0..worlds).for_each(|_| stats.world_ends(seen));
        stats
    }

    /// Runs until all calls before this one have been answered.
    pub(super) fn run_until(&mut self, script: &Script<'_>, call: usize) -> Result<(), Problem> {
        // Another script may have been followed before.
        self.next_change = self.start_of_next_regime(script);
        while self.next_call < call {
            let now = script.call(self.next_call).at;
            self.pass(script, self.next_call, now + Duration::TICK);
            self.dependency(script, self.next_call)?;
            self.next_call += 1;
        }
        Ok(())
    }

    /// Runs to the horizon. Puts the records by design in the place of those that are there.
    pub(super) fn run(&mut self, script: &Script<'_>, records: &mut Vec<RunRecord>) -> Result<SharingStats, Problem> {
        let Script { plan, requests, .. } = *script;
        self.run_until(script, script.calls())?;
        // The horizon itself is no part of the run.
        self.pass(script, script.calls(), plan.horizon);
        self.breakers.catch_up_loners(plan, plan.horizon);
        (0..self.worlds.alive().len()).for_each(|_| self.stats.world_ends(requests.len()));
        if self.breakers.accounts.may_be_too_long() {
            return Err(Problem::TooLong);
        }
        self.record(script, records);
        Ok(SharingStats {
            streams: 1,
            requests: requests.len() as u64,
            design_requests: (requests.len() * records.len()) as u64,
            joins: self.breakers.joins,
            ..self.stats
        })
    }

    fn start_of_next_regime(&self, script: &Script<'_>) -> Time {
        script.plan.regimes.get(self.next_regime).map_or(Time::MAX, |&(start, _)| start)
    }

    /// Lets happen what lies in a gap and before `limit`: holds end, breakers hear of results, regimes begin. A regime comes
    /// after what ends earlier and before whatever else happens at its instant.
    #[inline(always)]
    fn pass(&mut self, script: &Script<'_>, gap: usize, limit: Time) {
        let Self { worlds, breakers, heard, .. } = self;
        let accounts = &mut breakers.accounts;
        let turned_away = |request: &Request, full| accounts.neighbour_without_slot(script.plan, request, full);
        worlds.pass(script, gap, turned_away, heard);
        let mut results = std::mem::take(&mut self.heard);
        while let Some(Heard { lanes, call, end }) = results.pop() {
            while self.next_change <= end {
                self.begin_regime(script);
            }
            let failed = script.call(call as usize).fate == Fate::Failure;
            self.hear(script, lanes & self.decisions.hears, call, failed, end);
        }
        self.heard = results;
        while self.next_change < limit {
            self.begin_regime(script);
        }
    }

    /// The breakers in these lanes hear how that call ended.
    #[inline(always)]
    fn hear(&mut self, script: &Script<'_>, lanes: LaneSet<K>, call: u32, failed: bool, now: Time) {
        for lane in lanes {
            if self.breakers.hear(script, lane, call, failed, now) {
                self.decisions.refresh(lane, &self.breakers);
            }
        }
    }

    #[cold]
    fn begin_regime(&mut self, script: &Script<'_>) {
        let (plan, index) = (script.plan, self.next_regime);
        let (start, opening) = plan.regimes[index];
        self.breakers.catch_up_loners(plan, start);
        self.breakers.accounts.begin_regime(opening);
        if index == 1 {
            self.breakers.accounts.begin_fault();
            self.breakers.note_phases(plan, start, Moment::Fault);
        }
        if plan.heal_at == Some(start) {
            self.breakers.note_phases(plan, start, Moment::Heal);
        }
        self.next_regime += 1;
        self.next_change = self.start_of_next_regime(script);
    }

    /// A request to the dependency: wake, merge, fork; then every world decides one thing.
    fn dependency(&mut self, script: &Script<'_>, call: usize) -> Result<(), Problem> {
        let (plan, request) = (script.plan, script.call(call));
        let now = request.at;
        self.breakers.asked = now;
        let decisions = &mut self.decisions;
        self.breakers.wake(call, |breakers, lane| decisions.refresh(lane, breakers));
        self.ask_loners(plan, request);
        self.merge(script, call);
        for lane in self.decisions.admits & self.decisions.rejects {
            self.fork(script, call, lane)?;
        }
        let Decisions { admits, rejects, waits, .. } = self.decisions;
        let full = self.worlds.full(script, call);
        let (started, no_slot) = (admits.without(full), admits & full);
        let hold_rejections = LaneSet::all_if(!plan.rejection_hold.is_zero());
        self.worlds.begin(script, call, started, rejects.without(full) & hold_rejections);
        self.breakers.accounts.call(plan, request, started, no_slot, rejects);

        for lane in waits & started {
            self.breakers.probe(lane, call as u32);
            self.decisions.refresh(lane, &self.breakers);
        }
        if !self.breakers.loners.is_empty() {
            no_slot.into_iter().for_each(|lane| self.breakers.release_loners(plan, lane, request));
        }
        if plan.outcome == OutcomeAt::Admission {
            self.hear(script, started, call as u32, request.fate == Fate::Failure, now);
        }
        Ok(())
    }

    fn ask_loners(&mut self, plan: &RunPlan, request: &Request) {
        if !self.breakers.loners.is_empty() {
            self.breakers.ask_loners(plan, request);
            for lane in self.worlds.alive() {
                self.decisions.refresh(lane, &self.breakers);
            }
        }
    }

    fn fork(&mut self, script: &Script<'_>, call: usize, lane: usize) -> Result<(), Problem> {
        let to = self.worlds.alive().first_absent().ok_or(Problem::TooManyWorlds)?;
        self.worlds.fork(lane, to);
        self.breakers.fork(lane, to);
        self.decisions.refresh(lane, &self.breakers);
        self.decisions.refresh(to, &self.breakers);
        self.stats.forks += 1;
        self.stats.world_begins(script.position(call));
        self.stats.most_worlds = self.stats.most_worlds.max(self.worlds.alive().len() as u64);
        Ok(())
    }

    #[inline(always)]
    fn merge(&mut self, script: &Script<'_>, call: usize) {
        let Self { worlds, breakers, decisions, stats, .. } = self;
        worlds.merge(|into, from| {
            breakers.merge(into, from);
            decisions.refresh(into, breakers);
            decisions.forget(from);
            stats.merges += 1;
            stats.world_ends(script.position(call));
        });
    }

    /// Puts the records by design in the place of those that are there.
    fn record(&mut self, script: &Script<'_>, records: &mut Vec<RunRecord>) {
        let Breakers { accounts, lanes, histories, parked, loners, .. } = &mut self.breakers;
        // By seat: all that its accounts come to.
        for lane in self.worlds.alive() {
            let world = accounts.world(lane);
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
        records.clear();
        records.extend(script.grid.seat_of().iter().map(|&seat| accounts.record(script.plan, seat)));
    }
}
