//! The lesson's constants and how they are changed by name.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use policies::{HalfOpen, Ratio, RuleError};

use super::lehmer::Lehmer;
use super::world::ROUNDS_PER_SECOND;
use crate::ROUND;

/// What the lesson keeps fixed. The default is the lesson's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Constants {
    /// Where every run's generator starts; 1 to 2⁵³ − 1, not a multiple of 2³¹ − 1.
    pub seed: u64,
    /// Slots that the two flows share; 1 to 1,000,000.
    pub slots: u32,
    /// Rounds of 10 ms in a run; 1 to 10,000,000.
    pub rounds: u64,
    /// The round in which the dependency's failure starts; below `rounds`.
    pub start: u64,
    /// Tracking queries per second; 0 to 1,000,000.
    pub tracking_rate: f64,
    /// Events per second; 0 to 1,000,000.
    pub event_rate: f64,
    /// The chosen rule's number of latest results; 1 to 1,000,000.
    pub window: u32,
    /// The share of failures at which the chosen rule opens; in (0, 1].
    pub threshold: f64,
    /// How long the chosen rule stays open, in rounds; at least 1.
    pub open_for: u64,
}

/// Why the lesson cannot run with these constants, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstantError {
    /// There is no constant of that name; [`Constants::KEYS`] lists them.
    UnknownKey {
        /// What was written.
        key: String,
    },
    /// The constant cannot have that value.
    Impossible {
        /// The constant.
        key: &'static str,
        /// What was written.
        value: String,
    },
    /// The failure would start after the run's end.
    StartAfterEnd {
        /// The constant `start`.
        start: u64,
        /// The constant `rounds`.
        rounds: u64,
    },
    /// A run would have more requests than [`Constants::MOST_REQUESTS`].
    TooManyRequests {
        /// The constant `rounds`.
        rounds: u64,
        /// Requests per second of both flows, the constants `tracking_rate` and `event_rate`.
        rate: f64,
    },
    /// The numbers make no rule.
    Rule(RuleError),
}

impl Default for Constants {
    fn default() -> Self {
        Self {
            seed: 20_260_731,
            slots: 32,
            rounds: 1_200,
            start: 200,
            tracking_rate: 416.67,
            event_rate: 97.22,
            window: 20,
            threshold: 0.5,
            open_for: 100,
        }
    }
}

impl Constants {
    /// The names by which [`Constants::set`] knows the constants.
    pub const KEYS: [&'static str; 9] =
        ["seed", "slots", "rounds", "start", "tracking_rate", "event_rate", "window", "threshold", "open_for"];

    const LARGEST_SEED: u64 = (1 << 53) - 1;
    const MOST_SLOTS: u32 = 1_000_000;
    const MOST_ROUNDS: u64 = 10_000_000;
    const HIGHEST_RATE: f64 = 1_000_000.0;
    /// The most requests of a run, so that the lesson ends within minutes.
    pub const MOST_REQUESTS: f64 = 1e8;

    /// Sets the constant named `key`. Nothing changes if that is not possible.
    ///
    /// # Errors
    ///
    /// If there is no such constant, or the value is no number or out of its own range. Whether `start` lies within
    /// the run, and whether the run is not too much, is left to [`Constants::check`], so that the order of settings does
    /// not matter.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConstantError> {
        let Some(key) = Self::KEYS.into_iter().find(|known| *known == key) else {
            return Err(ConstantError::UnknownKey { key: key.to_owned() });
        };
        let mut changed = self.clone();
        match key {
            "seed" => changed.seed = number(key, value)?,
            "slots" => changed.slots = number(key, value)?,
            "rounds" => changed.rounds = number(key, value)?,
            "start" => changed.start = number(key, value)?,
            "tracking_rate" => changed.tracking_rate = rate(key, value)?,
            "event_rate" => changed.event_rate = rate(key, value)?,
            "window" => changed.window = number(key, value)?,
            "threshold" => changed.threshold = number(key, value)?,
            _ => changed.open_for = number(key, value)?,
        }
        changed.check_each()?;
        *self = changed;
        Ok(())
    }

