//! One counter and a line (M/M/1), every event through the calendar.

use engine::{Calendar, Class, Distribution, Duration, Model, Simulation, StreamKey, Time};

/// What happens at a counter.
pub(crate) enum Event {
    /// A customer comes.
    Arrive,
    /// The customer at the counter is done.
    Leave,
}

/// A counter that is busy four fifths of the time.
pub(crate) struct Counter {
    gaps: StreamKey,
    services: StreamKey,
    customers: u64,
    arrived: u64,
    present: u64,
    left: u64,
    events: u64,
}

impl Counter {
    fn serve_next(&self, calendar: &mut Calendar<Event>) {
        let law = Distribution::Exponential { mean: Duration::from_millis(800) };
        calendar.schedule_in(law.draw(self.services, self.left), Class::Completion, Event::Leave);
    }
}

impl Model for Counter {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        self.events += 1;
        match event {
            Event::Arrive => {
                self.arrived += 1;
                self.present += 1;
                if self.arrived < self.customers {
                    let law = Distribution::Exponential { mean: Duration::from_secs(1) };
                    let gap = law.draw(self.gaps, self.arrived);
                    calendar.schedule_in(gap, Class::Arrival, Event::Arrive);
                }
                if self.present == 1 {
                    self.serve_next(calendar);
                }
            }
            Event::Leave => {
                self.present -= 1;
                self.left += 1;
                if self.present > 0 {
                    self.serve_next(calendar);
                }
            }
        }
    }
}

/// Serves so many customers and says how many events that took: two for each.
pub(crate) fn serve(customers: u64) -> u64 {
    let root = StreamKey::root(1);
    let counter =
        Counter { gaps: root.child(0), services: root.child(1), customers, arrived: 0, present: 0, left: 0, events: 0 };
    let mut simulation = Simulation::new(counter);
    simulation.calendar_mut().schedule(Time::ZERO, Class::Arrival, Event::Arrive);
    simulation.run();
    simulation.model().events
}
