//! The way of a dependency request through the gateway.

use engine::{Calendar, Class, Duration, EventKey, Time};
use policies::{Answer, CallId, Rule};

use super::{Event, Live, World, arrival_sequence};
use crate::replication::{Fate, identity};
use crate::service::compartment::{Place, Waiting};
use crate::service::{Attempt, AttemptId, Ended, Natural, Refusal, ServiceNote, ServiceObserver};

impl<R: Rule, O: ServiceObserver> World<'_, R, O> {
    pub(super) fn arrive(&mut self, now: Time, position: u32, calendar: &mut Calendar<Event>) {
        let request = self.requests[position as usize];
        if request.fate == Fate::Neighbour {
            return self.neighbour_arrives(now, position, calendar);
        }
        self.request_arrives(now, u64::from(request.number), None, calendar);
    }

    pub(super) fn caller_asks(&mut self, now: Time, caller: u32, round: u64, calendar: &mut Calendar<Event>) {
        let callers = self.service.callers.as_ref().expect("only callers ask");
        let number = callers.request_number(caller, round);
        self.request_arrives(now, number, Some((caller, round)), calendar);
    }

    fn request_arrives(&mut self, now: Time, number: u64, caller: Option<(u32, u64)>, calendar: &mut Calendar<Event>) {
        self.ledger.dependency_request(self.plan, now);
        if let Some(tokens) = &mut self.tokens {
            tokens.earn();
        }
        let instance = self.instance(identity::DEPENDENCY, number);
        let shard = self.draws.map_or(0, |draws| draws.shard(number));
        let guard = match self.service.breaker_per_shard {
            true => instance * self.service.shard_count() as u32 + shard,
            false => instance,
        };
        let id = self.insert(Live {
            number,
            arrived: now,
            caller,
            shard,
            guard,
            compartment: self.compartment_of(identity::DEPENDENCY, instance),
            attempt: 0,
            started: false,
            call: CallId { asked_at: now, request: number, attempt: 0 },
            permit: false,
            probe: None,
            coming: (Ended::Failure, Duration::ZERO),
        });
        self.attempt(now, id, calendar);
    }

    /// Whether the breaker lies outside of the retries: it is asked once for all attempts of a request.
    pub(super) fn breaker_is_outside(&self) -> bool {
        self.service.retries.is_some_and(|retries| retries.breaker_outside)
    }

    /// An attempt passes the limiter and the breaker, and wants a slot.
    pub(super) fn attempt(&mut self, now: Time, id: u32, calendar: &mut Calendar<Event>) {
        let guard = self.live(id).guard;
        if self.limiter.as_mut().is_some_and(|limiter| !limiter.try_take(now)) {
            self.refuse(now, id, Refusal::RateLimited, calendar);
        } else if self.breaker_is_outside() && self.live(id).attempt > 0 {
            self.seek_slot(now, id, now, calendar);
        } else {
            self.ask_for(now, id, calendar);
        }
        self.settle(now, guard, calendar);
    }

    fn ask_for(&mut self, now: Time, id: u32, calendar: &mut Calendar<Event>) {
        let live = self.live(id);
        let (guard, request, attempt) = (live.guard, live.number, live.attempt);
        let call = CallId { asked_at: now, request, attempt };
        live.call = call;
        match self.ask(now, guard, call) {
            Answer::Admit => self.admitted(now, id, now, calendar),
            Answer::Reject => self.rejected(now, id, calendar),
            Answer::Wait => {
                self.held_back.insert((guard, call), id);
                self.note(now, ServiceNote::HeldBack { request, attempt });
            }
        }
    }

    /// The breaker lets a call through.
    pub(super) fn admitted(&mut self, now: Time, id: u32, fate_at: Time, calendar: &mut Calendar<Event>) {
        let guard = self.live(id).guard;
        let probe = self.guards[guard as usize].watch.admit();
        let live = self.live(id);
        (live.permit, live.probe) = (true, probe);
        self.seek_slot(now, id, fate_at, calendar);
    }

    /// The breaker turns a call away.
    pub(super) fn rejected(&mut self, now: Time, id: u32, calendar: &mut Calendar<Event>) {
        let guard = self.live(id).guard;
        if self.guards[guard as usize].watch.reject(now, self.service.stuck_bound()) {
            self.note(now, ServiceNote::Stuck { breaker: guard });
        }
        self.refuse(now, id, Refusal::Rejected, calendar);
    }

    /// `fate_at`: the instant whose regime the attempt meets if it starts at once.
    fn seek_slot(&mut self, now: Time, id: u32, fate_at: Time, calendar: &mut Calendar<Event>) {
        let &mut Live { compartment, number, attempt, .. } = self.live(id);
        match self.compartments[compartment as usize].enter(Waiting::Call(id)) {
            Place::Slot => self.start(now, id, fate_at, calendar),
            Place::Queue => self.note(now, ServiceNote::Queued { request: number, attempt }),
            Place::None => self.refuse(now, id, Refusal::NoSlot, calendar),
        }
    }

    /// An attempt holds a slot and reaches the dependency.
    pub(super) fn start(&mut self, now: Time, id: u32, fate_at: Time, calendar: &mut Calendar<Event>) {
        self.at_dependency += 1;
        self.counts.dependency_peak = self.counts.dependency_peak.max(self.at_dependency);
        let live = *self.live(id);
        let Attempt { hold, outcome } = self.fate(&live, fate_at, self.at_dependency);
        let counted = self.counts_request(live.arrived);
        if counted {
            self.counts.retries += u64::from(live.started);
            self.counts.lost += u64::from(outcome == Natural::Lost);
        }
        let coming = self.coming(hold, outcome);
        let until_horizon = self.plan.horizon.since(now);
        if self.plan.in_fault(now) {
            // What never ends is held to the end of the run.
            self.ledger.slot_time_fault += coming.map_or(until_horizon, |(_, held)| held);
        }
        let probe = live.probe;
        let live = self.live(id);
        live.started = true;
        if let Some((ended, held)) = coming {
            live.coming = (ended, held);
            calendar.schedule(now + held, Class::Completion, Event::AttemptEnd(id));
        } else if let Some(probe) = live.probe.take() {
            let guard = live.guard;
            self.guards[guard as usize].watch.end(now, probe);
        }
        if coming.is_none_or(|(ended, _)| ended == Ended::TimedOut) {
            calendar.schedule(now + hold, Class::Completion, Event::AbandonedEnd);
        }
        let &mut Live { number, attempt, guard, .. } = self.live(id);
        let hold = coming.map(|(_, held)| held);
        self.note(now, ServiceNote::Started { request: number, attempt, breaker: guard, probe: probe.is_some(), hold });
        self.hear_at_admission(now, id, coming);
    }

    /// How the attempt fares, for its caller: its own end, or the time-out; `None` if neither ever comes.
    fn coming(&self, hold: Duration, outcome: Natural) -> Option<(Ended, Duration)> {
        let ended = match outcome {
            Natural::Success => Some(Ended::Success),
            Natural::Failure => Some(Ended::Failure),
            Natural::Cancelled => Some(Ended::Cancelled),
            Natural::Ignored => Some(Ended::Ignored),
            Natural::Lost => None,
        };
        match (ended, self.service.time_out) {
            (Some(ended), None) => Some((ended, hold)),
            (Some(ended), Some(time_out)) if hold <= time_out => Some((ended, hold)),
            (_, Some(time_out)) => Some((Ended::TimedOut, time_out)),
            (None, None) => None,
        }
    }

    /// What an attempt meets; `at_dependency`: the calls under way there, its own included.
    fn fate(&self, live: &Live, at: Time, at_dependency: u32) -> Attempt {
        let Some(draws) = self.draws else { return self.given_fate(live) };
        let excess = self.service.load.map_or(0.0, |load| load.excess(at_dependency));
        let id = AttemptId { number: live.number, attempt: live.attempt, shard: live.shard };
        draws.attempt(self.plan, id, at, excess)
    }

    /// The fate of a request that was given and not drawn: it stands in the stream.
    fn given_fate(&self, live: &Live) -> Attempt {
        let from = self.requests.partition_point(|request| request.at < live.arrived);
        let is_it =
            |request: &&crate::Request| request.fate != Fate::Neighbour && u64::from(request.number) == live.number;
        let request = self.requests[from..].iter().find(is_it).expect("it arrived from the stream");
        let outcome = if request.fate == Fate::Failure { Natural::Failure } else { Natural::Success };
        Attempt { hold: request.hold, outcome }
    }

    /// The attempt ends for its caller.
    pub(super) fn attempt_ends(&mut self, now: Time, id: u32, calendar: &mut Calendar<Event>) {
        let live = *self.live(id);
        let (ended, hold) = live.coming;
        self.compartments[live.compartment as usize].pool.release();
        if ended != Ended::TimedOut {
            self.at_dependency -= 1;
        }
        let counted = self.counts_request(live.arrived);
        self.counts.timeouts += u64::from(counted && ended == Ended::TimedOut);
        let delay = match ended {
            Ended::Failure | Ended::TimedOut => self.delay_of_next(&live),
            Ended::Success | Ended::Cancelled | Ended::Ignored => None,
        };
        if delay.is_none() {
            match ended {
                Ended::Success | Ended::Failure | Ended::TimedOut => {
                    self.ledger.completion(self.plan, live.arrived, ended != Ended::Success);
                }
                Ended::Cancelled => self.counts.cancelled += u64::from(counted),
                Ended::Ignored => self.counts.ignored += u64::from(counted),
            }
        }
        self.note(now, ServiceNote::Ended { request: live.number, attempt: live.attempt, ended });
        self.hear_at_end(now, id, ended, hold, delay.is_none());
        self.settle(now, live.guard, calendar);
        match delay {
            Some(delay) => self.try_again(now, id, delay, calendar),
            None => {
                if matches!(ended, Ended::Failure | Ended::TimedOut) {
                    self.fall_back(now, &live);
                }
                self.end(now, id, calendar);
            }
        }
        self.serve(now, live.compartment, calendar);
    }

    /// The delay of the next attempt after a failure; `None` if there is none.
    fn delay_of_next(&mut self, live: &Live) -> Option<Duration> {
        let (retries, draws) = (self.service.retries?, self.draws?);
        let next = live.attempt + 1;
        if next >= retries.attempts || self.tokens.as_mut().is_some_and(|tokens| !tokens.try_spend()) {
            return None;
        }
        let uniform = match retries.jitter {
            0.0 => 0.0,
            _ => draws.of_attempt(identity::BACKOFF, next).uniform(live.number),
        };
        Some(retries.delay_before(next, uniform))
    }

    fn try_again(&mut self, now: Time, id: u32, delay: Duration, calendar: &mut Calendar<Event>) {
        let live = self.live(id);
        live.attempt += 1;
        let (request, attempt) = (live.number, live.attempt);
        let sequence = arrival_sequence(identity::DEPENDENCY, request, attempt);
        calendar.schedule_keyed(EventKey::new(now + delay, Class::Arrival, sequence), Event::Again(id));
        self.note(now, ServiceNote::Again { request, attempt, delay });
    }

    /// An attempt is turned away. A request that has started before ends as the error that it already had.
    fn refuse(&mut self, now: Time, id: u32, refusal: Refusal, calendar: &mut Calendar<Event>) {
        let live = *self.live(id);
        self.never_ran(now, id);
        if live.started {
            self.ledger.completion(self.plan, live.arrived, true);
        } else {
            match refusal {
                Refusal::RateLimited => self.counts.rate_limited += u64::from(self.counts_request(live.arrived)),
                Refusal::NoSlot => self.ledger.no_slot(self.plan, live.arrived),
                Refusal::Rejected => {
                    let would_succeed = self.would_succeed(&live);
                    self.ledger.rejection(self.plan, live.arrived, now, would_succeed);
                }
            }
        }
        if refusal == Refusal::Rejected && !self.plan.rejection_hold.is_zero() {
            let compartment = &mut self.compartments[live.compartment as usize];
            if compartment.line.is_empty() && compartment.pool.try_acquire() {
                let end = now + self.plan.rejection_hold;
                calendar.schedule(end, Class::Completion, Event::RejectionEnd(live.compartment));
            }
        }
        let Live { number: request, attempt, guard: breaker, .. } = live;
        self.note(now, ServiceNote::Refused { request, attempt, refusal, breaker });
        self.fall_back(now, &live);
        self.end(now, id, calendar);
    }

    /// Whether a request that is turned away at its first attempt was valid.
    fn would_succeed(&self, live: &Live) -> bool {
        let Attempt { hold, outcome } = self.fate(live, live.call.asked_at, self.at_dependency + 1);
        matches!(self.coming(hold, outcome), Some((Ended::Success, _)))
    }

    fn fall_back(&mut self, now: Time, live: &Live) {
        let Some(probability) = self.service.fallback.wrong() else { return };
        let Some(draws) = self.draws else { return };
        let wrong = draws.of_request(identity::FALLBACK).bernoulli(live.number, probability);
        if self.counts_request(live.arrived) {
            self.counts.fallbacks += 1;
            self.counts.wrong_successes += u64::from(wrong);
        }
        self.note(now, ServiceNote::Fallback { request: live.number, wrong });
    }

    /// The request is over; its caller thinks about the next one.
    fn end(&mut self, now: Time, id: u32, calendar: &mut Calendar<Event>) {
        let live = self.live[id as usize].take().expect("it ends once");
        self.free.push(id);
        if let Some((caller, round)) = live.caller {
            self.think(now, (caller, round + 1), calendar);
        }
    }
}
