//! Thousands of small sweeps of random designs over random streams.

use engine::{Distribution, Duration, StreamKey, Time};
use policies::{AnyRule, Consecutive, HalfOpen, NoBreaker, Ratio};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use scenario::{
    ArrivalProcess, DesignSet, Fate, FaultAt, Horizon, Mode, ModeStreams, Opening, OutcomeAt, Regime, Request,
    RequestStream, RunPlan, Scenario, Service, Start,
};

use crate::compare::{assert_all_ways_agree, assert_modes_agree};

/// The unit of all times. With coarse ones, instants coincide.
fn tick() -> impl Strategy<Value = u64> {
    prop_oneof![3 => Just(10_000_000_u64), 1 => Just(1)]
}

/// One probe, as a rule; several now and then.
fn half_open() -> impl Strategy<Value = HalfOpen> {
    let several = (1..3_u32, 1..3_u32).prop_map(|(permits, successes)| HalfOpen { permits, successes });
    prop_oneof![9 => Just(HalfOpen::default()), 1 => several]
}

fn rule(tick: u64) -> impl Strategy<Value = AnyRule> {
    // Few open times and few windows, so that designs meet; some that meet nobody.
    let open_for = prop_oneof![6 => 1..6_u64, 1 => 6..80_u64];
    let cycle = || (open_for.clone().prop_map(move |ticks| Duration::from_nanos(ticks * tick)), half_open());
    let window = prop_oneof![8 => 1..7_u32, 2 => 7..40_u32, 1 => 126..130_u32];
    prop_oneof![
        1 => Just(AnyRule::from(NoBreaker)),
        8 => (1..6_u32, cycle()).prop_map(|(threshold, (open_for, half_open))| {
            Consecutive::new(threshold, open_for, half_open).expect("in range").into()
        }),
        4 => crate::dialects::dialect(tick),
        12 => (window, 0.05..1.0_f64, cycle()).prop_map(|(window, threshold, (open_for, half_open))| {
            Ratio::new(window, threshold, open_for, half_open).expect("in range").into()
        }),
    ]
}

/// A request as drawn: ticks of arrival and hold, whether it is a neighbour's, whether it would fail.
type Drawn = (u64, u64, bool, bool);

fn requests() -> impl Strategy<Value = Vec<Drawn>> {
    (0.05..0.95_f64, 0.2..1.0_f64, 2..40_u64).prop_flat_map(|(failing, calling, longest)| {
        let drawn = (0..200_u64, 1..longest, prop::bool::weighted(1.0 - calling), prop::bool::weighted(failing));
        prop::collection::vec(drawn, 0..300)
    })
}

prop_compose! {
    fn stream(tick: u64)(
        slots in prop_oneof![3 => 1..7_u32, 1 => 7..40_u32],
        at_admission in prop::bool::weighted(0.3),
        rejection_hold in 0..4_u64,
        warm_up in prop_oneof![Just(0), 0..50_u64],
        fault_after in 0..60_u64,
        off_tick in any::<bool>(),
        heal_after in prop::option::of(0..60_u64),
        rest in 1..120_u64,
        opening_right in any::<bool>(),
        requests in requests(),
    ) -> RequestStream {
        let at = |ticks: u64| Time::from_nanos(ticks * tick);
        let fault_at = at(warm_up + fault_after) + Duration::from_nanos(u64::from(off_tick));
        let heal_at = heal_after.map(|after| fault_at + Duration::from_nanos(after * tick));
        let horizon = heal_at.unwrap_or(fault_at) + Duration::from_nanos(rest * tick);
        let mut broken = Regime::given("down").expect("given");
        broken.opening = if opening_right { Opening::Right } else { Opening::False };
        let healthy = Regime::given("healthy").expect("given");
        let mut timeline = vec![(Start::At(Time::ZERO), healthy.clone()), (Start::At(fault_at), broken)];
        timeline.extend(heal_at.map(|at| (Start::At(at), healthy)));
        let mode = Mode { name: "random".to_owned(), timeline };
        let none = ArrivalProcess::Poisson { rate: 0.0 };
        let scenario = Scenario {
            slots,
            horizon: Horizon::At(horizon),
            warm_up: at(warm_up),
            fault_at: FaultAt::Fixed(fault_at),
            outcome: if at_admission { OutcomeAt::Admission } else { OutcomeAt::Completion },
            rejection_hold: Duration::from_nanos(rejection_hold * tick),
            dependency: none,
            neighbour: none,
            neighbour_hold: Distribution::Deterministic(Duration::TICK),
            service: Service::default(),
        };
        let plan = RunPlan::new(&scenario, &mode, fault_at, horizon, StreamKey::root(1));
        let mut drawn = requests;
        drawn.sort_by_key(|&(at, _, is_neighbour, _)| (at, is_neighbour));
        let mut numbers = [0_u32; 2];
        let requests = drawn.into_iter().map(|(arrival, hold, is_neighbour, fails)| {
            let number = &mut numbers[usize::from(is_neighbour)];
            *number += 1;
            Request {
                at: at(arrival),
                hold: Duration::from_nanos(hold * tick),
                number: *number - 1,
                fate: match (is_neighbour, fails) {
                    (true, _) => Fate::Neighbour,
                    (false, true) => Fate::Failure,
                    (false, false) => Fate::Success,
                },
            }
        });
        RequestStream::new(plan, requests.collect())
    }
}

