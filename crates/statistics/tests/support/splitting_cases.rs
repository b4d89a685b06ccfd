//! Rare events whose probabilities are known, by splitting.

#![allow(dead_code, reason = "nobody uses all of it")]

use crate::macro_replications::Sampler;
use statistics::{Level, SplittingEstimate, SplittingPlan, splitting};

fn level() -> Level {
    Level::new(0.95).unwrap()
}

/// A gambler with one coin wins one with probability `p` until he has `goal` or none.
pub(crate) fn gambler(plan: SplittingPlan, p: f64) -> SplittingEstimate {
    let run = |coins: u32, stage: u32, seed: u64| {
        let mut sampler = Sampler::new(seed);
        let mut coins = coins;
        while coins > 0 && coins < stage + 1 {
            if sampler.uniform() < p {
                coins += 1;
            } else {
                coins -= 1;
            }
        }
        (coins > 0).then_some(coins)
    };
    splitting(plan, || 1, run, level()).unwrap()
}

/// What the gambler's probability of reaching levels + 1 coins is.
pub(crate) fn gambler_exact(levels: u32, p: f64) -> f64 {
    let odds = (1.0 - p) / p;
    (odds - 1.0) / (odds.powi(levels as i32 + 1) - 1.0)
}

/// An excursion of a ring of `window` calls from its first failure: it opens at levels + 1 failures, and ends with nothing
/// but successes.
pub(crate) fn ring(plan: SplittingPlan, window: u32, p: f64) -> SplittingEstimate {
    let run = |bits: u32, stage: u32, seed: u64| {
        let mut sampler = Sampler::new(seed);
        let mut bits = bits;
        while bits > 0 && bits.count_ones() < stage + 1 {
            bits = ((bits << 1) | u32::from(sampler.uniform() < p)) & ((1 << window) - 1);
        }
        (bits > 0).then_some(bits)
    };
    splitting(plan, || 1, run, level()).unwrap()
}
