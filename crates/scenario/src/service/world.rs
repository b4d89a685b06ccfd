//! The richer world as a model of the engine.

mod breakers;
mod calls;

use std::collections::BTreeMap;

use engine::{Calendar, Class, Duration, EventKey, Model, Time};
use policies::{CallId, Phase, Rule};

use super::clock::WallClock;
use super::compartment::{Compartment, Place, Waiting, shares};
use super::guard::{Guard, Probe};
use super::plan::ServicePlan;
use super::rate_limit::TokenBucket;
use super::retries::Tokens;
use super::{Ended, Service, ServiceCounts, ServiceNote, ServiceObserver, Snapshot};
use crate::ledger::Ledger;
use crate::plan::RunPlan;
use crate::record::RunRecord;
use crate::replication::{Request, RequestStream, identity};

/// What happens in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The regime of that number in the plan begins.
    Regime(u32),
    /// The wall clock is set.
    ClockStep(u32),
    /// The timer of that breaker is due.
    BreakerTimer(u32),
    /// The request of that position in the stream arrives.
    Arrival(u32),
    /// That caller has thought for the given time.
    Caller { caller: u32, round: u64 },
    /// That request makes its next attempt.
    Again(u32),
    /// The attempt of that request ends for its caller.
    AttemptEnd(u32),
    /// The dependency is done with an attempt that was given up.
    AbandonedEnd,
    /// The neighbour's request of that position is done.
    NeighbourEnd(u32),
    /// A rejection's hold ends in that compartment.
    RejectionEnd(u32),
}

/// A dependency request that has not ended.
#[derive(Clone, Copy, Debug)]
struct Live {
    number: u64,
    arrived: Time,
    /// The caller and its round, in a closed loop.
    caller: Option<(u32, u64)>,
    shard: u32,
    guard: u32,
    compartment: u32,
    attempt: u32,
    /// Whether an attempt has started.
    started: bool,
    /// The latest question to the breaker.
    call: CallId,
    /// The breaker has let the call through, and has not heard how it ended.
    permit: bool,
    probe: Option<Probe>,
    /// How the attempt under way will end, and how long it holds its slot.
    coming: (Ended, Duration),
}

/// Every breaker, pool and counter of the gateway.
pub(crate) struct World<'a, R: Rule, O> {
    plan: &'a RunPlan,
    service: &'a Service,
    draws: Option<&'a ServicePlan>,
    requests: &'a [Request],
    guards: Vec<Guard<R>>,
    compartments: Vec<Compartment>,
    live: Vec<Option<Live>>,
    free: Vec<u32>,
    /// Calls that their breaker holds back.
    held_back: BTreeMap<(u32, CallId), u32>,
    limiter: Option<TokenBucket>,
    tokens: Option<Tokens>,
    wall: WallClock,
    at_dependency: u32,
    regime: usize,
    ledger: Ledger,
    counts: ServiceCounts,
    observer: O,
}

/// Arrivals of one instant come in the order of the flows and, within one, of the numbers and attempts.
pub(crate) fn arrival_sequence(flow: u64, number: u64, attempt: u32) -> u64 {
    // 2^59 for the flow, six bits for the attempt.
    flow << 59 | number << 6 | u64::from(attempt)
}

impl<'a, R: Rule, O: ServiceObserver> World<'a, R, O> {
    /// A world of `rules`, one for each instance.
    pub(crate) fn new(rules: &[R], stream: &'a RequestStream, service: &'a Service, observer: O) -> Self {
        let plan = &stream.plan;
        let draws = stream.service.as_deref();
        let breakers = service.breaker_count() / rules.len();
        let key = |number: u64| if number == 0 { plan.breaker_key } else { plan.breaker_key.child(number) };
        let guards = rules.iter().flat_map(|&rule| std::iter::repeat_n(rule, breakers));
        let parts = |share: u32| match service.bulkhead {
            Some(own) => vec![own, share - own],
            None => vec![share],
        };
        Self {
            plan,
            service,
            draws,
            requests: &stream.requests,
            guards: guards.zip(0..).map(|(rule, number): (R, u64)| Guard::new(rule, key(number))).collect(),
            compartments: shares(plan.slots, service.instances)
                .flat_map(parts)
                .map(|slots| Compartment::new(slots, service.queue))
                .collect(),
            live: Vec::new(),
            free: Vec::new(),
            held_back: BTreeMap::new(),
            limiter: service.rate_limit.map(TokenBucket::new),
            tokens: service.retries.and_then(|retries| retries.budget).map(Tokens::new),
            wall: WallClock::default(),
            at_dependency: 0,
            regime: 0,
            ledger: Ledger::default(),
            counts: ServiceCounts::default(),
            observer,
        }
    }

