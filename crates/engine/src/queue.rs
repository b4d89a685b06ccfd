//! The queue of pending events: a 4-ary heap of keys beside a slab of events, with true cancellation.

use crate::EventKey;
use crate::key::PackedKey;

/// Children per node of the heap: half as deep as a binary one, and measured to be faster from 16 pending events up.
const ARITY: usize = 4;

/// Pending events, the earliest first.
///
/// | operation | cost |
/// |---|---|
/// | [`peek`](Self::peek), [`len`](Self::len) | O(1) |
/// | [`push`](Self::push), [`push_cancellable`](Self::push_cancellable), [`pop`](Self::pop) | O(log n) |
/// | [`cancel`](Self::cancel), [`rearm`](Self::rearm) | O(log n) |
///
/// A cancelled event leaves at once: the queue holds pending events and nothing else, and it keeps room for as many
/// as were ever pending together. Once that room is there nothing is allocated.
///
/// A clone is a value of its own in which the same [`Handle`]s are valid. Two queues are equal if the same events are
/// pending under the same keys, whatever the history and the handles.
#[derive(Clone, Debug)]
pub struct EventQueue<E> {
    heap: Vec<Entry>,
    slots: Vec<Slot<E>>,
    /// Slots without an event; the last one is used next.
    vacant: Vec<u32>,
}

/// Names one cancellable event of the queue that handed it out (and of that queue's clones).
///
/// Once its event has been popped or cancelled a handle is stale for ever, and every operation says so. A handle is a
/// name and says nothing about the future: leave it out where states are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    slot: u32,
    generation: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: PackedKey,
    slot: u32,
    /// Whether a handle points here, so that the slot must know where in the heap its entry is.
    cancellable: bool,
}

#[derive(Clone, Debug)]
struct Slot<E> {
    event: Option<E>,
    /// Where in the heap the entry is; kept for cancellable events only.
    position: u32,
    /// Raised when a cancellable event leaves; a handle of another generation is stale.
    generation: u32,
}

impl<E> EventQueue<E> {
    /// An empty queue.
    #[must_use]
    pub const fn new() -> Self {
        Self { heap: Vec::new(), slots: Vec::new(), vacant: Vec::new() }
    }

