//! The rule `ratio`: a share of failures among the latest results.

use std::fmt;

use engine::Duration;

use crate::result_window::ResultWindow;
use crate::{Criterion, Cycle, CycleState, Filling, HalfOpen, ResultRule, RuleError, Verdict, closeness, words};

/// A breaker that opens when, of a full window of latest results, too large a share are failures.
///
/// It decides after every result, success or failure, once the window is full: the result that fills the window may be a
/// success and still open the breaker.
pub type Ratio = Cycle<FailureRatio>;

/// The criterion of [`Ratio`]: the share of failures among the last so many results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FailureRatio {
    threshold: f64,
    window: u32,
    failures_to_open: u32,
}

impl FailureRatio {
    /// The largest window, in results.
    pub const MAX_WINDOW: u32 = 1_000_000;

    /// The smallest number of failures whose share of `window`, as `f64`, is not below `threshold`.
    fn failures_to_open(window: u32, threshold: f64) -> u32 {
        let reached = |failures: u32| f64::from(failures) / f64::from(window) >= threshold;
        let mut failures = ((threshold * f64::from(window)).ceil() as u32).clamp(1, window);
        // The product is rounded; the quotient decides.
        while failures > 1 && reached(failures - 1) {
            failures -= 1;
        }
        while failures < window && !reached(failures) {
            failures += 1;
        }
        failures
    }
}

impl Ratio {
    /// Opens when at least `threshold` of the last `window` results are failures, for `open_for`.
    ///
    /// # Errors
    ///
    /// If `threshold` is not in (0, 1], `window` is not in 1..=[`FailureRatio::MAX_WINDOW`], or another number is zero.
    pub fn new(window: u32, threshold: f64, open_for: Duration, half_open: HalfOpen) -> Result<Self, RuleError> {
        if !(1..=FailureRatio::MAX_WINDOW).contains(&window) {
            return Err(RuleError::Window(window));
        }
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(RuleError::Threshold(threshold));
        }
        let failures_to_open = FailureRatio::failures_to_open(window, threshold);
        Self::checked(FailureRatio { threshold, window, failures_to_open }, open_for, half_open)
    }

    /// The number of latest results that count.
    #[must_use]
    pub const fn window(&self) -> u32 {
        self.criterion().window
    }

    /// The share of failures that opens the breaker, as it was written.
    #[must_use]
    pub const fn threshold(&self) -> f64 {
        self.criterion().threshold
    }

    /// The state under this rule of a breaker that ran under another ratio rule until now.
    ///
    /// The phase stays, an open breaker keeps the instant until which it is open, and probes under way stay probes. Of the
    /// results the latest that fit into this rule's window count on; none of them opens the breaker before the next one.
    #[must_use]
    pub fn refitted(&self, state: &CycleState<ResultWindow>) -> CycleState<ResultWindow> {
        state.with_evidence(state.evidence().resized(self.window()))
    }

    /// What the threshold comes to: the number of failures in a full window that opens the breaker. It is the smallest k
    /// with k ÷ window ≥ threshold, in `f64`.
    #[must_use]
    pub const fn failures_to_open(&self) -> u32 {
        self.criterion().failures_to_open
    }
}

impl Criterion for FailureRatio {
    type Evidence = ResultWindow;

    fn no_evidence(&self) -> ResultWindow {
        ResultWindow::new(self.window)
    }

    #[inline]
    fn add(&self, results: &mut ResultWindow, verdict: Verdict) -> bool {
        results.push(self.window, verdict);
        results.failures() >= self.failures_to_open && results.len() == self.window
    }

    fn clear(&self, results: &mut ResultWindow) {
        results.clear();
    }

    fn closeness(&self, results: &ResultWindow) -> f64 {
        closeness::of_count(results.failures(), self.failures_to_open.into())
    }

    fn result_rule(&self) -> ResultRule {
        ResultRule::Window { window: self.window, failures: self.failures_to_open, filling: Filling::Waits }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let criterion = format!("ratio {} of {}", self.threshold(), self.window());
        words::pad_rule(f, &criterion, self.open_for(), self.half_open())
    }
}

#[cfg(test)]
mod tests {
    use engine::{StreamKey, Time};

    use super::*;
    use crate::{CallId, Clocks, Outcome, Phase, Rule};

    fn rule(window: u32, threshold: f64) -> Result<Ratio, RuleError> {
        Ratio::new(window, threshold, Duration::from_secs(1), HalfOpen::default())
    }

