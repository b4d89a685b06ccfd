//! The world as a model of the engine: a request desk, a breaker, a dependency without a limit of slots.

use std::collections::BTreeMap;

use engine::{Calendar, Class, Duration, EventKey, Handle, Model, StreamKey, Time};
use policies::{Answer, AnyBreaker, CallId, Clocks, Outcome, Transition, Verdict};

use super::arrivals::Arrivals;
use super::log::{Counters, Created, Decision, Ended, ErrorRate, Log, Resumed, Said, Switched};
use super::open_period::open_until;
use super::sentences;
use super::state::{Cause, State};
use crate::input::Change;
use crate::settings::{HORIZON, OUTAGE, Schedule, Settings};

/// The streams of a seed: stable numbers, since they enter every key.
mod identity {
    pub(super) const FAILURE: u64 = 1;
    pub(super) const BREAKER: u64 = 4;
}

/// What happens in the world.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// The scheduled outage begins, or ends.
    Outage(bool),
    /// Somebody changes a setting.
    Intervention(Change),
    /// The cooldown ends, or a timer of the rule is due.
    BreakerTimer,
    /// The result of the request of that number arrives.
    Completion(u64),
    /// The next request is created.
    Arrival,
}

impl Event {
    /// The first sequence number of interventions: those of the outage's ends are below.
    pub(super) const FIRST_INTERVENTION: u64 = 2;
}

/// Why the gate's state changes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reason {
    Result { request: u64, fails: bool, is_probe: bool },
    Timer,
    Request { request: u64 },
    NewBreaker,
    Bypass,
    Retuned,
}

/// A call under way.
#[derive(Clone, Copy, Debug)]
struct Call {
    created: Time,
    began: Time,
    fails: bool,
    is_probe: bool,
    /// The breaker that let it through; `None` if it was bypassed.
    breaker: Option<u32>,
    /// The number of the breaker's state in which it was let through, and that state.
    epoch: u32,
    admitted_in: State,
}

/// A request that waits at the breaker.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    number: u64,
    created: Time,
    fails: bool,
    response_time: Duration,
}

/// The world at some time, and the log of how it came about.
#[derive(Clone)]
pub(super) struct World {
    pub(super) settings: Settings,
    key: StreamKey,
    /// `None` while bypassed.
    breaker: Option<AnyBreaker>,
    /// How many breakers there have been before this one.
    breaker_number: u32,
    /// Rises with every transition of the breaker, and whenever another breaker takes its place.
    epoch: u32,
    state: State,
    open_until: Option<Time>,
    timer: Option<(Handle, Time)>,
    arrivals: Arrivals,
    arrival: Option<Handle>,
    in_flight: BTreeMap<u64, Call>,
    /// In the order in which they asked.
    waiting: Vec<Waiting>,
    counters: Counters,
    /// Failures since the latest success, or since the state began.
    streak: u32,
    /// Whether the trace has said that requests are being rejected in this state.
    has_said_rejected: bool,
    /// Events after which the counters were checked, and whether they always were in order.
    pub(super) checks: u64,
    pub(super) is_conserved: bool,
    pub(super) log: Log,
}

impl World {
    /// The world at time zero, with the first events scheduled.
    pub(super) fn start(seed: u64, settings: Settings, calendar: &mut Calendar<Event>) -> Self {
        let key = StreamKey::root(seed);
        let breaker_key = key.child(identity::BREAKER);
        let mut world = Self {
            breaker: settings.breaker_enabled.then(|| AnyBreaker::start(&settings.rule, breaker_key)),
            settings,
            key,
            breaker_number: 0,
            epoch: 0,
            state: if settings.breaker_enabled { State::Closed } else { State::Bypassed },
            open_until: None,
            timer: None,
            arrivals: Arrivals::new(settings.rate),
            arrival: None,
            in_flight: BTreeMap::new(),
            waiting: Vec::new(),
            counters: Counters::default(),
            streak: 0,
            has_said_rejected: false,
            checks: 0,
            is_conserved: true,
            log: Log::default(),
        };
        for (number, at) in (0..).zip(OUTAGE) {
            calendar.schedule_keyed(EventKey::new(at, Class::Change, number), Event::Outage(number == 0));
        }
        world.say(Time::ZERO, "service", None, sentences::start(&settings));
        world.note_error_rate(Time::ZERO);
        world.schedule_arrival(calendar);
        world.arm_timer(Time::ZERO, calendar);
        world
    }

    fn say(&mut self, at: Time, kind: &'static str, request: Option<u64>, text: String) {
        self.log.trace.push(Said { at, kind, request, text });
    }