    /// Schedules what begins at the start of the run.
    pub(crate) fn begin(&self, calendar: &mut Calendar<Event>) {
        calendar.schedule(Time::ZERO, Class::Change, Event::Regime(0));
        for (step, number) in self.service.clock_steps.iter().zip(0..) {
            calendar.schedule(step.at, Class::Change, Event::ClockStep(number));
        }
        let callers = self.service.callers.as_ref().map_or(0, |callers| callers.number);
        for caller in 0..callers {
            self.think(Time::ZERO, (caller, 0), calendar);
        }
    }

    pub(crate) fn finish(mut self) -> (RunRecord, O) {
        let counts_from = self.plan.warm_up;
        let horizon = self.plan.horizon;
        for waiting in self.compartments.iter().flat_map(|compartment| &compartment.line) {
            match *waiting {
                Waiting::Neighbour { arrived, .. } if arrived >= counts_from => {
                    self.counts.neighbour_wait += horizon.since(arrived);
                }
                _ => {}
            }
        }
        let counted = self.live.iter().flatten().filter(|live| live.arrived >= counts_from);
        self.counts.waiting = counted.filter(|live| !live.started).count() as u64;
        self.counts.stuck_breakers = self.guards.iter().filter(|guard| guard.watch.stuck()).count() as u32;
        let (ledger, counts) = (&mut self.ledger, self.counts);
        // Whoever was let in and did not leave again is in flight.
        ledger.calls = ledger.requests - ledger.rejected - ledger.no_slot - counts.rate_limited;
        let mut record = self.ledger.close(self.plan);
        record.in_flight -= counts.cancelled + counts.ignored;
        record.service = Some(counts);
        (record, self.observer)
    }

    fn counts_request(&self, arrived: Time) -> bool {
        arrived >= self.plan.warm_up
    }

    fn note(&mut self, now: Time, note: ServiceNote) {
        if O::WATCHES {
            let snapshot = Snapshot {
                slots_in_use: self.compartments.iter().map(|compartment| compartment.pool.busy()).sum(),
                queued: self.compartments.iter().map(|compartment| compartment.line.len() as u32).sum(),
                at_dependency: self.at_dependency,
            };
            self.observer.note(now, snapshot, note);
        }
    }

    /// A regime begins, and the next one is scheduled; the first regime begins the run.
    fn begin_regime(&mut self, now: Time, index: usize, calendar: &mut Calendar<Event>) {
        self.regime = index;
        let clocks = self.wall.clocks(now);
        let phases = self.guards.iter().map(|guard| guard.rule.phase(&guard.state, clocks));
        let phase = phases.into_iter().find(|&phase| phase != Phase::Closed).unwrap_or(Phase::Closed);
        if index == 1 {
            self.ledger.fault(phase);
        }
        if self.plan.heal_at == Some(now) {
            self.ledger.heal(phase);
        }
        if let Some(&(next, _)) = self.plan.regimes.get(index + 1) {
            calendar.schedule(next, Class::Change, Event::Regime(index as u32 + 1));
        }
        for guard in 0..self.guards.len() as u32 {
            self.settle(now, guard, calendar);
        }
        self.note(now, ServiceNote::Regime(index));
    }

    fn step_clock(&mut self, now: Time, number: u32) {
        self.wall.step(self.service.clock_steps[number as usize]);
        self.note(now, ServiceNote::ClockStep(number as usize));
    }

    /// A caller thinks, and asks when it has; if that lies in a pause, at the end of it.
    fn think(&self, now: Time, (caller, round): (u32, u64), calendar: &mut Calendar<Event>) {
        let (Some(callers), Some(draws)) = (&self.service.callers, self.draws) else { return };
        let number = callers.request_number(caller, round);
        let mut at = now + callers.think.draw(draws.of_request(identity::THINK), number);
        while let Some(pause) = self.service.pauses.iter().find(|pause| pause.holds(at)) {
            at = pause.to;
        }
        if at < self.plan.horizon {
            let key = EventKey::new(at, Class::Arrival, arrival_sequence(identity::DEPENDENCY, number, 0));
            calendar.schedule_keyed(key, Event::Caller { caller, round });
        }
    }

