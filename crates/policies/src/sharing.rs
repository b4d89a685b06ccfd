//! What breakers of a sweep have in common, for simulations that keep one state for many of them.

use engine::Duration;

use crate::{AnyRule, Criterion, Cycle, HalfOpen};

/// What a closed breaker makes of the results since it closed: a *level* that no setting enters but this.
///
/// The level rises by one at most with a failure. It never rises with a success, except that [`Evidence::LastResults`] has
/// no level at all until its window is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// The level is the number of failures since the latest success.
    FailureRun,
    /// The level is the number of failures among so many latest results, once there are so many.
    LastResults(u32),
}

/// A breaker in the form in which many can share one state.
///
/// - *Closed*: opens at the first result after which the level of its evidence is at or above the threshold.
/// - *Open*: rejects every call for `open_for`; the first call that asks at or after that instant is let through as a
///   probe.
/// - *Half-open*: rejects every other call until the probe ends. A failed probe opens the breaker again, for the whole of
///   `open_for`; a successful one closes it without evidence. A probe that finds no slot leaves its place to the next call.
///
/// Results of calls that were let through before the breaker last closed change nothing. So two closed breakers that heard
/// the same results differ in their thresholds alone, and two open ones that opened together in `open_for` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SharedForm {
    /// What the level is made of.
    pub evidence: Evidence,
    /// The level that opens the breaker; `None` if it never opens.
    pub threshold: Option<u32>,
    /// How long the breaker rejects once it has opened.
    pub open_for: Duration,
}

impl AnyRule {
    /// The rule in its shared form; `None` if it has none. Then its breaker has to be run by itself.
    #[must_use]
    pub fn shared_form(&self) -> Option<SharedForm> {
        match self {
            Self::None(_) => {
                let open_for = Duration::from_nanos(u64::MAX);
                Some(SharedForm { evidence: Evidence::FailureRun, threshold: None, open_for })
            }
            Self::Dialect(_) => None,
            Self::Consecutive(rule) => of_cycle(rule, Evidence::FailureRun, rule.threshold()),
            Self::Ratio(rule) => of_cycle(rule, Evidence::LastResults(rule.window()), rule.failures_to_open()),
        }
    }
}

fn of_cycle<C: Criterion>(rule: &Cycle<C>, evidence: Evidence, threshold: u32) -> Option<SharedForm> {
    let one_probe = HalfOpen { permits: 1, successes: 1 };
    (rule.half_open() == one_probe).then(|| SharedForm {
        evidence,
        threshold: Some(threshold),
        open_for: rule.open_for(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Consecutive, NoBreaker, Ratio};

    #[test]
    fn every_rule_with_a_single_probe_has_a_shared_form() {
        let open_for = Duration::from_secs(1);
        let form = |rule: AnyRule| rule.shared_form();
        let consecutive = Consecutive::new(5, open_for, HalfOpen::default()).expect("valid");
        let expected = SharedForm { evidence: Evidence::FailureRun, threshold: Some(5), open_for };
        assert_eq!(form(consecutive.into()), Some(expected));
        let ratio = Ratio::new(20, 0.351, open_for, HalfOpen::default()).expect("valid");
        let expected = SharedForm { evidence: Evidence::LastResults(20), threshold: Some(8), open_for };
        assert_eq!(form(ratio.into()), Some(expected));
        assert_eq!(form(NoBreaker.into()).and_then(|form| form.threshold), None);
        assert!(form(NoBreaker.into()).is_some());
    }

    #[test]
    fn several_probes_have_none() {
        for half_open in [HalfOpen { permits: 2, successes: 1 }, HalfOpen { permits: 1, successes: 2 }] {
            let rule = Consecutive::new(5, Duration::from_secs(1), half_open).expect("valid");
            assert_eq!(AnyRule::from(rule).shared_form(), None);
        }
    }
}
