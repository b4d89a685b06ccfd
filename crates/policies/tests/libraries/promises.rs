//! What every library's rule promises, whatever its settings and whatever happens.

use std::collections::VecDeque;

use engine::{Duration, StreamKey, Time};
use policies::{
    Answer, AnyBreaker, AnyRule, CallId, Clocks, Dialect, Outcome, Phase, Settings, Transition, Value, Verdict,
    libraries,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::drawn::{End, Step, dialect, steps};

/// All that a breaker says, in order, for comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Answer(Answer),
    Resumed { call: u64, admitted: bool },
    Changed { at: Time, change: Transition },
}

/// A breaker, what it has said, and whether that can be.
struct Observed {
    breaker: AnyBreaker,
    now: Time,
    asked: u64,
    out: Vec<CallId>,
    waiting: VecDeque<CallId>,
    phase: Phase,
    said: Vec<Said>,
}

impl Observed {
    fn new(rule: &AnyRule) -> Self {
        Self {
            breaker: AnyBreaker::start(rule, StreamKey::root(5)),
            now: Time::ZERO,
            asked: 0,
            out: Vec::new(),
            waiting: VecDeque::new(),
            phase: Phase::Closed,
            said: Vec::new(),
        }
    }

    fn follow(&mut self, at: Time, change: Option<Transition>) {
        if let Some(change) = change {
            assert_eq!(change.from, self.phase, "a change begins where the last one ended");
            assert_ne!(change.from, change.to);
            self.phase = change.to;
            self.said.push(Said::Changed { at, change });
        }
        assert_eq!(self.breaker.phase(Clocks::synchronous(at)), self.phase, "no change goes unsaid");
        while let Some(resumed) = self.breaker.resume(Clocks::synchronous(at)) {
            let place = self.waiting.iter().position(|&call| call == resumed.call).expect("only who waits is resumed");
            self.waiting.remove(place);
            self.said.push(Said::Resumed { call: resumed.call.request, admitted: resumed.admitted });
            if resumed.admitted {
                self.out.push(resumed.call);
            }
            if let Some(change) = resumed.transition {
                assert_eq!(change.from, self.phase);
                self.phase = change.to;
                self.said.push(Said::Changed { at, change });
            }
        }
    }

    fn pass_to(&mut self, now: Time) {
        while let Some(due) = self.breaker.next_timer().filter(|&due| due <= now) {
            assert!(due >= self.now, "no timer lies in the past");
            self.now = due;
            while let Some(change) = self.breaker.advance(Clocks::synchronous(due)) {
                self.follow(due, Some(change));
            }
            assert!(self.breaker.next_timer().is_none_or(|next| next > due), "what was due has fired");
        }
        self.now = now;
    }

    fn step(&mut self, step: Step) {
        let now = Clocks::synchronous(self.now);
        match step {
            Step::Pass { millis } => self.pass_to(self.now + Duration::from_millis(millis)),
            Step::Ask => {
                let call = CallId { asked_at: self.now, request: self.asked, attempt: 0 };
                self.asked += 1;
                let (answer, change) = self.breaker.ask(now, call);
                self.said.push(Said::Answer(answer));
                match answer {
                    Answer::Admit => self.out.push(call),
                    Answer::Wait => self.waiting.push_back(call),
                    Answer::Reject => {}
                }
                self.follow(self.now, change);
            }
            Step::End { which, how } => {
                if self.out.is_empty() {
                    return;
                }
                let call = self.out.remove(which.min(self.out.len() - 1) % self.out.len());
                let verdict = if how == End::Failed { Verdict::Failure } else { Verdict::Success };
                let outcome = Outcome { verdict, duration: self.now.since(call.asked_at) };
                let change = match how {
                    End::Released => self.breaker.release(now, call),
                    End::Ignored => self.breaker.ignore(now, call, outcome),
                    End::Failed | End::Succeeded => self.breaker.record(now, call, outcome),
                };
                self.follow(self.now, change);
            }
        }
    }
}

