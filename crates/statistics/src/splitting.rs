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

/// A probability estimated by splitting.
#[derive(Clone, Debug, PartialEq)]
pub struct SplittingEstimate {
    /// The probability: unbiased. Its interval is Student's t over the repetitions; `None` where no repetition reached the
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
    if plan.levels == 0 || plan.trials == 0 || plan.repetitions < 2 {
        return Err(SplittingError { plan });
    }
    let mut reached = vec![0u64; plan.levels as usize];
    let mut tried = vec![0u64; plan.levels as usize];
    let mut products = Vec::with_capacity(plan.repetitions as usize);
    for repetition in 0..plan.repetitions {
        let mut generator = DrawGenerator::new(plan.seed, repetition);
        let mut from = vec![start()];
        let mut product = 1.0;
        for stage in 0..plan.levels {
            let trial = |_| {
                let state = from[generator.below(from.len())].clone();
                run(state, stage + 1, generator.seed())
            };
            let arrived: Vec<S> = (0..plan.trials).filter_map(trial).collect();
            reached[stage as usize] += arrived.len() as u64;
            tried[stage as usize] += u64::from(plan.trials);
            product *= arrived.len() as f64 / f64::from(plan.trials);
            from = arrived;
            if from.is_empty() {
                break;
            }
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
