//! The world's constants: flows, slot pool, horizon, warm-up.

use engine::{Distribution, Duration, Time};

use crate::ArrivalProcess;
use crate::service::Service;

/// All that a sweep keeps fixed: a gateway with one pool of slots and no queue, shared by two flows.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Slots in the pool; at least 1.
    pub slots: u32,
    /// When runs end.
    pub horizon: Horizon,
    /// What arrives before this instant counts in no column.
    pub warm_up: Time,
    /// When the fault begins.
    pub fault_at: FaultAt,
    /// When the breaker hears of an outcome.
    pub outcome: OutcomeAt,
    /// How long a rejection holds a slot where one is free; zero: not at all.
    pub rejection_hold: Duration,
    /// Arrivals of the requests that call the dependency through the breaker.
    pub dependency: ArrivalProcess,
    /// Arrivals of the requests that only share the pool.
    pub neighbour: ArrivalProcess,
    /// How long a neighbour's request holds its slot.
    pub neighbour_hold: Distribution,
    /// What the gateway does beyond that.
    pub service: Service,
}

/// The end of a run, which covers [0, horizon).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// The same instant in every run.
    At(Time),
    /// So long after the scenario's fault instant.
    AfterFault(Duration),
}

/// The scenario's fault instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultAt {
    /// The same instant in every run.
    Fixed(Time),
    /// Uniform on [from, to), drawn once per replication and shared by all modes and designs.
    Uniform {
        /// The earliest instant.
        from: Time,
        /// The latest instant, exclusive.
        to: Time,
    },
}

/// When the breaker hears of a call's outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutcomeAt {
    /// When the call completes.
    #[default]
    Completion,
    /// When the call starts, as if its fate were known (the fixed-round lesson's rule).
    Admission,
}

impl Horizon {
    /// The end of a run whose scenario's fault instant is `fault_at`.
    #[must_use]
    pub fn resolve(self, fault_at: Time) -> Time {
        match self {
            Self::At(at) => at,
            Self::AfterFault(after) => fault_at + after,
        }
    }
}

impl Default for Scenario {
    /// The lesson's gateway in continuous time: 12 s with a fault at 2 s, 32 slots, Poisson arrivals.
    fn default() -> Self {
        Self {
            slots: 32,
            horizon: Horizon::At(Time::ZERO + Duration::from_secs(12)),
            warm_up: Time::ZERO,
            fault_at: FaultAt::Fixed(Time::ZERO + Duration::from_secs(2)),
            outcome: OutcomeAt::Completion,
            rejection_hold: Duration::from_millis(10),
            dependency: ArrivalProcess::Poisson { rate: 97.22 },
            neighbour: ArrivalProcess::Poisson { rate: 416.67 },
            neighbour_hold: Distribution::Deterministic(Duration::from_millis(40)),
            service: Service::default(),
        }
    }
}

impl Scenario {
    /// The mean time from the end of the warm-up to the horizon.
    #[must_use]
    pub fn mean_observed(&self) -> Duration {
        let mean_fault = match self.fault_at {
            FaultAt::Fixed(at) => at,
            FaultAt::Uniform { from, to } => from + Duration::from_nanos(to.since(from).as_nanos() / 2),
        };
        self.horizon.resolve(mean_fault).since(self.warm_up)
    }
}
