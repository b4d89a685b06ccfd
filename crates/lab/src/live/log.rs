//! What a run writes down as it goes: only ever longer, so that a run can be taken up again at any point of it.

use engine::{Duration, Time};
use serde::Serialize;

use super::state::{Cause, State};
use crate::settings::Schedule;

/// What happened to a request when it was created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// The breaker let it through.
    Admitted,
    /// The breaker turned it away at once.
    Rejected,
    /// There was no breaker in its way.
    Bypassed,
    /// It waits at the breaker; what becomes of it is logged when the breaker says so.
    Waits,
}

/// A request that waited at the breaker goes on, or is turned away.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resumed {
    pub(crate) request: u64,
    pub(crate) at: Time,
    pub(crate) decision: Decision,
    pub(crate) is_probe: bool,
}

/// A request is created. Its number is its position in the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Created {
    pub(crate) at: Time,
    pub(crate) decision: Decision,
    pub(crate) is_probe: bool,
    pub(crate) fails: bool,
    pub(crate) response_time: Duration,
}

/// A call's result arrives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ended {
    pub(crate) request: u64,
    pub(crate) at: Time,
    pub(crate) is_late: bool,
}

/// The gate's state changes.
#[derive(Clone, Debug)]
pub(crate) struct Switched {
    pub(crate) at: Time,
    pub(crate) from: State,
    pub(crate) to: State,
    pub(crate) cause: Cause,
    pub(crate) request: Option<u64>,
    pub(crate) why: String,
}

/// The error rate changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ErrorRate {
    pub(crate) at: Time,
    pub(crate) percent: f64,
    pub(crate) schedule: Schedule,
}

/// A sentence of the decision trace.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) at: Time,
    pub(crate) kind: &'static str,
    pub(crate) request: Option<u64>,
    pub(crate) text: String,
}

/// The counters at some time. `attempted` and `in_flight` are counted by themselves, not computed from the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Requests created.
    pub generated: u64,
    /// Requests that were not turned away: calls, and requests that wait at the breaker.
    pub attempted: u64,
    /// Calls that have succeeded.
    pub succeeded: u64,
    /// Calls that have failed.
    pub failed: u64,
    /// Requests that the breaker turned away.
    pub rejected: u64,
    /// Calls under way, and requests that wait at the breaker.
    pub in_flight: u64,
    /// Calls admitted as probes.
    pub probes: u64,
}

impl Counters {
    /// Whether every request is accounted for, once.
    #[must_use]
    pub const fn are_conserved(&self) -> bool {
        self.generated == self.succeeded + self.failed + self.rejected + self.in_flight
            && self.attempted == self.succeeded + self.failed + self.in_flight
    }
}

/// The log.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log {
    pub(crate) created: Vec<Created>,
    pub(crate) resumed: Vec<Resumed>,
    pub(crate) ended: Vec<Ended>,
    pub(crate) switched: Vec<Switched>,
    pub(crate) error_rates: Vec<ErrorRate>,
    pub(crate) trace: Vec<Said>,
    /// A row per event after which the counters are others, the last one of an instant standing for it.
    pub(crate) counters: Vec<(Time, Counters)>,
}

/// How long the log was at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogLength([usize; 7]);

impl Log {
    pub(crate) fn count(&mut self, now: Time, counters: Counters) {
        if let Some((at, last)) = self.counters.last_mut() {
            if *last == counters {
                return;
            }
            if *at == now {
                *last = counters;
                return;
            }
        }
        self.counters.push((now, counters));
    }

    pub(crate) fn length(&self) -> LogLength {
        let Self { created, resumed, ended, switched, error_rates, trace, counters } = self;
        LogLength([
            created.len(),
            resumed.len(),
            ended.len(),
            switched.len(),
            error_rates.len(),
            trace.len(),
            counters.len(),
        ])
    }

    /// The log as it was at a time between two instants.
    pub(crate) fn as_it_was(&self, LogLength(length): LogLength) -> Self {
        Self {
            created: self.created[..length[0]].to_vec(),
            resumed: self.resumed[..length[1]].to_vec(),
            ended: self.ended[..length[2]].to_vec(),
            switched: self.switched[..length[3]].to_vec(),
            error_rates: self.error_rates[..length[4]].to_vec(),
            trace: self.trace[..length[5]].to_vec(),
            counters: self.counters[..length[6]].to_vec(),
        }
    }
}
