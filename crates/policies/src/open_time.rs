//! When an open breaker lets a call through again.

use engine::{Duration, Time};

/// Whether the instant at which the open time ends still belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// It does not: a call at that instant goes through (≥).
    At,
    /// It does: only a later call goes through (>).
    After,
}

/// The end of an open time on the monotonic clock. It passes without a timer: a call has to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OpenUntil(Time);

impl OpenUntil {
    /// Open from `now` on for that long; for ever if it is longer than the clock goes.
    pub(crate) fn after(now: Time, open_for: Duration) -> Self {
        Self(now + open_for)
    }

    pub(crate) fn is_over(self, now: Time, ends: Ends) -> bool {
        match ends {
            Ends::At => now >= self.0,
            Ends::After => now > self.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_instant_makes_the_difference() {
        let until = OpenUntil::after(Time::from_nanos(5), Duration::from_nanos(10));
        let over = |nanos, ends| until.is_over(Time::from_nanos(nanos), ends);
        assert_eq!([14, 15, 16].map(|nanos| over(nanos, Ends::At)), [false, true, true]);
        assert_eq!([14, 15, 16].map(|nanos| over(nanos, Ends::After)), [false, false, true]);
    }
}
