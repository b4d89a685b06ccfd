//! The order of events, and what is refused because it would break it.

use engine::{Arrivals, Calendar, Class, Duration, EventKey, Handle, Model, PastEvent, Simulation, Time};

/// Notes the names of events; some names do something.
#[derive(Default)]
struct Script {
    seen: Vec<(u64, &'static str)>,
    timer: Option<Handle>,
    refused: Option<PastEvent>,
}

impl Model for Script {
    type Event = &'static str;

    fn handle(&mut self, event: &'static str, calendar: &mut Calendar<&'static str>) {
        self.seen.push((calendar.now().as_nanos(), event));
        let now = calendar.now();
        match event {
            "cancel the timer" => assert_eq!(self.timer.and_then(|timer| calendar.cancel(timer)), Some("timer")),
            "move the timer" => {
                let timer = self.timer.expect("set by the test");
                assert!(calendar.rearm(timer, now + Duration::from_nanos(10), Class::Timer));
            }
            "follow up" => calendar.schedule(now, Class::Completion, "followed up"),
            "again" => calendar.schedule(now, Class::Arrival, "again, later"),
            "try the past" => {
                self.refused = calendar.try_schedule(now, Class::Timer, "never").err();
                assert_eq!(calendar.try_schedule_cancellable(Time::ZERO, Class::Observer, "never").err(), {
                    let refused = EventKey::new(Time::ZERO, Class::Observer, self.refused.unwrap().refused.sequence);
                    Some(PastEvent { refused, ..self.refused.unwrap() })
                });
            }
            "insist on the past" => calendar.schedule(now, Class::Change, "never"),
            _ => {}
        }
    }
}

fn at(nanos: u64) -> Time {
    Time::from_nanos(nanos)
}

fn run(events: &[(u64, Class, &'static str)]) -> Vec<&'static str> {
    let mut simulation = Simulation::new(Script::default());
    for (nanos, class, name) in events {
        simulation.calendar_mut().schedule(at(*nanos), *class, name);
    }
    simulation.run();
    simulation.into_model().seen.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn time_then_class_then_the_order_of_scheduling() {
    let order = run(&[
        (5, Class::Observer, "observer"),
        (5, Class::Arrival, "first arrival"),
        (5, Class::Arrival, "second arrival"),
        (5, Class::Completion, "completion"),
        (5, Class::Timer, "timer"),
        (5, Class::Change, "change"),
        (4, Class::Observer, "earlier"),
    ]);
    assert_eq!(order, ["earlier", "change", "timer", "completion", "first arrival", "second arrival", "observer"]);
}

#[test]
fn the_present_takes_events_of_the_same_or_a_later_class() {
    assert_eq!(run(&[(3, Class::Timer, "follow up")]), ["follow up", "followed up"]);
    assert_eq!(run(&[(3, Class::Arrival, "again"), (3, Class::Arrival, "b")]), ["again", "b", "again, later"]);
}

#[test]
fn an_event_scheduled_by_a_numbered_arrival_comes_after_it() {
    let arrivals = (0..200).map(|n| (at(7), if n == 150 { "again" } else { "-" }));
    let mut simulation = Simulation::new(Script::default()).with_source(Arrivals::new(arrivals));
    simulation.run();
    let seen = simulation.into_model().seen;
    assert_eq!(seen.len(), 201);
    let again = seen.iter().position(|(_, name)| *name == "again, later");
    assert_eq!(again, Some(152), "after arrival 151, whose number it shares: the source goes first");
}

#[test]
fn a_timer_can_be_cancelled_and_moved() {
    for (deed, expected) in [
        ("-", vec![(3, "-"), (5, "timer")]),
        ("cancel the timer", vec![(3, "cancel the timer")]),
        ("move the timer", vec![(3, "move the timer"), (13, "timer")]),
    ] {
        let mut simulation = Simulation::new(Script::default());
        let timer = simulation.calendar_mut().schedule_cancellable(at(5), Class::Timer, "timer");
        simulation.model_mut().timer = Some(timer);
        simulation.calendar_mut().schedule(at(3), Class::Change, deed);
        simulation.run();
        assert_eq!(simulation.calendar().pending(), 0);
        assert!(!simulation.calendar_mut().rearm(timer, Time::MAX, Class::Timer), "the handle is stale");
        assert_eq!(simulation.into_model().seen, expected);
    }
}

#[test]
fn the_past_is_refused_and_the_error_names_both_keys() {
    let mut simulation = Simulation::new(Script::default());
    simulation.calendar_mut().schedule(at(1_000), Class::Arrival, "try the past");
    simulation.run();
    let refused = simulation.into_model().refused.expect("it was refused");
    assert_eq!(
        refused.to_string(),
        "event (1us timer 1) lies before the one being executed (1us arrival 0); \
         at the same instant only the same or a later class can follow"
    );
}

#[test]
#[should_panic(expected = "event (2ns change 1) lies before the one being executed (2ns timer 0)")]
fn insisting_on_the_past_panics() {
    run(&[(2, Class::Timer, "insist on the past")]);
}

#[test]
#[should_panic(expected = "lies before the one being executed")]
fn what_has_been_run_through_is_past() {
    let mut simulation = Simulation::new(Script::default());
    simulation.run_until(at(10));
    simulation.calendar_mut().schedule(at(9), Class::Observer, "too late");
}

#[test]
fn on_equal_keys_the_source_goes_first() {
    let mut simulation = Simulation::new(Script::default()).with_source(Arrivals::new([(at(4), "outside")]));
    simulation.calendar_mut().schedule_keyed(EventKey::new(at(4), Class::Arrival, 0), "inside");
    simulation.calendar_mut().schedule(at(4), Class::Completion, "before both");
    simulation.run();
    let names: Vec<_> = simulation.model().seen.iter().map(|(_, name)| *name).collect();
    assert_eq!(names, ["before both", "outside", "inside"]);
}

#[test]
fn an_event_at_the_end_of_time_never_happens() {
    let mut simulation = Simulation::new(Script::default());
    simulation.calendar_mut().schedule(at(4), Class::Timer, "now");
    let never = simulation.calendar_mut().schedule_cancellable(Time::MAX, Class::Timer, "never");
    simulation.run();
    assert_eq!(simulation.now(), at(4));
    assert_eq!(simulation.step(), None);
    assert_eq!(simulation.calendar_mut().cancel(never), Some("never"));
    assert_eq!(simulation.into_model().seen, [(4, "now")]);
}

#[test]
fn what_is_due_at_the_end_of_a_run_is_left_for_later() {
    let mut simulation = Simulation::new(Script::default()).with_source(Arrivals::new([(at(5), "outside")]));
    simulation.calendar_mut().schedule(at(5), Class::Change, "inside");
    simulation.run_until(at(5));
    assert_eq!(simulation.now(), at(5));
    assert!(simulation.model().seen.is_empty());
    simulation.run_until(at(4));
    assert_eq!(simulation.now(), at(5), "the clock does not go back");
    simulation.run_until(at(6));
    assert_eq!(simulation.model().seen, [(5, "inside"), (5, "outside")]);
}
