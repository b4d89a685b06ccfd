//! A carwash with two washing machines, fed by the cars of a recorded trace.
//!
//! Shows: a trace as a source, and events of one instant: a car that is washed leaves before the next one arrives.

use std::collections::VecDeque;
use std::fmt::Write;

use engine::{Arrivals, Calendar, Class, Duration, Model, Simulation, SlotPool, Time};

const CARS: &str = include_str!("carwash.csv");
const WASH: Duration = Duration::from_secs(5 * 60);

enum Event {
    Arrive(&'static str),
    Washed(&'static str),
}

struct Carwash {
    machines: SlotPool,
    line: VecDeque<&'static str>,
    diary: String,
}

impl Carwash {
    fn note(&mut self, now: Time, car: &str, what: &str) {
        writeln!(self.diary, "{:>5.2}  {car:<5}  {what}", now.as_secs_f64() / 60.0).expect("a string takes everything");
    }

    fn wash(&mut self, car: &'static str, calendar: &mut Calendar<Event>) {
        self.note(calendar.now(), car, "enters a machine");
        calendar.schedule_in(WASH, Class::Completion, Event::Washed(car));
    }
}

impl Model for Carwash {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        let now = calendar.now();
        match event {
            Event::Arrive(car) if self.machines.try_acquire() => self.wash(car, calendar),
            Event::Arrive(car) => {
                self.note(now, car, "waits in line");
                self.line.push_back(car);
            }
            Event::Washed(car) => {
                self.note(now, car, "leaves, clean");
                match self.line.pop_front() {
                    Some(next) => self.wash(next, calendar),
                    None => self.machines.release(),
                }
            }
        }
    }
}

/// One line of the trace: the minute of the arrival, and the car.
fn arrival(line: &'static str) -> (Time, Event) {
    let (minute, car) = line.split_once(',').expect("a line holds a minute and a car");
    let minute: f64 = minute.parse().expect("a minute is a number");
    (Time::ZERO + Duration::from_secs_f64(minute * 60.0), Event::Arrive(car))
}

pub(crate) fn report() -> String {
    let carwash = Carwash { machines: SlotPool::new(2), line: VecDeque::new(), diary: String::new() };
    let arrivals = Arrivals::new(CARS.lines().skip(1).map(arrival));
    let mut simulation = Simulation::new(carwash).with_source(arrivals);
    simulation.run();
    simulation.into_model().diary
}

fn main() {
    print!("{}", report());
}
