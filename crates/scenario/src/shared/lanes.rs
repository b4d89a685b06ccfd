//! Who is in a lane, and what becomes of them when worlds fork and merge.

use engine::Time;

use super::breakers::Breakers;
use super::clone_in_place::clone_in_place;
use super::result_log::{ResultLog, Watched};
use crate::plan::RunPlan;

/// The breakers that decide in one world.
#[derive(Debug, Default)]
pub(super) struct Lane {
    /// Closed breakers, and what they have heard.
    pub(super) histories: Vec<Watched>,
    pub(super) log: ResultLog,
    /// Packs whose open time has not passed, or whose wish to probe nobody has heard.
    pub(super) open: Vec<u32>,
    /// Packs that probe with the next call that finds a slot.
    pub(super) waiting: Vec<u32>,
    /// Packs whose probe is under way.
    pub(super) probing: Vec<Probe>,
    pub(super) loners: Vec<u32>,
    /// Histories are joined when there are so many.
    pub(super) join_at: usize,
}

/// A pack, and the call with which it probes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub(super) pack: u32,
    pub(super) call: u32,
}

/// Fewer histories in a lane are not joined, unless they always are.
pub(super) const JOIN_AT: usize = 8;

clone_in_place!(Lane { histories, log, open, waiting, probing, loners, join_at });

impl Lane {
    /// Nobody is in it, and nothing has been heard.
    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.log = ResultLog::EMPTY;
        self.probing.clear();
        for list in [&mut self.open, &mut self.waiting, &mut self.loners] {
            list.clear();
        }
        self.join_at = JOIN_AT;
    }

    pub(super) fn packs(&self) -> impl Iterator<Item = u32> {
        self.open.iter().chain(&self.waiting).copied().chain(self.probing.iter().map(|probe| probe.pack))
    }
}

#[inline(always)]
fn move_all<T>(from: &mut Vec<T>, to: &mut Vec<T>) {
    if !from.is_empty() {
        to.append(from);
    }
}

impl Breakers {
    /// **The fork rule.** Breakers in lane `from` disagree about a call: those that admit it and those that reject it get a
    /// world each. The side with fewer groups moves to lane `to`, whose world is a copy. So do the counters, and what
    /// the designs have counted so far stays right.
    pub(super) fn fork(&mut self, from: usize, to: usize) {
        self.accounts.fork(from, to);
        let Self { lanes, loners, parked, .. } = self;
        let Ok([from, into]) = lanes.get_disjoint_mut([from, to]) else { return };
        let admits = |loner: &u32| loners[*loner as usize].admitted;
        let admitting_loners = from.loners.iter().copied().filter(admits).count();
        let admitting = from.histories.len() + from.waiting.len() + admitting_loners;
        let rejecting = from.open.len() + from.probing.len() + from.loners.len() - admitting_loners;
        let admitting_move = admitting < rejecting;
        if admitting_move {
            std::mem::swap(&mut from.histories, &mut into.histories);
            std::mem::swap(&mut from.waiting, &mut into.waiting);
        } else {
            std::mem::swap(&mut from.open, &mut into.open);
            std::mem::swap(&mut from.probing, &mut into.probing);
        }
        into.loners.extend(from.loners.extract_if(.., |loner| admits(loner) == admitting_move));
        into.loners.iter().for_each(|&loner| loners[loner as usize].lane = to);
        into.join_at = from.join_at;
        into.log = from.log;
        for pack in into.packs() {
            parked.move_to_lane(pack, to);
        }
    }

    /// **The merge rule.** The worlds of the two lanes have been found equal, hold by hold. Everybody in lane `from` moves to
    /// lane `into`, and whatever `from` counted more than `into` is added to the offset of each history and pack: no design
    /// is touched.
    pub(super) fn merge(&mut self, into: usize, from: usize) {
        let difference = self.accounts.lane(from) - self.accounts.lane(into);
        let Self { lanes, histories, parked, loners, accounts, .. } = self;
        let Ok([to, from]) = lanes.get_disjoint_mut([into, from]) else { return };
        for watched in &from.histories {
            histories[watched.history as usize].offset += difference;
        }
        // One log goes on; the histories of the other, the fewer ones, are brought up to date with theirs and go over.
        let (moving, theirs) = if from.histories.len() > to.histories.len() {
            (&mut to.histories, std::mem::replace(&mut to.log, from.log))
        } else {
            (&mut from.histories, from.log)
        };
        for watched in moving {
            let history = &mut histories[watched.history as usize];
            history.catch_up(&theirs);
            watched.alarm = history.attach(&mut to.log);
        }
        for pack in from.packs() {
            parked.merge_into(pack, into, difference);
        }
        parked.move_places(&from.open, to.open.len());
        for &loner in &from.loners {
            let loner = &mut loners[loner as usize];
            *accounts.seat_mut(loner.seat) += difference;
            loner.lane = into;
        }
        // Most of these lists are empty.
        move_all(&mut from.histories, &mut to.histories);
        move_all(&mut from.open, &mut to.open);
        move_all(&mut from.waiting, &mut to.waiting);
        move_all(&mut from.probing, &mut to.probing);
        move_all(&mut from.loners, &mut to.loners);
    }

    /// The fault begins, or the dependency heals: notes who is closed and who is not.
    pub(super) fn note_phases(&mut self, plan: &RunPlan, now: Time, moment: Moment) {
        let Self { lanes, histories, parked, accounts, loners, .. } = self;
        for lane in lanes.iter() {
            if moment == Moment::Fault {
                for pack in lane.packs() {
                    parked.pack(pack).seats.iter().for_each(|&seat| accounts.open_at_fault(seat));
                }
            } else {
                for watched in &lane.histories {
                    histories[watched.history as usize].seats().for_each(|seat| accounts.closed(plan, seat, now));
                }
            }
        }
        for loner in loners {
            loner.note_phase(now, moment, plan, accounts);
        }
    }
}

/// When the phase of every breaker is noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moment {
    Fault,
    Heal,
}
