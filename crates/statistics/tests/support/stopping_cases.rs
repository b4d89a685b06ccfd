//! Coverages of intervals at the look at which a rule stopped, shared by the tests and by the table in
//! `docs/statistics.md`.

#![allow(dead_code, reason = "nobody uses all of it")]

use crate::macro_replications::{Sampler, covered};
use statistics::{Estimate, Level, Progress, StoppingRule};

pub(crate) fn level() -> Level {
    Level::new(0.95).unwrap()
}

/// What simulation measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) covered: u64,
    pub(crate) mean_n: f64,
    pub(crate) capped: u64,
}

/// How often the interval of a mean at the stop holds the truth; the rule draws up to its cap.
pub(crate) fn covered_after_stopping(
    rule: &StoppingRule,
    draw: impl Fn(&mut Sampler) -> f64,
    truth: f64,
    replications: u64,
) -> Measured {
    let (mut used, mut capped) = (0, 0);
    let covered = covered(replications, 11, |sampler| {
        let mut sample = Vec::new();
        for n in rule.looks.iter() {
            sample.resize_with(n as usize, || draw(sampler));
            match rule.of_mean(&sample, level()).unwrap() {
                Progress::Continue { .. } => continue,
                Progress::NotReached => capped += 1,
                Progress::Reached => {}
            }
            break;
        }
        used += sample.len();
        statistics::mean(&sample, level()).interval.unwrap().contains(truth)
    });
    Measured { covered, mean_n: used as f64 / replications as f64, capped }
}

/// What summing over all paths gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    pub(crate) coverage: f64,
    pub(crate) mean_n: f64,
}

/// The probability that the interval of a proportion at the stop holds the truth, and the expected number of trials.
pub(crate) fn exact_after_stopping(rule: &StoppingRule, p: f64, interval: impl Fn(u64, u64) -> Estimate) -> Exact {
    let mut exact = Exact { coverage: 0.0, mean_n: 0.0 };
    let mut running = vec![1.0];
    let mut trials = 0;
    for look in rule.looks.iter() {
        while trials < look {
            running.push(0.0);
            for x in (0..running.len()).rev() {
                let before = if x == 0 { 0.0 } else { running[x - 1] };
                running[x] = running[x] * (1.0 - p) + before * p;
            }
            trials += 1;
        }
        for (x, mass) in running.iter_mut().enumerate().filter(|(_, mass)| **mass > 1e-15) {
            let estimate = interval(x as u64, look);
            if !matches!(rule.of_estimate(&estimate).unwrap(), Progress::Continue { .. }) {
                exact.coverage += if estimate.interval.unwrap().contains(p) { *mass } else { 0.0 };
                exact.mean_n += *mass * look as f64;
                *mass = 0.0;
            }
        }
    }
    exact
}
