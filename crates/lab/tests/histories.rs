//! What holds in every run, whatever its settings and whatever is changed on the way.

use lab::KeptRuns;
use lab::comparison::Comparison;
use lab::history::{Answer, History, Outcome, RequestHistory};
use lab::input::Input;
use lab::live::Counters;
use lab::live::{Live, State};
use lab::settings::HORIZON;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

fn rule() -> impl Strategy<Value = Value> {
    let probes = (1..4_u32, 1..4_u32);
    prop_oneof![
        (1..6_u32, 1..80_u32, probes.clone()).prop_map(|(threshold, tenths, (permits, successes))| json!({
            "kind": "consecutive", "threshold": threshold, "open_for": f64::from(tenths) / 10.0,
            "half_open_permits": permits, "half_open_successes": successes,
        })),
        (1..150_u32, 1..=10_u32, 1..80_u32, probes).prop_map(|(window, share, tenths, (permits, successes))| json!({
            "kind": "ratio", "window": window, "threshold": f64::from(share) / 10.0, "open_for": f64::from(tenths) / 10.0,
            "half_open_permits": permits, "half_open_successes": successes,
        })),
        Just(json!({ "kind": "none" })),
    ]
}

/// Rules of libraries that are quick to open and to close, so that 90 seconds show something. Calls wait at cockatiel's.
fn library_rule() -> impl Strategy<Value = Value> {
    (0..5_u32, 1..50_u32, 1..20_u32).prop_map(|(which, tenths, number)| match which {
        0 => json!({
            "kind": "cockatiel", "halfOpenAfter": tenths * 100, "breaker.kind": "ConsecutiveBreaker", "breaker.threshold": number,
        }),
        1 => json!({
            "kind": "resilience4j", "slidingWindowSize": number, "minimumNumberOfCalls": 1,
            "waitDurationInOpenState": f64::from(tenths) / 10.0, "permittedNumberOfCallsInHalfOpenState": number,
        }),
        2 => json!({"kind": "opossum", "resetTimeout": tenths * 100, "volumeThreshold": number}),
        3 => json!({
            "kind": "gobreaker", "Timeout": f64::from(tenths) / 10.0, "ReadyToTrip.kind": "consecutive_failures_ge",
            "ReadyToTrip.n": number,
        }),
        _ => json!({
            "kind": "sentinel", "grade": "DEGRADE_GRADE_EXCEPTION_COUNT", "count": number, "timeWindow": 1 + tenths / 10,
        }),
    })
}

fn settings(rule: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    (1..300_u32, 0..=100_u32, 1..30_u32, any::<bool>(), prop::bool::weighted(0.8), rule).prop_map(
        |(rate, percent, tenths, scheduled, enabled, rule)| {
            json!({
                "requests_per_second": f64::from(rate) / 10.0,
                "dependency_errors_percent": percent,
                "schedule": if scheduled { "outage" } else { "manual" },
                "response_time": f64::from(tenths) / 10.0,
                "breaker_enabled": enabled,
                "rule": rule,
            })
        },
    )
}

fn change(rule: impl Strategy<Value = Value> + 'static) -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        (1..300_u32).prop_map(|rate| ("requests_per_second", json!(f64::from(rate) / 10.0))),
        (0..=100_u32).prop_map(|percent| ("dependency_errors_percent", json!(percent))),
        (1..40_u32).prop_map(|tenths| ("response_time", json!(f64::from(tenths) / 10.0))),
        any::<bool>().prop_map(|enabled| ("breaker_enabled", json!(enabled))),
        any::<bool>().prop_map(|outage| ("schedule", json!(if outage { "outage" } else { "manual" }))),
        Just(("break_service", Value::Null)),
        Just(("repair_service", Value::Null)),
        rule.prop_map(|rule| ("rule", rule)),
    ]
}

/// Instants that meet events now and then: multiples of a quarter of a second.
fn instant() -> impl Strategy<Value = u64> {
    prop_oneof![(0..=360_u64).prop_map(|quarters| quarters * 250_000_000), 0..=90_000_000_000_u64]
}

/// Inputs with the workspace's own rules.
fn own_input() -> BoxedStrategy<Input> {
    input_with(|| rule().boxed())
}

/// Inputs with any rules.
fn input() -> BoxedStrategy<Input> {
    input_with(|| prop_oneof![rule(), library_rule()].boxed())
}

