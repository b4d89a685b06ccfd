//! One running breaker in the richer world, and the watch over its half-open state.

use engine::{Duration, Handle, StreamKey, Time};
use policies::{Phase, Rule, Transition};

/// A breaker, its timer, and whether it is stuck.
#[derive(Clone, Debug)]
pub(crate) struct Guard<R: Rule> {
    pub(crate) rule: R,
    pub(crate) state: R::State,
    pub(crate) timer: Option<(Handle, Time)>,
    pub(crate) watch: Watch,
}

impl<R: Rule> Guard<R> {
    pub(crate) fn new(rule: R, key: StreamKey) -> Self {
        Self { rule, state: rule.start(key), timer: None, watch: Watch::default() }
    }
}

/// What the world knows of a half-open breaker's probes: how many could still return, and since when none could.
///
/// A breaker is *stuck* if it has been half-open and turning calls away for the whole of a bound in which none was under
/// way that could return: its permits are lost with calls that nobody will ever report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Watch {
    half_open: bool,
    /// Counts changes of phase, so that probes of an earlier time are told apart.
    era: u32,
    returning: u32,
    quiet_since: Time,
    stuck: bool,
}

/// A call that a half-open breaker let through, by the era in which it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Probe {
    era: u32,
}

impl Watch {
    pub(crate) fn follow(&mut self, now: Time, transition: Transition) {
        self.half_open = transition.to == Phase::HalfOpen;
        self.era += 1;
        self.returning = 0;
        self.quiet_since = now;
    }

    /// A call is let through; a probe if the breaker is half-open.
    pub(crate) fn admit(&mut self) -> Option<Probe> {
        if !self.half_open {
            return None;
        }
        self.returning += 1;
        Some(Probe { era: self.era })
    }

    /// A probe has ended, or will never return.
    pub(crate) fn end(&mut self, now: Time, probe: Probe) {
        if probe.era == self.era {
            self.returning -= 1;
            self.quiet_since = now;
        }
    }

    /// A call is turned away: says whether this shows, for the first time, that the breaker is stuck.
    pub(crate) fn reject(&mut self, now: Time, bound: Duration) -> bool {
        let shown = !self.stuck && self.half_open && self.returning == 0 && now.since(self.quiet_since) >= bound;
        self.stuck |= shown;
        shown
    }

    pub(crate) fn stuck(&self) -> bool {
        self.stuck
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: Duration = Duration::from_nanos(10);

    fn half_open_at(nanos: u64) -> Watch {
        let mut watch = Watch::default();
        watch.follow(Time::from_nanos(nanos), Transition { from: Phase::Open, to: Phase::HalfOpen });
        watch
    }

    fn rejects(watch: &mut Watch, nanos: u64) -> bool {
        watch.reject(Time::from_nanos(nanos), BOUND)
    }

    #[test]
    fn a_probe_that_may_return_keeps_hope() {
        let mut watch = half_open_at(100);
        let probe = watch.admit().expect("half-open");
        assert!(!rejects(&mut watch, 500));
        watch.end(Time::from_nanos(500), probe);
        assert!(!rejects(&mut watch, 509));
        assert!(rejects(&mut watch, 510));
        assert!(!rejects(&mut watch, 511), "it is told once");
        assert!(watch.stuck());
    }

    #[test]
    fn only_half_open_breakers_are_stuck() {
        let mut watch = half_open_at(0);
        let probe = watch.admit().expect("half-open");
        watch.follow(Time::from_nanos(5), Transition { from: Phase::HalfOpen, to: Phase::Open });
        // A probe of the time before changes nothing.
        watch.end(Time::from_nanos(6), probe);
        assert!(!rejects(&mut watch, 1_000));
        assert_eq!(watch.admit(), None);
    }
}
