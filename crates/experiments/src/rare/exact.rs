//! First passages of rules on the order of results.

use policies::{Filling, ResultRule};
use scenario::{OutcomeAt, SteadyRegime};
use statistics::{CumulativeRule, RareError, RingRule, mean_calls_to_run};

use super::{Finding, Method, RARE_ENOUGH, Start};

/// The most windows that are distinguished: some seconds of computing. 10 of 20 has 431,910.
const MOST_STATES: f64 = 500_000.0;

/// The most calls for which a rule that forgets nothing is followed.
const MOST_CALLS: u64 = 5_000;

/// How rarely a rule opens, if that can be computed.
pub(super) fn find(rule: ResultRule, regime: &SteadyRegime, calls_per_second: f64) -> Option<Finding> {
    let probability = regime.failure_probability();
    if rule == ResultRule::Never {
        return Some(Finding::Never { reason: "it never opens".to_owned() });
    }
    if probability == 0.0 {
        return Some(Finding::Never { reason: "no call fails in this regime".to_owned() });
    }
    if probability >= 1.0 {
        return Some(Finding::Refused {
            reason:
                "every call fails in this regime, so that it opens as soon as it may: that is nothing rare. Give the \
                     regime a `failure_probability` below 1"
                    .to_owned(),
        });
    }
    if !regime.results_are_independent() {
        return None;
    }
    let mean = |mean_calls: f64| Some(Finding::Exact { mean_calls, start: Start::New });
    match rule {
        ResultRule::Never => None,
        ResultRule::Run { failures } => mean(mean_calls_to_run(failures, probability).ok()?),
        ResultRule::Total { failures } => mean(f64::from(failures) / probability),
        ResultRule::Window { window, failures, filling } => {
            of_window(RingRule { window, failures }, filling, probability, calls_per_second)
        }
        ResultRule::Share { minimum, threshold, counts_starts } => {
            if probability >= threshold {
                return None;
            }
            if counts_starts && regime.outcome() == OutcomeAt::Completion {
                return Some(Finding::Refused {
                    reason: "it opens soon after it has closed or never, and calls in flight lower its share: this is \
                             computed only with scenario.outcome = \"at_admission\""
                        .to_owned(),
                });
            }
            let rule = CumulativeRule { minimum, threshold, at_failures: true };
            Some(match rule.ever_opens(probability, MOST_CALLS) {
                Ok(ever) => Finding::Ever { at_least: ever.at_least, at_most: ever.at_most },
                Err(error) => Finding::Refused { reason: error.to_string() },
            })
        }
    }
}

fn of_window(rule: RingRule, filling: Filling, probability: f64, calls_per_second: f64) -> Option<Finding> {
    if rule.states() > MOST_STATES {
        return bound(rule, probability, calls_per_second);
    }
    let passage = match rule.first_passage(probability) {
        Ok(passage) => passage,
        Err(RareError::TooManyStates { .. }) => return bound(rule, probability, calls_per_second),
        Err(_) => return None,
    };
    let (mean_calls, start) = match filling {
        Filling::Counts => (passage.mean_calls, Start::New),
        Filling::Waits => (passage.mean_calls_from_empty, Start::New),
        // The first result only makes room: what is judged from the second on is a window that has just been filled.
        Filling::WaitsOneMore => (1.0 + passage.mean_calls_from_empty, Start::New),
        Filling::Differs => (passage.mean_calls, Start::Successes),
    };
    Some(Finding::Exact { mean_calls, start })
}

/// Where there are too many windows: a bound, if it says enough.
fn bound(rule: RingRule, probability: f64, calls_per_second: f64) -> Option<Finding> {
    let seconds = rule.mean_calls_at_least(probability).ok()?? / calls_per_second;
    (seconds >= RARE_ENOUGH).then_some(Finding::AtLeast { seconds, method: Method::Bound })
}
