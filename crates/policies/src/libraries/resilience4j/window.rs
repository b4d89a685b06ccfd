//! Resilience4j's sliding windows.

use super::{Clocks, Duration, Measurements, Time, TimeOfDay, Verdict};
use crate::ResultWindow;
use crate::windows::Buckets;

/// What a window counts, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Shape {
    Results,
    /// Behaves like the above.
    ResultsLockFree,
    /// Seconds of the time of day.
    Seconds,
    /// Seconds from the making of the window on; after a gap longer than the window, from the next result on.
    SlicesLockFree,
}

impl Shape {
    pub(super) const fn counts_results(self) -> bool {
        matches!(self, Self::Results | Self::ResultsLockFree)
    }

    pub(super) const fn is_lock_free(self) -> bool {
        matches!(self, Self::ResultsLockFree | Self::SlicesLockFree)
    }
}

/// A sliding window.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Window {
    Results {
        size: u32,
        failed: ResultWindow,
        slow: ResultWindow,
    },
    Seconds {
        second: u64,
        seconds: Buckets<Measurements>,
    },
    /// `ahead` is how long before the run the first slice began.
    Slices {
        size: u32,
        ahead: Duration,
        began: Time,
        slices: Buckets<Measurements>,
    },
}

const SECOND: Duration = Duration::from_secs(1);

impl Window {
    /// An empty window; that of a breaker that was made `age` before the run.
    pub(super) fn new(shape: Shape, size: u32, day: TimeOfDay, now: Clocks, age: Duration) -> Self {
        match shape {
            Shape::Results | Shape::ResultsLockFree => {
                Self::Results { size, failed: ResultWindow::new(size), slow: ResultWindow::new(size) }
            }
            Shape::Seconds => Self::Seconds { second: day.seconds(now), seconds: Buckets::new(size as usize) },
            Shape::SlicesLockFree => {
                Self::Slices { size, ahead: age, began: now.monotonic, slices: Buckets::new(size as usize) }
            }
        }
    }

    /// All that the window held at the latest call.
    pub(super) const fn measured(&self) -> Measurements {
        match self {
            Self::Results { failed, slow, .. } => {
                Measurements { total: failed.len(), failed: failed.failures(), slow: slow.failures() }
            }
            Self::Seconds { seconds: buckets, .. } | Self::Slices { slices: buckets, .. } => buckets.total(),
        }
    }

    /// Counts a call, and returns all that the window then holds.
    pub(super) fn record(&mut self, one: Measurements, day: TimeOfDay, now: Clocks) -> Measurements {
        match self {
            Self::Results { size, failed, slow } => {
                let is = |part: u32| if part > 0 { Verdict::Failure } else { Verdict::Success };
                failed.push(*size, is(one.failed));
                slow.push(*size, is(one.slow));
            }
            Self::Seconds { second, seconds } => {
                let current = day.seconds(now);
                if current < *second {
                    // The clock was set back: the window takes the difference for one bucket, whenever it counts.
                    seconds.begin(1);
                } else {
                    seconds.begin(current - *second);
                }
                *second = current;
                seconds.add(one);
            }
            Self::Slices { size, ahead, began, slices } => {
                let elapsed = (now.monotonic + *ahead).since(*began);
                let passed = elapsed.as_nanos() / SECOND.as_nanos();
                slices.begin(passed);
                *began = if passed > u64::from(*size) {
                    now.monotonic + *ahead
                } else {
                    *began + Duration::from_nanos(passed * SECOND.as_nanos())
                };
                slices.add(one);
            }
        }
        self.measured()
    }
}
