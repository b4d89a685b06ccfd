//! More worlds at once than there are lanes.

use engine::{Distribution, Duration, StreamKey, Time};
use policies::{AnyRule, Consecutive, HalfOpen};
use scenario::{
    ArrivalProcess, DesignSet, Fate, FaultAt, Horizon, Mode, OutcomeAt, Request, RequestStream, RunPlan, Scenario,
    Service,
};

use crate::compare::assert_all_ways_agree;

const MILLI: u64 = 1_000_000;

/// Every call fails and holds its slot to the end, so that worlds which once differed never meet again.
fn endless_calls(number: u32) -> RequestStream {
    let horizon = Time::from_nanos(u64::from(number + 1) * MILLI);
    let none = ArrivalProcess::Poisson { rate: 0.0 };
    let scenario = Scenario {
        slots: 4 * number,
        horizon: Horizon::At(horizon),
        warm_up: Time::ZERO,
        fault_at: FaultAt::Fixed(Time::from_nanos(MILLI)),
        outcome: OutcomeAt::Admission,
        rejection_hold: Duration::ZERO,
        dependency: none,
        neighbour: none,
        neighbour_hold: Distribution::Deterministic(Duration::TICK),
        service: Service::default(),
    };
    let mode = Mode::given("down", None).expect("given");
    let plan = RunPlan::new(&scenario, &mode, Time::from_nanos(MILLI), horizon, StreamKey::root(1));
    let request = |number| Request {
        at: Time::from_nanos(u64::from(number) * MILLI),
        hold: Duration::from_secs(100),
        number,
        fate: Fate::Failure,
    };
    RequestStream::new(plan, (0..number).map(request).collect())
}

/// Designs that all open at the first call, and probe at different ones.
fn open_times(number: u32) -> Vec<AnyRule> {
    let rule = |millis| Consecutive::new(1, Duration::from_millis(u64::from(millis)), HalfOpen::default());
    (1..=number).map(|millis| rule(millis).expect("valid").into()).collect()
}

/// One world for each design: as many as fit in 64, 128 and 256 lanes, more than that, and more than there are lanes at
/// all.
#[test]
fn one_for_each_design() {
    for number in [64, 65, 128, 129, 257, 1_100] {
        let rules = open_times(number);
        let stats = assert_all_ways_agree(&rules, &DesignSet::new(&rules), &endless_calls(number + 1));
        assert_eq!((stats.streams, stats.requests), (1, u64::from(number) + 1));
        if number <= 1_024 {
            assert_eq!(stats.most_worlds, u64::from(number));
        }
    }
}

#[test]
fn slot_time_beyond_the_clock_is_counted_as_alone() {
    let stream = endless_calls(10);
    let mut requests = stream.requests().to_vec();
    requests.iter_mut().for_each(|request| request.hold = Duration::from_nanos(u64::MAX / 3));
    let rules = open_times(8);
    let stream = RequestStream::new(stream.plan().clone(), requests);
    assert_all_ways_agree(&rules, &DesignSet::new(&rules), &stream);
}
