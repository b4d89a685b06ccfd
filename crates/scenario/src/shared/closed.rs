//! Closed breakers: histories, how they trip, and when they are joined.

use engine::Time;

use super::breakers::{Breakers, Joining};
use super::grid::{FAILURE_RUN, Grid, MAX_WINDOW, NEVER};
use super::ledger::Counts;
use crate::replication::{Fate, Request};
use crate::scenario::OutcomeAt;

/// Closed breakers in one lane that have heard the same results since they closed, or at least all that their families
/// can tell apart.
///
/// One string of results serves every family: the level of a window is the number of failures among its latest bits, that
/// of a run is kept beside. A family's breakers differ in threshold alone, so the level trips a prefix of them.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// Results of calls before this request are late and change nothing.
    pub(super) first: u32,
    results: u32,
    run: u32,
    /// So many more failures have to come before the level of any family with a full window can reach a threshold.
    slack: u32,
    /// With so many results the next window becomes full.
    next_full: u32,
    /// The latest results, the last one in the lowest bit; set for a failure.
    bits: u128,
    /// Bit w: the family with window w has members. Bit 0: that of the run.
    families: u128,
    pub(super) offset: Counts,
    /// The seats of the members.
    members: Vec<u64>,
    /// By family: the lowest threshold among its members.
    lowest: Vec<u32>,
}

impl History {
    fn new(grid: &Grid) -> Self {
        Self {
            first: 0,
            results: 0,
            run: 0,
            slack: 0,
            next_full: NEVER,
            bits: 0,
            families: 0,
            offset: Counts::ZERO,
            members: vec![0; grid.words()],
            lowest: vec![NEVER; grid.families().len()],
        }
    }

    /// The seats of the members, ascending.
    pub(super) fn seats(&self) -> impl Iterator<Item = u32> {
        self.members
            .iter()
            .enumerate()
            .flat_map(|(word, &bits)| ones(bits.into()).map(move |bit| word as u32 * 64 + bit))
    }

    /// What the evidence of a family comes to; `None` while its window is not full.
    fn level(&self, window: u32) -> Option<u32> {
        if window == FAILURE_RUN {
            return Some(self.run);
        }
        (self.results >= window).then(|| (self.bits & !(u128::MAX << window)).count_ones())
    }

    /// Hears a result, and says whether a member may open now.
    ///
    /// A failure adds one to a level at most, so nobody opens while `slack` lasts. A success opens nobody whose window was
    /// full already; when a window becomes full, whatever the result, its family has to be looked at.
    #[inline(always)]
    fn add(&mut self, call: u32, failed: bool) -> bool {
        if call < self.first {
            return false;
        }
        self.bits = self.bits << 1 | u128::from(failed);
        self.results += 1;
        self.run = if failed { self.run + 1 } else { 0 };
        self.slack = self.slack.saturating_sub(u32::from(failed));
        (failed && self.slack == 0) || self.results == self.next_full
    }

    /// Finds the next window that is not yet full.
    fn find_next_full(&mut self) {
        let full = self.results.min(MAX_WINDOW);
        let later = self.families & (u128::MAX << 1 << full);
        self.next_full = if later == 0 { NEVER } else { later.trailing_zeros() };
    }

    /// Finds the lowest threshold of a family again.
    fn find_lowest(&mut self, grid: &Grid, family: usize) {
        let group = &grid.families()[family];
        let first = group.words.clone().find(|&word| self.members[word] != 0);
        let bit = 1 << group.window;
        if let Some(word) = first {
            self.lowest[family] = grid.threshold(word as u32 * 64 + self.members[word].trailing_zeros());
            self.families |= bit;
        } else {
            self.lowest[family] = NEVER;
            self.families &= !bit;
        }
    }
}

/// The numbers of the bits that are set, ascending.
fn ones(mut bits: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            bit
        })
    })
}

