//! The scenario of the main job, with windows that fill and breakers that close and open again, and a hundred and fifty
//! designs.

use engine::{Distribution, Duration, Time};
use policies::{AnyRule, Consecutive, HalfOpen, NoBreaker, Ratio};
use scenario::{DesignSet, FaultAt, Mode, OutcomeAt, Replication, Scenario, SharingStats};

use crate::compare::assert_all_ways_agree;

/// All families, thresholds from the most eager to the most patient, open times from a third of a second up.
pub(crate) fn designs() -> Vec<AnyRule> {
    let half_open = HalfOpen::default();
    let mut rules = vec![AnyRule::from(NoBreaker)];
    for open_for in [333, 1_000, 5_000].map(Duration::from_millis) {
        for threshold in [1, 2, 3, 5, 9, 20] {
            rules.push(Consecutive::new(threshold, open_for, half_open).expect("valid").into());
        }
        for window in [1, 5, 20, 64, 100, 127, 128] {
            for threshold in [0.01, 0.05, 0.1, 0.2, 0.5, 0.9] {
                rules.push(Ratio::new(window, threshold, open_for, half_open).expect("valid").into());
            }
        }
    }
    for half_open in [HalfOpen { permits: 3, successes: 2 }, HalfOpen { permits: 1, successes: 3 }] {
        rules.push(Consecutive::new(2, Duration::from_millis(400), half_open).expect("valid").into());
        rules.push(Ratio::new(10, 0.2, Duration::from_secs(1), half_open).expect("valid").into());
    }
    rules
}

fn all_modes(heal_after: Option<Duration>) -> Vec<Mode> {
    Mode::GIVEN.iter().map(|name| Mode::given(name, heal_after).expect("given")).collect()
}

fn agree(scenario: &Scenario, modes: &[Mode], replications: u32) -> SharingStats {
    let rules = designs();
    let designs = DesignSet::new(&rules);
    let mut stats = SharingStats::default();
    for replication in 0..replications {
        let draws = Replication::draw(scenario, 2026, replication);
        for mode in modes {
            stats += assert_all_ways_agree(&rules, &designs, &draws.stream(mode));
        }
    }
    stats
}

#[test]
fn four_modes() {
    let stats = agree(&Scenario::default(), &all_modes(None), 3);
    assert!(stats.merges > 1_000 && stats.joins > 0, "this has to fork, merge and join: {stats:?}");
}

#[test]
fn with_warm_up_and_heal() {
    let scenario = Scenario {
        warm_up: Time::ZERO + Duration::from_secs(1),
        fault_at: FaultAt::Uniform {
            from: Time::ZERO + Duration::from_secs(2),
            to: Time::ZERO + Duration::from_secs(4),
        },
        ..Scenario::default()
    };
    agree(&scenario, &all_modes(Some(Duration::from_secs(5))), 2);
}

#[test]
fn with_outcomes_at_admission_and_long_rejections() {
    let scenario =
        Scenario { outcome: OutcomeAt::Admission, rejection_hold: Duration::from_millis(150), ..Scenario::default() };
    agree(&scenario, &all_modes(None), 2);
}

#[test]
fn with_few_slots_and_heavy_tails() {
    let scenario = Scenario {
        slots: 12,
        rejection_hold: Duration::ZERO,
        neighbour_hold: Distribution::LogNormal { median: Duration::from_millis(20), sigma: 1.2 },
        ..Scenario::default()
    };
    agree(&scenario, &all_modes(Some(Duration::from_secs(6))), 2);
}
