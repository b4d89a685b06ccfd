//! Closed breakers: histories, and how they trip.

use engine::Time;

use super::breakers::{Breakers, Joining};
use super::clone_in_place::clone_in_place;
use super::grid::{FAILURE_RUN, Family, Grid, NEVER};
use super::lanes::Lane;
use super::ledger::Counts;
use super::places::Places;
use super::result_log::{Alarm, ResultLog, Watched};
use super::script::Script;

/// Closed breakers in one lane that have heard the same results since they closed, or at least all that their families
/// can tell apart.
///
/// One string of results serves every family: the level of a window is the number of failures among its latest bits, that
/// of a run is kept beside. A family's breakers differ in threshold alone, so the level trips a prefix of them.
///
/// What is said here of results was so when the lane's log was where `caught_up` says; what the log has heard since is to
/// be added.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Results of calls before this one are late and change nothing.
    pub(super) first: u32,
    caught_up: CaughtUp,
    pub(super) results: u32,
    failures: u32,
    /// The failures at the end.
    pub(super) run: u32,
    /// The lowest `due` of a group.
    next_due: u32,
    /// With so many results the next window becomes full for which a group waits.
    next_full: u32,
    /// The latest results, the last one in the lowest bit; set for a failure.
    pub(super) bits: u128,
    /// Bit w: the family with window w has members. Bit 0: that of the run.
    pub(super) families: u128,
    pub(super) offset: Counts,
    /// The seats of the members.
    members: Vec<u64>,
    /// The members by family, in no order. Most histories have members of few families.
    groups: Vec<Group>,
}

/// The members of a history that belong to one family.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The family's window, or [`FAILURE_RUN`].
    window: u32,
    /// The lowest threshold among them.
    lowest: u32,
    /// The level cannot reach that before there are so many failures. [`NEVER`] where there are enough and the window is not
    /// full: the group waits until it is.
    due: u32,
    /// With so many results the window becomes full for which it waits; [`NEVER`] where it does not.
    full: u32,
}

/// By number: so many of the latest results.
static LATEST: [u128; u128::BITS as usize] = {
    let mut latest = [0; u128::BITS as usize];
    let mut results = 1;
    while results < latest.len() {
        latest[results] = latest[results - 1] << 1 | 1;
        results += 1;
    }
    latest
};

/// How far a history has been brought up to date: results and failures in the log by then.
#[derive(Clone, Copy, Debug, Default)]
struct CaughtUp {
    results: u32,
    failures: u32,
}

clone_in_place!(History {
    first,
    caught_up,
    results,
    failures,
    run,
    next_due,
    next_full,
    bits,
    families,
    offset,
    members,
    groups,
});

impl History {
    /// Begins anew, without members: calls before `first` are late, and nothing has been heard or counted.
    pub(super) fn begin(&mut self, grid: &Grid, first: u32) {
        let Self { mut members, mut groups, .. } = std::mem::take(self);
        members.clear();
        members.resize(grid.words(), 0);
        groups.clear();
        *self = Self { first, next_due: NEVER, next_full: NEVER, members, groups, ..Self::default() };
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
        (self.results >= window).then(|| (self.bits & LATEST[window as usize]).count_ones())
    }

    /// Adds what the log has heard since the last time.
    #[inline]
    pub(super) fn catch_up(&mut self, log: &ResultLog) {
        let results = log.results - self.caught_up.results;
        self.bits =
            if results < u128::BITS { self.bits << results | log.bits & LATEST[results as usize] } else { log.bits };
        self.results += results;
        self.failures += log.failures - self.caught_up.failures;
        self.run = if log.run >= results { self.run + results } else { log.run };
        self.caught_up = CaughtUp { results: log.results, failures: log.failures };
    }

