//! What changing a setting in the middle of a run does, and what it leaves alone. All instants are derived by hand.

use lab::history::{Answer, Fate, History, Outcome};
use lab::input::Input;
use lab::live::State;
use serde_json::{Value, json};

fn run(body: &Value) -> History {
    History::of(&Input::read(body).expect("a valid input"))
}

/// The scheduled outage with its usual settings: 12 requests per second, three failures open for 6 s, 0.6 s to respond.
fn outage_with(interventions: &Value) -> History {
    run(&json!({ "interventions": interventions }))
}

fn transitions(history: &History) -> Vec<(u64, State)> {
    history.transitions.iter().map(|transition| (transition.at_ns / 1_000_000, transition.to)).collect()
}

fn created(history: &History) -> Vec<u64> {
    history.requests.iter().map(|request| request.created_ns).collect()
}

#[test]
fn an_open_breaker_keeps_its_deadline_and_the_next_period_has_the_new_one() {
    // Open at 8.767 s for 6 s. The new cooldown of 1 s begins with the opening at 15.433 s; probe 198 (16.5 s) fails at 17.1 s.
    let history = outage_with(&json!([{"at": 10, "key": "rule.open_for", "value": 1}]));
    use State::{HalfOpen, Open};
    let expected =
        [(8_766, Open), (14_766, HalfOpen), (15_433, Open), (16_433, HalfOpen), (17_100, Open), (18_100, HalfOpen)];
    assert_eq!(transitions(&history)[..6], expected);
}

#[test]
fn a_lower_threshold_acts_at_the_next_failure() {
    // Two failures are counted by 8.683 s. Under a threshold of 1 from 8.7 s, 98 opens the breaker at 8.767 s as it would have.
    let history = outage_with(&json!([{"at": 8.7, "key": "rule.threshold", "value": 1}]));
    assert_eq!(transitions(&history)[0], (8_766, State::Open));
    // Under a threshold of 5 two more failures are needed: 100, created at 8.333 s, ends at 8.933 s.
    let history = outage_with(&json!([{"at": 8.7, "key": "rule.threshold", "value": 5}]));
    assert_eq!(transitions(&history)[0], (8_933, State::Open));
}

#[test]
fn calls_under_way_keep_their_time_and_their_outcome() {
    let history = outage_with(&json!([
        {"at": 1, "key": "response_time", "value": 2},
        {"at": 8.5, "key": "repair_service"},
    ]));
    let ended = |id: usize| history.requests[id].ended_ns;
    // 11 was admitted at 0.917 s, 12 at the very instant of the change.
    assert_eq!((ended(11), ended(12)), (Some(1_516_666_666), Some(3_000_000_000)));
    // 96 to 101 were created from 8 s to 8.417 s; they fail two seconds later although the service is repaired, and open the breaker.
    let failed: Vec<u64> =
        history.requests.iter().filter(|request| request.result == Outcome::Failed).map(|request| request.id).collect();
    assert_eq!(failed, (96..=101).collect::<Vec<u64>>());
    assert_eq!(transitions(&history)[0], (10_166, State::Open));
}

#[test]
fn an_edited_error_rate_leaves_the_schedule_and_other_edits_keep_it() {
    let failing = |history: &History| -> Vec<u64> {
        history.requests.iter().filter(|request| request.fate == Fate::Failure).map(|request| request.id).collect()
    };
    let scheduled: Vec<u64> = (96..=359).collect();
    assert_eq!(failing(&outage_with(&json!([]))), scheduled);
    let kept = json!([
        {"at": 1, "key": "response_time", "value": 1},
        {"at": 2, "key": "rule.threshold", "value": 9},
        {"at": 3, "key": "breaker_enabled", "value": false},
    ]);
    assert_eq!(failing(&outage_with(&kept)), scheduled);
    // From 4 s on nothing fails, and the outage never comes.
    assert!(failing(&outage_with(&json!([{"at": 4, "key": "dependency_errors_percent", "value": 0}]))).is_empty());
    // Broken at 40 s: 480 is created at that very instant.
    let broken = outage_with(&json!([{"at": 40, "key": "break_service"}]));
    assert_eq!(failing(&broken), (96..=359).chain(480..=1_079).collect::<Vec<u64>>());
    let modes: Vec<_> = broken.dependency.iter().map(|rate| (rate.errors_percent, rate.mode)).collect();
    assert_eq!(modes, [(0.0, "scheduled"), (100.0, "scheduled"), (0.0, "scheduled"), (100.0, "manual")]);
}