    /// An empty queue with room for `capacity` events.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            heap: Vec::with_capacity(capacity),
            slots: Vec::with_capacity(capacity),
            vacant: Vec::with_capacity(capacity),
        }
    }

    /// How many events are pending.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether nothing is pending.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Adds an event that will not be cancelled; cheaper than [`push_cancellable`](Self::push_cancellable).
    ///
    /// # Panics
    ///
    /// If the sequence number is above [`EventKey::MAX_SEQUENCE`], or 2^32 − 1 events are pending.
    #[inline]
    pub fn push(&mut self, key: EventKey, event: E) {
        let slot = self.occupy(event);
        self.insert(Entry { key: key.into(), slot, cancellable: false });
    }

    /// Adds an event that can be cancelled or moved by the handle.
    ///
    /// # Panics
    ///
    /// As [`push`](Self::push).
    #[inline]
    pub fn push_cancellable(&mut self, key: EventKey, event: E) -> Handle {
        let key = key.into();
        let slot = self.occupy(event);
        self.insert(Entry { key, slot, cancellable: true });
        Handle { slot, generation: self.slots[slot as usize].generation }
    }

    /// Takes the event out of the queue; `None` if the handle is stale.
    pub fn cancel(&mut self, handle: Handle) -> Option<E> {
        let position = self.position(handle)?;
        let entry = self.remove_at(position);
        self.vacate(entry)
    }

    /// Moves the event to another key and keeps its handle valid; `false` if the handle is stale.
    ///
    /// # Panics
    ///
    /// If the sequence number is above [`EventKey::MAX_SEQUENCE`].
    pub fn rearm(&mut self, handle: Handle, key: EventKey) -> bool {
        let Some(position) = self.position(handle) else {
            return false;
        };
        let entry = Entry { key: key.into(), ..self.heap[position] };
        self.settle(position, entry);
        true
    }

    /// The key under which the event is pending; `None` if the handle is stale.
    #[must_use]
    pub fn key_of(&self, handle: Handle) -> Option<EventKey> {
        self.position(handle).map(|position| self.heap[position].key.unpack())
    }

    /// The key of the earliest event.
    #[inline]
    #[must_use]
    pub fn peek(&self) -> Option<EventKey> {
        self.heap.first().map(|entry| entry.key.unpack())
    }

    /// The earliest key as one comparable number; `None` if nothing is pending.
    #[inline]
    pub(crate) fn peek_packed(&self) -> Option<PackedKey> {
        self.heap.first().map(|entry| entry.key)
    }

    /// Takes the earliest event out.
    #[inline]
    pub fn pop(&mut self) -> Option<(EventKey, E)> {
        let last = self.heap.pop()?;
        let first = match self.heap.first() {
            Some(&first) => {
                self.sift_down(0, last);
                first
            }
            None => last,
        };
        let event = self.vacate(first)?;
        Some((first.key.unpack(), event))
    }

    /// Drops all events. Their handles are stale from now on.
    pub fn clear(&mut self) {
        while let Some(entry) = self.heap.pop() {
            self.vacate(entry);
        }
    }

    /// The pending events with their keys, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (EventKey, &E)> {
        self.heap.iter().filter_map(|entry| {
            let event = self.slots[entry.slot as usize].event.as_ref()?;
            Some((entry.key.unpack(), event))
        })
    }

    #[inline]
    fn occupy(&mut self, event: E) -> u32 {
        if let Some(slot) = self.vacant.pop() {
            self.slots[slot as usize].event = Some(event);
            return slot;
        }
        let slot = u32::try_from(self.slots.len()).expect("a queue holds less than 2^32 events");
        self.slots.push(Slot { event: Some(event), position: 0, generation: 0 });
        slot
    }

    #[inline]
    fn vacate(&mut self, entry: Entry) -> Option<E> {
        let slot = &mut self.slots[entry.slot as usize];
        let event = slot.event.take();
        if entry.cancellable {
            slot.generation = slot.generation.wrapping_add(1);
            if slot.generation == 0 {
                // All generations of this slot are used up. It is never used again, so that no stale handle revives.
                return event;
            }
        }
        self.vacant.push(entry.slot);
        event
    }

    #[inline]
    fn position(&self, handle: Handle) -> Option<usize> {
        let slot = self.slots.get(handle.slot as usize)?;
        (slot.generation == handle.generation && slot.event.is_some()).then_some(slot.position as usize)
    }

    #[inline]
    fn insert(&mut self, entry: Entry) {
        let position = self.heap.len();
        self.heap.push(entry);
        self.sift_up(position, entry);
    }

    fn remove_at(&mut self, position: usize) -> Entry {
        let removed = self.heap[position];
        let last = self.heap.pop().expect("the removed entry is in the heap");
        if position < self.heap.len() {
            self.settle(position, last);
        }
        removed
    }

    /// Puts `entry` at `position` and moves it up or down to where it belongs.
    fn settle(&mut self, position: usize, entry: Entry) {
        if position > 0 && entry.key.rank() < self.heap[(position - 1) / ARITY].key.rank() {
            self.sift_up(position, entry);
        } else {
            self.sift_down(position, entry);
        }
    }

    #[inline]
    fn place(&mut self, position: usize, entry: Entry) {
        self.heap[position] = entry;
        if entry.cancellable {
            self.slots[entry.slot as usize].position = position as u32;
        }
    }

    #[inline]
    fn sift_up(&mut self, mut hole: usize, entry: Entry) {
        let rank = entry.key.rank();
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            let above = self.heap[parent];
            if above.key.rank() <= rank {
                break;
            }
            self.place(hole, above);
            hole = parent;
        }
        self.place(hole, entry);
    }

    #[inline]
    fn sift_down(&mut self, mut hole: usize, entry: Entry) {
        let rank = entry.key.rank();
        while let Some((child, below)) = self.least_child(hole) {
            if rank <= below.key.rank() {
                break;
            }
            self.place(hole, below);
            hole = child;
        }
        self.place(hole, entry);
    }

    /// The earliest child of a node and where it is.
    #[inline]
    fn least_child(&self, parent: usize) -> Option<(usize, Entry)> {
        let first = parent * ARITY + 1;
        let children = self.heap.get(first..)?;
        let least = if let Some(children) = children.first_chunk::<ARITY>() {
            // A knock-out of four by index arithmetic: which child wins is a coin toss that no branch predictor learns.
            let [a, b, c, d] = children.map(|child| child.key.rank());
            let left = usize::from(b < a);
            let right = 2 + usize::from(d < c);
            if children[right].key.rank() < children[left].key.rank() { right } else { left }
        } else {
            (0..children.len()).min_by_key(|&child| children[child].key.rank())?
        };
        Some((first + least, children[least]))
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
        let sorted = |queue: &Self| {
            let mut entries = queue.heap.clone();
            entries.sort_unstable_by_key(|entry| entry.key.rank());
            entries
        };
        let (ours, theirs) = (sorted(self), sorted(other));
        let mut start = 0;
        for run in ours.chunk_by(|a, b| a.key == b.key) {
            let end = start + run.len();
            let Some(their_run) = theirs.get(start..end) else {
                return false;
            };
            if their_run.iter().any(|entry| entry.key != run[0].key) || !same_events(self, run, other, their_run) {
                return false;
            }
            start = end;
        }
        true
    }
}

