//! The richer world against a slow, obvious one: it keeps every request in a list, looks through all of them for what
//! happens next, and counts at the end what became of each.
//!
//! Regimes are certain (all calls of one fare alike), so that a fate is a matter of the instant and nothing is drawn.

use engine::{Distribution, Duration, StreamKey, Time};
use policies::{Answer, AnyRule, CallId, Clocks, Outcome, Rule, RuleVisitor, Transition, Verdict};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use scenario::service::{Budget, RateLimit, RegimeOptions, Retries};
use scenario::{
    ArrivalProcess, Fate, FaultAt, Horizon, Mode, OutcomeAt, Regime, Replication, RunRecord, Scenario, Service,
    ServiceCounts, Start, run_service_any,
};

use crate::at_random::rule;
use crate::kit::{at, millis};

/// How all calls of a regime fare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Success,
    Failure,
    Cancelled,
    Ignored,
    Lost,
    TimedOut,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Will ask, for the first time or again.
    Asks(Time),
    /// Waits for a slot, since the `order`-th thing that happened.
    Queued {
        order: u64,
    },
    /// Holds a slot; `None`: for ever.
    Runs {
        end: Option<Time>,
        order: u64,
        how: End,
        hold: Duration,
    },
    Done(Ending),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Answered(End),
    Rejected,
    NoSlot,
    RateLimited,
}

#[derive(Clone, Copy, Debug)]
struct Person {
    /// `None` for a neighbour, with its hold.
    number: Option<u64>,
    hold: Duration,
    arrived: Time,
    state: State,
    attempt: u32,
    started: bool,
    call: CallId,
    permit: bool,
    served_at: Option<Time>,
}

struct Obvious<'a, R: Rule> {
    rule: R,
    breaker: R::State,
    scenario: &'a Scenario,
    regimes: Vec<(Time, End, Duration)>,
    horizon: Time,
    people: Vec<Person>,
    /// Slots held by rejections: the end, and the order.
    rejections: Vec<(Time, u64)>,
    order: u64,
    /// When the limiter last let somebody through: all of them.
    passed: Vec<Time>,
    tokens_in_millionths: u64,
    openings: u64,
    counts: ServiceCounts,
}

