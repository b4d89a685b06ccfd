//! One design, one run: the plain path to which every faster one must be equal.

use engine::{Class, EventKey, Simulation, Source, Time};
use policies::{AnyRule, Rule, RuleVisitor};

use crate::gateway::{Event, Gateway};
use crate::observer::Observer;
use crate::record::RunRecord;
use crate::replication::{Request, RequestStream};

/// Runs `rule` over a stream of requests in the plain world, whatever options it has.
#[must_use]
pub fn run<R: Rule>(rule: R, stream: &RequestStream) -> RunRecord {
    observe(rule, stream, ()).0
}

/// Runs `rule` over a stream of requests while `observer` watches.
pub fn observe<R: Rule, O: Observer>(rule: R, stream: &RequestStream, observer: O) -> (RunRecord, O) {
    let gateway = Gateway::new(rule, stream, observer);
    let mut simulation = Simulation::new(gateway).with_source(Arrivals { requests: &stream.requests, next: 0 });
    simulation.calendar_mut().schedule(Time::ZERO, Class::Change, Event::Regime(0));
    simulation.run_until(stream.plan.horizon);
    simulation.into_model().finish()
}

/// Runs a rule of any family in the world that the stream asks for: the plain one of [`run`] or, where an option of
/// [`Service`](crate::Service) needs it, the richer one.
#[must_use]
pub fn run_any(rule: &AnyRule, stream: &RequestStream) -> RunRecord {
    if stream.needs_service() {
        return crate::service::run_service_any(rule, stream);
    }
    observe_any(rule, stream, ()).0
}

/// [`observe`] for a rule of any family.
pub fn observe_any<O: Observer>(rule: &AnyRule, stream: &RequestStream, observer: O) -> (RunRecord, O) {
    rule.visit(Observing { stream, observer })
}

struct Observing<'a, O> {
    stream: &'a RequestStream,
    observer: O,
}

impl<O: Observer> RuleVisitor for Observing<'_, O> {
    type Output = (RunRecord, O);

    fn visit<R: Rule>(self, rule: R) -> (RunRecord, O) {
        observe(rule, self.stream, self.observer)
    }
}

/// The sorted requests as an exogenous source: they never enter the event queue.
struct Arrivals<'a> {
    requests: &'a [Request],
    /// Positions are `u32`, as in [`Event`]; a `usize` would cost a check that it makes a sequence number.
    next: u32,
}

impl Source<Event> for Arrivals<'_> {
    #[inline]
    fn peek(&self) -> Option<EventKey> {
        let request = self.requests.get(self.next as usize)?;
        Some(EventKey { time: request.at, class: Class::Arrival, sequence: self.next.into() })
    }

    #[inline]
    fn next(&mut self) -> Option<(EventKey, Event)> {
        let key = self.peek()?;
        let position = self.next;
        self.next += 1;
        Some((key, Event::Arrival(position)))
    }
}
