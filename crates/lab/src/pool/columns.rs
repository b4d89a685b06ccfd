//! What is counted in the gateway, as columns over time.

use engine::Time;
use serde::Serialize;

/// Who holds how many slots. A row holds from its instant, exclusive, up to the next row's, inclusive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SlotColumns {
    /// The instants, ascending.
    pub at_ns: Vec<u64>,
    /// Slots held by anybody.
    pub in_use: Vec<u32>,
    /// Slots held by calls to the dependency.
    pub dependency: Vec<u32>,
    /// Slots held by neighbours.
    pub neighbour: Vec<u32>,
    /// Slots held by rejections.
    pub rejection: Vec<u32>,
}

/// Slots by holder at some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots {
    pub(super) in_use: u32,
    pub(super) dependency: u32,
    pub(super) neighbour: u32,
    pub(super) rejection: u32,
}

impl SlotColumns {
    pub(super) fn set(&mut self, now: Time, slots: Slots) {
        if self.at_ns.last() == Some(&now.as_nanos()) {
            self.at_ns.pop();
            self.in_use.pop();
            self.dependency.pop();
            self.neighbour.pop();
            self.rejection.pop();
        }
        self.at_ns.push(now.as_nanos());
        self.in_use.push(slots.in_use);
        self.dependency.push(slots.dependency);
        self.neighbour.push(slots.neighbour);
        self.rejection.push(slots.rejection);
    }
}

/// The counters of both flows. A row holds from its instant, exclusive, up to the next row's, inclusive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PoolCounters {
    pub at_ns: Vec<u64>,
    pub requests: Vec<u64>,
    pub responses: Vec<u64>,
    pub errors: Vec<u64>,
    pub rejected: Vec<u64>,
    pub no_slot: Vec<u64>,
    pub in_flight: Vec<u64>,
    pub neighbour_requests: Vec<u64>,
    pub neighbour_responses: Vec<u64>,
    pub neighbour_no_slot: Vec<u64>,
    pub neighbour_in_flight: Vec<u64>,
}

/// The counters of both flows at some time; calls in flight are the slots that they hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) requests: u64,
    pub(super) responses: u64,
    pub(super) errors: u64,
    pub(super) rejected: u64,
    pub(super) no_slot: u64,
    pub(super) in_flight: u64,
    pub(super) neighbour_requests: u64,
    pub(super) neighbour_responses: u64,
    pub(super) neighbour_no_slot: u64,
    pub(super) neighbour_in_flight: u64,
}

impl Counts {
    pub(super) const fn are_conserved(&self) -> bool {
        self.requests == self.responses + self.errors + self.rejected + self.no_slot + self.in_flight
            && self.neighbour_requests == self.neighbour_responses + self.neighbour_no_slot + self.neighbour_in_flight
    }
}

impl PoolCounters {
    pub(super) fn set(&mut self, now: Time, counts: Counts) {
        let is_same_instant = self.at_ns.last() == Some(&now.as_nanos());
        let columns = [
            (&mut self.at_ns, now.as_nanos()),
            (&mut self.requests, counts.requests),
            (&mut self.responses, counts.responses),
            (&mut self.errors, counts.errors),
            (&mut self.rejected, counts.rejected),
            (&mut self.no_slot, counts.no_slot),
            (&mut self.in_flight, counts.in_flight),
            (&mut self.neighbour_requests, counts.neighbour_requests),
            (&mut self.neighbour_responses, counts.neighbour_responses),
            (&mut self.neighbour_no_slot, counts.neighbour_no_slot),
            (&mut self.neighbour_in_flight, counts.neighbour_in_flight),
        ];
        for (column, value) in columns {
            if is_same_instant {
                column.pop();
            }
            column.push(value);
        }
    }
}