impl<R: Rule> Obvious<'_, R> {
    fn service(&self) -> &Service {
        &self.scenario.service
    }

    fn run(mut self) -> RunRecord {
        loop {
            // What ends, before what asks, at one instant.
            let ends = self.people.iter().enumerate().filter_map(|(index, person)| match person.state {
                State::Runs { end: Some(end), order, .. } => Some((end, order, Some(index))),
                _ => None,
            });
            let freed = self.rejections.iter().map(|&(end, order)| (end, order, None));
            let next_end = ends.chain(freed).min_by_key(|&(end, order, _)| (end, order));
            let asks = self.people.iter().enumerate().filter_map(|(index, person)| match person.state {
                State::Asks(when) => {
                    Some(((when, person.number.is_none(), person.number, person.attempt, index), when, index))
                }
                _ => None,
            });
            let next_ask = asks.min_by_key(|&(key, ..)| key);
            match (next_end, next_ask) {
                (Some((end, order, who)), ask) if end < self.horizon && ask.is_none_or(|(_, when, _)| end <= when) => {
                    match who {
                        Some(index) => self.ends(end, index),
                        None => self.rejections.retain(|&(_, other)| other != order),
                    }
                    self.serve(end);
                }
                (_, Some((_, when, index))) if when < self.horizon => self.asks(when, index),
                _ => return self.count(),
            }
        }
    }

    fn is_neighbours(&self, person: &Person) -> bool {
        self.service().bulkhead.is_some() && person.number.is_none()
    }

    /// Slots in use and slots in all, of the part of the pool that somebody belongs to.
    fn part(&self, neighbours: bool) -> (usize, usize) {
        let running = self
            .people
            .iter()
            .filter(|person| matches!(person.state, State::Runs { .. }) && self.is_neighbours(person) == neighbours);
        let rejections = if neighbours { 0 } else { self.rejections.len() };
        let slots = self.scenario.slots as usize;
        let all = match self.service().bulkhead {
            Some(own) if neighbours => slots - own as usize,
            Some(own) => own as usize,
            None => slots,
        };
        (running.count() + rejections, all)
    }

    fn queued(&self, neighbours: bool) -> Vec<usize> {
        let mut queued: Vec<(u64, usize)> = Vec::new();
        for (index, person) in self.people.iter().enumerate() {
            if let State::Queued { order } = person.state
                && self.is_neighbours(person) == neighbours
            {
                queued.push((order, index));
            }
        }
        queued.sort_unstable();
        queued.into_iter().map(|(_, index)| index).collect()
    }

    fn next_order(&mut self) -> u64 {
        self.order += 1;
        self.order
    }

    fn serve(&mut self, now: Time) {
        for neighbours in [false, true] {
            while let Some(&index) = self.queued(neighbours).first() {
                let (busy, all) = self.part(neighbours);
                if busy >= all {
                    break;
                }
                self.start(now, index);
            }
        }
    }

    fn asks(&mut self, now: Time, index: usize) {
        let person = self.people[index];
        let Some(number) = person.number else { return self.seek(now, index) };
        if person.attempt == 0
            && let Some(budget) = self.service().retries.and_then(|retries| retries.budget)
        {
            let earned = (budget.per_request * 1e6).round() as u64;
            self.tokens_in_millionths = (self.tokens_in_millionths + earned).min(u64::from(budget.most) * 1_000_000);
        }
        if let Some(limit) = self.service().rate_limit
            && !self.passes(now, limit)
        {
            return self.turned_away(now, index, Ending::RateLimited);
        }
        let outside = self.service().retries.is_some_and(|retries| retries.breaker_outside);
        if !(outside && person.attempt > 0) {
            let call = CallId { asked_at: now, request: number, attempt: person.attempt };
            self.people[index].call = call;
            let (answer, change) = self.rule.ask(&mut self.breaker, Clocks::synchronous(now), call);
            self.changes(change);
            match answer {
                Answer::Admit => self.people[index].permit = true,
                Answer::Reject => return self.turned_away(now, index, Ending::Rejected),
                Answer::Wait => unreachable!("none of these rules holds calls back"),
            }
        }
        self.seek(now, index);
    }

    /// A token bucket of `burst`, filled by one per interval: replayed from the start.
    fn passes(&mut self, now: Time, limit: RateLimit) -> bool {
        let interval = Duration::from_secs_f64(1.0 / limit.rate).as_nanos();
        let most = u64::from(limit.burst) * interval;
        let (mut level, mut last) = (most, 0);
        for passed in &self.passed {
            level = (level + passed.as_nanos() - last).min(most) - interval;
            last = passed.as_nanos();
        }
        let passes = (level + now.as_nanos() - last).min(most) >= interval;
        if passes {
            self.passed.push(now);
        }
        passes
    }

    fn seek(&mut self, now: Time, index: usize) {
        let neighbours = self.is_neighbours(&self.people[index]);
        let (busy, all) = self.part(neighbours);
        let queued = self.queued(neighbours).len();
        if queued == 0 && busy < all {
            self.start(now, index);
        } else if queued < self.service().queue as usize {
            self.people[index].state = State::Queued { order: self.next_order() };
        } else {
            self.turned_away(now, index, Ending::NoSlot);
        }
    }

    fn start(&mut self, now: Time, index: usize) {
        let order = self.next_order();
        let person = self.people[index];
        self.people[index].served_at = Some(now);
        if person.number.is_none() {
            let (how, hold) = (End::Success, person.hold);
            self.people[index].state = State::Runs { end: Some(now + hold), order, how, hold };
            return;
        }
        let &(_, natural, work) = self.regimes.iter().rev().find(|regime| regime.0 <= now).expect("from zero");
        let (how, hold) = match self.service().time_out {
            Some(time_out) if natural == End::Lost || work > time_out => (End::TimedOut, time_out),
            _ => (natural, work),
        };
        self.counts.retries += u64::from(person.started);
        self.counts.lost += u64::from(natural == End::Lost);
        self.people[index].started = true;
        let end = (how != End::Lost).then(|| now + hold);
        self.people[index].state = State::Runs { end, order, how, hold };
    }

    fn ends(&mut self, now: Time, index: usize) {
        let person = self.people[index];
        let State::Runs { how, hold, .. } = person.state else { unreachable!() };
        if person.number.is_none() {
            self.people[index].state = State::Done(Ending::Answered(End::Success));
            return;
        }
        self.counts.timeouts += u64::from(how == End::TimedOut);
        let failed = matches!(how, End::Failure | End::TimedOut);
        let mut again = None;
        if let Some(retries) = self.service().retries
            && failed
            && person.attempt + 1 < retries.attempts
        {
            let affordable = retries.budget.is_none() || self.tokens_in_millionths >= 1_000_000;
            if affordable {
                self.tokens_in_millionths -= if retries.budget.is_some() { 1_000_000 } else { 0 };
                again = Some(now + retries.delay);
            }
        }
        // Neither in a slot nor done while the breaker hears of it.
        self.people[index].state = State::Done(Ending::Answered(how));
        let outside = self.service().retries.is_some_and(|retries| retries.breaker_outside);
        if !outside {
            self.tell(now, index, how, hold);
        } else if again.is_none() {
            self.tell(now, index, how, now.since(person.call.asked_at));
        }
        if let Some(again) = again {
            self.people[index].attempt += 1;
            self.people[index].state = State::Asks(again);
        }
    }

    fn tell(&mut self, now: Time, index: usize, how: End, duration: Duration) {
        if !std::mem::take(&mut self.people[index].permit) {
            return;
        }
        let (clocks, call) = (Clocks::synchronous(now), self.people[index].call);
        let outcome = |verdict| Outcome { verdict, duration };
        let change = match how {
            End::Success => self.rule.record(&mut self.breaker, clocks, call, outcome(Verdict::Success)),
            End::Failure | End::TimedOut => {
                self.rule.record(&mut self.breaker, clocks, call, outcome(Verdict::Failure))
            }
            End::Ignored => self.rule.ignore(&mut self.breaker, clocks, call, outcome(Verdict::Failure)),
            End::Cancelled => self.rule.release(&mut self.breaker, clocks, call),
            End::Lost => unreachable!("nobody hears of it"),
        };
        self.changes(change);
    }

    fn turned_away(&mut self, now: Time, index: usize, why: Ending) {
        let person = self.people[index];
        let outside = self.service().retries.is_some_and(|retries| retries.breaker_outside);
        if person.started && outside {
            self.tell(now, index, End::Failure, now.since(person.call.asked_at));
        } else if person.permit {
            self.people[index].permit = false;
            let change = self.rule.release(&mut self.breaker, Clocks::synchronous(now), person.call);
            self.changes(change);
        }
        self.people[index].state = State::Done(if person.started { Ending::Answered(End::Failure) } else { why });
        let (busy, all) = self.part(false);
        if why == Ending::Rejected && !self.scenario.rejection_hold.is_zero() && busy < all {
            let order = self.next_order();
            self.rejections.push((now + self.scenario.rejection_hold, order));
        }
    }

    fn changes(&mut self, change: Option<Transition>) {
        self.openings += u64::from(change.is_some_and(|change| change.to == policies::Phase::Open));
    }

    /// The columns that are compared; all others are left at what a run without anything has.
    fn count(mut self) -> RunRecord {
        let arrived = |person: &&Person| person.arrived < self.horizon;
        let calls: Vec<&Person> = self.people.iter().filter(|person| person.number.is_some()).filter(arrived).collect();
        let neighbours: Vec<&Person> =
            self.people.iter().filter(|person| person.number.is_none()).filter(arrived).collect();
        let number = |of: &[&Person], ending: &dyn Fn(Ending) -> bool| {
            of.iter().filter(|person| matches!(person.state, State::Done(how) if ending(how))).count() as u64
        };
        let failed = |how| matches!(how, Ending::Answered(End::Failure | End::TimedOut));
        let unfinished =
            |of: &[&Person]| of.iter().filter(|person| !matches!(person.state, State::Done(_))).count() as u64;
        self.counts.cancelled = number(&calls, &|how| how == Ending::Answered(End::Cancelled));
        self.counts.ignored = number(&calls, &|how| how == Ending::Answered(End::Ignored));
        self.counts.rate_limited = number(&calls, &|how| how == Ending::RateLimited);
        let unstarted = |person: &&&Person| !person.started && matches!(person.state, State::Queued { .. });
        self.counts.waiting = calls.iter().filter(unstarted).count() as u64;
        let wait = |person: &&Person| match person.state {
            State::Queued { .. } => self.horizon.since(person.arrived),
            _ => person.served_at.map_or(Duration::ZERO, |served| served.since(person.arrived)),
        };
        self.counts.neighbour_wait = neighbours.iter().map(wait).fold(Duration::ZERO, |sum, wait| sum + wait);
        RunRecord {
            requests: calls.len() as u64,
            responses: number(&calls, &|how| how == Ending::Answered(End::Success)),
            errors: number(&calls, &failed),
            rejected: number(&calls, &|how| how == Ending::Rejected),
            no_slot: number(&calls, &|how| how == Ending::NoSlot),
            in_flight: unfinished(&calls),
            openings: self.openings,
            neighbour_requests: neighbours.len() as u64,
            neighbour_responses: number(&neighbours, &|how| how == Ending::Answered(End::Success)),
            neighbour_no_slot: number(&neighbours, &|how| how == Ending::NoSlot),
            neighbour_in_flight: unfinished(&neighbours),
            service: Some(self.counts),
            ..empty()
        }
    }
}

