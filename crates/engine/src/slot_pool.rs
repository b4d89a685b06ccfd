//! A pool of equal slots without a queue.

/// A fixed number of equal slots, each free or busy. All operations are O(1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlotPool {
    capacity: u32,
    busy: u32,
}

impl SlotPool {
    /// A pool of `capacity` free slots.
    #[must_use]
    pub const fn new(capacity: u32) -> Self {
        Self { capacity, busy: 0 }
    }

    /// Takes a slot if one is free, and says whether.
    #[inline]
    #[must_use = "without a slot the caller must not go on as if it had one"]
    pub const fn try_acquire(&mut self) -> bool {
        let free = self.busy < self.capacity;
        self.busy += free as u32;
        free
    }

    /// Gives a slot back.
    ///
    /// # Panics
    ///
    /// If no slot is busy.
    #[inline]
    #[track_caller]
    pub const fn release(&mut self) {
        assert!(self.busy > 0, "a slot was released that nobody held");
        self.busy -= 1;
    }

    /// How many slots are busy.
    #[inline]
    #[must_use]
    pub const fn busy(&self) -> u32 {
        self.busy
    }

    /// How many slots are free.
    #[inline]
    #[must_use]
    pub const fn free(&self) -> u32 {
        self.capacity - self.busy
    }

    /// How many slots there are.
    #[inline]
    #[must_use]
    pub const fn capacity(&self) -> u32 {
        self.capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_taken_and_given_back_within_the_capacity() {
        let mut pool = SlotPool::new(2);
        assert!(pool.try_acquire() && pool.try_acquire());
        assert!(!pool.try_acquire());
        assert_eq!((pool.busy(), pool.free(), pool.capacity()), (2, 0, 2));
        pool.release();
        assert_eq!((pool.busy(), pool.free()), (1, 1));
        assert!(pool.try_acquire());
    }

    #[test]
    fn a_pool_without_slots_never_gives_one() {
        assert!(!SlotPool::new(0).try_acquire());
    }

    #[test]
    #[should_panic(expected = "nobody held")]
    fn releasing_what_nobody_holds_is_refused() {
        SlotPool::new(2).release();
    }
}
