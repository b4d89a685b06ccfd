//! Random sequences of questions, results and releases, played against a rule.

use engine::{Duration, StreamKey, Time};
use policies::{Answer, CallId, Clocks, Outcome, Phase, Rule, Transition, Verdict};
use proptest::prelude::*;

/// One step of a sequence. Ticks are nanoseconds, and few: instants coincide often.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// Time passes.
    Wait { ticks: u64 },
    /// A call asks. `salt` varies its identity within what the order of calls allows.
    Ask { salt: u8 },
    /// One of the calls in flight ends; without any, nothing happens.
    End { which: usize, how: End },
}

/// How an admitted call ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    Released,
    Recorded(Verdict),
}

/// Sequences of up to `longest` steps in which some share of the calls fails.
pub(crate) fn steps(longest: usize) -> impl Strategy<Value = Vec<Step>> {
    prop_oneof![Just(5_u32), Just(30), Just(60), Just(95)].prop_flat_map(move |failure_percent| {
        let verdict = (0..100_u32).prop_map(move |percent| {
            End::Recorded(if percent < failure_percent { Verdict::Failure } else { Verdict::Success })
        });
        // The latest calls and any other: some calls end at once, some outlive several generations.
        let which = prop_oneof![3 => Just(usize::MAX), 1 => 0..1_000_usize];
        let step = prop_oneof![
            3 => (0..=3_u64).prop_map(|ticks| Step::Wait { ticks }),
            8 => any::<u8>().prop_map(|salt| Step::Ask { salt }),
            6 => (which.clone(), verdict).prop_map(|(which, how)| Step::End { which, how }),
            1 => which.prop_map(|which| Step::End { which, how: End::Released }),
        ];
        prop::collection::vec(step, 0..longest)
    })
}

/// What a step did to a breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reaction {
    pub(crate) answer: Option<Answer>,
    pub(crate) transition: Option<Transition>,
    pub(crate) phase: Phase,
}

/// A step with the identities and instants filled in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    Wait,
    Ask(CallId),
    End(CallId, End),
}

/// Turns steps into events. Which calls are in flight depends on the answers, so the driver hears them.
#[derive(Clone, Debug)]
pub(crate) struct Driver {
    now: Time,
    latest: Option<CallId>,
    in_flight: Vec<CallId>,
}

impl Driver {
    pub(crate) fn new() -> Self {
        Self::starting_at(Time::ZERO)
    }

    /// A driver whose calls are all asked at or after `now`.
    pub(crate) fn starting_at(now: Time) -> Self {
        Self { now, latest: None, in_flight: Vec::new() }
    }

    pub(crate) fn now(&self) -> Clocks {
        // The wall clock is somewhere else: none of these rules may look at it.
        Clocks { monotonic: self.now, wall: Time::from_nanos(1_000_003 - self.now.as_nanos() % 7) }
    }

    pub(crate) fn event(&mut self, step: Step) -> Event {
        match step {
            Step::Wait { ticks } => {
                self.now += Duration::from_nanos(ticks);
                Event::Wait
            }
            Step::Ask { salt } => {
                let call = self.next_call(salt);
                self.latest = Some(call);
                Event::Ask(call)
            }
            Step::End { .. } if self.in_flight.is_empty() => Event::Wait,
            Step::End { which, how } => {
                let which = which.min(self.in_flight.len() - 1);
                Event::End(self.in_flight.remove(which), how)
            }
        }
    }

    pub(crate) fn hear(&mut self, event: Event, reaction: Reaction) {
        if let (Event::Ask(call), Some(Answer::Admit)) = (event, reaction.answer) {
            self.in_flight.push(call);
        }
    }

    /// Any identity that is later than all before.
    fn next_call(&self, salt: u8) -> CallId {
        let salt = u32::from(salt);
        match self.latest {
            Some(latest) if latest.asked_at == self.now && salt.is_multiple_of(2) => {
                CallId { attempt: latest.attempt + 1 + salt % 3, ..latest }
            }
            Some(latest) if latest.asked_at == self.now => {
                CallId { request: latest.request + 1 + u64::from(salt % 3), attempt: salt % 5, ..latest }
            }
            _ => CallId { asked_at: self.now, request: u64::from(salt % 7), attempt: salt % 3 },
        }
    }
}

/// Lets one event happen to a breaker.
pub(crate) fn happen<R: Rule>(rule: R, state: &mut R::State, now: Clocks, event: Event) -> Reaction {
    assert_eq!(rule.next_timer(state), None, "these rules have no timer");
    assert_eq!(rule.advance(state, now), None, "these rules have no timer");
    let (answer, transition) = match event {
        Event::Wait => (None, None),
        Event::Ask(call) => {
            let (answer, transition) = rule.ask(state, now, call);
            (Some(answer), transition)
        }
        Event::End(call, End::Released) => (None, rule.release(state, now, call)),
        Event::End(call, End::Recorded(verdict)) => {
            let outcome = Outcome { verdict, duration: now.monotonic - call.asked_at };
            (None, rule.record(state, now, call, outcome))
        }
    };
    Reaction { answer, transition, phase: rule.phase(state, now) }
}

pub(crate) fn start<R: Rule>(rule: R) -> R::State {
    rule.start(StreamKey::root(0))
}

/// Plays the steps against both rules, and describes the first step at which they differ.
pub(crate) fn first_difference<A: Rule, B: Rule>(a: A, b: B, steps: &[Step]) -> Option<String> {
    let (mut a_state, mut b_state) = (start(a), start(b));
    let mut driver = Driver::new();
    for (number, &step) in steps.iter().enumerate() {
        let event = driver.event(step);
        let now = driver.now();
        let (by_a, by_b) = (happen(a, &mut a_state, now, event), happen(b, &mut b_state, now, event));
        if by_a != by_b {
            return Some(format!("step {number}, {event:?} at {}: {by_a:?} or {by_b:?}", now.monotonic));
        }
        driver.hear(event, by_a);
    }
    None
}