/// A record of nothing.
fn empty() -> RunRecord {
    let none = ArrivalProcess::Poisson { rate: 0.0 };
    let scenario = Scenario { dependency: none, neighbour: none, ..Scenario::default() };
    let mode = Mode::given("healthy", None).expect("given");
    run_service_any(&policies::NoBreaker.into(), &Replication::draw(&scenario, 1, 0).stream(&mode))
}

/// A record reduced to what the obvious world counts.
fn compared(run: &RunRecord) -> RunRecord {
    let counts = run.service.expect("a run of the richer world");
    RunRecord {
        requests: run.requests,
        responses: run.responses,
        errors: run.errors,
        rejected: run.rejected,
        no_slot: run.no_slot,
        in_flight: run.in_flight,
        openings: run.openings,
        neighbour_requests: run.neighbour_requests,
        neighbour_responses: run.neighbour_responses,
        neighbour_no_slot: run.neighbour_no_slot,
        neighbour_in_flight: run.neighbour_in_flight,
        service: Some(ServiceCounts { dependency_peak: 0, stuck_breakers: 0, ..counts }),
        ..empty()
    }
}

#[derive(Clone, Debug)]
struct World {
    scenario: Scenario,
    regimes: Vec<(u64, End, u64)>,
    seed: u64,
}

