//! How attempts end: time-outs, lost, cancelled and ignored calls, slow successes, fallbacks, stuck breakers.

use engine::Duration;
use policies::{AnyRule, Library, NoBreaker, Settings, Value};
use scenario::service::{Fallback, RegimeOptions, Slowness};
use scenario::{Mode, OutcomeAt, Regime, Scenario, Service, Start};

use crate::kit::{always, at, clockwork, consecutive, counts, fixed, millis, mode, notes, regime, run, stream, with};

const NONE: AnyRule = AnyRule::None(NoBreaker);

fn with_options(regime: Regime, options: RegimeOptions) -> Regime {
    Regime { options, ..regime }
}

/// Everything fails until the fault, and then has the given options and never fails.
fn failing_and_then(options: RegimeOptions) -> Mode {
    Mode {
        name: "then".to_owned(),
        timeline: vec![
            (Start::At(at(0)), regime("failing", 1.0, 10)),
            (Start::AfterFault(Duration::ZERO), with_options(regime("then", 0.0, 10), options)),
        ],
    }
}

fn timed_out() -> Scenario {
    with(|service| service.time_out = Some(millis(150)))
}

#[test]
fn a_time_out_frees_the_slot_and_not_the_dependency() {
    let slow = always(regime("slow", 0.0, 450));
    let record = run(&NONE, &timed_out(), &slow);
    assert_eq!((record.responses, record.errors, counts(&record).timeouts), (0, 90, 90));
    // A call every 100 ms: two hold a slot for 150 ms each, five occupy the dependency for 450 ms each.
    let notes = notes(&NONE, &stream(&timed_out(), &slow));
    assert_eq!(notes.iter().map(|(_, snapshot, _)| snapshot.slots_in_use).max(), Some(2));
    assert_eq!(notes.iter().map(|(_, snapshot, _)| snapshot.at_dependency).max(), Some(5));
    assert_eq!(counts(&record).dependency_peak, 5);
    // The slot is held to the time-out: 40 calls in the fault.
    assert_eq!(record.slot_time_fault, millis(40 * 150));
}

#[test]
fn the_breaker_hears_a_failure_at_the_time_out() {
    // The fifth call ends 150 ms after its start; the sixth has started by then.
    let record = run(&consecutive(5, 100_000), &timed_out(), &always(regime("slow", 0.0, 450)));
    assert_eq!((record.calls, record.errors, record.rejected, record.openings), (6, 6, 84, 1));
    assert_eq!(record.false_open_rejections, 0, "they would have timed out");
    // Told at admission, it opens at the fifth call.
    let scenario = Scenario { outcome: OutcomeAt::Admission, ..timed_out() };
    let record = run(&consecutive(5, 100_000), &scenario, &always(regime("slow", 0.0, 450)));
    assert_eq!((record.calls, record.rejected), (5, 85));
}

#[test]
fn who_is_as_fast_as_the_time_out_is_in_time() {
    let record = run(&NONE, &timed_out(), &always(regime("just", 0.0, 150)));
    assert_eq!((record.responses, counts(&record).timeouts), (90, 0));
}

#[test]
fn lost_calls_hold_their_slots_for_ever_and_are_never_heard_of() {
    let lost = RegimeOptions { lost: 1.0, ..RegimeOptions::default() };
    let lost = always(with_options(regime("lost", 0.0, 10), lost));
    let scenario = Scenario { slots: 30, ..clockwork() };
    let record = run(&consecutive(1, 1_000), &scenario, &lost);
    assert_eq!((record.calls, record.in_flight, record.no_slot, record.openings), (30, 30, 60, 0));
    assert_eq!(counts(&record).lost, 30);
    // With a time-out they are failures like others.
    let scenario = Scenario { slots: 30, ..timed_out() };
    let record = run(&NONE, &scenario, &lost);
    assert_eq!((record.errors, counts(&record).lost, counts(&record).timeouts), (90, 90, 90));
    // The dependency was done with them long before: no call meets another there.
    assert_eq!(counts(&record).dependency_peak, 1);
}

#[test]
fn cancelled_and_ignored_calls_tell_the_breaker_nothing() {
    for (cancelled, ignored) in [(1.0, 0.0), (0.0, 1.0)] {
        let options = RegimeOptions { cancelled, ignored, ..RegimeOptions::default() };
        let record =
            run(&consecutive(1, 1_000), &clockwork(), &always(with_options(regime("other", 1.0, 10), options)));
        assert_eq!((record.openings, record.calls, record.errors, record.in_flight), (0, 90, 0, 0));
        assert_eq!((counts(&record).cancelled, counts(&record).ignored), (90 * cancelled as u64, 90 * ignored as u64));
    }
}

/// A failure opens the breaker for 250 ms, at 10 ms after its start: of three requests the first is let through. So the
/// last opening before the fault at 5 s is request 48's, and request 51 is the first after it.
const OPEN_FOR: u64 = 250;

#[test]
fn an_ignored_probe_gives_its_permit_back() {
    let options = RegimeOptions { ignored: 1.0, ..RegimeOptions::default() };
    let record = run(&consecutive(1, OPEN_FOR), &clockwork(), &failing_and_then(options));
    assert_eq!((record.openings, record.errors), (17, 17));
    // Half-open for the rest of the run, with a new probe for every request.
    assert_eq!((counts(&record).ignored, counts(&record).stuck()), (39, false));
}

