//! Openings too rare to be seen in a sweep: how long each design goes without a false one.
//!
//! Where the order of results alone opens a breaker and results are independent of each other, the answer is computed
//! (`rare/exact.rs`); else it is estimated by importance splitting of a world that goes on for ever (`rare/by_splitting.rs`). Formulas,
//! assumptions and comparisons of the two are in `docs/rare.md`.

mod by_splitting;
mod exact;
mod figure;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;

use policies::{AnyRule, NoBreaker, ResultRule, Rule, RuleVisitor};
use rayon::ThreadPool;
use rayon::prelude::*;
use scenario::{Opening, SteadyRegime, SteadyWorld};
use serde::Serialize;
use statistics::{Interval, Level};

use crate::sweep_file::{Design, Sweep};

pub use by_splitting::Effort;
pub use figure::{detection, draw};
pub use words::{duration, sentence};

/// What is rarer than once in a million years is only said to be.
pub const RARE_ENOUGH: f64 = 1e6 * YEAR;

/// Seconds of a mean Gregorian year.
pub const YEAR: f64 = 365.2425 * 86_400.0;

/// How rarely a design opens falsely.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// It never does.
    Never {
        /// Why.
        reason: String,
    },
    /// The mean number of calls from a start to an opening, computed.
    Exact {
        /// The mean.
        mean_calls: f64,
        /// From where on they are counted.
        start: Start,
    },
    /// It opens soon after it has closed, or never: the probability that it ever does, between two bounds.
    Ever {
        /// The lower bound.
        at_least: f64,
        /// The upper bound.
        at_most: f64,
    },
    /// Openings per second of a closed breaker, estimated.
    Rate {
        /// The estimate.
        value: f64,
        /// Its interval.
        interval: Interval,
        /// How many calls there were in a second.
        calls_per_second: f64,
    },
    /// So rare that only a lower bound of the mean seconds is given.
    AtLeast {
        /// The bound.
        seconds: f64,
        /// How it is known.
        method: Method,
    },
    /// Neither can be told.
    Refused {
        /// Why, and what would help.
        reason: String,
    },
}

/// From where on the calls up to an opening are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A new breaker, or one that has just closed.
    New,
    /// A breaker whose window is full of successes.
    Successes,
}

/// How a finding was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Computed.
    Exact,
    /// A bound, computed.
    Bound,
    /// Estimated by importance splitting.
    Splitting,
    /// Not found.
    Refused,
}

impl Method {
    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Bound => "bound",
            Self::Splitting => "splitting",
            Self::Refused => "refused",
        }
    }
}

/// A design in a mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The design, as an index into [`Sweep::designs`].
    pub design: usize,
    /// The mode, as an index into [`Sweep::modes`].
    pub mode: usize,
    /// What was found.
    pub finding: Finding,
    /// Calls that start in a second while the breaker is closed.
    pub calls_per_second: f64,
    /// The share of calls that find no free slot.
    pub without_slot: f64,
    /// The probability with which each fails.
    pub failure_probability: f64,
}

/// What of an [`Entry`] is written into tables. Times and numbers of calls are means.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RareRow {
    /// The design's number.
    pub design: u32,
    /// The mode's name.
    pub mode: String,
    /// The probability with which each call fails.
    pub failure_probability: f64,
    /// Calls that start in a second while the breaker is closed.
    pub calls_per_second: f64,
    /// The share of calls that find no free slot.
    pub without_slot: f64,
    /// `exact`, `bound`, `splitting` or `refused`.
    pub method: &'static str,
    /// From where on an exact mean counts: `new` or `successes`.
    pub start: Option<&'static str>,
    /// Calls to a false opening.
    pub mean_calls: Option<f64>,
    /// The lower end of its interval, or the bound.
    pub mean_calls_lo: Option<f64>,
    /// The upper end of its interval.
    pub mean_calls_hi: Option<f64>,
    /// Seconds to a false opening.
    pub mean_seconds: Option<f64>,
    /// The lower end of its interval, or the bound.
    pub mean_seconds_lo: Option<f64>,
    /// The upper end of its interval.
    pub mean_seconds_hi: Option<f64>,
    /// The probability of a false opening within an hour.
    pub probability_per_hour: Option<f64>,
    /// The probability of a false opening within a day.
    pub probability_per_day: Option<f64>,
    /// The probability that it ever opens after it has closed, where it else never does.
    pub probability_ever: Option<f64>,
    /// The confidence level of the intervals.
    pub level: f64,
    /// Why there is no more to say.
    pub reason: Option<String>,
}