    fn opens_at(window: u32, threshold: f64, verdicts: &str) -> Option<usize> {
        let criterion = *rule(window, threshold).expect("valid").criterion();
        let mut results = criterion.no_evidence();
        let verdict = |letter| if letter == 'F' { Verdict::Failure } else { Verdict::Success };
        verdicts.chars().position(|letter| criterion.add(&mut results, verdict(letter)))
    }

    #[test]
    fn decides_only_when_the_window_is_full() {
        assert_eq!(opens_at(4, 0.5, "FFF"), None);
        assert_eq!(opens_at(4, 0.5, "FFFF"), Some(3));
    }

    #[test]
    fn a_success_opens_where_it_fills_the_window() {
        assert_eq!(opens_at(4, 0.5, "FFSS"), Some(3));
        assert_eq!(opens_at(200, 0.5, &("F".repeat(100) + &"S".repeat(100))), Some(199));
    }

    #[test]
    fn refitted_keeps_phase_deadline_and_the_latest_results() {
        let at = |seconds| Clocks::synchronous(Time::ZERO + Duration::from_secs(seconds));
        let fail = |rule: &Ratio, state: &mut CycleState<ResultWindow>, second| {
            let call = CallId { asked_at: at(second).monotonic, request: second, attempt: 0 };
            rule.ask(state, at(second), call);
            rule.record(state, at(second), call, Outcome { verdict: Verdict::Failure, duration: Duration::TICK })
        };
        let (wide, narrow) = (rule(200, 1.0).expect("valid"), rule(3, 1.0).expect("valid"));
        let mut state = wide.start(StreamKey::root(1));
        for second in 0..5 {
            assert_eq!(fail(&wide, &mut state, second), None);
        }
        let mut state = narrow.refitted(&state);
        assert_eq!(narrow.phase(&state, at(5)), Phase::Closed);
        assert!(fail(&narrow, &mut state, 5).is_some());
        let state = wide.refitted(&state);
        let millis = |millis| Clocks::synchronous(Time::ZERO + Duration::from_millis(millis));
        assert_eq!(
            (wide.phase(&state, millis(5_999)), wide.phase(&state, millis(6_000))),
            (Phase::Open, Phase::HalfOpen)
        );
    }

    #[test]
    fn old_results_leave_the_window() {
        assert_eq!(opens_at(4, 0.5, "FSSSFSSSSF"), None);
        assert_eq!(opens_at(4, 0.5, "SSSSFSSF"), Some(7));
    }

    #[test]
    fn threshold_means_the_fewest_failures_that_reach_it() {
        let thresholds = || (1..=100).map(|percent| f64::from(percent) / 100.0).chain([1e-9, 1.0 / 3.0, 2.0 / 3.0]);
        for window in (1..=130).chain([997]) {
            let shares: Vec<_> = (1..=window).map(|failures| f64::from(failures) / f64::from(window)).collect();
            let beside = shares.iter().flat_map(|&share| [share, share.next_down(), share.next_up().min(1.0)]);
            for threshold in thresholds().chain(beside) {
                let fewest = shares.iter().position(|&share| share >= threshold).expect("all failures reach it") + 1;
                let rule = rule(window, threshold).expect("valid");
                assert_eq!(rule.failures_to_open() as usize, fewest, "{threshold} of {window}");
            }
        }
    }

    #[test]
    fn awkward_thresholds_are_compared_as_written() {
        // 0.07 × 100 exceeds 7 in floating point, but 7 ÷ 100 does not fall short of 0.07: the quotient decides.
        for (window, threshold, failures) in [(20, 0.35, 7), (100, 0.07, 7), (3, 1.0 / 3.0, 1), (20, 0.351, 8)] {
            assert_eq!(rule(window, threshold).expect("valid").failures_to_open(), failures);
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        for threshold in [0.0, -0.1, 1.7, f64::INFINITY, 1.0_f64.next_up()] {
            assert_eq!(rule(20, threshold), Err(RuleError::Threshold(threshold)));
        }
        assert!(matches!(rule(20, f64::NAN), Err(RuleError::Threshold(_))));
        for window in [0, FailureRatio::MAX_WINDOW + 1] {
            assert_eq!(rule(window, 0.5), Err(RuleError::Window(window)));
        }
        assert!(rule(FailureRatio::MAX_WINDOW, 1.0).is_ok());
    }

    #[test]
    fn in_words() {
        assert_eq!(rule(20, 0.5).expect("valid").to_string(), "ratio 0.5 of 20, open 1s");
    }
}
