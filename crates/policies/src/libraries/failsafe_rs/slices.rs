//! The crate's counter of requests over a window of time.

use engine::Time;

/// Five slices. When one is over at an operation, the next begins *at the operation*, not where the last one ended: requests
/// leave the count early or late against a true window.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slices {
    counts: [u32; Self::NUMBER],
    current: usize,
    began: Time,
}

impl Slices {
    pub(super) const NUMBER: usize = 5;

    pub(super) const fn new() -> Self {
        Self { counts: [0; Self::NUMBER], current: 0, began: Time::ZERO }
    }

    pub(super) fn reset(&mut self, now: Time) {
        self.counts = [0; Self::NUMBER];
        self.began = now;
    }

    fn expire(&mut self, now: Time, slice_millis: u64) {
        let slices = now.since(self.began).as_nanos() / 1_000_000 / slice_millis;
        if slices == 0 {
            return;
        }
        for _ in 0..slices.min(Self::NUMBER as u64 + 1) {
            self.current = (self.current + 1) % Self::NUMBER;
            self.counts[self.current] = 0;
        }
        self.began = now;
    }

    pub(super) fn add(&mut self, now: Time, slice_millis: u64) {
        self.expire(now, slice_millis);
        self.counts[self.current] += 1;
    }

    pub(super) fn sum(&mut self, now: Time, slice_millis: u64) -> u32 {
        self.expire(now, slice_millis);
        self.counts.iter().sum()
    }
}
