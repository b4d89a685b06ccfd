//! Who asks when: closed-loop callers, pauses, ramps.

use policies::{AnyRule, NoBreaker};
use scenario::service::{Callers, Pause, Ramp, RegimeOptions};
use scenario::{Fate, Regime, Scenario};

use crate::kit::{always, at, clockwork, consecutive, counts, fixed, millis, mode, regime, run, starts, stream, with};

const NONE: AnyRule = AnyRule::None(NoBreaker);

fn two_callers() -> Scenario {
    with(|service| service.callers = Some(Callers { number: 2, think: fixed(90) }))
}

/// Each caller asks at 90 ms and, when an answer takes 10 ms, every 100 ms; nobody asks from 9 s on.
#[test]
fn callers_think_ask_and_wait() {
    let record = run(&NONE, &two_callers(), &always(regime("well", 0.0, 10)));
    assert_eq!((record.requests, record.responses), (180, 180));
    // A slow dependency slows its callers down: every 200 ms.
    let record = run(&NONE, &two_callers(), &always(regime("slow", 0.0, 110)));
    assert_eq!((record.requests, record.responses), (90, 90));
}

/// Open, a breaker answers at once: after one failure its callers come every 90 ms and no longer every 100.
#[test]
fn a_breaker_that_turns_callers_away_hears_of_them_sooner() {
    let record = run(&consecutive(1, 100_000), &two_callers(), &always(regime("down", 1.0, 10)));
    // Both are let through at 90 ms and fail at 100 ms. From then on each asks at 190, 280, 370 … ms up to 8 920 ms.
    assert_eq!((record.errors, record.rejected), (2, 2 * 98));
    assert_eq!(record.openings, 1);
}

#[test]
fn nobody_arrives_in_a_pause_and_the_others_stay_as_they_were() {
    let pause = Pause { from: at(2_000), to: at(4_000) };
    let all = stream(&clockwork(), &always(regime("partial", 0.3, 10)));
    let fewer = stream(&with(|service| service.pauses.push(pause)), &always(regime("partial", 0.3, 10)));
    assert_eq!(fewer.requests().len(), 70);
    let outside: Vec<_> = all.requests().iter().filter(|request| !pause.holds(request.at)).copied().collect();
    assert_eq!(fewer.requests(), outside);
    // Callers come back at the end of a pause: both of them at 4 s.
    let mut scenario = two_callers();
    scenario.service.pauses.push(pause);
    let starts = starts(&NONE, &stream(&scenario, &always(regime("well", 0.0, 10))));
    // The first is at 90 ms, so 4 s is 3,910 ms later.
    let after: Vec<u64> = starts.iter().map(|call| call.2).filter(|&after| after > 1_910).take(3).collect();
    assert_eq!(after, [3_910, 3_910, 4_010]);
}

/// Failures fade over two seconds after the fault: the later, the fewer, and none of them anew.
#[test]
fn a_ramp_leads_from_one_probability_to_the_next() {
    let fade = |over, from| {
        let options = RegimeOptions { ramp: Some(Ramp { over: millis(over), from }), ..RegimeOptions::default() };
        let fault = mode(Regime { options, ..regime("fade", 0.0, 10) });
        let stream = stream(&clockwork(), &fault);
        let failed = stream.requests().iter().filter(|request| request.fate == Fate::Failure);
        failed.map(|request| request.number).collect::<Vec<u32>>()
    };
    // From the first regime's 0 to 0: nothing fails. From 1 down: requests 50 to 69 may.
    assert_eq!(fade(2_000, None), []);
    let faded = fade(2_000, Some(1.0));
    assert!(faded.iter().all(|number| (50..70).contains(number)) && faded.len() > 3, "{faded:?}");
    let longer = fade(4_000, Some(1.0));
    assert!(faded.iter().all(|number| longer.contains(number)) && longer.len() > faded.len());
}

/// A cold start is a ramp of the first regime.
#[test]
fn a_service_can_start_cold() {
    let options =
        RegimeOptions { ramp: Some(Ramp { over: millis(1_000), from: Some(1.0) }), ..RegimeOptions::default() };
    let mut cold = always(regime("well", 0.0, 10));
    cold.timeline[0].1.options = options;
    let stream = stream(&clockwork(), &cold);
    let failed = |request: &&scenario::Request| request.fate == Fate::Failure;
    assert!(stream.requests().iter().filter(failed).all(|request| request.at < at(1_000)));
    assert!(stream.requests().iter().any(|request| request.fate == Fate::Failure));
    let scenario = with(|service| service.time_out = Some(millis(500)));
    assert_eq!(counts(&run(&NONE, &scenario, &cold)).timeouts, 0);
}
