//! cockatiel's three breakers: what opens a closed one.

use super::{Duration, Given, RuleError, Settings, Value, Verdict};
use crate::windows::{Buckets, Results};
use crate::{Filling, Real, ResultRule, ResultWindow, closeness};

pub(super) const CONSECUTIVE: &str = "ConsecutiveBreaker";
pub(super) const COUNT: &str = "CountBreaker";
pub(super) const SAMPLING: &str = "SamplingBreaker";

/// The numbers of a breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Judge {
    /// So many failures in a row.
    Consecutive { threshold: Real },
    /// A share of the last results.
    Count { threshold: Real, size: u32, minimum: u32 },
    /// A share of the results within a time; `minimum_rps` 0 is 5 ÷ threshold.
    Sampling { threshold: Real, duration: Duration, minimum_rps: Real },
}

/// What a breaker knows of results.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Evidence {
    Run(u32),
    Last(ResultWindow),
    /// `began` is when the current window began, in milliseconds; 0 before the first result.
    Sampled {
        began: u64,
        windows: Buckets<Results>,
    },
}

impl Judge {
    pub(super) fn new(given: &Given<'_>) -> Result<Self, RuleError> {
        let kind = given.word("breaker.kind");
        let threshold = given.number("breaker.threshold");
        if kind == Some(CONSECUTIVE) {
            return Ok(Self::Consecutive { threshold: Real::new(threshold) });
        }
        let needs = |name, what: &str| given.refuse(name, what.to_owned());
        if !(threshold > 0.0 && threshold < 1.0) {
            return Err(needs("breaker.threshold", "a share greater than 0 and less than 1"));
        }
        let threshold = Real::new(threshold);
        if kind == Some(COUNT) {
            let size =
                given.optional_count("breaker.size").ok_or_else(|| needs("breaker.size", "the number of results"))?;
            let minimum = given.optional_count("breaker.minimumNumberOfCalls").unwrap_or(size);
            if minimum > size {
                return Err(needs("breaker.minimumNumberOfCalls", "at most breaker.size"));
            }
            return Ok(Self::Count { threshold, size, minimum });
        }
        let duration = given.optional_time("breaker.duration");
        Ok(Self::Sampling {
            threshold,
            duration: duration.ok_or_else(|| needs("breaker.duration", "the milliseconds that are sampled"))?,
            minimum_rps: Real::new(given.optional_number("breaker.minimumRps").unwrap_or(0.0)),
        })
    }

    pub(super) fn no_evidence(&self) -> Evidence {
        match *self {
            Self::Consecutive { .. } => Evidence::Run(0),
            Self::Count { size, .. } => Evidence::Last(ResultWindow::new(size)),
            Self::Sampling { duration, .. } => {
                Evidence::Sampled { began: 0, windows: Buckets::new(sampled_windows(duration).0 as usize) }
            }
        }
    }

    /// A success; a test call's empties the windows first.
    pub(super) fn succeed(&self, evidence: &mut Evidence, now: u64, was_test: bool) {
        match evidence {
            Evidence::Run(run) => *run = 0,
            Evidence::Last(results) if was_test => results.clear(),
            Evidence::Sampled { began, windows } if was_test => {
                *began = 0;
                windows.clear();
            }
            Evidence::Last(_) | Evidence::Sampled { .. } => {}
        }
        self.push(evidence, now, Verdict::Success);
    }

    /// A failure; whether a closed breaker opens.
    pub(super) fn fail(&self, evidence: &mut Evidence, now: u64) -> bool {
        self.push(evidence, now, Verdict::Failure);
        let exceeds = |failures: u32, total: u32, share: Real| f64::from(failures) > share.get() * f64::from(total);
        match (self, evidence) {
            (Self::Consecutive { threshold }, Evidence::Run(run)) => f64::from(*run) >= threshold.get(),
            (Self::Count { threshold, minimum, .. }, Evidence::Last(results)) => {
                results.len() >= *minimum && exceeds(results.failures(), results.len(), *threshold)
            }
            (Self::Sampling { threshold, .. }, Evidence::Sampled { windows, .. }) => {
                let results = windows.total();
                let enough = f64::from(results.total()) >= self.fewest_sampled();
                enough && exceeds(results.failures, results.total(), *threshold)
            }
            _ => unreachable!("evidence is made by its own judge"),
        }
    }

