//! The scenario and its modes: defaults, and what every key changes.

use engine::{Distribution, Duration, Time};
use experiments::sweep_file::Sweep;
use scenario::service::RegimeOptions;
use scenario::{ArrivalProcess, FaultAt, Horizon, Mode, Opening, OutcomeAt, Regime, Scenario, Service, Start};

use crate::read;

const RULE: &str = "[[rule]]\nkind = \"none\"\n";

fn with(text: &str) -> Sweep {
    read(&format!("{text}\n{RULE}"))
}

fn seconds(seconds: u64) -> Time {
    Time::ZERO + Duration::from_secs(seconds)
}

fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

#[test]
fn a_file_of_one_rule_is_a_sweep() {
    let sweep = with("");
    assert_eq!(
        sweep.scenario,
        Scenario {
            slots: 32,
            horizon: Horizon::At(seconds(12)),
            warm_up: Time::ZERO,
            fault_at: FaultAt::Fixed(seconds(2)),
            outcome: OutcomeAt::Completion,
            rejection_hold: millis(10),
            dependency: ArrivalProcess::Poisson { rate: 97.22 },
            neighbour: ArrivalProcess::Poisson { rate: 416.67 },
            neighbour_hold: Distribution::Deterministic(millis(40)),
            service: Service::default(),
        }
    );
    assert_eq!((&*sweep.name, sweep.root_seed, sweep.replications), ("my", 1, 200));
    assert_eq!(sweep.level.to_bits(), 0.95_f64.to_bits());
    let given: Vec<_> = Mode::GIVEN.iter().filter_map(|name| Mode::given(name, None)).collect();
    assert_eq!(sweep.modes, given);
    assert_eq!(sweep.notes, [""; 0]);
}

#[test]
fn the_keys_at_the_top() {
    let sweep = with("name = \"a-B_3\"\nroot_seed = 18446744073709551615\nreplications = 7\nlevel = 0.9");
    assert_eq!((&*sweep.name, sweep.root_seed, sweep.replications), ("a-B_3", u64::MAX, 7));
    assert_eq!(sweep.level.to_bits(), 0.9_f64.to_bits());
    assert_eq!(sweep.runs(), 4 * 7);
}

#[test]
fn every_number_of_the_scenario() {
    let sweep = with(
        "[scenario]\nslots = 5\nhorizon = { after_fault = \"30s\" }\nwarm_up = \"20s\"\n\
         fault_at = { uniform = [\"20s\", \"30s\"] }\noutcome = \"at_admission\"\nrejection_hold = \"0s\"\n\
         [scenario.dependency]\narrivals = { kind = \"even\", rate = \"120/min\" }\n\
         [scenario.neighbour]\narrivals = \"36/h\"\nhold = { kind = \"exponential\", mean = \"1.5ms\" }",
    );
    assert_eq!(
        sweep.scenario,
        Scenario {
            slots: 5,
            horizon: Horizon::AfterFault(Duration::from_secs(30)),
            warm_up: seconds(20),
            fault_at: FaultAt::Uniform { from: seconds(20), to: seconds(30) },
            outcome: OutcomeAt::Admission,
            rejection_hold: Duration::ZERO,
            dependency: ArrivalProcess::Even { rate: 2.0 },
            neighbour: ArrivalProcess::Poisson { rate: 0.01 },
            neighbour_hold: Distribution::Exponential { mean: Duration::from_nanos(1_500_000) },
            service: Service::default(),
        }
    );
    // A mean run ends 30 s after a fault at 25 s.
    assert!((sweep.requests_per_run() - 2.01 * 55.0).abs() < 1e-9);
    assert!((sweep.requests() - 2.01 * 55.0 * 800.0).abs() < 1e-6);
}

#[test]
fn every_law_of_a_hold() {
    let hold = |law: &str| with(&format!("[scenario.neighbour]\nhold = {law}")).scenario.neighbour_hold;
    assert_eq!(hold("\"7us\""), Distribution::Deterministic(Duration::from_nanos(7_000)));
    assert_eq!(hold("{ kind = \"deterministic\", value = \"7ms\" }"), Distribution::Deterministic(millis(7)));
    assert_eq!(
        hold("{ kind = \"uniform\", from = \"0s\", to = \"7ms\" }"),
        Distribution::Uniform { from: Duration::ZERO, to: millis(7) }
    );
    assert_eq!(
        hold("{ kind = \"lognormal\", median = \"60ms\", sigma = 0 }"),
        Distribution::LogNormal { median: millis(60), sigma: 0.0 }
    );
    assert_eq!(
        hold("{ kind = \"weibull\", scale = \"60ms\", shape = 1.5 }"),
        Distribution::Weibull { scale: millis(60), shape: 1.5 }
    );
    assert_eq!(
        hold("{ kind = \"empirical\", values = [\"9ms\", \"3ms\", \"9ms\"] }"),
        Distribution::Empirical(vec![millis(3), millis(9), millis(9)])
    );
}

#[test]
fn bursty_arrivals_say_their_mean_rate() {
    let sweep = with(
        "[scenario.dependency]\narrivals = { kind = \"bursty\", quiet_rate = \"60/s\", burst_rate = \"220/s\", \
         mean_quiet = \"2s\", mean_burst = \"500ms\" }",
    );
    let process = ArrivalProcess::Bursty {
        quiet_rate: 60.0,
        burst_rate: 220.0,
        mean_quiet: Duration::from_secs(2),
        mean_burst: millis(500),
    };
    assert_eq!(sweep.scenario.dependency, process);
    assert_eq!(sweep.notes, ["the dependency flow is bursty: 92 requests per second in the long run"]);
}

