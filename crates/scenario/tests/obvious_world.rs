//! Every column of a run against a slow, obvious world: it scans lists instead of using the engine, writes a log, and
//! computes each column from the log by the column's definition.

#[path = "shared_trajectories/dialects.rs"]
mod dialects;

use engine::{Duration, StreamKey, Time};
use policies::{
    Answer, AnyBreaker, AnyRule, CallId, Clocks, Consecutive, HalfOpen, NoBreaker, Outcome, Phase, Ratio, Transition,
    Verdict,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use scenario::{
    ArrivalProcess, DetectionOutcome, Fate, FaultAt, Horizon, Mode, Opening, OutcomeAt, Regime, Request, RequestStream,
    RunPlan, RunRecord, Scenario, Service, Start, run_any, run_service_any,
};

/// What the obvious world writes down.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Entry {
    Rejected(Request),
    NoSlot(Request),
    Started(Request),
    Completed(Request),
    Changed(Transition),
}

struct ObviousWorld<'a> {
    breaker: AnyBreaker,
    plan: &'a RunPlan,
    /// End of hold and the request; `None` for a rejection's hold. In order of arrival.
    holding: Vec<(Time, Option<Request>)>,
    /// Requests that wait at the breaker.
    waiting: Vec<Request>,
    log: Vec<(Time, Entry)>,
    /// The breaker's phase just before the second regime's start and at the heal.
    phase_before_fault: Option<Phase>,
    phase_at_heal: Option<Phase>,
}

