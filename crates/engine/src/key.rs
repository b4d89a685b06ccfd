//! The total order of events: time, then a named class, then a sequence number.

use std::fmt;

use crate::Time;

/// What kind of event it is: decides between events of the same instant, in the order of the variants.
///
/// The order answers the usual questions once and for all: a regime that starts now governs what happens now; a timer
/// that is due now has fired before anything else can ask; what ends now has given back its resource before the next
/// arrival wants one; an observer sees the instant when all is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// The world changes: a regime begins, somebody intervenes.
    Change = 0,
    /// A timer falls due.
    Timer = 1,
    /// Something that was going on ends, and gives back what it held.
    Completion = 2,
    /// Something arrives.
    Arrival = 3,
    /// Somebody looks, and changes nothing.
    Observer = 4,
}

impl Class {
    /// All classes in their order.
    pub const ALL: [Self; 5] = [Self::Change, Self::Timer, Self::Completion, Self::Arrival, Self::Observer];
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Change => "change",
            Self::Timer => "timer",
            Self::Completion => "completion",
            Self::Arrival => "arrival",
            Self::Observer => "observer",
        })
    }
}

/// When an event happens and which one goes first at the same instant: compared by time, class, sequence.
///
/// Keys of pending events should be unique. Events that share a whole key are executed in an order that is the same in
/// every run of the same program, but otherwise unspecified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventKey {
    /// The instant.
    pub time: Time,
    /// The class, which orders events of the same instant.
    pub class: Class,
    /// Orders events of the same instant and class; at most [`EventKey::MAX_SEQUENCE`].
    pub sequence: u64,
}

impl EventKey {
    /// The largest sequence number, 2^60 − 1: sequence and class share one word in the queue.
    pub const MAX_SEQUENCE: u64 = (1 << SEQUENCE_BITS) - 1;

    /// A key.
    #[inline]
    #[must_use]
    pub const fn new(time: Time, class: Class, sequence: u64) -> Self {
        Self { time, class, sequence }
    }

    /// The first key of an instant: no event of this instant is before it.
    #[inline]
    #[must_use]
    pub const fn first_at(time: Time) -> Self {
        Self { time, class: Class::Change, sequence: 0 }
    }
}

impl fmt::Display for EventKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.time, self.class, self.sequence)
    }
}

const SEQUENCE_BITS: u32 = 60;

/// An [`EventKey`] in 16 bytes that compare as one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PackedKey {
    time: u64,
    /// The class above, the sequence below.
    order: u64,
}

impl PackedKey {
    /// The first key of an instant, as [`EventKey::first_at`].
    pub(crate) const fn first_at(time: Time) -> Self {
        Self { time: time.as_nanos(), order: 0 }
    }

    /// The key as one number, whose order is the order of the keys.
    #[inline(always)]
    pub(crate) const fn rank(self) -> u128 {
        (self.time as u128) << 64 | self.order as u128
    }

    #[inline]
    pub(crate) const fn time(self) -> Time {
        Time::from_nanos(self.time)
    }

    #[inline]
    pub(crate) const fn sequence(self) -> u64 {
        self.order & EventKey::MAX_SEQUENCE
    }

    /// The class; without a path that could panic, so that nothing of it is left where it is not used.
    #[inline]
    const fn class(self) -> Class {
        match self.order >> SEQUENCE_BITS {
            0 => Class::Change,
            1 => Class::Timer,
            2 => Class::Completion,
            3 => Class::Arrival,
            _ => Class::Observer,
        }
    }

    #[inline]
    pub(crate) const fn unpack(self) -> EventKey {
        EventKey { time: Time::from_nanos(self.time), class: self.class(), sequence: self.sequence() }
    }
}

impl From<EventKey> for PackedKey {
    /// # Panics
    ///
    /// If the sequence number is above [`EventKey::MAX_SEQUENCE`].
    #[inline]
    fn from(key: EventKey) -> Self {
        if key.sequence > EventKey::MAX_SEQUENCE {
            sequence_too_large(key.time, key.class, key.sequence);
        }
        Self { time: key.time.as_nanos(), order: (key.class as u64) << SEQUENCE_BITS | key.sequence }
    }
}

/// Takes the parts of the key, which stay in registers where all is well.
#[cold]
#[inline(never)]
fn sequence_too_large(time: Time, class: Class, sequence: u64) -> ! {
    let key = EventKey { time, class, sequence };
    panic!("the sequence number of event ({key}) is above {}", EventKey::MAX_SEQUENCE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_field_and_the_order() {
        let mut keys = Vec::new();
        for time in [0, 1, u64::MAX] {
            for class in Class::ALL {
                for sequence in [0, 1, EventKey::MAX_SEQUENCE] {
                    keys.push(EventKey::new(Time::from_nanos(time), class, sequence));
                }
            }
        }
        assert!(keys.is_sorted());
        for pair in keys.windows(2) {
            assert!(PackedKey::from(pair[0]).rank() < PackedKey::from(pair[1]).rank());
        }
        for key in keys {
            assert_eq!(PackedKey::from(key).unpack(), key);
        }
    }

    #[test]
    #[should_panic(expected = "sequence number")]
    fn a_sequence_that_would_run_into_the_class_is_refused() {
        let _ = PackedKey::from(EventKey::new(Time::ZERO, Class::Change, EventKey::MAX_SEQUENCE + 1));
    }

    #[test]
    fn a_packed_key_has_sixteen_bytes() {
        assert_eq!(size_of::<PackedKey>(), 16);
    }
}