impl World {
    fn mode(&self) -> Mode {
        let timeline = self.regimes.iter().enumerate().map(|(index, &(start, end, hold))| {
            let hold = Distribution::Deterministic(millis(hold));
            let mut options = RegimeOptions::default();
            match end {
                End::Lost => options.lost = 1.0,
                End::Cancelled => options.cancelled = 1.0,
                End::Ignored => options.ignored = 1.0,
                _ => {}
            }
            let failure_probability = if end == End::Success { 0.0 } else { 1.0 };
            let given = Regime::given("down").expect("given");
            let name = format!("regime {index}");
            let regime =
                Regime { name, failure_probability, success_hold: hold.clone(), failure_hold: hold, options, ..given };
            (Start::At(at(start)), regime)
        });
        Mode { name: "certain".to_owned(), timeline: timeline.collect() }
    }
}

struct Compare<'a> {
    world: &'a World,
}

impl RuleVisitor for Compare<'_> {
    type Output = RunRecord;

    fn visit<R: Rule>(self, rule: R) -> RunRecord {
        let World { scenario, regimes, .. } = self.world;
        let stream = Replication::draw(scenario, self.world.seed, 0).stream(&self.world.mode());
        let people = stream.requests().iter().map(|request| Person {
            number: (request.fate != Fate::Neighbour).then(|| u64::from(request.number)),
            hold: request.hold,
            arrived: request.at,
            state: State::Asks(request.at),
            attempt: 0,
            started: false,
            call: CallId::FIRST,
            permit: false,
            served_at: None,
        });
        let budget = scenario.service.retries.and_then(|retries| retries.budget);
        let world = Obvious {
            rule,
            breaker: rule.start(StreamKey::root(0)),
            scenario,
            regimes: regimes.iter().map(|&(start, end, hold)| (at(start), end, millis(hold))).collect(),
            horizon: stream.plan().horizon,
            people: people.collect(),
            rejections: Vec::new(),
            order: 0,
            passed: Vec::new(),
            tokens_in_millionths: budget.map_or(0, |budget| u64::from(budget.most) * 1_000_000),
            openings: 0,
            counts: ServiceCounts::default(),
        };
        world.run()
    }
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        4 => Just(End::Success),
        4 => Just(End::Failure),
        1 => Just(End::Cancelled),
        1 => Just(End::Ignored),
        1 => Just(End::Lost),
    ]
}

