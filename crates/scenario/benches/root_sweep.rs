//! The designs and the modes of the sweep in the root of the repository.

#![allow(dead_code, reason = "not every bench or example needs all of it")]

use engine::Duration;
use policies::{AnyRule, Consecutive, HalfOpen, NoBreaker, Ratio};
use scenario::{Mode, Replication, RequestStream, Scenario};

pub(crate) fn modes() -> Vec<Mode> {
    Mode::GIVEN.iter().map(|name| Mode::given(name, None).expect("a given mode")).collect()
}

pub(crate) fn stream(mode: &Mode) -> RequestStream {
    Replication::draw(&Scenario::default(), 1, 0).stream(mode)
}

/// The designs of which no two are one rule in different words, with the first of each kind.
pub(crate) fn distinct(mut designs: Vec<AnyRule>) -> Vec<AnyRule> {
    let mut seen = std::collections::BTreeSet::new();
    designs.retain(|design| design.shared_form().is_none_or(|form| seen.insert(form)));
    designs
}

/// The designs of `sweeps/dense.toml`, as often as they are written there.
pub(crate) fn dense_designs() -> Vec<AnyRule> {
    let half_open = HalfOpen::default();
    let mut designs = vec![AnyRule::from(NoBreaker)];
    let open_times = [100, 160, 250, 400, 630, 1_000, 1_600, 2_500, 4_000, 6_300, 10_000];
    for open_for in open_times.map(Duration::from_millis) {
        for failures in 1..=20 {
            designs.push(Consecutive::new(failures, open_for, half_open).expect("valid").into());
        }
        for window in (5..=100).step_by(5) {
            for threshold in 1..=25 {
                let threshold = f64::from(threshold) / 25.0;
                designs.push(Ratio::new(window, threshold, open_for, half_open).expect("valid").into());
            }
        }
    }
    designs
}

/// All 576 designs.
pub(crate) fn designs() -> Vec<AnyRule> {
    let half_open = HalfOpen::default();
    let mut designs = vec![AnyRule::from(NoBreaker)];
    for open_for in [500, 1_000, 2_000, 5_000, 10_000].map(Duration::from_millis) {
        for failures in 1..=20 {
            designs.push(Consecutive::new(failures, open_for, half_open).expect("valid").into());
        }
        for window in [5, 10, 20, 50, 100] {
            for twentieths in 1..=19 {
                let threshold = f64::from(twentieths) / 20.0;
                designs.push(Ratio::new(window, threshold, open_for, half_open).expect("valid").into());
            }
        }
    }
    designs
}
