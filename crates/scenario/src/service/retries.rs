//! Further attempts after a failure: when, how often, and how many in all.

use engine::Duration;

/// A retry policy: attempts that fail (or time out) are followed by another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Retries {
    /// Attempts of a request at most, the first one included; 2 to [`Retries::MOST_ATTEMPTS`].
    pub attempts: u32,
    /// From the end of the first attempt to the second.
    pub delay: Duration,
    /// By how much each further delay is longer; 1 for fixed delays, 2 for the usual exponential ones. At least 1.
    pub growth: f64,
    /// The longest delay before jitter.
    pub longest: Duration,
    /// The part of a delay that is random: 0 for none, 1 for anything from nothing to all of it. In [0, 1].
    pub jitter: f64,
    /// Whether the breaker is asked once and hears once for all attempts of a request together (it lies *outside* of the
    /// retries), and not for each attempt.
    pub breaker_outside: bool,
    /// A limit to the attempts of all requests together.
    pub budget: Option<Budget>,
}

/// A token bucket for retries: every request puts in a part of a token, and every further attempt takes out a whole one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Tokens per request; not negative. 0.1 allows one retry for ten requests in the long run.
    pub per_request: f64,
    /// Tokens that the bucket holds, and holds at the start; at least 1.
    pub most: u32,
}

impl Retries {
    /// The most attempts of a request.
    pub const MOST_ATTEMPTS: u32 = 32;

    /// The delay before attempt number `attempt` (from 1), given a uniform number for its jitter.
    pub(crate) fn delay_before(&self, attempt: u32, uniform: f64) -> Duration {
        let longest = self.longest.as_nanos() as f64;
        // By multiplication: powers differ between platforms.
        let nanos = (1..attempt).fold(self.delay.as_nanos() as f64, |nanos, _| (nanos * self.growth).min(longest));
        Duration::from_nanos((nanos.min(longest) * (1.0 - self.jitter * uniform)) as u64)
    }
}

/// The tokens that are left, in millionths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tokens {
    left: u64,
    most: u64,
    per_request: u64,
}

const TOKEN: u64 = 1_000_000;

impl Tokens {
    pub(crate) fn new(budget: Budget) -> Self {
        let most = u64::from(budget.most) * TOKEN;
        Self { left: most, most, per_request: (budget.per_request * TOKEN as f64).round() as u64 }
    }

    /// A request arrives.
    pub(crate) fn earn(&mut self) {
        self.left = (self.left + self.per_request).min(self.most);
    }

    /// An attempt wants a token.
    pub(crate) fn try_spend(&mut self) -> bool {
        let there = self.left >= TOKEN;
        self.left -= if there { TOKEN } else { 0 };
        there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retries(growth: f64, jitter: f64) -> Retries {
        Retries {
            attempts: 5,
            delay: Duration::from_millis(100),
            growth,
            longest: Duration::from_millis(450),
            jitter,
            breaker_outside: false,
            budget: None,
        }
    }

    #[test]
    fn delays_grow_up_to_the_longest() {
        let millis = |retries: Retries, uniform| {
            (1..5).map(|attempt| retries.delay_before(attempt, uniform).as_nanos() / 1_000_000).collect::<Vec<_>>()
        };
        assert_eq!(millis(retries(1.0, 0.0), 0.5), [100, 100, 100, 100]);
        assert_eq!(millis(retries(2.0, 0.0), 0.5), [100, 200, 400, 450]);
        assert_eq!(millis(retries(2.0, 1.0), 0.25), [75, 150, 300, 337]);
    }

    #[test]
    fn tokens_are_earned_by_requests() {
        let mut tokens = Tokens::new(Budget { per_request: 0.25, most: 2 });
        let spend = |tokens: &mut Tokens| tokens.try_spend();
        assert_eq!([spend(&mut tokens), spend(&mut tokens), spend(&mut tokens)], [true, true, false]);
        (0..3).for_each(|_| tokens.earn());
        assert!(!tokens.try_spend());
        tokens.earn();
        assert!(tokens.try_spend() && !tokens.try_spend());
        (0..100).for_each(|_| tokens.earn());
        assert_eq!([spend(&mut tokens), spend(&mut tokens), spend(&mut tokens)], [true, true, false]);
    }
}
