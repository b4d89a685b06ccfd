//! A stream that asks for nothing more gives the plain world's record, to the last bit.

use engine::{Duration, Time};
use policies::{AnyRule, HalfOpen, NoBreaker, Ratio, Settings, libraries};
use scenario::{
    ArrivalProcess, DesignSet, FaultAt, Mode, OutcomeAt, Replication, RunRecord, Scenario, Service, Sharing, run_any,
    run_service_any,
};

use crate::kit::{consecutive, mode, regime, with};

fn designs() -> Vec<AnyRule> {
    let probing = HalfOpen { permits: 3, successes: 2 };
    let mut designs = vec![NoBreaker.into()];
    for open_for in [500, 2_000] {
        designs.extend([1, 3, 8].map(|threshold| consecutive(threshold, open_for)));
        let ratio = |window, threshold, half_open| -> AnyRule {
            Ratio::new(window, threshold, Duration::from_millis(open_for), half_open).expect("valid").into()
        };
        designs.extend([ratio(10, 0.5, HalfOpen::default()), ratio(20, 0.2, probing)]);
    }
    // Libraries as they come, if they do: among them those that hold calls back.
    designs.extend(libraries().iter().filter_map(|library| library.build(&Settings::new()).ok()));
    designs
}

/// Draws are made anew by the richer world, and have to be those of the stream.
#[test]
fn drawn_requests_fare_alike_in_both_worlds() {
    let second = |seconds| Time::ZERO + Duration::from_secs(seconds);
    let scenarios = [
        Scenario::default(),
        Scenario { slots: 12, outcome: OutcomeAt::Admission, ..Scenario::default() },
        Scenario {
            fault_at: FaultAt::Uniform { from: second(2), to: second(4) },
            neighbour: ArrivalProcess::Bursty {
                quiet_rate: 200.0,
                burst_rate: 900.0,
                mean_quiet: Duration::from_millis(500),
                mean_burst: Duration::from_millis(200),
            },
            ..Scenario::default()
        },
    ];
    for scenario in &scenarios {
        for replication in 0..5 {
            let draws = Replication::draw(scenario, 99, replication);
            for name in Mode::GIVEN {
                let stream = draws.stream(&Mode::given(name, Some(Duration::from_secs(5))).expect("given"));
                assert!(!stream.needs_service());
                for design in designs() {
                    let rich = run_service_any(&design, &stream);
                    assert_eq!(RunRecord { service: None, ..rich }, run_any(&design, &stream), "{design} in {name}");
                }
            }
        }
    }
}

/// Where only the richer world will do, sharing is off and every design is run by itself.
#[test]
fn designs_are_run_one_at_a_time_where_worlds_cannot_be_shared() {
    let service = Service { time_out: Some(Duration::from_millis(100)), ..Service::default() };
    let scenario = Scenario { service, ..Scenario::default() };
    let stream = Replication::draw(&scenario, 4, 0).stream(&Mode::given("slowdown", None).expect("given"));
    assert!(stream.needs_service());
    let set = DesignSet::new(&designs());
    let (records, stats) = set.run(&stream, Sharing::Auto);
    assert_eq!(stats.requests_saved(), 0);
    let alone: Vec<RunRecord> = designs().iter().map(|design| run_any(design, &stream)).collect();
    assert_eq!(records, alone);
    // All failures took 220 ms, and take 100 ms now.
    assert!(records.iter().all(|record| record.service.expect("rich").timeouts > 0));
}

/// What only changes arrivals and how calls fare can still be shared: the records of both worlds are equal.
#[test]
fn options_of_the_stream_alone_need_no_richer_world() {
    use scenario::service::{Pause, Ramp, RegimeOptions, Slowness};
    let pause =
        Pause { from: Time::ZERO + Duration::from_millis(1_000), to: Time::ZERO + Duration::from_millis(2_500) };
    let scenario = with(|service| {
        service.pauses.push(pause);
        service.shards = vec![3.0, 1.0];
    });
    let mut fault = regime("fault", 0.9, 30);
    fault.options = RegimeOptions {
        slow: Some(Slowness { probability: 0.5, hold: crate::kit::fixed(400) }),
        ramp: Some(Ramp { over: Duration::from_secs(2), from: None }),
        shard: Some(1),
        ..RegimeOptions::default()
    };
    let stream = Replication::draw(&scenario, 4, 0).stream(&mode(fault));
    assert!(!stream.needs_service());
    // 15 of the 90 requests lie in the pause.
    assert_eq!(stream.requests().len(), 75);
    for design in designs() {
        let rich = run_service_any(&design, &stream);
        assert_eq!(RunRecord { service: None, ..rich }, run_any(&design, &stream), "{design}");
    }
}
