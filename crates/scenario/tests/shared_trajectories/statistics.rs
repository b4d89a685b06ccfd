//! What a sweep says it shared.

use engine::Duration;
use policies::{AnyRule, Consecutive, HalfOpen};
use scenario::{DesignSet, Mode, Replication, Scenario, Sharing, SharingStats};

use crate::default_scenario::designs;

#[test]
fn designs_that_decide_alike_share_one_world() {
    let scenario = Scenario::default();
    let stream = Replication::draw(&scenario, 1, 0).stream(&Mode::given("down", None).expect("given"));
    let rule: AnyRule = Consecutive::new(3, Duration::from_secs(1), HalfOpen::default()).expect("valid").into();
    let (_, stats) = DesignSet::new(&[rule; 10]).run(&stream, Sharing::Bits);
    let requests = stream.requests().len() as u64;
    let expected = SharingStats {
        streams: 1,
        requests,
        design_requests: 10 * requests,
        world_requests: requests,
        most_worlds: 1,
        ..SharingStats::default()
    };
    assert_eq!(stats, expected);
    assert_eq!(stats.requests_saved(), 9 * requests);
}

/// Breakers with several probes share no state, but the world.
#[test]
fn breakers_that_share_no_state_need_no_more_worlds_than_there_are_of_them() {
    let scenario = Scenario { slots: 500, ..Scenario::default() };
    let stream = Replication::draw(&scenario, 1, 0).stream(&Mode::given("down", None).expect("given"));
    let probes = HalfOpen { permits: 2, successes: 2 };
    let designs = [20, 100_000]
        .map(|millis| -> AnyRule { Consecutive::new(1, Duration::from_millis(millis), probes).expect("valid").into() });
    let (_, stats) = DesignSet::new(&designs).run(&stream, Sharing::Bits);
    assert_eq!(stats.most_worlds, 2);
    assert_eq!(stats.requests_saved(), stats.design_requests - stats.world_requests);
}

#[test]
fn one_at_a_time_shares_nothing() {
    let scenario = Scenario::default();
    let stream = Replication::draw(&scenario, 1, 0).stream(&Mode::given("healthy", None).expect("given"));
    let (_, stats) = DesignSet::new(&designs()[..5]).run(&stream, Sharing::Plain);
    assert_eq!((stats.requests_saved(), stats.most_worlds, stats.forks), (0, 5, 0));
    assert_eq!(stats.mean_worlds().to_bits(), 5.0_f64.to_bits());
}

#[test]
fn the_main_job_needs_a_few_worlds() {
    let scenario = Scenario::default();
    let designs = DesignSet::new(&designs());
    for name in Mode::GIVEN {
        let stream = Replication::draw(&scenario, 1, 0).stream(&Mode::given(name, None).expect("given"));
        let (_, stats) = designs.run(&stream, Sharing::Auto);
        assert!((1.0..15.0).contains(&stats.mean_worlds()), "{name}: {}", stats.mean_worlds());
        // Every fork adds a world to the first one, and every merge takes one away.
        assert!(stats.forks > 0 && stats.merges <= stats.forks, "{name}: {stats:?}");
        assert!(stats.forks - stats.merges < stats.most_worlds, "{name}: {stats:?}");
    }
}
