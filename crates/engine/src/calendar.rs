//! The clock and the queue together: what a model sees of the engine.

use std::error::Error;
use std::fmt;

use crate::key::PackedKey;
use crate::{Class, Duration, EventKey, EventQueue, Handle, Time};

/// The clock and the pending events.
///
/// The clock never goes back: an event whose key lies below the one being executed is refused, in release builds too.
/// A model may therefore schedule for the present instant, but only events of the same or a later [`Class`].
///
/// [`schedule`](Self::schedule) and its relatives number events in the order of the calls, so that events of the same
/// instant and class happen in the order in which they were scheduled. The keyed relatives leave the sequence number to
/// the caller; a program that uses both should not mix them within a class.
///
/// An event at [`Time::MAX`] never happens. It waits there to be moved or cancelled.
#[derive(Clone, Debug)]
pub struct Calendar<E> {
    /// No event below this key may be scheduled: the key being executed, or the first one of the instant up to which
    /// the simulation has run. Its time is the present.
    floor: PackedKey,
    next_sequence: u64,
    queue: EventQueue<E>,
}

/// An event was to be scheduled before the one being executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PastEvent {
    /// The key that was refused.
    pub refused: EventKey,
    /// The key being executed: the lowest that would have been accepted.
    pub current: EventKey,
}

impl fmt::Display for PastEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { refused, current } = self;
        write!(f, "event ({refused}) lies before the one being executed ({current}); ")?;
        if refused.time == current.time {
            write!(f, "at the same instant only the same or a later class can follow")
        } else {
            write!(f, "schedule it at the present time or later")
        }
    }
}

impl Error for PastEvent {}

impl<E> Calendar<E> {
    /// An empty calendar at time zero.
    #[must_use]
    pub const fn new() -> Self {
        Self { floor: PackedKey::first_at(Time::ZERO), next_sequence: 0, queue: EventQueue::new() }
    }

    /// The present instant.
    #[inline]
    #[must_use]
    pub const fn now(&self) -> Time {
        self.floor.time()
    }

    /// How many events are pending; those of a source are not counted.
    #[inline]
    #[must_use]
    pub fn pending(&self) -> usize {
        self.queue.len()
    }

    /// The key of the earliest pending event.
    #[inline]
    #[must_use]
    pub fn next_key(&self) -> Option<EventKey> {
        self.queue.peek()
    }

    /// The key under which the event is pending; `None` if it has happened or was cancelled before.
    #[inline]
    #[must_use]
    pub fn key_of(&self, handle: Handle) -> Option<EventKey> {
        self.queue.key_of(handle)
    }

    /// The pending events.
    #[must_use]
    pub const fn queue(&self) -> &EventQueue<E> {
        &self.queue
    }

    /// Schedules an event at `time`, after all that were scheduled earlier for the same instant and class.
    ///
    /// # Panics
    ///
    /// If the event lies before the one being executed.
    #[inline]
    #[track_caller]
    pub fn schedule(&mut self, time: Time, class: Class, event: E) {
        self.try_schedule(time, class, event).unwrap_or_else(|error| refuse(error));
    }

    /// Schedules an event `delay` after the present instant.
    ///
    /// # Panics
    ///
    /// If the delay is zero and the class before that of the event being executed.
    #[inline]
    #[track_caller]
    pub fn schedule_in(&mut self, delay: Duration, class: Class, event: E) {
        self.schedule(self.now() + delay, class, event);
    }

    /// Schedules an event under a key of the caller's making.
    ///
    /// # Panics
    ///
    /// If the event lies before the one being executed, or its sequence number is above [`EventKey::MAX_SEQUENCE`].
    #[inline]
    #[track_caller]
    pub fn schedule_keyed(&mut self, key: EventKey, event: E) {
        self.try_schedule_keyed(key, event).unwrap_or_else(|error| refuse(error));
    }

    /// Schedules an event that can be cancelled or moved by the handle.
    ///
    /// # Panics
    ///
    /// If the event lies before the one being executed.
    #[inline]
    #[track_caller]
    pub fn schedule_cancellable(&mut self, time: Time, class: Class, event: E) -> Handle {
        self.try_schedule_cancellable(time, class, event).unwrap_or_else(|error| refuse(error))
    }

    /// Schedules an event under a key of the caller's making that can be cancelled or moved by the handle.
    ///
    /// # Panics
    ///
    /// If the event lies before the one being executed, or its sequence number is above [`EventKey::MAX_SEQUENCE`].
    #[inline]
    #[track_caller]
    pub fn schedule_keyed_cancellable(&mut self, key: EventKey, event: E) -> Handle {
        self.try_schedule_keyed_cancellable(key, event).unwrap_or_else(|error| refuse(error))
    }

    /// Takes the event out; `None` if it has happened or was cancelled before.
    #[inline]
    pub fn cancel(&mut self, handle: Handle) -> Option<E> {
        self.queue.cancel(handle)
    }

    /// Moves the event to `time` and `class` as if it had just been scheduled, and keeps its handle; `false` if it has
    /// happened or was cancelled before.
    ///
    /// # Panics
    ///
    /// If the new time and class lie before the event being executed.
    #[inline]
    #[track_caller]
    pub fn rearm(&mut self, handle: Handle, time: Time, class: Class) -> bool {
        self.try_rearm(handle, time, class).unwrap_or_else(|error| refuse(error))
    }