prop_compose! {
    fn world()(
        slots in 2..9_u32,
        bulkhead in any::<bool>(),
        queue in 0..4_u32,
        time_out in proptest::option::of(2..15_u64),
        retries in proptest::option::of((2..4_u32, 0..9_u64, any::<bool>(), proptest::option::of((0.0..0.5_f64, 1..4_u32)))),
        rate_limit in proptest::option::weighted(0.3, (20.0..120.0_f64, 1..6_u32)),
        rejection_hold in 0..3_u64,
        regimes in proptest::collection::vec((1..300_u64, end(), 1..20_u64), 2..8),
        even in any::<bool>(),
        seed in 0..1_000_u64,
    ) -> World {
        let mut start = 0;
        let regimes: Vec<(u64, End, u64)> = regimes
            .into_iter()
            .enumerate()
            .map(|(index, (after, end, tens))| {
                start += if index == 0 { 0 } else { after };
                (start, end, 10 * tens)
            })
            .collect();
        let retries = retries.map(|(attempts, tens, breaker_outside, budget)| Retries {
            attempts,
            delay: millis(10 * tens),
            growth: 1.0,
            longest: millis(1_000),
            jitter: 0.0,
            breaker_outside,
            budget: budget.map(|(per_request, most)| Budget { per_request, most }),
        });
        // Equal gaps of ten milliseconds make arrivals, ends and further attempts coincide, but for rounding.
        let arrivals = |rate| if even { ArrivalProcess::Even { rate } } else { ArrivalProcess::Poisson { rate } };
        let service = Service {
            queue,
            time_out: time_out.map(|tens| millis(10 * tens)),
            retries,
            rate_limit: rate_limit.map(|(rate, burst)| RateLimit { rate, burst }),
            bulkhead: bulkhead.then_some(1),
            ..Service::default()
        };
        let scenario = Scenario {
            slots,
            horizon: Horizon::At(at(2_500)),
            warm_up: Time::ZERO,
            fault_at: FaultAt::Fixed(at(regimes[1].0)),
            outcome: OutcomeAt::Completion,
            rejection_hold: millis(10 * rejection_hold),
            dependency: arrivals(50.0),
            neighbour: arrivals(25.0),
            neighbour_hold: Distribution::Deterministic(millis(40)),
            service,
        };
        World { scenario, regimes, seed }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(77), ..ProptestConfig::with_cases(1_500) })]

    #[test]
    fn every_count_is_that_of_the_obvious_world(rule in rule(), world in world()) {
        let stream = Replication::draw(&world.scenario, world.seed, 0).stream(&world.mode());
        let run = compared(&run_service_any(&rule, &stream));
        let obvious = rule.visit(Compare { world: &world });
        let calls = obvious.responses + obvious.errors + obvious.in_flight
            + obvious.service.map_or(0, |counts| counts.cancelled + counts.ignored);
        prop_assert_eq!(run, compared(&obvious));
        prop_assert_eq!(run_service_any(&AnyRule::clone(&rule), &stream).calls, calls);
    }
}
