//! What the neighbours do as long as all of them find a slot: the same under every design and in every mode.

use engine::Time;

use super::timetable::{Finger, Timetable};
use crate::plan::RunPlan;
use crate::replication::{Fate, Request};

/// The neighbours' part of a replication, worked out once for all its modes.
///
/// The requests are cut at the calls to the dependency: *gap* c is what lies between call c − 1 and call c, and the last gap
/// ends at the horizon. Decisions are made at calls only, and in most gaps there is room for every neighbour that arrives:
/// the most slots that they take together tells at a glance. Where a neighbour is turned away, worlds count that against
/// this.
#[derive(Debug, Default)]
pub(super) struct Backdrop {
    /// The positions of the calls to the dependency among the requests.
    pub(super) calls: Vec<u32>,
    pub(super) timetable: Timetable,
    /// By call: the gap in which its rejection's hold ends, or [`Backdrop::NEVER`].
    pub(super) rejection_ends: Vec<u32>,
    /// By request, at its arrival: slots that neighbours take which came before.
    pub(super) taken: Vec<u32>,
    /// By gap: the most slots that neighbours take at once when one of the gap's has arrived; 0 if none does.
    pub(super) peaks: Vec<u32>,
    /// Neighbours that count, and those of them that are done before the horizon.
    pub(super) neighbour_requests: u64,
    pub(super) neighbour_responses: u64,
    /// All arrivals.
    arrivals: Timetable,
    /// Scratch: the positions of the neighbours.
    neighbours: Vec<u32>,
    /// Scratch, by request: how many neighbours' holds end since the arrival before.
    ends: Vec<u32>,
}

impl Backdrop {
    /// Stands for the gap in which something ends that lasts to the horizon.
    pub(super) const NEVER: u32 = u32::MAX;

    /// Becomes that of these requests.
    pub(super) fn fill(&mut self, requests: &[Request], plan: &RunPlan) {
        self.sort_by_flow(requests);
        self.arrivals.fill(requests.iter().map(|request| request.at), plan.horizon);
        self.ends.clear();
        self.ends.resize(requests.len() + 1, 0);
        let (mut counted, mut done) = (0, 0);
        let mut finger = Finger::default();
        for &position in &self.neighbours {
            let request = &requests[position as usize];
            let next = self.arrivals.arrival_from(request.at + request.hold, &mut finger);
            if let Some(next) = next {
                self.ends[next] += 1;
            }
            let counts = request.at >= plan.warm_up;
            counted += u64::from(counts);
            done += u64::from(counts & next.is_some());
        }
        (self.neighbour_requests, self.neighbour_responses) = (counted, done);
        self.count_slots(requests);
        let Self { calls, timetable, rejection_ends, .. } = self;
        timetable.fill(calls.iter().map(|&call| requests[call as usize].at), plan.horizon);
        let mut finger = Finger::default();
        let mut end_of = |&at: &Time| timetable.arrival_from(at + plan.rejection_hold, &mut finger);
        rejection_ends.clear();
        rejection_ends.extend(timetable.arrivals().iter().map(|at| end_of(at).map_or(Self::NEVER, |gap| gap as u32)));
    }

    /// Finds the positions of calls and of neighbours. Whose request comes next is chance, hence no branches.
    fn sort_by_flow(&mut self, requests: &[Request]) {
        let (mut calls, mut neighbours) = (0, 0);
        self.calls.resize(requests.len(), 0);
        self.neighbours.resize(requests.len(), 0);
        for (position, request) in requests.iter().enumerate() {
            self.calls[calls] = position as u32;
            self.neighbours[neighbours] = position as u32;
            let is_neighbour = request.fate == Fate::Neighbour;
            calls += usize::from(!is_neighbour);
            neighbours += usize::from(is_neighbour);
        }
        self.calls.truncate(calls);
        self.neighbours.truncate(neighbours);
    }

    /// Counts the slots that neighbours take, once it is known how many of their holds end before each arrival.
    fn count_slots(&mut self, requests: &[Request]) {
        let Self { taken: taken_at, peaks, ends, .. } = self;
        taken_at.clear();
        peaks.resize(self.calls.len() + 1, 0);
        let (mut taken, mut peak, mut gap) = (0, 0, 0);
        taken_at.extend(requests.iter().zip(ends).map(|(request, ends)| {
            let is_neighbour = u32::from(request.fate == Fate::Neighbour);
            let before = taken - *ends;
            taken = before + is_neighbour;
            peaks[gap] = peak;
            gap += 1 - is_neighbour as usize;
            peak = taken.max(peak) * is_neighbour;
            before
        }));
        peaks[gap] = peak;
    }

    /// The position of the first request at or after `end`, no earlier than `from`; their number if there is none.
    #[inline(always)]
    pub(super) fn position_from(&self, end: Time, from: usize) -> usize {
        self.arrivals.first_from(end, from)
    }

    /// The positions of the neighbours that arrive in a gap.
    pub(super) fn gap(&self, gap: usize) -> std::ops::Range<usize> {
        let from = if gap == 0 { 0 } else { self.calls[gap - 1] as usize + 1 };
        from..self.calls.get(gap).map_or(self.taken.len(), |&call| call as usize)
    }
}

#[cfg(test)]
mod tests {
    use engine::Duration;

    use super::*;
    use crate::{ArrivalProcess, FaultAt, Horizon, Mode, OutcomeAt, Scenario, Service};

    fn plan(horizon: u64, warm_up: u64) -> RunPlan {
        let none = ArrivalProcess::Poisson { rate: 0.0 };
        let (fault_at, horizon) = (Time::from_nanos(5), Time::from_nanos(horizon));
        let scenario = Scenario {
            slots: 1,
            horizon: Horizon::At(horizon),
            warm_up: Time::from_nanos(warm_up),
            fault_at: FaultAt::Fixed(fault_at),
            outcome: OutcomeAt::Completion,
            rejection_hold: Duration::ZERO,
            dependency: none,
            neighbour: none,
            neighbour_hold: engine::Distribution::Deterministic(Duration::TICK),
            service: Service::default(),
        };
        let mode = Mode::given("down", None).expect("given");
        RunPlan::new(&scenario, &mode, fault_at, horizon, engine::StreamKey::root(1))
    }

    #[test]
    fn counts_slots_and_gaps() {
        let neighbour = |at, hold| Request {
            at: Time::from_nanos(at),
            hold: Duration::from_nanos(hold),
            number: 0,
            fate: Fate::Neighbour,
        };
        let call = |at| Request { fate: Fate::Failure, ..neighbour(at, 100) };
        // The hold from 0 to 4 ends before what arrives at 4; the one from 6 lasts to the horizon.
        let requests = [neighbour(0, 4), neighbour(3, 4), call(3), neighbour(4, 1), call(6), call(6), neighbour(6, 14)];
        let mut backdrop = Backdrop::default();
        backdrop.fill(&requests[..3], &plan(9, 0));
        backdrop.fill(&requests, &plan(20, 4));
        assert_eq!(backdrop.calls, [2, 4, 5]);
        assert_eq!(backdrop.taken, [0, 1, 2, 1, 1, 1, 1]);
        assert_eq!(backdrop.peaks, [2, 2, 0, 2]);
        assert_eq!((backdrop.neighbour_requests, backdrop.neighbour_responses), (2, 1));
        let gaps: Vec<_> = (0..4).map(|gap| backdrop.gap(gap)).collect();
        assert_eq!(gaps, [0..2, 3..4, 5..5, 6..7]);
    }
}
