//! Fisher's exact test.

/// How much more probable than the observed table another may be and still count as no more probable: probabilities
/// that are equal on paper differ by rounding. The same tolerance as R's `fisher.test`.
const RELATIVE_TOLERANCE: f64 = 1e-7;

/// The two-sided p-value of Fisher's exact test that two proportions are equal: `first_events` of `first_trials` against
/// `second_events` of `second_trials`.
///
/// Given the margins, the first sample's events are hypergeometric under equality; the p-value is the total probability
/// of all tables no more probable than the observed one (Fisher, *Statistical Methods for Research Workers*, section
/// 21.02; the two-sided rule is that of R's `fisher.test`). Takes time proportional to the smaller margin.
///
/// # Panics
///
/// If a sample has more events than trials.
#[must_use]
pub fn fisher_exact(first_events: u64, first_trials: u64, second_events: u64, second_trials: u64) -> f64 {
    assert!(first_events <= first_trials && second_events <= second_trials, "more events than trials");
    let events = first_events + second_events;
    let fewest = events.saturating_sub(second_trials);
    let most = events.min(first_trials);

    // Probabilities relative to the observed table's, by the ratio of neighbours: no logarithm of a factorial, whose
    // rounding would grow with the sample. Far terms underflow to zero, where they belong.
    let ratio_to_next = |x: u64| {
        let (chosen, not_chosen) = ((first_trials - x) as f64, (events - x) as f64);
        chosen * not_chosen / ((x + 1) as f64 * (second_trials + x + 1 - events) as f64)
    };
    let mut total = 1.0;
    let mut as_extreme = 1.0;
    let mut count = |relative: f64| {
        total += relative;
        if relative <= 1.0 + RELATIVE_TOLERANCE {
            as_extreme += relative;
        }
    };
    let mut relative = 1.0;
    for x in first_events..most {
        relative *= ratio_to_next(x);
        count(relative);
    }
    relative = 1.0;
    for x in (fewest..first_events).rev() {
        relative /= ratio_to_next(x);
        count(relative);
    }
    as_extreme / total
}