impl Breakers<'_> {
    /// The breakers at `seats` close in `lane`; they hear of calls from request `first` on.
    pub(super) fn close(&mut self, lane: usize, first: u32, seats: impl Iterator<Item = u32>) {
        let number = self.spare_histories.pop().unwrap_or_else(|| {
            self.histories.push(History::new(self.grid));
            self.histories.len() as u32 - 1
        });
        let history = &mut self.histories[number as usize];
        (history.first, history.results, history.run, history.bits) = (first, 0, 0, 0);
        history.offset = Counts::ZERO;
        for seat in seats {
            history.members[seat as usize / 64] |= 1 << (seat % 64);
        }
        for family in 0..self.grid.families().len() {
            history.find_lowest(self.grid, family);
        }
        // No window is full; the run of failures is empty.
        history.find_next_full();
        history.slack =
            if history.families & 1 != 0 { history.lowest[self.grid.family_of(FAILURE_RUN)] } else { NEVER };
        self.lanes[lane].histories.push(number);
    }

    /// The closed breakers in `lane` hear a result. Says whether any opened.
    #[inline(always)]
    pub(super) fn hear_closed(&mut self, lane: usize, call: u32, failed: bool, now: Time) -> bool {
        let Self { lanes, histories, touched, .. } = self;
        for (place, &number) in lanes[lane].histories.iter().enumerate() {
            if histories[number as usize].add(call, failed) {
                touched.push(place);
            }
        }
        let mut tripped = false;
        // From the end, since a history that is left without members makes way for the last one.
        while let Some(place) = self.touched.pop() {
            tripped |= self.trip(lane, place, now);
        }
        let always = self.joining == Joining::Always;
        if always || self.lanes[lane].histories.len() >= self.lanes[lane].join_at {
            self.settle();
            self.join(lane);
        }
        tripped
    }

    /// **The trip rule.** In each family with a level, the members with thresholds up to it open: a prefix of the family,
    /// in the order of seats. They go to packs by open time. Says whether there were any.
    fn trip(&mut self, lane: usize, place: usize, now: Time) -> bool {
        let Self { grid, accounts, parked, histories, .. } = self;
        let number = self.lanes[lane].histories[place];
        let history = &mut histories[number as usize];
        let mut tripped = false;
        let mut slack = NEVER;
        for window in ones(history.families) {
            let Some(level) = history.level(window) else { continue };
            let family = grid.family_of(window);
            if history.lowest[family] <= level {
                tripped = true;
                'prefix: for word in grid.families()[family].words.clone() {
                    while history.members[word] != 0 {
                        let seat = word as u32 * 64 + history.members[word].trailing_zeros();
                        if grid.threshold(seat) > level {
                            break 'prefix;
                        }
                        history.members[word] &= history.members[word] - 1;
                        *accounts.seat_mut(seat) += history.offset;
                        accounts.opened(seat, &Counts::ZERO, lane, now);
                        parked.gather(grid.open_number(seat), seat, accounts, now);
                    }
                }
                history.find_lowest(grid, family);
            }
            slack = slack.min(history.lowest[family].saturating_sub(level));
        }
        history.slack = slack;
        history.find_next_full();
        if history.families == 0 {
            self.lanes[lane].histories.swap_remove(place);
            self.spare_histories.push(number);
        }
        tripped
    }

    /// Finds the calls of which breakers have heard in every lane. Where outcomes are told at admission, nothing is yet to be
    /// told.
    fn settle(&mut self) {
        let at_admission = self.plan.outcome == OutcomeAt::Admission;
        let is_over = |request: &Request| {
            at_admission || request.fate == Fate::Neighbour || request.at + request.hold <= self.asked
        };
        let unsettled = self.requests[self.settled..].iter().position(|request| !is_over(request));
        self.settled = unsettled.map_or(self.requests.len(), |further| self.settled + further);
    }

    /// **The join rule.** Two histories in one lane have one future, as far as a family can tell, if
    ///
    /// - the results that the family still remembers are equal: its window is full in both and its latest bits are equal,
    ///   or both have the same number of results and equal bits, or the runs are equal; and
    /// - no call is under way of which only one of them would hear: both begin with the same call, or every call before
    ///   either beginning has ended.
    ///
    /// Then the family's members become members of one of the two; those of the smaller side move. What their history
    /// counted goes with them.
    fn join(&mut self, lane: usize) {
        let mut second = 1;
        while second < self.lanes[lane].histories.len() {
            let mut first = 0;
            while first < second {
                let list = &self.lanes[lane].histories;
                let pair = [list[first], list[second]];
                self.join_pair(pair);
                // Whoever is left without members makes way for the last one in the list; start over with whom that brings.
                let emptied = pair.map(|number| self.histories[number as usize].families == 0);
                let list = &mut self.lanes[lane].histories;
                if emptied[1] {
                    self.spare_histories.push(list.swap_remove(second));
                    first = 0;
                    if second >= list.len() {
                        break;
                    }
                } else if emptied[0] {
                    list.swap(first, second);
                    self.spare_histories.push(list.swap_remove(second));
                    break;
                } else {
                    first += 1;
                }
            }
            second += usize::from(first == second);
        }
        let lane = &mut self.lanes[lane];
        lane.join_at = super::lanes::JOIN_AT.max(2 * lane.histories.len());
    }

    fn join_pair(&mut self, pair: [u32; 2]) {
        let Self { grid, accounts, histories, settled, joins, .. } = self;
        let [first, second] = pair.map(|number| number as usize);
        let Ok([first, second]) = histories.get_disjoint_mut([first, second]) else { return };
        let joinable = first.joinable_families(second, *settled);
        *joins += u64::from(joinable != 0);
        for window in ones(joinable) {
            let family = grid.family_of(window);
            let words = grid.families()[family].words.clone();
            let size =
                |history: &History| history.members[words.clone()].iter().map(|word| word.count_ones()).sum::<u32>();
            let first_is_larger = size(first) >= size(second);
            let (to, from) = if first_is_larger { (&mut *first, &mut *second) } else { (&mut *second, &mut *first) };
            let difference = from.offset - to.offset;
            for word in words {
                let moving = std::mem::take(&mut from.members[word]);
                for bit in ones(moving.into()) {
                    *accounts.seat_mut(word as u32 * 64 + bit) += difference;
                }
                to.members[word] |= moving;
            }
            for history in [to, from] {
                history.find_lowest(grid, family);
                history.slack = 0;
            }
        }
    }
}

impl History {
    /// The families that have members in both and cannot tell the two apart, now or later.
    fn joinable_families(&self, other: &Self, settled: usize) -> u128 {
        let hear_alike = self.first == other.first || self.first.max(other.first) as usize <= settled;
        if !hear_alike {
            return 0;
        }
        let equal = (self.bits ^ other.bits).trailing_zeros();
        let longest = if self.results == other.results { equal } else { equal.min(self.results).min(other.results) };
        let mut alike = !(u128::MAX << 1 << longest.min(MAX_WINDOW)) & !1;
        alike |= u128::from(self.run == other.run);
        alike & self.families & other.families
    }
}
