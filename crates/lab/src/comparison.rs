//! The same requests with the breaker and without, and the difference in numbers.

use serde::Serialize;

use crate::history::{Fate, History, Outcome};
use crate::input::Input;

/// Two runs of the same requests and their difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The run with the breaker on all the time.
    pub protected: History,
    /// The run with the breaker bypassed all the time.
    pub bypassed: History,
    /// Bypassed minus protected, at the end.
    pub difference: Difference,
    /// Bypassed minus protected, whenever it changes.
    pub counters: DifferenceColumns,
}

/// What the breaker made different: bypassed minus protected.
///
/// Each request that the breaker turned away would otherwise have failed, succeeded, or been under way at the end:
/// `attempts_avoided = failures_avoided + successes_lost + in_flight_avoided`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Whether both runs had the same requests: numbers, instants, fates and response times.
    pub same_requests: bool,
    /// Calls that the dependency was spared.
    pub attempts_avoided: i64,
    /// Failed calls fewer.
    pub failures_avoided: i64,
    /// Successes fewer.
    pub successes_lost: i64,
    /// Calls under way fewer.
    pub in_flight_avoided: i64,
    /// Requests that the breaker turned away.
    pub rejected: u64,
    /// Of these, those that would have failed, sooner or later.
    pub rejected_would_fail: u64,
    /// Of these, those that would have succeeded, sooner or later.
    pub rejected_would_succeed: u64,
}

/// The difference as columns; a row holds from its instant, exclusive, up to the next row's, inclusive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the columns are those of `Difference`")]
pub struct DifferenceColumns {
    pub at_ns: Vec<u64>,
    pub attempts_avoided: Vec<i64>,
    pub failures_avoided: Vec<i64>,
    pub successes_lost: Vec<i64>,
    pub in_flight_avoided: Vec<i64>,
}

impl Comparison {
    /// Compares the two histories of one input, with the breaker and without.
    #[must_use]
    pub fn new(protected: History, bypassed: History) -> Self {
        let of_fate = |fate| {
            let rejected = protected.requests.iter().filter(|request| request.result == Outcome::Rejected);
            rejected.filter(|request| request.fate == fate).count() as u64
        };
        let [attempts_avoided, failures_avoided, successes_lost, in_flight_avoided] =
            minus(&protected, &bypassed, u64::MAX);
        let difference = Difference {
            same_requests: are_same_requests(&protected, &bypassed),
            attempts_avoided,
            failures_avoided,
            successes_lost,
            in_flight_avoided,
            rejected: protected.last.rejected,
            rejected_would_fail: of_fate(Fate::Failure),
            rejected_would_succeed: of_fate(Fate::Success),
        };
        let counters = columns(&protected, &bypassed);
        Self { protected, bypassed, difference, counters }
    }

    /// Compares the two runs of an input, simulated from zero.
    #[must_use]
    pub fn of(input: &Input) -> Self {
        Self::new(History::of(&input.with_breaker(true)), History::of(&input.with_breaker(false)))
    }
}

fn are_same_requests(protected: &History, bypassed: &History) -> bool {
    let identities = |history: &History| -> Vec<_> {
        let identity = |request: &crate::history::RequestHistory| {
            (request.id, request.created_ns, request.fate, request.response_ns)
        };
        history.requests.iter().map(identity).collect()
    };
    identities(protected) == identities(bypassed)
}

/// Attempts, failures, successes and calls under way: bypassed minus protected at an instant.
fn minus(protected: &History, bypassed: &History, at_ns: u64) -> [i64; 4] {
    let (with, without) = (protected.at(at_ns), bypassed.at(at_ns));
    let minus = |without: u64, with: u64| without as i64 - with as i64;
    [
        minus(without.attempted, with.attempted),
        minus(without.failed, with.failed),
        minus(without.succeeded, with.succeeded),
        minus(without.in_flight, with.in_flight),
    ]
}

fn columns(protected: &History, bypassed: &History) -> DifferenceColumns {
    let mut instants: Vec<u64> = protected.counters.at_ns.iter().chain(&bypassed.counters.at_ns).copied().collect();
    instants.sort_unstable();
    instants.dedup();
    let mut columns = DifferenceColumns::default();
    let mut last = [0; 4];
    for at_ns in instants {
        let difference = minus(protected, bypassed, at_ns + 1);
        if difference == last {
            continue;
        }
        last = difference;
        let [attempts, failures, successes, in_flight] = difference;
        columns.at_ns.push(at_ns);
        columns.attempts_avoided.push(attempts);
        columns.failures_avoided.push(failures);
        columns.successes_lost.push(successes);
        columns.in_flight_avoided.push(in_flight);
    }
    columns
}
