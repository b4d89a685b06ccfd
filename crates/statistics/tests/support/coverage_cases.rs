//! Coverages of intervals by simulation, shared by the tests and by the table in `docs/statistics.md`.

#![allow(dead_code, reason = "nobody uses all of it")]

use crate::macro_replications::{Sampler, covered};
use statistics::{
    BootstrapKind, ConfidenceSet, CumulativeIncidence, Ending, Estimate, Interval, KaplanMeier, Level, Observations,
    Resampling, bootstrap, covariance_ellipse, mean, proportion, proportion_anytime, proportion_wilson,
    quantile_interval, ratio_delta, ratio_fieller, simultaneous_means,
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

/// Exponential delays with mean 5 seen up to 8: a fifth is never detected.
pub(crate) fn delays(sampler: &mut Sampler, size: usize) -> Vec<(f64, bool)> {
    let delays = sampler.sample(size, |sampler| 5.0 * sampler.exponential());
    delays.into_iter().map(|delay| (delay.min(8.0), delay <= 8.0)).collect()
}

/// How often the interval of the restricted mean up to 8, and that of the curve at 8, hold them: 5(1 − e^−1.6), e^−1.6.
pub(crate) fn survival_coverage(size: usize, replications: u64) -> (u64, u64) {
    let mut curve_covered = 0;
    let covered = covered(replications, size as u64, |sampler| {
        let curve = KaplanMeier::new(&delays(sampler, size)).unwrap();
        let survival = curve.survival(8.0, level()).interval;
        curve_covered += u64::from(survival.is_some_and(|interval| interval.contains((-1.6f64).exp())));
        curve.restricted_mean(8.0, level()).interval.unwrap().contains(5.0 * -(-1.6f64).exp_m1())
    });
    (covered, curve_covered)
}

/// How often the interval of the incidence at 4 holds it, ⅔(1 − e^−1.2): event and competing outcome happen at rates 0.2
/// and 0.1, and the watch ends at rate 0.1.
pub(crate) fn incidence_coverage(size: usize, replications: u64) -> u64 {
    let truth = 2.0 / 3.0 * -(-1.2f64).exp_m1();
    covered(replications, size as u64, |sampler| {
        let subjects: Vec<(f64, Ending)> = (0..size)
            .map(|_| {
                let (event, competing) = (5.0 * sampler.exponential(), 10.0 * sampler.exponential());
                let censored = 10.0 * sampler.exponential();
                let first = event.min(competing).min(censored);
                let ending = match first {
                    time if time == event => Ending::Event,
                    time if time == competing => Ending::Competing,
                    _ => Ending::Censored,
                };
                (first, ending)
            })
            .collect();
        CumulativeIncidence::new(&subjects).unwrap().by(4.0, level()).interval.is_some_and(|i| i.contains(truth))
    })
}

/// Designs of a table for simultaneous intervals.
pub(crate) const COLUMNS: usize = 50;

/// Normal columns with mean 0, any two of which have the correlation `shared`.
pub(crate) fn correlated_table(sampler: &mut Sampler, rows: usize, shared: f64) -> Observations {
    let values = (0..rows).flat_map(|_| {
        let common = sampler.normal();
        sampler.sample(COLUMNS, |sampler| shared.sqrt() * common + (1.0 - shared).sqrt() * sampler.normal())
    });
    Observations::new(COLUMNS, values.collect()).unwrap()
}

/// How often all simultaneous intervals of a table hold 0.
pub(crate) fn family_coverage(rows: usize, shared: f64, replications: u64) -> u64 {
    covered(replications, rows as u64, |sampler| {
        let resampling = Resampling { draws: 400, seed: 5 };
        let means = simultaneous_means(&correlated_table(sampler, rows, shared), resampling, level());
        means.estimates.iter().all(|estimate| estimate.interval.unwrap().contains(0.0))
    })
}

/// Ten correlated normal pairs: how often the ellipse holds both means, and how often two t intervals do.
pub(crate) fn ellipse_coverage(replications: u64) -> (u64, u64) {
    let mut in_both = 0;
    let in_ellipse = covered(replications, 1, |sampler| {
        let pairs = (0..10).map(|_| (sampler.normal(), sampler.normal())).map(|(u, v)| (u, 3.0 * (0.6 * u + 0.8 * v)));
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.unzip();
        in_both += u64::from([&x, &y].iter().all(|column| t_interval(column).contains(0.0)));
        covariance_ellipse(&x, &y, level()).unwrap().contains((0.0, 0.0))
    });
    (in_ellipse, in_both)
}

/// An interval for a proportion.
pub(crate) type ProportionInterval = fn(u64, u64) -> Estimate;

pub(crate) fn clopper_pearson(events: u64, trials: u64) -> Estimate {
    proportion(events, trials, level()).unwrap()
}

pub(crate) fn wilson(events: u64, trials: u64) -> Estimate {
    proportion_wilson(events, trials, level()).unwrap()
}

pub(crate) fn anytime(events: u64, trials: u64) -> Estimate {
    proportion_anytime(events, trials, level()).unwrap()
}

/// The probabilities of 0, 1, …, `trials` events.
pub(crate) fn binomial(trials: u64, p: f64) -> Vec<f64> {
    if p > 0.5 {
        // From the end at which the first probability does not underflow.
        return binomial(trials, 1.0 - p).into_iter().rev().collect();
    }
    let mut probability = (trials as f64 * (-p).ln_1p()).exp();
    let mut probabilities = vec![probability];
    for x in 0..trials {
        probability *= (trials - x) as f64 / (x + 1) as f64 * (p / (1.0 - p));
        probabilities.push(probability);
    }
    probabilities
}

/// The coverage of an interval for a proportion, summed over every possible number of events.
pub(crate) fn proportion_coverage(interval: ProportionInterval, trials: u64, p: f64) -> f64 {
    let covered = |(events, _): &(u64, f64)| interval(*events, trials).interval.unwrap().contains(p);
    (0..).zip(binomial(trials, p)).filter(covered).map(|(_, probability)| probability).sum()
}