    /// Moves the event to a key of the caller's making; `false` if it has happened or was cancelled before.
    ///
    /// # Panics
    ///
    /// If the new key lies before the event being executed.
    #[inline]
    #[track_caller]
    pub fn rearm_keyed(&mut self, handle: Handle, key: EventKey) -> bool {
        self.try_rearm_keyed(handle, key).unwrap_or_else(|error| refuse(error))
    }

    /// As [`schedule`](Self::schedule), with an error in place of the panic.
    ///
    /// # Errors
    ///
    /// [`PastEvent`] if the event lies before the one being executed; nothing is changed then.
    #[inline(always)]
    pub fn try_schedule(&mut self, time: Time, class: Class, event: E) -> Result<(), PastEvent> {
        let key = self.next_in_sequence(time, class)?;
        self.queue.push_packed(key, event);
        Ok(())
    }

    /// As [`schedule_keyed`](Self::schedule_keyed), with an error in place of the panic.
    ///
    /// # Errors
    ///
    /// [`PastEvent`] if the event lies before the one being executed; nothing is changed then.
    #[inline]
    pub fn try_schedule_keyed(&mut self, key: EventKey, event: E) -> Result<(), PastEvent> {
        let key = self.not_past(key)?;
        self.queue.push_packed(key, event);
        Ok(())
    }

    /// As [`schedule_cancellable`](Self::schedule_cancellable), with an error in place of the panic.
    ///
    /// # Errors
    ///
    /// [`PastEvent`] if the event lies before the one being executed; nothing is changed then.
    #[inline]
    pub fn try_schedule_cancellable(&mut self, time: Time, class: Class, event: E) -> Result<Handle, PastEvent> {
        let key = self.next_in_sequence(time, class)?;
        Ok(self.queue.push_cancellable_packed(key, event))
    }

    /// As [`schedule_keyed_cancellable`](Self::schedule_keyed_cancellable), with an error in place of the panic.
    ///
    /// # Errors
    ///
    /// [`PastEvent`] if the event lies before the one being executed; nothing is changed then.
    #[inline]
    pub fn try_schedule_keyed_cancellable(&mut self, key: EventKey, event: E) -> Result<Handle, PastEvent> {
        let key = self.not_past(key)?;
        Ok(self.queue.push_cancellable_packed(key, event))
    }

    /// As [`rearm`](Self::rearm), with an error in place of the panic.
    ///
    /// # Errors
    ///
    /// [`PastEvent`] if the new time and class lie before the event being executed; nothing is changed then.
    #[inline]
    pub fn try_rearm(&mut self, handle: Handle, time: Time, class: Class) -> Result<bool, PastEvent> {
        let key = self.next_in_sequence(time, class)?;
        Ok(self.queue.rearm_packed(handle, key))
    }

    /// As [`rearm_keyed`](Self::rearm_keyed), with an error in place of the panic.
    ///
    /// # Errors
    ///
    /// [`PastEvent`] if the new key lies before the event being executed; nothing is changed then.
    #[inline]
    pub fn try_rearm_keyed(&mut self, handle: Handle, key: EventKey) -> Result<bool, PastEvent> {
        let key = self.not_past(key)?;
        Ok(self.queue.rearm_packed(handle, key))
    }

    /// The next key in sequence for an instant and class.
    #[inline(always)]
    fn next_in_sequence(&mut self, time: Time, class: Class) -> Result<PackedKey, PastEvent> {
        let mut key = PackedKey::from(EventKey { time, class, sequence: self.next_sequence });
        if key.rank() <= self.floor.rank() {
            key = self.next_at_floor(key)?;
        }
        self.next_sequence += 1;
        Ok(key)
    }

    /// What is scheduled for the instant and class of the event being executed comes after it, although that may carry
    /// a number of its source's that is beyond those given out here.
    #[cold]
    fn next_at_floor(&mut self, key: PackedKey) -> Result<PackedKey, PastEvent> {
        let (refused, current) = (key.unpack(), self.floor.unpack());
        if (refused.time, refused.class) < (current.time, current.class) {
            return Err(PastEvent { refused, current });
        }
        self.next_sequence = current.sequence + 1;
        Ok(EventKey { sequence: self.next_sequence, ..current }.into())
    }

    #[inline(always)]
    fn not_past(&self, key: EventKey) -> Result<PackedKey, PastEvent> {
        let packed = PackedKey::from(key);
        if packed.rank() < self.floor.rank() {
            return Err(PastEvent { refused: key, current: self.floor.unpack() });
        }
        Ok(packed)
    }

    /// The earliest pending key as one comparable number.
    #[inline]
    pub(crate) fn next_packed(&self) -> Option<PackedKey> {
        self.queue.peek_packed()
    }

    /// Takes the earliest event out, and moves the clock to it.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<(EventKey, E)> {
        let (key, event) = self.queue.pop_packed()?;
        // Not in the past: the queue refused what was.
        self.floor = key;
        Some((key.unpack(), event))
    }

    /// Moves the clock to the event that a source has next.
    ///
    /// # Panics
    ///
    /// If it lies before the last one: the source is not sorted.
    #[inline]
    pub(crate) fn enter(&mut self, key: EventKey) {
        self.floor = self.not_past(key).unwrap_or_else(|error| refuse(error));
    }

    /// Moves the clock to `time`, before all events of that instant; does nothing if it is there already or beyond.
    #[inline]
    pub(crate) fn advance_to(&mut self, time: Time) {
        if time > self.now() {
            self.floor = PackedKey::first_at(time);
        }
    }
}

impl<E> Default for Calendar<E> {
    fn default() -> Self {
        Self::new()
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn refuse(error: PastEvent) -> ! {
    panic!("{error}")
}
