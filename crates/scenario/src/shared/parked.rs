//! Open and half-open breakers: packs, which wait for their open time to pass, and probe.

use engine::{Duration, Time};

use super::breakers::Breakers;
use super::clone_in_place::clone_in_place;
use super::lanes::{Lane, Probe};
use super::ledger::{Accounts, Counts};
use super::script::Script;
use super::timetable::{Finger, Timetable};
use crate::plan::RunPlan;

/// Breakers in one lane that opened together and have one open time. Threshold and window mean nothing until they close.
#[derive(Debug)]
pub(super) struct Pack {
    lane: usize,
    /// Its place in its lane's list of open packs, where it is in it.
    place: usize,
    /// The open time, as a number.
    open: u32,
    /// The next one in the list of those that wake with the same question.
    next_to_wake: u32,
    pub(super) offset: Counts,
    /// Whether its latest opening was not in the fault, so that its members may have yet to open in it.
    opened_outside: bool,
    pub(super) seats: Vec<u32>,
}

clone_in_place!(Pack { lane, place, open, next_to_wake, offset, opened_outside, seats });

/// The end of a list of packs.
const NONE: u32 = u32::MAX;

/// As many seats fit in a new pack before it has to grow.
const USUAL_SEATS: usize = 16;

/// All packs, and when they wake.
#[derive(Default)]
pub(super) struct Parked {
    packs: Vec<Pack>,
    /// Those without members.
    spare: Vec<u32>,
    open_times: Vec<Duration>,
    /// By call: the first pack of a list of those that wake with its question.
    wakes: Vec<u32>,
    /// By open time: where to look up which call that is.
    fingers: Vec<Finger>,
    /// Scratch, by open time: the pack that opens now. Empty between results, as all scratch is.
    opening: Vec<Option<u32>>,
    /// Scratch: packs that open now.
    gathered: Vec<u32>,
    /// Scratch: packs whose probe has ended.
    probed: Vec<u32>,
    /// Scratch: the seats of those that close.
    closing: Vec<u32>,
}

clone_in_place!(Parked { packs, spare, open_times, wakes, fingers, opening, gathered, probed, closing });

impl Parked {
    /// There are no packs, and so many calls will ask.
    pub(super) fn begin(&mut self, open_times: &[Duration], calls: usize) {
        self.packs.iter_mut().for_each(|pack| pack.seats.clear());
        self.spare.clear();
        self.spare.extend((0..self.packs.len() as u32).rev());
        self.open_times.clear();
        self.open_times.extend_from_slice(open_times);
        self.wakes.clear();
        self.wakes.resize(calls, NONE);
        self.fingers.clear();
        self.fingers.resize(open_times.len(), Finger::default());
        self.opening.clear();
        self.opening.resize(open_times.len(), None);
        for scratch in [&mut self.gathered, &mut self.probed, &mut self.closing] {
            scratch.clear();
        }
    }

    pub(super) fn pack(&self, number: u32) -> &Pack {
        &self.packs[number as usize]
    }

    /// A closed breaker opens: into the pack of those with its open time that open now.
    pub(super) fn gather(&mut self, open: u32, seat: u32, plan: &RunPlan, accounts: &Accounts, now: Time) {
        let number = self.opening[open as usize].unwrap_or_else(|| {
            let number = self.new_pack(open, accounts.opening(plan, now, true), !plan.in_fault(now));
            self.opening[open as usize] = Some(number);
            self.gathered.push(number);
            number
        });
        self.packs[number as usize].seats.push(seat);
    }

    fn new_pack(&mut self, open: u32, offset: Counts, opened_outside: bool) -> u32 {
        let new = |seats| Pack { lane: 0, place: 0, open, next_to_wake: NONE, offset, opened_outside, seats };
        if let Some(number) = self.spare.pop() {
            let pack = &mut self.packs[number as usize];
            *pack = new(std::mem::take(&mut pack.seats));
            return number;
        }
        self.packs.push(new(Vec::with_capacity(USUAL_SEATS)));
        self.packs.len() as u32 - 1
    }

    /// A pack is left without members.
    fn spare(&mut self, number: u32) {
        self.packs[number as usize].seats.clear();
        self.spare.push(number);
    }

    /// A pack will wake with the first question at or after the end of its open time, if there is one. That is yet to come, since
    /// no open time is zero.
    fn wake_later(&mut self, number: u32, now: Time, timetable: &Timetable) {
        let pack = &mut self.packs[number as usize];
        let open = pack.open as usize;
        let Some(call) = timetable.arrival_from(now + self.open_times[open], &mut self.fingers[open]) else { return };
        if let Some(first) = self.wakes.get_mut(call) {
            pack.next_to_wake = std::mem::replace(first, number);
        }
    }

