//! Names of cancellable events, which go stale when their events leave.

/// Names one cancellable event of the queue that handed it out (and of that queue's clones).
///
/// Once its event has been popped or cancelled a handle is stale for ever, and every operation says so. A handle is a
/// name and says nothing about the future: leave it out where states are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    slot: u32,
    generation: u32,
}

impl Handle {
    pub(super) const fn slot(self) -> u32 {
        self.slot
    }
}

/// Where in the queue an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Among the near events; at this position while they are a heap.
    Near(u32),
    /// Among the far events: in this bucket, at this position.
    Far(u8, u32),
}

/// A position in few bytes: many handles are looked up in no order, so that their size matters.
///
/// # Panics
///
/// At 2^32, for which no machine has the memory yet.
#[inline]
pub(super) fn compact(position: usize) -> u32 {
    u32::try_from(position).expect("fewer than 2^32 events in one place")
}

/// Which handles are valid, and where their events are.
#[derive(Clone, Debug)]
pub(super) struct Handles {
    slots: Vec<Slot>,
    /// Slots without an event; the last one is used next.
    vacant: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Slot {
    /// Raised when the event leaves; a handle of another generation is stale.
    generation: u32,
    place: Place,
}

impl Handles {
    pub(super) const fn new() -> Self {
        Self { slots: Vec::new(), vacant: Vec::new() }
    }

    /// A handle for an event that enters, among the near ones until something else is noted.
    #[inline]
    pub(super) fn issue(&mut self) -> Handle {
        let slot = self.vacant.pop().unwrap_or_else(|| {
            let slot = u32::try_from(self.slots.len()).ok().filter(|&slot| slot < u32::MAX);
            self.slots.push(Slot { generation: 0, place: Place::Near(0) });
            slot.expect("a queue holds less than 2^32 - 1 cancellable events")
        });
        let named = &mut self.slots[slot as usize];
        named.place = Place::Near(0);
        Handle { slot, generation: named.generation }
    }

    /// The event of that slot leaves: its handle is stale from now on.
    #[inline]
    pub(super) fn retire(&mut self, slot: u32) {
        let generation = &mut self.slots[slot as usize].generation;
        *generation += 1;
        // A slot whose generations are used up is never used again, so that no stale handle revives.
        if *generation < u32::MAX {
            self.vacant.push(slot);
        }
    }

    /// The slot of a handle; `None` if the handle is stale.
    #[inline]
    pub(super) fn slot(&self, handle: Handle) -> Option<u32> {
        let slot = self.slots.get(handle.slot as usize)?;
        (slot.generation == handle.generation).then_some(handle.slot)
    }

    /// Where the event of that slot is.
    #[inline]
    pub(super) fn place(&self, slot: u32) -> Place {
        self.slots[slot as usize].place
    }

    /// The event of that slot is now there.
    #[inline]
    pub(super) fn set_place(&mut self, slot: u32, place: Place) {
        self.slots[slot as usize].place = place;
    }
}

#[cfg(test)]
impl Handles {
    /// How many slots there are, vacant ones included.
    pub(super) fn slots(&self) -> usize {
        self.slots.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_has_twelve_bytes() {
        assert_eq!(size_of::<Slot>(), 12);
    }

    #[test]
    fn a_slot_is_used_again_under_another_name() {
        let mut handles = Handles::new();
        let first = handles.issue();
        handles.retire(first.slot);
        let second = handles.issue();
        assert_eq!(second.slot, first.slot);
        assert_eq!((handles.slot(first), handles.slot(second)), (None, Some(second.slot)));
    }

    #[test]
    fn no_handle_revives_when_the_generations_of_a_slot_are_used_up() {
        let mut handles = Handles::new();
        let first = handles.issue();
        handles.retire(first.slot);
        handles.slots[0].generation = u32::MAX - 1;
        let last = handles.issue();
        assert_eq!(last.slot, first.slot);
        handles.retire(last.slot);
        let next = handles.issue();
        assert_ne!(next.slot, first.slot, "the worn-out slot is retired");
        assert_eq!((handles.slot(first), handles.slot(last)), (None, None));
        assert_eq!(handles.slot(next), Some(next.slot));
    }
}
