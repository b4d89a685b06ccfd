//! A dependency that suffers from its load.

use engine::Duration;
use policies::{AnyRule, NoBreaker};
use scenario::service::{Load, Retries, ServiceNote};
use scenario::{Mode, Scenario, Start};

use crate::kit::{always, counts, millis, notes, regime, run, stream, with};

const NONE: AnyRule = AnyRule::None(NoBreaker);

/// Two slots, a call of 250 ms every 100 ms, as long again for every two calls too many. Each start meets, its own
/// included, 1, 2, 3, 3, 3 and 4 calls: those of 0, 100, 200 … ms end at 250, 350, 575, 675, 775 … ms.
#[test]
fn holds_grow_with_the_calls_under_way() {
    let load = Load { slots: 2, slowdown: 1.0, failures: 0.0 };
    let stream = stream(&with(|service| service.load = Some(load)), &always(regime("well", 0.0, 250)));
    let holds = notes(&NONE, &stream).into_iter().filter_map(|(_, _, note)| match note {
        ServiceNote::Started { hold, .. } => hold,
        _ => None,
    });
    assert_eq!(holds.take(6).collect::<Vec<_>>(), [250, 250, 375, 375, 375, 500].map(millis));
}

#[test]
fn failures_grow_with_the_calls_under_way() {
    let failing = |slots, failures| {
        let load = Load { slots, slowdown: 0.0, failures };
        run(&NONE, &with(|service| service.load = Some(load)), &always(regime("well", 0.0, 150))).errors
    };
    // Every call but the first meets one other.
    assert_eq!((failing(1, 1.0), failing(2, 1.0), failing(1, 0.0)), (89, 0, 0));
    assert!((30..60).contains(&failing(1, 0.5)));
}

/// A second of slowness; clients that give up and try again keep the dependency overloaded.
#[test]
fn retries_keep_an_overloaded_dependency_down_and_a_breaker_lets_it_go() {
    let load = Load { slots: 4, slowdown: 1.0, failures: 0.0 };
    let retries = Retries {
        attempts: 4,
        delay: millis(20),
        growth: 1.0,
        longest: millis(20),
        jitter: 0.0,
        breaker_outside: false,
        budget: None,
    };
    let scenario = |retrying: bool| {
        with(|service| {
            service.load = Some(load);
            service.time_out = Some(millis(300));
            service.retries = retrying.then_some(retries);
        })
    };
    let mut blip = regime("blip", 0.0, 700);
    blip.opening = scenario::Opening::Right;
    let well = regime("well", 0.0, 200);
    let trigger = Mode {
        name: "trigger".to_owned(),
        timeline: vec![
            (Start::At(crate::kit::at(0)), well.clone()),
            (Start::AfterFault(Duration::ZERO), blip),
            (Start::AfterFault(millis(1_000)), well),
        ],
    };
    let late_errors = |rule: &AnyRule, scenario: &Scenario| {
        notes(rule, &stream(scenario, &trigger))
            .into_iter()
            .filter(|(now, _, note)| {
                *now >= crate::kit::at(8_000)
                    && matches!(note, ServiceNote::Ended { ended: scenario::service::Ended::TimedOut, .. })
            })
            .count()
    };
    assert_eq!(late_errors(&NONE, &scenario(false)), 0, "without retries it recovers");
    assert!(late_errors(&NONE, &scenario(true)) > 10, "with them it does not");
    assert_eq!(late_errors(&crate::kit::consecutive(5, 500), &scenario(true)), 0, "the breaker lets it");
    assert!(counts(&run(&NONE, &scenario(true), &trigger)).dependency_peak > 8);
}
