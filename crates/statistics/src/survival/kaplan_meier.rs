//! The Kaplan–Meier curve: the probability that the event has not happened yet.

use super::{TimeError, log_log_interval};
use crate::quantile::normal_quantile;
use crate::{Estimate, Interval, Level, Method, Scope};

/// The curve just after a time at which the event happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurvivalStep {
    /// The time.
    pub time: f64,
    /// How many were watched and without the event just before.
    pub at_risk: u64,
    /// How many had the event.
    pub events: u64,
    /// The probability of being without the event after this time.
    pub survival: f64,
    /// Greenwood's sum Σ d / (n(n − d)) up to this time: the squared relative standard error of `survival`. Infinite once
    /// all had the event.
    pub greenwood: f64,
}

/// The product-limit estimate of a survival curve (Kaplan & Meier, *Journal of the American Statistical Association* 53,
/// 1958): S(t) = Π (1 − dᵢ/nᵢ) over the event times up to t. A subject whose watch ends at an event time was still at
/// risk then.
///
/// For censoring that says nothing about the event: a common horizon. A fault that heals first is no censoring but a
/// competing outcome, see [`CumulativeIncidence`](crate::CumulativeIncidence).
#[derive(Clone, Debug, PartialEq)]
pub struct KaplanMeier {
    steps: Vec<SurvivalStep>,
    subjects: u64,
    /// The last time up to which anyone was watched.
    last: f64,
    /// Whether someone was watched to the end without the event: the curve is unknown beyond.
    open_end: bool,
}

impl KaplanMeier {
    /// The curve of subjects given as the time up to which each was watched and whether the event happened then.
    ///
    /// # Errors
    ///
    /// Refuses a time that is negative, infinite or not a number.
    pub fn new(subjects: &[(f64, bool)]) -> Result<Self, TimeError> {
        TimeError::check(subjects.iter().map(|&(time, _)| time))?;
        let mut sorted = subjects.to_vec();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut steps = Vec::new();
        let (mut at_risk, mut survival, mut greenwood) = (sorted.len() as u64, 1.0, 0.0);
        for same_time in sorted.chunk_by(|a, b| a.0 == b.0) {
            let events = same_time.iter().filter(|(_, event)| *event).count() as u64;
            if events > 0 {
                let (n, d) = (at_risk as f64, events as f64);
                survival *= (n - d) / n;
                greenwood += d / (n * (n - d));
                steps.push(SurvivalStep { time: same_time[0].0, at_risk, events, survival, greenwood });
            }
            at_risk -= same_time.len() as u64;
        }
        let last = sorted.last().map_or(0.0, |&(time, _)| time);
        let open_end = sorted.iter().any(|&(time, event)| time == last && !event);
        Ok(Self { steps, subjects: subjects.len() as u64, last, open_end })
    }

    /// The curve's steps, by ascending time.
    #[must_use]
    pub fn steps(&self) -> &[SurvivalStep] {
        &self.steps
    }

    /// The time by which half have had the event; `None` if the curve never falls to one half, so that all that is known
    /// is "later than the last time watched". Where it stays at exactly one half for a while, the middle of that while.
    #[must_use]
    pub fn median(&self) -> Option<f64> {
        // A product of fractions that is one half on paper can miss it by rounding.
        let is_half = |step: &&SurvivalStep| (step.survival - 0.5).abs() <= 1e-12;
        let position = self.steps.iter().position(|step| step.survival < 0.5 || is_half(&step))?;
        let step = &self.steps[position];
        let end = self.steps.get(position + 1).filter(|_| is_half(&step)).map(|next| next.time);
        Some(f64::midpoint(step.time, end.unwrap_or(step.time)))
    }

    /// The probability that the event has not happened by `time`, with Greenwood's variance on the scale ln(−ln S).
    ///
    /// Value and interval are `None` beyond the last time watched, unless all had had the event. The interval is `None`
    /// where the curve is still at 1 or already at 0: use the bound for zero events there.
    #[must_use]
    pub fn survival(&self, time: f64, level: Level) -> Estimate {
        let step = self.steps.iter().rev().find(|step| step.time <= time);
        let survival = step.map_or(1.0, |step| step.survival);
        let interval = step.and_then(|step| log_log_interval(survival, survival * step.greenwood.sqrt(), level));
        self.estimate((survival, interval), time, level, Method::LogLog)
    }

    /// The restricted mean, ∫₀^τ S: the expected time without the event up to `horizon`, with the interval ± z · se,
    /// se² = Σ (∫_{tᵢ}^τ S)² dᵢ / (nᵢ(nᵢ − dᵢ)) (Royston & Parmar, *BMC Medical Research Methodology* 13:152, 2013).
    ///
    /// If all are watched to the same horizon, this is the mean of min(T, τ), and [`mean`](crate::mean) gives the better
    /// interval. Value and interval are `None` beyond the last time watched, unless all had had the event; the interval
    /// is `None` without any event.
    #[must_use]
    pub fn restricted_mean(&self, horizon: f64, level: Level) -> Estimate {
        // From the end: the area to the right of each step.
        let (mut area, mut variance, mut right) = (0.0, 0.0, horizon);
        for step in self.steps.iter().rev().skip_while(|step| step.time >= horizon) {
            area += step.survival * (right - step.time);
            right = step.time;
            let (n, d) = (step.at_risk as f64, step.events as f64);
            // Once all had the event no area remains, and the infinite variance weighs nothing.
            variance += if step.at_risk == step.events { 0.0 } else { area * area * d / (n * (n - d)) };
        }
        area += right;
        let half_width = normal_quantile(level) * variance.sqrt();
        let interval = (variance > 0.0).then_some(Interval { lo: area - half_width, hi: area + half_width });
        self.estimate((area, interval), horizon, level, Method::Greenwood)
    }

    /// An estimate about the time up to `time`, if that is known.
    fn estimate(
        &self,
        (value, interval): (f64, Option<Interval>),
        time: f64,
        level: Level,
        method: Method,
    ) -> Estimate {
        let known = self.subjects > 0 && time >= 0.0 && (time <= self.last || !self.open_end);
        let (value, interval) = if known { (Some(value), interval) } else { (None, None) };
        Estimate { value, interval, n: self.subjects, level, method, scope: Scope::PerDesign }
    }
}
