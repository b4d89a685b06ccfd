//! cockatiel's back-offs: how long a breaker stays open after so many failed test calls.

use super::{Duration, Durations, Given, RuleError, Settings, Value};

pub(super) const EXPONENTIAL: &str = "ExponentialBackoff_noJitter";
pub(super) const ITERABLE: &str = "IterableBackoff";

/// A time, or a back-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Backoff {
    Constant(Duration),
    /// Doubles, whatever the exponent.
    Exponential {
        initial: Duration,
        max: Duration,
    },
    Iterable(Durations),
}

impl Backoff {
    pub(super) fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        let constant = given.optional_time("halfOpenAfter");
        let needs = |name, what: &str| given.refuse(name, what.to_owned());
        match (given.word("halfOpenAfter.kind"), constant) {
            (None, None) => Err(needs("halfOpenAfter", "a time, or a back-off as halfOpenAfter.kind")),
            (Some(_), Some(_)) => Err(needs("halfOpenAfter", "either a time or a back-off")),
            (None, Some(constant)) => Ok(Self::Constant(constant)),
            (Some(ITERABLE), None) => match given.value("halfOpenAfter.durations") {
                Some(Value::Times(durations)) => Ok(Self::Iterable(durations)),
                _ => Err(needs("halfOpenAfter.durations", "the times of the back-off")),
            },
            (Some(_), None) => Ok(Self::Exponential {
                initial: given.time("halfOpenAfter.initialDelay"),
                max: given.time("halfOpenAfter.maxDelay"),
            }),
        }
    }

    /// How long the breaker is open after so many failed test calls.
    pub(super) fn duration(&self, failed: u32) -> Duration {
        match *self {
            Self::Constant(constant) => constant,
            Self::Exponential { initial, max } => {
                let doubled = 1_u64.checked_shl(failed).unwrap_or(u64::MAX);
                Duration::from_nanos(initial.as_nanos().saturating_mul(doubled)).min(max)
            }
            Self::Iterable(durations) => durations.get_or_last(failed as usize),
        }
    }

    /// The longest time.
    pub(super) fn longest(&self) -> Duration {
        match *self {
            Self::Constant(constant) => constant,
            Self::Exponential { max, .. } => max,
            Self::Iterable(durations) => durations.longest(),
        }
    }

    pub(super) fn write(&self, settings: &mut Settings) {
        match *self {
            Self::Constant(constant) => settings.set("halfOpenAfter", Value::Time(constant)),
            Self::Exponential { initial, max } => {
                settings.set("halfOpenAfter.kind", Value::Word(EXPONENTIAL));
                settings.set("halfOpenAfter.initialDelay", Value::Time(initial));
                settings.set("halfOpenAfter.maxDelay", Value::Time(max));
            }
            Self::Iterable(durations) => {
                settings.set("halfOpenAfter.kind", Value::Word(ITERABLE));
                settings.set("halfOpenAfter.durations", Value::Times(durations));
            }
        }
    }
}
