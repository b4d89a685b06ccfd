//! The designs and the modes of the sweep in the root of the repository.

use engine::Duration;
use policies::{AnyRule, Consecutive, HalfOpen, NoBreaker, Ratio};
use scenario::{Mode, Replication, RequestStream, Scenario};

pub(crate) fn modes() -> Vec<Mode> {
    Mode::GIVEN.iter().map(|name| Mode::given(name, None).expect("a given mode")).collect()
}

pub(crate) fn stream(mode: &Mode) -> RequestStream {
    Replication::draw(&Scenario::default(), 1, 0).stream(mode)
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
                let threshold = f64::from(twentieths) * 0.05;
                designs.push(Ratio::new(window, threshold, open_for, half_open).expect("valid").into());
            }
        }
    }
    designs
}