fn said(rule: &AnyRule, steps: &[Step]) -> Vec<Said> {
    let mut observed = Observed::new(rule);
    steps.iter().for_each(|&step| observed.step(step));
    observed.said
}

/// The most calls that one half-open phase lets through, where no call is taken back; `None` where there is no limit.
fn most_probes(rule: &Dialect) -> Option<usize> {
    let settings = rule.settings();
    let count = |name: &str| match settings.get(name) {
        Some(Value::Number(number)) => number as usize,
        other => panic!("{name} is {other:?}"),
    };
    match rule.library().name {
        "cockatiel" | "hystrix_1_5_13" | "opossum" | "sentinel" => Some(1),
        "gobreaker" => Some(count("MaxRequests").max(1)),
        "resilience4j" => Some(count("permittedNumberOfCallsInHalfOpenState")),
        _ => None,
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(2026), ..ProptestConfig::with_cases(cases) }
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn breakers_say_what_they_do_and_fire_no_timer_late(rule in dialect(), steps in steps(400, true)) {
        said(&rule.into(), &steps);
    }

    #[test]
    fn a_half_open_phase_lets_through_no_more_than_it_may(rule in dialect(), steps in steps(400, false)) {
        let Some(most) = most_probes(&rule) else { return Ok(()) };
        let mut probes = 0;
        let mut phase = Phase::Closed;
        let mut said = said(&rule.into(), &steps).into_iter().peekable();
        while let Some(next) = said.next() {
            match next {
                Said::Changed { change, .. } => {
                    phase = change.to;
                    probes = 0;
                }
                // The question that begins a half-open phase is said before the change.
                Said::Answer(Answer::Admit) | Said::Resumed { admitted: true, .. } => {
                    match said.peek() {
                        Some(Said::Changed { change, .. }) if change.to == Phase::HalfOpen => {
                            said.next();
                            phase = Phase::HalfOpen;
                            probes = 1;
                        }
                        _ if phase == Phase::HalfOpen => probes += 1,
                        _ => {}
                    }
                    prop_assert!(probes <= most, "{probes} probes of {most}: {rule}");
                }
                Said::Answer(_) | Said::Resumed { .. } => {}
            }
        }
    }

    #[test]
    fn settings_make_the_rule_again(rule in dialect()) {
        let library = rule.library();
        prop_assert_eq!(library.build(&rule.settings()), Ok(AnyRule::from(rule)));
        let short = library.without_defaults(&rule.settings());
        prop_assert_eq!(library.build(&short), Ok(AnyRule::from(rule)));
    }

    #[test]
    fn the_simplest_words_for_a_rule_mean_the_same(rule in dialect(), steps in steps(400, true)) {
        let simplest = rule.simplest();
        prop_assert_eq!(simplest.simplest(), simplest);
        prop_assert!(AnyRule::from(simplest).is_same_rule(&rule.into()));
        prop_assert_eq!(said(&simplest.into(), &steps), said(&rule.into(), &steps), "{} and {}", simplest, rule);
    }
}

#[test]
fn each_library_is_found_by_its_names() {
    for library in libraries() {
        assert!(policies::Library::named(library.name).is_some_and(|found| found.name == library.name));
        let recorded = policies::Library::recorded(library.recorded_as, library.version);
        assert!(recorded.is_some_and(|found| found.name == library.name));
    }
    assert!(libraries().is_sorted_by_key(|library| library.name), "in the order of their names");
}

#[test]
fn defaults_make_a_rule_wherever_nothing_is_required() {
    for library in libraries() {
        let needs_something = ["cockatiel", "sentinel"].contains(&library.name);
        assert_eq!(library.build(&Settings::new()).is_err(), needs_something, "{}", library.name);
        for parameter in library.parameters {
            assert!(
                parameter.default.is_none_or(
                    |value| !parameter.required && (parameter.accepts(value) || value == Value::Number(0.0))
                )
            );
        }
    }
}
