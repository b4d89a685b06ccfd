//! Small worlds whose numbers can be worked out on paper: clockwork arrivals, fixed holds.

use engine::{Distribution, Duration, Time};
use policies::{AnyRule, Consecutive, HalfOpen};
use scenario::service::{Pause, ServiceNote, Snapshot, observe_service_any};
use scenario::{
    ArrivalProcess, FaultAt, Horizon, Mode, Opening, OutcomeAt, Regime, Replication, RequestStream, RunRecord,
    Scenario, Service, ServiceCounts, Start, run_any,
};

pub(crate) fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) fn at(after: u64) -> Time {
    Time::ZERO + millis(after)
}

pub(crate) fn fixed(after: u64) -> Distribution {
    Distribution::Deterministic(millis(after))
}

/// A breaker that opens after so many failures in a row, for so many milliseconds.
pub(crate) fn consecutive(threshold: u32, open_for: u64) -> AnyRule {
    Consecutive::new(threshold, millis(open_for), HalfOpen::default()).expect("valid").into()
}

/// Ten dependency requests per second at equal distances, no neighbours, 1000 slots, a fault at 5 s. Nobody arrives in the
/// tenth and last second, so that everything can end: 50 requests before the fault and 40 after it. Where between two
/// tenths of a second they arrive is drawn, and no number below depends on it.
pub(crate) fn clockwork() -> Scenario {
    let service = Service { pauses: vec![Pause { from: at(9_000), to: at(10_000) }], ..Service::default() };
    Scenario {
        slots: 1_000,
        horizon: Horizon::At(at(10_000)),
        warm_up: Time::ZERO,
        fault_at: FaultAt::Fixed(at(5_000)),
        outcome: OutcomeAt::Completion,
        rejection_hold: Duration::ZERO,
        dependency: ArrivalProcess::Even { rate: 10.0 },
        neighbour: ArrivalProcess::Even { rate: 0.0 },
        neighbour_hold: fixed(40),
        service,
    }
}

/// The same with other options.
pub(crate) fn with(change: impl FnOnce(&mut Service)) -> Scenario {
    let mut scenario = clockwork();
    change(&mut scenario.service);
    scenario
}

/// A regime in which so many of the calls fail, and all hold for so many milliseconds.
pub(crate) fn regime(name: &str, failure_probability: f64, hold: u64) -> Regime {
    let opening = if failure_probability < 0.5 { Opening::False } else { Opening::Right };
    let given = Regime::given("healthy").expect("given");
    let name = name.to_owned();
    Regime { name, failure_probability, success_hold: fixed(hold), failure_hold: fixed(hold), opening, ..given }
}

/// All is well until the fault, and then the given regime holds.
pub(crate) fn mode(fault: Regime) -> Mode {
    Mode {
        name: "fault".to_owned(),
        timeline: vec![(Start::At(Time::ZERO), regime("well", 0.0, 10)), (Start::AfterFault(Duration::ZERO), fault)],
    }
}

/// The same regime from the start on; the fault changes nothing.
pub(crate) fn always(regime: Regime) -> Mode {
    Mode {
        name: "always".to_owned(),
        timeline: vec![(Start::At(Time::ZERO), regime.clone()), (Start::AfterFault(Duration::ZERO), regime)],
    }
}

pub(crate) fn stream(scenario: &Scenario, mode: &Mode) -> RequestStream {
    assert_eq!(scenario.service.validate(scenario.slots), Ok(()));
    Replication::draw(scenario, 7, 0).stream(mode)
}

pub(crate) fn run(rule: &AnyRule, scenario: &Scenario, mode: &Mode) -> RunRecord {
    run_any(rule, &stream(scenario, mode))
}

/// The counts of a run that needs the richer world.
pub(crate) fn counts(record: &RunRecord) -> ServiceCounts {
    record.service.expect("a run of the richer world")
}

/// Everything that is noted in a run.
pub(crate) fn notes(rule: &AnyRule, stream: &RequestStream) -> Vec<(Time, Snapshot, ServiceNote)> {
    let mut notes = Vec::new();
    let _ = observe_service_any(rule, stream, |now: Time, snapshot: Snapshot, note: ServiceNote| {
        notes.push((now, snapshot, note));
    });
    notes
}

/// The requests and attempts that started, and how many milliseconds after the first of them.
pub(crate) fn starts(rule: &AnyRule, stream: &RequestStream) -> Vec<(u64, u32, u64)> {
    let mut first = None;
    let started = notes(rule, stream).into_iter().filter_map(|(now, _, note)| match note {
        ServiceNote::Started { request, attempt, .. } => {
            let origin = *first.get_or_insert(now);
            // Equal gaps are floored to nanoseconds one by one.
            Some((request, attempt, (now.since(origin).as_nanos() + 500_000) / 1_000_000))
        }
        _ => None,
    });
    started.collect()
}