/// A random sweep: designs and the stream that they share.
fn sweep() -> impl Strategy<Value = (Vec<AnyRule>, RequestStream)> {
    tick().prop_flat_map(|tick| (prop::collection::vec(rule(tick), 1..40), stream(tick)))
}

/// How another mode differs: in its regimes, and in the calls from some instant on.
#[derive(Clone, Debug)]
struct Variation {
    fault_at: u64,
    heal_after: Option<u64>,
    opening_right: bool,
    calls_from: u64,
    calls: Vec<(bool, u64)>,
}

fn variation() -> impl Strategy<Value = Variation> {
    let calls = prop::collection::vec((any::<bool>(), 1..40_u64), 1..20);
    (0..100_u64, prop::option::of(0..60_u64), any::<bool>(), 0..250_u64, calls).prop_map(
        |(fault_at, heal_after, opening_right, calls_from, calls)| Variation {
            fault_at,
            heal_after,
            opening_right,
            calls_from,
            calls,
        },
    )
}

/// The stream of another mode over the same arrivals and neighbours.
fn vary(stream: &RequestStream, tick: u64, variation: &Variation) -> RequestStream {
    let mut plan = stream.plan().clone();
    let at = |ticks: u64| Time::from_nanos(ticks * tick);
    let opening = if variation.opening_right { Opening::Right } else { Opening::False };
    plan.fault_at = at(variation.fault_at).min(plan.horizon);
    plan.heal_at = None;
    plan.regimes = vec![(Time::ZERO, Opening::False), (plan.fault_at, opening)];
    if let Some(after) = variation.heal_after {
        let heal_at = plan.fault_at + Duration::from_nanos(after * tick);
        plan.regimes.push((heal_at, Opening::False));
        plan.heal_at = Some(heal_at).filter(|&heal_at| heal_at < plan.horizon);
    }
    let mut requests = stream.requests().to_vec();
    let calls = requests.iter_mut().filter(|request| request.fate != Fate::Neighbour);
    let changed = calls.filter(|request| request.at >= at(variation.calls_from));
    for (request, &(fails, hold)) in changed.zip(variation.calls.iter().cycle()) {
        request.fate = if fails { Fate::Failure } else { Fate::Success };
        request.hold = Duration::from_nanos(hold * tick);
    }
    RequestStream::new(plan, requests)
}

/// A random sweep of several modes, some of which may be one another's equals for long, or from the first instant not.
fn sweep_of_modes() -> impl Strategy<Value = (Vec<AnyRule>, ModeStreams)> {
    tick().prop_flat_map(|tick| {
        let variations = prop::collection::vec(variation(), 0..4);
        (prop::collection::vec(rule(tick), 1..30), stream(tick), variations).prop_map(
            move |(rules, first, variations)| {
                let others: Vec<_> = variations.iter().map(|variation| vary(&first, tick, variation)).collect();
                (rules, ModeStreams::new(std::iter::once(first).chain(others).collect()))
            },
        )
    })
}

fn cases(number: u32, seed: u64) -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(seed), ..ProptestConfig::with_cases(number) }
}

proptest! {
    #![proptest_config(cases(3_000, 31))]

    #[test]
    fn every_column_of_every_design_is_that_of_its_run_alone((rules, stream) in sweep()) {
        assert_all_ways_agree(&rules, &DesignSet::new(&rules), &stream);
    }
}

proptest! {
    #![proptest_config(cases(6_000, 777))]

    #[test]
    fn joining_at_every_result_changes_nothing((rules, stream) in sweep()) {
        assert_all_ways_agree(&rules, &DesignSet::new(&rules).joining_always(), &stream);
    }
}

proptest! {
    #![proptest_config(cases(3_000, 4_096))]

    #[test]
    fn modes_that_begin_alike_are_run_together_until_they_differ((rules, modes) in sweep_of_modes()) {
        assert_modes_agree(&DesignSet::new(&rules).joining_always(), &modes);
    }
}
