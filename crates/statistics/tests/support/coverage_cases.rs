//! Coverages of intervals by simulation, shared by the tests and by the table in `docs/statistics.md`.

#![allow(dead_code, reason = "no test uses all of it")]

use crate::macro_replications::{Sampler, covered};
use statistics::{
    BootstrapKind, ConfidenceSet, Interval, Level, Resampling, bootstrap, mean, quantile_interval, ratio_delta,
    ratio_fieller,
};

pub(crate) fn level() -> Level {
    Level::new(0.95).unwrap()
}

/// A distribution of observations.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Law {
    Normal,
    Exponential,
    Lognormal,
}

impl Law {
    pub(crate) const ALL: [Self; 3] = [Self::Normal, Self::Exponential, Self::Lognormal];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Exponential => "exponential",
            Self::Lognormal => "lognormal",
        }
    }

    pub(crate) fn draw(self, sampler: &mut Sampler) -> f64 {
        match self {
            Self::Normal => sampler.normal(),
            Self::Exponential => sampler.exponential(),
            Self::Lognormal => sampler.lognormal(),
        }
    }

    pub(crate) fn mean(self) -> f64 {
        match self {
            Self::Normal => 0.0,
            Self::Exponential => 1.0,
            Self::Lognormal => 0.5f64.exp(),
        }
    }
}

/// How often an interval of the mean of `size` observations holds it.
pub(crate) fn mean_coverage(law: Law, size: usize, replications: u64, interval: impl Fn(&[f64]) -> Interval) -> u64 {
    covered(replications, size as u64, |sampler| {
        let sample = sampler.sample(size, |sampler| law.draw(sampler));
        interval(&sample).contains(law.mean())
    })
}

pub(crate) fn t_interval(sample: &[f64]) -> Interval {
    mean(sample, level()).interval.unwrap()
}

/// How often the interval of a quantile of an exponential distribution holds it.
pub(crate) fn quantile_coverage(q: f64, size: usize, replications: u64) -> u64 {
    let quantile = -(1.0 - q).ln();
    covered(replications, size as u64, |sampler| {
        let sample = sampler.sample(size, Sampler::exponential);
        quantile_interval(&sample, q, level()).unwrap().interval.unwrap().contains(quantile)
    })
}

/// Which set of a ratio.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RatioMethod {
    Delta,
    Fieller,
}

/// How often the set of a ratio holds the true one, 1, and how often it is no interval: the denominator is exponential,
/// the numerator half of it and half of another.
pub(crate) fn ratio_coverage(method: RatioMethod, size: usize, replications: u64) -> (u64, u64) {
    let mut unbounded = 0;
    let covered = covered(replications, size as u64, |sampler| {
        let denominators = sampler.sample(size, Sampler::exponential);
        let numerators: Vec<f64> = denominators.iter().map(|x| f64::midpoint(*x, sampler.exponential())).collect();
        let ratio = match method {
            RatioMethod::Delta => ratio_delta,
            RatioMethod::Fieller => ratio_fieller,
        };
        let set: ConfidenceSet = ratio(&numerators, &denominators, level()).unwrap().set.unwrap();
        unbounded += u64::from(set.bounded().is_none());
        set.contains(1.0)
    });
    (covered, unbounded)
}

/// How often the bootstrap interval of the mean holds it.
pub(crate) fn bootstrap_coverage(kind: BootstrapKind, law: Law, size: usize, replications: u64, draws: u32) -> u64 {
    let mut seed = 0;
    covered(replications, size as u64, |sampler| {
        let sample = sampler.sample(size, |sampler| law.draw(sampler));
        seed += 1;
        let mean = |sample: &[f64]| sample.iter().sum::<f64>() / sample.len() as f64;
        // One sample in a few hundred is so skewed that BCa falls back to the percentile interval.
        let estimate = bootstrap(&sample, mean, kind, Resampling { draws, seed }, level());
        estimate.estimate.interval.unwrap().contains(law.mean())
    })
}
