//! The crate's back-offs: how long a breaker opens for, the next time.

use engine::{Duration, StreamKey};

use crate::library::Given;
use crate::{RuleError, Settings, Value};

/// A back-off. What the crate draws at random is keyed by the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Backoff {
    Constant { wait: Duration },
    Growing { start: Duration, max: Duration, jitter: Jitter },
}

/// Which part of the time is drawn at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Jitter {
    None,
    Half,
    Full,
}

const EQUAL_JITTERED: &str = "equal_jittered";
const FULL_JITTERED: &str = "full_jittered";
const EXPONENTIAL: &str = "exponential";
const CONSTANT: &str = "constant";

/// The time grows no further after so many attempts.
const MOST_ATTEMPTS: u32 = 30;

impl Backoff {
    pub(super) const KINDS: [&str; 4] = [EQUAL_JITTERED, FULL_JITTERED, EXPONENTIAL, CONSTANT];

    pub(super) fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        let jitter = match given.word("backoff.kind") {
            Some(CONSTANT) => {
                let why = || given.refuse("backoff.wait", "a duration, as backoff.kind = constant needs it".to_owned());
                return Ok(Self::Constant { wait: given.optional_time("backoff.wait").ok_or_else(why)? });
            }
            Some(EXPONENTIAL) => Jitter::None,
            Some(FULL_JITTERED) => Jitter::Full,
            _ => Jitter::Half,
        };
        let (start, max) = (given.time("backoff.start"), given.time("backoff.max"));
        if max < start {
            return Err(given.refuse("backoff.max", format!("at least backoff.start, {start}")));
        }
        Ok(Self::Growing { start, max, jitter })
    }

    /// The next time, after as many since the breaker last closed.
    pub(super) fn next(&self, attempts: &mut u32, run: StreamKey, draws: &mut u64) -> Duration {
        let (start, max, jitter) = match *self {
            Self::Constant { wait } => return wait,
            Self::Growing { start, max, jitter } => (start, max, jitter),
        };
        let seconds = |time: Duration| time.as_nanos() / 1_000_000_000;
        let grown = seconds(start).saturating_mul(1 << *attempts).min(seconds(max));
        *attempts = (*attempts + 1).min(MOST_ATTEMPTS);
        let mut up_to = |most: u64| {
            let drawn = (run.uniform(*draws) * (most + 1) as f64) as u64;
            *draws += 1;
            drawn.min(most)
        };
        Duration::from_secs(match jitter {
            Jitter::None => grown,
            Jitter::Half => grown / 2 + up_to(grown / 2),
            Jitter::Full => up_to(grown),
        })
    }

    /// The first time and the longest.
    pub(super) const fn open_times(&self) -> (Duration, Duration) {
        match *self {
            Self::Constant { wait } => (wait, wait),
            Self::Growing { start, max, .. } => (start, max),
        }
    }

    pub(super) fn write(&self, settings: &mut Settings) {
        match *self {
            Self::Constant { wait } => {
                settings.set("backoff.kind", Value::Word(CONSTANT));
                settings.set("backoff.wait", Value::Time(wait));
            }
            Self::Growing { start, max, jitter } => {
                let kind = match jitter {
                    Jitter::None => EXPONENTIAL,
                    Jitter::Half => EQUAL_JITTERED,
                    Jitter::Full => FULL_JITTERED,
                };
                settings.set("backoff.kind", Value::Word(kind));
                settings.set("backoff.start", Value::Time(start));
                settings.set("backoff.max", Value::Time(max));
            }
        }
    }

    /// Whole seconds of what grows, and no growth where there is none.
    pub(super) fn simplest(self) -> Self {
        let whole = |time: Duration| Duration::from_secs(time.as_nanos() / 1_000_000_000);
        match self {
            Self::Growing { start, max, jitter: Jitter::None } if whole(start) == whole(max) => {
                Self::Constant { wait: whole(max) }
            }
            Self::Growing { start, max, jitter } => Self::Growing { start: whole(start), max: whole(max), jitter },
            constant @ Self::Constant { .. } => constant,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_by_whole_seconds_up_to_its_limit() {
        let backoff = Backoff::Growing {
            start: Duration::from_millis(1_900),
            max: Duration::from_millis(5_500),
            jitter: Jitter::None,
        };
        let (mut attempts, mut draws) = (0, 0);
        let mut next = || backoff.next(&mut attempts, StreamKey::root(0), &mut draws);
        assert_eq!([next(), next(), next(), next()], [1, 2, 4, 5].map(Duration::from_secs));
        assert_eq!(std::iter::repeat_with(next).nth(100), Some(Duration::from_secs(5)));
    }

    #[test]
    fn jitter_covers_its_part_and_no_more() {
        for (jitter, least) in [(Jitter::Half, 4), (Jitter::Full, 0)] {
            let backoff = Backoff::Growing { start: Duration::from_secs(8), max: Duration::from_secs(8), jitter };
            let (mut attempts, mut draws) = (0, 0);
            let drawn: Vec<_> = (0..1_000)
                .map(|_| backoff.next(&mut attempts, StreamKey::root(3), &mut draws).as_nanos() / 1_000_000_000)
                .collect();
            // Any one of at most 9 values is absent from 1,000 draws with a probability below 1e-50.
            assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&least), Some(&8)));
        }
    }
}
