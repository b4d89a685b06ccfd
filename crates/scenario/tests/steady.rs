//! The world in one regime for ever is the plain world, going on.

use engine::{Distribution, Duration, Time};
use policies::{Consecutive, HalfOpen, NoBreaker, Ratio, Rule};
use scenario::{
    ArrivalProcess, FaultAt, Horizon, Mode, OutcomeAt, Replication, Scenario, SteadyRegime, SteadyWorld, run,
};

fn regime(scenario: &Scenario, mode: &str) -> SteadyRegime {
    SteadyRegime::fault(scenario, &Mode::given(mode, None).expect("a given mode")).expect("plain")
}

/// Runs until the breaker has been asked or told something so many times.
fn steps<R: Rule>(world: &mut SteadyWorld<R>, rule: R, regime: &SteadyRegime, number: u64) {
    (0..number).for_each(|_| world.step(rule, regime));
}

#[test]
fn the_share_of_failures_and_the_longest_hold_are_those_of_the_fault() {
    let scenario = Scenario::default();
    let partial = regime(&scenario, "partial");
    assert_eq!(partial.failure_probability(), 0.125);
    assert_eq!(partial.longest_hold(), Duration::from_millis(60));
    assert_eq!(regime(&scenario, "healthy").longest_hold(), Duration::from_millis(220));
    assert!(partial.results_are_independent());
}

/// One of four shards of unequal weight is broken: a tenth of the calls meets the fault.
#[test]
fn a_broken_shard_is_as_much_of_the_calls_as_its_weight_says() {
    let mut scenario = Scenario::default();
    scenario.service.shards = vec![4.0, 1.0, 3.0, 2.0];
    let mut mode = Mode::given("down", None).expect("given");
    mode.timeline[1].1.options.shard = Some(1);
    let steady = SteadyRegime::fault(&scenario, &mode).expect("plain");
    assert!((steady.failure_probability() - (0.1 + 0.9 * 0.025)).abs() < 1e-12);
}

#[test]
fn what_the_plain_world_cannot_run_is_named() {
    let mut scenario = Scenario::default();
    scenario.service.queue = 5;
    let mode = Mode::given("healthy", None).expect("given");
    assert_eq!(SteadyRegime::fault(&scenario, &mode).map(|_| ()), Err(vec!["queue"]));
}

/// Independence is promised only where it holds.
#[test]
fn independent_results_need_poisson_arrivals_equal_holds_or_admission() {
    let mut scenario = Scenario { dependency: ArrivalProcess::Even { rate: 10.0 }, ..Scenario::default() };
    assert!(!regime(&scenario, "partial").results_are_independent());
    scenario.outcome = OutcomeAt::Admission;
    assert!(regime(&scenario, "partial").results_are_independent());
    scenario.outcome = OutcomeAt::Completion;
    let mut mode = Mode::given("partial", None).expect("given");
    mode.timeline[1].1.failure_hold = mode.timeline[1].1.success_hold.clone();
    assert!(SteadyRegime::fault(&scenario, &mode).expect("plain").results_are_independent());
    mode.timeline[1].1.success_hold = Distribution::Exponential { mean: Duration::from_millis(60) };
    assert!(!SteadyRegime::fault(&scenario, &mode).expect("plain").results_are_independent());
}

/// Erlang's formula against 400,000 requests: calls started per request. The standard error is below 0.002 (losses come in
/// clumps), so that a share that is off by 0.01 is found, with a false alarm below 1e-6.
#[test]
fn the_share_without_a_slot_is_erlangs() {
    let scenario = Scenario { slots: 20, ..Scenario::default() };
    let regime = regime(&scenario, "healthy");
    let loss = regime.loss().expect("both flows are Poisson");
    assert!((0.15..0.35).contains(&loss), "{loss}");
    let mut world = SteadyWorld::new(NoBreaker, &regime, 1);
    steps(&mut world, NoBreaker, &regime, 700_000);
    let started = world.calls() as f64 / (world.seconds() * regime.requests_per_second());
    assert!((started - (1.0 - loss)).abs() < 0.01, "{started} {loss}");
    let plenty = Scenario { slots: 1_000, ..Scenario::default() };
    assert!(self::regime(&plenty, "healthy").loss().expect("Poisson") < 1e-100);
}

