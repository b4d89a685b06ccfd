//! How long a rule goes without opening when failures are independent: exact, where simulation sees nothing.
//!
//! A breaker that opens falsely once in months cannot be measured by running it. If every call fails with the same
//! probability, whatever the others do, the calls up to the first opening are a first passage of a Markov chain, and its
//! mean can be computed. Time windows, bursts and failures that depend on each other are outside.

mod cumulative;
mod ring;
mod ring_states;

pub use cumulative::{CumulativeRule, EverOpens};
pub use ring::RingRule;

use std::error::Error;
use std::fmt;

/// The number of calls up to and with the one that opens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstPassage {
    /// Its mean, for a window of nothing but successes at the start. For a rule that may decide before its window is
    /// full, a window that is still empty comes to the same.
    pub mean_calls: f64,
    /// Its mean for a rule that starts with an empty window and decides only once that is full.
    pub mean_calls_from_empty: f64,
    /// The probability that the rule opens before its window holds nothing but successes again, once it holds a failure.
    pub excursion_opens: f64,
}

impl FirstPassage {
    /// The probability that the rule opens within so many calls: 1 − exp(−calls / mean).
    ///
    /// The first passage is a sum of geometrically many excursions, and the rarer the opening, the nearer is that to
    /// exponential (Kalashnikov, *Geometric Sums*, 1997): the difference is of the order of
    /// [`excursion_opens`](Self::excursion_opens). A whole passage is independent of the next, so this is also the
    /// probability of a false open per hour or day, for the calls of that time.
    #[must_use]
    pub fn probability_within(&self, calls: f64) -> f64 {
        -(-calls / self.mean_calls).exp_m1()
    }
}

/// The mean number of calls up to the first `failures` failures in a row, each call failing with `probability`:
/// (1 − pᵏ) / (pᵏ(1 − p)) (Feller, *An Introduction to Probability Theory and Its Applications*, vol. 1, 3rd ed., section
/// XIII.7).
///
/// # Errors
///
/// Refuses no failures, and a probability that is not strictly between 0 and 1.
pub fn mean_calls_to_run(failures: u32, probability: f64) -> Result<f64, RareError> {
    check(1, failures, probability)?;
    // 1 − pᵏ by the logarithm: for p near 1 the difference would lose its digits.
    let ln_power = f64::from(failures) * probability.ln();
    Ok(-ln_power.exp_m1() / (ln_power.exp() * (1.0 - probability)))
}

/// Refuses what is no rule or no probability.
fn check(window: u32, failures: u32, probability: f64) -> Result<(), RareError> {
    if failures == 0 || window == 0 {
        return Err(RareError::NoRule { window, failures });
    }
    if probability > 0.0 && probability < 1.0 { Ok(()) } else { Err(RareError::NotAProbability { probability }) }
}

/// Why a first passage cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RareError {
    /// A window without calls, or a rule that needs no failure, or more failures than its window has calls.
    NoRule {
        /// The window, in calls.
        window: u32,
        /// The failures that open.
        failures: u32,
    },
    /// A probability, or a share of failures, that is not strictly between 0 and 1.
    NotAProbability {
        /// What was given.
        probability: f64,
    },
    /// More windows to distinguish than can be held, or a window of more than 128 calls.
    TooManyStates {
        /// The window, in calls.
        window: u32,
        /// How many windows there are that do not open yet; infinite where they were not even counted.
        states: f64,
        /// How many are allowed.
        limit: u64,
    },
    /// Excursions so long that their sum was given up: the rule hardly ever sees nothing but successes.
    TooLong {
        /// After how many calls of an excursion.
        calls: u64,
    },
}

impl fmt::Display for RareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRule { window, failures } => {
                write!(f, "{failures} failures among {window} calls are no rule: take 1 <= failures <= window")
            }
            Self::NotAProbability { probability } => {
                write!(f, "a share of failures lies between 0 and 1, but this one is {probability}")
            }
            Self::TooManyStates { window, states, limit } => write!(
                f,
                "a window of {window} calls has {states} states to distinguish, and at most {limit} are computed: take a \
                 smaller window or fewer failures, or estimate by simulation"
            ),
            Self::TooLong { calls } => write!(
                f,
                "failures are so frequent that after {calls} calls the window has not yet held nothing but successes: \
                 this is no rare opening, so estimate it by simulation"
            ),
        }
    }
}

impl Error for RareError {}
