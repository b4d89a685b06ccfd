//! The numbers of a rule, and random ones.

use std::ops::RangeInclusive;

use engine::Duration;
use policies::{AnyRule, Consecutive, HalfOpen, Ratio};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// When a closed breaker opens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Trip {
    /// At so many failures in a row.
    Consecutive { threshold: u32 },
    /// At this share of failures in a full window.
    Ratio { window: u32, threshold: f64 },
}

/// All numbers of a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Numbers {
    pub(crate) trip: Trip,
    pub(crate) open_for: Duration,
    pub(crate) half_open: HalfOpen,
}

impl Numbers {
    pub(crate) fn rule(self) -> AnyRule {
        match self.trip {
            Trip::Consecutive { threshold } => {
                Consecutive::new(threshold, self.open_for, self.half_open).expect("valid numbers").into()
            }
            Trip::Ratio { window, threshold } => {
                Ratio::new(window, threshold, self.open_for, self.half_open).expect("valid numbers").into()
            }
        }
    }

    /// The fewest failures after which a closed breaker may open, found by trying.
    pub(crate) fn fewest_failures(self) -> u32 {
        match self.trip {
            Trip::Consecutive { threshold } => threshold,
            Trip::Ratio { window, threshold } => (1..=window)
                .find(|&failures| f64::from(failures) / f64::from(window) >= threshold)
                .expect("a window full of failures reaches every threshold"),
        }
    }
}

/// Rules with windows up to `largest_window`, and open durations of a few ticks of a nanosecond.
pub(crate) fn numbers(largest_window: u32) -> impl Strategy<Value = Numbers> {
    let consecutive = (1..=6_u32).prop_map(|threshold| Trip::Consecutive { threshold });
    of(prop_oneof![consecutive, ratios(1..=largest_window)])
}

/// Ratio rules with windows in the given range.
pub(crate) fn ratio_numbers(windows: RangeInclusive<u32>) -> impl Strategy<Value = Numbers> {
    of(ratios(windows))
}

fn ratios(windows: RangeInclusive<u32>) -> impl Strategy<Value = Trip> {
    let share = prop_oneof![(1..=20_u32).prop_map(|twentieths| f64::from(twentieths) / 20.0), 0.01..=1.0_f64,];
    (windows, share).prop_map(|(window, threshold)| Trip::Ratio { window, threshold })
}

fn of(trips: impl Strategy<Value = Trip>) -> impl Strategy<Value = Numbers> {
    let half_open = (1..=3_u32, 1..=3_u32).prop_map(|(permits, successes)| HalfOpen { permits, successes });
    (trips, 1..=6_u64, half_open).prop_map(|(trip, ticks, half_open)| Numbers {
        trip,
        open_for: Duration::from_nanos(ticks),
        half_open,
    })
}

/// A fixed seed, and nothing written to the source folder.
pub(crate) fn config(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(0x7472_6970), failure_persistence: None, ..Config::default() }
}

/// The same `count` random values in every run of the tests.
pub(crate) fn samples<T: std::fmt::Debug>(count: usize, strategy: &impl Strategy<Value = T>) -> Vec<T> {
    let mut runner = TestRunner::new(config(1));
    (0..count).map(|_| strategy.new_tree(&mut runner).expect("nothing is filtered out").current()).collect()
}
