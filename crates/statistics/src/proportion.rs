//! Proportions, with the Clopper–Pearson and the Wilson interval.

use std::error::Error;
use std::fmt;

use statrs::distribution::{Beta, Continuous, ContinuousCDF};

use crate::quantile::{normal_quantile, polish};
use crate::{Estimate, Interval, Level, Method, Scope};

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
    estimate(events, trials, level, Method::ClopperPearson, || Interval {
        lo: lower_end(events, trials, level),
        hi: upper_end(events, trials, level),
    })
}

/// The share of `events` among `trials` independent trials, with Wilson's score interval: the proportions that a score
/// test at `level` does not reject, (p̂ + z²/2n ± z √(p̂(1 − p̂)/n + z²/4n²)) / (1 + z²/n) (Wilson, *Journal of the American
/// Statistical Association* 22, 1927).
///
/// Covers at about its level on average over true proportions and is shorter than [`proportion`]'s; for proportions of
/// a few in n it can cover several points less (0.905 for a true 1 in 1,000 and 100 trials), so rare events want
/// [`proportion`]. Without any trial, value and interval are undefined.
///
/// # Errors
///
/// Refuses more events than trials.
pub fn proportion_wilson(events: u64, trials: u64, level: Level) -> Result<Estimate, ProportionError> {
    estimate(events, trials, level, Method::Wilson, || wilson(events as f64, trials as f64, level))
}

/// Wilson's interval.
fn wilson(events: f64, trials: f64, level: Level) -> Interval {
    let z_squared = normal_quantile(level).powi(2);
    let spread = (z_squared * (events * (1.0 - events / trials) + z_squared / 4.0)).sqrt();
    let hi = (events + z_squared / 2.0 + spread) / (trials + z_squared);
    // The ends are the roots of a quadratic: their product gives the small one without cancellation.
    let lo = events / trials * events / ((trials + z_squared) * hi);
    Interval { lo, hi: if events == trials { 1.0 } else { hi } }
}

/// The share, with the interval that `interval` gives for at least one trial.
fn estimate(
    events: u64,
    trials: u64,
    level: Level,
    method: Method,
    interval: impl FnOnce() -> Interval,
) -> Result<Estimate, ProportionError> {
    if events > trials {
        return Err(ProportionError { events, trials });
    }
    let value = (trials > 0).then(|| events as f64 / trials as f64);
    let interval = (trials > 0).then(interval);
    Ok(Estimate { value, interval, n: trials, level, method, scope: Scope::PerDesign })
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
    pub(crate) events: u64,
    pub(crate) trials: u64,
}

impl fmt::Display for ProportionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { events, trials } = self;
        write!(f, "there cannot be more events ({events}) than trials ({trials})")
    }
}

impl Error for ProportionError {}
