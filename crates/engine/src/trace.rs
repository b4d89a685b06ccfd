//! What happened, event by event: a log for people, a digest for machines, or nothing at no cost.

use std::fmt::Debug;
use std::hash::{Hash, Hasher};

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use crate::EventKey;

/// Is told of every event just before the model handles it.
pub trait Trace<E> {
    /// Notes an event.
    fn record(&mut self, key: EventKey, event: &E);
}

/// Notes nothing, and costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoTrace;

impl<E> Trace<E> for NoTrace {
    #[inline(always)]
    fn record(&mut self, _: EventKey, _: &E) {}
}

/// One line per event: time, class, sequence, and the event as its `Debug` form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceLog {
    lines: Vec<String>,
}

impl TraceLog {
    /// An empty log.
    #[must_use]
    pub const fn new() -> Self {
        Self { lines: Vec::new() }
    }

    /// The lines so far.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl<E: Debug> Trace<E> for TraceLog {
    fn record(&mut self, key: EventKey, event: &E) {
        self.lines.push(format!("{key} {event:?}"));
    }
}

/// A number of 64 bits that depends on every key and event, and on their order.
///
/// It is the same on every platform as long as the event's `Hash` feeds the hasher number by number, as derived
/// implementations do (slices of integers are the exception: they feed memory as it lies). Not cryptographic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceDigest {
    hasher: StableHasher,
    events: u64,
}

impl TraceDigest {
    /// The digest of no events.
    #[must_use]
    pub const fn new() -> Self {
        Self { hasher: StableHasher(0), events: 0 }
    }

    /// The digest of the events so far.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.hasher.finish()
    }

    /// How many events went into it.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }
}

impl Default for TraceDigest {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Hash> Trace<E> for TraceDigest {
    #[inline]
    fn record(&mut self, key: EventKey, event: &E) {
        self.hasher.write_u64(key.time.as_nanos());
        self.hasher.write_u64(key.class as u64);
        self.hasher.write_u64(key.sequence);
        event.hash(&mut self.hasher);
        self.events += 1;
    }
}

/// A hasher that promises its values, unlike those of the standard library: every number is one word, mixed in by
/// the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StableHasher(u64);

impl Hasher for StableHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
        self.write_u64(bytes.len() as u64);
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = SplitMix64::seed_from_u64(self.0.rotate_left(23) ^ number).next_u64();
    }

    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_i8(&mut self, number: i8) {
        self.write_i64(i64::from(number));
    }

    fn write_i16(&mut self, number: i16) {
        self.write_i64(i64::from(number));
    }

    fn write_i32(&mut self, number: i32) {
        self.write_i64(i64::from(number));
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number.cast_unsigned());
    }

    fn write_i128(&mut self, number: i128) {
        self.write_u128(number.cast_unsigned());
    }

    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Time};

    #[derive(Debug, Hash)]
    enum Event {
        Start(u32),
        Note(&'static str),
    }

    fn key(nanos: u64, sequence: u64) -> EventKey {
        EventKey::new(Time::from_nanos(nanos), Class::Timer, sequence)
    }

    fn digest(events: &[(EventKey, Event)]) -> u64 {
        let mut digest = TraceDigest::new();
        for (key, event) in events {
            digest.record(*key, event);
        }
        assert_eq!(digest.events(), events.len() as u64);
        digest.digest()
    }

    #[test]
    fn the_digest_depends_on_keys_events_and_order() {
        let base = digest(&[(key(1, 0), Event::Start(7)), (key(2, 1), Event::Note("ab"))]);
        for other in [
            digest(&[(key(2, 1), Event::Note("ab")), (key(1, 0), Event::Start(7))]),
            digest(&[(key(1, 0), Event::Start(8)), (key(2, 1), Event::Note("ab"))]),
            digest(&[(key(1, 1), Event::Start(7)), (key(2, 1), Event::Note("ab"))]),
            digest(&[(key(1, 0), Event::Start(7)), (key(2, 1), Event::Note("ba"))]),
            digest(&[(key(1, 0), Event::Start(7))]),
        ] {
            assert_ne!(other, base);
        }
    }

    #[test]
    fn numbers_of_any_width_are_hashed_by_value() {
        let of = |feed: &dyn Fn(&mut StableHasher)| {
            let mut hasher = StableHasher(0);
            feed(&mut hasher);
            hasher.finish()
        };
        assert_eq!(of(&|hasher| 5u8.hash(hasher)), of(&|hasher| 5u64.hash(hasher)));
        assert_eq!(of(&|hasher| 5usize.hash(hasher)), of(&|hasher| 5u64.hash(hasher)));
        assert_eq!(of(&|hasher| (-5i8).hash(hasher)), of(&|hasher| (-5i64).hash(hasher)));
    }

    #[test]
    fn the_log_reads_as_time_class_sequence_event() {
        let mut log = TraceLog::new();
        log.record(key(1_500, 3), &Event::Start(7));
        assert_eq!(log.lines(), ["1.5us timer 3 Start(7)"]);
    }
}
