//! The hold model (Jones, "An empirical comparison of priority-queue and event-set implementations", CACM 29, 1986): the
//! number of pending events is held constant, since every event that leaves is replaced by one some time later.

use engine::{Class, EventKey, EventQueue, Handle, Time, open_unit};
use rand::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How long after the present an event is scheduled, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Increments {
    /// Of mean 1.
    Exponential,
    /// On 0 to 2.
    Uniform,
    /// Nine in ten below 1, the others ten times as long.
    Bimodal,
    /// Pareto with shape 2: finite mean, infinite variance.
    Pareto,
}

/// A queue with as many pending events as it is to hold.
pub(crate) struct Hold {
    queue: EventQueue<u32>,
    /// The handle of each event; empty if none is ever cancelled.
    handles: Vec<Handle>,
    increments: Increments,
    /// Of a hundred steps, how many cancel an event in place of letting the earliest happen.
    cancelled_percent: u64,
    random: Xoshiro256PlusPlus,
    now: Time,
    sequence: u64,
}

impl Hold {
    pub(crate) fn new(pending: u32, increments: Increments, cancelled_percent: u64) -> Self {
        let mut hold = Self {
            queue: EventQueue::new(),
            handles: Vec::new(),
            increments,
            cancelled_percent,
            random: Xoshiro256PlusPlus::seed_from_u64(1),
            now: Time::ZERO,
            sequence: 0,
        };
        for event in 0..pending {
            let key = hold.next_key();
            if cancelled_percent == 0 {
                hold.queue.push(key, event);
            } else {
                let handle = hold.queue.push_cancellable(key, event);
                hold.handles.push(handle);
            }
        }
        hold
    }

    /// So many steps, in each of which an event leaves and is scheduled anew. Says how many happened or were cancelled.
    pub(crate) fn run(&mut self, steps: u64) -> u64 {
        let mut left = 0;
        for _ in 0..steps {
            let event = if self.cancelled_percent == 0 { self.fire() } else { self.fire_or_cancel() };
            left += u64::from(event.is_some());
        }
        left
    }

    #[inline]
    fn fire(&mut self) -> Option<u32> {
        let (key, event) = self.queue.pop()?;
        self.now = key.time;
        let key = self.next_key();
        self.queue.push(key, event);
        Some(event)
    }

    #[inline]
    fn fire_or_cancel(&mut self) -> Option<u32> {
        let event = if self.random.next_u64() % 100 < self.cancelled_percent {
            let victim = self.random.next_u64() % self.handles.len() as u64;
            self.queue.cancel(self.handles[victim as usize])?
        } else {
            let (key, event) = self.queue.pop()?;
            self.now = key.time;
            event
        };
        let key = self.next_key();
        self.handles[event as usize] = self.queue.push_cancellable(key, event);
        Some(event)
    }

    #[inline]
    fn next_key(&mut self) -> EventKey {
        let uniform = open_unit(self.random.next_u64());
        let seconds = match self.increments {
            Increments::Exponential => -libm::log(uniform),
            Increments::Uniform => 2.0 * uniform,
            Increments::Bimodal if uniform < 0.9 => uniform,
            Increments::Bimodal => 10.0 * uniform,
            Increments::Pareto => 1.0 / uniform.sqrt(),
        };
        self.sequence += 1;
        EventKey::new(self.now + engine::Duration::from_secs_f64(seconds), Class::Completion, self.sequence)
    }
}
