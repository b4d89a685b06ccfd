//! Further attempts: inside and outside of the breaker, their delays, and their budget.

use policies::{AnyRule, NoBreaker};
use scenario::Scenario;
use scenario::service::{Budget, Retries, ServiceNote};

use crate::kit::{always, consecutive, counts, millis, notes, regime, run, starts, stream, with};

const NONE: AnyRule = AnyRule::None(NoBreaker);

/// Three attempts, 50 ms between the end of one and the next.
const THREE: Retries = Retries {
    attempts: 3,
    delay: millis_const(50),
    growth: 1.0,
    longest: millis_const(10_000),
    jitter: 0.0,
    breaker_outside: false,
    budget: None,
};

const fn millis_const(millis: u64) -> engine::Duration {
    engine::Duration::from_millis(millis)
}

fn retrying(retries: Retries) -> Scenario {
    with(|service| service.retries = Some(retries))
}

#[test]
fn attempts_follow_failures_and_not_successes() {
    let down = always(regime("down", 1.0, 10));
    let record = run(&NONE, &retrying(THREE), &down);
    assert_eq!((record.calls, record.errors, counts(&record).retries), (90, 90, 180));
    let first: Vec<_> =
        starts(&NONE, &stream(&retrying(THREE), &down)).into_iter().filter(|call| call.0 == 0).collect();
    assert_eq!(first, [(0, 0, 0), (0, 1, 60), (0, 2, 120)]);
    let well = run(&NONE, &retrying(THREE), &always(regime("well", 0.0, 10)));
    assert_eq!((well.responses, counts(&well).retries), (90, 0));
}

/// A breaker inside of the retries hears every attempt. Failures end at 10, 70 and (of the second request) 110 ms; the
/// third opens it. The attempts at 120 and 160 ms are turned away: both requests are errors.
#[test]
fn a_breaker_inside_is_asked_for_every_attempt() {
    let record = run(&consecutive(3, 100_000), &retrying(THREE), &always(regime("down", 1.0, 10)));
    assert_eq!((record.calls, counts(&record).retries, record.errors, record.rejected), (2, 1, 2, 88));
}

/// A breaker outside hears one failure per request, at 130, 230 and 330 ms; by then four requests are under way, and all
/// of them make three attempts. It takes 12 calls where the breaker inside took three.
#[test]
fn a_breaker_outside_is_asked_once_for_all_attempts() {
    let outside = Retries { breaker_outside: true, ..THREE };
    let record = run(&consecutive(3, 100_000), &retrying(outside), &always(regime("down", 1.0, 10)));
    assert_eq!((record.calls, counts(&record).retries, record.errors, record.rejected), (4, 8, 4, 86));
}

/// An attempt that finds no slot is no reason to ask the breaker again, nor to forget the failure.
#[test]
fn a_breaker_outside_hears_of_requests_whose_further_attempts_find_no_slot() {
    let outside = Retries { breaker_outside: true, delay: millis(5), ..THREE };
    // Of one slot: held by the first for 95 ms; the second request comes at 100 ms and takes it before the first's retry.
    let scenario = Scenario { slots: 1, ..retrying(outside) };
    let record = run(&consecutive(1, 100_000), &scenario, &always(regime("down", 1.0, 97)));
    // The first ends at 97 ms and tries again at 102 ms, when the second holds the slot: an error that opens the breaker.
    assert_eq!((record.calls, record.openings, record.rejected), (2, 1, 88));
}

#[test]
fn delays_grow_and_are_drawn_by_request_and_attempt() {
    let retries = Retries { attempts: 5, growth: 2.0, longest: millis(300), jitter: 0.5, ..THREE };
    let down = always(regime("down", 1.0, 10));
    let delays = |rule: &AnyRule| {
        let notes = notes(rule, &stream(&retrying(retries), &down));
        let delays = notes.into_iter().filter_map(|(_, _, note)| match note {
            ServiceNote::Again { request, attempt, delay } => Some(((request, attempt), delay)),
            _ => None,
        });
        delays.collect::<std::collections::BTreeMap<_, _>>()
    };
    let all = delays(&NONE);
    assert_eq!(all.len(), 4 * 90);
    for (&(_, attempt), &delay) in &all {
        let longest = millis([50, 100, 200, 300][attempt as usize - 1]);
        assert!(delay <= longest && delay.as_nanos() >= longest.as_nanos() / 2, "{attempt}: {delay}");
    }
    let distinct: std::collections::BTreeSet<_> = all.values().collect();
    assert!(distinct.len() > 300);
    // A breaker lets fewer attempts be made; those that are made wait as long.
    let few = delays(&consecutive(3, 700));
    assert!(few.len() < all.len() && few.iter().all(|(attempt, delay)| all[attempt] == *delay));
}

#[test]
fn a_budget_bounds_the_attempts_of_all() {
    let down = always(regime("down", 1.0, 10));
    let retried =
        |budget| counts(&run(&NONE, &retrying(Retries { attempts: 2, budget: Some(budget), ..THREE }), &down)).retries;
    assert_eq!(retried(Budget { per_request: 0.0, most: 5 }), 5);
    // The first request spends the first token; every tenth after it the token that ten of them have earned.
    assert_eq!(retried(Budget { per_request: 0.1, most: 1 }), 9);
    assert_eq!(retried(Budget { per_request: 1.0, most: 1 }), 90);
}
