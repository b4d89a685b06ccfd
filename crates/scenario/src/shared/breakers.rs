//! The breakers of all designs: who shares a state with whom, in which lane.

use engine::Time;
use policies::AnyRule;

use super::clone_in_place::clone_in_place;
use super::closed::History;
use super::lane_set::LaneSet;
use super::lanes::Lane;
use super::ledger::Accounts;
use super::loners::Loner;
use super::parked::Parked;
use super::places::Places;
use super::script::Script;

/// Every design is in exactly one place: in a history while its breaker is closed, in a pack while it is open or
/// half-open, or a loner. Each of these is in exactly one lane, the one that holds the world in which it decides.
#[derive(Default)]
pub(super) struct Breakers {
    pub(super) accounts: Accounts,
    pub(super) lanes: Vec<Lane>,
    pub(super) histories: Vec<History>,
    /// Those without members.
    pub(super) spare_histories: Vec<u32>,
    /// Scratch: the places of histories of which a member may open. Empty between results.
    pub(super) touched: Places,
    /// Scratch: the places of the groups of a history of which a member may open. Empty between results.
    pub(super) due_groups: Places,
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

clone_in_place!(Breakers {
    accounts,
    lanes,
    histories,
    spare_histories,
    touched,
    due_groups,
    parked,
    loners,
    settled,
    asked,
    joining,
    joins,
});

/// When histories are joined. Results do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Joining {
    /// When a lane has many, and again when they are half as many more: this bounds memory, and costs next to nothing.
    #[default]
    Grown,
    /// After every result.
    Always,
}

impl Breakers {
    /// All are closed, in the first of `K` words of lanes. The loners' `rules` are by design.
    pub(super) fn begin<const K: usize>(&mut self, rules: &[AnyRule], joining: Joining, script: &Script<'_>) {
        let grid = script.grid;
        self.accounts.begin(script, LaneSet::<K>::LANES, grid.seats());
        self.lanes.resize_with(LaneSet::<K>::LANES, Lane::default);
        self.lanes.iter_mut().for_each(Lane::clear);
        self.spare_histories.clear();
        self.spare_histories.extend((0..self.histories.len() as u32).rev());
        self.parked.begin(grid.open_times(), script.calls());
        self.loners.clear();
        let loner = |seat| grid.design(seat).map(|design| Loner::new(&rules[design as usize], seat, script.plan));
        self.loners.extend(grid.loners().filter_map(loner));
        self.lanes[0].loners.extend(0..self.loners.len() as u32);
        (self.settled, self.asked) = (0, Time::ZERO);
        (self.joining, self.joins) = (joining, 0);
        if grid.families() > 0 {
            self.close(grid, 0, 0, grid.sharing());
        }
    }

    /// The breakers in `lane` hear how that call ended. Says whether any of them opened, or ended a probe.
    #[inline(always)]
    pub(super) fn hear(&mut self, script: &Script<'_>, lane: usize, call: u32, failed: bool, now: Time) -> bool {
        let mut changed = self.hear_closed(script, lane, call, failed, now);
        if self.is_probe(lane, call) {
            self.probe_ended(script, lane, call, failed, now);
            changed = true;
        }
        if changed {
            self.park_gathered(script, lane, now);
        }
        if !self.lanes[lane].loners.is_empty() {
            self.loners_hear(script, lane, call as usize, now);
        }
        changed
    }
}
