//! Proportions, with the Clopper–Pearson interval.

use std::error::Error;
use std::fmt;

use statrs::distribution::{Beta, Continuous, ContinuousCDF};

use crate::quantile::polish;
use crate::{Estimate, Interval, Level, Method};

/// The share of `events` among `trials` independent trials, with the Clopper–Pearson interval: from the α/2 quantile of
/// Beta(x, n − x + 1) to the 1 − α/2 quantile of Beta(x + 1, n − x) (Clopper & Pearson, *Biometrika* 26, 1934).
///
/// It covers at least at its level for every n and every true proportion. Without any event the lower end is 0 and the
/// upper one still positive ([`zero_event_upper`]); with nothing but events it is the mirror image. α/2 stays on each
/// side in both cases. Without any trial, value and interval are undefined.
///
/// # Errors
///
/// Refuses more events than trials.
pub fn proportion(events: u64, trials: u64, level: Level) -> Result<Estimate, ProportionError> {
    if events > trials {
        return Err(ProportionError { events, trials });
    }
    let value = (trials > 0).then(|| events as f64 / trials as f64);
    let interval =
        (trials > 0).then(|| Interval { lo: lower_end(events, trials, level), hi: upper_end(events, trials, level) });
    Ok(Estimate { value, interval, n: trials, level, method: Method::ClopperPearson })
}

/// The upper end of the Clopper–Pearson interval when none of `trials` trials had the event: 1 − (α/2)^(1/n), about
/// 3.7/n at 95 %. What "it never happened" leaves possible; 1 without any trial.
#[must_use]
pub fn zero_event_upper(trials: u64, level: Level) -> f64 {
    if trials == 0 {
        return 1.0;
    }
    // expm1 keeps the digits that 1 − exp(…) would lose when the bound is small.
    -(level.tail().ln() / trials as f64).exp_m1()
}

/// The upper end of the interval for a Poisson rate per trial when none of `trials` trials had an event: −ln(α/2) / n,
/// about 3.7/n at 95 % (Garwood, *Biometrika* 28, 1936, for a count of zero). For events that can happen more than once
/// in a trial; infinite without any trial.
#[must_use]
pub fn zero_event_rate_upper(trials: u64, level: Level) -> f64 {
    -level.tail().ln() / trials as f64
}

/// The lower end of the interval, 0 without events.
fn lower_end(events: u64, trials: u64, level: Level) -> f64 {
    if events == 0 {
        return 0.0;
    }
    if events == trials {
        return level.tail().powf(1.0 / trials as f64);
    }
    let (successes, failures) = (events as f64, (trials - events) as f64);
    let distribution = Beta::new(successes, failures + 1.0).expect("both shapes are at least 1");
    let start = distribution.inverse_cdf(level.tail());
    polish(start, level.tail(), |p| distribution.cdf(p.clamp(0.0, 1.0)), |p| distribution.pdf(p))
}

/// The upper end of the interval, 1 when every trial had the event.
fn upper_end(events: u64, trials: u64, level: Level) -> f64 {
    if events == 0 {
        return zero_event_upper(trials, level);
    }
    // What bounds the trials without the event from below bounds those with it from above.
    1.0 - lower_end(trials - events, trials, level)
}

/// More events than trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProportionError {
    events: u64,
    trials: u64,
}

impl fmt::Display for ProportionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { events, trials } = self;
        write!(f, "there cannot be more events ({events}) than trials ({trials})")
    }
}

impl Error for ProportionError {}
