//! The events that happen later: buckets by their distance, each sorted out when its time comes (a radix heap).
//!
//! Ahuja, Mehlhorn, Orlin and Tarjan, "Faster algorithms for the shortest path problem", Journal of the ACM 37 (1990).
//! The buckets are those of the radix heap with base two; unlike there, what lies below the reference is not refused
//! but is the business of the near events.

use crate::Time;

use super::entry::Entry;
use super::handles::{Handles, Place, compact};

/// Buckets with room for more events give it back when they are emptied.
const ROOM_KEPT: usize = 1 << 12;

/// All events after the instant [`Far::near_end`].
///
/// An event lies in the bucket of the highest bit in which its time differs from that instant: so all of a bucket are
/// earlier than all of the next one. The instant may be moved to the end of the lowest bucket that has events when these
/// are taken out: no higher bit changes, and every other event is still in the right bucket.
#[derive(Clone, Debug)]
pub(super) struct Far<E> {
    near_end: u64,
    buckets: Vec<Vec<Entry<E>>>,
    /// The buckets that have events, a bit for each.
    occupied: u64,
    len: usize,
}

impl<E> Far<E> {
    pub(super) const fn new() -> Self {
        Self { near_end: u64::MAX, buckets: Vec::new(), occupied: 0, len: 0 }
    }

    #[inline(always)]
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether an event at `time` belongs here. While there is no far event, none does.
    #[inline(always)]
    pub(super) const fn covers(&self, time: Time) -> bool {
        time.as_nanos() > self.near_end
    }

    /// The events, in no particular order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Entry<E>> {
        self.buckets.iter().flatten()
    }

    pub(super) fn entry(&self, bucket: u8, position: u32) -> &Entry<E> {
        &self.buckets[bucket as usize][position as usize]
    }

    /// Adds an event after `near_end`.
    #[inline]
    pub(super) fn insert(&mut self, entry: Entry<E>, handles: &mut Handles) {
        let bucket = (entry.key.time().as_nanos() ^ self.near_end).ilog2() as u8;
        let entries = &mut self.buckets[bucket as usize];
        if entry.has_handle() {
            handles.set_place(entry.slot, Place::Far(bucket, compact(entries.len())));
        }
        entries.push(entry);
        self.occupied |= 1 << bucket;
        self.len += 1;
    }

    /// Takes an event out. Its handle stays as it is.
    pub(super) fn remove(&mut self, bucket: u8, position: u32, handles: &mut Handles) -> Entry<E> {
        let entries = &mut self.buckets[bucket as usize];
        let removed = entries.swap_remove(position as usize);
        if let Some(moved) = entries.get(position as usize).filter(|moved| moved.has_handle()) {
            handles.set_place(moved.slot, Place::Far(bucket, position));
        }
        if entries.is_empty() {
            self.occupied &= !(1 << bucket);
        }
        self.len -= 1;
        if self.is_empty() {
            self.near_end = u64::MAX;
        }
        removed
    }

    /// Takes all events out and puts in `entries`, of which those up to the instant `near_end` are given back.
    pub(super) fn rebuild(&mut self, entries: Vec<Entry<E>>, near_end: Time, handles: &mut Handles) -> Vec<Entry<E>> {
        let former: Vec<Entry<E>> = self.buckets.iter_mut().flat_map(std::mem::take).collect();
        self.buckets.resize_with(u64::BITS as usize, Vec::new);
        (self.near_end, self.occupied, self.len) = (near_end.as_nanos(), 0, 0);
        let mut near = Vec::with_capacity(entries.len().min(ROOM_KEPT));
        for entry in entries.into_iter().chain(former) {
            self.sort_in(entry, &mut near, handles);
        }
        self.near_end_without_events();
        near
    }

    /// Moves the earliest events to `near`, which is empty: at least one, and about `wanted` if there are as many.
    pub(super) fn refill(&mut self, near: &mut Vec<Entry<E>>, wanted: usize, handles: &mut Handles) {
        while self.occupied != 0 {
            let lowest = self.occupied.trailing_zeros();
            let found = self.buckets[lowest as usize].len();
            let fits = near.len() + found <= wanted;
            if !fits && !near.is_empty() {
                break;
            }
            let mut entries = std::mem::take(&mut self.buckets[lowest as usize]);
            self.occupied &= !(1 << lowest);
            self.len -= found;
            if fits {
                self.near_end |= u64::MAX >> (u64::BITS - 1 - lowest);
                near.append(&mut entries);
            } else {
                // Into lower buckets, by the distance from the earliest of them.
                self.near_end = entries.iter().map(|entry| entry.key.time().as_nanos()).min().unwrap_or(self.near_end);
                for entry in entries.drain(..) {
                    self.sort_in(entry, near, handles);
                }
            }
            if entries.capacity() <= ROOM_KEPT {
                self.buckets[lowest as usize] = entries;
            }
        }
        self.near_end_without_events();
    }

    /// Forgets all events.
    pub(super) fn clear(&mut self) {
        *self = Self::new();
    }

    #[inline]
    fn sort_in(&mut self, entry: Entry<E>, near: &mut Vec<Entry<E>>, handles: &mut Handles) {
        if self.covers(entry.key.time()) {
            self.insert(entry, handles);
        } else {
            near.push(entry);
        }
    }

    fn near_end_without_events(&mut self) {
        if self.is_empty() {
            self.near_end = u64::MAX;
        }
    }
}
