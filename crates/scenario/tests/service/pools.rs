//! Slots: bulkheads, shares of instances, the queue, the rate limiter.

use policies::{AnyRule, NoBreaker};
use scenario::service::{RateLimit, Refusal, RegimeOptions, ServiceNote};
use scenario::{ArrivalProcess, Mode, Regime, Scenario};

use crate::kit::{always, clockwork, counts, notes, regime, run, starts, stream, with};

const NONE: AnyRule = AnyRule::None(NoBreaker);

/// No call ever ends.
fn lost() -> Mode {
    let options = RegimeOptions { lost: 1.0, ..RegimeOptions::default() };
    always(Regime { options, ..regime("lost", 0.0, 10) })
}

/// 100 neighbours per second that hold a slot for 40 ms: four at once on average, and never 26.
fn with_neighbours(scenario: Scenario) -> Scenario {
    Scenario { slots: 30, neighbour: ArrivalProcess::Poisson { rate: 100.0 }, ..scenario }
}

#[test]
fn a_bulkhead_keeps_the_neighbours_slots() {
    let record = run(&NONE, &with_neighbours(with(|service| service.bulkhead = Some(4))), &lost());
    assert_eq!((record.calls, record.no_slot, record.neighbour_no_slot), (4, 86, 0));
    // Without one the dependency flow takes slot after slot, and does not give them back: from the fourth second on or
    // so nobody finds one.
    let record = run(&NONE, &with_neighbours(clockwork()), &lost());
    assert_eq!(record.calls, 30);
    assert!(record.neighbour_no_slot > 300, "{record:?}");
    // Neither part lends to the other.
    let record = run(&NONE, &with_neighbours(with(|service| service.bulkhead = Some(28))), &lost());
    assert_eq!(record.calls, 28);
    assert!(record.neighbour_no_slot > 300, "{record:?}");
}

#[test]
fn instances_share_the_slots_evenly_and_do_not_lend() {
    let scenario = Scenario { slots: 2, ..with(|service| service.instances = 2) };
    let record = run(&NONE, &scenario, &lost());
    assert_eq!((record.calls, record.no_slot), (2, 88));
}

/// One slot, 240 ms per call, a call every 100 ms, two places to wait. Times in tens of milliseconds:
///
/// ```text
/// slot    0 [0–24] 1 [24–48] 2 [48–72] 3 [72–96] 5 [96–…]
/// waits   1 at 10, 2 at 20, 3 at 30, 5 at 50, 8 at 80, 10 at 100; the line is full at 40, 60, 70, 90 and 110
/// ```
#[test]
fn the_queue_is_bounded_and_first_come_first_served() {
    let scenario = Scenario { slots: 1, ..with(|service| service.queue = 2) };
    let stream = stream(&scenario, &always(regime("slow", 0.0, 240)));
    let served = starts(&NONE, &stream);
    assert_eq!(served[..5], [(0, 0, 0), (1, 0, 240), (2, 0, 480), (3, 0, 720), (5, 0, 960)]);
    let refused: Vec<u64> = notes(&NONE, &stream)
        .into_iter()
        .filter_map(|(_, _, note)| match note {
            ServiceNote::Refused { request, refusal: Refusal::NoSlot, .. } => Some(request),
            _ => None,
        })
        .take(5)
        .collect();
    assert_eq!(refused, [4, 6, 7, 9, 11]);
}

#[test]
fn neighbours_wait_in_the_same_line() {
    let quiet = ArrivalProcess::Even { rate: 0.0 };
    let scenario = Scenario {
        slots: 1,
        dependency: quiet,
        neighbour: ArrivalProcess::Even { rate: 10.0 },
        neighbour_hold: crate::kit::fixed(240),
        ..with(|service| service.queue = 1)
    };
    let stream = stream(&scenario, &always(regime("well", 0.0, 10)));
    let waits = notes(&NONE, &stream).into_iter().filter_map(|(_, _, note)| match note {
        ServiceNote::NeighbourServed { request, waited } => Some((request, (waited.as_nanos() + 500_000) / 1_000_000)),
        _ => None,
    });
    let waits: Vec<(u64, u64)> = waits.collect();
    // The second comes at 100 ms and starts at 240 ms, the fourth at 300 and 480 ms, and so on.
    assert_eq!(waits[..4], [(1, 140), (3, 180), (5, 220), (8, 160)]);
    let record = run(&NONE, &scenario, &always(regime("well", 0.0, 10)));
    let total: u64 = counts(&record).neighbour_wait.as_nanos() / 1_000_000;
    let heard: u64 = waits.iter().map(|(_, waited)| waited).sum();
    // Nobody waits at the end of the run; each wait was rounded by less than a millisecond.
    assert!(total.abs_diff(heard) < waits.len() as u64);
    assert_eq!(record.neighbour_requests, record.neighbour_responses + record.neighbour_no_slot);
}

/// Four per second and no burst: a token grows in 250 ms, so every third request passes, whatever the dependency does.
#[test]
fn a_rate_limiter_reacts_to_volume_alone() {
    let scenario = with(|service| service.rate_limit = Some(RateLimit { rate: 4.0, burst: 1 }));
    for failing in [0.0, 1.0] {
        let record = run(&NONE, &scenario, &always(regime("any", failing, 10)));
        assert_eq!((counts(&record).rate_limited, record.calls), (60, 30));
    }
    let burst = with(|service| service.rate_limit = Some(RateLimit { rate: 4.0, burst: 10 }));
    // Ten at first and then 2.5 for every 250 ms: in 8.9 s at most 10 + 35.
    let record = run(&NONE, &burst, &always(regime("any", 0.0, 10)));
    assert_eq!(record.calls, 10 + 35);
}