    /// A half-open pack opens again, together with whoever of its open time opens now.
    ///
    /// Packs of one open time that open at the same result have one future and become one: the smaller joins the larger,
    /// and what it counted goes with its members.
    fn gather_pack(&mut self, number: u32, accounts: &mut Accounts) {
        let open = self.packs[number as usize].open as usize;
        let Some(other) = self.opening[open] else {
            self.opening[open] = Some(number);
            self.gathered.push(number);
            return;
        };
        let size = |number: u32| self.packs[number as usize].seats.len();
        let (larger, smaller) = if size(number) > size(other) { (number, other) } else { (other, number) };
        let seats = std::mem::take(&mut self.packs[smaller as usize].seats);
        let [to, from] = [larger, smaller].map(|number| &self.packs[number as usize]);
        let difference = from.offset - to.offset;
        for &seat in &seats {
            *accounts.seat_mut(seat) += difference;
        }
        self.packs[larger as usize].seats.extend_from_slice(&seats);
        self.packs[smaller as usize].seats = seats;
        self.spare(smaller);
        if larger != other {
            self.opening[open] = Some(larger);
            self.gathered.retain(|&gathered| gathered != other);
            self.gathered.push(larger);
        }
    }

    pub(super) fn move_to_lane(&mut self, number: u32, lane: usize) {
        self.packs[number as usize].lane = lane;
    }

    /// A lane's world is given up: its pack goes to another lane, which has counted that much less.
    #[inline]
    pub(super) fn merge_into(&mut self, number: u32, lane: usize, difference: Counts) {
        let pack = &mut self.packs[number as usize];
        pack.lane = lane;
        pack.offset += difference;
    }

    /// Open packs of another lane come after the first `places` of theirs.
    pub(super) fn move_places(&mut self, open: &[u32], places: usize) {
        for (place, &number) in open.iter().enumerate() {
            self.packs[number as usize].place = places + place;
        }
    }
}

impl Breakers {
    /// What was gathered in `lane` begins its open time.
    #[inline(never)]
    pub(super) fn park_gathered(&mut self, script: &Script<'_>, lane: usize, now: Time) {
        let parked = &mut self.parked;
        let mut gathered = std::mem::take(&mut parked.gathered);
        for number in gathered.drain(..) {
            let pack = &mut parked.packs[number as usize];
            parked.opening[pack.open as usize] = None;
            (pack.lane, pack.place) = (lane, self.lanes[lane].open.len());
            self.lanes[lane].open.push(number);
            parked.wake_later(number, now, &script.backdrop.timetable);
        }
        parked.gathered = gathered;
    }

    /// **The wake rule.** A pack whose open time has passed at the question of a call wants to probe. Calls `woken` with the lane
    /// of each.
    #[inline(always)]
    pub(super) fn wake(&mut self, call: usize, mut woken: impl FnMut(&Self, usize)) {
        let mut number = self.parked.wakes[call];
        while number != NONE {
            let lane = self.wake_pack(number);
            woken(self, lane);
            number = self.parked.pack(number).next_to_wake;
        }
    }

    /// A pack no longer waits for its open time, but for a slot to probe with. Returns its lane.
    fn wake_pack(&mut self, number: u32) -> usize {
        let &Pack { lane, place, .. } = self.parked.pack(number);
        let members = &mut self.lanes[lane];
        members.open.swap_remove(place);
        if let Some(&moved) = members.open.get(place) {
            self.parked.packs[moved as usize].place = place;
        }
        members.waiting.push(number);
        lane
    }

    /// The packs that want to probe do so with this call, which has found a slot.
    pub(super) fn probe(&mut self, lane: usize, call: u32) {
        let Lane { waiting, probing, .. } = &mut self.lanes[lane];
        probing.extend(waiting.drain(..).map(|pack| Probe { pack, call }));
    }

    /// Whether that call is a probe in `lane`.
    #[inline(always)]
    pub(super) fn is_probe(&self, lane: usize, call: u32) -> bool {
        self.lanes[lane].probing.iter().any(|probe| probe.call == call)
    }

    /// **The probe rule.** A call that was a probe has ended. If it failed, its packs open again, each for its open time; if
    /// it succeeded, they close and become one history, which hears of later calls only.
    #[inline(never)]
    pub(super) fn probe_ended(&mut self, script: &Script<'_>, lane: usize, call: u32, failed: bool, now: Time) {
        let Script { grid, plan, .. } = *script;
        let mut probed = std::mem::take(&mut self.parked.probed);
        probed.extend(self.lanes[lane].probing.extract_if(.., |probe| probe.call == call).map(|probe| probe.pack));
        if failed {
            let opening = self.accounts.opening(plan, now, false);
            for &number in &probed {
                let pack = &mut self.parked.packs[number as usize];
                if pack.opened_outside && plan.in_fault(now) {
                    for &seat in &pack.seats {
                        self.accounts.opened(plan, seat, &pack.offset, lane, now);
                    }
                    pack.opened_outside = false;
                }
                pack.offset += opening;
                self.parked.gather_pack(number, &mut self.accounts);
            }
        } else {
            let mut closing = std::mem::take(&mut self.parked.closing);
            for &number in &probed {
                let pack = &self.parked.packs[number as usize];
                for &seat in &pack.seats {
                    *self.accounts.seat_mut(seat) += pack.offset;
                    self.accounts.closed(plan, seat, now);
                }
                closing.extend_from_slice(&pack.seats);
            }
            self.close(grid, lane, call + 1, closing.drain(..).map(|seat| (seat as usize / 64, 1 << (seat % 64))));
            self.parked.closing = closing;
            probed.iter().for_each(|&number| self.parked.spare(number));
        }
        probed.clear();
        self.parked.probed = probed;
    }
}