    fn note_error_rate(&mut self, now: Time) {
        let rate = ErrorRate { at: now, percent: self.settings.errors_at(now), schedule: self.settings.schedule };
        let is_news = self.log.error_rates.last().is_none_or(|last| ErrorRate { at: now, ..*last } != rate);
        if is_news {
            self.log.error_rates.push(rate);
        }
    }

    fn schedule_arrival(&mut self, calendar: &mut Calendar<Event>) {
        let number = self.counters.generated;
        let key = EventKey::new(self.arrivals.instant(number), Class::Arrival, number);
        self.arrival = Some(calendar.schedule_keyed_cancellable(key, Event::Arrival));
    }

    fn begin_or_end_outage(&mut self, now: Time, begins: bool) {
        if self.settings.schedule == Schedule::Outage {
            self.say(now, "service", None, sentences::outage(begins, self.settings.errors_percent));
        }
        self.note_error_rate(now);
    }

    fn arrive(&mut self, now: Time, calendar: &mut Calendar<Event>) {
        let number = self.counters.generated;
        let probability = self.settings.errors_at(now) / 100.0;
        let fails = self.key.child(identity::FAILURE).bernoulli(number, probability);
        self.counters.generated += 1;
        self.schedule_arrival(calendar);
        let request = Waiting { number, created: now, fails, response_time: self.settings.response_time };
        let (decision, is_probe) = self.decide(now, number);
        self.log.created.push(Created { at: now, decision, is_probe, fails, response_time: request.response_time });
        match decision {
            Decision::Rejected => self.counters.rejected += 1,
            Decision::Waits => {
                self.counters.attempted += 1;
                self.waiting.push(request);
            }
            Decision::Admitted | Decision::Bypassed => {
                self.counters.attempted += 1;
                self.begin_call(now, &request, decision, is_probe, calendar);
            }
        }
        self.resume(now, calendar);
    }

    fn begin_call(
        &mut self,
        now: Time,
        request: &Waiting,
        decision: Decision,
        is_probe: bool,
        calendar: &mut Calendar<Event>,
    ) {
        let &Waiting { number, created, fails, response_time } = request;
        self.counters.probes += u64::from(is_probe);
        let breaker = (decision == Decision::Admitted).then_some(self.breaker_number);
        let call = Call { created, began: now, fails, is_probe, breaker, epoch: self.epoch, admitted_in: self.state };
        self.in_flight.insert(number, call);
        let key = EventKey::new(now + response_time, Class::Completion, number);
        calendar.schedule_keyed(key, Event::Completion(number));
    }

    /// What becomes of a request that is created now, and whether it is a probe.
    fn decide(&mut self, now: Time, number: u64) -> (Decision, bool) {
        let Some(breaker) = &mut self.breaker else {
            return (Decision::Bypassed, false);
        };
        let (answer, transition) =
            breaker.ask(Clocks::synchronous(now), CallId { asked_at: now, request: number, attempt: 0 });
        self.follow(now, transition, Reason::Request { request: number });
        match answer {
            Answer::Admit => (Decision::Admitted, self.is_probe(now, number)),
            Answer::Reject => {
                self.say_rejected(now, number);
                (Decision::Rejected, false)
            }
            Answer::Wait => {
                self.say(now, "rejection", Some(number), sentences::waits(number));
                (Decision::Waits, false)
            }
        }
    }

    /// Whether a call that goes through now is a probe.
    fn is_probe(&mut self, now: Time, number: u64) -> bool {
        let is_probe = self.state == State::HalfOpen;
        if is_probe {
            self.say(now, "probe", Some(number), sentences::probe(number));
        }
        is_probe
    }

    fn say_rejected(&mut self, now: Time, number: u64) {
        if !std::mem::replace(&mut self.has_said_rejected, true) {
            self.say(now, "rejection", Some(number), sentences::first_rejection(number, self.state, self.open_until));
        }
    }

    /// Requests that wait at the breaker go on, or are turned away, where it says so.
    fn resume(&mut self, now: Time, calendar: &mut Calendar<Event>) {
        while let Some(resumed) = self.breaker.as_mut().and_then(|breaker| breaker.resume(Clocks::synchronous(now))) {
            let number = resumed.call.request;
            self.follow(now, resumed.transition, Reason::Request { request: number });
            let Some(place) = self.waiting.iter().position(|waiting| waiting.number == number) else { continue };
            let request = self.waiting.remove(place);
            if resumed.admitted {
                let is_probe = self.is_probe(now, number);
                self.go_on(now, &request, Decision::Admitted, is_probe, calendar);
            } else {
                self.counters.attempted -= 1;
                self.counters.rejected += 1;
                self.say(now, "rejection", Some(number), sentences::waited_in_vain(number));
                self.log.resumed.push(Resumed {
                    request: number,
                    at: now,
                    decision: Decision::Rejected,
                    is_probe: false,
                });
            }
        }
    }

