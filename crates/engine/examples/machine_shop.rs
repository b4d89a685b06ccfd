//! A shop of machines that make parts and break down, and one repairer who also has other work to do.
//!
//! Shows: a job is put aside by moving its completion to "never", and taken up again where it was left. So it goes with
//! the part of a machine that breaks, and with the repairer's other work: broken machines go first.

use engine::{Calendar, Class, Distribution, Duration, Handle, Model, Simulation, StreamKey, Time};
use std::collections::VecDeque;

const MACHINES: usize = 10;
const OTHER_WORK: usize = MACHINES; // one more job beside the machines'
const REPAIR: Duration = Duration::from_secs(1_800);

enum Event {
    Done(usize),
    BreakDown(usize),
    Repaired(usize),
}

#[derive(Default)]
struct Shop {
    draws: u64,
    /// The completion of each job's present piece, and what was left of it when it was put aside.
    jobs: [Option<(Handle, Duration)>; MACHINES + 1],
    pieces: [u64; MACHINES + 1],
    broken: VecDeque<usize>,
}

impl Shop {
    fn draw(&mut self, law: &Distribution) -> Duration {
        self.draws += 1;
        law.quantile(StreamKey::root(7).uniform(self.draws))
    }

    fn begin(&mut self, job: usize, calendar: &mut Calendar<Event>) {
        let length = self.draw(&Distribution::LogNormal { median: Duration::from_secs(600), sigma: 0.2 });
        let end = calendar.now() + length;
        self.jobs[job] = Some((calendar.schedule_cancellable(end, Class::Completion, Event::Done(job)), length));
    }

    fn break_later(&mut self, machine: usize, calendar: &mut Calendar<Event>) {
        let life = self.draw(&Distribution::Exponential { mean: Duration::from_secs(18_000) });
        calendar.schedule_in(life, Class::Change, Event::BreakDown(machine));
    }

    fn put_aside(&mut self, job: usize, calendar: &mut Calendar<Event>) {
        let Some((completion, left)) = &mut self.jobs[job] else { return };
        *left = calendar.key_of(*completion).map_or(Duration::ZERO, |key| key.time - calendar.now());
        calendar.rearm(*completion, Time::MAX, Class::Completion);
    }

    fn take_up(&self, job: usize, calendar: &mut Calendar<Event>) {
        let Some((completion, left)) = self.jobs[job] else { return };
        calendar.rearm(completion, calendar.now() + left, Class::Completion);
    }
}

impl Model for Shop {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        match event {
            Event::Done(job) => {
                self.begin(job, calendar);
                self.pieces[job] += 1;
            }
            Event::BreakDown(machine) => {
                self.put_aside(machine, calendar);
                self.broken.push_back(machine);
                if self.broken.len() == 1 {
                    self.put_aside(OTHER_WORK, calendar);
                    calendar.schedule_in(REPAIR, Class::Completion, Event::Repaired(machine));
                }
            }
            Event::Repaired(machine) => {
                self.take_up(machine, calendar);
                self.break_later(machine, calendar);
                self.broken.pop_front();
                match self.broken.front() {
                    Some(&next) => calendar.schedule_in(REPAIR, Class::Completion, Event::Repaired(next)),
                    None => self.take_up(OTHER_WORK, calendar),
                }
            }
        }
    }
}

pub(crate) fn report() -> String {
    let (mut shop, mut calendar) = (Shop::default(), Calendar::new());
    (0..=MACHINES).for_each(|job| shop.begin(job, &mut calendar));
    (0..MACHINES).for_each(|machine| shop.break_later(machine, &mut calendar));
    let mut simulation = Simulation::from_parts(shop, calendar);
    simulation.run_until(Time::ZERO + Duration::from_secs(28 * 86_400));
    let pieces = simulation.into_model().pieces;
    format!("parts of each machine {:?}\nother jobs of the repairer {}\n", &pieces[..MACHINES], pieces[OTHER_WORK])
}

fn main() {
    print!("{}", report());
}
