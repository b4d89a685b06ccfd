//! Random settings of every library, and random sequences of what happens to its breaker.

use engine::Duration;
use policies::{AnyRule, Dialect, Kind, Library, Parameter, Settings, TimeUnit, Value, libraries};
use proptest::prelude::*;

/// A breaker of any library, with small numbers and times.
pub(crate) fn dialect() -> impl Strategy<Value = Dialect> {
    (0..libraries().len(), prop::collection::vec(any::<u32>(), 16)).prop_filter_map("refused", |(library, words)| {
        let library: &Library = &libraries()[library];
        let values = library.parameters.iter().zip(&words);
        let settings: Settings =
            values.filter_map(|(parameter, &word)| Some((parameter.name, value(parameter, word)?))).collect();
        match library.build(&settings) {
            Ok(AnyRule::Dialect(dialect)) => Some(dialect),
            _ => None,
        }
    })
}

/// A value out of 32 random bits; now and then none, so that the default counts.
fn value(parameter: &Parameter, word: u32) -> Option<Value> {
    let (choice, number) = (word % 8, word / 8);
    if choice == 0 && !parameter.required {
        return None;
    }
    Some(match parameter.kind {
        Kind::Count => Value::Number(f64::from(number % 7)),
        Kind::Number if parameter.bounds.contain(50.0) && choice < 4 => Value::Number(f64::from(1 + number % 60)),
        Kind::Number => Value::Number(f64::from(1 + number % 9) / 10.0),
        Kind::Flag => Value::Flag(number.is_multiple_of(2)),
        Kind::Word(words) => Value::Word(words[number as usize % words.len()]),
        Kind::TimeOrFalse(_) if choice == 1 => Value::Flag(false),
        Kind::Time(TimeUnit::Seconds) => Value::Time(Duration::from_secs(u64::from(number % 3))),
        Kind::Time(_) if choice == 1 => Value::Time(Duration::from_nanos(u64::from(number))),
        Kind::Time(_) | Kind::TimeOrFalse(_) => Value::Time(Duration::from_millis(u64::from(number % 90) * 20)),
        Kind::Times => Value::Times(policies::Durations::from_millis(&[100, 20, number % 1_000])?),
    })
}

/// One thing that happens. Times are coarse, so that instants coincide.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    Pass {
        millis: u64,
    },
    Ask,
    /// One of the calls that are out ends; without any, nothing happens.
    End {
        which: usize,
        how: End,
    },
}

/// How a call ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Released,
    Ignored,
    Failed,
    Succeeded,
}

/// Sequences in which some share of the calls fails, in phases.
pub(crate) fn steps(longest: usize, with_releases: bool) -> impl Strategy<Value = Vec<Step>> {
    let how = move |percent: u32| {
        prop_oneof![
            percent => Just(End::Failed),
            100 - percent => Just(End::Succeeded),
            u32::from(with_releases) * 6 => Just(End::Released),
            u32::from(with_releases) * 6 => Just(End::Ignored),
        ]
    };
    let step = move |percent: u32| {
        let which = prop_oneof![2 => Just(usize::MAX), 1 => 0..1_000_usize];
        let millis = prop_oneof![8 => 0..20_u64, 2 => Just(100), 1 => 0..3_000_u64];
        prop_oneof![
            4 => millis.prop_map(|millis| Step::Pass { millis }),
            6 => Just(Step::Ask),
            6 => (which, how(percent)).prop_map(|(which, how)| Step::End { which, how }),
        ]
    };
    let part = move || {
        prop_oneof![Just(5_u32), Just(50), Just(95)]
            .prop_flat_map(move |percent| prop::collection::vec(step(percent), 0..longest / 4))
    };
    prop::collection::vec(part(), 4).prop_map(|parts| parts.concat())
}
