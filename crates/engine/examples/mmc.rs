//! A bank with several counters and one line: M/M/c, compared with what Erlang worked out in 1917.
//!
//! Shows: a model, a source of arrivals, keyed random numbers, a slot pool, statistics.

use std::collections::VecDeque;

use engine::{Arrivals, Calendar, Class, Distribution, Duration, Model, Simulation, SlotPool, StreamKey};
use engine::{Tally, Time, TimeWeighted};

#[derive(Clone, Copy)]
struct Customer {
    number: u64,
    arrived: Time,
}

enum Event {
    Arrive(Customer),
    Leave,
}

struct Bank {
    counters: SlotPool,
    line: VecDeque<Customer>,
    service: Distribution,
    services: StreamKey,
    waits: Tally,
    line_length: TimeWeighted,
}

impl Bank {
    fn serve(&mut self, customer: Customer, calendar: &mut Calendar<Event>) {
        self.waits.add((calendar.now() - customer.arrived).as_secs_f64());
        let service = self.service.quantile(self.services.uniform(customer.number));
        calendar.schedule_in(service, Class::Completion, Event::Leave);
    }
}

impl Model for Bank {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        match event {
            Event::Arrive(customer) if self.counters.try_acquire() => self.serve(customer, calendar),
            Event::Arrive(customer) => {
                self.line.push_back(customer);
                self.line_length.add(calendar.now(), 1);
            }
            Event::Leave => match self.line.pop_front() {
                Some(next) => {
                    self.line_length.add(calendar.now(), -1);
                    self.serve(next, calendar);
                }
                None => self.counters.release(),
            },
        }
    }
}

/// The probability that all of `counters` are busy, at an offered load of `load`: Erlang's C formula.
fn erlang_c(counters: u32, load: f64) -> f64 {
    let blocked = (1..=counters).fold(1.0, |blocked, n| load * blocked / (f64::from(n) + load * blocked));
    blocked / (1.0 - load / f64::from(counters) * (1.0 - blocked))
}

pub(crate) fn report() -> String {
    let end = Time::ZERO + Duration::from_secs(10_000_000);
    let (gap, service) = (Duration::from_secs(30), Duration::from_secs(75));
    let load = service.as_secs_f64() / gap.as_secs_f64();
    let mut report = String::from("counters  mean wait  theory  mean line\n");
    for counters in 3..=6 {
        let root = StreamKey::root(1917);
        let (gaps, services) = (root.child(0), root.child(1));
        let arrivals = (0..).scan(Time::ZERO, |now, number| {
            *now += Distribution::Exponential { mean: gap }.quantile(gaps.uniform(number));
            Some((*now, Event::Arrive(Customer { number, arrived: *now })))
        });
        let bank = Bank {
            counters: SlotPool::new(counters),
            line: VecDeque::new(),
            service: Distribution::Exponential { mean: service },
            services,
            waits: Tally::new(),
            line_length: TimeWeighted::new(Time::ZERO, 0),
        };
        let mut simulation = Simulation::new(bank).with_source(Arrivals::new(arrivals));
        simulation.run_until(end);

        let bank = simulation.into_model();
        let wait = bank.waits.mean().unwrap_or(0.0);
        let theory = erlang_c(counters, load) * service.as_secs_f64() / (f64::from(counters) - load);
        let line = bank.line_length.mean(end).unwrap_or(0.0);
        report += &format!("{counters:>8}  {wait:>7.2} s  {theory:>4.1} s  {line:>9.3}\n");
    }
    report
}

fn main() {
    print!("{}", report());
}