#[test]
fn numbers_of_minus_zero_are_zero() {
    let sweep = with(
        "[scenario.dependency]\narrivals = \"-0/s\"\n[scenario.regimes.healthy]\nfailure_probability = -0.0\n\
         [scenario.neighbour]\nhold = { kind = \"lognormal\", median = \"60ms\", sigma = -0.0 }",
    );
    let resolved = toml::to_string(&sweep.resolved()).expect("it is TOML");
    assert!(resolved.contains("rate = \"0/s\"") && resolved.contains("failure_probability = 0.0"), "{resolved}");
    assert!(!resolved.contains("-0"), "{resolved}");
}

#[test]
fn a_run_of_many_changes_is_refused_only_if_it_has_them() {
    // A burst of a nanosecond ends at once, and the next one is 2 s away.
    with(
        "[scenario.dependency]\narrivals = { kind = \"bursty\", quiet_rate = \"0/s\", burst_rate = \"7/min\", \
         mean_quiet = \"2s\", mean_burst = \"1ns\" }",
    );
}

#[test]
fn a_heal_ends_the_given_modes() {
    let sweep = with("modes = [\"down\", \"healthy\"]\n[scenario]\nheal_after = \"9.5s\"");
    let given = |name| Mode::given(name, Some(millis(9_500))).expect("it is given");
    assert_eq!(sweep.modes, [given("down"), given("healthy")]);
}

#[test]
fn given_regimes_change_wherever_they_are_used() {
    let sweep = with(
        "modes = [\"healthy\", \"down\"]\n[scenario.regimes.healthy]\nfailure_probability = 0\n\
         [scenario.regimes.down]\nfailure_hold = \"1ms\"\nopening = \"false\"\nsuccess_hold = \"2ms\"",
    );
    let healthy = Regime { failure_probability: 0.0, ..Regime::given("healthy").expect("it is given") };
    let down = Regime {
        failure_hold: Distribution::Deterministic(millis(1)),
        success_hold: Distribution::Deterministic(millis(2)),
        opening: Opening::False,
        ..Regime::given("down").expect("it is given")
    };
    let fault = Start::AfterFault(Duration::ZERO);
    let start = Start::At(Time::ZERO);
    assert_eq!(sweep.modes[0].timeline, [(start, healthy.clone()), (fault, healthy.clone())]);
    assert_eq!(sweep.modes[1].timeline, [(start, healthy), (fault, down)]);
}

const OWN: &str = "[[mode]]\nname = \"own\"\n[[mode.regime]]\nat = \"0s\"\nregime = \"healthy\"\n\
                   [[mode.regime]]\nat = \"1500ms\"\nname = \"bad\"\nfailure_probability = 0.3\nopening = \"right\"\n\
                   success_hold = { kind = \"lognormal\", median = \"60ms\", sigma = 0.5 }\nfailure_hold = \"220ms\"\n\
                   [[mode.regime]]\nat = \" fault  +3s \"\nregime = \"down\"\nname = \"worse\"\nfailure_probability = 0.9\n";

#[test]
fn a_mode_of_ones_own() {
    let sweep = with(OWN);
    let bad = Regime {
        name: "bad".to_owned(),
        failure_probability: 0.3,
        success_hold: Distribution::LogNormal { median: millis(60), sigma: 0.5 },
        failure_hold: Distribution::Deterministic(millis(220)),
        opening: Opening::Right,
        options: RegimeOptions::default(),
    };
    let worse =
        Regime { name: "worse".to_owned(), failure_probability: 0.9, ..Regime::given("down").expect("it is given") };
    let own = Mode {
        name: "own".to_owned(),
        timeline: vec![
            (Start::At(Time::ZERO), Regime::given("healthy").expect("it is given")),
            (Start::At(Time::ZERO + millis(1_500)), bad),
            (Start::AfterFault(Duration::from_secs(3)), worse),
        ],
    };
    let names: Vec<_> = sweep.modes.iter().map(|mode| &*mode.name).collect();
    assert_eq!(names, ["healthy", "partial", "slowdown", "down", "own"]);
    assert_eq!(sweep.modes[4], own);
}

#[test]
fn modes_lists_own_and_given_ones_in_its_order() {
    let names = |sweep: &Sweep| sweep.modes.iter().map(|mode| mode.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&with(&format!("modes = [\"own\", \"down\"]\n{OWN}"))), ["own", "down"]);
    let sweep = with(&format!("modes = [\"down\"]\n{OWN}"));
    assert_eq!(names(&sweep), ["down"]);
    assert_eq!(sweep.notes, ["the mode \"own\" is defined, but `modes` does not list it: it is not simulated"]);
}

#[test]
fn an_own_mode_takes_the_place_of_a_given_one_of_its_name() {
    let sweep = with(&format!("modes = [\"down\", \"partial\"]\n{}", OWN.replace("\"own\"", "\"partial\"")));
    assert_eq!(sweep.modes[1].timeline.len(), 3);
    assert_eq!(sweep.modes[0], Mode::given("down", None).expect("it is given"));
}

#[test]
fn a_heal_that_heals_nothing_is_noted() {
    let sweep = with(&format!("modes = [\"own\"]\n[scenario]\nheal_after = \"5s\"\n{OWN}"));
    assert_eq!(sweep.notes, ["`scenario.heal_after` heals the given modes only, and none of them is simulated"]);
}

#[test]
fn the_last_instants_that_fit_are_accepted() {
    with("[scenario]\nwarm_up = \"2s\"\nheal_after = \"9.999999999s\"");
    with("[scenario]\nfault_at = { uniform = [\"1ns\", \"12s\"] }");
    with("[scenario]\nhorizon = { after_fault = \"30s\" }\nheal_after = \"29.999999999s\"");
}
