//! The counters of many designs, kept by what they have in common.

use std::ops::{AddAssign, Sub, SubAssign};

use engine::{Duration, Time};

use super::clone_in_place::clone_in_place;
use super::lane_set::LaneSet;
use super::script::Script;
use crate::ledger::{Detection, Ledger};
use crate::mode::Opening;
use crate::plan::RunPlan;
use crate::record::RunRecord;
use crate::replication::{Fate, Request};

/// What is counted per design. A call's completion lies in its future, but not in doubt: it is counted when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Count {
    Responses,
    Errors,
    InFlight,
    Rejected,
    FalseOpenRejections,
    RejectedAfterHeal,
    NoSlot,
    Openings,
    FalseOpenings,
    NeighbourNoSlot,
    NeighbourNoSlotFault,
    /// Neighbours without a slot that would have been done before the horizon.
    NeighbourResponsesLost,
}

/// Numbers by [`Count`], and slot time. Differences may be "negative": all arithmetic is modulo a power of two, so that
/// sums are right in the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Counts {
    numbers: [u32; 12],
    /// Nanoseconds of calls started in the fault.
    slot_time: u64,
}

impl Counts {
    pub(super) const ZERO: Self = Self { numbers: [0; 12], slot_time: 0 };

    #[inline]
    fn with(mut self, count: Count, number: bool) -> Self {
        self.numbers[count as usize] = u32::from(number);
        self
    }

    fn get(&self, count: Count) -> u64 {
        u64::from(self.numbers[count as usize])
    }
}

impl AddAssign for Counts {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        for (number, other) in self.numbers.iter_mut().zip(other.numbers) {
            *number = number.wrapping_add(other);
        }
        self.slot_time = self.slot_time.wrapping_add(other.slot_time);
    }
}

impl SubAssign for Counts {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        for (number, other) in self.numbers.iter_mut().zip(other.numbers) {
            *number = number.wrapping_sub(other);
        }
        self.slot_time = self.slot_time.wrapping_sub(other.slot_time);
    }
}

impl Sub for Counts {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

/// What a design has met so far, by seat.
#[derive(Clone, Copy, Debug, Default)]
struct Milestones {
    opened_before_fault: bool,
    detection: Option<Detection>,
    closed_after_heal: Option<Duration>,
}

/// The accounts of a sweep over one stream.
///
/// **The counters of a design are those of its seat, plus the offset of the history or pack that it is in, plus those of
/// its lane, plus those of all lanes.** What happens in a world is counted once, in the lane; what happens in most worlds,
/// once for all lanes, and the others count the difference. Whoever moves a design from one account to another adds the
/// difference of the two to what stays with it.
#[derive(Default)]
pub(super) struct Accounts {
    /// Whether opening means, in the regime in force, that the breaker is wrong.
    opening_is_false: bool,
    everywhere: Counts,
    lanes: Vec<Counts>,
    seats: Vec<Counts>,
    /// Nobody has met any before the fault begins: none until then.
    milestones: Vec<Milestones>,
    requests: u64,
    /// Neighbours that arrive and, as if each found a slot, those that are done before the horizon.
    neighbour_requests: u64,
    neighbour_responses: u64,
    /// No design has more slot time.
    most_slot_time: Duration,
}

clone_in_place!(Accounts {
    opening_is_false,
    everywhere,
    lanes,
    seats,
    milestones,
    requests,
    neighbour_requests,
    neighbour_responses,
    most_slot_time,
});

impl Accounts {
    /// Nothing has been counted yet.
    pub(super) fn begin(&mut self, script: &Script<'_>, lanes: usize, seats: usize) {
        self.begin_regime(script.plan.regimes[0].1);
        self.everywhere = Counts::ZERO;
        for (counts, number) in [(&mut self.lanes, lanes), (&mut self.seats, seats)] {
            counts.clear();
            counts.resize(number, Counts::ZERO);
        }
        self.milestones.clear();
        self.requests = 0;
        self.neighbour_requests = script.backdrop.neighbour_requests;
        self.neighbour_responses = script.backdrop.neighbour_responses;
        self.most_slot_time = Duration::ZERO;
    }

    /// Whether some design's slot time may be beyond what can be represented.
    pub(super) fn may_be_too_long(&self) -> bool {
        self.most_slot_time == Duration::from_nanos(u64::MAX)
    }

    /// A regime begins in which opening means `opening`.
    pub(super) fn begin_regime(&mut self, opening: Opening) {
        self.opening_is_false = opening == Opening::False;
    }

    /// The fault begins.
    pub(super) fn begin_fault(&mut self) {
        self.milestones.resize(self.seats.len(), Milestones::default());
    }

    /// The fault begins while the breaker at `seat` is not closed.
    pub(super) fn open_at_fault(&mut self, seat: u32) {
        self.milestones[seat as usize].opened_before_fault = true;
    }

    /// The breaker at `seat` is closed, and the dependency has healed no later than `now`, if ever.
    pub(super) fn closed(&mut self, plan: &RunPlan, seat: u32, now: Time) {
        if let Some(heal) = plan.heal_at.filter(|&heal| now >= heal) {
            self.milestones[seat as usize].closed_after_heal.get_or_insert(now.since(heal));
        }
    }

    /// What one opening at `now` adds.
    pub(super) fn opening(&self, plan: &RunPlan, now: Time, from_closed: bool) -> Counts {
        let counted = now >= plan.warm_up;
        let is_false = from_closed && self.opening_is_false;
        Counts::ZERO.with(Count::Openings, counted).with(Count::FalseOpenings, counted && is_false)
    }

