//! The probability that the event happens by a time, when another outcome can come first.

use super::{TimeError, log_log_interval};
use crate::{Estimate, Interval, Level, Method, Scope, zero_event_upper};

/// How the watch of a subject ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// With the event: the breaker opened.
    Event,
    /// With an outcome after which the event cannot happen any more: the fault healed first.
    Competing,
    /// Without either: the horizon.
    Censored,
}

/// One time at which something other than censoring happened.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    time: f64,
    at_risk: f64,
    events: f64,
    /// Events and competing outcomes.
    endings: f64,
    /// The probability of neither just before.
    neither_before: f64,
    /// The probability of the event up to and at this time.
    incidence: f64,
}

/// The Aalen–Johansen estimate of the cumulative incidence of the event among competing outcomes: F(t) = Σ S(tᵢ−) dᵢ/nᵢ,
/// where S is the Kaplan–Meier curve of either outcome (Aalen & Johansen, *Scandinavian Journal of Statistics* 5, 1978).
///
/// To take a competing outcome for censoring instead would answer what would happen if it were abolished, and under
/// assumptions that cannot be checked; the probability that results is too large.
#[derive(Clone, Debug, PartialEq)]
pub struct CumulativeIncidence {
    steps: Vec<Step>,
    subjects: u64,
    /// The times up to which the subjects without the event were watched, ascending; those with a competing outcome are
    /// known for ever.
    censored: Vec<f64>,
    last: f64,
}

impl CumulativeIncidence {
    /// The incidence among subjects given as the time up to which each was watched and how that ended.
    ///
    /// # Errors
    ///
    /// Refuses a time that is negative, infinite or not a number.
    pub fn new(subjects: &[(f64, Ending)]) -> Result<Self, TimeError> {
        TimeError::check(subjects.iter().map(|&(time, _)| time))?;
        let mut sorted = subjects.to_vec();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut steps = Vec::new();
        let (mut at_risk, mut neither_before, mut incidence) = (sorted.len() as f64, 1.0, 0.0);
        for same_time in sorted.chunk_by(|a, b| a.0 == b.0) {
            let count = |wanted| same_time.iter().filter(|&&(_, ending)| ending == wanted).count() as f64;
            let events = count(Ending::Event);
            let endings = events + count(Ending::Competing);
            if endings > 0.0 {
                incidence += neither_before * events / at_risk;
                steps.push(Step { time: same_time[0].0, at_risk, events, endings, neither_before, incidence });
                neither_before *= (at_risk - endings) / at_risk;
            }
            at_risk -= same_time.len() as f64;
        }
        let last = sorted.last().map_or(0.0, |&(time, _)| time);
        let censored = sorted.iter().filter(|(_, ending)| *ending == Ending::Censored).map(|&(time, _)| time).collect();
        Ok(Self { steps, subjects: subjects.len() as u64, censored, last })
    }

    /// The probability that the event has happened by `time`, with the delta method's variance (Marubini & Valsecchi,
    /// *Analysing Survival Data from Clinical Trials and Observational Studies*, 1995, section 10.2) on the scale
    /// ln(−ln F).
    ///
    /// Without any event by then the interval reaches from 0 to the bound for zero events among those watched until then
    /// or ended by a competing outcome. Value and interval are `None` where it is not known: beyond the last time
    /// watched, if anyone was still without outcome then. The interval is `None` where all had the event.
    #[must_use]
    pub fn by(&self, time: f64, level: Level) -> Estimate {
        let steps: Vec<&Step> = self.steps.iter().take_while(|step| step.time <= time).collect();
        let incidence = steps.last().map_or(0.0, |step| step.incidence);
        let open_end = self.censored.last() == Some(&self.last);
        let known = self.subjects > 0 && time >= 0.0 && (time <= self.last || !open_end);
        let interval = if incidence == 0.0 {
            let lost = self.censored.partition_point(|&censored| censored < time) as u64;
            Some(Interval { lo: 0.0, hi: zero_event_upper(self.subjects - lost, level) })
        } else {
            log_log_interval(incidence, variance(&steps, incidence).sqrt(), level)
        };
        Estimate {
            value: known.then_some(incidence),
            interval: interval.filter(|_| known),
            n: self.subjects,
            level,
            method: Method::LogLog,
            scope: Scope::PerDesign,
        }
    }
}

/// The variance of the incidence after the last of `steps`.
fn variance(steps: &[&Step], incidence: f64) -> f64 {
    let term = |step: &Step| {
        let Step { at_risk: n, events, endings, neither_before, .. } = *step;
        let to_come = incidence - step.incidence;
        // Once all had an outcome nothing is to come, and the infinite variance weighs nothing.
        let of_survival = if n == endings { 0.0 } else { to_come * to_come * endings / (n * (n - endings)) };
        let of_events = neither_before * neither_before * (n - events) * events / (n * n * n);
        of_survival + of_events - 2.0 * to_come * neither_before * events / (n * n)
    };
    steps.iter().map(|&step| term(step)).sum::<f64>().max(0.0)
}
