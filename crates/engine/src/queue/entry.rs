//! One pending event.

use crate::key::PackedKey;

/// A pending event under its key. The event lies beside the key, so that what is moved is also what is used.
#[derive(Clone, Debug)]
pub(super) struct Entry<E> {
    pub(super) key: PackedKey,
    /// The slot of the event's handle; [`Entry::NO_HANDLE`] if it cannot be cancelled.
    pub(super) slot: u32,
    /// `None` in a hole only: where an entry has been taken away and another is about to be put.
    pub(super) event: Option<E>,
}

impl<E> Entry<E> {
    pub(super) const NO_HANDLE: u32 = u32::MAX;

    /// The key as one number, whose order is the order of the events.
    #[inline(always)]
    pub(super) const fn rank(&self) -> u128 {
        self.key.rank()
    }

    #[inline(always)]
    pub(super) const fn has_handle(&self) -> bool {
        self.slot != Self::NO_HANDLE
    }

    /// A hole for the entry.
    #[inline(always)]
    pub(super) const fn hole(&self) -> Self {
        Self { key: self.key, slot: self.slot, event: None }
    }

    /// Takes the entry away and leaves a hole.
    #[inline(always)]
    pub(super) const fn take(&mut self) -> Self {
        Self { key: self.key, slot: self.slot, event: self.event.take() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_a_small_event_has_32_bytes() {
        assert_eq!(size_of::<Entry<u32>>(), 32);
    }
}
