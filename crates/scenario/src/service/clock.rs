//! The wall clock, which can be set.

use engine::Time;
use policies::Clocks;

/// Somebody sets the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockStep {
    /// When, by the clock that never steps.
    pub at: Time,
    /// By how many nanoseconds, forward or back.
    pub by: i64,
}

/// How far the wall clock is from the monotonic one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WallClock {
    offset: i64,
}

impl WallClock {
    pub(crate) fn step(&mut self, step: ClockStep) {
        self.offset = self.offset.saturating_add(step.by);
    }

    /// Both clocks; a wall clock set to before the start of the run shows the start.
    pub(crate) fn clocks(self, now: Time) -> Clocks {
        Clocks { monotonic: now, wall: Time::from_nanos(now.as_nanos().saturating_add_signed(self.offset)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_add_up_and_leave_the_other_clock_alone() {
        let mut wall = WallClock::default();
        let at = Time::from_nanos;
        assert_eq!(wall.clocks(at(5)), Clocks::synchronous(at(5)));
        for by in [100, -30] {
            wall.step(ClockStep { at: at(5), by });
        }
        assert_eq!(wall.clocks(at(5)), Clocks { monotonic: at(5), wall: at(75) });
        wall.step(ClockStep { at: at(5), by: -1_000 });
        assert_eq!(wall.clocks(at(5)), Clocks { monotonic: at(5), wall: at(0) });
    }
}