    /// A request that waited goes on.
    fn go_on(
        &mut self,
        now: Time,
        request: &Waiting,
        decision: Decision,
        is_probe: bool,
        calendar: &mut Calendar<Event>,
    ) {
        self.begin_call(now, request, decision, is_probe, calendar);
        self.log.resumed.push(Resumed { request: request.number, at: now, decision, is_probe });
    }

    /// The breaker at which requests wait is taken away: all of them go on.
    fn free_waiting(&mut self, now: Time, calendar: &mut Calendar<Event>) {
        for request in std::mem::take(&mut self.waiting) {
            self.go_on(now, &request, Decision::Bypassed, false, calendar);
        }
    }

    fn complete(&mut self, now: Time, number: u64) {
        let call = self.in_flight.remove(&number).expect("what completes was under way");
        let is_late = call.breaker.is_some() && call.epoch != self.epoch;
        if call.fails {
            self.counters.failed += 1;
        } else {
            self.counters.succeeded += 1;
        }
        self.log.ended.push(Ended { request: number, at: now, is_late });
        // Another breaker, or none, stands where the one stood that let the call through: it is told nothing.
        let is_heard = self.breaker.is_some() && call.breaker == Some(self.breaker_number);
        if is_heard {
            self.tell_breaker(now, number, call, is_late);
        } else if is_late {
            let text = sentences::late_result(number, call.fails, call.admitted_in, true);
            self.say(now, "result", Some(number), text);
        } else {
            self.note_unguarded(now, number, call.fails);
        }
    }

    fn tell_breaker(&mut self, now: Time, number: u64, call: Call, is_late: bool) {
        let Some(breaker) = &mut self.breaker else { return };
        // A window can be large: it is copied only where the trace says whether anything came of the result.
        let before = is_late.then(|| breaker.clone());
        let id = CallId { asked_at: call.created, request: number, attempt: 0 };
        let verdict = if call.fails { Verdict::Failure } else { Verdict::Success };
        let transition =
            breaker.record(Clocks::synchronous(now), id, Outcome { verdict, duration: now.since(call.began) });
        let is_ignored = before.is_some_and(|before| breaker.is_as(&before));
        if is_late {
            let text = sentences::late_result(number, call.fails, call.admitted_in, is_ignored && transition.is_none());
            self.say(now, "result", Some(number), text);
        } else if self.settings.rule.name() == "none" {
            self.note_unguarded(now, number, call.fails);
        } else if self.state == State::Closed {
            self.note_counted(now, number, call.fails, transition.is_some());
        } else if transition.is_none() && call.is_probe && !call.fails {
            self.say(now, "probe", Some(number), sentences::probe_succeeded(number));
        }
        let reason = Reason::Result { request: number, fails: call.fails, is_probe: call.is_probe };
        self.follow(now, transition, reason);
    }

    /// A result that the closed breaker counts; one that opens it has a sentence of its own.
    fn note_counted(&mut self, now: Time, number: u64, fails: bool, opens: bool) {
        if fails {
            self.streak += 1;
            if !opens {
                let text = sentences::counted_failure(number, &self.settings.rule, self.streak);
                self.say(now, "result", Some(number), text);
            }
        } else if self.streak > 0 {
            self.say(now, "result", Some(number), sentences::streak_cleared(number, self.streak));
            self.streak = 0;
        }
    }

    /// A result that no breaker counts: the first failure of a streak, and the success that ends it.
    fn note_unguarded(&mut self, now: Time, number: u64, fails: bool) {
        if fails {
            self.streak += 1;
            if self.streak == 1 {
                self.say(now, "result", Some(number), sentences::unguarded_failure(number));
            }
        } else if self.streak > 0 {
            self.streak = 0;
            self.say(now, "result", Some(number), sentences::unguarded_success(number));
        }
    }

    fn intervene(&mut self, now: Time, change: &Change, calendar: &mut Calendar<Event>) {
        let before = self.settings;
        change.apply(&mut self.settings);
        self.say(now, "intervention", None, sentences::intervention(change, &self.settings));
        self.note_error_rate(now);
        match change {
            Change::Rate(rate) => {
                self.arrivals.change(now, *rate);
                if let Some(pending) = self.arrival {
                    let number = self.counters.generated;
                    calendar.rearm_keyed(pending, EventKey::new(self.arrivals.instant(number), Class::Arrival, number));
                }
            }
            // Another key may say the same rule; then nothing has changed.
            Change::Rule(rule) if *rule == before.rule => {}
            Change::Rule(rule) => match self.breaker.as_ref().map(|breaker| breaker.retuned(rule)) {
                Some(Some(retuned)) => {
                    self.breaker = Some(retuned);
                    self.follow(now, None, Reason::Retuned);
                }
                Some(None) => self.replace_breaker(now, calendar),
                None => {}
            },
            Change::BreakerEnabled(true) if self.breaker.is_none() => self.replace_breaker(now, calendar),
            Change::BreakerEnabled(false) if self.breaker.is_some() => {
                self.breaker = None;
                self.epoch += 1;
                self.free_waiting(now, calendar);
                self.show(now, State::Bypassed, Reason::Bypass);
            }
            _ => {}
        }
        self.arm_timer(now, calendar);
    }

