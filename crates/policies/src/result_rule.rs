//! What opens a closed breaker, where that is a matter of the order of results alone.

/// When a closed breaker opens, as far as only the order of successes and failures counts, and no time.
///
/// It is what makes the calls up to an opening computable: see [`Rule::result_rule`](crate::Rule::result_rule).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ResultRule {
    /// It never opens.
    Never,
    /// At so many failures in a row; at least 1.
    Run {
        /// How many.
        failures: u32,
    },
    /// At so many failures since the latest transition, however many successes come between; at least 1.
    Total {
        /// How many.
        failures: u32,
    },
    /// At so many failures among the latest results.
    Window {
        /// How many of the latest results count.
        window: u32,
        /// How many failures among them open, once they are there; from 1 to `window`.
        failures: u32,
        /// What it does before they are.
        filling: Filling,
    },
    /// At a share of failures among all calls since the latest transition. It is asked at failures only.
    Share {
        /// How many calls have to be counted; at least 1.
        minimum: u32,
        /// The share at which it opens.
        threshold: f64,
        /// Whether a call counts from its start, before its result is known: those in flight lower the share.
        counts_starts: bool,
    },
}

/// What a rule does while its window is not full yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filling {
    /// So many failures open, however few results there are.
    Counts,
    /// It judges the result that fills the window, success or failure, and every later one.
    Waits,
    /// It judges the result after the one that fills the window, and every later one.
    WaitsOneMore,
    /// It judges with another number of failures, or at failures only: a window that is being filled differs from a full
    /// one.
    Differs,
}

impl ResultRule {
    /// The smallest number of failures in a full window that is enough; none is if not all of them are.
    pub(crate) fn window(window: u32, filling: Filling, enough: impl Fn(u32) -> bool) -> Option<Self> {
        // What opens without a failure is no rule on failures.
        if enough(0) {
            return None;
        }
        let failures = (1..=window).find(|&failures| enough(failures));
        Some(failures.map_or(Self::Never, |failures| Self::Window { window, failures, filling }))
    }
}
