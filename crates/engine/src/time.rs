//! The clock: integer nanoseconds, so that equal instants are equal and nothing drifts.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};

const NANOS_PER_SECOND: f64 = 1e9;

/// An instant: nanoseconds since the start of the run.
///
/// `u64` nanoseconds reach 584 years; sums saturate at [`Time::MAX`], which therefore means "never".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

/// A length of time in whole nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration(u64);

impl Time {
    /// The start of the run.
    pub const ZERO: Self = Self(0);
    /// Later than every event: "never".
    pub const MAX: Self = Self(u64::MAX);

    /// The instant `nanos` nanoseconds after the start.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the start.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds since the start, for reports: the nearest `f64`.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SECOND
    }

    /// How long ago `earlier` was; zero if it lies in the future.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration(self.0.saturating_sub(earlier.0))
    }
}

impl Duration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// One nanosecond, the shortest time for which anything can be held.
    pub const TICK: Self = Self(1);

    /// A duration of `nanos` nanoseconds.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// A duration of `millis` milliseconds, saturating.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000_000))
    }

    /// A duration of `seconds` seconds, saturating.
    #[must_use]
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1_000_000_000))
    }

    /// `seconds` floored to whole nanoseconds; negative and NaN become zero, too long ones saturate.
    #[must_use]
    pub fn from_secs_f64(seconds: f64) -> Self {
        Self((seconds * NANOS_PER_SECOND) as u64)
    }

    /// Whole nanoseconds.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds, for reports: the nearest `f64`.
    #[must_use]
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / NANOS_PER_SECOND
    }

    /// Whether this is no time at all.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// At least one nanosecond: what holds a resource holds it for some time.
    #[must_use]
    pub const fn at_least_a_tick(self) -> Self {
        if self.0 == 0 { Self::TICK } else { self }
    }
}

impl Add<Duration> for Time {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration.0))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, duration: Duration) {
        *self = *self + duration;
    }
}

impl Add for Duration {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Duration {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Time {
    type Output = Duration;

    /// The time from `earlier` to `self`; zero if `earlier` is the later one.
    fn sub(self, earlier: Self) -> Duration {
        self.since(earlier)
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Duration(self.0).fmt(f)
    }
}

impl fmt::Display for Duration {
    /// The shortest exact form with one unit: the largest unit not above the value, with as many decimals as it
    /// needs: `1.5s`, `220ms`, `7ns`, `1.000000007s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, nanos_per_unit) = match self.0 {
            0 => ("s", 1_000_000_000),
            n if n >= 1_000_000_000 => ("s", 1_000_000_000),
            n if n >= 1_000_000 => ("ms", 1_000_000),
            n if n >= 1_000 => ("us", 1_000),
            _ => ("ns", 1),
        };
        let (whole, part) = (self.0 / nanos_per_unit, self.0 % nanos_per_unit);
        if part == 0 {
            return f.pad(&format!("{whole}{unit}"));
        }
        let digits = nanos_per_unit.ilog10() as usize;
        let decimals = format!("{part:0digits$}");
        f.pad(&format!("{whole}.{}{unit}", decimals.trim_end_matches('0')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_floored_to_nanoseconds() {
        assert_eq!(Duration::from_secs_f64(1.999_999_999_9).as_nanos(), 1_999_999_999);
        assert_eq!(Duration::from_secs_f64(-1.0), Duration::ZERO);
        assert_eq!(Duration::from_secs_f64(f64::NAN), Duration::ZERO);
        assert_eq!(Duration::from_secs_f64(1e300).as_nanos(), u64::MAX);
    }

    #[test]
    fn sums_saturate_at_never() {
        assert_eq!(Time::MAX + Duration::TICK, Time::MAX);
        assert_eq!(Time::ZERO - Time::from_nanos(5), Duration::ZERO);
    }

    #[test]
    fn display_is_exact_and_short() {
        for (nanos, text) in [
            (0, "0s"),
            (7, "7ns"),
            (1_500, "1.5us"),
            (220_000_000, "220ms"),
            (1_500_000_000, "1.5s"),
            (1_000_000_007, "1.000000007s"),
        ] {
            assert_eq!(Duration::from_nanos(nanos).to_string(), text);
        }
    }
}