impl<E: Eq> Eq for EventQueue<E> {}

/// Whether the events of two runs of entries under one key are the same multiset. Such runs are short: keys are unique
/// unless the caller makes them otherwise.
fn same_events<E: PartialEq>(ours: &EventQueue<E>, run: &[Entry], theirs: &EventQueue<E>, their_run: &[Entry]) -> bool {
    let mut unmatched: Vec<u32> = their_run.iter().map(|entry| entry.slot).collect();
    run.iter().all(|entry| {
        let event = &ours.slots[entry.slot as usize].event;
        let twin = unmatched.iter().position(|&slot| theirs.slots[slot as usize].event == *event);
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
    fn room_is_kept_for_as_many_events_as_were_ever_pending_together() {
        let mut queue = EventQueue::new();
        for round in 0..10_000 {
            let handles: Vec<Handle> = (0..7).map(|n| queue.push_cancellable(key(round + n), ())).collect();
            queue.push(key(round), ());
            queue.cancel(handles[round as usize % 7]);
            while queue.pop().is_some() {}
        }
        assert_eq!((queue.slots.len(), queue.vacant.len(), queue.heap.len()), (8, 8, 0));
    }

    #[test]
    fn no_handle_revives_when_the_generations_of_a_slot_are_used_up() {
        let mut queue = EventQueue::new();
        let first = queue.push_cancellable(key(1), 'a');
        queue.pop();
        queue.slots[0].generation = u32::MAX;
        let last = queue.push_cancellable(key(2), 'b');
        assert_eq!(last.slot, first.slot);
        assert_eq!(queue.pop(), Some((key(2), 'b')));
        let next = queue.push_cancellable(key(3), 'c');
        assert_ne!(next.slot, first.slot, "the worn-out slot is retired");
        assert_eq!((queue.cancel(first), queue.cancel(last)), (None, None));
        assert_eq!(queue.cancel(next), Some('c'));
    }

    #[test]
    fn a_heap_entry_has_24_bytes() {
        assert_eq!(size_of::<Entry>(), 24);
    }
}