    /// The instance's part for a flow.
    fn compartment_of(&self, flow: u64, instance: u32) -> u32 {
        match self.service.bulkhead {
            Some(_) => 2 * instance + flow as u32,
            None => instance,
        }
    }

    fn instance(&self, flow: u64, number: u64) -> u32 {
        self.draws.map_or(0, |draws| draws.instance(flow, number))
    }

    fn neighbour_arrives(&mut self, now: Time, position: u32, calendar: &mut Calendar<Event>) {
        let request = self.requests[position as usize];
        let number = u64::from(request.number);
        let compartment = self.compartment_of(identity::NEIGHBOUR, self.instance(identity::NEIGHBOUR, number));
        let who = Waiting::Neighbour { position, arrived: now };
        let place = self.compartments[compartment as usize].enter(who);
        self.ledger.neighbour(self.plan, now, place != Place::None);
        if place == Place::Slot {
            calendar.schedule(now + request.hold, Class::Completion, Event::NeighbourEnd(position));
        }
        self.note(now, ServiceNote::Neighbour { request: number, served: place != Place::None });
    }

    fn neighbour_ends(&mut self, now: Time, position: u32, calendar: &mut Calendar<Event>) {
        let request = self.requests[position as usize];
        let number = u64::from(request.number);
        let compartment = self.compartment_of(identity::NEIGHBOUR, self.instance(identity::NEIGHBOUR, number));
        self.compartments[compartment as usize].pool.release();
        self.ledger.neighbour_completion(self.plan, request.at);
        self.note(now, ServiceNote::NeighbourDone { request: number });
        self.serve(now, compartment, calendar);
    }

    /// Gives free slots to those who wait for them.
    fn serve(&mut self, now: Time, compartment: u32, calendar: &mut Calendar<Event>) {
        while let Some(waiting) = self.compartments[compartment as usize].next_in_line() {
            match waiting {
                Waiting::Neighbour { position, arrived } => {
                    let request = self.requests[position as usize];
                    let waited = now.since(arrived);
                    if self.counts_request(arrived) {
                        self.counts.neighbour_wait += waited;
                    }
                    calendar.schedule(now + request.hold, Class::Completion, Event::NeighbourEnd(position));
                    self.note(now, ServiceNote::NeighbourServed { request: request.number.into(), waited });
                }
                Waiting::Call(id) => {
                    let guard = self.live(id).guard;
                    self.start(now, id, now, calendar);
                    self.settle(now, guard, calendar);
                }
            }
        }
    }

    fn insert(&mut self, live: Live) -> u32 {
        match self.free.pop() {
            Some(id) => {
                self.live[id as usize] = Some(live);
                id
            }
            None => {
                self.live.push(Some(live));
                self.live.len() as u32 - 1
            }
        }
    }

    /// The request under a number that is in use.
    fn live(&mut self, id: u32) -> &mut Live {
        self.live[id as usize].as_mut().expect("events name requests that have not ended")
    }
}

impl<R: Rule, O: ServiceObserver> Model for World<'_, R, O> {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        let now = calendar.now();
        match event {
            Event::Regime(index) => self.begin_regime(now, index as usize, calendar),
            Event::ClockStep(number) => self.step_clock(now, number),
            Event::BreakerTimer(guard) => self.advance_breaker(now, guard, calendar),
            Event::Arrival(position) => self.arrive(now, position, calendar),
            Event::Caller { caller, round } => self.caller_asks(now, caller, round, calendar),
            Event::Again(id) => self.attempt(now, id, calendar),
            Event::AttemptEnd(id) => self.attempt_ends(now, id, calendar),
            Event::AbandonedEnd => {
                self.at_dependency -= 1;
                self.note(now, ServiceNote::AbandonedEnd);
            }
            Event::NeighbourEnd(position) => self.neighbour_ends(now, position, calendar),
            Event::RejectionEnd(compartment) => {
                self.compartments[compartment as usize].pool.release();
                self.note(now, ServiceNote::RejectionEnd);
                self.serve(now, compartment, calendar);
            }
        }
    }
}
