//! Histories that have come to have one future.

use super::breakers::Breakers;
use super::closed::{History, ones};
use super::grid::{Grid, MAX_WINDOW};
use super::lanes::{JOIN_AT, Lane};
use super::script::Script;
use crate::scenario::OutcomeAt;

impl Breakers {
    /// **The join rule.** Two histories in one lane have one future, as far as a family can tell, if
    ///
    /// - the results that the family still remembers are equal: its window is full in both and its latest bits are equal,
    ///   or both have the same number of results and equal bits, or the runs are equal; and
    /// - no call is under way of which only one of them would hear: both begin with the same call, or every call before
    ///   either beginning has ended.
    ///
    /// Then the family's members become members of the older one, and what their history counted goes with them. Each
    /// history is compared with the oldest, since whoever has heard enough since it began is like that one, and with
    /// the first that begins with the same call.
    #[inline(never)]
    pub(super) fn join(&mut self, script: &Script<'_>, lane: usize) {
        self.settle(script);
        let Lane { log, histories, .. } = &mut self.lanes[lane];
        for watched in &*histories {
            self.histories[watched.history as usize].catch_up(log);
        }
        let mut list = std::mem::take(histories);
        list.sort_unstable_by_key(|watched| watched.first);
        let mut twin = 0;
        for place in 1..list.len() {
            twin = if list[place].first == list[twin].first { twin } else { place };
            self.join_pair(script.grid, list[0].history, list[place].history);
            if twin != 0 && twin != place {
                self.join_pair(script.grid, list[twin].history, list[place].history);
            }
        }
        let Self { lanes, histories, spare_histories, .. } = self;
        list.retain(|watched| {
            let has_members = histories[watched.history as usize].families != 0;
            if !has_members {
                spare_histories.push(watched.history);
            }
            has_members
        });
        let Lane { log, join_at, .. } = &mut lanes[lane];
        log.forget_alarms();
        for watched in &mut list {
            watched.alarm = histories[watched.history as usize].attach(log);
        }
        *join_at = JOIN_AT.max(list.len() + list.len() / 2);
        lanes[lane].histories = list;
    }

    /// Finds the calls of which breakers have heard in every lane. Where outcomes are told at admission, nothing is yet to be
    /// told.
    fn settle(&mut self, script: &Script<'_>) {
        let at_admission = script.plan.outcome == OutcomeAt::Admission;
        let is_over = |call: usize| {
            let request = script.call(call);
            at_admission || request.at + request.hold <= self.asked
        };
        while self.settled < script.calls() && is_over(self.settled) {
            self.settled += 1;
        }
    }

    /// Families that cannot tell two histories apart move to the older one.
    fn join_pair(&mut self, grid: &Grid, older: u32, younger: u32) {
        let Self { accounts, histories, settled, joins, .. } = self;
        let Ok([older, younger]) = histories.get_disjoint_mut([older as usize, younger as usize]) else { return };
        let joinable = older.families_alike(younger, *settled) & younger.families;
        *joins += u64::from(joinable != 0);
        let difference = younger.offset - older.offset;
        for window in ones(joinable) {
            older.take_family(younger, grid, window, |seat| *accounts.seat_mut(seat) += difference);
        }
    }
}

impl History {
    /// The families that cannot tell the two apart, now or later.
    fn families_alike(&self, other: &Self, settled: usize) -> u128 {
        let hear_alike = self.first == other.first || self.first.max(other.first) as usize <= settled;
        if !hear_alike {
            return 0;
        }
        let equal = (self.bits ^ other.bits).trailing_zeros();
        let longest = if self.results == other.results { equal } else { equal.min(self.results).min(other.results) };
        let windows = !(u128::MAX << 1 << longest.min(MAX_WINDOW)) & !1;
        windows | u128::from(self.run == other.run)
    }
}