/// Whether a breaker opens within ten seconds of the partial fault, in 1,500 runs of the plain world and 1,500 of this one,
/// whose breaker starts with the fault in both. The two shares differ by less than 6 standard errors (2e-9); a difference
/// of 0.11 is found.
#[test]
fn openings_are_as_frequent_as_in_the_plain_world() {
    let scenario = Scenario {
        fault_at: FaultAt::Fixed(Time::from_nanos(1)),
        horizon: Horizon::At(Time::ZERO + Duration::from_secs(10)),
        slots: 20,
        ..Scenario::default()
    };
    let open_for = Duration::from_secs(100);
    let consecutive = Consecutive::new(3, open_for, HalfOpen::default()).expect("valid");
    let ratio = Ratio::new(10, 0.5, open_for, HalfOpen::default()).expect("valid");
    assert_same_share(consecutive, &scenario);
    assert_same_share(ratio, &scenario);
}

fn assert_same_share<R: Rule>(rule: R, scenario: &Scenario) {
    const RUNS: u32 = 1_500;
    let mode = Mode::given("partial", None).expect("given");
    let steady = SteadyRegime::fault(scenario, &mode).expect("plain");
    let plain = (0..RUNS).filter(|&replication| {
        let stream = Replication::draw(scenario, 1, replication).stream(&mode);
        run(rule, &stream).openings > 0
    });
    let here = (0..RUNS).filter(|&seed| {
        let mut world = SteadyWorld::new(rule, &steady, seed.into());
        while !world.has_opened() && world.seconds() < 10.0 {
            world.step(rule, &steady);
        }
        world.has_opened() && world.seconds() < 10.0
    });
    let share = |count: usize| count as f64 / f64::from(RUNS);
    let (plain, here) = (share(plain.count()), share(here.count()));
    assert!((0.1..0.9).contains(&plain), "{plain} tells little");
    let error = ((plain * (1.0 - plain) + here * (1.0 - here)) / f64::from(RUNS)).sqrt();
    assert!((plain - here).abs() < 6.0 * error, "{rule:?}: {plain} {here}");
}

#[test]
fn clones_part_with_their_seeds_and_only_with_them() {
    let regime = regime(&Scenario::default(), "partial");
    let rule = Consecutive::new(50, Duration::from_secs(1), HalfOpen::default()).expect("valid");
    let mut world = SteadyWorld::new(rule, &regime, 1);
    steps(&mut world, rule, &regime, 1_000);
    let ends = |seed| {
        let mut clone = world.clone();
        clone.reseed(seed);
        steps(&mut clone, rule, &regime, 1_000);
        clone.seconds()
    };
    assert_eq!(ends(7).to_bits(), ends(7).to_bits());
    assert_ne!(ends(7).to_bits(), ends(8).to_bits());
}

/// A breaker that opens at the first failure is made anew each time: it opens as often as calls fail.
#[test]
fn a_new_breaker_begins_where_the_old_one_opened() {
    let regime = regime(&Scenario { slots: 1_000, ..Scenario::default() }, "partial");
    let rule = Consecutive::new(1, Duration::from_secs(1), HalfOpen::default()).expect("valid");
    let mut world = SteadyWorld::new(rule, &regime, 3);
    let (mut openings, mut before) = (0_u32, 0.0);
    while world.seconds() < 400.0 {
        world.step(rule, &regime);
        if world.has_opened() {
            openings += 1;
            world.renew(rule);
            assert!(world.seconds() >= before && !world.has_opened());
            before = world.seconds();
        }
    }
    // 97.22 × 0.125 × 400 = 4,861, less those of failures in flight at an opening (0.36 of each); 6 standard errors are 420.
    let expected = 4_861.0 / 1.365;
    assert!((f64::from(openings) - expected).abs() < 420.0, "{openings} {expected}");
}
