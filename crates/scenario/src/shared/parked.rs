//! Open and half-open breakers: packs, which wait for their open time to pass, and probe.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use engine::{Duration, Time};

use super::breakers::Breakers;
use super::ledger::{Accounts, Counts};

/// Breakers in one lane that opened together and have one open time. Threshold and window mean nothing until they close.
#[derive(Clone, Debug)]
pub(super) struct Pack {
    lane: usize,
    /// The open time, as a number.
    open: u32,
    /// The request that probes, where one does.
    probe: u32,
    pub(super) offset: Counts,
    /// Whether its latest opening was not in the fault, so that its members may have yet to open in it.
    opened_outside: bool,
    pub(super) seats: Vec<u32>,
}

/// All packs, and when they wake.
pub(super) struct Parked {
    packs: Vec<Pack>,
    spare: Vec<u32>,
    open_times: Vec<Duration>,
    /// Nobody asks after this instant, so nobody need wake.
    last_question: Time,
    wakes: BinaryHeap<Reverse<(Time, u32)>>,
    /// Scratch, by open time: the pack that opens now. Empty between results.
    opening: Vec<Option<u32>>,
    gathered: Vec<u32>,
    probed: Vec<u32>,
}

impl Parked {
    pub(super) fn new(open_times: &[Duration], last_question: Time) -> Self {
        Self {
            packs: Vec::new(),
            spare: Vec::new(),
            open_times: open_times.to_vec(),
            last_question,
            wakes: BinaryHeap::new(),
            opening: vec![None; open_times.len()],
            gathered: Vec::new(),
            probed: Vec::new(),
        }
    }

    pub(super) fn pack(&self, number: u32) -> &Pack {
        &self.packs[number as usize]
    }

    /// A closed breaker opens: into the pack of those with its open time that open now.
    pub(super) fn gather(&mut self, open: u32, seat: u32, accounts: &Accounts<'_>, now: Time) {
        let number = self.opening[open as usize].unwrap_or_else(|| {
            let number = self.new_pack(open, accounts.opening(now, true), !accounts.in_fault(now));
            self.opening[open as usize] = Some(number);
            self.gathered.push(number);
            number
        });
        self.packs[number as usize].seats.push(seat);
    }

    fn new_pack(&mut self, open: u32, offset: Counts, opened_outside: bool) -> u32 {
        let number = self.spare.pop().unwrap_or_else(|| {
            let pack = Pack { lane: 0, open, probe: 0, offset, opened_outside, seats: Vec::new() };
            self.packs.push(pack);
            self.packs.len() as u32 - 1
        });
        let pack = &mut self.packs[number as usize];
        (pack.open, pack.offset, pack.opened_outside) = (open, offset, opened_outside);
        pack.seats.clear();
        number
    }

    /// A half-open pack opens again, together with whoever of its open time opens now.
    ///
    /// Packs of one open time that open at the same result have one future and become one: the smaller joins the larger,
    /// and what it counted goes with its members.
    fn gather_pack(&mut self, number: u32, accounts: &mut Accounts<'_>) {
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
        self.spare.push(smaller);
        if larger != other {
            self.opening[open] = Some(larger);
            self.gathered.retain(|&gathered| gathered != other);
            self.gathered.push(larger);
        }
    }

    pub(super) fn move_to_lane(&mut self, number: u32, lane: usize) {
        self.packs[number as usize].lane = lane;
    }

    pub(super) fn rebase(&mut self, number: u32, difference: Counts) {
        self.packs[number as usize].offset += difference;
    }
}

impl Breakers<'_> {
    /// What was gathered in `lane` begins its open time.
    pub(super) fn park_gathered(&mut self, lane: usize, now: Time) {
        let parked = &mut self.parked;
        for number in parked.gathered.drain(..) {
            let pack = &mut parked.packs[number as usize];
            parked.opening[pack.open as usize] = None;
            pack.lane = lane;
            self.lanes[lane].open.push(number);
            let until = now + parked.open_times[pack.open as usize];
            if until <= parked.last_question {
                parked.wakes.push(Reverse((until, number)));
            }
        }
    }

    /// **The wake rule.** A pack whose open time has passed at a question wants to probe; returns its lane. `None` when all
    /// are awake that should be.
    #[inline(always)]
    pub(super) fn wake_next(&mut self, now: Time) -> Option<usize> {
        let &Reverse((until, number)) = self.parked.wakes.peek()?;
        if until > now {
            return None;
        }
        self.parked.wakes.pop();
        let lane = self.parked.pack(number).lane;
        let members = &mut self.lanes[lane];
        if let Some(place) = members.open.iter().position(|&other| other == number) {
            members.open.swap_remove(place);
        }
        members.waiting.push(number);
        Some(lane)
    }

    /// The packs that want to probe do so with the call of request `index`, which has found a slot.
    pub(super) fn probe(&mut self, lane: usize, index: u32) {
        let members = &mut self.lanes[lane];
        for &number in &members.waiting {
            self.parked.packs[number as usize].probe = index;
        }
        members.probing.append(&mut members.waiting);
    }

    /// Whether the call of that request is a probe in `lane`.
    #[inline(always)]
    pub(super) fn is_probe(&self, lane: usize, call: u32) -> bool {
        self.lanes[lane].probing.iter().any(|&number| self.parked.pack(number).probe == call)
    }

    /// **The probe rule.** A call that was a probe has ended. If it failed, its packs open again, each for its open time; if
    /// it succeeded, they close and become one history, which hears of later calls only.
    pub(super) fn probe_ended(&mut self, lane: usize, call: u32, failed: bool, now: Time) {
        let mut probed = std::mem::take(&mut self.parked.probed);
        let packs = &self.parked.packs;
        self.lanes[lane].probing.retain(|&number| {
            let is_probe = packs[number as usize].probe == call;
            if is_probe {
                probed.push(number);
            }
            !is_probe
        });
        if failed {
            let opening = self.accounts.opening(now, false);
            for &number in &probed {
                let pack = &mut self.parked.packs[number as usize];
                if pack.opened_outside && self.accounts.in_fault(now) {
                    for &seat in &pack.seats {
                        self.accounts.opened(seat, &pack.offset, lane, now);
                    }
                    pack.opened_outside = false;
                }
                pack.offset += opening;
                self.parked.gather_pack(number, &mut self.accounts);
            }
        } else {
            let mut closing = Vec::new();
            for &number in &probed {
                let pack = &self.parked.packs[number as usize];
                for &seat in &pack.seats {
                    *self.accounts.seat_mut(seat) += pack.offset;
                    self.accounts.closed(seat, now);
                }
                closing.extend_from_slice(&pack.seats);
            }
            self.close(lane, call + 1, closing.into_iter());
            self.parked.spare.extend_from_slice(&probed);
        }
        probed.clear();
        self.parked.probed = probed;
    }
}
