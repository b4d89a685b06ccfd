//! What comes from a source happens as if it had been in the queue, without ever being there.

use std::collections::VecDeque;

use engine::{Arrivals, Calendar, Class, EventKey, Merged, Model, NoSource, Simulation, Source, Time, TraceLog};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Each event with an even number is followed by another one, a little later.
struct Echo {
    pending: usize,
}

impl Model for Echo {
    type Event = u64;

    fn handle(&mut self, event: u64, calendar: &mut Calendar<u64>) {
        self.pending = self.pending.max(calendar.pending());
        if event.is_multiple_of(2) {
            let time = Time::from_nanos(calendar.now().as_nanos() + event % 7);
            calendar.schedule_keyed(EventKey::new(time, Class::Observer, event), event + 1);
        }
    }
}

/// A sorted list of whole keys as a source.
struct Listed(VecDeque<(EventKey, u64)>);

impl Source<u64> for Listed {
    fn peek(&self) -> Option<EventKey> {
        self.0.front().map(|(key, _)| *key)
    }

    fn next(&mut self) -> Option<(EventKey, u64)> {
        self.0.pop_front()
    }
}

fn listed(events: &[(EventKey, u64)]) -> Listed {
    Listed(events.iter().copied().collect())
}

fn run(scheduled: &[(EventKey, u64)], source: impl Source<u64>) -> (Vec<String>, usize) {
    let mut simulation = Simulation::new(Echo { pending: 0 }).with_source(source).with_trace(TraceLog::new());
    for (key, event) in scheduled {
        simulation.calendar_mut().schedule_keyed(*key, *event);
    }
    simulation.run();
    (simulation.trace().lines().to_vec(), simulation.model().pending)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, failure_persistence: None, rng_seed: RngSeed::Fixed(8), ..ProptestConfig::default()
    })]

    #[test]
    fn queue_source_and_two_sources_give_the_same_run(
        drawn in prop::collection::vec((0u64..60, 0..4usize, 0..3u8), 0..60),
    ) {
        let mut events: Vec<(EventKey, u64)> = (0u64..)
            .zip(&drawn)
            .map(|(n, (nanos, class, _))| (EventKey::new(Time::from_nanos(*nanos), Class::ALL[*class], n), 2 * n))
            .collect();
        events.sort_unstable();
        let part = |which: u8| -> Vec<(EventKey, u64)> {
            events.iter().filter(|(key, _)| drawn[key.sequence as usize].2 == which).copied().collect()
        };

        let (in_queue, _) = run(&events, NoSource);
        let (in_source, pending) = run(&[], listed(&events));
        let (in_parts, _) = run(&part(0), Merged::new(listed(&part(1)), listed(&part(2))));
        prop_assert_eq!(&in_queue, &in_source);
        prop_assert_eq!(&in_queue, &in_parts);
        // What is pending are the echoes, each for less than seven nanoseconds.
        let most = (0..60).map(|from| events.iter().filter(|(key, _)| {
            (from..from + 7).contains(&key.time.as_nanos())
        }).count()).max();
        prop_assert!(pending <= most.unwrap_or(0));
    }
}

#[test]
#[should_panic(expected = "event (1ns arrival 0) lies before the one being executed (5ns arrival 0)")]
fn a_source_that_is_not_sorted_is_refused() {
    let at = |nanos| (EventKey::new(Time::from_nanos(nanos), Class::Arrival, 0), 1);
    run(&[], listed(&[at(5), at(1)]));
}

#[test]
fn an_endless_source_is_read_no_further_than_needed() {
    let every = Arrivals::new((0..).map(|n| (Time::from_nanos(10 * n), 1)));
    let mut simulation = Simulation::new(Echo { pending: 0 }).with_source(every).with_trace(TraceLog::new());
    simulation.run_until(Time::from_nanos(30));
    assert_eq!(simulation.trace().lines(), ["0s arrival 0 1", "10ns arrival 1 1", "20ns arrival 2 1"]);
    assert_eq!(simulation.next_key(), Some(EventKey::new(Time::from_nanos(30), Class::Arrival, 3)));
    assert_eq!(simulation.step().map(|key| key.sequence), Some(3));
}