fn input_with(rule: fn() -> BoxedStrategy<Value>) -> BoxedStrategy<Input> {
    let interventions = prop::collection::vec((instant(), change(rule())), 0..8);
    let inputs = (any::<u32>(), settings(rule()), interventions).prop_map(|(seed, settings, interventions)| {
        let intervention = |(at, (key, value)): (u64, (&str, Value))| json!({"at_ns": at, "key": key, "value": value});
        let interventions: Vec<Value> = interventions.into_iter().map(intervention).collect();
        let body = json!({"seed": seed, "settings": settings, "interventions": interventions});
        Input::read(&body).unwrap_or_else(|refusal| panic!("{refusal} of {body}"))
    });
    inputs.boxed()
}

/// The counters at an instant, from what became of each request.
fn recount(history: &History, at_ns: u64) -> Counters {
    let before = |instant: Option<u64>| instant.is_some_and(|instant| instant < at_ns);
    let created = || history.requests.iter().filter(|request| request.created_ns < at_ns);
    let count =
        |is_counted: &dyn Fn(&RequestHistory) -> bool| created().filter(|request| is_counted(request)).count() as u64;
    // A request that waits at the breaker is in flight until the breaker turns it away, or its call ends.
    let ended = |result| count(&|request| before(request.ended_ns) && request.result == result);
    let rejected = ended(Outcome::Rejected);
    Counters {
        generated: count(&|_| true),
        attempted: count(&|_| true) - rejected,
        succeeded: ended(Outcome::Succeeded),
        failed: ended(Outcome::Failed),
        rejected,
        in_flight: count(&|request| !before(request.ended_ns)),
        probes: count(&|request| request.probe && before(request.began_ns)),
    }
}

fn instants(history: &History) -> Vec<u64> {
    let rows = history.counters.at_ns.iter().flat_map(|&at| [at, at + 1]);
    rows.chain([0, HORIZON.as_nanos()]).collect()
}

