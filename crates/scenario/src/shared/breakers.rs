//! The breakers of all designs: who shares a state with whom, in which lane.

use engine::Time;
use policies::AnyRule;

use super::closed::History;
use super::grid::Grid;
use super::lane_set::LaneSet;
use super::lanes::Lane;
use super::ledger::Accounts;
use super::loners::Loner;
use super::parked::Parked;
use super::script::Script;

/// Every design is in exactly one place: in a history while its breaker is closed, in a pack while it is open or
/// half-open, or a loner. Each of these is in exactly one lane, the one that holds the world in which it decides.
#[derive(Clone)]
pub(super) struct Breakers<'a> {
    pub(super) grid: &'a Grid,
    pub(super) script: Script<'a>,
    pub(super) accounts: Accounts<'a>,
    pub(super) lanes: Vec<Lane>,
    pub(super) histories: Vec<History>,
    /// Those without members.
    pub(super) spare_histories: Vec<u32>,
    /// Scratch: the places of histories of which a member may open. Empty between results.
    pub(super) touched: Vec<usize>,
    pub(super) parked: Parked,
    pub(super) loners: Vec<Loner>,
    /// Breakers have heard of every call before this one, in whatever world it ran. Brought up to date
    /// when histories are to be joined.
    pub(super) settled: usize,
    /// The latest question. In every lane, breakers have heard of whatever ended by then; later on, one lane may be ahead of
    /// another.
    pub(super) asked: Time,
    pub(super) joining: Joining,
    pub(super) joins: u64,
}

/// When histories are joined. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Joining {
    /// When a lane has many, and again when they have doubled: this bounds memory, and costs next to nothing.
    #[default]
    Doubled,
    /// After every result.
    Always,
}

impl<'a> Breakers<'a> {
    /// All closed, in the first of `K` words of lanes.
    pub(super) fn new<const K: usize>(rules: &[AnyRule], grid: &'a Grid, joining: Joining, script: Script<'a>) -> Self {
        let lanes = LaneSet::<K>::LANES;
        let mut first = Lane::EMPTY;
        let loner = |seat| grid.design(seat).map(|design| Loner::new(&rules[design as usize], seat, script.plan));
        let loners: Vec<Loner> = grid.loners().filter_map(loner).collect();
        first.loners = (0..loners.len() as u32).collect();
        let last_question = script.calls().checked_sub(1).map_or(Time::ZERO, |last| script.call(last).at);
        let mut breakers = Self {
            grid,
            script,
            accounts: Accounts::new(script, lanes, grid.seats()),
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
        breakers
    }

    /// From here on they go by another mode's script, which has been the same so far.
    pub(super) fn follow(&mut self, script: Script<'a>) {
        self.script = script;
        self.accounts.follow(script.plan);
    }

    /// The breakers in `lane` hear how that call ended. Says whether any of them opened, or ended a probe.
    pub(super) fn hear(&mut self, lane: usize, call: u32, failed: bool, now: Time) -> bool {
        let mut changed = self.hear_closed(lane, call, failed, now);
        if self.is_probe(lane, call) {
            self.probe_ended(lane, call, failed, now);
            changed = true;
        }
        if changed {
            self.park_gathered(lane, now);
        }
        if !self.lanes[lane].loners.is_empty() {
            self.loners_hear(lane, call as usize, now);
        }
        changed
    }
}
