//! What a fault draws before its first failure has ended: the floor under every threshold.
//!
//! A breaker that hears of calls when they end knows nothing of a fault before its first failed call has ended. Until then
//! rate × time to fail calls have started, each of which holds its slot for that time: the time-out where calls hang, and
//! less where they are refused. Only a shorter time to fail, a bulkhead or a breaker with a time-out of its own draws less.

use engine::{Distribution, Duration};
use scenario::{Mode, OutcomeAt, Scenario, Start, rounds};

/// The slot-rounds that dependency calls of the first time to fail of a mode's fault draw, in the mean.
///
/// `None` where that is no floor: if breakers hear of calls when they start, some calls of the fault succeed, or failures
/// do not all take the same time or outlast the regime.
#[must_use]
pub fn slot_rounds(scenario: &Scenario, mode: &Mode) -> Option<f64> {
    let (start, regime) = mode.timeline.get(1)?;
    let Distribution::Deterministic(time_to_fail) = regime.failure_hold else { return None };
    let next = mode.timeline.get(2).map(|(next, _)| *next);
    let lasts = next.is_none_or(|next| length(*start, next).is_some_and(|length| length >= time_to_fail));
    if scenario.outcome != OutcomeAt::Completion || regime.failure_probability < 1.0 || !lasts {
        return None;
    }
    Some(scenario.dependency.mean_rate() * time_to_fail.as_secs_f64() * rounds(time_to_fail))
}

/// The time from one start to another, where it is the same in every run.
fn length(from: Start, to: Start) -> Option<Duration> {
    match (from, to) {
        (Start::At(from), Start::At(to)) => Some(to - from),
        (Start::AfterFault(from), Start::AfterFault(to)) => {
            Some(Duration::from_nanos(to.as_nanos().saturating_sub(from.as_nanos())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_file::parse;

    /// The floor of the only mode of a sweep.
    fn floor(text: &str) -> Option<f64> {
        let sweep = parse("a.toml", &format!("{text}\n[[rule]]\nkind = \"none\"\n"), &[], None).expect("valid");
        slot_rounds(&sweep.scenario, &sweep.modes[0])
    }

    #[test]
    fn it_is_the_rate_times_the_time_to_fail_in_slots_for_the_time_to_fail() {
        // 97.22 calls a second for 220 ms, 22 rounds each.
        let slowdown = floor("modes = [\"slowdown\"]").expect("every call fails late");
        assert!((slowdown - 97.22 * 0.22 * 22.0).abs() < 1e-9, "{slowdown}");
        let long = floor("modes = [\"slowdown\"]\n[scenario]\nheal_after = \"220ms\"").expect("until it heals");
        assert!((long - slowdown).abs() < 1e-9);
    }

    #[test]
    fn there_is_none_where_a_breaker_may_hear_sooner() {
        for text in [
            "modes = [\"partial\"]",
            "modes = [\"slowdown\"]\n[scenario]\noutcome = \"at_admission\"",
            "modes = [\"slowdown\"]\n[scenario]\nheal_after = \"219ms\"",
            "modes = [\"slowdown\"]\n[scenario.regimes.slowdown]\nfailure_hold = { kind = \"exponential\", mean = \"220ms\" }",
        ] {
            assert_eq!(floor(text), None, "{text}");
        }
    }
}
