//! Equal states answer alike for ever, and hash alike.

#![expect(clippy::disallowed_types, reason = "hashes are compared with each other only, and never kept")]

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use engine::{Duration, Time};
use policies::{Consecutive, HalfOpen, Ratio, Rule};

use crate::driver::{Driver, Step, happen, start, steps};
use crate::numbers::samples;

/// All instants of the two histories come before this one.
const MEETING: Time = Time::from_nanos(100);

fn after<R: Rule>(rule: R, steps: &[Step]) -> R::State {
    let mut state = start(rule);
    let mut driver = Driver::new();
    for &step in steps {
        let event = driver.event(step);
        let reaction = happen(rule, &mut state, driver.now(), event);
        driver.hear(event, reaction);
    }
    assert!(driver.now().monotonic < MEETING);
    state
}

/// Plays the same future on all pairs of equal states that different histories lead to, and counts the pairs.
fn equal_pairs<R: Rule>(rule: R) -> usize {
    let histories = samples(300, &steps(25));
    let future = samples(1, &steps(200)).remove(0);
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let states: Vec<_> = histories.iter().map(|history| after(rule, history)).collect();
    let mut pairs = 0;
    for (number, first) in states.iter().enumerate() {
        for second in states[..number].iter().filter(|second| *second == first) {
            pairs += 1;
            assert_eq!(hasher.hash_one(first), hasher.hash_one(second));
            let (mut a, mut b) = (first.clone(), second.clone());
            let mut driver = Driver::starting_at(MEETING);
            for &step in &future {
                let event = driver.event(step);
                let reaction = happen(rule, &mut a, driver.now(), event);
                assert_eq!(reaction, happen(rule, &mut b, driver.now(), event));
                assert_eq!(a, b);
                driver.hear(event, reaction);
            }
        }
    }
    pairs
}

#[test]
fn consecutive() {
    let rule = Consecutive::new(3, Duration::from_nanos(4), HalfOpen { permits: 2, successes: 2 }).expect("valid");
    assert!(equal_pairs(rule) > 1_000);
}

#[test]
fn short_window() {
    let rule = Ratio::new(3, 0.6, Duration::from_nanos(4), HalfOpen::default()).expect("valid");
    assert!(equal_pairs(rule) > 500);
}

#[test]
fn allocated_window() {
    let rule = Ratio::new(150, 0.01, Duration::from_nanos(4), HalfOpen::default()).expect("valid");
    assert!(equal_pairs(rule) > 500);
}
