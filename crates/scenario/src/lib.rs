//! The simulated world: flows of requests, a shared slot pool, a dependency that fails, and one breaker design in front of it.

mod arrivals;
pub mod dead_dependency;
mod gateway;
mod ledger;
pub mod lesson;
mod mode;
mod mode_streams;
mod observer;
mod plan;
mod record;
mod replication;
mod run;
mod scenario;
pub mod service;
mod shared;
mod steady;

pub use arrivals::ArrivalProcess;
pub use mode::{Mode, Opening, Regime, Start};
pub use mode_streams::ModeStreams;
pub use observer::{Note, Observer};
pub use plan::RunPlan;
pub use record::{DetectionOutcome, ROUND, RunRecord, rounds};
pub use replication::{Fate, Replication, Request, RequestStream};
pub use run::{observe, observe_any, run, run_any};
pub use scenario::{FaultAt, Horizon, OutcomeAt, Scenario};
pub use service::{Service, ServiceCounts, run_service, run_service_any};
pub use shared::{DesignSet, Sharing, SharingMemory, SharingStats};
pub use steady::{SteadyRegime, SteadyWorld};