#[test]
fn a_breaker_whose_probe_is_lost_is_stuck() {
    let lost = failing_and_then(RegimeOptions { lost: 1.0, ..RegimeOptions::default() });
    let stuck_after = |after| with(|service| service.stuck_after = Some(millis(after)));
    let record = run(&consecutive(1, OPEN_FOR), &stuck_after(1_000), &lost);
    assert_eq!((counts(&record).lost, counts(&record).stuck_breakers, record.in_flight), (1, 1, 1));
    // 32 of the first 50 are turned away, request 50 and the 38 after the probe.
    assert_eq!(record.rejected, 50 - 17 + 1 + 38);
    // The last request comes 3.8 s after the probe: a longer bound is never reached.
    assert!(counts(&run(&consecutive(1, OPEN_FOR), &stuck_after(3_700), &lost)).stuck());
    assert!(!counts(&run(&consecutive(1, OPEN_FOR), &stuck_after(3_900), &lost)).stuck());
    // A time-out brings every probe back.
    let scenario = with(|service| (service.time_out, service.stuck_after) = (Some(millis(50)), Some(millis(1_000))));
    assert!(!counts(&run(&consecutive(1, OPEN_FOR), &scenario, &lost)).stuck());
}

/// A count window of five opens at request 4 of a failing service, at 0.41 s; a second later ten calls may probe, of which
/// five failures open it again. So it opens at requests 4, 19, 34 and 49, and lets requests 60 to 69 through after the
/// fault. None of them comes back: all permits are lost.
fn resilience4j(longest_half_open: u64) -> AnyRule {
    let library = Library::named("resilience4j").expect("there is one");
    let settings = Settings::new()
        .with("slidingWindowSize", Value::Number(5.0))
        .with("minimumNumberOfCalls", Value::Number(5.0))
        .with("waitDurationInOpenState", Value::Time(millis(1_000)))
        .with("maxWaitDurationInHalfOpenState", Value::Time(millis(longest_half_open)));
    library.build(&settings).expect("valid")
}

#[test]
fn a_library_whose_permits_are_lost_is_stuck_unless_it_gives_up_waiting() {
    let lost = failing_and_then(RegimeOptions { lost: 1.0, ..RegimeOptions::default() });
    let scenario = with(|service| service.stuck_after = Some(millis(1_000)));
    let record = run(&resilience4j(0), &scenario, &lost);
    assert_eq!((record.openings, record.errors, record.rejected), (4, 20, 60));
    assert_eq!((counts(&record).lost, record.in_flight, counts(&record).stuck_breakers), (10, 10, 1));
    // It opens again 950 ms after the first of them; ten more are lost a second after that, and it opens once more.
    let record = run(&resilience4j(950), &scenario, &lost);
    assert_eq!((record.openings, counts(&record).lost, counts(&record).stuck_breakers), (6, 20, 0));
}

/// To ask for the watch is to get it, in a world that is plain otherwise.
#[test]
fn who_asks_for_the_watch_gets_the_richer_world() {
    let well = always(regime("well", 0.0, 10));
    assert_eq!(run(&NONE, &clockwork(), &well).service, None);
    let watched = run(&NONE, &with(|service| service.stuck_after = Some(Service::STUCK_AFTER)), &well);
    assert_eq!(counts(&watched).stuck_breakers, 0);
}

#[test]
fn slow_successes_hold_longer() {
    let slow = |probability| {
        let slow = Some(Slowness { probability, hold: fixed(400) });
        mode(with_options(regime("slow", 0.0, 10), RegimeOptions { slow, ..RegimeOptions::default() }))
    };
    let held = |probability| run(&NONE, &clockwork(), &slow(probability)).slot_time_fault;
    assert_eq!((held(0.0), held(1.0)), (millis(40 * 10), millis(40 * 400)));
    // Which ones are slow is drawn by identity: more of them with a higher probability, and those among them.
    assert!(held(0.0) < held(0.3) && held(0.3) < held(0.7) && held(0.7) < held(1.0));
    assert_eq!((held(0.3).as_nanos() - held(0.0).as_nanos()) % millis(390).as_nanos(), 0);
}

#[test]
fn fallbacks_answer_whatever_was_no_success() {
    let of = |rule: &AnyRule, fallback| {
        let record = run(rule, &with(|service| service.fallback = fallback), &always(regime("down", 1.0, 10)));
        assert_eq!(record.errors + record.rejected, 90, "the endings are what they were");
        (record.service.map_or(0, |counts| counts.fallbacks), record.service.map_or(0, |counts| counts.wrong_successes))
    };
    for rule in [NONE, consecutive(5, 1_000)] {
        assert_eq!(of(&rule, Fallback::Fail), (0, 0));
        assert_eq!(of(&rule, Fallback::Review), (90, 0));
        assert_eq!(of(&rule, Fallback::Silent { wrong: 1.0 }), (90, 90));
        assert_eq!(of(&rule, Fallback::Stale { wrong: 0.0 }), (90, 0));
        // Which answers are stale is a matter of the request, and not of how it fared.
        assert_eq!(of(&rule, Fallback::Stale { wrong: 0.3 }), of(&NONE, Fallback::Stale { wrong: 0.3 }));
    }
    let healthy = run(&NONE, &with(|service| service.fallback = Fallback::Review), &always(regime("well", 0.0, 10)));
    assert_eq!((healthy.responses, counts(&healthy).fallbacks), (90, 0));
}

#[test]
fn what_arrives_in_the_warm_up_counts_nowhere() {
    let scenario = Scenario { warm_up: at(2_000), ..timed_out() };
    let record = run(&NONE, &scenario, &always(regime("slow", 0.0, 450)));
    assert_eq!((record.requests, record.errors, counts(&record).timeouts), (70, 70, 70));
}
