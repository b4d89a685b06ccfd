//! All designs over one stream, step by step.

use engine::Time;
use policies::AnyRule;

use super::breakers::{Breakers, Joining};
use super::grid::Grid;
use super::lane_set::LaneSet;
use super::lanes::{Lane, Moment};
use super::ledger::{Accounts, Counts};
use super::loners::Loner;
use super::parked::Parked;
use super::stats::SharingStats;
use super::worlds::{Hold, Worlds};
use crate::plan::RunPlan;
use crate::record::RunRecord;
use crate::replication::{Fate, Request};
use crate::scenario::OutcomeAt;

/// The sweep of one stream.
pub(super) struct Sweep<'a, W, const K: usize> {
    plan: &'a RunPlan,
    requests: &'a [Request],
    worlds: W,
    breakers: Breakers<'a>,
    decisions: Decisions<K>,
    /// The regime that begins next, and when; never if there is none.
    next_regime: usize,
    next_change: Time,
    /// World-requests are counted up to this one.
    counted_to: usize,
    stats: SharingStats,
}

/// What the breakers in each lane would say, by lane.
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
        self.admits.put(lane, closed || waiting || loners && breakers.any_loner(lane, true));
        self.rejects.put(lane, open || probing || loners && breakers.any_loner(lane, false));
        self.waits.put(lane, waiting);
        self.hears.put(lane, closed || probing || loners);
    }
}

