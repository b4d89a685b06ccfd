//! The modes of a replication are run from what they have in common.

use engine::{Distribution, Duration, Time};
use scenario::{
    DesignSet, FaultAt, Horizon, Mode, ModeStreams, OutcomeAt, Regime, Replication, RequestStream, Scenario, Sharing,
    Start,
};

use crate::compare::assert_modes_agree;
use crate::default_scenario::designs;

fn at(millis: u64) -> Time {
    Time::ZERO + Duration::from_millis(millis)
}

fn draw(scenario: &Scenario, modes: &[Mode], replication: u32) -> ModeStreams {
    ModeStreams::draw(&Replication::draw(scenario, 2026, replication), modes)
}

fn given(name: &str) -> Regime {
    Regime::given(name).expect("given")
}

/// A mode that is healthy at first.
fn from_healthy(name: &str, later: &[(Start, &str)]) -> Mode {
    let mut timeline = vec![(Start::At(Time::ZERO), given("healthy"))];
    timeline.extend(later.iter().map(|&(start, regime)| (start, given(regime))));
    Mode { name: name.to_owned(), timeline }
}

/// What running each mode by itself takes, in world-requests.
fn by_themselves(designs: &DesignSet, modes: &ModeStreams) -> u64 {
    modes.streams().iter().map(|stream| designs.run(stream, Sharing::Bits).1.world_requests).sum()
}

#[test]
fn the_given_modes_share_what_comes_before_the_fault() {
    let designs = DesignSet::new(&designs());
    let modes = Mode::GIVEN.map(|name| Mode::given(name, None).expect("given"));
    for (fault_at, spares) in [(at(2_000), 0.04), (at(8_000), 0.3)] {
        let scenario = Scenario { fault_at: FaultAt::Fixed(fault_at), ..Scenario::default() };
        let streams = draw(&scenario, &modes, 0);
        let stats = assert_modes_agree(&designs, &streams);
        let requests: usize = streams.streams().iter().map(|stream| stream.requests().len()).sum();
        assert_eq!((stats.streams, stats.requests), (4, requests as u64));
        let apart = by_themselves(&designs, &streams) as f64;
        assert!((stats.world_requests as f64) < (1.0 - spares) * apart, "{stats:?}, apart {apart}");
    }
}

/// Faults at different instants, regimes that begin together and are not the same, heals, and what never begins.
#[test]
fn timelines_of_many_kinds() {
    let designs = DesignSet::new(&designs());
    let after = |millis| Start::AfterFault(Duration::from_millis(millis));
    let early = from_healthy("early", &[(Start::At(at(700)), "down"), (Start::At(at(1_100)), "healthy")]);
    let late = from_healthy("late", &[(after(3_000), "slowdown")]);
    let healing = from_healthy("healing", &[(after(0), "down"), (after(1_500), "healthy")]);
    let relapsing = from_healthy("relapsing", &[(after(0), "down"), (after(2_500), "healthy"), (after(3_000), "down")]);
    let lasting = from_healthy("lasting", &[(after(0), "down"), (after(2_500), "partial")]);
    let never = from_healthy("never", &[(Start::At(at(60_000)), "down")]);
    let sick =
        Mode { timeline: vec![(Start::At(Time::ZERO), given("partial")), (after(0), given("down"))], ..early.clone() };
    let groups: [&[&Mode]; 6] = [
        &[&early, &late, &never],
        &[&healing, &relapsing, &lasting],
        &[&relapsing, &lasting],
        &[&never, &never],
        &[&late, &sick],
        &[&late],
    ];
    for (replication, group) in (0..).zip(groups) {
        let modes: Vec<Mode> = group.iter().map(|&mode| mode.clone()).collect();
        for fault_at in [at(0), at(2_000), at(9_000)] {
            let scenario = Scenario { fault_at: FaultAt::Fixed(fault_at), ..Scenario::default() };
            assert_modes_agree(&designs, &draw(&scenario, &modes, replication));
        }
    }
}

#[test]
fn other_worlds() {
    let designs = DesignSet::new(&designs());
    let modes = Mode::GIVEN.map(|name| Mode::given(name, Some(Duration::from_millis(4_000))).expect("given"));
    let horizon_before_fault = Scenario { horizon: Horizon::At(at(1_500)), ..Scenario::default() };
    let told_at_once = Scenario {
        outcome: OutcomeAt::Admission,
        warm_up: at(1_000),
        fault_at: FaultAt::Uniform { from: at(1_000), to: at(6_000) },
        ..Scenario::default()
    };
    let crowded = Scenario {
        slots: 10,
        rejection_hold: Duration::ZERO,
        neighbour_hold: Distribution::LogNormal { median: Duration::from_millis(20), sigma: 1.2 },
        ..Scenario::default()
    };
    for scenario in [horizon_before_fault, told_at_once, crowded] {
        assert_modes_agree(&designs, &draw(&scenario, &modes, 3));
    }
}

/// Streams that were not drawn together: what they share is found by comparing.
#[test]
fn given_streams() {
    let designs = DesignSet::new(&designs());
    let modes = Mode::GIVEN.map(|name| Mode::given(name, None).expect("given"));
    let drawn = draw(&Scenario::default(), &modes, 0);
    let compared = ModeStreams::new(drawn.streams().to_vec());
    let stats = assert_modes_agree(&designs, &compared);
    assert_eq!(stats, assert_modes_agree(&designs, &drawn), "the same beginning is found");

    // Other neighbours, another horizon, another pool: nothing is shared, and all is right.
    let other = draw(&Scenario::default(), &modes, 1);
    let shorter = draw(&Scenario { horizon: Horizon::At(at(5_000)), ..Scenario::default() }, &modes, 0);
    let busier = Scenario { rejection_hold: Duration::from_millis(400), ..Scenario::default() };
    let larger = Scenario { slots: 200, ..Scenario::default() };
    let [busier, larger] = [busier, larger].map(|scenario| draw(&scenario, &modes, 0));
    for other in [other, shorter, busier, larger] {
        let mixed = ModeStreams::new(vec![drawn.streams()[0].clone(), other.streams()[2].clone()]);
        let stats = assert_modes_agree(&designs, &mixed);
        assert_eq!(stats.world_requests, by_themselves(&designs, &mixed));
    }
}

#[test]
fn no_modes_and_no_requests() {
    let designs = DesignSet::new(&designs());
    assert_modes_agree(&designs, &ModeStreams::new(Vec::new()));
    let stream = draw(&Scenario::default(), &[Mode::given("down", None).expect("given")], 0);
    let empty = RequestStream::new(stream.streams()[0].plan().clone(), Vec::new());
    assert_modes_agree(&designs, &ModeStreams::new(vec![empty.clone(), empty]));
}
