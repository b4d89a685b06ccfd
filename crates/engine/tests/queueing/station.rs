//! The model of all checks: servers, with or without a waiting line, and what is measured of them.

use std::collections::VecDeque;
use std::marker::PhantomData;

use engine::{
    Arrivals, Calendar, Class, Distribution, Duration, Model, Simulation, SlotPool, StreamKey, Time, TimeWeighted,
};

use crate::kit::Kit;

/// A queueing system and how long it is watched.
#[derive(Clone, Debug)]
pub(crate) struct Station {
    pub(crate) servers: u32,
    /// Whether who finds all servers busy waits, or is turned away.
    pub(crate) line: bool,
    pub(crate) gap: Distribution,
    pub(crate) service: Distribution,
    pub(crate) warm_up: Duration,
    /// How long it is watched after the warm-up.
    pub(crate) watched: Duration,
}

/// What was seen from the end of the warm-up on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Report {
    /// Arrivals.
    pub(crate) offered: u64,
    /// Arrivals turned away.
    pub(crate) lost: u64,
    /// Arrivals that had to wait.
    pub(crate) delayed: u64,
    pub(crate) mean_in_system: f64,
    pub(crate) mean_waiting: f64,
    /// Customers in the system, integrated by the engine: customers times nanoseconds.
    pub(crate) area: i128,
    /// The nanoseconds that each customer spent in the system while it was watched, added up one by one.
    pub(crate) sojourns: i128,
}

#[derive(Clone, Copy, Debug)]
struct Customer {
    number: u64,
    arrived: Time,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Arrive(u64),
    Leave(Customer),
}

struct Floor<'a, K> {
    station: &'a Station,
    servers: SlotPool,
    line: VecDeque<Customer>,
    services: StreamKey,
    in_system: TimeWeighted,
    waiting: TimeWeighted,
    offered: u64,
    lost: u64,
    delayed: u64,
    sojourns: i128,
    kit: PhantomData<K>,
}

impl<K: Kit> Floor<'_, K> {
    fn serve(&self, customer: Customer, calendar: &mut Calendar<Event>) {
        let until = calendar.now() + self.station.service.quantile(self.services.uniform(customer.number));
        calendar.schedule_keyed(K::key(until, Class::Completion, customer.number), Event::Leave(customer));
    }

    fn begin_to_watch(&mut self, now: Time) {
        self.in_system.reset(now);
        self.waiting.reset(now);
        (self.offered, self.lost, self.delayed) = (0, 0, 0);
    }

    /// The part of a stay that lies within the watched time. Knows nothing of the kit.
    fn sojourn(&self, customer: Customer, until: Time) -> i128 {
        let watched_from = customer.arrived.max(Time::ZERO + self.station.warm_up);
        until.since(watched_from).as_nanos().into()
    }
}

impl<K: Kit> Model for Floor<'_, K> {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        let now = calendar.now();
        match event {
            Event::Arrive(number) => {
                self.offered += 1;
                let customer = Customer { number, arrived: now };
                if self.servers.try_acquire() {
                    self.serve(customer, calendar);
                } else if self.station.line {
                    self.delayed += 1;
                    self.line.push_back(customer);
                    self.waiting.add(now, 1);
                } else {
                    self.lost += 1;
                    return;
                }
                self.in_system.add(now, 1);
            }
            Event::Leave(customer) if K::fires(customer.number) => {
                self.in_system.add(now, -1);
                self.sojourns += self.sojourn(customer, now);
                if let Some(next) = self.line.pop_front() {
                    self.waiting.add(now, -1);
                    self.serve(next, calendar);
                } else {
                    self.servers.release();
                }
            }
            Event::Leave(_) => {}
        }
    }
}

impl Station {
    /// Runs one replication.
    pub(crate) fn run<K: Kit>(&self, replication: u64) -> Report {
        let root = K::root(replication);
        let gaps = K::gaps(root);
        let arrivals = (0..).scan(Time::ZERO, |now, number| {
            *now += self.gap.quantile(gaps.uniform(number));
            Some((*now, Event::Arrive(number)))
        });
        let floor = Floor::<K> {
            station: self,
            servers: SlotPool::new(self.servers),
            line: VecDeque::new(),
            services: K::services(root),
            in_system: TimeWeighted::new(Time::ZERO, 0),
            waiting: TimeWeighted::new(Time::ZERO, 0),
            offered: 0,
            lost: 0,
            delayed: 0,
            sojourns: 0,
            kit: PhantomData,
        };
        let mut simulation = Simulation::new(floor).with_source(Arrivals::new(arrivals));

        let warm = Time::ZERO + self.warm_up;
        let end = warm + self.watched;
        simulation.run_until(K::warm_up_end(warm));
        let now = simulation.now();
        simulation.model_mut().begin_to_watch(now);
        simulation.run_until(end);

        let (mut floor, calendar, ..) = simulation.into_parts();
        let in_service = calendar.queue().iter().filter_map(|(_, event)| match event {
            Event::Leave(customer) => Some(*customer),
            Event::Arrive(_) => None,
        });
        let still_here: Vec<Customer> = in_service.chain(floor.line.iter().copied()).collect();
        for customer in still_here {
            floor.sojourns += floor.sojourn(customer, end);
        }
        Report {
            offered: floor.offered,
            lost: floor.lost,
            delayed: floor.delayed,
            mean_in_system: floor.in_system.mean(end).expect("some time has passed"),
            mean_waiting: floor.waiting.mean(end).expect("some time has passed"),
            area: floor.in_system.area(end),
            sojourns: floor.sojourns,
        }
    }
}
