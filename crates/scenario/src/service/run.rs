//! One design, one run in the richer world.

use engine::{Class, Duration, EventKey, Simulation, Source};
use policies::{AnyRule, Consecutive, Ratio, Rule, RuleVisitor};

use super::world::{Event, World, arrival_sequence};
use super::{Service, ServiceObserver};
use crate::record::RunRecord;
use crate::replication::{Fate, Request, RequestStream, identity};

/// Runs `rule` over a stream of requests in the richer world, whether or not an option asks for it.
///
/// All instances have the same rule; [`run_service_any`] knows how to vary their timers.
#[must_use]
pub fn run_service<R: Rule>(rule: R, stream: &RequestStream) -> RunRecord {
    observe_service(rule, stream, ()).0
}

/// [`run_service`] while `observer` watches.
pub fn observe_service<R: Rule, O: ServiceObserver>(rule: R, stream: &RequestStream, observer: O) -> (RunRecord, O) {
    observe_rules(&vec![rule; instances(stream)], stream, observer)
}

/// [`run_service`] for a rule of any family.
#[must_use]
pub fn run_service_any(rule: &AnyRule, stream: &RequestStream) -> RunRecord {
    observe_service_any(rule, stream, ()).0
}

/// [`observe_service`] for a rule of any family.
pub fn observe_service_any<O: ServiceObserver>(rule: &AnyRule, stream: &RequestStream, observer: O) -> (RunRecord, O) {
    match *rule {
        AnyRule::None(_) | AnyRule::Dialect(_) => rule.visit(Observing { stream, observer }),
        AnyRule::Consecutive(rule) => {
            let with = |open_for| Consecutive::new(rule.threshold(), open_for, rule.half_open());
            let rules = varied(stream, rule.open_for(), |open_for| with(open_for).unwrap_or(rule));
            observe_rules(&rules, stream, observer)
        }
        AnyRule::Ratio(rule) => {
            let with = |open_for| Ratio::new(rule.window(), rule.threshold(), open_for, rule.half_open());
            let rules = varied(stream, rule.open_for(), |open_for| with(open_for).unwrap_or(rule));
            observe_rules(&rules, stream, observer)
        }
    }
}

struct Observing<'a, O> {
    stream: &'a RequestStream,
    observer: O,
}

impl<O: ServiceObserver> RuleVisitor for Observing<'_, O> {
    type Output = (RunRecord, O);

    fn visit<R: Rule>(self, rule: R) -> (RunRecord, O) {
        observe_service(rule, self.stream, self.observer)
    }
}

fn instances(stream: &RequestStream) -> usize {
    stream.service.as_ref().map_or(1, |plan| plan.service.instances as usize)
}

/// A rule for each instance, with the open duration that its jitter gives it.
fn varied<R>(stream: &RequestStream, open_for: Duration, rule: impl Fn(Duration) -> R) -> Vec<R> {
    let of_instance = |instance| match &stream.service {
        Some(plan) if plan.service.timer_jitter > 0.0 => {
            let nanos = open_for.as_nanos() as f64 * plan.timer_factor(instance);
            rule(Duration::from_nanos(nanos as u64).at_least_a_tick())
        }
        _ => rule(open_for),
    };
    (0..instances(stream) as u32).map(of_instance).collect()
}

fn observe_rules<R: Rule, O: ServiceObserver>(rules: &[R], stream: &RequestStream, observer: O) -> (RunRecord, O) {
    let plain = Service::default();
    let service = stream.service.as_ref().map_or(&plain, |plan| &plan.service);
    let world = World::new(rules, stream, service, observer);
    let mut simulation = Simulation::new(world).with_source(Arrivals { requests: &stream.requests, next: 0 });
    let mut calendar = engine::Calendar::new();
    simulation.model().begin(&mut calendar);
    *simulation.calendar_mut() = calendar;
    simulation.run_until(stream.plan.horizon);
    simulation.into_model().finish()
}

/// The sorted requests, under keys that order them and further attempts alike.
struct Arrivals<'a> {
    requests: &'a [Request],
    next: u32,
}

impl Source<Event> for Arrivals<'_> {
    fn peek(&self) -> Option<EventKey> {
        let request = self.requests.get(self.next as usize)?;
        let flow = if request.fate == Fate::Neighbour { identity::NEIGHBOUR } else { identity::DEPENDENCY };
        Some(EventKey::new(request.at, Class::Arrival, arrival_sequence(flow, request.number.into(), 0)))
    }

    fn next(&mut self) -> Option<(EventKey, Event)> {
        let key = self.peek()?;
        let position = self.next;
        self.next += 1;
        Some((key, Event::Arrival(position)))
    }
}
