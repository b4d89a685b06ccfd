//! Times until something happens, of which some are only known to be longer: detection times.

mod cumulative_incidence;
mod kaplan_meier;

pub use cumulative_incidence::{CumulativeIncidence, Ending};
pub use kaplan_meier::{KaplanMeier, SurvivalStep};

use std::error::Error;
use std::fmt;

use crate::quantile::normal_quantile;
use crate::{Interval, Level};

/// The interval of a probability strictly between 0 and 1 from its standard error, on the scale ln(−ln p), on which no
/// end leaves [0, 1] (Kalbfleisch & Prentice, *The Statistical Analysis of Failure Time Data*, 2nd ed., section 1.4.1).
/// `None` for a probability of 0 or 1, at which a standard error says nothing.
fn log_log_interval(probability: f64, standard_error: f64, level: Level) -> Option<Interval> {
    let log = probability.ln();
    let half_width = normal_quantile(level) * standard_error / (probability * log).abs();
    let ends = [half_width.exp(), (-half_width).exp()].map(|exponent| (exponent * log).exp());
    (probability > 0.0 && probability < 1.0 && standard_error.is_finite())
        .then_some(Interval { lo: ends[0], hi: ends[1] })
}

/// A time that is negative or not a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeError {
    index: usize,
    time: f64,
}

impl TimeError {
    /// Checks all times.
    fn check(times: impl Iterator<Item = f64>) -> Result<(), Self> {
        match times.enumerate().find(|(_, time)| !(0.0..f64::INFINITY).contains(time)) {
            Some((index, time)) => Err(Self { index, time }),
            None => Ok(()),
        }
    }
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, time } = self;
        write!(
            f,
            "the time of subject {index} is {time}, but it must be finite and not negative: a subject whose event was \
             never seen has the time up to which it was watched"
        )
    }
}

impl Error for TimeError {}