    /// A new breaker, closed, takes the place of the old one, or of none.
    fn replace_breaker(&mut self, now: Time, calendar: &mut Calendar<Event>) {
        self.breaker_number += 1;
        self.epoch += 1;
        self.free_waiting(now, calendar);
        let key = self.key.child(identity::BREAKER).child(u64::from(self.breaker_number));
        self.breaker = Some(AnyBreaker::start(&self.settings.rule, key));
        self.streak = 0;
        self.show(now, State::Closed, Reason::NewBreaker);
    }

    fn advance_breaker(&mut self, now: Time) {
        self.timer = None;
        while let Some(transition) = self.breaker.as_mut().and_then(|breaker| breaker.advance(Clocks::synchronous(now)))
        {
            self.follow(now, Some(transition), Reason::Timer);
        }
        self.follow(now, None, Reason::Timer);
    }

    /// Shows a transition, and whatever else the breaker's phase has become.
    fn follow(&mut self, now: Time, transition: Option<Transition>, reason: Reason) {
        if let Some(transition) = transition {
            self.epoch += 1;
            self.show(now, transition.to.into(), reason);
        }
        if let Some(breaker) = &self.breaker {
            self.show(now, breaker.phase(Clocks::synchronous(now)).into(), reason);
        }
    }

    fn show(&mut self, now: Time, to: State, reason: Reason) {
        self.open_until = self.breaker.as_ref().and_then(|breaker| open_until(breaker, now, HORIZON));
        let from = self.state;
        if from == to {
            return;
        }
        let transition = sentences::Transition {
            to,
            reason,
            streak: self.streak,
            rule: &self.settings.rule,
            open_until: self.open_until,
        };
        let why = sentences::transition(&transition);
        let (cause, request) = match reason {
            Reason::Result { request, .. } => (Cause::Result, Some(request)),
            Reason::Request { request } => (Cause::Request, Some(request)),
            Reason::Timer => (Cause::Timer, None),
            Reason::NewBreaker | Reason::Bypass | Reason::Retuned => (Cause::Intervention, None),
        };
        self.say(now, "transition", request, why.clone());
        self.log.switched.push(Switched { at: now, from, to, cause, request, why });
        self.state = to;
        self.streak = 0;
        self.has_said_rejected = false;
    }

    /// Keeps the one timer at the first of the end of the cooldown and the rule's own timer.
    fn arm_timer(&mut self, now: Time, calendar: &mut Calendar<Event>) {
        let own = self.breaker.as_ref().and_then(AnyBreaker::next_timer);
        let due = [self.open_until, own].into_iter().flatten().filter(|&due| due > now).min();
        match (self.timer, due) {
            (Some((_, armed)), Some(due)) if armed == due => {}
            (Some((handle, _)), Some(due)) => {
                calendar.rearm_keyed(handle, EventKey::new(due, Class::Timer, 0));
                self.timer = Some((handle, due));
            }
            (Some((handle, _)), None) => {
                calendar.cancel(handle);
                self.timer = None;
            }
            (None, Some(due)) => {
                let key = EventKey::new(due, Class::Timer, 0);
                self.timer = Some((calendar.schedule_keyed_cancellable(key, Event::BreakerTimer), due));
            }
            (None, None) => {}
        }
    }

    fn check(&mut self, now: Time) {
        self.counters.in_flight = (self.in_flight.len() + self.waiting.len()) as u64;
        self.checks += 1;
        self.is_conserved &= self.counters.are_conserved();
        self.log.count(now, self.counters);
    }
}

impl Model for World {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        let now = calendar.now();
        match event {
            Event::Outage(begins) => self.begin_or_end_outage(now, begins),
            Event::Intervention(change) => self.intervene(now, &change, calendar),
            Event::BreakerTimer => {
                self.advance_breaker(now);
                self.resume(now, calendar);
            }
            Event::Completion(number) => {
                self.complete(now, number);
                self.resume(now, calendar);
            }
            Event::Arrival => self.arrive(now, calendar),
        }
        self.arm_timer(now, calendar);
        self.check(now);
    }
}
