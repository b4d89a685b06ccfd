//! The queue of pending events: what is near in a sorted line, what is far in buckets; true cancellation.

mod entry;
mod far;
mod handles;
mod heap;
mod line;
mod near;

pub use handles::Handle;

use entry::Entry;
use far::Far;
use handles::{Handles, Place};
use near::Near;

use crate::EventKey;
use crate::key::PackedKey;

/// About as many events are moved from the far ones to the near ones at a time: half a line, so that there is room.
const REFILL: usize = 32;

/// Pending events, the earliest first.
///
/// Up to 64 events stand in one sorted line. Of more than these, the next few dozen do; what is later lies unsorted in
/// buckets, one for every power of two of the distance, and is sorted when its turn comes. Where very many events share
/// an instant or crowd before the others, the line becomes a 4-ary heap.
///
/// | operation | cost of few events | cost of n events |
/// |---|---|---|
/// | [`peek`](Self::peek), [`len`](Self::len) | O(1) | O(1) |
/// | [`push`](Self::push), [`push_cancellable`](Self::push_cancellable) | O(events that are later) | O(log n) |
/// | [`pop`](Self::pop) | O(1) | O(log n), amortised |
/// | [`cancel`](Self::cancel), [`rearm`](Self::rearm) | O(events) | O(log n) |
///
/// A cancelled event leaves at once: the queue holds pending events and nothing else. It keeps room for a small multiple
/// of as many as were pending together, and allocates for none of them singly.
///
/// Events lie in the queue itself and are moved about with their keys: let a large one be a number that names it, or a
/// box.
///
/// A clone is a value of its own in which the same [`Handle`]s are valid. Two queues are equal if the same events are
/// pending under the same keys, whatever the history and the handles.
#[derive(Clone, Debug)]
pub struct EventQueue<E> {
    /// Not empty unless the whole queue is.
    near: Near<E>,
    far: Far<E>,
    /// When there are so many near events, the later ones of them are made far ones.
    split_at: usize,
    handles: Handles,
}

impl<E> EventQueue<E> {
    /// An empty queue.
    #[must_use]
    pub const fn new() -> Self {
        Self { near: Near::new(), far: Far::new(), split_at: Near::<E>::LONGEST_LINE, handles: Handles::new() }
    }