impl Entry {
    /// The mean seconds to a false opening, with their interval where it is an estimate.
    #[must_use]
    pub fn mean_seconds(&self) -> (Option<f64>, Option<f64>, Option<f64>) {
        let inverse = |rate: f64| (rate > 0.0).then_some(1.0 / rate);
        match &self.finding {
            Finding::Exact { mean_calls, .. } => (Some(mean_calls / self.calls_per_second), None, None),
            Finding::Rate { value, interval, .. } => (inverse(*value), inverse(interval.hi), inverse(interval.lo)),
            Finding::AtLeast { seconds, .. } => (None, Some(*seconds), None),
            Finding::Never { .. } | Finding::Ever { .. } | Finding::Refused { .. } => (None, None, None),
        }
    }

    /// How it was found.
    #[must_use]
    pub const fn method(&self) -> Method {
        match &self.finding {
            Finding::Never { .. } | Finding::Exact { .. } | Finding::Ever { .. } => Method::Exact,
            Finding::Rate { .. } => Method::Splitting,
            Finding::AtLeast { method, .. } => *method,
            Finding::Refused { .. } => Method::Refused,
        }
    }

    /// The row of the tables.
    #[must_use]
    pub fn row(&self, sweep: &Sweep) -> RareRow {
        let (seconds, lo, hi) = self.mean_seconds();
        let per_second = match &self.finding {
            Finding::Rate { calls_per_second, .. } => *calls_per_second,
            _ => self.calls_per_second,
        };
        let calls = |seconds: Option<f64>| seconds.map(|seconds| seconds * per_second);
        let within = |time: f64| match &self.finding {
            Finding::Never { .. } => Some(0.0),
            _ => seconds.map(|mean| -(-time / mean).exp_m1()),
        };
        let start = match &self.finding {
            Finding::Exact { start: Start::New, .. } => Some("new"),
            Finding::Exact { start: Start::Successes, .. } => Some("successes"),
            _ => None,
        };
        RareRow {
            design: sweep.designs[self.design].number,
            mode: sweep.modes[self.mode].name.clone(),
            failure_probability: self.failure_probability,
            calls_per_second: per_second,
            without_slot: self.without_slot,
            method: self.method().name(),
            start,
            mean_calls: calls(seconds),
            mean_calls_lo: calls(lo),
            mean_calls_hi: calls(hi),
            mean_seconds: seconds,
            mean_seconds_lo: lo,
            mean_seconds_hi: hi,
            probability_per_hour: within(3_600.0),
            probability_per_day: within(86_400.0),
            probability_ever: match &self.finding {
                Finding::Ever { at_most, .. } => Some(*at_most),
                Finding::Never { .. } => Some(0.0),
                _ => None,
            },
            level: sweep.level,
            reason: match &self.finding {
                Finding::Never { reason } | Finding::Refused { reason } => Some(reason.clone()),
                _ => None,
            },
        }
    }
}

/// The modes, as indices, in whose fault an opening is false, and what calls meet in each.
///
/// # Errors
///
/// A sentence with its remedy, where there is no such mode or none of them can be told about.
pub fn false_modes(sweep: &Sweep) -> Result<Vec<(usize, SteadyRegime)>, String> {
    let is_false = |&mode: &usize| sweep.modes[mode].opening_during_fault() == Opening::False;
    let modes: Vec<usize> = (0..sweep.modes.len()).filter(is_false).collect();
    if modes.is_empty() {
        let names: Vec<&str> = sweep.modes.iter().map(|mode| mode.name.as_str()).collect();
        return Err(format!(
            "in no mode of this sweep is opening false ({}): add \"healthy\" or \"partial\" to `modes`, or give a regime \
             opening = \"false\"",
            names.join(", ")
        ));
    }
    if sweep.scenario.dependency.mean_rate() == 0.0 {
        return Err("no call arrives: give `scenario.dependency.arrivals` a rate above 0".to_owned());
    }
    let steady = |mode: usize| {
        SteadyRegime::fault(&sweep.scenario, &sweep.modes[mode]).map(|regime| (mode, regime)).map_err(|keys| {
            let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            format!(
                "how rarely breakers open cannot be told with {}: leave it out, for example in a copy of the file, or count \
                 openings in a sweep",
                keys.join(", ")
            )
        })
    };
    let regimes: Vec<(usize, SteadyRegime)> = modes.into_iter().map(steady).collect::<Result<_, _>>()?;
    let tells = |regime: &SteadyRegime| regime.failure_probability() > 0.0 && regime.failure_probability() < 1.0;
    if !regimes.iter().any(|(_, regime)| tells(regime)) {
        return Err(
            "wherever opening is false, none or all of the calls fail, so that there is nothing rare to find: give \
                    such a regime a `failure_probability` between 0 and 1, for example with --set \
                    scenario.regimes.healthy.failure_probability=0.01"
                .to_owned(),
        );
    }
    Ok(regimes)
}

