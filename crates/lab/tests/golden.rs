//! The scheduled outage with its usual settings, derived by hand, and the same requests without a breaker.

use lab::comparison::{Comparison, Difference};
use lab::history::{Answer, History, Outcome, Stay};
use lab::input::Input;
use lab::live::Counters;
use lab::live::{Cause, State};
use lab::settings::Preset;

fn outage() -> History {
    History::of(&Input::of_preset(Preset::OutageRecovery, 1))
}

/// Request k is created at ⌊k·10⁹/12⌋ ns.
fn created(k: u64) -> u64 {
    k * 1_000_000_000 / 12
}

const RESPONSE: u64 = 600_000_000;
const COOLDOWN: u64 = 6_000_000_000;

/// By hand. Requests 96 (8 s) to 359 (29.917 s) fail. Of each cycle: which result moves the breaker, and when.
///
/// - 96, 97 and 98 are the first three failures: the breaker opens when 98 ends. By then 99 to 105 are under way, since 105
///   is created at 8.75 s and 106 at 8.833 s.
/// - Six seconds later it is half-open. The first request at or after 14.767 s is 178 (14.833 s); it fails, 600 ms later.
/// - The same again from 15.433 s: half-open at 21.433 s, probe 258 (21.5 s), open at 22.1 s.
/// - Half-open at 28.1 s, probe 338 (28.167 s), which was created in the outage: open at 28.767 s.
/// - Half-open at 34.767 s, probe 418 (34.833 s) succeeds: closed at 35.433 s.
fn transitions() -> [(u64, State, State, Cause, Option<u64>); 9] {
    use State::{Closed, HalfOpen, Open};
    let ends = |k| created(k) + RESPONSE;
    [
        (ends(98), Closed, Open, Cause::Result, Some(98)),
        (ends(98) + COOLDOWN, Open, HalfOpen, Cause::Timer, None),
        (ends(178), HalfOpen, Open, Cause::Result, Some(178)),
        (ends(178) + COOLDOWN, Open, HalfOpen, Cause::Timer, None),
        (ends(258), HalfOpen, Open, Cause::Result, Some(258)),
        (ends(258) + COOLDOWN, Open, HalfOpen, Cause::Timer, None),
        (ends(338), HalfOpen, Open, Cause::Result, Some(338)),
        (ends(338) + COOLDOWN, Open, HalfOpen, Cause::Timer, None),
        (ends(418), HalfOpen, Closed, Cause::Result, Some(418)),
    ]
}

#[test]
fn the_breaker_opens_four_times_and_closes_after_the_recovery() {
    let history = outage();
    let seen: Vec<_> =
        history.transitions.iter().map(|seen| (seen.at_ns, seen.from, seen.to, seen.cause, seen.request)).collect();
    assert_eq!(seen, transitions());
    let nanos = [
        8_766_666_666_u64,
        14_766_666_666,
        15_433_333_333,
        21_433_333_333,
        22_100_000_000,
        28_100_000_000,
        28_766_666_666,
        34_766_666_666,
        35_433_333_333,
    ];
    assert_eq!(seen.iter().map(|seen| seen.0).collect::<Vec<_>>(), nanos);
    let rounded: Vec<String> = nanos.iter().map(|&nanos| format!("{:.3}", nanos as f64 / 1e9)).collect();
    let expected =
        ["8.767", "14.767", "15.433", "21.433", "22.100", "28.100", "28.767", "34.767", "35.433"].map(str::to_owned);
    assert_eq!(rounded, expected);
}