#[test]
fn a_repaired_service_closes_the_breaker_at_the_next_probe() {
    // Half-open at 21.433 s; probe 258 (21.5 s) succeeds.
    let history = outage_with(&json!([{"at": 20, "key": "repair_service"}]));
    let last = transitions(&history);
    assert_eq!(last[last.len() - 2..], [(21_433, State::HalfOpen), (22_100, State::Closed)]);
}

#[test]
fn bypass_freezes_the_breaker_and_switched_on_again_it_starts_closed() {
    let history = outage_with(&json!([
        {"at": 10, "key": "breaker_enabled", "value": false},
        {"at": 20, "key": "breaker_enabled", "value": true},
    ]));
    // Calls of the time of bypass, 233 to 239, end after 20 s and count for nothing. 240 is created at 20 s and ends at
    // 20.6 s; 242 (20.167 s) is the third failure.
    use State::{Bypassed, Closed, Open};
    assert_eq!(transitions(&history)[..4], [(8_766, Open), (10_000, Bypassed), (20_000, Closed), (20_766, Open)]);
    let bypassed: Vec<u64> = history
        .requests
        .iter()
        .filter(|request| request.answer == Answer::Bypassed)
        .map(|request| request.id)
        .collect();
    assert_eq!(bypassed, (120..240).collect::<Vec<u64>>());
}

#[test]
fn results_of_an_earlier_breaker_do_not_count_for_its_successor() {
    // Off and on again at 8.5 s: 96 to 101 are under way for the old breaker. 102 is created at 8.5 s; 104 (8.667 s) is the
    // new breaker's third failure.
    let history = outage_with(&json!([
        {"at": 8.5, "key": "breaker_enabled", "value": false},
        {"at": 8.5, "key": "breaker_enabled", "value": true},
    ]));
    use State::{Bypassed, Closed, Open};
    assert_eq!(transitions(&history)[..3], [(8_500, Bypassed), (8_500, Closed), (9_266, Open)]);
    assert!(history.requests[96..=101].iter().all(|request| request.late));
    // Another family of rules is another breaker: its first full window of two is 102 and 103.
    let other = json!({"kind": "ratio", "window": 2, "threshold": 1, "open_for": 6});
    let history = outage_with(&json!([{"at": 8.5, "key": "rule", "value": other}]));
    assert_eq!(transitions(&history)[0], (9_183, Open));
}

#[test]
fn requests_go_on_evenly_at_another_rate() {
    let history = outage_with(&json!([{"at": 1, "key": "requests_per_second", "value": 2}]));
    // 12 was due at 1 s exactly; from there on one comes each half second.
    let instants = created(&history);
    assert_eq!(instants[11..15], [916_666_666, 1_000_000_000, 1_500_000_000, 2_000_000_000]);
    assert_eq!(history.last.generated, 12 + 178);
    // At 1.025 s three tenths of a gap have passed (25 of 83.3 ms): seven tenths of half a second are left.
    let history = outage_with(&json!([{"at": 1.025, "key": "requests_per_second", "value": 2}]));
    assert_eq!(created(&history)[12..15], [1_000_000_000, 1_375_000_000, 1_875_000_000]);
}

#[test]
fn a_change_of_rate_keeps_what_chance_decided_for_each_request() {
    let settings = json!({"schedule": "manual", "dependency_errors_percent": 30});
    let fates = |interventions: Value| -> Vec<Fate> {
        let history = run(&json!({"settings": settings, "interventions": interventions}));
        history.requests.iter().map(|request| request.fate).collect()
    };
    let (slow, fast) = (fates(json!([])), fates(json!([{"at": 10, "key": "requests_per_second", "value": 40}])));
    assert_eq!(slow[..], fast[..slow.len()]);
    let failing = slow.iter().filter(|fate| **fate == Fate::Failure).count();
    // Binomial(1080, 0.3) with a fixed seed: 324 expected, standard deviation 15.06.
    assert!((264..=384).contains(&failing), "{failing}");
}

