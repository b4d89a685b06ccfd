//! Watches a run of the gateway and writes its history down.

use std::collections::BTreeSet;

use engine::Time;
use policies::Phase;
use scenario::{Fate as SimulatedFate, Mode, Note, Observer, Request, RequestStream};

use super::columns::{Counts, PoolCounters, SlotColumns, Slots};
use super::{PoolOutcome, PoolRequest};
use crate::history::{Conservation, Fate, Sentence, Stay, Transition};
use crate::live::{Cause, State};

/// What is known of a flow's requests: how each ended, and when.
#[derive(Debug)]
pub(super) struct Endings(Vec<Option<(PoolOutcome, Time)>>);

impl Endings {
    fn end(&mut self, request: &Request, outcome: PoolOutcome, at: Time) {
        self.0[request.number as usize] = Some((outcome, at));
    }

    /// The flow's requests with what became of them.
    pub(super) fn tell(&self, requests: &[&Request]) -> Vec<PoolRequest> {
        let tell = |request: &&Request| {
            let ending = self.0[request.number as usize];
            PoolRequest {
                id: request.number,
                created_ns: request.at.as_nanos(),
                fate: match request.fate {
                    SimulatedFate::Success => Some(Fate::Success),
                    SimulatedFate::Failure => Some(Fate::Failure),
                    SimulatedFate::Neighbour => None,
                },
                result: ending.map_or(PoolOutcome::InFlight, |(outcome, _)| outcome),
                ended_ns: ending.map(|(_, at)| at.as_nanos()),
            }
        };
        requests.iter().map(tell).collect()
    }
}

/// Writes the history of a run down.
#[derive(Debug)]
pub(super) struct Watcher<'a> {
    mode: &'a Mode,
    pub(super) dependency: Endings,
    pub(super) neighbour: Endings,
    pub(super) slots: SlotColumns,
    pub(super) counters: PoolCounters,
    pub(super) transitions: Vec<Transition>,
    pub(super) trace: Vec<Sentence>,
    pub(super) conservation: Conservation,
    held: Slots,
    /// Requests that wait at the breaker: in flight, but without a slot.
    waiting: BTreeSet<u32>,
    counts: Counts,
    /// The request whose call started or ended last, and when: the one whose result moves the breaker.
    latest: Option<(Time, Request)>,
    has_said_rejected: bool,
    has_said_no_slot: [bool; 2],
}

impl<'a> Watcher<'a> {
    pub(super) fn new(stream: &RequestStream, mode: &'a Mode) -> Self {
        let of_flow = |is_neighbour: bool| {
            let requests = stream.requests().iter();
            let number = requests.filter(|request| (request.fate == SimulatedFate::Neighbour) == is_neighbour).count();
            Endings(vec![None; number])
        };
        Self {
            mode,
            dependency: of_flow(false),
            neighbour: of_flow(true),
            slots: SlotColumns::default(),
            counters: PoolCounters::default(),
            transitions: Vec::new(),
            trace: Vec::new(),
            conservation: Conservation { instants: 0, holds: true },
            held: Slots::default(),
            waiting: BTreeSet::new(),
            counts: Counts::default(),
            latest: None,
            has_said_rejected: false,
            has_said_no_slot: [false; 2],
        }
    }

    fn say(&mut self, now: Time, kind: &'static str, request: Option<u32>, text: String) {
        self.trace.push(Sentence { at_ns: now.as_nanos(), kind, request: request.map(u64::from), text });
    }

    fn regime(&mut self, now: Time, index: usize) {
        self.has_said_no_slot = [false; 2];
        let regime = &self.mode.timeline[index].1;
        let failing = regime.failure_probability * 100.0;
        let text = format!("The regime {} begins: {failing} % of the calls that arrive from now on fail.", regime.name);
        self.say(now, "service", None, text);
    }

    fn transition(&mut self, now: Time, transition: policies::Transition) {
        let (from, to): (State, State) = (transition.from.into(), transition.to.into());
        let result = self.latest.filter(|&(at, _)| at == now && transition.from != Phase::Open);
        let (cause, request, why) = match result {
            Some((_, request)) => {
                let ended = if request.fate == SimulatedFate::Failure { "failed" } else { "succeeded" };
                let why = format!("Request {} {ended}: the breaker is {}.", request.number, to.in_words());
                (Cause::Result, Some(request.number), why)
            }
            None if transition.to == Phase::HalfOpen => {
                let why = "The open time is over: the breaker is half-open, and the request that asks is the probe."
                    .to_owned();
                (Cause::Request, None, why)
            }
            None => (Cause::Timer, None, format!("The breaker is {}.", to.in_words())),
        };
        self.has_said_rejected = false;
        self.has_said_no_slot = [false; 2];
        self.say(now, "transition", request, why.clone());
        self.transitions.push(Transition {
            at_ns: now.as_nanos(),
            from,
            to,
            cause,
            request: request.map(u64::from),
            why,
        });
    }