impl<'a, W: Worlds<'a, K>, const K: usize> Sweep<'a, W, K> {
    /// All breakers closed, in one world.
    pub(super) fn new(
        rules: &[AnyRule],
        grid: &'a Grid,
        joining: Joining,
        requests: &'a [Request],
        plan: &'a RunPlan,
    ) -> Self {
        let lanes = LaneSet::<K>::LANES;
        let mut first = Lane::EMPTY;
        let loner = |seat| grid.design(seat).map(|design| Loner::new(&rules[design as usize], seat, plan));
        let loners: Vec<Loner> = grid.loners().filter_map(loner).collect();
        first.loners = (0..loners.len() as u32).collect();
        let last_question = requests.last().map_or(Time::ZERO, |request| request.at);
        let mut breakers = Breakers {
            grid,
            plan,
            requests,
            accounts: Accounts::new(plan, lanes, grid.seats()),
            lanes: std::iter::once(first).chain(vec![Lane::EMPTY; lanes - 1]).collect(),
            histories: Vec::new(),
            spare_histories: Vec::new(),
            touched: Vec::new(),
            parked: Parked::new(grid.open_times(), last_question),
            loners,
            settled: 0,
            asked: Time::ZERO,
            joining,
            joins: 0,
        };
        let shared = (0..grid.loners().start).filter(|&seat| grid.design(seat).is_some());
        breakers.close(0, 0, shared);
        let none = LaneSet::EMPTY;
        let mut decisions = Decisions { admits: none, rejects: none, waits: none, hears: none };
        decisions.refresh(0, &breakers);
        let stats = SharingStats { streams: 1, requests: requests.len() as u64, most_worlds: 1, ..Default::default() };
        let worlds = W::new(requests, plan);
        Self {
            plan,
            requests,
            worlds,
            breakers,
            decisions,
            next_regime: 0,
            next_change: plan.regimes[0].0,
            counted_to: 0,
            stats,
        }
    }

    /// Runs to the horizon. Returns the records by design.
    pub(super) fn run(mut self) -> Result<(Vec<RunRecord>, SharingStats), Problem> {
        for (index, request) in self.requests.iter().enumerate() {
            self.pass_until(index, request.at);
            if request.fate == Fate::Neighbour {
                self.neighbour(index, request);
            } else {
                self.dependency(index, request)?;
            }
        }
        // The horizon itself is no part of the run.
        let horizon = self.plan.horizon;
        while self.next_change < horizon {
            self.begin_regime(self.requests.len());
        }
        self.end_until(self.requests.len(), horizon);
        self.breakers.catch_up_loners(self.plan.horizon);
        self.count_worlds(self.requests.len());
        let accounts = &mut self.breakers.accounts;
        if accounts.may_be_too_long() {
            return Err(Problem::TooLong);
        }
        accounts.count_neighbours(self.requests);
        let records = self.records();
        let stats = SharingStats {
            design_requests: (self.requests.len() * records.len()) as u64,
            joins: self.breakers.joins,
            ..self.stats
        };
        Ok((records, stats))
    }

    /// Lets happen what lies before arrival `next`, at `now`: completions, and regimes that begin.
    #[inline(always)]
    fn pass_until(&mut self, next: usize, now: Time) {
        while self.next_change <= now {
            self.begin_regime(next);
        }
        self.end_until(next, Time::MAX);
    }

    /// The next regime begins before arrival `next`, after what ends earlier and before whatever else happens at its instant.
    #[cold]
    fn begin_regime(&mut self, next: usize) {
        self.end_until(next, self.next_change);
        let (plan, index) = (self.plan, self.next_regime);
        let (start, opening) = plan.regimes[index];
        self.breakers.catch_up_loners(start);
        self.breakers.accounts.begin_regime(opening);
        if index == 1 {
            self.breakers.note_phases(start, Moment::Fault);
        }
        if plan.heal_at == Some(start) {
            self.breakers.note_phases(start, Moment::Heal);
        }
        self.next_regime += 1;
        self.next_change = plan.regimes.get(self.next_regime).map_or(Time::MAX, |&(start, _)| start);
    }

    #[inline(always)]
    fn end_until(&mut self, next: usize, limit: Time) {
        let Self { worlds, breakers, decisions, requests, .. } = self;
        worlds.end_until(next, limit, |lanes, call, end| {
            let failed = requests[call as usize].fate == Fate::Failure;
            for lane in lanes & decisions.hears {
                if breakers.hear(lane, call, failed, end) {
                    decisions.refresh(lane, breakers);
                }
            }
        });
    }

    #[inline(always)]
    fn neighbour(&mut self, index: usize, request: &Request) {
        let full = self.worlds.full();
        if !full.is_empty() {
            self.breakers.accounts.neighbour_without_slot(request, full);
        }
        self.worlds.begin(index, Hold::Request, self.worlds.alive().without(full));
    }

    /// A request to the dependency: wake, merge, fork; then every world decides one thing.
    fn dependency(&mut self, index: usize, request: &Request) -> Result<(), Problem> {
        let now = request.at;
        self.breakers.asked = now;
        while let Some(lane) = self.breakers.wake_next(now) {
            self.decisions.refresh(lane, &self.breakers);
        }
        self.ask_loners(request);
        self.count_worlds(index);
        self.merge();
        for lane in self.decisions.admits & self.decisions.rejects {
            self.fork(lane)?;
        }
        let Decisions { admits, rejects, waits, .. } = self.decisions;
        let full = self.worlds.full();
        let (started, no_slot) = (admits.without(full), admits & full);
        self.worlds.begin(index, Hold::Request, started);
        if !self.plan.rejection_hold.is_zero() {
            self.worlds.begin(index, Hold::Rejection, rejects.without(full));
        }
        let accounts = &mut self.breakers.accounts;
        accounts.dependency(request, started, no_slot, rejects);

        for lane in waits & started {
            self.breakers.probe(lane, index as u32);
            self.decisions.refresh(lane, &self.breakers);
        }
        if !self.breakers.loners.is_empty() {
            no_slot.into_iter().for_each(|lane| self.breakers.release_loners(lane, request));
        }
        if self.plan.outcome == OutcomeAt::Admission {
            for lane in started {
                if self.breakers.hear(lane, index as u32, request.fate == Fate::Failure, now) {
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

    fn fork(&mut self, lane: usize) -> Result<(), Problem> {
        let to = self.worlds.alive().first_absent().ok_or(Problem::TooManyWorlds)?;
        self.worlds.fork(lane, to);
        self.breakers.fork(lane, to);
        self.decisions.refresh(lane, &self.breakers);
        self.decisions.refresh(to, &self.breakers);
        self.stats.forks += 1;
        Ok(())
    }

    #[inline(always)]
    fn merge(&mut self) {
        let Self { worlds, breakers, decisions, stats, .. } = self;
        worlds.merge(|into, from| {
            breakers.merge(into, from);
            decisions.refresh(into, breakers);
            decisions.refresh(from, breakers);
            stats.merges += 1;
        });
    }

    /// Counts the worlds that have seen the requests before `index`.
    fn count_worlds(&mut self, index: usize) {
        let worlds = self.worlds.alive().len() as u64;
        self.stats.world_requests += worlds * (index - self.counted_to) as u64;
        self.stats.most_worlds = self.stats.most_worlds.max(worlds);
        self.counted_to = index;
    }

    /// The records by design.
    fn records(&self) -> Vec<RunRecord> {
        let Breakers { grid, accounts, lanes, histories, parked, loners, .. } = &self.breakers;
        let mut records = vec![None; grid.designs()];
        let mut put = |seat, shared: &Counts, lane| {
            if let Some(design) = grid.design(seat) {
                records[design as usize] = Some(accounts.record(seat, shared, lane));
            }
        };
        for lane in self.worlds.alive() {
            for &history in &lanes[lane].histories {
                let history = &histories[history as usize];
                history.seats().for_each(|seat| put(seat, &history.offset, lane));
            }
            for pack in lanes[lane].packs() {
                let pack = parked.pack(pack);
                pack.seats.iter().for_each(|&seat| put(seat, &pack.offset, lane));
            }
            for &loner in &lanes[lane].loners {
                put(loners[loner as usize].seat, &Counts::ZERO, lane);
            }
        }
        records.into_iter().map(|record| record.expect("every design is in a lane")).collect()
    }
}