impl ObviousWorld<'_> {
    fn run(mut self, requests: &[Request]) -> RunRecord {
        for &request in requests {
            if request.at >= self.plan.horizon {
                break;
            }
            self.complete_up_to(request.at);
            self.arrive(request);
        }
        let last = Time::from_nanos(self.plan.horizon.as_nanos() - 1);
        self.complete_up_to(last);
        self.look(Time::MAX);
        self.columns(requests)
    }

    /// Completions no later than `now`, the earliest first and, at one instant, in order of arrival.
    fn complete_up_to(&mut self, now: Time) {
        while let Some(index) = (0..self.holding.len()).min_by_key(|&index| (self.holding[index].0, index)) {
            let (end, request) = self.holding[index];
            if end > now {
                break;
            }
            self.pass_to(end);
            self.holding.remove(index);
            if let Some(request) = request {
                self.log.push((end, Entry::Completed(request)));
                if request.fate != Fate::Neighbour && self.plan.outcome == OutcomeAt::Completion {
                    self.record(end, request);
                    self.resume(end);
                }
            }
        }
        self.pass_to(now);
    }

    /// Lets the breaker's timers fire up to `now`. The phase at the fault and at the heal is that before timers of the instant.
    fn pass_to(&mut self, now: Time) {
        while let Some(due) = self.breaker.next_timer().filter(|&due| due <= now) {
            self.look(due);
            while let Some(change) = self.breaker.advance(Clocks::synchronous(due)) {
                self.log.push((due, Entry::Changed(change)));
                self.resume(due);
            }
        }
        self.look(now);
    }

    /// Reads the phase at the fault and at the heal once time reaches them.
    fn look(&mut self, now: Time) {
        if now >= self.plan.fault_at && self.phase_before_fault.is_none() {
            self.phase_before_fault = Some(self.breaker.phase(Clocks::synchronous(self.plan.fault_at)));
        }
        if let Some(heal) = self.plan.heal_at.filter(|&heal| now >= heal) {
            let phase = self.breaker.phase(Clocks::synchronous(heal));
            self.phase_at_heal.get_or_insert(phase);
        }
    }

    fn arrive(&mut self, request: Request) {
        let now = request.at;
        let free = self.holding.len() < self.plan.slots as usize;
        if request.fate == Fate::Neighbour {
            if free {
                self.log.push((now, Entry::Started(request)));
                self.holding.push((now + request.hold, Some(request)));
            } else {
                self.log.push((now, Entry::NoSlot(request)));
            }
            return;
        }
        let (answer, change) = self.breaker.ask(Clocks::synchronous(now), id(request));
        self.log.extend(change.map(|change| (now, Entry::Changed(change))));
        match answer {
            Answer::Reject => self.answer(now, request, false),
            Answer::Wait => self.waiting.push(request),
            Answer::Admit => self.answer(now, request, true),
        }
        self.resume(now);
    }

    /// Whatever waits and need not any more goes on, or is turned away.
    fn resume(&mut self, now: Time) {
        while let Some(resumed) = self.breaker.resume(Clocks::synchronous(now)) {
            self.log.extend(resumed.transition.map(|change| (now, Entry::Changed(change))));
            let place = self.waiting.iter().position(|&request| id(request) == resumed.call).expect("it waits");
            let request = self.waiting.remove(place);
            self.answer(now, request, resumed.admitted);
        }
    }

    fn answer(&mut self, now: Time, request: Request, admitted: bool) {
        let free = self.holding.len() < self.plan.slots as usize;
        if !admitted {
            self.log.push((now, Entry::Rejected(request)));
            if free && !self.plan.rejection_hold.is_zero() {
                self.holding.push((now + self.plan.rejection_hold, None));
            }
        } else if free {
            self.log.push((now, Entry::Started(request)));
            self.holding.push((now + request.hold, Some(request)));
            if self.plan.outcome == OutcomeAt::Admission {
                self.record(now, request);
            }
        } else {
            self.log.push((now, Entry::NoSlot(request)));
            let change = self.breaker.release(Clocks::synchronous(now), id(request));
            self.log.extend(change.map(|change| (now, Entry::Changed(change))));
        }
    }

    fn record(&mut self, now: Time, request: Request) {
        let verdict = if request.fate == Fate::Failure { Verdict::Failure } else { Verdict::Success };
        let outcome = Outcome { verdict, duration: request.hold };
        let change = self.breaker.record(Clocks::synchronous(now), id(request), outcome);
        self.log.extend(change.map(|change| (now, Entry::Changed(change))));
    }

    fn columns(&self, requests: &[Request]) -> RunRecord {
        let plan = self.plan;
        let counts = |request: &Request| request.at >= plan.warm_up && request.at < plan.horizon;
        let is_call = |request: &Request| request.fate != Fate::Neighbour;
        let end = plan.heal_at.unwrap_or(plan.horizon);
        let in_fault = |at: Time| plan.fault_at <= at && at < end;
        let number = |matches: &dyn Fn(Time, Entry) -> bool| {
            self.log.iter().filter(|&&(at, entry)| matches(at, entry)).count() as u64
        };
        let arrived = |of: &dyn Fn(&Request) -> bool| requests.iter().filter(|r| counts(r) && of(r)).count() as u64;

        let openings = || {
            self.log.iter().enumerate().filter_map(|(index, &(at, entry))| match entry {
                Entry::Changed(change) if change.to == Phase::Open => Some((index, at, change)),
                _ => None,
            })
        };
        let detection = openings().find(|&(_, at, _)| in_fault(at));
        let drawn_up_to = |index: usize| {
            let started = self.log[..index].iter().filter_map(|&(at, entry)| match entry {
                Entry::Started(request) if is_call(&request) && in_fault(at) => Some(request.hold),
                _ => None,
            });
            started.fold(Duration::ZERO, |sum, hold| sum + hold)
        };
        let slot_time_fault = drawn_up_to(self.log.len());
        let opening_means = |at: Time| plan.regimes.iter().rev().find(|&&(start, _)| start <= at).expect("from zero").1;
        let closed_again = |heal: Time| {
            self.log.iter().find_map(|&(at, entry)| match entry {
                Entry::Changed(change) if change.to == Phase::Closed && at >= heal => Some(at.since(heal)),
                _ => None,
            })
        };
        let waiting = self.waiting.iter().filter(|request| counts(request)).count() as u64;
        let started = number(&|_, entry| matches!(entry, Entry::Started(r) if is_call(&r) && counts(&r)));
        let calls = started + waiting;
        let of_fate =
            |fate: Fate| number(&|_, entry| matches!(entry, Entry::Completed(r) if r.fate == fate && counts(&r)));
        let (responses, errors, neighbours) =
            (of_fate(Fate::Success), of_fate(Fate::Failure), of_fate(Fate::Neighbour));
        let neighbour_requests = arrived(&|r| !is_call(r));
        let neighbour_no_slot = number(&|_, entry| matches!(entry, Entry::NoSlot(r) if !is_call(&r) && counts(&r)));
        RunRecord {
            requests: arrived(&is_call),
            calls,
            responses,
            errors,
            rejected: number(&|_, entry| matches!(entry, Entry::Rejected(r) if counts(&r))),
            no_slot: number(&|_, entry| matches!(entry, Entry::NoSlot(r) if is_call(&r) && counts(&r))),
            in_flight: calls - responses - errors,
            openings: openings().filter(|&(_, at, _)| at >= plan.warm_up).count() as u64,
            false_openings: openings()
                .filter(|&(_, at, change)| {
                    at >= plan.warm_up && change.from == Phase::Closed && opening_means(at) == Opening::False
                })
                .count() as u64,
            fault_at: plan.fault_at,
            detection_outcome: match (detection, self.phase_before_fault, plan.heal_at) {
                (Some(_), ..) => DetectionOutcome::Opened,
                (None, Some(Phase::Open | Phase::HalfOpen), _) => DetectionOutcome::AlreadyOpen,
                (None, _, Some(_)) => DetectionOutcome::HealedFirst,
                (None, ..) => DetectionOutcome::Horizon,
            },
            detection_delay: detection.map(|(_, at, _)| at.since(plan.fault_at)),
            detection_delay_restricted: detection.map_or(end, |(_, at, _)| at).since(plan.fault_at),
            slot_time_to_detection: detection.map(|(index, ..)| drawn_up_to(index)),
            slot_time_to_detection_restricted: detection.map_or(slot_time_fault, |(index, ..)| drawn_up_to(index)),
            slot_time_fault,
            false_open_rejections: number(
                &|_, entry| matches!(entry, Entry::Rejected(r) if r.fate == Fate::Success && counts(&r)),
            ),
            rejected_after_heal: plan
                .heal_at
                .map(|heal| number(&|at, entry| matches!(entry, Entry::Rejected(r) if counts(&r)) && at >= heal)),
            closed_after_heal: plan.heal_at.and_then(|heal| {
                if self.phase_at_heal == Some(Phase::Closed) { Some(Duration::ZERO) } else { closed_again(heal) }
            }),
            neighbour_requests,
            neighbour_responses: neighbours,
            neighbour_no_slot,
            neighbour_no_slot_fault: number(&|at, entry| {
                matches!(entry, Entry::NoSlot(r) if !is_call(&r) && counts(&r)) && in_fault(at)
            }),
            neighbour_in_flight: neighbour_requests - neighbours - neighbour_no_slot,
            observed: plan.horizon.since(plan.warm_up),
            service: None,
        }
    }
}

