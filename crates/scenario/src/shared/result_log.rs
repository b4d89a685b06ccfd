//! What has been heard in a lane.

use super::grid::NEVER;
use super::places::Places;

/// The results that breakers have heard in a lane, for all its histories: each remembers where in the log it was brought
/// up to date the last time, and what it was then. So a result costs the same for one history as for twenty, until it may
/// open somebody.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultLog {
    /// The latest results, the last one in the lowest bit; set for a failure.
    pub(super) bits: u128,
    pub(super) results: u32,
    pub(super) failures: u32,
    /// The failures at the end.
    pub(super) run: u32,
    /// No history need be looked at before there are so many failures, or so many results.
    alarm: Alarm,
    /// No history begins with a later call.
    youngest: u32,
}

/// When somebody may open: with a failure that makes so many of them, or with a result that makes so many of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alarm {
    pub(super) failures: u32,
    pub(super) results: u32,
}

/// A history in the list of its lane, with what tells when it wants to be looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watched {
    pub(super) history: u32,
    /// Results of calls before this one are late to it.
    pub(super) first: u32,
    pub(super) alarm: Alarm,
}

impl Alarm {
    pub(super) const NEVER: Self = Self { failures: NEVER, results: NEVER };
}

impl Default for ResultLog {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl ResultLog {
    pub(super) const EMPTY: Self = Self { bits: 0, results: 0, failures: 0, run: 0, alarm: Alarm::NEVER, youngest: 0 };

    #[inline(always)]
    pub(super) fn add(&mut self, failed: bool) {
        self.bits = self.bits << 1 | u128::from(failed);
        self.results += 1;
        self.failures += u32::from(failed);
        self.run = if failed { self.run + 1 } else { 0 };
    }

    /// Whether to some histories a call's result is late.
    #[inline(always)]
    pub(super) fn is_late(&self, call: u32) -> bool {
        call < self.youngest
    }

    /// Whether somebody may open with the result just added.
    #[inline(always)]
    pub(super) fn rings(&self, failed: bool) -> bool {
        self.has_reached(self.alarm, failed)
    }

    #[inline(always)]
    fn has_reached(&self, alarm: Alarm, failed: bool) -> bool {
        (failed & (self.failures >= alarm.failures)) | (self.results >= alarm.results)
    }

    /// A history that begins with the call `first` wants to be looked at then.
    pub(super) fn watch(&mut self, first: u32, alarm: Alarm) {
        self.youngest = self.youngest.max(first);
        self.alarm.failures = self.alarm.failures.min(alarm.failures);
        self.alarm.results = self.alarm.results.min(alarm.results);
    }

    /// All histories are about to say anew when they want to be looked at.
    pub(super) fn forget_alarms(&mut self) {
        self.alarm = Alarm::NEVER;
    }

    /// The result just added has set off the alarm. Finds the places of those that want to be looked at now; the alarm is set
    /// again for the others. (Nothing can foretell which they are, hence no branch.)
    pub(super) fn find_ringing(&mut self, histories: &[Watched], failed: bool, places: &mut Places) {
        let Alarm { mut failures, mut results } = Alarm::NEVER;
        places.fill(histories.iter().map(|&Watched { alarm, .. }| {
            let rings = self.has_reached(alarm, failed);
            let never = if rings { NEVER } else { 0 };
            failures = failures.min(alarm.failures | never);
            results = results.min(alarm.results | never);
            rings
        }));
        self.alarm = Alarm { failures, results };
    }
}
