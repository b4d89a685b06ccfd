//! A run of failures here and in gobreaker: the translation is exact.

use engine::{StreamKey, Time};
use policies::{Answer, CallId, Clocks, Outcome, Rule, RuleVisitor, Verdict};

use super::*;
use crate::library_formats::other_families::translated;

/// What a rule answers to calls that ask at random and end at random, late ones and lost ones among them.
struct Answers(StreamKey);

impl RuleVisitor for Answers {
    type Output = Vec<Answer>;

    fn visit<R: Rule>(self, rule: R) -> Vec<Answer> {
        let draws = self.0;
        let mut breaker = rule.start(draws);
        let mut answers = Vec::new();
        let mut running: Vec<(Time, CallId, Verdict)> = Vec::new();
        let mut at = Time::ZERO;
        for request in 0..2_000_u64 {
            let draw = |number| draws.uniform(request * 8 + number);
            at += Duration::from_nanos(1 + (draw(0) * 40e6) as u64);
            running.sort_unstable_by_key(|&(ends, call, _)| (ends, call));
            while let Some(&(ends, call, verdict)) = running.first().filter(|(ends, ..)| *ends <= at) {
                running.remove(0);
                let outcome = Outcome { verdict, duration: ends.since(call.asked_at) };
                rule.record(&mut breaker, Clocks::synchronous(ends), call, outcome);
            }
            let call = CallId { asked_at: at, request, attempt: 0 };
            let (answer, _) = rule.ask(&mut breaker, Clocks::synchronous(at), call);
            answers.push(answer);
            // A tenth of the calls outlasts the open time; one in a hundred never ends. Health comes in phases.
            let took = if draw(1) < 0.1 { draw(2) * 1e9 } else { draw(2) * 60e6 };
            let fails = draw(3) < if (request / 50).is_multiple_of(2) { 0.05 } else { 0.9 };
            if answer == Answer::Admit && (draw(4) >= 0.01 || request / 50 % 2 == 0) {
                let verdict = if fails { Verdict::Failure } else { Verdict::Success };
                running.push((at + Duration::from_nanos(1 + took as u64), call, verdict));
            }
        }
        answers
    }
}

#[test]
fn both_answer_every_call_alike() {
    let mut turned_away = 0;
    for (seed, threshold) in (0..60).zip([1, 2, 3, 5].into_iter().cycle()) {
        let rule =
            AnyRule::from(Consecutive::new(threshold, Duration::from_millis(300), HalfOpen::default()).expect("valid"));
        let gobreaker = translated(&rule, format("gobreaker")).expect("the same").expect("another family");
        let answers = rule.visit(Answers(StreamKey::root(seed)));
        assert_eq!(answers, gobreaker.visit(Answers(StreamKey::root(seed))), "seed {seed}");
        turned_away += answers.iter().filter(|answer| **answer == Answer::Reject).count();
    }
    assert!(turned_away > 10_000, "only {turned_away} of 120,000 calls were turned away");
}
