//! Reading and replaying two recordings, and what is wrong with others.

use policies::Phase;

use super::{Answers, Step, Vector, VectorError, replay, rule};

/// A breaker at which calls wait, and one whose clock counts nanoseconds; recorded with `tools/record`.
const RECORDED: &str = include_str!("../../tests/data/two_vectors.jsonl");

fn vectors() -> Vec<Vector> {
    RECORDED.lines().map(|line| Vector::parse(line).expect("a vector")).collect()
}

fn first_difference(vector: &Vector) -> Option<usize> {
    let difference = replay(vector, &rule(vector).expect("known")).expect("in itself right");
    difference.map(|difference| difference.operation)
}

#[test]
fn what_was_recorded_is_replayed() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 2);
    for vector in &vectors {
        assert_eq!(first_difference(vector), None, "{}", vector.id);
    }
}

#[test]
fn every_recorded_answer_is_compared() {
    for vector in vectors() {
        for number in 0..vector.operations.len() {
            let states = [Phase::Closed, Phase::Open, Phase::HalfOpen];
            for state in states.into_iter().filter(|&state| state != vector.operations[number].state) {
                let mut changed = vector.clone();
                changed.operations[number].state = state;
                assert_eq!(first_difference(&changed), Some(number), "{} {number} {state:?}", vector.id);
            }
            let mut changed = vector.clone();
            match &mut changed.operations[number].step {
                Step::Acquire { queued: queued @ true, .. } => *queued = false,
                Step::Acquire { admitted, .. } | Step::Resume { admitted } => *admitted = !*admitted,
                Step::Complete { .. } => continue,
            }
            assert_eq!(first_difference(&changed), Some(number), "{} {number}", vector.id);
        }
    }
}

#[test]
fn a_waiting_call_that_the_recording_forgets_is_a_difference() {
    let mut vector = vectors().swap_remove(0);
    let resumes = |operation: &super::Operation| matches!(operation.step, Step::Resume { .. });
    let first = vector.operations.iter().position(resumes).expect("calls waited");
    vector.operations.remove(first);
    assert_eq!(first_difference(&vector), Some(first));
    vector.operations.truncate(first);
    let difference =
        replay(&vector, &rule(&vector).expect("known")).expect("right").expect("two calls go on after the end");
    assert_eq!((difference.operation, difference.recorded), (first, Answers::Nothing));
    assert_eq!(difference.here, Answers::Resumed { call: 5, admitted: true, state: Phase::Closed });
}

#[test]
fn what_is_wrong_with_a_line_is_said_with_its_key() {
    let good = RECORDED.lines().nth(1).expect("the second vector");
    for (from, to, key, said) in [
        ("\"t_ms\":1,", "\"t_ms\":\"1\",", "ops[2].t_ms", "no time in milliseconds"),
        ("\"t_ms\":1.000001,", "\"t_ms\":1.0000001,", "ops[3].t_ms", "at most six decimals"),
        ("\"t_ms\":101.5,\"op\":\"acquire\"", "\"t_ms\":101,\"op\":\"acquire\"", "ops[7].t_ms", "in order"),
        ("\"op\":\"acquire\"", "\"op\":\"ask\"", "ops[0].op", "acquire, complete, resume"),
        ("\"admitted\":true,", "", "ops[0].admitted", "true or false"),
        ("\"took_ms\":0,", "", "ops[1].took_ms", "needs it"),
        ("\"half_open\"", "\"isolated\"", "ops[5].state", "closed, open, half_open"),
        ("\"id\":\"to the nanosecond\",", "", "", "missing field `id`"),
        ("\"recloser (Rust crate)\"", "\"reclosers\"", "library", "\"recloser (Rust crate)\" 1.4.0"),
        ("\"1.4.0\"", "\"1.3.0\"", "version", "known is 1.4.0"),
        ("\"closed_len\":1", "\"closed_len\":0", "settings", "closed_len"),
        ("\"closed_len\":1", "\"closed_length\":1", "settings.closed_length", "closed_len"),
        ("\"closed_len\":1", "\"closed_len\":[1]", "settings.closed_len", "no number"),
        ("\"open_wait_ms\":100", "\"open_wait\":100", "settings.open_wait", "unit"),
        ("\"acquire\",\"call\":2", "\"acquire\",\"call\":1", "ops[2].call", "asked before"),
        ("\"complete\",\"call\":2", "\"complete\",\"call\":1", "ops[3].call", "does not run"),
    ] {
        let line = good.replacen(from, to, 1);
        assert_ne!(line, good, "{from}");
        let read = Vector::parse(&line).and_then(|vector| replay(&vector, &rule(&vector)?));
        let VectorError { key: found, problem, .. } = read.expect_err(to);
        assert_eq!(found, key, "{to}: {problem}");
        assert!(problem.contains(said), "{to}: {problem}");
    }
}
