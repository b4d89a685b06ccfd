//! A million random operations on the queue, each compared with the same operation on an ordered map.

use std::collections::BTreeMap;

use engine::{Class, EventKey, EventQueue, Handle, StreamKey, Time};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The queue and its slow, obvious model. Keys are unique, as the queue asks for.
struct Shadowed {
    queue: EventQueue<u64>,
    shadow: BTreeMap<EventKey, u64>,
    /// The handles of pending events, with their keys.
    live: Vec<(Handle, EventKey)>,
    stale: Vec<Handle>,
    random: Xoshiro256PlusPlus,
    instants: Instants,
    sequence: u64,
}

/// At which instants events are due.
#[derive(Clone, Copy)]
enum Instants {
    /// Few enough that ties of time and class are the rule.
    Few,
    /// Over all of time, as many in each power of two.
    Wide,
    /// Shortly after the earliest pending event, and sometimes long after.
    Ahead,
}

impl Shadowed {
    fn new(seed: u64, instants: Instants) -> Self {
        Self {
            queue: EventQueue::new(),
            shadow: BTreeMap::new(),
            live: Vec::new(),
            stale: Vec::new(),
            random: StreamKey::root(seed).generator(),
            instants,
            sequence: 0,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound as u64) as usize
    }

    /// A key not used before.
    fn key(&mut self) -> EventKey {
        let word = self.random.next_u64();
        let time = Time::from_nanos(match self.instants {
            Instants::Few => word % 64,
            Instants::Wide => word >> self.below(64),
            Instants::Ahead => {
                let now = self.shadow.first_key_value().map_or(0, |(key, _)| key.time.as_nanos());
                now + if word.is_multiple_of(16) { word >> 24 } else { word >> 44 }
            }
        });
        let class = Class::ALL[self.below(Class::ALL.len())];
        self.sequence += 1;
        // Odd multiples keep the numbers unique and take away their order.
        let sequence = self.sequence.wrapping_mul(0x9e37_79b9_7f4a_7c15) & EventKey::MAX_SEQUENCE;
        EventKey::new(time, class, sequence)
    }

    fn push(&mut self) {
        let (key, event) = (self.key(), self.random.next_u64());
        self.queue.push(key, event);
        assert_eq!(self.shadow.insert(key, event), None);
    }

    fn push_cancellable(&mut self) {
        let (key, event) = (self.key(), self.random.next_u64());
        let handle = self.queue.push_cancellable(key, event);
        assert_eq!(self.shadow.insert(key, event), None);
        self.live.push((handle, key));
    }

    fn pop(&mut self) {
        let popped = self.queue.pop();
        assert_eq!(popped, self.shadow.pop_first());
        if let Some(index) = self.live.iter().position(|(_, key)| Some(*key) == popped.map(|(key, _)| key)) {
            let (handle, _) = self.live.swap_remove(index);
            self.stale.push(handle);
        }
    }

    fn cancel(&mut self) {
        if !self.live.is_empty() {
            let index = self.below(self.live.len());
            let (handle, key) = self.live.swap_remove(index);
            assert_eq!(self.queue.key_of(handle), Some(key));
            assert_eq!(self.queue.cancel(handle), self.shadow.remove(&key));
            self.stale.push(handle);
        }
    }

    fn rearm(&mut self) {
        if !self.live.is_empty() {
            let index = self.below(self.live.len());
            let new = self.key();
            let (handle, old) = self.live[index];
            assert!(self.queue.rearm(handle, new));
            let event = self.shadow.remove(&old).expect("a live handle's event is pending");
            self.shadow.insert(new, event);
            self.live[index].1 = new;
        }
    }

    fn touch_stale(&mut self) {
        if !self.stale.is_empty() {
            let index = self.below(self.stale.len());
            let handle = self.stale.swap_remove(index);
            let key = self.key();
            assert_eq!(self.queue.key_of(handle), None);
            assert_eq!(self.queue.cancel(handle), None);
            assert!(!self.queue.rearm(handle, key));
            self.stale.push(handle);
        }
    }

    fn clear(&mut self) {
        self.queue.clear();
        self.shadow.clear();
        self.stale.extend(self.live.drain(..).map(|(handle, _)| handle));
    }

