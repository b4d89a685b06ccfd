//! A level that changes over time: its time average and its maximum.

use crate::Time;

/// A whole number that holds from one change to the next: a queue's length, the busy slots.
///
/// The area under the level is an exact integer, so that averages do not depend on how often they were asked for and
/// identities such as Little's law can be checked exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeWeighted {
    level: i64,
    /// When averaging began.
    start: Time,
    /// Up to when the area is complete.
    last: Time,
    /// Level times nanoseconds from `start` to `last`.
    area: i128,
    /// The greatest level that lasted within `start` to `last`.
    max: Option<i64>,
}

impl TimeWeighted {
    /// A level that holds from `now` on.
    #[must_use]
    pub const fn new(now: Time, level: i64) -> Self {
        Self { level, start: now, last: now, area: 0, max: None }
    }

    /// The level from `now` on.
    ///
    /// # Panics
    ///
    /// If `now` is earlier than the last change.
    #[inline]
    #[track_caller]
    pub fn set(&mut self, now: Time, level: i64) {
        *self = self.at(now);
        self.level = level;
    }

    /// Changes the level by `delta` from `now` on.
    ///
    /// # Panics
    ///
    /// If `now` is earlier than the last change.
    #[inline]
    #[track_caller]
    pub fn add(&mut self, now: Time, delta: i64) {
        self.set(now, self.level + delta);
    }

    /// Begins to average anew at `now`, at the end of a warm-up: what was is forgotten, the level is kept.
    ///
    /// # Panics
    ///
    /// If `now` is earlier than the last change.
    #[track_caller]
    pub fn reset(&mut self, now: Time) {
        *self = Self::new(now, self.at(now).level);
    }

    /// The present level.
    #[inline]
    #[must_use]
    pub const fn level(&self) -> i64 {
        self.level
    }

    /// The area under the level up to `now`: level times nanoseconds.
    ///
    /// # Panics
    ///
    /// If `now` is earlier than the last change.
    #[must_use]
    #[track_caller]
    pub fn area(&self, now: Time) -> i128 {
        self.at(now).area
    }

    /// The time average up to `now`; `None` if no time has passed.
    ///
    /// # Panics
    ///
    /// If `now` is earlier than the last change.
    #[must_use]
    #[track_caller]
    pub fn mean(&self, now: Time) -> Option<f64> {
        let elapsed = now.since(self.start);
        let area = self.area(now);
        (!elapsed.is_zero()).then(|| area as f64 / elapsed.as_nanos() as f64)
    }

    /// The greatest level up to `now` that lasted for some time: one that came and went within an instant was never
    /// there. `None` if no time has passed.
    ///
    /// # Panics
    ///
    /// If `now` is earlier than the last change.
    #[must_use]
    #[track_caller]
    pub fn max(&self, now: Time) -> Option<i64> {
        self.at(now).max
    }

    /// The same level, accounted for up to `now`.
    #[inline]
    #[track_caller]
    fn at(&self, now: Time) -> Self {
        assert!(
            now >= self.last,
            "a level cannot be changed or read at {now}, before its last change at {}",
            self.last
        );
        if now == self.last {
            return *self;
        }
        Self {
            area: self.area + i128::from(self.level) * i128::from(now.since(self.last).as_nanos()),
            max: self.max.max(Some(self.level)),
            last: now,
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Time {
        Time::from_nanos(nanos)
    }

    #[test]
    fn the_mean_weighs_levels_by_their_time() {
        let mut level = TimeWeighted::new(at(10), 2);
        level.set(at(13), 8);
        level.add(at(14), -3);
        assert_eq!(level.area(at(20)), 2 * 3 + 8 + 5 * 6);
        assert_eq!(level.mean(at(20)), Some(4.4));
        assert_eq!(level.max(at(20)), Some(8));
    }

    #[test]
    fn reading_changes_nothing() {
        let mut read = TimeWeighted::new(at(0), 1);
        read.set(at(5), 3);
        let unread = read;
        let _ = (read.mean(at(9)), read.max(at(9)), read.area(at(9)));
        assert_eq!(read, unread);
    }

    #[test]
    fn a_blip_of_no_length_never_was() {
        let mut level = TimeWeighted::new(at(0), 1);
        level.set(at(5), 100);
        level.set(at(5), 2);
        assert_eq!(level.max(at(5)), Some(1));
        assert_eq!(level.max(at(6)), Some(2));
    }

    #[test]
    fn negative_levels_have_a_maximum_too() {
        let mut level = TimeWeighted::new(at(0), -7);
        level.set(at(5), -3);
        assert_eq!(level.max(at(8)), Some(-3));
    }

    #[test]
    fn nothing_is_known_before_time_has_passed() {
        let level = TimeWeighted::new(at(4), 9);
        assert_eq!((level.mean(at(4)), level.max(at(4))), (None, None));
    }

    #[test]
    fn a_reset_forgets_the_past_and_keeps_the_level() {
        let mut level = TimeWeighted::new(at(0), 50);
        level.set(at(10), 3);
        level.reset(at(20));
        assert_eq!(level, TimeWeighted::new(at(20), 3));
        assert_eq!((level.mean(at(30)), level.max(at(30))), (Some(3.0), Some(3)));
    }

    #[test]
    #[should_panic(expected = "before its last change")]
    fn the_past_cannot_be_changed() {
        let mut level = TimeWeighted::new(at(5), 0);
        level.set(at(4), 1);
    }
}
