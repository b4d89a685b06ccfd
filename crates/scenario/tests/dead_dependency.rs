//! The dead dependency: its published figures, a closed form, an independent loop, and the pool of workers.

use engine::{Duration, Time};
use policies::NoBreaker;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use scenario::dead_dependency::workers::Workers;
use scenario::dead_dependency::{CallerRun, DeadDependency, Setting};

fn run(calls: u32, threshold: u32, cooldown: Duration, setting: Setting) -> CallerRun {
    DeadDependency { calls, threshold, cooldown }.run(setting).expect("a positive threshold")
}

#[test]
fn the_published_figures() {
    let figures = |setting| {
        let run = DeadDependency::default().run(setting).expect("valid");
        (run.wall, run.dependency_calls, run.short_circuits, run.successes)
    };
    let millis = Duration::from_millis;
    assert_eq!(figures(Setting::NoBreaker), (millis(10_200), 200, 0, 0));
    assert_eq!(figures(Setting::Breaker), (millis(450), 5, 195, 0));
    assert_eq!(figures(Setting::Healthy), (millis(400), 200, 0, 200));
}

/// A dead service behind the breaker: the first `threshold` calls fail. The breaker then stands open from the end of the
/// last of them; the caller asks after 1, 2, 3, … ms, and the first that asks when the cooldown has elapsed probes and
/// fails, which opens the breaker anew. So of every `max(1, ceil(cooldown in ms))` further calls the last one is made.
#[test]
fn a_closed_form_of_the_open_breaker() {
    for threshold in 1..8 {
        for cooldown_us in [0, 1, 999, 1_000, 1_001, 2_000, 49_000, 50_000, 51_000, 200_000, 200_001, 10_000_000] {
            let period = cooldown_us.max(1_u64).div_ceil(1_000) as u32;
            for calls in (0..60_u32).chain([199, 200, 201, 204, 205, 206, 405, 406, 1_000]) {
                let made = calls.min(threshold) + calls.saturating_sub(threshold) / period;
                let expected = CallerRun {
                    wall: Duration::from_millis(u64::from(calls) + 50 * u64::from(made)),
                    dependency_calls: made,
                    short_circuits: calls - made,
                    successes: 0,
                };
                let cooldown = Duration::from_nanos(cooldown_us * 1_000);
                assert_eq!(
                    run(calls, threshold, cooldown, Setting::Breaker),
                    expected,
                    "{threshold} {cooldown} {calls}"
                );
            }
        }
    }
}

/// The lesson's state machine in whole microseconds: a string for the state, a number for the failures.
fn by_hand(calls: u32, threshold: u32, cooldown_us: u64) -> (u64, u32, u32) {
    let (mut clock, mut made, mut refused) = (0_u64, 0, 0);
    let (mut state, mut failures, mut opened_at) = ("closed", 0, 0);
    for _ in 0..calls {
        clock += 1_000;
        if state == "open" {
            if clock - opened_at < cooldown_us {
                refused += 1;
                continue;
            }
            state = "half-open";
        }
        made += 1;
        clock += 50_000;
        if state == "half-open" {
            (state, opened_at) = ("open", clock);
        } else {
            failures += 1;
            if failures >= threshold {
                (state, opened_at) = ("open", clock);
            }
        }
    }
    (clock, made, refused)
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(3), ..ProptestConfig::with_cases(500) })]

    #[test]
    fn any_numbers_agree_with_a_loop_by_hand(
        calls in 0..3_000_u32,
        threshold in 1..40_u32,
        cooldown_us in prop_oneof![0..3_000_u64, 0..2_000_000_u64],
    ) {
        let run = run(calls, threshold, Duration::from_nanos(cooldown_us * 1_000), Setting::Breaker);
        let micros = run.wall.as_nanos() / 1_000;
        prop_assert_eq!((micros, run.dependency_calls, run.short_circuits), by_hand(calls, threshold, cooldown_us));
    }

    #[test]
    fn without_failures_the_breaker_is_not_noticed(calls in 0..3_000_u32, threshold in 1..40_u32) {
        let run = run(calls, threshold, Duration::from_millis(200), Setting::Healthy);
        let expected = CallerRun {
            wall: Duration::from_millis(2 * u64::from(calls)),
            dependency_calls: calls,
            short_circuits: 0,
            successes: calls,
        };
        prop_assert_eq!(run, expected);
    }
}

#[test]
fn a_threshold_of_zero_is_refused() {
    let refused = DeadDependency { threshold: 0, ..DeadDependency::default() }.run(Setting::Healthy);
    assert!(refused.is_err());
}

/// First come, first served by whichever worker is free first: the start of every job follows from those before it.
#[test]
fn without_a_breaker_waits_are_those_of_the_textbook() {
    for time_out in [Duration::from_millis(50), Duration::from_secs(2)] {
        let mut workers = Workers::lesson(time_out);
        workers.others = [("one", 150.0, Duration::from_millis(7)), ("two", 80.0, Duration::from_millis(7))];
        let run = workers.run(NoBreaker, 11, 3);
        let mut jobs: Vec<_> = run.neighbours.iter().map(|&(at, waited)| (at, waited, false)).collect();
        jobs.extend(run.checkouts.iter().map(|&(at, waited)| (at, waited, true)));
        jobs.sort_by_key(|&(at, ..)| at);
        let mut free_at = [Time::ZERO; 20];
        for (arrived, waited, is_checkout) in jobs {
            let worker = free_at.iter_mut().min().expect("twenty");
            let start = arrived.max(*worker);
            assert_eq!(start.since(arrived), waited, "arrived at {arrived}");
            let asked = start + Duration::from_millis(1);
            *worker = match is_checkout {
                false => start + Duration::from_millis(7),
                true if asked >= workers.dead_from && asked < workers.dead_to => asked + time_out,
                true => asked + Duration::from_millis(1),
            };
        }
        assert_eq!(run.fraud_calls, run.checkouts.len() as u64);
    }
}

#[test]
fn the_breaker_bounds_what_the_dead_service_takes() {
    let time_out = Duration::from_millis(50);
    let workers = Workers::lesson(time_out);
    let breaker = DeadDependency::default().breaker().expect("valid");
    let longest = |run: &[(Time, Duration)]| run.iter().map(|&(_, waited)| waited).max().expect("there are some");
    for replication in 0..10 {
        let without = workers.run(NoBreaker, 5, replication);
        let with = workers.run(breaker, 5, replication);
        assert_eq!(with.fraud_calls + with.short_circuits, with.checkouts.len() as u64);
        assert_eq!(with.neighbours.len(), without.neighbours.len());
        // 22.9 workers' worth of work for 20 workers during five seconds: the line grows to about 5 · 700 · 2.9 / 22.9
        // requests, which is more than half a second's worth. With the breaker nobody waits longer than the twenty
        // time-outs that can be under way when the breaker opens, and one check by the caller itself.
        assert!(longest(&without.neighbours) > Duration::from_millis(500), "{}", longest(&without.neighbours));
        assert!(longest(&with.neighbours) <= time_out + Duration::from_millis(1));
    }
}

#[test]
fn a_service_that_never_dies_keeps_nobody_waiting_for_long() {
    let run = Workers::lesson(Duration::from_secs(2)).healthy().run(NoBreaker, 5, 0);
    // 3.3 of 20 workers are needed on average.
    let waiting = run.neighbours.iter().filter(|(_, waited)| !waited.is_zero()).count();
    assert_eq!(waiting, 0);
    assert!(run.neighbours.len() > 2_000);
}
