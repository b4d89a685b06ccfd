//! The clock on the wall, for windows and timers that lie on it.

use engine::{Duration, StreamKey};

use crate::Clocks;

/// The time of day at the start of a run, from which the wall clock goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TimeOfDay {
    /// Nanoseconds since midnight of 1 January 1970.
    start: u64,
}

impl TimeOfDay {
    /// A day like any other: runs whose phase is drawn begin within a grid's interval after it.
    const SOME_DAY: Duration = Duration::from_secs(1_764_000_000);

    /// The run begins at that time since midnight of 1 January 1970.
    pub(crate) const fn at_start(epoch: Duration) -> Self {
        Self { start: epoch.as_nanos() }
    }

    /// The run begins anywhere between two edges of a grid.
    pub(crate) fn drawn(run: StreamKey, grid: Duration) -> Self {
        Self { start: Self::SOME_DAY.as_nanos() + drawn_phase(run, grid).as_nanos() }
    }

    pub(crate) const fn nanos(self, now: Clocks) -> u64 {
        self.start.saturating_add(now.wall.as_nanos())
    }

    pub(crate) const fn micros(self, now: Clocks) -> u64 {
        self.nanos(now) / 1_000
    }

    pub(crate) const fn millis(self, now: Clocks) -> u64 {
        self.nanos(now) / 1_000_000
    }

    pub(crate) const fn seconds(self, now: Clocks) -> u64 {
        self.nanos(now) / 1_000_000_000
    }
}

/// How long after an edge of a grid a run begins: uniform in [0, `grid`), the same for rules with one grid.
pub(crate) fn drawn_phase(run: StreamKey, grid: Duration) -> Duration {
    let phase = (run.uniform(0) * grid.as_nanos() as f64) as u64;
    Duration::from_nanos(phase.min(grid.as_nanos().saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_keyed_and_within_the_grid() {
        let grid = Duration::from_secs(1);
        let phases: Vec<_> = (0..1_000).map(|seed| drawn_phase(StreamKey::root(seed), grid)).collect();
        assert!(phases.iter().all(|&phase| phase < grid));
        // Of 1,000 uniform phases, each tenth of the grid has 100 ± 9.5; six deviations either side.
        for tenth in 0..10 {
            let lies_in = |phase: &&Duration| phase.as_nanos() / 100_000_000 == tenth;
            let share = phases.iter().filter(lies_in).count();
            assert!((43..158).contains(&share), "{share} in tenth {tenth}");
        }
        assert_eq!(drawn_phase(StreamKey::root(7), grid), phases[7]);
        assert_eq!(drawn_phase(StreamKey::root(7), Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn counts_whole_units() {
        let day = TimeOfDay::at_start(Duration::from_millis(1_500));
        let now = Clocks::synchronous(engine::Time::from_nanos(499_999_999));
        assert_eq!((day.seconds(now), day.millis(now), day.micros(now)), (1, 1_999, 1_999_999));
    }
}
