//! Sorted streams of events from outside the model, merged with the queue without going through it.

use crate::{Class, EventKey, Time};

/// A stream of events in ascending order of their keys, made outside the model: an arrival process, a trace.
///
/// The simulation takes the earlier of the source's and the queue's next event, so that an arrival costs one
/// comparison and no heap operation. On equal keys the source goes first.
pub trait Source<E> {
    /// The key of the next event; `None` at the end. Must not change until [`next`](Self::next) is called.
    fn peek(&self) -> Option<EventKey>;

    /// Takes the next event: the one that [`peek`](Self::peek) announced.
    fn next(&mut self) -> Option<(EventKey, E)>;
}

/// The source that never has an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoSource;

impl<E> Source<E> for NoSource {
    #[inline]
    fn peek(&self) -> Option<EventKey> {
        None
    }

    #[inline]
    fn next(&mut self) -> Option<(EventKey, E)> {
        None
    }
}

/// Two sources as one; on equal keys the first goes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged<A, B> {
    first: A,
    second: B,
}

impl<A, B> Merged<A, B> {
    /// Merges two sources.
    #[must_use]
    pub const fn new(first: A, second: B) -> Self {
        Self { first, second }
    }

    /// The two sources.
    #[must_use]
    pub fn into_parts(self) -> (A, B) {
        (self.first, self.second)
    }
}

impl<E, A: Source<E>, B: Source<E>> Source<E> for Merged<A, B> {
    #[inline]
    fn peek(&self) -> Option<EventKey> {
        match (self.first.peek(), self.second.peek()) {
            (Some(first), Some(second)) => Some(first.min(second)),
            (first, second) => first.or(second),
        }
    }

    #[inline]
    fn next(&mut self) -> Option<(EventKey, E)> {
        let first_is_next = match (self.first.peek(), self.second.peek()) {
            (Some(first), Some(second)) => first <= second,
            (first, _) => first.is_some(),
        };
        if first_is_next { self.first.next() } else { self.second.next() }
    }
}

/// A sorted iterator of instants and events as a source of class [`Class::Arrival`], numbered from zero.
#[derive(Clone, Debug)]
pub struct Arrivals<I: Iterator<Item = (Time, E)>, E> {
    later: I,
    next: Option<(EventKey, E)>,
}

impl<E, I: Iterator<Item = (Time, E)>> Arrivals<I, E> {
    /// The events of `iterator`, whose instants must not descend.
    #[must_use]
    pub fn new(iterator: impl IntoIterator<Item = (Time, E), IntoIter = I>) -> Self {
        let mut later = iterator.into_iter();
        let next = later.next().map(|(time, event)| (EventKey::new(time, Class::Arrival, 0), event));
        Self { later, next }
    }
}

impl<E, I: Iterator<Item = (Time, E)>> Source<E> for Arrivals<I, E> {
    #[inline]
    fn peek(&self) -> Option<EventKey> {
        self.next.as_ref().map(|(key, _)| *key)
    }

    /// # Panics
    ///
    /// If the instant after this one is earlier: the iterator is not sorted.
    #[inline]
    fn next(&mut self) -> Option<(EventKey, E)> {
        let (key, event) = self.next.take()?;
        self.next = self.later.next().map(|(time, event)| {
            assert!(time >= key.time, "arrival {} at {time} is earlier than the one before it", key.sequence + 1);
            (EventKey::new(time, Class::Arrival, key.sequence + 1), event)
        });
        Some((key, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(nanos: &[u64]) -> Vec<(Time, u64)> {
        nanos.iter().map(|&nanos| (Time::from_nanos(nanos), nanos)).collect()
    }

    fn drain<E>(mut source: impl Source<E>) -> Vec<(EventKey, E)> {
        let mut events = Vec::new();
        while let Some(announced) = source.peek() {
            let (key, event) = source.next().expect("announced");
            assert_eq!(key, announced);
            events.push((key, event));
        }
        assert!(source.next().is_none());
        events
    }

    #[test]
    fn arrivals_are_numbered_in_their_order() {
        let events = drain(Arrivals::new(times(&[3, 3, 8])));
        let sequences: Vec<u64> = events.iter().map(|(key, _)| key.sequence).collect();
        assert_eq!(sequences, [0, 1, 2]);
        assert!(events.iter().all(|(key, nanos)| key.class == Class::Arrival && key.time.as_nanos() == *nanos));
    }

    #[test]
    #[should_panic(expected = "earlier than the one before")]
    fn an_unsorted_iterator_is_refused() {
        drain(Arrivals::new(times(&[3, 2])));
    }

    #[test]
    fn merged_sources_are_sorted_and_the_first_wins_ties() {
        let first = Arrivals::new(times(&[1, 4, 4, 9]).into_iter().map(|(time, _)| (time, 'a')));
        let second = Arrivals::new(times(&[1, 2, 4, 10]).into_iter().map(|(time, _)| (time, 'b')));
        let events = drain(Merged::new(first, second));
        assert!(events.is_sorted_by_key(|(key, _)| *key));
        let names: String = events.iter().map(|(_, name)| name).collect();
        assert_eq!(names, "abbaabab");
    }

    #[test]
    fn merging_with_nothing_changes_nothing() {
        let alone = drain(Arrivals::new(times(&[1, 2])));
        assert_eq!(drain(Merged::new(NoSource, Arrivals::new(times(&[1, 2])))), alone);
        assert_eq!(drain(Merged::new(Arrivals::new(times(&[1, 2])), NoSource)), alone);
    }
}
