//! Compartments: a pool of slots with a bounded queue in front of it.

use std::collections::VecDeque;

use engine::{SlotPool, Time};

/// Who waits for a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// The neighbour's request of that position in the stream.
    Neighbour { position: u32, arrived: Time },
    /// The request under that number in the world's list.
    Call(u32),
}

/// Slots that are shared, and the line of those who wait for one.
#[derive(Clone, Debug)]
pub(crate) struct Compartment {
    pub(crate) pool: SlotPool,
    pub(crate) line: VecDeque<Waiting>,
    room: usize,
}

/// What somebody finds who wants a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Slot,
    Queue,
    None,
}

impl Compartment {
    pub(crate) fn new(slots: u32, room: u32) -> Self {
        Self { pool: SlotPool::new(slots), line: VecDeque::new(), room: room as usize }
    }

    /// Takes a slot, or else a place in the line, or neither. Who waits comes before who arrives.
    pub(crate) fn enter(&mut self, who: Waiting) -> Place {
        if self.line.is_empty() && self.pool.try_acquire() {
            return Place::Slot;
        }
        if self.line.len() == self.room {
            return Place::None;
        }
        self.line.push_back(who);
        Place::Queue
    }

    /// Takes a slot for whoever has waited longest.
    pub(crate) fn next_in_line(&mut self) -> Option<Waiting> {
        if self.line.is_empty() || !self.pool.try_acquire() {
            return None;
        }
        self.line.pop_front()
    }
}

/// So many parts of `whole` that differ by one at most, the larger ones first.
pub(crate) fn shares(whole: u32, parts: u32) -> impl Iterator<Item = u32> {
    (0..parts).map(move |part| whole / parts + u32::from(part < whole % parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_served_first_come_first_served() {
        let mut compartment = Compartment::new(1, 2);
        let places: Vec<Place> = (0..4).map(|number| compartment.enter(Waiting::Call(number))).collect();
        assert_eq!(places, [Place::Slot, Place::Queue, Place::Queue, Place::None]);
        assert_eq!(compartment.next_in_line(), None);
        compartment.pool.release();
        assert_eq!(compartment.next_in_line(), Some(Waiting::Call(1)));
        assert_eq!(compartment.pool.busy(), 1);
        compartment.pool.release();
        // A slot is free, but somebody waits for it.
        assert_eq!(compartment.enter(Waiting::Call(9)), Place::Queue);
        assert_eq!(compartment.next_in_line(), Some(Waiting::Call(2)));
    }

    #[test]
    fn shares_add_up() {
        assert_eq!(shares(32, 5).collect::<Vec<_>>(), [7, 7, 6, 6, 6]);
        assert_eq!(shares(3, 1).collect::<Vec<_>>(), [3]);
    }
}
