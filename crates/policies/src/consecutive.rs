//! The rule `consecutive`: so many failures in a row.

use std::fmt;

use engine::Duration;

use crate::{Criterion, Cycle, HalfOpen, ResultRule, RuleError, Verdict, closeness, words};

/// A breaker that opens when so many results in a row are failures.
pub type Consecutive = Cycle<FailureRun>;

/// The criterion of [`Consecutive`]: the length of the present run of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FailureRun {
    threshold: u32,
}

impl Consecutive {
    /// Opens at `threshold` failures in a row, for `open_for`.
    ///
    /// # Errors
    ///
    /// If a number is zero.
    pub fn new(threshold: u32, open_for: Duration, half_open: HalfOpen) -> Result<Self, RuleError> {
        if threshold == 0 {
            return Err(RuleError::NoFailures);
        }
        Self::checked(FailureRun { threshold }, open_for, half_open)
    }

    /// The number of failures in a row that opens the breaker.
    #[must_use]
    pub const fn threshold(&self) -> u32 {
        self.criterion().threshold
    }
}

impl Criterion for FailureRun {
    /// Failures since the latest success.
    type Evidence = u32;

    fn no_evidence(&self) -> u32 {
        0
    }

    #[inline]
    fn add(&self, run: &mut u32, verdict: Verdict) -> bool {
        *run = match verdict {
            Verdict::Success => 0,
            Verdict::Failure => *run + 1,
        };
        *run >= self.threshold
    }

    fn clear(&self, run: &mut u32) {
        *run = 0;
    }

    fn closeness(&self, run: &u32) -> f64 {
        closeness::of_count(*run, self.threshold.into())
    }

    fn result_rule(&self) -> ResultRule {
        ResultRule::Run { failures: self.threshold }
    }
}

impl fmt::Display for Consecutive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        words::pad_rule(f, &format!("consecutive {}", self.threshold()), self.open_for(), self.half_open())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_after(criterion: FailureRun, verdicts: &str) -> Vec<bool> {
        let mut run = criterion.no_evidence();
        let verdict = |letter| if letter == 'F' { Verdict::Failure } else { Verdict::Success };
        verdicts.chars().map(|letter| criterion.add(&mut run, verdict(letter))).collect()
    }

    #[test]
    fn a_success_ends_the_run() {
        let criterion = FailureRun { threshold: 3 };
        assert_eq!(run_after(criterion, "FFSFFF"), [false, false, false, false, false, true]);
        assert_eq!(run_after(FailureRun { threshold: 1 }, "SF"), [false, true]);
    }

    #[test]
    fn threshold_of_zero_is_refused() {
        let error = Consecutive::new(0, Duration::from_secs(1), HalfOpen::default());
        assert_eq!(error, Err(RuleError::NoFailures));
    }

    #[test]
    fn in_words() {
        let open_for = Duration::from_millis(500);
        let usual = Consecutive::new(5, open_for, HalfOpen::default()).expect("valid");
        assert_eq!(usual.to_string(), "consecutive 5, open 500ms");
        assert_eq!(format!("{usual:>27}|"), "  consecutive 5, open 500ms|");
        let careful = Consecutive::new(5, open_for, HalfOpen { permits: 2, successes: 3 }).expect("valid");
        assert_eq!(careful.to_string(), "consecutive 5, open 500ms, half-open 2 at once and 3 to close");
    }
}
