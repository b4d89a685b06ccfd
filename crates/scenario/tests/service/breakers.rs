//! Many breakers: of shards and of client instances.

use std::collections::BTreeMap;

use policies::{AnyRule, NoBreaker, Phase};
use scenario::service::{RegimeOptions, ServiceNote};
use scenario::{Mode, Opening, Regime};

use crate::kit::{always, consecutive, millis, mode, notes, regime, run, stream, with};

const NONE: AnyRule = AnyRule::None(NoBreaker);

/// From the fault on, every request of the second shard fails.
fn one_shard_down() -> Mode {
    let down = regime("down", 1.0, 10);
    mode(Regime {
        options: RegimeOptions { shard: Some(1), ..RegimeOptions::default() },
        opening: Opening::False,
        ..down
    })
}

#[test]
fn a_regime_can_hit_one_shard_only() {
    let failing = |weights: Vec<f64>| run(&NONE, &with(|service| service.shards = weights), &one_shard_down()).errors;
    // The weights decide how many of the 40 requests of the fault are the second shard's.
    assert_eq!(failing(vec![1.0]), 0);
    let quarter = failing(vec![3.0, 1.0]);
    let half = failing(vec![1.0, 1.0]);
    assert!(0 < quarter && quarter < half && half < 40, "{quarter} {half}");
}

#[test]
fn a_breaker_per_shard_turns_away_nobody_elses_requests() {
    let scenario = |own: bool| with(|service| (service.shards, service.breaker_per_shard) = (vec![1.0, 1.0], own));
    let failing = run(&NONE, &scenario(false), &one_shard_down()).errors;
    let own = run(&consecutive(3, 100_000), &scenario(true), &one_shard_down());
    assert_eq!((own.errors, own.rejected, own.false_open_rejections), (3, failing - 3, 0));
    // One breaker for all: as soon as three failures come in a row, everybody is turned away.
    let shared = run(&consecutive(3, 100_000), &scenario(false), &one_shard_down());
    assert_eq!(shared.openings, 1);
    assert!(shared.false_open_rejections > 0);
    assert_eq!(shared.responses + shared.errors + shared.rejected, 90);
}

/// The regime's own word on openings is for the shard that it hits.
#[test]
fn an_opening_is_judged_by_its_own_shard() {
    let mut hit = one_shard_down();
    hit.timeline[1].1.opening = Opening::Right;
    let scenario = with(|service| (service.shards, service.breaker_per_shard) = (vec![1.0, 1.0], true));
    let record = run(&consecutive(3, 100_000), &scenario, &hit);
    assert_eq!((record.openings, record.false_openings), (1, 0));
    let record = run(&consecutive(3, 100_000), &scenario, &one_shard_down());
    assert_eq!((record.openings, record.false_openings), (1, 1));
}

/// Each instance has to see the failures by itself.
#[test]
fn instances_learn_one_by_one() {
    let scenario = with(|service| service.instances = 3);
    let record = run(&consecutive(2, 100_000), &scenario, &always(regime("down", 1.0, 10)));
    assert_eq!((record.errors, record.rejected, record.openings), (6, 84, 3));
    let both = with(|service| {
        (service.instances, service.shards, service.breaker_per_shard) = (3, vec![1.0, 1.0], true);
    });
    let record = run(&consecutive(2, 100_000), &both, &always(regime("down", 1.0, 10)));
    assert_eq!((record.errors, record.openings), (12, 6));
}

/// How long each breaker's first opening lasted until its first probe. Requests come every 10 ms or so per instance.
fn first_open_times(jitter: f64) -> BTreeMap<u32, u64> {
    let mut scenario = with(|service| (service.instances, service.timer_jitter) = (20, jitter));
    scenario.dependency = scenario::ArrivalProcess::Even { rate: 2_000.0 };
    let (mut opened, mut lasted) = (BTreeMap::new(), BTreeMap::new());
    for (now, _, note) in notes(&consecutive(2, 1_000), &stream(&scenario, &always(regime("down", 1.0, 5)))) {
        if let ServiceNote::Transition { breaker, transition } = note {
            match transition.to {
                Phase::Open => drop(opened.entry(breaker).or_insert(now)),
                _ => drop(lasted.entry(breaker).or_insert(now.since(opened[&breaker]).as_nanos() / 1_000_000)),
            }
        }
    }
    lasted
}

#[test]
fn timers_are_equal_or_jittered_per_instance() {
    let equal = first_open_times(0.0);
    let jittered = first_open_times(0.3);
    assert_eq!((equal.len(), jittered.len()), (20, 20));
    // The first request after the open time probes: within 100 ms, but for one instance in e^10.
    assert!(equal.values().all(|lasted| (1_000..1_100).contains(lasted)), "{equal:?}");
    assert!(jittered.values().all(|lasted| (700..1_400).contains(lasted)), "{jittered:?}");
    let (least, most) = (jittered.values().min().unwrap(), jittered.values().max().unwrap());
    assert!(most - least > 300, "{jittered:?}");
}

#[test]
fn a_fleet_is_closed_again_when_all_of_it_is() {
    let heal = Mode {
        name: "heal".to_owned(),
        timeline: {
            let mut timeline = mode(regime("down", 1.0, 10)).timeline;
            timeline.push((scenario::Start::AfterFault(millis(2_000)), timeline[0].1.clone()));
            timeline
        },
    };
    let scenario = with(|service| service.instances = 3);
    let record = run(&consecutive(2, 500), &scenario, &heal);
    let closings = notes(&consecutive(2, 500), &stream(&scenario, &heal)).into_iter().filter_map(|(now, _, note)| {
        matches!(note, ServiceNote::Transition { transition, .. } if transition.to == Phase::Closed).then_some(now)
    });
    let last = closings.max().expect("they close").since(crate::kit::at(7_000));
    assert_eq!(record.closed_after_heal, Some(last));
}
