//! Random worlds: every request is accounted for, a run is a pure function of its inputs, and a request's attempts fare
//! alike under every breaker.

use std::collections::BTreeMap;

use engine::{Distribution, Duration, Time};
use policies::{AnyRule, Consecutive, HalfOpen, NoBreaker, Ratio};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use scenario::service::{
    Budget, Callers, ClockStep, Ended, Fallback, Load, Pause, Ramp, RateLimit, RegimeOptions, Retries, ServiceNote,
    Slowness,
};
use scenario::{
    ArrivalProcess, FaultAt, Horizon, Mode, OutcomeAt, Regime, Replication, RequestStream, Scenario, Service, Start,
    run_service_any,
};

use crate::kit::{at, millis, notes};

pub(crate) fn rule() -> impl Strategy<Value = AnyRule> {
    let cycle = || {
        let half_open = (1..3_u32, 1..3_u32).prop_map(|(permits, successes)| HalfOpen { permits, successes });
        ((1..80_u64).prop_map(|tens| millis(10 * tens)), half_open)
    };
    prop_oneof![
        Just(AnyRule::from(NoBreaker)),
        (1..6_u32, cycle()).prop_map(|(threshold, (open_for, half_open))| {
            Consecutive::new(threshold, open_for, half_open).expect("in range").into()
        }),
        (1..9_u32, 0.1..1.0_f64, cycle()).prop_map(|(window, threshold, (open_for, half_open))| {
            Ratio::new(window, threshold, open_for, half_open).expect("in range").into()
        }),
    ]
}

fn law() -> impl Strategy<Value = Distribution> {
    prop_oneof![
        // Tens of milliseconds make instants coincide.
        (1..20_u64).prop_map(|tens| Distribution::Deterministic(millis(10 * tens))),
        (1..200_u64).prop_map(|mean| Distribution::Exponential { mean: millis(mean) }),
    ]
}

fn retries() -> impl Strategy<Value = Retries> {
    let budget = proptest::option::of((0.0..0.5_f64, 1..6_u32));
    (2..5_u32, 0..12_u64, 1.0..2.5_f64, 0.0..=1.0_f64, any::<bool>(), budget).prop_map(
        |(attempts, tens, growth, jitter, breaker_outside, budget)| Retries {
            attempts,
            delay: millis(10 * tens),
            growth,
            longest: millis(400),
            jitter,
            breaker_outside,
            budget: budget.map(|(per_request, most)| Budget { per_request, most }),
        },
    )
}

prop_compose! {
    fn service()(
        callers in proptest::option::weighted(0.3, (1..20_u32, law())),
        pause in proptest::option::weighted(0.3, (0..2_000_u64, 1..800_u64)),
        queue in 0..6_u32,
        time_out in proptest::option::of(1..25_u64),
        retries in proptest::option::of(retries()),
        fallback in prop_oneof![Just(Fallback::Fail), Just(Fallback::Review), Just(Fallback::Stale { wrong: 0.3 })],
        shards in proptest::collection::vec(0.1..3.0_f64, 0..4),
        breaker_per_shard in any::<bool>(),
        (instances, timer_jitter) in (1..4_u32, 0.0..0.9_f64),
        bulkhead in any::<bool>(),
        rate_limit in proptest::option::weighted(0.3, (20.0..300.0_f64, 1..20_u32)),
        load in proptest::option::weighted(0.4, (1..8_u32, 0.0..2.0_f64, 0.0..1.0_f64)),
        clock_step in proptest::option::weighted(0.3, (1_000..2_000_u64, -900..2_000_i64)),
    ) -> Service {
        Service {
            callers: callers.map(|(number, think)| Callers { number, think }),
            pauses: pause.into_iter().map(|(from, long)| Pause { from: at(from), to: at(from + long) }).collect(),
            queue,
            time_out: time_out.map(|tens| millis(10 * tens)),
            retries,
            fallback,
            shards,
            breaker_per_shard,
            instances,
            timer_jitter,
            bulkhead: bulkhead.then_some(1),
            rate_limit: rate_limit.map(|(rate, burst)| RateLimit { rate, burst }),
            load: load.map(|(slots, slowdown, failures)| Load { slots, slowdown, failures }),
            clock_steps: clock_step.into_iter().map(|(after, by)| ClockStep { at: at(after), by: by * 1_000_000 }).collect(),
            stuck_after: Some(millis(300)),
        }
    }
}

