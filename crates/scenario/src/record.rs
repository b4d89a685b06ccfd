//! What one run reports: the columns of `runs.parquet`.

use engine::{Duration, Time};

use crate::service::ServiceCounts;

/// The unit in which slot time and delays are reported: 10 ms.
pub const ROUND: Duration = Duration::from_millis(10);

/// A duration in rounds, unrounded.
#[must_use]
pub fn rounds(duration: Duration) -> f64 {
    duration.as_nanos() as f64 / ROUND.as_nanos() as f64
}

/// How the fault was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DetectionOutcome {
    /// The breaker opened, for the first time or again, during the fault.
    Opened,
    /// It did not open during the fault, but was open or half-open just before it.
    AlreadyOpen,
    /// The dependency healed first.
    HealedFirst,
    /// The run ended first.
    Horizon,
}

impl DetectionOutcome {
    /// The word in the results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::AlreadyOpen => "already_open",
            Self::HealedFirst => "healed_first",
            Self::Horizon => "horizon",
        }
    }
}

/// The counts and times of one run of one design. A request counts if it arrives at or after the end of the warm-up.
///
/// `requests = responses + errors + rejected + no_slot + in_flight`, and `neighbour_requests = neighbour_responses +
/// neighbour_no_slot + neighbour_in_flight`. In the richer world `cancelled + ignored + rate_limited` of
/// [`ServiceCounts`] come to the first sum, and `cancelled + ignored` to that of `calls`.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// Dependency requests that arrived.
    pub requests: u64,
    /// Of these, calls that started: `responses + errors + in_flight`.
    pub calls: u64,
    /// Calls that succeeded, counted at completion.
    pub responses: u64,
    /// Calls that failed, counted at completion.
    pub errors: u64,
    /// Requests that the breaker turned away.
    pub rejected: u64,
    /// Requests that the breaker admitted and that found no free slot.
    pub no_slot: u64,
    /// Calls under way at the horizon; requests that wait at the breaker then are among them.
    pub in_flight: u64,
    /// Transitions to open, re-openings from half-open included.
    pub openings: u64,
    /// Transitions from closed to open while the regime in force says that opening is false.
    pub false_openings: u64,
    /// The start of the second regime.
    pub fault_at: Time,
    /// How the fault was met.
    pub detection_outcome: DetectionOutcome,
    /// From the fault to the first opening within it.
    pub detection_delay: Option<Duration>,
    /// The delay up to the first of opening, heal and horizon.
    pub detection_delay_restricted: Duration,
    /// Whole holds of dependency calls started from the fault up to the first opening within it.
    pub slot_time_to_detection: Option<Duration>,
    /// The same up to the first of opening, heal and horizon.
    pub slot_time_to_detection_restricted: Duration,
    /// Whole holds of dependency calls started during the whole fault.
    pub slot_time_fault: Duration,
    /// Requests turned away that would have succeeded.
    pub false_open_rejections: u64,
    /// Requests turned away from the heal on; `None` where nothing heals.
    pub rejected_after_heal: Option<u64>,
    /// From the heal until the breaker is closed; `None` if never, or where nothing heals.
    pub closed_after_heal: Option<Duration>,
    /// Neighbour requests that arrived.
    pub neighbour_requests: u64,
    /// Of these, those that held a slot to the end of their hold.
    pub neighbour_responses: u64,
    /// Of these, those that found no free slot.
    pub neighbour_no_slot: u64,
    /// Of those without a slot, those that arrived during the fault.
    pub neighbour_no_slot_fault: u64,
    /// Neighbour requests holding a slot at the horizon.
    pub neighbour_in_flight: u64,
    /// From the end of the warm-up to the horizon.
    pub observed: Duration,
    /// What the richer world counts besides; `None` for a run of the plain one, which has none of it.
    pub service: Option<ServiceCounts>,
}

impl RunRecord {
    /// Whether the breaker opened during the fault.
    #[must_use]
    pub fn detected(&self) -> bool {
        self.detection_outcome == DetectionOutcome::Opened
    }
}
