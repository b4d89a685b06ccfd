//! The kernel: takes the earliest event, moves the clock, hands the event to the model.

use crate::key::PackedKey;
use crate::{Calendar, EventKey, NoSource, NoTrace, Source, Time, Trace};

/// What is simulated: a state, and what each event does to it.
pub trait Model {
    /// What can happen.
    type Event;

    /// Lets an event happen. The calendar's clock stands at it; what follows from it is scheduled there.
    fn handle(&mut self, event: Self::Event, calendar: &mut Calendar<Self::Event>);
}

/// A model, its calendar, and optionally a [`Source`] of events from outside and a [`Trace`].
///
/// A simulation is a value: a clone goes on by itself, exactly as the original would.
#[derive(Clone, Debug)]
pub struct Simulation<M: Model, S = NoSource, T = NoTrace> {
    model: M,
    calendar: Calendar<M::Event>,
    source: S,
    trace: T,
}

impl<M: Model> Simulation<M> {
    /// A simulation of `model` at time zero, with nothing scheduled.
    #[must_use]
    pub const fn new(model: M) -> Self {
        Self::from_parts(model, Calendar::new())
    }

    /// A simulation of `model` that goes on where `calendar` stands.
    #[must_use]
    pub const fn from_parts(model: M, calendar: Calendar<M::Event>) -> Self {
        Self { model, calendar, source: NoSource, trace: NoTrace }
    }
}

impl<M: Model, S, T> Simulation<M, S, T> {
    /// The same simulation with events from `source`, in place of the source that it had.
    #[must_use]
    pub fn with_source<S2: Source<M::Event>>(self, source: S2) -> Simulation<M, S2, T> {
        Simulation { model: self.model, calendar: self.calendar, source, trace: self.trace }
    }

    /// The same simulation noting its events in `trace`, in place of the trace that it had.
    #[must_use]
    pub fn with_trace<T2: Trace<M::Event>>(self, trace: T2) -> Simulation<M, S, T2> {
        Simulation { model: self.model, calendar: self.calendar, source: self.source, trace }
    }

    /// The model.
    #[inline]
    #[must_use]
    pub const fn model(&self) -> &M {
        &self.model
    }

    /// The model, to be changed from outside.
    #[inline]
    #[must_use]
    pub const fn model_mut(&mut self) -> &mut M {
        &mut self.model
    }

    /// The calendar.
    #[inline]
    #[must_use]
    pub const fn calendar(&self) -> &Calendar<M::Event> {
        &self.calendar
    }

    /// The calendar, to schedule the first events, or further ones between steps.
    #[inline]
    #[must_use]
    pub const fn calendar_mut(&mut self) -> &mut Calendar<M::Event> {
        &mut self.calendar
    }

    /// The present instant.
    #[inline]
    #[must_use]
    pub const fn now(&self) -> Time {
        self.calendar.now()
    }

    /// The source.
    #[must_use]
    pub const fn source(&self) -> &S {
        &self.source
    }

    /// The trace.
    #[must_use]
    pub const fn trace(&self) -> &T {
        &self.trace
    }

    /// The model alone.
    #[must_use]
    pub fn into_model(self) -> M {
        self.model
    }

    /// Everything the simulation consists of.
    #[must_use]
    pub fn into_parts(self) -> (M, Calendar<M::Event>, S, T) {
        (self.model, self.calendar, self.source, self.trace)
    }
}

impl<M: Model, S: Source<M::Event>, T: Trace<M::Event>> Simulation<M, S, T> {
    /// The key of the next event, of the source's or the queue's.
    #[inline]
    #[must_use]
    pub fn next_key(&self) -> Option<EventKey> {
        match (self.source.peek(), self.calendar.next_key()) {
            (Some(outside), Some(inside)) => Some(outside.min(inside)),
            (outside, inside) => outside.or(inside),
        }
    }

    /// Executes the next event and says which it was; `None` if nothing is left to happen.
    #[inline]
    pub fn step(&mut self) -> Option<EventKey> {
        self.step_before(Time::MAX)
    }

    /// Executes everything strictly before `end`; then the clock stands at `end`.
    ///
    /// What is due at `end` itself is left for later, so that the run in one piece and the run in pieces are the same.
    /// Does nothing if the clock is at `end` or beyond.
    #[inline]
    pub fn run_until(&mut self, end: Time) {
        while self.step_before(end).is_some() {}
        self.calendar.advance_to(end);
    }

    /// Executes everything. The clock then stands at the last event.
    ///
    /// Does not return if there is always something left to happen.
    #[inline]
    pub fn run(&mut self) {
        while self.step().is_some() {}
    }

    /// Executes the next event if it is before `end`.
    #[inline]
    fn step_before(&mut self, end: Time) -> Option<EventKey> {
        let inside = self.calendar.next_packed();
        if let Some(outside) = self.source.peek()
            && inside.is_none_or(|inside| PackedKey::from(outside).rank() <= inside.rank())
        {
            if outside.time >= end {
                return None;
            }
            let (key, event) = self.source.next()?;
            self.calendar.enter(key);
            return Some(self.execute(key, event));
        }
        if inside?.time() >= end {
            return None;
        }
        let (key, event) = self.calendar.pop()?;
        Some(self.execute(key, event))
    }

    #[inline(always)]
    fn execute(&mut self, key: EventKey, event: M::Event) -> EventKey {
        self.trace.record(key, &event);
        self.model.handle(event, &mut self.calendar);
        key
    }
}
