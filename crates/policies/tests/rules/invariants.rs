//! What the description of the rules promises, watched from outside.

use engine::Time;
use policies::{Answer, AnyRule, CallId, Phase, Rule, Transition, Verdict};
use proptest::prelude::*;

use crate::driver::{Driver, End, Event, Reaction, Step, happen, start, steps};
use crate::model::{Fault, Model};
use crate::numbers::{Numbers, config, numbers, samples};

/// What an onlooker knows of a breaker from its answers and transitions.
struct Watch {
    numbers: Numbers,
    phase: Phase,
    since: Time,
    /// Calls admitted in the present generation that have not ended.
    current: Vec<CallId>,
    failures: u32,
    successes: u32,
}

/// Plays the steps and describes the first broken promise.
fn broken_promise<R: Rule>(rule: R, numbers: Numbers, steps: &[Step]) -> Option<String> {
    let mut watch =
        Watch { numbers, phase: Phase::Closed, since: Time::ZERO, current: Vec::new(), failures: 0, successes: 0 };
    let mut state = start(rule);
    let mut driver = Driver::new();
    for (number, &step) in steps.iter().enumerate() {
        let event = driver.event(step);
        let now = driver.now();
        let before = state.clone();
        let reaction = happen(rule, &mut state, now, event);
        if let Err(promise) = watch.check(now.monotonic, event, reaction, before == state) {
            return Some(format!("step {number}, {event:?} at {}: {reaction:?} breaks: {promise}", now.monotonic));
        }
        driver.hear(event, reaction);
    }
    None
}

impl Watch {
    fn check(&mut self, now: Time, event: Event, reaction: Reaction, unchanged: bool) -> Result<(), &'static str> {
        match event {
            Event::Wait => require(reaction.transition.is_none() && unchanged, "time alone changes nothing")?,
            Event::Ask(call) => self.check_answer(now, call, reaction, unchanged)?,
            Event::End(call, how) => self.check_end(now, call, how, reaction, unchanged)?,
        }
        let seen = if self.phase == Phase::Open && self.elapsed(now) { Phase::HalfOpen } else { self.phase };
        require(reaction.phase == seen, "the phase follows the transitions and the open time")
    }

    fn check_answer(
        &mut self,
        now: Time,
        call: CallId,
        reaction: Reaction,
        unchanged: bool,
    ) -> Result<(), &'static str> {
        let admits = match self.phase {
            Phase::Closed => true,
            Phase::Open => self.elapsed(now),
            Phase::HalfOpen => self.current.len() < self.numbers.half_open.permits as usize,
        };
        require(
            reaction.answer == Some(if admits { Answer::Admit } else { Answer::Reject }),
            "calls pass while closed, never before the open time has elapsed, and as probes while a permit is free",
        )?;
        let half_opens = self.phase == Phase::Open && admits;
        let expected = half_opens.then_some(Transition { from: Phase::Open, to: Phase::HalfOpen });
        require(
            reaction.transition == expected,
            "only the first call after the open time makes the breaker half-open",
        )?;
        require(admits || unchanged, "a rejection changes nothing")?;
        if half_opens {
            self.enter(Phase::HalfOpen, now);
        }
        if admits {
            self.current.push(call);
        }
        Ok(())
    }

    fn check_end(
        &mut self,
        now: Time,
        call: CallId,
        how: End,
        reaction: Reaction,
        unchanged: bool,
    ) -> Result<(), &'static str> {
        let Some(at) = self.current.iter().position(|current| *current == call) else {
            return require(reaction.transition.is_none() && unchanged, "a late result changes nothing");
        };
        self.current.remove(at);
        let End::Recorded(verdict) = how else {
            return require(reaction.transition.is_none(), "a release decides nothing");
        };
        match verdict {
            Verdict::Success => self.successes += 1,
            Verdict::Failure => self.failures += 1,
        }
        match self.phase {
            Phase::Closed => match reaction.transition {
                None => Ok(()),
                Some(Transition { from: Phase::Closed, to: Phase::Open }) => {
                    let enough = self.failures >= self.numbers.fewest_failures();
                    self.enter(Phase::Open, now);
                    require(enough, "a closed breaker opens at its number of failures in the present generation")
                }
                Some(_) => Err("a closed breaker can only open"),
            },
            Phase::Open => unreachable!("no call is of an open generation"),
            Phase::HalfOpen => {
                let to = match verdict {
                    Verdict::Failure => Some(Phase::Open),
                    Verdict::Success if self.successes >= self.numbers.half_open.successes => Some(Phase::Closed),
                    Verdict::Success => None,
                };
                let expected = to.map(|to| Transition { from: Phase::HalfOpen, to });
                require(reaction.transition == expected, "the first failed probe opens, enough successful ones close")?;
                if let Some(to) = to {
                    self.enter(to, now);
                }
                Ok(())
            }
        }
    }

    fn enter(&mut self, phase: Phase, now: Time) {
        (self.phase, self.since) = (phase, now);
        self.current.clear();
        (self.failures, self.successes) = (0, 0);
    }

    fn elapsed(&self, now: Time) -> bool {
        now - self.since >= self.numbers.open_for
    }
}

fn require(holds: bool, promise: &'static str) -> Result<(), &'static str> {
    if holds { Ok(()) } else { Err(promise) }
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn rules_keep_every_promise(numbers in numbers(30), steps in steps(400)) {
        let broken = match numbers.rule() {
            AnyRule::None(_) => unreachable!("numbers describe breakers"),
            AnyRule::Consecutive(rule) => broken_promise(rule, numbers, &steps),
            AnyRule::Ratio(rule) => broken_promise(rule, numbers, &steps),
            AnyRule::Dialect(_) => unreachable!("no rule of a library is drawn here"),
        };
        prop_assert_eq!(broken, None);
    }
}

#[test]
fn planted_faults_break_a_promise() {
    let sequences = samples(1_500, &(numbers(8), steps(200)));
    let broken = |fault| {
        let breaks = |&(numbers, ref steps): &(Numbers, Vec<Step>)| {
            broken_promise(Model { numbers, fault }, numbers, steps).is_some()
        };
        sequences.iter().filter(|sequence| breaks(sequence)).count()
    };
    assert_eq!(broken(None), 0, "the model itself keeps every promise");
    // The promises leave open which of the results a closed breaker judges, and that it opens at all.
    let beyond = [
        Fault::OneFailureMore,
        Fault::RunNotBroken,
        Fault::JudgesFailuresOnly,
        Fault::JudgesEarly,
        Fault::WindowTooLong,
    ];
    for fault in Fault::ALL.into_iter().filter(|fault| !beyond.contains(fault)) {
        let found = broken(Some(fault));
        assert!(found >= 5, "{fault:?} breaks a promise in {found} of {} sequences", sequences.len());
    }
}
