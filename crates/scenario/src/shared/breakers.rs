//! The breakers of all designs: who shares a state with whom, in which lane.

use engine::Time;

use super::closed::History;
use super::grid::Grid;
use super::lanes::Lane;
use super::ledger::Accounts;
use super::loners::Loner;
use super::parked::Parked;
use crate::plan::RunPlan;
use crate::replication::Request;

/// Every design is in exactly one place: in a history while its breaker is closed, in a pack while it is open or
/// half-open, or a loner. Each of these is in exactly one lane, the one that holds the world in which it decides.
pub(super) struct Breakers<'a> {
    pub(super) grid: &'a Grid,
    pub(super) plan: &'a RunPlan,
    pub(super) requests: &'a [Request],
    pub(super) accounts: Accounts<'a>,
    pub(super) lanes: Vec<Lane>,
    pub(super) histories: Vec<History>,
    pub(super) spare_histories: Vec<u32>,
    /// Scratch: the places of histories in whose families somebody may open. Empty between results.
    pub(super) touched: Vec<usize>,
    pub(super) parked: Parked,
    pub(super) loners: Vec<Loner>,
    /// Breakers have heard of every call to the dependency before this request, in whatever world it ran. Brought up to date
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

impl Breakers<'_> {
    /// The breakers in `lane` hear how the call of request `call` ended. Says whether any of them opened, or ended a probe.
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
            self.loners_hear(lane, call, now);
        }
        changed
    }
}