/// The part of a history before an instant: what a branch there has to leave as it is.
fn before(history: &History, at_ns: u64) -> Value {
    let created: Vec<Value> = history
        .requests
        .iter()
        .filter(|request| request.created_ns < at_ns)
        .map(|request| {
            let ended = request.ended_ns.filter(|&ended| ended < at_ns);
            // Whether a result is late is known when it arrives.
            let late = ended.is_some() && request.late;
            json!([
                request.id,
                request.created_ns,
                request.answer,
                request.probe,
                request.fate,
                request.due_ns,
                ended,
                late
            ])
        })
        .collect();
    let transitions: Vec<_> = history.transitions.iter().filter(|transition| transition.at_ns < at_ns).collect();
    let trace: Vec<_> = history.trace.iter().filter(|said| said.at_ns < at_ns).collect();
    let rows = history.counters.at_ns.partition_point(|&row| row < at_ns);
    json!([created, transitions, trace, &history.counters.at_ns[..rows], &history.counters.in_flight[..rows]])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, rng_seed: RngSeed::Fixed(17), ..ProptestConfig::default() })]

    #[test]
    fn every_request_is_accounted_for_at_every_instant(input in input()) {
        let history = History::of(&input);
        prop_assert!(history.conservation.holds);
        for at_ns in instants(&history).into_iter().step_by(7) {
            let counts = history.at(at_ns);
            prop_assert_eq!(counts.generated, counts.succeeded + counts.failed + counts.rejected + counts.in_flight);
            prop_assert_eq!(counts.attempted, counts.succeeded + counts.failed + counts.in_flight);
            prop_assert_eq!(counts, recount(&history, at_ns));
        }
        prop_assert_eq!(history.at(HORIZON.as_nanos()), history.last);
    }

    #[test]
    fn the_same_input_gives_the_same_bytes(input in input()) {
        let bytes = |history: &History| serde_json::to_vec(history).expect("JSON");
        let first = bytes(&History::of(&input));
        prop_assert_eq!(&first, &bytes(&History::of(&input)));
        // The answer says what it is the answer to.
        let again = Input::read(&History::of(&input).input).expect("its own input");
        prop_assert_eq!(&first, &bytes(&History::of(&again)));
    }

    #[test]
    fn a_branch_shares_the_past(input in input(), at_ns in instant(), (key, value) in change(library_rule())) {
        let kept = KeptRuns::default();
        let (trunk, _) = kept.history(&input);
        let mut body = input.write();
        let interventions = body["interventions"].as_array_mut().expect("a list");
        interventions.retain(|intervention| intervention["at_ns"].as_u64() < Some(at_ns));
        interventions.push(json!({"at_ns": at_ns, "key": key, "value": value}));
        let branched = Input::read(&body).expect("valid");
        let (branch, from) = kept.history(&branched);
        prop_assert!(from.as_nanos() <= at_ns);
        prop_assert!(at_ns - from.as_nanos() <= 5_000_000_000, "{} is far from {}", from, at_ns);
        prop_assert_eq!(before(&branch, at_ns), before(&trunk, at_ns));
        prop_assert_eq!(branch, History::of(&branched));
    }

    #[test]
    fn a_clone_goes_on_as_the_original_would(input in input(), at_ns in instant()) {
        let mut live = Live::start(input.seed, input.settings);
        let mut left = input.interventions.iter().peekable();
        let at = engine::Time::from_nanos(at_ns);
        let mut go_on = |live: &mut Live, until: engine::Time| {
            while let Some(intervention) = left.next_if(|intervention| intervention.at < until) {
                live.run_until(intervention.at);
                live.intervene(&intervention.change);
            }
            live.run_until(until);
        };
        go_on(&mut live, at);
        let mut clone = live.clone();
        live.run_until(HORIZON);
        go_on(&mut clone, HORIZON);
        prop_assert_eq!(History::new(&input, &clone), History::of(&input));
    }

    #[test]
    fn requests_do_not_depend_on_the_breaker(input in input(), other in rule()) {
        let Comparison { protected, bypassed, difference, .. } = Comparison::of(&input);
        prop_assert!(difference.same_requests);
        prop_assert_eq!(difference.attempts_avoided as u64, difference.rejected);
        prop_assert_eq!(difference.rejected, difference.rejected_would_fail + difference.rejected_would_succeed);
        prop_assert_eq!(
            difference.attempts_avoided,
            difference.failures_avoided + difference.successes_lost + difference.in_flight_avoided
        );
        prop_assert!(bypassed.requests.iter().all(|request| request.answer == Answer::Bypassed));
        prop_assert!(protected.requests.iter().all(|request| request.answer != Answer::Bypassed));
        let mut body = input.write();
        body["settings"]["rule"] = other;
        body["interventions"].as_array_mut().expect("a list").retain(|intervention| intervention["key"] != "rule");
        let other = History::of(&Input::read(&body).expect("valid"));
        let identities = |history: &History| -> Vec<_> {
            history.requests.iter().map(|request| (request.created_ns, request.fate, request.response_ns)).collect()
        };
        prop_assert_eq!(identities(&other), identities(&protected));
    }

    #[test]
    fn a_late_result_moves_nothing(input in own_input()) {
        let history = History::of(&input);
        let late: Vec<&RequestHistory> = history.requests.iter().filter(|request| request.late).collect();
        for request in late {
            let by_it = |transition: &&lab::history::Transition| transition.request == Some(request.id);
            let moved = history.transitions.iter().filter(by_it).find(|transition| Some(transition.at_ns) == request.ended_ns);
            prop_assert!(moved.is_none(), "{:?} of {:?}", moved, request);
            let said = history.trace.iter().find(|said| said.request == Some(request.id) && said.text.contains("late"));
            prop_assert!(said.is_some_and(|said| said.text.contains("changes nothing")), "{:?}", request);
        }
    }

    #[test]
    fn states_and_transitions_tell_the_same_story(input in own_input()) {
        let history = History::of(&input);
        let mut state = if input.settings.breaker_enabled { State::Closed } else { State::Bypassed };
        for transition in &history.transitions {
            prop_assert_eq!(transition.from, state);
            prop_assert_ne!(transition.to, state);
            state = transition.to;
        }
        prop_assert_eq!(history.states[0].from_ns, 0);
        prop_assert!(history.states.windows(2).all(|pair| pair[0].to_ns == pair[1].from_ns));
        prop_assert_eq!(history.states.last().map(|stay| (stay.to_ns, stay.state)), Some((HORIZON.as_nanos(), state)));
        // While open, everything is rejected; while closed or bypassed, nothing is.
        for stay in &history.states {
            let of_stay = |request: &&RequestHistory| stay.from_ns < request.created_ns && request.created_ns < stay.to_ns;
            for request in history.requests.iter().filter(of_stay) {
                let expected = match stay.state {
                    State::Closed => request.answer == Answer::Admitted && !request.probe,
                    State::Open => request.result == Outcome::Rejected,
                    State::HalfOpen => request.probe || request.result == Outcome::Rejected,
                    State::Bypassed => request.answer == Answer::Bypassed,
                };
                prop_assert!(expected, "{:?} in {:?}", request, stay);
            }
        }
    }
}