    /// An empty queue with room for `capacity` events in its line.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self { near: Near::with_capacity(capacity), ..Self::new() }
    }

    /// How many events are pending.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.near.len() + self.far.len()
    }

    /// Whether nothing is pending.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.near.is_empty()
    }

    /// Adds an event that will not be cancelled; cheaper than [`push_cancellable`](Self::push_cancellable).
    ///
    /// # Panics
    ///
    /// If the sequence number is above [`EventKey::MAX_SEQUENCE`].
    #[inline]
    pub fn push(&mut self, key: EventKey, event: E) {
        self.push_packed(key.into(), event);
    }

    #[inline(always)]
    pub(crate) fn push_packed(&mut self, key: PackedKey, event: E) {
        self.insert(Entry { key, slot: Entry::<E>::NO_HANDLE, event: Some(event) });
    }

    /// Adds an event that can be cancelled or moved by the handle.
    ///
    /// # Panics
    ///
    /// If the sequence number is above [`EventKey::MAX_SEQUENCE`], or 2^32 − 1 cancellable events are pending.
    #[inline]
    pub fn push_cancellable(&mut self, key: EventKey, event: E) -> Handle {
        self.push_cancellable_packed(key.into(), event)
    }

    #[inline]
    pub(crate) fn push_cancellable_packed(&mut self, key: PackedKey, event: E) -> Handle {
        let handle = self.handles.issue();
        self.insert(Entry { key, slot: handle.slot(), event: Some(event) });
        handle
    }

    /// Takes the event out of the queue; `None` if the handle is stale.
    pub fn cancel(&mut self, handle: Handle) -> Option<E> {
        let entry = self.remove(handle)?;
        self.handles.retire(entry.slot);
        entry.event
    }

    /// Moves the event to another key and keeps its handle valid; `false` if the handle is stale.
    ///
    /// # Panics
    ///
    /// If the sequence number is above [`EventKey::MAX_SEQUENCE`].
    pub fn rearm(&mut self, handle: Handle, key: EventKey) -> bool {
        self.rearm_packed(handle, key.into())
    }

    pub(crate) fn rearm_packed(&mut self, handle: Handle, key: PackedKey) -> bool {
        let Some(entry) = self.remove(handle) else {
            return false;
        };
        self.insert_anywhere(Entry { key, ..entry });
        true
    }

    /// The key under which the event is pending; `None` if the handle is stale.
    #[must_use]
    pub fn key_of(&self, handle: Handle) -> Option<EventKey> {
        let slot = self.handles.slot(handle)?;
        let entry = match self.handles.place(slot) {
            Place::Near(noted) => self.near.find(slot, noted)?,
            Place::Far(bucket, position) => self.far.entry(bucket, position),
        };
        Some(entry.key.unpack())
    }

    /// The key of the earliest event.
    #[inline]
    #[must_use]
    pub fn peek(&self) -> Option<EventKey> {
        self.peek_packed().map(PackedKey::unpack)
    }

    /// The earliest key as one comparable number; `None` if nothing is pending.
    #[inline(always)]
    pub(crate) fn peek_packed(&self) -> Option<PackedKey> {
        self.near.first().map(|entry| entry.key)
    }

    /// Takes the earliest event out.
    #[inline]
    pub fn pop(&mut self) -> Option<(EventKey, E)> {
        self.pop_packed().map(|(key, event)| (key.unpack(), event))
    }

    #[inline(always)]
    pub(crate) fn pop_packed(&mut self) -> Option<(PackedKey, E)> {
        let entry = self.near.pop(&mut self.handles)?;
        if entry.has_handle() {
            self.handles.retire(entry.slot);
        }
        if self.near.is_empty() && !self.far.is_empty() {
            self.refill();
        }
        Some((entry.key, entry.event?))
    }

    /// Drops all events. Their handles are stale from now on.
    pub fn clear(&mut self) {
        for entry in self.near.entries().iter().chain(self.far.iter()).filter(|entry| entry.has_handle()) {
            self.handles.retire(entry.slot);
        }
        self.far.clear();
        let room = self.near.take_room();
        self.near.replace(room, &mut self.handles);
        self.split_at = Near::<E>::LONGEST_LINE;
    }

    /// The pending events with their keys, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (EventKey, &E)> {
        self.entries().filter_map(|entry| Some((entry.key.unpack(), entry.event.as_ref()?)))
    }

    fn entries(&self) -> impl Iterator<Item = &Entry<E>> {
        self.near.entries().iter().chain(self.far.iter())
    }

    #[inline(always)]
    fn insert(&mut self, entry: Entry<E>) {
        if self.near.is_line_with_room() && !self.far.covers(entry.key.time()) {
            self.near.join_line(entry);
        } else {
            self.insert_anywhere(entry);
        }
    }

    #[inline(never)]
    fn insert_anywhere(&mut self, entry: Entry<E>) {
        if self.near.len() >= self.split_at {
            self.split();
        }
        if self.far.covers(entry.key.time()) {
            self.far.insert(entry, &mut self.handles);
        } else {
            self.near.insert(entry, &mut self.handles);
        }
    }

    /// Makes far events of most near ones.
    ///
    /// It costs as much as there are events, and is done when at least half of them are near and these have doubled in
    /// number since the last time: so a constant per push.
    #[cold]
    fn split(&mut self) {
        let entries = self.near.take_sorted();
        let near_end = entries[REFILL.min(entries.len()) - 1].key.time();
        let near = self.far.rebuild(entries, near_end, &mut self.handles);
        self.near.replace(near, &mut self.handles);
        self.plan_split();
    }

    /// Makes near events of the earliest far ones.
    #[inline(never)]
    fn refill(&mut self) {
        let mut near = self.near.take_room();
        self.far.refill(&mut near, REFILL, &mut self.handles);
        self.near.replace(near, &mut self.handles);
        self.plan_split();
    }

    fn plan_split(&mut self) {
        self.split_at = Near::<E>::LONGEST_LINE.max(2 * self.near.len()).max(self.far.len());
    }

    /// Takes an event out. Its handle stays as it is.
    fn remove(&mut self, handle: Handle) -> Option<Entry<E>> {
        let slot = self.handles.slot(handle)?;
        match self.handles.place(slot) {
            Place::Near(noted) => {
                let removed = self.near.remove(slot, noted, &mut self.handles);
                if self.near.is_empty() && !self.far.is_empty() {
                    self.refill();
                }
                removed
            }
            Place::Far(bucket, position) => Some(self.far.remove(bucket, position, &mut self.handles)),
        }
    }
}