    /// Checks every constant, that the failure starts within the run, and that the run has no more than
    /// [`Constants::MOST_REQUESTS`].
    ///
    /// # Errors
    ///
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), ConstantError> {
        self.check_each()?;
        if self.start >= self.rounds {
            return Err(ConstantError::StartAfterEnd { start: self.start, rounds: self.rounds });
        }
        let rate = self.tracking_rate + self.event_rate;
        if self.rounds as f64 * rate / ROUNDS_PER_SECOND > Self::MOST_REQUESTS {
            return Err(ConstantError::TooManyRequests { rounds: self.rounds, rate });
        }
        Ok(())
    }

    fn check_each(&self) -> Result<(), ConstantError> {
        let seeds = 1..=Self::LARGEST_SEED;
        let rates = 0.0..=Self::HIGHEST_RATE;
        let seed = seeds.contains(&self.seed) && !self.seed.is_multiple_of(Lehmer::MODULUS);
        require(seed, "seed", self.seed)?;
        require((1..=Self::MOST_SLOTS).contains(&self.slots), "slots", self.slots)?;
        require((1..=Self::MOST_ROUNDS).contains(&self.rounds), "rounds", self.rounds)?;
        require(rates.contains(&self.tracking_rate), "tracking_rate", short(self.tracking_rate))?;
        require(rates.contains(&self.event_rate), "event_rate", short(self.event_rate))?;
        require(self.open_for >= 1, "open_for", self.open_for)?;
        Ratio::new(self.window, self.threshold, ROUND, HalfOpen::default())?;
        Ok(())
    }
}

/// The values that a constant can have, in words.
fn possible(key: &str) -> &'static str {
    match key {
        "seed" => {
            "a whole number from 1 to 9007199254740991, but no multiple of 2147483647, at which the generator would stop"
        }
        "slots" => "a whole number from 1 to 1000000",
        "rounds" => "a whole number of 10 ms rounds from 1 to 10000000",
        "start" => "the round in which the failure starts, a whole number below `rounds`",
        "tracking_rate" | "event_rate" => "a number of requests per second from 0 to 1000000",
        "window" => "a number of latest results, a whole number from 1 to 1000000",
        "threshold" => "a share of failures above 0 and not above 1, such as 0.5",
        _ => "a whole number of 10 ms rounds, 1 or more",
    }
}

fn number<T: FromStr>(key: &'static str, value: &str) -> Result<T, ConstantError> {
    value.trim().parse().map_err(|_| ConstantError::Impossible { key, value: value.to_owned() })
}

/// A number of requests per second; −0 is read as 0.
fn rate(key: &'static str, value: &str) -> Result<f64, ConstantError> {
    Ok(number::<f64>(key, value)? + 0.0)
}

/// A number in no more characters than its digits need: the debug form has an exponent instead of a long row of zeros.
fn short(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The beginning of a text that a message repeats.
fn clipped(text: &str) -> Cow<'_, str> {
    const LENGTH: usize = 120;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

fn require(holds: bool, key: &'static str, value: impl fmt::Display) -> Result<(), ConstantError> {
    if holds { Ok(()) } else { Err(ConstantError::Impossible { key, value: value.to_string() }) }
}

impl From<RuleError> for ConstantError {
    fn from(error: RuleError) -> Self {
        Self::Rule(error)
    }
}

impl fmt::Display for ConstantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownKey { key } => {
                let (key, known) = (clipped(key), Constants::KEYS.join(", "));
                write!(f, "the lesson has no constant `{key}`: set one of {known}")
            }
            Self::Impossible { key, value } => {
                write!(f, "`{key}` cannot be `{}`: give {}", clipped(value), possible(key))
            }
            Self::StartAfterEnd { start, rounds } => write!(
                f,
                "the failure would start in round {start}, but the run has only {rounds}: set `start` below `rounds`"
            ),
            Self::TooManyRequests { rounds, rate } => write!(
                f,
                "a run of {rounds} rounds with {} requests per second would have {:.1e} of them, more than {:.0e}: set a \
                 smaller `rounds`, `tracking_rate` or `event_rate`",
                short(*rate),
                *rounds as f64 * rate / ROUNDS_PER_SECOND,
                Constants::MOST_REQUESTS
            ),
            // A share far from 1 would be a long row of zeros in the rule's own words.
            Self::Rule(RuleError::Threshold(share)) if short(*share).contains('e') => {
                write!(f, "`threshold` cannot be `{}`: give {}", short(*share), possible("threshold"))
            }
            Self::Rule(error) => error.fmt(f),
        }
    }
}

impl Error for ConstantError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Rule(error) => Some(error),
            _ => None,
        }
    }
}
