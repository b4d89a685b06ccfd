//! Closed breakers: histories, how they trip, and when they are joined.

use engine::Time;

use super::breakers::{Breakers, Joining};
use super::grid::{FAILURE_RUN, Family, Grid, MAX_WINDOW, NEVER};
use super::lanes::Lane;
use super::ledger::Counts;
use super::result_log::{Alarm, ResultLog};
use crate::scenario::OutcomeAt;

/// Closed breakers in one lane that have heard the same results since they closed, or at least all that their families
/// can tell apart.
///
/// One string of results serves every family: the level of a window is the number of failures among its latest bits, that
/// of a run is kept beside. A family's breakers differ in threshold alone, so the level trips a prefix of them.
///
/// What is said here of results was so when the lane's log was where `caught_up` says; what the log has heard since is to
/// be added.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// Results of calls before this one are late and change nothing.
    first: u32,
    caught_up: CaughtUp,
    /// When somebody may open, as the log counts.
    alarm: Alarm,
    results: u32,
    failures: u32,
    /// The failures at the end.
    run: u32,
    /// The lowest number of `due`.
    next_due: u32,
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
    /// By family: its level cannot reach that before there are so many failures.
    due: Vec<u32>,
}

/// How far a history has been brought up to date: results and failures in the log by then.
#[derive(Clone, Copy, Debug, Default)]
struct CaughtUp {
    results: u32,
    failures: u32,
}

impl History {
    /// Stands where there is none.
    const NONE: Self = Self {
        first: 0,
        caught_up: CaughtUp { results: 0, failures: 0 },
        alarm: Alarm::NEVER,
        results: 0,
        failures: 0,
        run: 0,
        next_due: NEVER,
        next_full: NEVER,
        bits: 0,
        families: 0,
        offset: Counts::ZERO,
        members: Vec::new(),
        lowest: Vec::new(),
        due: Vec::new(),
    };