    /// What this log hears from now on, the history hears: it is up to date with whatever it heard before.
    ///
    /// A failure adds one to a level at most, so nobody opens before a group is due. A success opens nobody whose window was
    /// full already; when a window becomes full, whatever the result, the group that waits for it has to be looked at. (A
    /// window that becomes full with fewer failures in all than the lowest threshold opens nobody.)
    #[inline]
    pub(super) fn attach(&mut self, log: &mut ResultLog) -> Alarm {
        self.caught_up = CaughtUp { results: log.results, failures: log.failures };
        let alarm = Alarm {
            failures: self.next_due.saturating_sub(self.failures).saturating_add(log.failures),
            results: self.next_full.saturating_sub(self.results).saturating_add(log.results),
        };
        log.watch(self.first, alarm);
        alarm
    }

    /// When a group has to be looked at next: [`Group::due`]. Members with thresholds up to the level have gone.
    fn due(&self, window: u32, lowest: u32) -> u32 {
        match self.level(window) {
            Some(level) => self.failures.saturating_add(lowest.saturating_sub(level)),
            None if self.failures < lowest => lowest,
            None => NEVER,
        }
    }

    /// The group of a family, now that members with thresholds up to its level have gone.
    fn group(&self, window: u32, lowest: u32) -> Group {
        let due = self.due(window, lowest);
        let waits = due == NEVER && window > self.results;
        Group { window, lowest, due, full: if waits { window } else { NEVER } }
    }

    /// It has to be looked at when that group wants to be.
    #[inline]
    fn watch(&mut self, group: Group) {
        self.next_due = self.next_due.min(group.due);
        self.next_full = self.next_full.min(group.full);
    }

    /// Finds the places of the groups that want to be looked at now; the others are watched. (Nothing can foretell which they
    /// are, hence no branch.)
    fn find_due(&mut self, places: &mut Places) {
        let (mut next_due, mut next_full) = (NEVER, NEVER);
        places.fill(self.groups.iter().map(|&Group { due, full, .. }| {
            let is_due = (due <= self.failures) | (full <= self.results);
            let never = if is_due { NEVER } else { 0 };
            next_due = next_due.min(due | never);
            next_full = next_full.min(full | never);
            is_due
        }));
        (self.next_due, self.next_full) = (next_due, next_full);
    }

    /// Watches a group from which members may have gone, or does without it.
    fn look_again(&mut self, grid: &Grid, place: usize) {
        let window = self.groups[place].window;
        if let Some(lowest) = self.lowest(grid, grid.family(window)) {
            self.groups[place] = self.group(window, lowest);
            self.watch(self.groups[place]);
        } else {
            self.families &= !(1 << window);
            self.groups.swap_remove(place);
        }
    }

    /// The lowest threshold among the members that belong to a family; `None` if there are none.
    fn lowest(&self, grid: &Grid, family: &Family) -> Option<u32> {
        let word = family.words.clone().find(|&word| self.members[word] != 0)?;
        Some(grid.threshold(word as u32 * 64 + self.members[word].trailing_zeros()))
    }
}

/// The numbers of the bits that are set, ascending.
pub(super) fn ones(mut bits: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = bits.trailing_zeros();
        (bits != 0).then(|| {
            bits &= bits - 1;
            bit
        })
    })
}

impl Breakers {
    /// The breakers in `seats`, a word of the set at a time, close in `lane`; they hear of calls from `first` on.
    pub(super) fn close(&mut self, grid: &Grid, lane: usize, first: u32, seats: impl Iterator<Item = (usize, u64)>) {
        let number = self.spare_histories.pop().unwrap_or_else(|| {
            self.histories.push(History::default());
            self.histories.len() as u32 - 1
        });
        let history = &mut self.histories[number as usize];
        history.begin(grid, first);
        for (word, seats) in seats {
            history.members[word] |= seats;
            history.families |= 1 << grid.window_of_word(word);
        }
        ones(history.families).for_each(|window| history.add_group(grid, window));
        let Lane { log, histories, .. } = &mut self.lanes[lane];
        histories.push(Watched { history: number, first, alarm: history.attach(log) });
    }

    /// The closed breakers in `lane` hear a result. Says whether any opened.
    #[inline(always)]
    pub(super) fn hear_closed(&mut self, script: &Script<'_>, lane: usize, call: u32, failed: bool, now: Time) -> bool {
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
        let tripped = self.lanes[lane].log.rings(failed) && self.look(script, lane, failed, now);
        if must_join {
            self.join(script, lane);
        }
        tripped
    }

