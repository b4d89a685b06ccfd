//! A rule on everything since its last transition.

use super::{RareError, check};

/// A rule that opens when, of at least `minimum` calls since its last transition, at least the share `threshold` has
/// failed. It looks like a window in the settings and is none: nothing is ever forgotten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CumulativeRule {
    /// How many calls have to be counted before it decides, at least 1.
    pub minimum: u32,
    /// The share of failures at which it opens, strictly between 0 and 1.
    pub threshold: f64,
    /// Whether it decides at failures only: the call that brings the minimum may be a success, after which it waits for the
    /// next failure.
    pub at_failures: bool,
}

/// Whether a rule ever opens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EverOpens {
    /// The probability that it opens within the calls that were counted: a lower bound.
    pub at_least: f64,
    /// The same plus a bound for all that could still happen afterwards: an upper bound.
    pub at_most: f64,
    /// How many calls were counted.
    pub calls: u64,
}

impl CumulativeRule {
    /// The probability that the rule opens within `calls` calls, each failing with `probability` independently of the
    /// others: summed over every number of failures, call by call. Takes time proportional to `calls`² × `threshold`.
    ///
    /// # Errors
    ///
    /// Refuses no minimum, and a threshold or probability that is not strictly between 0 and 1.
    pub fn probability_within(&self, calls: u64, probability: f64) -> Result<f64, RareError> {
        self.check(probability)?;
        let mut count = Count::new(*self, probability);
        (0..calls).for_each(|_| count.call());
        Ok(count.opened)
    }

    /// The probability that the rule opens at all, ever, to a relative 10⁻¹² or up to `max_calls` calls.
    ///
    /// With more failures on average than the threshold it opens surely. With fewer, the failures beyond the threshold are
    /// a random walk with downward drift: most openings happen soon, and a rule that has survived them mostly lives for
    /// ever. What is still to come after n calls is at most E[exp(s(F − θn))] over those that have not opened, where s > 0
    /// solves p·exp(s(1 − θ)) + (1 − p)·exp(−sθ) = 1 (Lundberg's inequality: Asmussen & Albrecher, *Ruin Probabilities*,
    /// 2nd ed., section IV.5).
    ///
    /// # Errors
    ///
    /// Refuses no minimum, and a threshold or probability that is not strictly between 0 and 1.
    pub fn ever_opens(&self, probability: f64, max_calls: u64) -> Result<EverOpens, RareError> {
        self.check(probability)?;
        if probability >= self.threshold {
            return Ok(EverOpens { at_least: 1.0, at_most: 1.0, calls: 0 });
        }
        let exponent = self.adjustment(probability);
        let mut count = Count::new(*self, probability);
        loop {
            count.call();
            let still = count.bound(exponent);
            if still <= 1e-12 * count.opened || count.calls >= max_calls {
                let at_most = (count.opened + still).min(1.0);
                return Ok(EverOpens { at_least: count.opened, at_most, calls: count.calls });
            }
        }
    }

    fn check(&self, probability: f64) -> Result<(), RareError> {
        check(self.minimum, 1, self.threshold)?;
        check(self.minimum, 1, probability)
    }

    /// The positive solution of Lundberg's equation, by bisection: below it the left side is less than 1.
    fn adjustment(&self, probability: f64) -> f64 {
        let theta = self.threshold;
        // Both terms less 1 at once: near the solution 0 of a drift that is nearly none, digits would be lost.
        let excess = |s: f64| probability * (s * (1.0 - theta)).exp_m1() + (1.0 - probability) * (-s * theta).exp_m1();
        let (mut below, mut above) = (0.0, 1.0);
        while excess(above) < 0.0 {
            below = above;
            above *= 2.0;
        }
        for _ in 0..200 {
            let middle = f64::midpoint(below, above);
            if excess(middle) < 0.0 { below = middle } else { above = middle }
        }
        // The smaller side: a smaller exponent gives a larger, safe bound.
        below
    }
}

/// The probabilities of all numbers of failures of a rule that has not opened yet.
struct Count {
    rule: CumulativeRule,
    probability: f64,
    by_failures: Vec<f64>,
    /// The part of each that comes by a failure of the present call.
    failing: Vec<f64>,
    calls: u64,
    opened: f64,
}

impl Count {
    fn new(rule: CumulativeRule, probability: f64) -> Self {
        Self { rule, probability, by_failures: vec![1.0], failing: Vec::new(), calls: 0, opened: 0.0 }
    }

    fn call(&mut self) {
        self.calls += 1;
        self.by_failures.push(0.0);
        self.failing.clear();
        let mut fewer = 0.0;
        for probability in &mut self.by_failures {
            self.failing.push(fewer * self.probability);
            fewer = *probability;
            *probability *= 1.0 - self.probability;
        }
        // As the rules in use do, the quotient decides.
        let decides = self.calls >= u64::from(self.rule.minimum);
        let reached = |failures: usize| decides && failures as f64 / self.calls as f64 >= self.rule.threshold;
        let most = (0..self.by_failures.len()).rev().find(|&failures| !reached(failures)).map_or(0, |most| most + 1);
        self.opened += self.failing[most..].iter().sum::<f64>();
        if !self.rule.at_failures {
            self.opened += self.by_failures.drain(most..).sum::<f64>();
        }
        for (probability, failing) in self.by_failures.iter_mut().zip(&self.failing[..most]) {
            *probability += failing;
        }
    }

    /// What can still happen, at most.
    fn bound(&self, exponent: f64) -> f64 {
        let ahead = |failures: usize| failures as f64 - self.rule.threshold * self.calls as f64;
        let term = |(failures, mass): (usize, &f64)| mass * (exponent * ahead(failures)).exp();
        self.by_failures.iter().enumerate().map(term).sum()
    }
}
