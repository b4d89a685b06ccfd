//! Importance splitting: probabilities far too small for plain simulation, of anything that can be cloned.

use std::error::Error;
use std::fmt;

use crate::resampling::DrawGenerator;
use crate::{Estimate, Level, mean};

/// How much work a splitting estimate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplittingPlan {
    /// How many levels lie between the start and the rare event, which is the last one; at least 1. Good levels are each
    /// reached from the one before with a probability of 0.1 to 0.5.
    pub levels: u32,
    /// How many trials per level; at least 1.
    pub trials: u32,
    /// How many independent repetitions of the whole, of which the spread gives the interval; at least 2, better 30.
    pub repetitions: u32,
    /// The seed from which the seeds of all trials follow.
    pub seed: u64,
}

/// A probability or a rate estimated by splitting.
#[derive(Clone, Debug, PartialEq)]
pub struct SplittingEstimate {
    /// The probability or the rate: unbiased. Its interval is Student's t over the repetitions; `None` where no repetition reached the
    /// last level, which says that the levels are too far apart and not that the event is impossible.
    pub probability: Estimate,
    /// The share of trials that went from each level to the next, over all repetitions that came so far.
    pub by_level: Vec<f64>,
}

/// The probability that an excursion reaches the last level before it ends, by fixed-effort splitting (Garvels, *The
/// Splitting Method in Rare Event Simulation*, 2000; Glasserman, Heidelberger, Shahabuddin & Zajic, *Operations Research*
/// 47, 1999).
///
/// `start` makes the state with which an excursion begins. `run` goes on from a state, with random numbers from a seed,
/// until the excursion has reached a level (counted from 1), and gives the state there, or until the excursion has ended,
/// and gives `None`; a state that is at the level already is given back at once. From each level as many trials start
/// again, from states drawn at random among those that arrived; the product of the shares that went on is unbiased,
/// whatever the levels, which only decide how much work it takes. The level must be a function of the state, such as the
/// number of failures in a window.
///
/// Seeds differ for all trials, and the same plan repeats to the bit.
///
/// # Errors
///
/// Refuses plans without levels or trials, or with fewer than two repetitions.
pub fn splitting<S: Clone>(
    plan: SplittingPlan,
    start: impl Fn() -> S,
    mut run: impl FnMut(S, u32, u64) -> Option<S>,
    level: Level,
) -> Result<SplittingEstimate, SplittingError> {
    rate(plan, |_| Entrances { states: vec![start()], watched: 1.0 }, &mut run, level)
}

/// Where the excursions of one repetition of [`splitting_rate`] begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrances<S> {
    /// The states in which an excursion began while the process was watched, each of them.
    pub states: Vec<S>,
    /// For how long it was watched: more than 0, in whatever unit the rate is wanted per.
    pub watched: f64,
}

/// How often an excursion reaches the last level, per unit of time, in a process that goes on for ever: the rate at which
/// excursions begin times the probability that one of them gets there, by fixed-effort splitting from the states in which
/// they began (forward flux sampling: Allen, Warren & ten Wolde, *Physical Review Letters* 94, 2005).
///
/// `watch` follows the process from a seed for a length of time that does not depend on what it sees, and returns every
/// state in which an excursion began. For a stationary process the product is unbiased: excursions need not be independent
/// of each other, nor begin alike. `run` and the rest are those of [`splitting()`].
///
/// # Errors
///
/// Those of [`splitting()`].
pub fn splitting_rate<S: Clone>(
    plan: SplittingPlan,
    watch: impl FnMut(u64) -> Entrances<S>,
    mut run: impl FnMut(S, u32, u64) -> Option<S>,
    level: Level,
) -> Result<SplittingEstimate, SplittingError> {
    rate(plan, watch, &mut run, level)
}

fn rate<S: Clone>(
    plan: SplittingPlan,
    mut watch: impl FnMut(u64) -> Entrances<S>,
    run: &mut impl FnMut(S, u32, u64) -> Option<S>,
    level: Level,
) -> Result<SplittingEstimate, SplittingError> {
    if plan.levels == 0 || plan.trials == 0 || plan.repetitions < 2 {
        return Err(SplittingError { plan });
    }
    let mut reached = vec![0u64; plan.levels as usize];
    let mut tried = vec![0u64; plan.levels as usize];
    let mut products = Vec::with_capacity(plan.repetitions as usize);
    for repetition in 0..plan.repetitions {
        let mut generator = DrawGenerator::new(plan.seed, repetition);
        let Entrances { states: mut from, watched } = watch(DrawGenerator::new(!plan.seed, repetition).seed());
        let mut product = from.len() as f64 / watched;
        for stage in 0..plan.levels {
            if from.is_empty() {
                break;
            }
            let trial = |_| {
                let state = from[generator.below(from.len())].clone();
                run(state, stage + 1, generator.seed())
            };
            let arrived: Vec<S> = (0..plan.trials).filter_map(trial).collect();
            reached[stage as usize] += arrived.len() as u64;
            tried[stage as usize] += u64::from(plan.trials);
            product *= arrived.len() as f64 / f64::from(plan.trials);
            from = arrived;
        }
        products.push(product);
    }
    let estimate = mean(&products, level);
    let seen = products.iter().any(|&product| product > 0.0);
    Ok(SplittingEstimate {
        probability: Estimate { interval: estimate.interval.filter(|_| seen), ..estimate },
        by_level: reached
            .iter()
            .zip(&tried)
            .filter(|(_, tried)| **tried > 0)
            .map(|(&r, &t)| r as f64 / t as f64)
            .collect(),
    })
}

/// A splitting plan that does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplittingError {
    plan: SplittingPlan,
}

impl fmt::Display for SplittingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SplittingPlan { levels, trials, repetitions, .. } = self.plan;
        write!(
            f,
            "splitting needs a level, a trial per level and two repetitions at least, but there are {levels}, {trials} \
             and {repetitions}"
        )
    }
}

impl Error for SplittingError {}