#[test]
fn every_request_is_accounted_for() {
    let history = outage();
    // Failed: 96 to 98, 99 to 105 which were under way, and three probes. Rejected: 106 to 417 without the three probes,
    // and 419 to 425 (35.417 s) while the fourth is under way. In flight at 90 s: what is created after 89.4 s, 1,073 (89.417 s)
    // to 1,079.
    let rejected = (417 - 106 + 1 - 3) + (425 - 419 + 1);
    let expected = Counters {
        generated: 1_080,
        attempted: 1_080 - 316,
        succeeded: 1_080 - 13 - 316 - 7,
        failed: 10 + 3,
        rejected: 316,
        in_flight: 7,
        probes: 4,
    };
    assert_eq!(rejected, 316);
    assert_eq!(expected.succeeded, 744);
    assert_eq!(history.last, expected);
    assert_eq!(history.at(history.horizon_ns), expected);
    assert!(history.conservation.holds);

    let of = |result| -> Vec<u64> {
        history.requests.iter().filter(|request| request.result == result).map(|request| request.id).collect()
    };
    let failed: Vec<u64> = (96..=105).chain([178, 258, 338]).collect();
    assert_eq!(of(Outcome::Failed), failed);
    let rejected: Vec<u64> = (106..=417).filter(|id| ![178, 258, 338].contains(id)).chain(419..=425).collect();
    assert_eq!(of(Outcome::Rejected), rejected);
    assert_eq!(of(Outcome::InFlight), (1_073..=1_079).collect::<Vec<u64>>());
    let probes: Vec<u64> = history.requests.iter().filter(|request| request.probe).map(|request| request.id).collect();
    assert_eq!(probes, [178, 258, 338, 418]);
    let late: Vec<u64> = history.requests.iter().filter(|request| request.late).map(|request| request.id).collect();
    assert_eq!(late, (99..=105).collect::<Vec<u64>>());
    for request in &history.requests {
        assert_eq!(request.created_ns, created(request.id));
        assert_eq!(request.response_ns, RESPONSE);
    }
}

#[test]
fn without_the_breaker_the_whole_outage_fails() {
    let Comparison { protected, bypassed, difference, counters } =
        Comparison::of(&Input::of_preset(Preset::OutageRecovery, 1));
    assert_eq!(protected, outage());
    // 96 to 359 fail; the same seven are under way at 90 s.
    let failed = 359 - 96 + 1;
    let expected = Counters {
        generated: 1_080,
        attempted: 1_080,
        succeeded: 1_080 - failed - 7,
        failed,
        rejected: 0,
        in_flight: 7,
        probes: 0,
    };
    assert_eq!((expected.failed, expected.succeeded), (264, 809));
    assert_eq!(bypassed.last, expected);
    assert!(bypassed.requests.iter().all(|request| request.answer == Answer::Bypassed));
    assert_eq!(bypassed.states, [Stay { from_ns: 0, to_ns: 90_000_000_000, state: State::Bypassed }]);
    assert!(bypassed.transitions.is_empty());

    // Of the rejected, 106 to 359 without three probes would have failed, 360 to 417 and 419 to 425 would have succeeded.
    assert_eq!(
        difference,
        Difference {
            same_requests: true,
            attempts_avoided: 316,
            failures_avoided: 264 - 13,
            successes_lost: 809 - 744,
            in_flight_avoided: 0,
            rejected: 316,
            rejected_would_fail: 254 - 3,
            rejected_would_succeed: 58 + 7,
        }
    );
    // The first difference is the first rejection, at 8.833 s.
    assert_eq!((counters.at_ns[0], counters.attempts_avoided[0], counters.in_flight_avoided[0]), (created(106), 1, 1));
    let last = counters.at_ns.len() - 1;
    assert_eq!(
        (counters.attempts_avoided[last], counters.failures_avoided[last], counters.successes_lost[last]),
        (316, 251, 65)
    );
}

#[test]
fn the_seed_decides_nothing_where_all_or_none_fail() {
    let other = History::of(&Input::of_preset(Preset::OutageRecovery, 999));
    let first = outage();
    assert_eq!((&other.requests, &other.transitions), (&first.requests, &first.transitions));
    let healthy = History::of(&Input::of_preset(Preset::Healthy, 1));
    assert_eq!((healthy.last.succeeded, healthy.last.failed, healthy.last.rejected), (1_073, 0, 0));
    assert!(healthy.transitions.is_empty());
}

#[test]
fn the_trace_tells_the_outage() {
    let history = outage();
    let text = |at_ns: u64, kind: &str| {
        let said = history.trace.iter().find(|said| said.at_ns == at_ns && said.kind == kind);
        said.map(|said| said.text.as_str()).unwrap_or_default()
    };
    assert_eq!(
        text(8_766_666_666, "transition"),
        "Request 98 failed at the dependency, 3 failures in a row: the breaker opens and rejects every request until \
         14.767 s. Calls under way still finish."
    );
    assert_eq!(
        text(created(106), "rejection"),
        "Request 106 is rejected at once: the breaker is open until 14.767 s. It never reaches the dependency; nor do the \
         next ones."
    );
    assert_eq!(
        text(created(99) + RESPONSE, "result"),
        "Request 99 failed late: it was admitted in an earlier state of the breaker (closed), and its result changes nothing."
    );
    assert_eq!(text(35_433_333_333, "transition"), "Request 418, a probe, succeeded: the breaker is closed.");
}