#[test]
fn the_same_rule_and_an_intervention_at_the_end_change_nothing() {
    let edited = outage_with(&json!([
        {"at": 9, "key": "rule", "value": {"kind": "consecutive", "threshold": 3, "open_for": 6}},
        {"at": 10, "key": "requests_per_second", "value": 12},
        {"at": 90, "key": "break_service"},
    ]));
    let plain = outage_with(&json!([]));
    assert_eq!(
        (&edited.requests, &edited.transitions, &edited.counters),
        (&plain.requests, &plain.transitions, &plain.counters)
    );
}

#[test]
fn calls_wait_at_cockatiels_breaker_and_go_on_with_the_probe() {
    let rule = json!({"kind": "cockatiel", "halfOpenAfter": 6_000, "breaker.kind": "ConsecutiveBreaker", "breaker.threshold": 3});
    let history = run(&json!({ "settings": { "rule": rule } }));
    assert!(history.conservation.holds);
    // Open at 8.767 s as under `consecutive`. The library has no timer: 178 (14.833 s) finds the time over and is the probe.
    use State::{HalfOpen, Open};
    assert_eq!(transitions(&history)[..3], [(8_766, Open), (14_833, HalfOpen), (15_433, Open)]);
    // 179 to 185 (15.417 s) wait for its result and are turned away when it fails, at 15.433 s.
    for request in &history.requests[179..=185] {
        assert_eq!((request.result, request.ended_ns), (Outcome::Rejected, Some(15_433_333_333)), "{request:?}");
    }
    let counts = history.at(15_433_333_333);
    assert_eq!((counts.in_flight, history.at(15_433_333_334).in_flight), (8, 0));
    // Repaired at 14.9 s, they would still be turned away by the failed probe; repaired before it, they go on when it succeeds.
    let repaired = json!({"settings": {"rule": rule}, "interventions": [{"at": 14.8, "key": "repair_service"}]});
    let history = run(&repaired);
    for request in &history.requests[179..=185] {
        assert_eq!((request.answer, request.began_ns), (Answer::Admitted, Some(15_433_333_333)), "{request:?}");
        assert_eq!((request.result, request.ended_ns), (Outcome::Succeeded, Some(16_033_333_333)), "{request:?}");
    }
}

#[test]
fn who_waits_at_a_breaker_that_is_taken_away_goes_on() {
    let rule = json!({"kind": "cockatiel", "halfOpenAfter": 6_000, "breaker.kind": "ConsecutiveBreaker", "breaker.threshold": 3});
    let bypass = json!([{"at": 15, "key": "breaker_enabled", "value": false}]);
    let history = run(&json!({"settings": {"rule": rule}, "interventions": bypass}));
    assert!(history.conservation.holds);
    // 179 (14.917 s) waits; 180 is created at 15 s and finds no breaker.
    let request = &history.requests[179];
    assert_eq!(
        (request.answer, request.began_ns, request.ended_ns),
        (Answer::Bypassed, Some(15_000_000_000), Some(15_600_000_000))
    );
}

#[test]
fn a_librarys_breaker_with_another_setting_is_another_breaker() {
    let rule = json!({"kind": "opossum", "resetTimeout": 60_000});
    let history = run(&json!({"settings": {"rule": rule}, "interventions": [
        {"at": 15, "key": "rule.resetTimeout", "value": 60_000},
        {"at": 20, "key": "rule.resetTimeout", "value": 1_000},
    ]}));
    let changes: Vec<(u64, State)> = transitions(&history);
    assert!(changes.iter().all(|&(at, _)| at != 15_000), "{changes:?}");
    assert!(changes.contains(&(20_000, State::Closed)), "{changes:?}");
}
