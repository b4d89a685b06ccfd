//! The world as a model of the engine: a gateway whose slot pool is shared by two flows, with a breaker before one of them.

use engine::{Calendar, Class, Handle, Model, SlotPool, Time};
use policies::{Answer, CallId, Clocks, Outcome, Rule, Transition, Verdict};

use crate::ledger::Ledger;
use crate::observer::{Note, Observer};
use crate::plan::RunPlan;
use crate::record::RunRecord;
use crate::replication::{Fate, Request, RequestStream};
use crate::scenario::OutcomeAt;

/// What happens in the world. Requests are named by their position: what the queue moves about stays small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The regime of that number in the plan begins.
    Regime(u32),
    /// The breaker's own timer is due.
    BreakerTimer,
    /// The request of that position in the stream arrives.
    Arrival(u32),
    /// The request of that position, which held a slot, is done.
    Completion(u32),
    /// A rejection's hold ends.
    RejectionEnd,
}

/// One breaker design in front of the dependency, the pool, and the counters.
pub(crate) struct Gateway<'a, R: Rule, O> {
    rule: R,
    breaker: R::State,
    breaker_timer: Option<(Handle, Time)>,
    /// Positions of the requests that wait at the breaker, in the order in which they asked.
    waiting: Vec<u32>,
    pool: SlotPool,
    regime: usize,
    ledger: Ledger,
    plan: &'a RunPlan,
    requests: &'a [Request],
    observer: O,
}

impl<'a, R: Rule, O: Observer> Gateway<'a, R, O> {
    pub(crate) fn new(rule: R, stream: &'a RequestStream, observer: O) -> Self {
        let plan = &stream.plan;
        Self {
            rule,
            breaker: rule.start(plan.breaker_key),
            breaker_timer: None,
            waiting: Vec::new(),
            pool: SlotPool::new(plan.slots),
            regime: 0,
            ledger: Ledger::default(),
            plan,
            requests: &stream.requests,
            observer,
        }
    }

    pub(crate) fn finish(mut self) -> (RunRecord, O) {
        for position in self.waiting {
            self.ledger.still_waiting(self.plan, self.requests[position as usize].at);
        }
        (self.ledger.close(self.plan), self.observer)
    }

    /// A regime begins, and the next one is scheduled; the first regime begins the run.
    fn begin_regime(&mut self, now: Time, index: usize, calendar: &mut Calendar<Event>) {
        let phase = self.rule.phase(&self.breaker, Clocks::synchronous(now));
        self.regime = index;
        if index == 1 {
            self.ledger.fault(phase);
        }
        if self.plan.heal_at == Some(now) {
            self.ledger.heal(phase);
        }
        if let Some(&(next, _)) = self.plan.regimes.get(index + 1) {
            calendar.schedule(next, Class::Change, Event::Regime(index as u32 + 1));
        }
        self.arm_breaker_timer(calendar);
        self.observer.note(now, self.pool.busy(), Note::Regime(index));
    }

    #[inline]
    fn arrive(&mut self, now: Time, position: u32, calendar: &mut Calendar<Event>) {
        let request = &self.requests[position as usize];
        if request.fate == Fate::Neighbour {
            let has_slot = self.pool.try_acquire();
            self.ledger.neighbour(self.plan, now, has_slot);
            if has_slot {
                calendar.schedule(now + request.hold, Class::Completion, Event::Completion(position));
            }
            self.observer.note(now, self.pool.busy(), Note::Neighbour { request: *request, has_slot });
            return;
        }
        self.ledger.dependency_request(self.plan, now);
        let call = call_id(request);
        let (answer, transition) = self.rule.ask(&mut self.breaker, Clocks::synchronous(now), call);
        self.follow(now, transition);
        match answer {
            Answer::Admit => self.start(now, position, request, calendar),
            Answer::Reject => self.reject(now, request, calendar),
            Answer::Wait => {
                self.waiting.push(position);
                self.observer.note(now, self.pool.busy(), Note::Wait(*request));
            }
        }
        self.resume(now, calendar);
        self.arm_breaker_timer(calendar);
    }

    /// Requests that waited at the breaker go on, or are turned away, where it says so.
    #[inline]
    fn resume(&mut self, now: Time, calendar: &mut Calendar<Event>) {
        if !R::WAITS {
            return;
        }
        while let Some(resumed) = self.rule.resume(&mut self.breaker, Clocks::synchronous(now)) {
            let requests = self.requests;
            let waits = |&position: &u32| call_id(&requests[position as usize]) == resumed.call;
            let place = self.waiting.iter().position(waits).expect("a call that is resumed was told to wait");
            let position = self.waiting.remove(place);
            self.follow(now, resumed.transition);
            let request = &requests[position as usize];
            if resumed.admitted {
                self.start(now, position, request, calendar);
            } else {
                self.reject(now, request, calendar);
            }
        }
    }

