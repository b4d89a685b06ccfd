//! A run in one piece and the same run in pieces are the same run; and so is a run in which nothing happens more often.

use engine::{Arrivals, Calendar, Class, Distribution, Duration, Handle, Model, Simulation, SlotPool, StreamKey, Time};
use engine::{TraceDigest, TraceLog};
use proptest::prelude::*;

/// A pool whose customers give up, with a timer that every arrival re-arms: all kinds of queue operations.
#[derive(Clone, Debug, PartialEq)]
struct Shop {
    pool: SlotPool,
    service: Distribution,
    idle_timer: Option<Handle>,
    served: u64,
    lost: u64,
    idle_alarms: u64,
    checksum: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Event {
    Arrive(u64),
    Leave(u64),
    Idle,
    /// Does nothing at all.
    Nothing,
}

impl Model for Shop {
    type Event = Event;

    fn handle(&mut self, event: Event, calendar: &mut Calendar<Event>) {
        let now = calendar.now();
        match event {
            Event::Arrive(customer) => {
                let idle_at = now + Duration::from_nanos(900);
                match self.idle_timer {
                    Some(timer) if calendar.rearm(timer, idle_at, Class::Timer) => {}
                    _ => self.idle_timer = Some(calendar.schedule_cancellable(idle_at, Class::Timer, Event::Idle)),
                }
                if self.pool.try_acquire() {
                    let hold = self.service.quantile(StreamKey::root(3).uniform(customer));
                    calendar.schedule_in(hold, Class::Completion, Event::Leave(customer));
                } else {
                    self.lost += 1;
                }
            }
            Event::Leave(customer) => {
                self.pool.release();
                self.served += 1;
                self.checksum = self.checksum.wrapping_mul(31).wrapping_add(customer ^ now.as_nanos());
            }
            Event::Idle => self.idle_alarms += 1,
            Event::Nothing => {}
        }
    }
}

const END: u64 = 40_000;

fn arrivals() -> impl Iterator<Item = (Time, Event)> + Clone {
    let gap = Distribution::Exponential { mean: Duration::from_nanos(150) };
    let key = StreamKey::root(4);
    let instants = (0..).scan(Time::ZERO, move |now, n| {
        *now += gap.quantile(key.uniform(n));
        Some((*now, Event::Arrive(n)))
    });
    instants.take_while(|(time, _)| time.as_nanos() < END)
}

fn shop() -> Simulation<Shop, impl engine::Source<Event> + Clone> {
    let shop = Shop {
        pool: SlotPool::new(3),
        service: Distribution::Exponential { mean: Duration::from_nanos(400) },
        idle_timer: None,
        served: 0,
        lost: 0,
        idle_alarms: 0,
        checksum: 0,
    };
    Simulation::new(shop).with_source(Arrivals::new(arrivals()))
}

#[test]
fn the_run_under_test_has_every_kind_of_event() {
    let mut simulation = shop();
    simulation.run_until(Time::from_nanos(END));
    let shop = simulation.model();
    assert!(shop.served > 100 && shop.lost > 5 && shop.idle_alarms > 0, "{shop:?}");
}

#[test]
fn a_clone_goes_on_as_the_original_does() {
    let mut original = shop().with_trace(TraceDigest::new());
    original.run_until(Time::from_nanos(END / 3));
    let mut clone = original.clone();
    original.run();
    clone.run();
    assert_eq!(original.trace(), clone.trace());
    assert_eq!(original.model(), clone.model());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(5), ..ProptestConfig::default() })]

    #[test]
    fn running_in_pieces_changes_nothing(mut ends in prop::collection::vec(0..END, 0..20), steps in 0..50) {
        let mut whole = shop().with_trace(TraceDigest::new());
        whole.run_until(Time::from_nanos(END));

        let mut pieces = shop().with_trace(TraceDigest::new());
        for _ in 0..steps {
            pieces.step();
        }
        ends.sort_unstable();
        for end in ends {
            pieces.run_until(Time::from_nanos(end));
        }
        pieces.run_until(Time::from_nanos(END));

        prop_assert_eq!(whole.trace(), pieces.trace());
        prop_assert_eq!(whole.model(), pieces.model());
        prop_assert_eq!(whole.calendar().queue(), pieces.calendar().queue());
        prop_assert_eq!(pieces.now(), Time::from_nanos(END));
    }

    #[test]
    fn a_piece_ends_before_the_events_of_its_end(cut in 1..END) {
        let mut simulation = shop().with_trace(TraceLog::new());
        simulation.run_until(Time::from_nanos(cut));
        prop_assert_eq!(simulation.now(), Time::from_nanos(cut));
        prop_assert!(simulation.next_key().is_none_or(|key| key.time >= Time::from_nanos(cut)));
    }

    /// Where the kernel breaks ties by anything but the key, one more event reshuffles the others.
    #[test]
    fn an_event_that_does_nothing_changes_nothing(
        idle in prop::collection::vec((0..END, 0..Class::ALL.len()), 1..30),
    ) {
        let mut plain = shop().with_trace(TraceLog::new());
        plain.run();
        let mut disturbed = shop().with_trace(TraceLog::new());
        let count = idle.len();
        for (nanos, class) in idle {
            disturbed.calendar_mut().schedule(Time::from_nanos(nanos), Class::ALL[class], Event::Nothing);
        }
        disturbed.run();

        // A handle is a name and not part of what happened.
        let happened_to = |shop: &Shop| Shop { idle_timer: None, ..shop.clone() };
        prop_assert_eq!(happened_to(plain.model()), happened_to(disturbed.model()));
        // The sequence numbers move up; times, classes, events and their order stay.
        let happened = |log: &TraceLog| -> Vec<String> {
            let lines = log.lines().iter().filter(|line| !line.ends_with("Nothing"));
            lines.map(|line| {
                let words: Vec<&str> = line.split(' ').collect();
                format!("{} {} {}", words[0], words[1], words[3])
            }).collect()
        };
        prop_assert_eq!(disturbed.trace().lines().len(), plain.trace().lines().len() + count);
        prop_assert_eq!(happened(plain.trace()), happened(disturbed.trace()));
    }
}
