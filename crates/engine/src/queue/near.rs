//! The events that happen next: a sorted line while they are few, a heap when they are many.

use super::entry::Entry;
use super::handles::{Handles, Place, compact};
use super::{heap, line};

/// The earliest pending events.
#[derive(Clone, Debug)]
pub(super) struct Near<E> {
    /// A line: sorted from `head` on, with holes before. A heap: all of it, and `head` is 0. (A sorted line without
    /// holes is a heap as it stands.)
    entries: Vec<Entry<E>>,
    head: usize,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Line,
    Heap,
}

impl<E> Near<E> {
    /// More events than these are a heap, measured to be the better one from there on.
    pub(super) const LONGEST_LINE: usize = 64;

    /// So few of a heap become a line again: far below the longest line, so that it does not go to and fro.
    pub(super) const SHORTEST_HEAP: usize = 16;

    pub(super) const fn new() -> Self {
        Self { entries: Vec::new(), head: 0, shape: Shape::Line }
    }

    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity), ..Self::new() }
    }

    #[inline(always)]
    pub(super) const fn len(&self) -> usize {
        self.entries.len() - self.head
    }

    #[inline(always)]
    pub(super) const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    pub(super) fn first(&self) -> Option<&Entry<E>> {
        self.entries.get(self.head)
    }

    /// All of them, in no particular order.
    pub(super) fn entries(&self) -> &[Entry<E>] {
        &self.entries[self.head..]
    }

    /// Whether one more event can join the line as it is.
    #[inline(always)]
    pub(super) fn is_line_with_room(&self) -> bool {
        self.shape == Shape::Line && self.entries.len() < self.entries.capacity() && self.len() < Self::LONGEST_LINE
    }

    /// Adds an event to the [line with room](Self::is_line_with_room). Its handle, if any, must say that it is near.
    #[inline(always)]
    pub(super) fn join_line(&mut self, entry: Entry<E>) {
        line::insert(&mut self.entries, self.head, entry);
    }

    /// Adds an event, whatever the shape and the room.
    pub(super) fn insert(&mut self, entry: Entry<E>, handles: &mut Handles) {
        if self.shape == Shape::Heap {
            return heap::insert(&mut self.entries, handles, entry);
        }
        if entry.has_handle() {
            handles.set_place(entry.slot, Place::Near(0));
        }
        // Holes are removed when there are as many as events: so each is paid for by the pop that left it. Where room is
        // small there are few, and more room is cheaper than removing them again and again.
        let is_full = self.entries.len() == self.entries.capacity();
        let many_holes = is_full && self.head >= self.len().max(Self::SHORTEST_HEAP);
        let becomes_heap = self.len() >= Self::LONGEST_LINE;
        if many_holes || becomes_heap {
            self.remove_holes();
        }
        line::insert(&mut self.entries, self.head, entry);
        if becomes_heap {
            self.reshape(handles);
        }
    }

    /// Takes the earliest event out. Its handle stays as it is.
    #[inline(always)]
    pub(super) fn pop(&mut self, handles: &mut Handles) -> Option<Entry<E>> {
        match self.shape {
            Shape::Line => {
                let first = self.entries.get_mut(self.head)?.take();
                self.head += 1;
                Some(first)
            }
            Shape::Heap => self.remove_from_heap(0, handles),
        }
    }

    /// Where the event of that slot is, given the place noted for it.
    pub(super) fn find(&self, slot: u32, noted: u32) -> Option<&Entry<E>> {
        self.position(slot, noted).map(|position| &self.entries[position])
    }

    /// Takes the event of that slot out, given the place noted for it. The handle stays as it is.
    pub(super) fn remove(&mut self, slot: u32, noted: u32, handles: &mut Handles) -> Option<Entry<E>> {
        let position = self.position(slot, noted)?;
        match self.shape {
            Shape::Line => Some(self.entries.remove(position)),
            Shape::Heap => self.remove_from_heap(position, handles),
        }
    }

    /// Takes all events out, sorted.
    pub(super) fn take_sorted(&mut self) -> Vec<Entry<E>> {
        self.remove_holes();
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable_by_key(Entry::rank);
        entries
    }

    /// Puts these events in the place of all others, in the shape that suits their number.
    pub(super) fn replace(&mut self, mut entries: Vec<Entry<E>>, handles: &mut Handles) {
        entries.sort_unstable_by_key(Entry::rank);
        (self.entries, self.head) = (entries, 0);
        self.reshape(handles);
    }

    /// Empties the queue and gives away its room, to be filled and [put back](Self::replace).
    pub(super) fn take_room(&mut self) -> Vec<Entry<E>> {
        self.entries.clear();
        self.head = 0;
        std::mem::take(&mut self.entries)
    }

    /// Chooses the shape for the entries, which are sorted and have no holes before them.
    fn reshape(&mut self, handles: &mut Handles) {
        self.shape = if self.entries.len() > Self::LONGEST_LINE { Shape::Heap } else { Shape::Line };
        for (position, entry) in self.entries.iter().enumerate().filter(|(_, entry)| entry.has_handle()) {
            handles.set_place(entry.slot, Place::Near(compact(position)));
        }
    }

    fn remove_holes(&mut self) {
        self.entries.drain(..self.head);
        self.head = 0;
    }

    #[inline(never)]
    fn remove_from_heap(&mut self, position: usize, handles: &mut Handles) -> Option<Entry<E>> {
        let removed = heap::remove(&mut self.entries, handles, position);
        if self.entries.len() == Self::SHORTEST_HEAP {
            self.entries.sort_unstable_by_key(Entry::rank);
            self.shape = Shape::Line;
        }
        removed
    }

    fn position(&self, slot: u32, noted: u32) -> Option<usize> {
        match self.shape {
            // From the end: timers tend to lie beyond what they guard.
            Shape::Line => self.entries().iter().rposition(|entry| entry.slot == slot).map(|index| self.head + index),
            Shape::Heap => Some(noted as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::PackedKey;
    use crate::{Class, EventKey, Time};

    impl<E> Near<E> {
        /// For how many entries there is room.
        pub(in super::super) fn room(&self) -> usize {
            self.entries.capacity()
        }
    }

    #[test]
    fn a_line_becomes_a_heap_and_a_line_again() {
        let (mut near, mut handles) = (Near::new(), Handles::new());
        for n in 0..=Near::<u64>::LONGEST_LINE as u64 {
            assert_eq!(near.shape, Shape::Line);
            let key = PackedKey::from(EventKey::new(Time::from_nanos(n ^ 5), Class::Timer, n));
            near.insert(Entry { key, slot: Entry::<u64>::NO_HANDLE, event: Some(n) }, &mut handles);
        }
        while near.shape == Shape::Heap {
            near.pop(&mut handles);
        }
        assert_eq!(near.len(), Near::<u64>::SHORTEST_HEAP);
        assert!(near.entries().is_sorted_by_key(Entry::rank));
    }
}