    /// See [`Rule::closeness`](crate::Rule::closeness).
    pub(super) fn closeness(&self, evidence: &Evidence) -> f64 {
        match (self, evidence) {
            (Self::Consecutive { threshold }, Evidence::Run(run)) => closeness::of_count(*run, threshold.get()),
            (Self::Count { threshold, minimum, .. }, Evidence::Last(results)) => {
                closeness::of_share(results.failures(), results.len(), *minimum, threshold.get())
            }
            (Self::Sampling { threshold, .. }, Evidence::Sampled { windows, .. }) => {
                let Results { failures, .. } = windows.total();
                let enough = self.fewest_sampled().max(f64::from(windows.total().total()));
                closeness::of_count(failures, threshold.get() * enough)
            }
            _ => unreachable!("evidence is made by its own judge"),
        }
    }

    /// See [`Rule::result_rule`](crate::Rule::result_rule).
    pub(super) fn result_rule(&self) -> Option<ResultRule> {
        match self.simplest() {
            Self::Consecutive { threshold } => Some(ResultRule::Run { failures: threshold.get() as u32 }),
            Self::Count { threshold, size, .. } => {
                let enough = |failures: u32| f64::from(failures) > threshold.get() * f64::from(size);
                ResultRule::window(size, Filling::Differs, enough)
            }
            Self::Sampling { .. } => None,
        }
    }

    /// How many results a judgement by sampling needs; none for the others.
    fn fewest_sampled(&self) -> f64 {
        let Self::Sampling { threshold, duration, minimum_rps } = self else { return 0.0 };
        let (number, window) = sampled_windows(*duration);
        let per_milli =
            if minimum_rps.get() > 0.0 { minimum_rps.get() / 1_000.0 } else { 5.0 / (threshold.get() * 1_000.0) };
        (number * window) as f64 * per_milli
    }

    fn push(&self, evidence: &mut Evidence, now: u64, verdict: Verdict) {
        match (self, evidence) {
            (Self::Count { size, .. }, Evidence::Last(results)) => results.push(*size, verdict),
            (Self::Sampling { duration, .. }, Evidence::Sampled { began, windows }) => {
                if now.saturating_sub(*began) >= sampled_windows(*duration).1 {
                    windows.begin(1);
                    *began = now;
                }
                windows.add(Results::one(verdict));
            }
            (_, Evidence::Run(run)) => *run += u32::from(verdict == Verdict::Failure),
            _ => unreachable!("evidence is made by its own judge"),
        }
    }

    pub(super) fn write(&self, settings: &mut Settings) {
        let (kind, threshold) = match *self {
            Self::Consecutive { threshold } => (CONSECUTIVE, threshold),
            Self::Count { threshold, .. } => (COUNT, threshold),
            Self::Sampling { threshold, .. } => (SAMPLING, threshold),
        };
        settings.set("breaker.kind", Value::Word(kind));
        settings.set("breaker.threshold", Value::Number(threshold.get()));
        match *self {
            Self::Consecutive { .. } => {}
            Self::Count { size, minimum, .. } => {
                settings.set("breaker.size", Value::Number(size.into()));
                settings.set("breaker.minimumNumberOfCalls", Value::Number(minimum.into()));
            }
            Self::Sampling { duration, minimum_rps, .. } => {
                settings.set("breaker.duration", Value::Time(duration));
                if minimum_rps.get() > 0.0 {
                    settings.set("breaker.minimumRps", Value::Number(minimum_rps.get()));
                }
            }
        }
    }

    /// A run is reached by the first failure, and by whole numbers.
    pub(super) fn simplest(self) -> Self {
        match self {
            Self::Consecutive { threshold } => {
                Self::Consecutive { threshold: Real::new(threshold.get().ceil().max(1.0)) }
            }
            other => other,
        }
    }
}

/// The number of windows that a time is cut into, and the milliseconds of each: at least five, of about a second at most.
fn sampled_windows(duration: Duration) -> (u64, u64) {
    let millis = duration.as_nanos() as f64 / 1e6;
    let number = (millis / 1_000.0).ceil().max(5.0);
    (number as u64, (millis / number + 0.5).floor() as u64)
}
