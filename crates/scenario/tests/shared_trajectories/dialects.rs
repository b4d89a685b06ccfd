//! Random breakers of libraries: the rules that share no state.

use engine::Duration;
use policies::{AnyRule, Kind, Library, Parameter, Settings, Value, libraries};
use proptest::prelude::*;

/// A breaker of any library, with small numbers and times of few ticks.
pub(crate) fn dialect(tick: u64) -> impl Strategy<Value = AnyRule> {
    (0..libraries().len(), prop::collection::vec(any::<u32>(), 16)).prop_filter_map(
        "refused",
        move |(library, words)| {
            let library: &Library = &libraries()[library];
            let settings: Settings = library
                .parameters
                .iter()
                .zip(&words)
                .filter_map(|(parameter, &word)| Some((parameter.name, value(parameter, word, tick)?)))
                .collect();
            library.build(&settings).ok()
        },
    )
}

/// A value out of 32 random bits; now and then none, so that the default counts.
fn value(parameter: &Parameter, word: u32, tick: u64) -> Option<Value> {
    let (choice, number) = (word % 8, word / 8);
    if choice == 0 && !parameter.required {
        return None;
    }
    let time = || Value::Time(Duration::from_nanos((1 + u64::from(number % 40)) * tick));
    Some(match parameter.kind {
        Kind::Count => Value::Number(f64::from(1 + number % 6)),
        Kind::Number if parameter.bounds.contain(50.0) && choice < 4 => Value::Number(f64::from(1 + number % 60)),
        Kind::Number => Value::Number(f64::from(1 + number % 9) / 10.0),
        Kind::Flag => Value::Flag(number % 2 == 0),
        Kind::Word(words) => Value::Word(words[number as usize % words.len()]),
        // Whole seconds now and then, for those that take no others.
        Kind::Time(_) | Kind::TimeOrFalse(_) if choice == 1 => Value::Time(Duration::from_secs(1)),
        Kind::Time(_) | Kind::TimeOrFalse(_) => time(),
        Kind::Times => return None,
    })
}