prop_compose! {
    fn regime(name: &'static str)(
        failure_probability in 0.0..=1.0_f64,
        success_hold in law(),
        failure_hold in law(),
        (lost, cancelled, ignored) in prop_oneof![Just((0.0, 0.0, 0.0)), (0.0..0.1_f64, 0.0..0.2_f64, 0.0..0.3_f64)],
        slow in proptest::option::weighted(0.3, (0.0..1.0_f64, law())),
        ramp in proptest::option::weighted(0.3, (1..900_u64, proptest::option::of(0.0..1.0_f64))),
        shard in proptest::option::weighted(0.3, 0..3_u32),
    ) -> Regime {
        let options = RegimeOptions {
            lost,
            cancelled,
            ignored,
            slow: slow.map(|(probability, hold)| Slowness { probability, hold }),
            ramp: ramp.map(|(over, from)| Ramp { over: millis(over), from }),
            shard,
        };
        let given = Regime::given("down").expect("given");
        Regime { name: name.to_owned(), failure_probability, success_hold, failure_hold, options, ..given }
    }
}

prop_compose! {
    fn world()(
        mut service in service(),
        slots in 6..16_u32,
        at_admission in any::<bool>(),
        rejection_hold in 0..3_u64,
        warm_up in 0..800_u64,
        regimes in (regime("first"), regime("second")),
        heals in any::<bool>(),
        seed in 0..1_000_u64,
    ) -> World {
        if service.clock_steps.is_empty() && service.is_plain() {
            service.queue = 1;
        }
        let scenario = Scenario {
            slots,
            horizon: Horizon::At(at(3_000)),
            warm_up: at(warm_up),
            fault_at: FaultAt::Fixed(at(1_000)),
            outcome: if at_admission { OutcomeAt::Admission } else { OutcomeAt::Completion },
            rejection_hold: millis(10 * rejection_hold),
            dependency: ArrivalProcess::Poisson { rate: 60.0 },
            neighbour: ArrivalProcess::Even { rate: 50.0 },
            neighbour_hold: Distribution::Deterministic(millis(40)),
            service,
        };
        assert_eq!(scenario.service.validate(slots), Ok(()));
        let (first, second) = regimes;
        let mut timeline = vec![(Start::At(Time::ZERO), first.clone()), (Start::AfterFault(Duration::ZERO), second)];
        if heals {
            timeline.push((Start::AfterFault(millis(1_000)), first));
        }
        World { scenario, mode: Mode { name: "random".to_owned(), timeline }, seed }
    }
}

/// What a run needs besides a rule.
#[derive(Clone, Debug)]
struct World {
    scenario: Scenario,
    mode: Mode,
    seed: u64,
}

impl World {
    fn stream(&self) -> RequestStream {
        Replication::draw(&self.scenario, self.seed, 0).stream(&self.mode)
    }
}

fn cases(number: u32, seed: u64) -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(seed), ..ProptestConfig::with_cases(number) }
}

