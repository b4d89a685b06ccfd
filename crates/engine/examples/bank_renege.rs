//! A bank with one counter, whose customers wait for so long and no longer.
//!
//! Shows: a timer per customer, cancelled by its handle when the customer's turn comes first.

use std::collections::VecDeque;
use std::fmt::Write;

use engine::{Arrivals, Calendar, Class, Distribution, Duration, Handle, Model, Simulation, StreamKey, Time};

enum Event {
    Arrive(u64),
    /// The customer's patience is at its end.
    GiveUp(u64),
    Leave(u64),
}

struct Waiting {
    customer: u64,
    patience: Handle,
}

struct Bank {
    streams: StreamKey,
    serving: bool,
    line: VecDeque<Waiting>,
    diary: String,
}

impl Bank {
    fn note(&mut self, now: Time, what: &str) {
        writeln!(self.diary, "{:>6.1} min  {what}", now.as_secs_f64() / 60.0).expect("a string takes everything");
    }

    fn serve(&mut self, customer: u64, calendar: &mut Calendar<Event>) {
        self.serving = true;
        let service = Distribution::Exponential { mean: Duration::from_secs(12 * 60) };
        let service = service.quantile(self.streams.child(1).uniform(customer));
        calendar.schedule_in(service, Class::Completion, Event::Leave(customer));
    }
}

impl Model for Bank {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        let now = calendar.now();
        match event {
            Event::Arrive(customer) if self.serving => {
                self.note(now, &format!("customer {customer} joins the line"));
                let patience = Distribution::Uniform { from: Duration::from_secs(60), to: Duration::from_secs(900) };
                let end = now + patience.quantile(self.streams.child(2).uniform(customer));
                let patience = calendar.schedule_cancellable(end, Class::Timer, Event::GiveUp(customer));
                self.line.push_back(Waiting { customer, patience });
            }
            Event::Arrive(customer) => {
                self.note(now, &format!("customer {customer} is served at once"));
                self.serve(customer, calendar);
            }
            Event::GiveUp(customer) => {
                self.note(now, &format!("customer {customer} has had enough, and goes"));
                self.line.retain(|waiting| waiting.customer != customer);
            }
            Event::Leave(customer) => {
                self.serving = false;
                self.note(now, &format!("customer {customer} is done"));
                if let Some(Waiting { customer, patience }) = self.line.pop_front() {
                    calendar.cancel(patience);
                    self.note(now, &format!("customer {customer} is served"));
                    self.serve(customer, calendar);
                }
            }
        }
    }
}

pub(crate) fn report() -> String {
    let streams = StreamKey::root(42);
    let gap = Distribution::Exponential { mean: Duration::from_secs(6 * 60) };
    let arrivals = (1..=10).scan(Time::ZERO, |now, customer| {
        *now += gap.quantile(streams.child(0).uniform(customer));
        Some((*now, Event::Arrive(customer)))
    });
    let bank = Bank { streams, serving: false, line: VecDeque::new(), diary: String::new() };
    let mut simulation = Simulation::new(bank).with_source(Arrivals::new(arrivals));
    simulation.run();
    simulation.into_model().diary
}

fn main() {
    print!("{}", report());
}