    /// The breaker at `seat` opens. `shared` is the offset of its history or pack.
    #[inline]
    pub(super) fn opened(&mut self, plan: &RunPlan, seat: u32, shared: &Counts, lane: usize, now: Time) {
        if !plan.in_fault(now) {
            return;
        }
        let detection = &mut self.milestones[seat as usize].detection;
        if detection.is_none() {
            let accounts = [&self.seats[seat as usize], shared, &self.lanes[lane], &self.everywhere];
            let slot_time = accounts.iter().fold(0_u64, |sum, counts| sum.wrapping_add(counts.slot_time));
            *detection = Some(Detection { at: now, slot_time: Duration::from_nanos(slot_time) });
        }
    }

    /// What stays with the design at `seat`.
    #[inline(always)]
    pub(super) fn seat_mut(&mut self, seat: u32) -> &mut Counts {
        &mut self.seats[seat as usize]
    }

    pub(super) fn lane(&self, lane: usize) -> Counts {
        self.lanes[lane]
    }

    /// What everybody in a lane has counted.
    pub(super) fn world(&self, lane: usize) -> Counts {
        let mut world = self.everywhere;
        world += self.lanes[lane];
        world
    }

    /// Lane `to` begins as a copy of lane `from`.
    pub(super) fn fork(&mut self, from: usize, to: usize) {
        self.lanes[to] = self.lanes[from];
    }

    #[inline(always)]
    fn add<const K: usize>(lanes: &mut [Counts], to: LaneSet<K>, what: impl FnOnce() -> Counts) {
        if !to.is_empty() {
            let what = what();
            for lane in to {
                lanes[lane] += what;
            }
        }
    }

    /// A neighbour arrives and finds no slot in the lanes `full`.
    #[inline(always)]
    pub(super) fn neighbour_without_slot<const K: usize>(
        &mut self,
        plan: &RunPlan,
        request: &Request,
        full: LaneSet<K>,
    ) {
        let counted = request.at >= plan.warm_up;
        Self::add(&mut self.lanes, full, || {
            Counts::ZERO
                .with(Count::NeighbourNoSlot, counted)
                .with(Count::NeighbourNoSlotFault, counted && plan.in_fault(request.at))
                .with(Count::NeighbourResponsesLost, counted && request.at + request.hold < plan.horizon)
        });
    }

    /// A call asks; it is `started` in these lanes, admitted with `no_slot`, or `rejected`.
    #[inline(always)]
    pub(super) fn call<const K: usize>(
        &mut self,
        plan: &RunPlan,
        request: &Request,
        started: LaneSet<K>,
        no_slot: LaneSet<K>,
        rejected: LaneSet<K>,
    ) {
        self.requests += u64::from(request.at >= plan.warm_up);
        self.most_slot_time += request.hold;
        let most_start = started.len() >= rejected.len();
        let (most, others) =
            if most_start { (start(plan, request), rejected) } else { (rejection(plan, request), started) };
        self.everywhere += most;
        if !others.is_empty() {
            let other = if most_start { rejection(plan, request) } else { start(plan, request) };
            Self::add(&mut self.lanes, others, || other - most);
        }
        let counted = request.at >= plan.warm_up;
        Self::add(&mut self.lanes, no_slot, || Counts::ZERO.with(Count::NoSlot, counted) - most);
    }

    /// The record at the horizon of the design at `seat`, where all is now counted.
    #[inline(always)]
    pub(super) fn record(&self, plan: &RunPlan, seat: u32) -> RunRecord {
        let total = &self.seats[seat as usize];
        let milestones = self.milestones.get(seat as usize).copied().unwrap_or_default();
        let (responses, errors) = (total.get(Count::Responses), total.get(Count::Errors));
        let ledger = Ledger {
            requests: self.requests,
            calls: responses + errors + total.get(Count::InFlight),
            responses,
            errors,
            rejected: total.get(Count::Rejected),
            no_slot: total.get(Count::NoSlot),
            openings: total.get(Count::Openings),
            false_openings: total.get(Count::FalseOpenings),
            false_open_rejections: total.get(Count::FalseOpenRejections),
            rejected_after_heal: total.get(Count::RejectedAfterHeal),
            neighbour_requests: self.neighbour_requests,
            neighbour_responses: self.neighbour_responses - total.get(Count::NeighbourResponsesLost),
            neighbour_no_slot: total.get(Count::NeighbourNoSlot),
            neighbour_no_slot_fault: total.get(Count::NeighbourNoSlotFault),
            slot_time_fault: Duration::from_nanos(total.slot_time),
            opened_before_fault: milestones.opened_before_fault,
            detection: milestones.detection,
            closed_after_heal: milestones.closed_after_heal,
        };
        ledger.close(plan)
    }
}

/// What a call that starts adds.
#[inline(always)]
fn start(plan: &RunPlan, request: &Request) -> Counts {
    let counted = request.at >= plan.warm_up;
    let (ends, succeeds) = (request.at + request.hold < plan.horizon, request.fate == Fate::Success);
    let mut start = Counts::ZERO
        .with(Count::Responses, counted & ends & succeeds)
        .with(Count::Errors, counted & ends & !succeeds)
        .with(Count::InFlight, counted & !ends);
    start.slot_time = if plan.in_fault(request.at) { request.hold.as_nanos() } else { 0 };
    start
}

/// What a call that is turned away adds.
#[inline(always)]
fn rejection(plan: &RunPlan, request: &Request) -> Counts {
    let counted = request.at >= plan.warm_up;
    let healed = plan.heal_at.is_some_and(|heal| request.at >= heal);
    Counts::ZERO
        .with(Count::Rejected, counted)
        .with(Count::FalseOpenRejections, counted & (request.fate == Fate::Success))
        .with(Count::RejectedAfterHeal, counted & healed)
}
