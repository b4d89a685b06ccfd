//! The pool's meltdown: twenty workers serve checkouts, each of which needs the fraud check, and other work that does not.
//!
//! Whoever finds no free worker waits in one line, first come, first served, and nobody gives up. A checkout occupies its
//! worker for a millisecond of its own, then asks the breaker, and if let through waits for the fraud check: 1 ms while
//! the service lives, the time-out while it is dead. Other work only needs a worker for a while.

use std::collections::VecDeque;

use engine::{Arrivals, Calendar, Class, Duration, EventKey, Model, Simulation, SlotPool, StreamKey, Time};
use policies::{Answer, CallId, Clocks, Outcome, Rule, Verdict};

use super::{ANSWER, CALLER};
use crate::ArrivalProcess;

/// The pool, its work, and how the fraud check dies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Workers {
    /// Workers that everybody shares; at least 1.
    pub workers: u32,
    /// Checkouts per second, Poisson.
    pub checkouts: f64,
    /// Other work: name, requests per second (Poisson), and how long a request occupies its worker.
    pub others: [(&'static str, f64, Duration); 2],
    /// What a call to the dead service takes.
    pub time_out: Duration,
    /// The service is dead on [`dead_from`, `dead_to`); equal instants: never.
    pub dead_from: Time,
    /// When the service lives again.
    pub dead_to: Time,
    /// Arrivals end here. Whoever waits then is still served.
    pub end: Time,
}

impl Workers {
    /// Twenty workers, 400 checkouts per second, and two kinds of other work that occupy 2.5 workers on average. The
    /// service is dead from the first to the sixth second of nine. All of it together needs 3.3 workers while the service
    /// lives.
    #[must_use]
    pub fn lesson(time_out: Duration) -> Self {
        let second = |seconds| Time::ZERO + Duration::from_secs(seconds);
        Self {
            workers: 20,
            checkouts: 400.0,
            others: [("cart", 200.0, Duration::from_millis(10)), ("coupon", 100.0, Duration::from_millis(5))],
            time_out,
            dead_from: second(1),
            dead_to: second(6),
            end: second(9),
        }
    }

    /// The same with a service that never dies.
    #[must_use]
    pub fn healthy(self) -> Self {
        Self { dead_to: self.dead_from, ..self }
    }

    /// Runs one replication: the same arrivals under every rule and every time-out.
    #[must_use]
    pub fn run<R: Rule>(&self, rule: R, root_seed: u64, replication: u32) -> PoolRun {
        let key = StreamKey::root(root_seed).child(u64::from(replication));
        let arrivals = |flow: u64, rate| ArrivalProcess::Poisson { rate }.arrivals(key.child(flow), self.end);
        let mut work: Vec<(Time, u32, u32, Job)> = Vec::new();
        let number = |(at, number), flow, job| (at, flow, number, job);
        work.extend(arrivals(0, self.checkouts).into_iter().zip(0..).map(|one| number(one, 0, Job::Checkout)));
        for ((_, rate, hold), flow) in self.others.into_iter().zip(1..) {
            let jobs = arrivals(u64::from(flow), rate).into_iter().zip(0..);
            work.extend(jobs.map(|one| number(one, flow, Job::Other { hold })));
        }
        work.sort_by_key(|&(at, flow, number, _)| (at, flow, number));
        let source =
            Arrivals::new(work.into_iter().zip(0..).map(|((at, _, _, job), position)| {
                (at, Event::Arrive(Waiting { arrived: at, number: position, job }))
            }));
        let pool = Pool {
            workers: *self,
            rule,
            breaker: rule.start(key),
            pool: SlotPool::new(self.workers),
            line: VecDeque::new(),
            run: PoolRun::default(),
        };
        let mut simulation = Simulation::new(pool).with_source(source);
        simulation.run();
        simulation.into_model().run
    }
}

/// What one replication shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoolRun {
    /// Of each request that does not need the fraud check, in the order in which they were served: when it arrived, and
    /// how long it waited for a worker.
    pub neighbours: Vec<(Time, Duration)>,
    /// Of each checkout, likewise.
    pub checkouts: Vec<(Time, Duration)>,
    /// Calls that reached the fraud check.
    pub fraud_calls: u64,
    /// Checkouts that the breaker did not let through.
    pub short_circuits: u64,
}

#[derive(Clone, Copy, Debug)]
enum Job {
    Checkout,
    Other { hold: Duration },
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    arrived: Time,
    number: u64,
    job: Job,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Arrive(Waiting),
    /// A checkout has done its own part and asks for the fraud check.
    Ask {
        number: u64,
    },
    /// The fraud check has answered or timed out.
    Checked {
        call: CallId,
        outcome: Outcome,
    },
    /// Other work is done.
    Done,
}

struct Pool<R: Rule> {
    workers: Workers,
    rule: R,
    breaker: R::State,
    pool: SlotPool,
    line: VecDeque<Waiting>,
    run: PoolRun,
}

impl<R: Rule> Pool<R> {
    /// Gives free workers to those who wait, first come, first served.
    fn serve(&mut self, now: Time, calendar: &mut Calendar<Event>) {
        while let Some(&waiting) = self.line.front() {
            if !self.pool.try_acquire() {
                return;
            }
            self.line.pop_front();
            let waited = (waiting.arrived, now.since(waiting.arrived));
            match waiting.job {
                Job::Checkout => {
                    self.run.checkouts.push(waited);
                    // By its number, so that checkouts that ask at one instant ask in the order of their identities.
                    let key = EventKey::new(now + CALLER, Class::Arrival, waiting.number);
                    calendar.schedule_keyed(key, Event::Ask { number: waiting.number });
                }
                Job::Other { hold } => {
                    self.run.neighbours.push(waited);
                    calendar.schedule(now + hold, Class::Completion, Event::Done);
                }
            }
        }
    }

    fn ask(&mut self, now: Time, request: u64, calendar: &mut Calendar<Event>) {
        let clocks = Clocks::synchronous(now);
        while self.rule.advance(&mut self.breaker, clocks).is_some() {}
        let call = CallId { asked_at: now, request, attempt: 0 };
        let (answer, _) = self.rule.ask(&mut self.breaker, clocks, call);
        if answer != Answer::Admit {
            self.run.short_circuits += 1;
            self.free_worker(now, calendar);
            return;
        }
        self.run.fraud_calls += 1;
        let dead = now >= self.workers.dead_from && now < self.workers.dead_to;
        let (verdict, duration) =
            if dead { (Verdict::Failure, self.workers.time_out) } else { (Verdict::Success, ANSWER) };
        let event = Event::Checked { call, outcome: Outcome { verdict, duration } };
        calendar.schedule(now + duration, Class::Completion, event);
    }

    fn free_worker(&mut self, now: Time, calendar: &mut Calendar<Event>) {
        self.pool.release();
        self.serve(now, calendar);
    }
}

impl<R: Rule> Model for Pool<R> {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        let now = calendar.now();
        match event {
            Event::Arrive(waiting) => {
                self.line.push_back(waiting);
                self.serve(now, calendar);
            }
            Event::Ask { number } => self.ask(now, number, calendar),
            Event::Checked { call, outcome } => {
                let _ = self.rule.record(&mut self.breaker, Clocks::synchronous(now), call, outcome);
                self.free_worker(now, calendar);
            }
            Event::Done => self.free_worker(now, calendar),
        }
    }
}
