//! Every design and every mode of a replication sees the same requests; nothing but identity enters a draw.

use engine::{Distribution, Duration, Time};
use policies::{AnyRule, Consecutive, HalfOpen, NoBreaker};
use scenario::{ArrivalProcess, Fate, FaultAt, Horizon, Mode, Replication, Request, Scenario, run_any};

fn requests(scenario: &Scenario, seed: u64, replication: u32, mode: &str) -> Vec<Request> {
    let mode = Mode::given(mode, None).expect("given");
    Replication::draw(scenario, seed, replication).stream(&mode).requests().to_vec()
}

#[test]
fn modes_share_arrivals_and_everything_before_the_fault() {
    let scenario = Scenario::default();
    let healthy = requests(&scenario, 7, 3, "healthy");
    for mode in ["partial", "slowdown", "down"] {
        let other = requests(&scenario, 7, 3, mode);
        assert_eq!(healthy.len(), other.len());
        for (a, b) in healthy.iter().zip(&other) {
            assert_eq!((a.at, a.number, a.fate == Fate::Neighbour), (b.at, b.number, b.fate == Fate::Neighbour));
            if a.at < Time::from_nanos(2_000_000_000) || a.fate == Fate::Neighbour {
                assert_eq!(a, b);
            }
        }
    }
}

#[test]
fn a_call_that_fails_at_a_lower_probability_fails_at_a_higher_one() {
    let scenario = Scenario::default();
    let healthy = requests(&scenario, 7, 0, "healthy");
    let partial = requests(&scenario, 7, 0, "partial");
    let failures = |requests: &[Request]| requests.iter().filter(|request| request.fate == Fate::Failure).count();
    assert!(failures(&healthy) > 0 && failures(&partial) > failures(&healthy));
    for (low, high) in healthy.iter().zip(&partial).filter(|(low, _)| low.fate == Fate::Failure) {
        assert_eq!(high.fate, Fate::Failure, "request {}", low.number);
    }
}

#[test]
fn a_longer_horizon_and_another_pool_change_no_earlier_request() {
    let short = Scenario::default();
    let long = Scenario { horizon: Horizon::At(Time::from_nanos(20_000_000_000)), slots: 5, ..Scenario::default() };
    let (short, long) = (requests(&short, 7, 1, "down"), requests(&long, 7, 1, "down"));
    assert!(long.len() > short.len());
    assert_eq!(short, long[..short.len()]);
}

#[test]
fn another_arrival_process_of_one_flow_leaves_the_other_flow_alone() {
    let even = Scenario { neighbour: ArrivalProcess::Even { rate: 100.0 }, ..Scenario::default() };
    let dependency = |scenario: &Scenario| {
        let mut calls = requests(scenario, 7, 1, "partial");
        calls.retain(|request| request.fate != Fate::Neighbour);
        calls
    };
    assert_eq!(dependency(&Scenario::default()), dependency(&even));
}

#[test]
fn replications_and_seeds_differ() {
    let scenario = Scenario::default();
    let of = |seed, replication| requests(&scenario, seed, replication, "healthy");
    assert_ne!(of(7, 0), of(7, 1));
    assert_ne!(of(7, 1), of(8, 0), "replication k of a seed is not replication k − 1 of the next");
}

#[test]
fn a_breaker_that_never_opens_leaves_the_run_as_without_one() {
    let scenario = Scenario::default();
    let mode = Mode::given("down", None).expect("given");
    let stream = Replication::draw(&scenario, 7, 0).stream(&mode);
    let never = Consecutive::new(1_000_000, Duration::from_secs(1), HalfOpen::default()).expect("in range");
    assert_eq!(run_any(&AnyRule::from(never), &stream), run_any(&AnyRule::from(NoBreaker), &stream));
}

#[test]
fn a_uniform_fault_instant_is_shared_by_modes_and_drawn_per_replication() {
    let (from, to) = (Time::from_nanos(2_000_000_000), Time::from_nanos(5_000_000_000));
    let scenario = Scenario { fault_at: FaultAt::Uniform { from, to }, ..Scenario::default() };
    let fault_at = |replication, mode: &str| {
        let mode = Mode::given(mode, None).expect("given");
        Replication::draw(&scenario, 7, replication).stream(&mode).plan().fault_at
    };
    let instants: Vec<Time> = (0..200).map(|replication| fault_at(replication, "down")).collect();
    assert!(instants.iter().all(|&at| from <= at && at < to));
    assert!(instants.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(instants[5], fault_at(5, "healthy"));
    // The mean of 200 uniform instants: sd 3 s / sqrt(12 * 200) = 61 ms. False alarm 1e-6 at 4.9 sd = 300 ms, so a shift
    // of half a second is caught.
    let mean = instants.iter().map(|at| at.as_secs_f64()).sum::<f64>() / 200.0;
    assert!((mean - 3.5).abs() < 0.3, "{mean}");
}

/// FNV-1a over all that a request is.
fn digest(requests: &[Request]) -> u64 {
    let words = requests.iter().flat_map(|request| {
        let fate = match request.fate {
            Fate::Success => 0,
            Fate::Failure => 1,
            Fate::Neighbour => 2,
        };
        [request.at.as_nanos(), request.hold.as_nanos(), u64::from(request.number), fate]
    });
    words
        .flat_map(u64::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn the_bits_of_the_default_streams_are_pinned() {
    // Any change here changes every result of every sweep: raise RESULTS_VERSION and say so in the changelog.
    let poisson = requests(&Scenario::default(), 20_260_731, 0, "partial");
    let bursty = ArrivalProcess::Bursty {
        quiet_rate: 50.0,
        burst_rate: 400.0,
        mean_quiet: Duration::from_secs(2),
        mean_burst: Duration::from_millis(500),
    };
    let law = Distribution::LogNormal { median: Duration::from_millis(40), sigma: 0.7 };
    let varied = Scenario {
        dependency: bursty,
        neighbour: ArrivalProcess::Even { rate: 333.0 },
        neighbour_hold: law,
        ..Scenario::default()
    };
    let varied = requests(&varied, 20_260_731, 1, "slowdown");
    assert_eq!((poisson.len(), varied.len()), (6_265, 5_377));
    assert_eq!((digest(&poisson), digest(&varied)), (16_152_706_940_897_951_397, 40_700_743_442_580_082));
}