    /// The queue equals one that was filled in key order and never saw anything else.
    fn compare_as_values(&self) {
        let mut rebuilt = EventQueue::new();
        for (key, event) in &self.shadow {
            rebuilt.push(*key, *event);
        }
        assert_eq!(self.queue, rebuilt);
        rebuilt.push(EventKey::new(Time::MAX, Class::Observer, 0), 0);
        assert_ne!(self.queue, rebuilt);
        let mut listed: Vec<_> = self.queue.iter().map(|(key, event)| (key, *event)).collect();
        listed.sort_unstable();
        assert!(listed.into_iter().eq(self.shadow.iter().map(|(key, event)| (*key, *event))));
    }

    fn operate(&mut self, operations: u32) {
        for operation in 0..operations {
            // Growing and shrinking phases take turns, so that both deep and nearly empty heaps are met.
            let pushes = if operation / 5_000 % 2 == 0 { 30 } else { 22 };
            match self.below(100) {
                roll if roll < pushes => self.push_cancellable(),
                roll if roll < pushes + 20 => self.push(),
                roll if roll < 70 => self.pop(),
                roll if roll < 82 => self.cancel(),
                roll if roll < 94 => self.rearm(),
                _ => self.touch_stale(),
            }
            assert_eq!(self.queue.peek(), self.shadow.first_key_value().map(|(key, _)| *key));
            assert_eq!(self.queue.len(), self.shadow.len(), "the heap holds live events and nothing else");
            assert_eq!(self.queue.is_empty(), self.shadow.is_empty());
            if operation % 20_000 == 19_999 {
                self.compare_as_values();
                self.stale.truncate(1_000);
            }
            if operation % 100_000 == 99_999 {
                self.clear();
            }
        }
    }
}

fn agrees(seed: u64, instants: Instants, operations: u32) {
    let mut shadowed = Shadowed::new(seed, instants);
    shadowed.operate(operations);
    while !shadowed.shadow.is_empty() {
        shadowed.pop();
    }
    assert_eq!(shadowed.queue.pop(), None);
}

#[test]
fn a_million_operations_agree_with_an_ordered_map() {
    agrees(1, Instants::Few, 1_000_000);
}

#[test]
fn operations_over_all_of_time_agree_with_an_ordered_map() {
    agrees(3, Instants::Wide, 500_000);
}

#[test]
fn operations_as_in_a_simulation_agree_with_an_ordered_map() {
    agrees(4, Instants::Ahead, 500_000);
}

#[test]
fn a_clone_goes_its_own_way_with_the_same_handles() {
    let mut shadowed = Shadowed::new(2, Instants::Few);
    shadowed.operate(4_000);
    let (handle, key) = *shadowed.live.first().expect("some event is cancellable");
    let mut clone = shadowed.queue.clone();
    assert_eq!(clone, shadowed.queue);
    assert_eq!(clone.cancel(handle), shadowed.shadow.get(&key).copied());
    assert_ne!(clone, shadowed.queue);
    assert_eq!(shadowed.queue.key_of(handle), Some(key));
}

#[test]
fn a_timer_that_is_set_anew_for_ever_takes_one_place() {
    let mut queue = EventQueue::new();
    let key = |n| EventKey::new(Time::from_nanos(n), Class::Timer, n);
    let timer = queue.push_cancellable(key(0), 'r');
    let mut other = queue.push_cancellable(key(0), 'c');
    for n in 1..=1_000_000 {
        assert!(queue.rearm(timer, key(n)));
        assert_eq!(queue.cancel(other), Some('c'));
        other = queue.push_cancellable(key(2 * n), 'c');
        assert_eq!(queue.len(), 2);
    }
}

#[test]
fn equality_is_of_multisets_where_keys_are_shared() {
    let key = EventKey::first_at(Time::ZERO);
    let of = |events: &[u8]| {
        let mut queue = EventQueue::new();
        for event in events {
            queue.push(key, *event);
        }
        queue
    };
    assert_eq!(of(&[1, 2, 2, 3]), of(&[2, 3, 1, 2]));
    assert_ne!(of(&[1, 2, 2, 3]), of(&[1, 2, 3, 3]));
    assert_ne!(of(&[1]), of(&[1, 1]));
}