fn id(request: Request) -> CallId {
    CallId { asked_at: request.at, request: u64::from(request.number), attempt: 0 }
}

fn obvious(rule: &AnyRule, stream: &RequestStream) -> RunRecord {
    let plan = stream.plan();
    let world = ObviousWorld {
        breaker: AnyBreaker::start(rule, plan.breaker_key),
        plan,
        holding: Vec::new(),
        waiting: Vec::new(),
        log: Vec::new(),
        phase_before_fault: None,
        phase_at_heal: None,
    };
    world.run(stream.requests())
}

/// Ticks of 10 ms make instants coincide; of 1 ns, they do not.
fn time(ticks: u64, tick: u64) -> Time {
    Time::from_nanos(ticks * tick)
}

fn rule() -> impl Strategy<Value = AnyRule> {
    let cycle = || {
        let half_open = (1..3_u32, 1..3_u32).prop_map(|(permits, successes)| HalfOpen { permits, successes });
        (1..60_u64, half_open)
    };
    prop_oneof![
        dialects::dialect(10_000_000),
        Just(AnyRule::from(NoBreaker)),
        (1..5_u32, cycle()).prop_map(|(threshold, (open_for, half_open))| {
            let open_for = Duration::from_millis(open_for * 10);
            Consecutive::new(threshold, open_for, half_open).expect("in range").into()
        }),
        (1..7_u32, 0.05..1.0_f64, cycle()).prop_map(|(window, threshold, (open_for, half_open))| {
            let open_for = Duration::from_millis(open_for * 10);
            Ratio::new(window, threshold, open_for, half_open).expect("in range").into()
        }),
    ]
}