    /// To some histories in `lane` the result is late: they pass over it.
    #[inline(never)]
    fn hear_late(&mut self, lane: usize, call: u32, failed: bool) {
        let Self { lanes, histories, .. } = self;
        let Lane { log, histories: members, .. } = &mut lanes[lane];
        let before = *log;
        log.add(failed);
        for watched in members.iter_mut().filter(|watched| call < watched.first) {
            let history = &mut histories[watched.history as usize];
            history.catch_up(&before);
            watched.alarm = history.attach(log);
        }
    }

    /// Looks at the histories in `lane` of which a member may open. Says whether any did.
    #[inline(never)]
    fn look(&mut self, script: &Script<'_>, lane: usize, failed: bool, now: Time) -> bool {
        let Lane { log, histories, .. } = &mut self.lanes[lane];
        let mut touched = std::mem::take(&mut self.touched);
        log.find_ringing(histories, failed, &mut touched);
        let mut tripped = false;
        // From the end, since a history that is left without members makes way for the last one.
        while let Some(place) = touched.pop() {
            tripped |= self.trip(script, lane, place, now);
        }
        self.touched = touched;
        tripped
    }

    /// **The trip rule.** In each family with a level, the members with thresholds up to it open: a prefix of the family,
    /// in the order of seats. They go to packs by open time. Says whether there were any.
    fn trip(&mut self, script: &Script<'_>, lane: usize, place: usize, now: Time) -> bool {
        let Script { grid, plan, .. } = *script;
        let Self { accounts, parked, histories, lanes, due_groups, .. } = self;
        let Lane { log, histories: watched, .. } = &mut lanes[lane];
        let number = watched[place].history;
        let history = &mut histories[number as usize];
        history.catch_up(log);
        history.find_due(due_groups);
        let mut tripped = false;
        // From the end, since a group that is left without members makes way for the last one.
        while let Some(place) = due_groups.pop() {
            let Group { window, lowest, .. } = history.groups[place];
            if let Some(level) = history.level(window).filter(|&level| lowest <= level) {
                tripped = true;
                history.take_prefix(grid, grid.family(window), level, |seat, offset| {
                    *accounts.seat_mut(seat) += offset;
                    accounts.opened(plan, seat, &Counts::ZERO, lane, now);
                    parked.gather(grid.open_number(seat), seat, plan, accounts, now);
                });
            }
            history.look_again(grid, place);
        }
        if history.families == 0 {
            watched.swap_remove(place);
            self.spare_histories.push(number);
        } else {
            watched[place].alarm = history.attach(log);
        }
        tripped
    }
}

impl History {
    /// Hands over the members of a family with thresholds up to `level`, each with what the history has counted.
    fn take_prefix(&mut self, grid: &Grid, family: &Family, level: u32, mut take: impl FnMut(u32, Counts)) {
        for word in family.words.clone() {
            while self.members[word] != 0 {
                let seat = word as u32 * 64 + self.members[word].trailing_zeros();
                if grid.threshold(seat) > level {
                    return;
                }
                self.members[word] &= self.members[word] - 1;
                take(seat, self.offset);
            }
        }
    }

    /// The members of a family become members here; each is `moved`.
    pub(super) fn take_family(&mut self, from: &mut Self, grid: &Grid, window: u32, mut moved: impl FnMut(u32)) {
        for word in grid.family(window).words.clone() {
            let moving = std::mem::take(&mut from.members[word]);
            ones(moving.into()).for_each(|bit| moved(word as u32 * 64 + bit));
            self.members[word] |= moving;
        }
        from.families &= !(1 << window);
        from.groups.retain(|group| group.window != window);
        self.groups.retain(|group| group.window != window);
        self.families |= 1 << window;
        self.add_group(grid, window);
    }

    /// A family has members of which there is no group yet.
    fn add_group(&mut self, grid: &Grid, window: u32) {
        let lowest = self.lowest(grid, grid.family(window)).unwrap_or(NEVER);
        let group = self.group(window, lowest);
        self.watch(group);
        self.groups.push(group);
    }
}