/// What decides a finding, beside the mode: rules that differ in their open time only share it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    mode: usize,
    rule: String,
}

/// Finds how rarely each of the designs opens falsely in each of the modes. Entries are ordered by design, then mode; the
/// same for any number of threads.
#[must_use]
pub fn find(
    sweep: &Sweep,
    modes: &[(usize, SteadyRegime)],
    designs: &[usize],
    effort: Effort,
    level: Level,
    pool: &ThreadPool,
) -> Vec<Entry> {
    let flows: Vec<f64> = modes.iter().map(|(_, regime)| calls_per_second(regime, sweep.root_seed)).collect();
    let mut tasks: BTreeMap<Task, (usize, AnyRule)> = BTreeMap::new();
    let task = |mode: usize, design: &Design| Task { mode, rule: essence(&design.rule, &modes[mode].1) };
    for &design in designs {
        for mode in 0..modes.len() {
            let design = &sweep.designs[design];
            tasks.entry(task(mode, design)).or_insert((mode, design.rule));
        }
    }
    let find = |(task, (mode, rule)): (Task, (usize, AnyRule))| {
        let regime = &modes[mode].1;
        (task, one(&rule, regime, flows[mode], effort, level, sweep.root_seed))
    };
    // Small pieces: some take seconds, and most none.
    let found: BTreeMap<Task, Finding> =
        pool.install(|| tasks.into_iter().collect::<Vec<_>>().into_par_iter().with_max_len(1).map(find).collect());
    let entry = |(design, mode): (usize, usize)| Entry {
        design,
        mode: modes[mode].0,
        finding: found[&task(mode, &sweep.designs[design])].clone(),
        calls_per_second: flows[mode],
        without_slot: (1.0 - flows[mode] / modes[mode].1.requests_per_second()).max(0.0),
        failure_probability: modes[mode].1.failure_probability(),
    };
    designs.iter().flat_map(|&design| (0..modes.len()).map(move |mode| (design, mode))).map(entry).collect()
}

/// A rule without what it does once it has opened, where that can be told apart.
fn essence(rule: &AnyRule, regime: &SteadyRegime) -> String {
    match result_rule(rule, regime) {
        Some(result_rule) => format!("{result_rule:?}"),
        None => format!("{:?}", rule.key()),
    }
}

/// The rule on the order of results that it is in this regime, if it is one.
fn result_rule(rule: &AnyRule, regime: &SteadyRegime) -> Option<ResultRule> {
    struct Visitor<'a>(&'a SteadyRegime);
    impl RuleVisitor for Visitor<'_> {
        type Output = Option<ResultRule>;
        fn visit<R: Rule>(self, rule: R) -> Self::Output {
            rule.result_rule(self.0.longest_hold())
        }
    }
    rule.visit(Visitor(regime))
}

fn one(
    rule: &AnyRule,
    regime: &SteadyRegime,
    calls_per_second: f64,
    effort: Effort,
    level: Level,
    seed: u64,
) -> Finding {
    let computed = result_rule(rule, regime).and_then(|rule| exact::find(rule, regime, calls_per_second));
    // What never happens, and what no simulation can tell, stays as it is.
    let settled = |finding: &Finding| !matches!(finding, Finding::Exact { .. });
    let computed = if effort.simulate { computed.filter(settled) } else { computed };
    computed.unwrap_or_else(|| by_splitting::find(rule, regime, effort, level, seed))
}

/// How many calls start in a second while the breaker is closed: by Erlang's formula or, where flows are not Poisson, by a
/// simulation of 500,000 requests.
fn calls_per_second(regime: &SteadyRegime, seed: u64) -> f64 {
    if let Some(loss) = regime.loss() {
        return regime.requests_per_second() * (1.0 - loss);
    }
    let mut world = SteadyWorld::new(NoBreaker, regime, seed);
    for _ in 0..1_000_000 {
        world.step(NoBreaker, regime);
    }
    world.calls() as f64 / world.seconds()
}