prop_compose! {
    fn stream()(
        tick in prop_oneof![Just(10_000_000_u64), Just(1)],
        slots in 1..6_u32,
        at_admission in any::<bool>(),
        rejection_hold in 0..3_u64,
        warm_up in 0..50_u64,
        fault_after in 0..60_u64,
        heal_after in proptest::option::of(1..60_u64),
        rest in 1..60_u64,
        opening_right in any::<bool>(),
        requests in proptest::collection::vec((0..200_u64, 1..30_u64, 0..4_u8), 0..250),
    ) -> RequestStream {
        let fault_at = time(warm_up + fault_after, tick) + Duration::TICK;
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
            warm_up: time(warm_up, tick),
            fault_at: FaultAt::Fixed(fault_at),
            outcome: if at_admission { OutcomeAt::Admission } else { OutcomeAt::Completion },
            rejection_hold: Duration::from_nanos(rejection_hold * tick),
            dependency: none,
            neighbour: none,
            neighbour_hold: engine::Distribution::Deterministic(Duration::TICK),
            service: Service::default(),
        };
        let plan = RunPlan::new(&scenario, &mode, fault_at, horizon, StreamKey::root(1));
        let mut drawn: Vec<(u64, bool, u64, u8)> =
            requests.into_iter().map(|(at, hold, fate)| (at, fate == 0, hold, fate)).collect();
        drawn.sort_by_key(|&(at, is_neighbour, ..)| (at, is_neighbour));
        let mut numbers = [0_u32; 2];
        let requests = drawn.into_iter().map(|(at, is_neighbour, hold, fate)| {
            let number = &mut numbers[usize::from(is_neighbour)];
            *number += 1;
            Request {
                at: time(at, tick),
                hold: Duration::from_nanos(hold * tick),
                number: *number - 1,
                fate: match fate { 0 => Fate::Neighbour, 1 => Fate::Success, _ => Fate::Failure },
            }
        });
        RequestStream::new(plan, requests.collect())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(2026), ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn every_column_is_that_of_the_obvious_world(rule in rule(), stream in stream()) {
        prop_assert_eq!(run_any(&rule, &stream), obvious(&rule, &stream));
    }

    #[test]
    fn the_richer_world_is_the_same_where_nothing_more_is_asked_for(rule in rule(), stream in stream()) {
        let rich = run_service_any(&rule, &stream);
        prop_assert!(rich.service.is_some());
        prop_assert_eq!(RunRecord { service: None, ..rich }, run_any(&rule, &stream));
    }

    #[test]
    fn every_request_is_accounted_for(rule in rule(), stream in stream()) {
        let run = run_any(&rule, &stream);
        prop_assert_eq!(run.calls, run.responses + run.errors + run.in_flight);
        prop_assert_eq!(run.requests, run.calls + run.rejected + run.no_slot);
        prop_assert_eq!(run.neighbour_requests, run.neighbour_responses + run.neighbour_no_slot + run.neighbour_in_flight);
        prop_assert!(run.false_openings <= run.openings);
        prop_assert!(run.false_open_rejections <= run.rejected);
        prop_assert!(run.slot_time_to_detection_restricted <= run.slot_time_fault);
    }
}