impl<E> Default for EventQueue<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: PartialEq> PartialEq for EventQueue<E> {
    /// Whether the same events are pending under the same keys: as multisets, O(n log n).
    fn eq(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        let (ours, theirs) = (self.sorted(), other.sorted());
        let mut start = 0;
        for run in ours.chunk_by(|a, b| a.key == b.key) {
            let their_run = &theirs[start..start + run.len()];
            if their_run.iter().any(|entry| entry.key != run[0].key) || !same_events(run, their_run) {
                return false;
            }
            start += run.len();
        }
        true
    }
}

impl<E: Eq> Eq for EventQueue<E> {}

impl<E> EventQueue<E> {
    fn sorted(&self) -> Vec<&Entry<E>> {
        let mut entries: Vec<&Entry<E>> = self.entries().collect();
        entries.sort_unstable_by_key(|entry| entry.rank());
        entries
    }
}

/// Whether the events of two runs of entries under one key are the same multiset. Such runs are short: keys are unique
/// unless the caller makes them otherwise.
fn same_events<E: PartialEq>(run: &[&Entry<E>], their_run: &[&Entry<E>]) -> bool {
    let mut unmatched: Vec<&Option<E>> = their_run.iter().map(|entry| &entry.event).collect();
    run.iter().all(|entry| {
        let twin = unmatched.iter().position(|&event| *event == entry.event);
        twin.map(|index| unmatched.swap_remove(index)).is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Time};

    fn key(nanos: u64) -> EventKey {
        EventKey::new(Time::from_nanos(nanos), Class::Timer, nanos)
    }

    #[test]
    fn room_is_kept_for_a_small_multiple_of_the_events_that_were_ever_pending_together() {
        let together = 7;
        let mut queue = EventQueue::new();
        for round in 0..2_000 {
            let handles: Vec<Handle> = (0..together).map(|n| queue.push_cancellable(key(round + n), ())).collect();
            queue.push(key(round), ());
            queue.cancel(handles[round as usize % handles.len()]);
            while queue.pop().is_some() {}
        }
        assert!(queue.near.room() <= 4 * (together as usize + 1), "{}", queue.near.room());
        assert_eq!(queue.handles.slots(), together as usize);
    }

    #[test]
    fn most_of_many_events_are_far_and_come_near_in_time() {
        let mut queue = EventQueue::new();
        for n in 0..100_000 {
            queue.push(key(n * 7919 % 100_003), n);
        }
        assert!(queue.near.len() < 1_000, "{}", queue.near.len());
        let mut last = None;
        for left in (0..100_000).rev() {
            let next = queue.pop().map(|(key, _)| key);
            assert!(next > last);
            last = next;
            assert_eq!(queue.len(), left);
        }
    }

    #[test]
    fn many_events_of_one_instant_are_a_heap() {
        let mut queue = EventQueue::new();
        let at_once = |n: u64| EventKey::new(Time::ZERO, Class::Timer, n * 7919 % 10_007);
        let handles: Vec<Handle> = (0..10_000).map(|n| queue.push_cancellable(at_once(n), n)).collect();
        for n in (0..10_000).step_by(2) {
            assert_eq!(queue.cancel(handles[n as usize]), Some(n));
        }
        let left: Vec<EventKey> = std::iter::from_fn(|| queue.pop()).map(|(key, _)| key).collect();
        assert_eq!(left.len(), 5_000);
        assert!(left.is_sorted());
    }
}
