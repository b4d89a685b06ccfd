//! First passages of a rule on the latest calls.

use super::ring_states::{RingStates, count};
use super::{FirstPassage, RareError, check};

/// The most state updates that are made: some seconds.
const MAX_WORK: u64 = 2_000_000_000;

/// How little the rate of decay may change from call to call before the rest is summed as a geometric series, and how small
/// that rest may be to be left out.
const TOLERANCE: f64 = 1e-13;

/// A rule that opens as soon as `failures` of the latest `window` calls are failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingRule {
    /// How many of the latest calls count.
    pub window: u32,
    /// How many of them have to be failures.
    pub failures: u32,
}

impl RingRule {
    /// How many windows have to be distinguished: those that do not open. 10 of 20 has 431,910.
    #[must_use]
    pub fn states(&self) -> f64 {
        count(self.window, self.failures.min(self.window + 1))
    }

    /// A lower bound for the mean calls up to the first opening, however many windows there are: 1 ÷ 2r, where r is the
    /// expected number of times per call at which a window comes to hold so many failures, C(w − 1, k − 1) pᵏ (1 − p)ʷ⁻ᵏ.
    /// An opening within n calls needs one of them, so its probability is at most nr (Boole's inequality). For rare openings
    /// the mean is near 1 ÷ r.
    ///
    /// `None` where more failures are usual than the rule needs, of which this says nothing.
    ///
    /// # Errors
    ///
    /// Refuses what is no rule or no probability.
    pub fn mean_calls_at_least(&self, probability: f64) -> Result<Option<f64>, RareError> {
        let Self { window, failures } = *self;
        check(window, failures, probability)?;
        if failures > window {
            return Err(RareError::NoRule { window, failures });
        }
        if f64::from(failures - 1) < f64::from(window - 1) * probability {
            return Ok(None);
        }
        let ways = (1..failures).map(|chosen| (f64::from(window - chosen) / f64::from(chosen)).ln());
        let successes = f64::from(window - failures) * (-probability).ln_1p();
        let ln_rate = ways.sum::<f64>() + f64::from(failures) * probability.ln() + successes;
        Ok(Some((-ln_rate).exp() / 2.0))
    }

    /// The calls up to the first opening when every call fails with `probability`, independently of the others.
    ///
    /// By regeneration at the window of nothing but successes. From there the chain waits for a failure and makes an
    /// excursion, which ends in that window again or in an opening; by Wald's identity the mean is the expected length of
    /// wait and excursion over the probability h that the excursion opens. Both are sums of positive terms, so that even
    /// an h of 10⁻³⁰ keeps its relative precision (Markov chain embedding: Fu & Koutras, *Journal of the American
    /// Statistical Association* 89, 1994). Takes time proportional to [`states`](Self::states) times the length of
    /// excursions.
    ///
    /// # Errors
    ///
    /// Refuses what is no rule or no probability, too many states, and excursions that are too long.
    pub fn first_passage(&self, probability: f64) -> Result<FirstPassage, RareError> {
        let Self { window, failures } = *self;
        check(window, failures, probability)?;
        if failures > window {
            return Err(RareError::NoRule { window, failures });
        }
        let states = RingStates::new(window, failures)?;
        let chain = Chain { states: &states, probability, window, max_work: MAX_WORK };

        let mut start = vec![0.0; states.len()];
        if let Some(state) = states.first_failure() {
            start[state] = 1.0;
        }
        let excursion = chain.excursions(start)?;
        let excursion_opens = if states.first_failure().is_some() { excursion.opens } else { 1.0 };
        let mean_calls = (1.0 / probability + excursion.calls) / excursion_opens;

        // From an empty window: whatever the first `window` calls were is the start, openings included.
        let success = 1.0 - probability;
        let start: Vec<f64> = states
            .failures()
            .map(|failures| probability.powi(failures) * success.powi(window as i32 - failures))
            .collect();
        let all_successes = success.powi(window as i32);
        let filled = chain.excursions(start)?;
        let mean_calls_from_empty =
            f64::from(window) + filled.calls + (all_successes + filled.all_successes) * mean_calls;
        Ok(FirstPassage { mean_calls, mean_calls_from_empty, excursion_opens })
    }
}

/// What excursions come to.
#[derive(Default)]
struct Excursions {
    /// The expected number of calls.
    calls: f64,
    /// The probability that they end with an opening.
    opens: f64,
    /// The probability that they end with nothing but successes.
    all_successes: f64,
}

struct Chain<'a> {
    states: &'a RingStates,
    probability: f64,
    window: u32,
    max_work: u64,
}

impl Chain<'_> {
    /// Follows the probability of being in each state, call by call, until all has left.
    fn excursions(&self, mut within: Vec<f64>) -> Result<Excursions, RareError> {
        let mut total = Excursions::default();
        let mut remaining: f64 = within.iter().sum();
        within.extend([0.0; 2]);
        let mut next = within.clone();
        let mut calls = 0u64;
        // What left by either end and by what factor the rest shrank, and for how many calls that has been the same.
        let mut shape = [0.0; 3];
        let mut steady_calls = 0;
        while remaining > 0.0 {
            let (opens, all_successes) = self.step(&within, &mut next);
            std::mem::swap(&mut within, &mut next);
            total.calls += remaining;
            total.opens += opens;
            total.all_successes += all_successes;
            let left: f64 = within[..self.states.len()].iter().sum();
            let now = [left / remaining, opens / remaining, all_successes / remaining];
            remaining = left;
            calls += 1;

            let same = now.iter().zip(shape).all(|(now, before)| (now - before).abs() <= TOLERANCE * now);
            steady_calls = if same { steady_calls + 1 } else { 0 };
            shape = now;
            let decay = now[0];
            let (rest, series) = (remaining / (1.0 - decay), decay / (1.0 - decay));
            let negligible = rest <= TOLERANCE * total.calls && opens * series <= TOLERANCE * total.opens;
            // What is the same for longer than the window remembers stays so, and all to come is a geometric series.
            if decay < 1.0 && (steady_calls > 2 * self.window || negligible && calls > u64::from(self.window)) {
                total.calls += rest;
                total.opens += opens * series;
                total.all_successes += all_successes * series;
                return Ok(total);
            }
            if calls * within.len() as u64 > self.max_work {
                return Err(RareError::TooLong { calls });
            }
        }
        Ok(total)
    }

    /// One call: what leaves with an opening, and what with nothing but successes.
    fn step(&self, within: &[f64], next: &mut [f64]) -> (f64, f64) {
        next.fill(0.0);
        let moves = self.states.after_success.iter().zip(&self.states.after_failure).zip(within);
        for ((&success, &failure), mass) in moves {
            next[success as usize] += mass * (1.0 - self.probability);
            next[failure as usize] += mass * self.probability;
        }
        let [all_successes, opens] = self.states.ends();
        (next[opens], next[all_successes])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_too_long_is_given_up() {
        let states = RingStates::new(12, 6).unwrap();
        let excursions = |max_work| {
            let chain = Chain { states: &states, probability: 0.3, window: 12, max_work };
            let mut start = vec![0.0; states.len()];
            start[0] = 1.0;
            chain.excursions(start)
        };
        assert_eq!(excursions(20 * states.len() as u64).err(), Some(RareError::TooLong { calls: 20 }));
        assert!(excursions(MAX_WORK).is_ok());
        let message = RareError::TooLong { calls: 20 }.to_string();
        assert!(message.contains("after 20 calls"), "{message}");
    }
}