    #[inline]
    fn start(&mut self, now: Time, position: u32, request: &Request, calendar: &mut Calendar<Event>) {
        if !self.pool.try_acquire() {
            let transition = self.rule.release(&mut self.breaker, Clocks::synchronous(now), call_id(request));
            self.ledger.no_slot(self.plan, request.at);
            self.observer.note(now, self.pool.busy(), Note::NoSlot(*request));
            self.follow(now, transition);
            return;
        }
        self.ledger.call(self.plan, request.at, now, request.hold);
        calendar.schedule(now + request.hold, Class::Completion, Event::Completion(position));
        self.observer.note(now, self.pool.busy(), Note::Call(*request));
        if self.plan.outcome == OutcomeAt::Admission {
            self.record(now, request);
        }
    }

    fn reject(&mut self, now: Time, request: &Request, calendar: &mut Calendar<Event>) {
        self.ledger.rejection(self.plan, request.at, now, request.fate == Fate::Success);
        if !self.plan.rejection_hold.is_zero() && self.pool.try_acquire() {
            calendar.schedule(now + self.plan.rejection_hold, Class::Completion, Event::RejectionEnd);
        }
        self.observer.note(now, self.pool.busy(), Note::Rejection(*request));
    }

    #[inline]
    fn complete(&mut self, now: Time, position: u32, calendar: &mut Calendar<Event>) {
        let request = &self.requests[position as usize];
        self.pool.release();
        if request.fate == Fate::Neighbour {
            self.ledger.neighbour_completion(self.plan, request.at);
            self.observer.note(now, self.pool.busy(), Note::NeighbourCompletion(*request));
            return;
        }
        self.ledger.completion(self.plan, request.at, request.fate == Fate::Failure);
        self.observer.note(now, self.pool.busy(), Note::Completion(*request));
        if self.plan.outcome == OutcomeAt::Completion {
            self.record(now, request);
            self.resume(now, calendar);
            self.arm_breaker_timer(calendar);
        }
    }

    #[inline]
    fn record(&mut self, now: Time, request: &Request) {
        let verdict = if request.fate == Fate::Failure { Verdict::Failure } else { Verdict::Success };
        let outcome = Outcome { verdict, duration: request.hold };
        let transition = self.rule.record(&mut self.breaker, Clocks::synchronous(now), call_id(request), outcome);
        self.follow(now, transition);
    }

    fn advance_breaker(&mut self, now: Time, calendar: &mut Calendar<Event>) {
        self.breaker_timer = None;
        while let Some(transition) = self.rule.advance(&mut self.breaker, Clocks::synchronous(now)) {
            self.follow(now, Some(transition));
            self.resume(now, calendar);
        }
        self.arm_breaker_timer(calendar);
    }

    #[inline]
    fn follow(&mut self, now: Time, transition: Option<Transition>) {
        if let Some(transition) = transition {
            let (_, opening) = self.plan.regimes[self.regime];
            self.ledger.transition(self.plan, now, transition, opening);
            self.observer.note(now, self.pool.busy(), Note::Transition(transition));
        }
    }

    /// Keeps the one scheduled timer event at the instant that the rule asks for.
    #[inline]
    fn arm_breaker_timer(&mut self, calendar: &mut Calendar<Event>) {
        let due = self.rule.next_timer(&self.breaker);
        match (self.breaker_timer, due) {
            (None, None) => {}
            (Some((_, armed)), Some(due)) if armed == due => {}
            (Some((handle, _)), Some(due)) => {
                calendar.rearm(handle, due, Class::Timer);
                self.breaker_timer = Some((handle, due));
            }
            (None, Some(due)) => {
                let handle = calendar.schedule_cancellable(due, Class::Timer, Event::BreakerTimer);
                self.breaker_timer = Some((handle, due));
            }
            (Some((handle, _)), None) => {
                calendar.cancel(handle);
                self.breaker_timer = None;
            }
        }
    }
}

impl<R: Rule, O: Observer> Model for Gateway<'_, R, O> {
    type Event = Event;

    #[inline(always)]
    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        let now = calendar.now();
        match event {
            Event::Arrival(position) => self.arrive(now, position, calendar),
            Event::Completion(position) => self.complete(now, position, calendar),
            Event::RejectionEnd => {
                self.pool.release();
                self.observer.note(now, self.pool.busy(), Note::RejectionEnd);
            }
            Event::Regime(index) => self.begin_regime(now, index as usize, calendar),
            Event::BreakerTimer => self.advance_breaker(now, calendar),
        }
    }
}

fn call_id(request: &Request) -> CallId {
    CallId { asked_at: request.at, request: u64::from(request.number), attempt: 0 }
}