    /// A breaker that turned half-open at a question did so for the request that is let through next.
    fn name_probe(&mut self, now: Time, request: &Request) {
        if let Some(last) = self.transitions.last_mut()
            && (last.at_ns, last.cause, last.request) == (now.as_nanos(), Cause::Request, None)
        {
            last.request = Some(u64::from(request.number));
        }
    }

    /// A request that has its answer: it arrives now, or has waited for it.
    fn arrive(&mut self, request: &Request) {
        if self.waiting.remove(&request.number) {
            self.counts.in_flight -= 1;
        } else {
            self.counts.requests += 1;
        }
    }

    fn rejection(&mut self, now: Time, request: Request, slots_in_use: u32) {
        self.arrive(&request);
        self.counts.rejected += 1;
        self.held.rejection += slots_in_use - self.held.in_use;
        self.dependency.end(&request, PoolOutcome::Rejected, now);
        if !std::mem::replace(&mut self.has_said_rejected, true) {
            let fate = if request.fate == SimulatedFate::Failure { "failed" } else { "succeeded" };
            let text = format!(
                "Request {} is turned away by the breaker, as the next ones are; it would have {fate}.",
                request.number
            );
            self.say(now, "rejection", Some(request.number), text);
        }
    }

    fn no_slot(&mut self, now: Time, request: Request) {
        let flow = usize::from(request.fate == SimulatedFate::Neighbour);
        let endings = if flow == 1 { &mut self.neighbour } else { &mut self.dependency };
        endings.end(&request, PoolOutcome::NoSlot, now);
        if !std::mem::replace(&mut self.has_said_no_slot[flow], true) {
            let who = ["Request", "Neighbour"][flow];
            let text = format!("{who} {} finds all slots in use. It is lost, and may not be the last.", request.number);
            self.say(now, "no_slot", Some(request.number), text);
        }
    }

    fn count(&mut self, now: Time, slots_in_use: u32, note: Note) {
        match note {
            Note::Regime(index) => self.regime(now, index),
            Note::Transition(transition) => self.transition(now, transition),
            Note::Wait(request) => {
                self.counts.requests += 1;
                self.counts.in_flight += 1;
                self.waiting.insert(request.number);
                let text = format!("Request {} waits at the breaker until the probe has its result.", request.number);
                self.say(now, "rejection", Some(request.number), text);
            }
            Note::Call(request) => {
                self.arrive(&request);
                self.counts.in_flight += 1;
                self.held.dependency += 1;
                self.name_probe(now, &request);
                self.latest = Some((now, request));
            }
            Note::Completion(request) => {
                let failed = request.fate == SimulatedFate::Failure;
                self.counts.errors += u64::from(failed);
                self.counts.responses += u64::from(!failed);
                self.counts.in_flight -= 1;
                self.held.dependency -= 1;
                let outcome = if failed { PoolOutcome::Failed } else { PoolOutcome::Succeeded };
                self.dependency.end(&request, outcome, now);
                self.latest = Some((now, request));
            }
            Note::Rejection(request) => self.rejection(now, request, slots_in_use),
            Note::NoSlot(request) => {
                self.arrive(&request);
                self.counts.no_slot += 1;
                self.name_probe(now, &request);
                self.no_slot(now, request);
            }
            Note::Neighbour { request, has_slot } => {
                self.counts.neighbour_requests += 1;
                if has_slot {
                    self.counts.neighbour_in_flight += 1;
                    self.held.neighbour += 1;
                } else {
                    self.counts.neighbour_no_slot += 1;
                    self.no_slot(now, request);
                }
            }
            Note::NeighbourCompletion(request) => {
                self.counts.neighbour_responses += 1;
                self.counts.neighbour_in_flight -= 1;
                self.held.neighbour -= 1;
                self.neighbour.end(&request, PoolOutcome::Served, now);
            }
            Note::RejectionEnd => self.held.rejection -= 1,
        }
    }
}

impl Observer for Watcher<'_> {
    fn note(&mut self, now: Time, slots_in_use: u32, note: Note) {
        let before = (self.counts, self.held);
        self.count(now, slots_in_use, note);
        self.held.in_use = slots_in_use;
        if before.0 != self.counts {
            self.counters.set(now, self.counts);
        }
        if before.1 != self.held {
            self.slots.set(now, self.held);
        }
        let Slots { in_use, dependency, neighbour, rejection } = self.held;
        self.conservation.instants += 1;
        self.conservation.holds &= self.counts.are_conserved()
            && in_use == dependency + neighbour + rejection
            && u64::from(dependency) + self.waiting.len() as u64 == self.counts.in_flight
            && u64::from(neighbour) == self.counts.neighbour_in_flight;
    }
}

/// The phases that the transitions lead through.
pub(super) fn states(transitions: &[Transition], horizon: Time) -> Vec<Stay> {
    let changes = [(0, State::Closed)].into_iter().chain(transitions.iter().map(|change| (change.at_ns, change.to)));
    let ends = transitions.iter().map(|change| change.at_ns).chain([horizon.as_nanos()]);
    let stays = changes.zip(ends).map(|((from_ns, state), to_ns)| Stay { from_ns, to_ns, state });
    stays.filter(|stay| stay.from_ns < stay.to_ns).collect()
}