    fn new(grid: &Grid) -> Self {
        let families = grid.families().len();
        let (lowest, due) = (vec![NEVER; families], vec![NEVER; families]);
        Self { members: vec![0; grid.words()], lowest, due, ..Self::NONE }
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

    /// Adds what the log has heard since the last time.
    #[inline]
    pub(super) fn catch_up(&mut self, log: &ResultLog) {
        let results = log.results - self.caught_up.results;
        self.bits =
            if results < u128::BITS { self.bits << results | log.bits & !(u128::MAX << results) } else { log.bits };
        self.results += results;
        self.failures += log.failures - self.caught_up.failures;
        self.run = if log.run >= results { self.run + results } else { log.run };
        self.caught_up = CaughtUp { results: log.results, failures: log.failures };
    }

    /// What this log hears from now on, the history hears: it is up to date with whatever it heard before.
    ///
    /// A failure adds one to a level at most, so nobody opens before a family is due. A success opens nobody whose window was
    /// full already; when a window becomes full, whatever the result, its family has to be looked at.
    #[inline]
    pub(super) fn attach(&mut self, log: &mut ResultLog) {
        self.caught_up = CaughtUp { results: log.results, failures: log.failures };
        self.alarm = Alarm {
            failures: self.next_due.saturating_sub(self.failures).saturating_add(log.failures),
            results: self.next_full.saturating_sub(self.results).saturating_add(log.results),
        };
        log.watch(self.first, self.alarm);
    }

    /// With how many failures a family has to be looked at next, whose members with thresholds up to the level have gone.
    fn due_next(&self, family: usize, level: Option<u32>) -> u32 {
        level.map_or(NEVER, |level| self.failures.saturating_add(self.lowest[family] - level))
    }

    fn find_next_due(&mut self) {
        self.next_due = self.due.iter().copied().min().unwrap_or(NEVER);
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
    /// The breakers at `seats` close in `lane`; they hear of calls from `first` on.
    pub(super) fn close(&mut self, lane: usize, first: u32, seats: impl Iterator<Item = u32>) {
        let body = self.history_bodies.take().unwrap_or_else(|| History::new(self.grid));
        let number = match self.spare_histories.pop() {
            Some(number) => {
                self.histories[number as usize] = body;
                number
            }
            None => {
                self.histories.push(body);
                self.histories.len() as u32 - 1
            }
        };
        let history = &mut self.histories[number as usize];
        (history.first, history.bits) = (first, 0);
        (history.results, history.failures, history.run) = (0, 0, 0);
        history.offset = Counts::ZERO;
        for seat in seats {
            history.members[seat as usize / 64] |= 1 << (seat % 64);
        }
        for family in 0..self.grid.families().len() {
            history.find_lowest(self.grid, family);
        }
        // No window is full; the run of failures is empty.
        history.find_next_full();
        history.due.fill(NEVER);
        if history.families & 1 != 0 {
            let family = self.grid.family_of(FAILURE_RUN);
            history.due[family] = history.due_next(family, Some(0));
        }
        history.find_next_due();
        history.attach(&mut self.lanes[lane].log);
        self.lanes[lane].histories.push(number);
    }

    /// The closed breakers in `lane` hear a result. Says whether any opened.
    #[inline(always)]
    pub(super) fn hear_closed(&mut self, lane: usize, call: u32, failed: bool, now: Time) -> bool {
        let Lane { log, histories, join_at, .. } = &mut self.lanes[lane];
        if histories.is_empty() {
            return false;
        }
        let must_join = histories.len() >= *join_at || self.joining == Joining::Always;
        if log.is_late(call) {
            self.hear_late(lane, call, failed);
        } else {
            log.add(failed);
        }
        let tripped = self.lanes[lane].log.rings(failed) && self.look(lane, failed, now);
        if must_join {
            self.settle();
            self.join(lane);
        }
        tripped
    }

    /// To some histories in `lane` the result is late: they pass over it.
    fn hear_late(&mut self, lane: usize, call: u32, failed: bool) {
        let Self { lanes, histories, .. } = self;
        let Lane { log, histories: members, .. } = &mut lanes[lane];
        let before = *log;
        log.add(failed);
        for &number in &*members {
            let history = &mut histories[number as usize];
            if call < history.first {
                history.catch_up(&before);
                history.attach(log);
            }
        }
    }

    /// Looks at the histories in `lane` of which a member may open. Says whether any did.
    fn look(&mut self, lane: usize, failed: bool, now: Time) -> bool {
        let Self { lanes, histories, touched, .. } = self;
        let Lane { log, histories: members, .. } = &mut lanes[lane];
        let before = log.forget_alarms();
        for (place, &number) in members.iter().enumerate() {
            let history = &mut histories[number as usize];
            if before.has_reached(history.alarm, failed) {
                touched.push(place);
            } else {
                log.watch(history.first, history.alarm);
            }
        }
        let mut tripped = false;
        // From the end, since a history that is left without members makes way for the last one.
        while let Some(place) = self.touched.pop() {
            tripped |= self.trip(lane, place, now);
        }
        tripped
    }

    /// **The trip rule.** In each family with a level, the members with thresholds up to it open: a prefix of the family,
    /// in the order of seats. They go to packs by open time. Says whether there were any.
    fn trip(&mut self, lane: usize, place: usize, now: Time) -> bool {
        let Self { grid, accounts, parked, histories, .. } = self;
        let number = self.lanes[lane].histories[place];
        let history = &mut histories[number as usize];
        history.catch_up(&self.lanes[lane].log);
        let mut tripped = false;
        if history.results == history.next_full {
            history.due[grid.family_of(history.next_full)] = 0;
        }
        let mut due = std::mem::take(&mut history.due);
        for (family, (due, Family { window, words })) in due.iter_mut().zip(grid.families()).enumerate() {
            if *due > history.failures {
                continue;
            }
            let level = history.level(*window);
            if let Some(level) = level.filter(|&level| history.lowest[family] <= level) {
                tripped = true;
                'prefix: for word in words.clone() {
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
            *due = history.due_next(family, level);
        }
        history.due = due;
        history.find_next_due();
        history.find_next_full();
        if history.families == 0 {
            self.lanes[lane].histories.swap_remove(place);
            self.spare(number);
        } else {
            history.attach(&mut self.lanes[lane].log);
        }
        tripped
    }

    /// A history is left without members.
    fn spare(&mut self, number: u32) {
        self.spare_histories.push(number);
        self.history_bodies.put(std::mem::replace(&mut self.histories[number as usize], History::NONE));
    }

    /// Finds the calls of which breakers have heard in every lane. Where outcomes are told at admission, nothing is yet to be
    /// told.
    fn settle(&mut self) {
        let script = self.script;
        let at_admission = script.plan.outcome == OutcomeAt::Admission;
        let is_over = |call: usize| {
            let request = script.call(call);
            at_admission || request.at + request.hold <= self.asked
        };
        while self.settled < script.calls() && is_over(self.settled) {
            self.settled += 1;
        }
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
        let Lane { log, histories, .. } = &self.lanes[lane];
        for &number in histories {
            self.histories[number as usize].catch_up(log);
        }
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
                    let spare = list.swap_remove(second);
                    first = 0;
                    let was_last = second >= list.len();
                    self.spare(spare);
                    if was_last {
                        break;
                    }
                } else if emptied[0] {
                    list.swap(first, second);
                    let spare = list.swap_remove(second);
                    self.spare(spare);
                    break;
                } else {
                    first += 1;
                }
            }
            second += usize::from(first == second);
        }
        let Lane { log, histories, join_at, .. } = &mut self.lanes[lane];
        log.forget_alarms();
        for &number in &*histories {
            self.histories[number as usize].attach(log);
        }
        *join_at = super::lanes::JOIN_AT.max(2 * histories.len());
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
                (history.due[family], history.next_due) = (0, 0);
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