proptest! {
    #![proptest_config(cases(2_000, 51))]

    #[test]
    fn every_request_is_accounted_for(rule in rule(), world in world()) {
        let stream = world.stream();
        let run = run_service_any(&rule, &stream);
        let more = run.service.expect("a run of the richer world");
        prop_assert_eq!(run.calls, run.responses + run.errors + more.cancelled + more.ignored + run.in_flight);
        prop_assert_eq!(run.requests, run.calls + run.rejected + run.no_slot + more.rate_limited);
        prop_assert_eq!(run.neighbour_requests, run.neighbour_responses + run.neighbour_no_slot + run.neighbour_in_flight);
        prop_assert!(more.wrong_successes <= more.fallbacks);
        prop_assert!(more.fallbacks <= run.errors + run.rejected + run.no_slot + more.rate_limited);
        prop_assert!(more.waiting <= run.in_flight);
        prop_assert!(run.false_openings <= run.openings);
        prop_assert!(run.false_open_rejections <= run.rejected);
        prop_assert!(run.slot_time_to_detection_restricted <= run.slot_time_fault);
    }

    /// The counters against the notes of the same run: what was noted of each request is what was counted.
    #[test]
    fn the_counters_are_those_of_the_notes(rule in rule(), world in world()) {
        let stream = world.stream();
        let run = run_service_any(&rule, &stream);
        let more = run.service.expect("a run of the richer world");
        prop_assert_eq!(&run_service_any(&rule, &stream), &run, "a run is a pure function of its inputs");
        let notes = notes(&rule, &stream);
        // The latest that was noted of each request, and when it came.
        let mut requests = BTreeMap::<u64, (Time, Vec<ServiceNote>)>::new();
        let mut slots_in_use = 0;
        for (now, snapshot, note) in notes {
            slots_in_use = slots_in_use.max(snapshot.slots_in_use);
            let of = match note {
                ServiceNote::Started { request, .. }
                | ServiceNote::Ended { request, .. }
                | ServiceNote::Refused { request, .. }
                | ServiceNote::Queued { request, .. }
                | ServiceNote::HeldBack { request, .. }
                | ServiceNote::Again { request, .. }
                | ServiceNote::Fallback { request, .. } => request,
                _ => continue,
            };
            requests.entry(of).or_insert((now, Vec::new())).1.push(note);
        }
        prop_assert!(slots_in_use <= stream.plan().slots);
        let counted: Vec<&Vec<ServiceNote>> =
            requests.values().filter(|(first, _)| *first >= stream.plan().warm_up).map(|(_, notes)| notes).collect();
        let number = |of: &dyn Fn(&ServiceNote) -> bool| {
            counted.iter().flat_map(|notes| notes.iter()).filter(|note| of(note)).count() as u64
        };
        prop_assert_eq!(run.requests, counted.len() as u64);
        prop_assert_eq!(more.retries, number(&|note| matches!(note, ServiceNote::Started { attempt: 1.., .. })));
        let ended = |wanted: Ended| number(&|note| matches!(note, ServiceNote::Ended { ended, .. } if *ended == wanted));
        prop_assert_eq!(more.timeouts, ended(Ended::TimedOut));
        prop_assert_eq!(run.responses, ended(Ended::Success));
        prop_assert_eq!((more.cancelled, more.ignored), (ended(Ended::Cancelled), ended(Ended::Ignored)));
        prop_assert_eq!(more.wrong_successes, number(&|note| matches!(note, ServiceNote::Fallback { wrong: true, .. })));
        let is_fallback = |note: &&ServiceNote| !matches!(note, ServiceNote::Fallback { .. });
        let last = |notes: &&&Vec<ServiceNote>, attempt_from: u32| match notes.iter().rfind(is_fallback) {
            Some(ServiceNote::Refused { attempt, .. }) => *attempt >= attempt_from,
            _ => false,
        };
        let refused_first = counted.iter().filter(|notes| last(notes, 0)).count()
            - counted.iter().filter(|notes| last(notes, 1)).count();
        prop_assert_eq!(run.rejected + run.no_slot + more.rate_limited, refused_first as u64);
    }

    /// Common random numbers: the same attempt of the same request holds as long under two breakers, if it meets the same
    /// regime. (Load and ramps make that depend on the instant.)
    #[test]
    fn attempts_fare_alike_under_every_breaker(rules in (rule(), rule()), world in world()) {
        let mut world = world;
        world.scenario.service.load = None;
        world.mode.timeline.iter_mut().for_each(|(_, regime)| regime.options.ramp = None);
        let stream = world.stream();
        let fates = |rule: &AnyRule| {
            let (mut fates, mut regime) = (BTreeMap::new(), 0);
            for (_, _, note) in notes(rule, &stream) {
                match note {
                    ServiceNote::Regime(index) => regime = index,
                    ServiceNote::Started { request, attempt, hold, .. } => {
                        fates.insert((request, attempt), (regime, hold));
                    }
                    _ => {}
                }
            }
            fates
        };
        let (one, two) = (fates(&rules.0), fates(&rules.1));
        for (attempt, (regime, hold)) in &one {
            if let Some((other_regime, other_hold)) = two.get(attempt)
                && regime == other_regime
            {
                prop_assert_eq!(hold, other_hold, "{:?} in regime {}", attempt, regime);
            }
        }
    }
}
