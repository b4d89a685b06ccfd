//! The richer world: what a gateway does beyond asking one breaker and holding a slot.
//!
//! The plain world ([`run`](crate::run)) has one client, one breaker, one pool and no queue; calls succeed or fail, and
//! that is the end of them. [`Service`] lists what can be added. As soon as any of it is asked for, here or in a
//! [`Regime`](crate::Regime), a stream is run by the model of this module; a stream that asks for nothing gives the same
//! record in both, to the last bit.
//!
//! The plain world can be shared by many designs; this one runs every design by itself.
//! [`Service::beyond_the_plain_world`] says which options need it.
//!
//! A request of the dependency flow goes through these stations, of which each is an option:
//!
//! | station | where | turned away there |
//! |---|---|---|
//! | a caller thinks and asks (closed loop), or the flow's arrivals, less its pauses | [`Callers`], [`Pause`] | |
//! | client instance and shard, drawn by the request's identity | [`Service::instances`], [`Service::shards`] | |
//! | rate limiter | [`RateLimit`] | `rate_limited` |
//! | the breaker of the instance, or of the instance and shard | [`Service::breaker_per_shard`] | `rejected` |
//! | a slot of the instance's share, or of the flow's part of it; else a place in the queue | [`Service::bulkhead`], [`Service::queue`] | `no_slot` |
//! | the call: its hold and outcome, which may depend on the dependency's load, cut off by the time-out | [`Load`], [`Service::time_out`] | |
//! | another attempt after a failure, with the breaker asked for each or once for all | [`Retries`] | |
//! | what is answered in place of an answer | [`Fallback`] | |
//!
//! **Endings.** `requests = responses + errors + cancelled + ignored + rejected + no_slot + rate_limited + in_flight`,
//! each request in exactly one of them; `calls = responses + errors + cancelled + ignored + in_flight`. A request whose
//! *further* attempt is turned away by limiter, breaker or pool ends as the error that it already had. One that waits in
//! the queue, is held back by its breaker, or waits for its next attempt at the horizon is `in_flight`; so is one whose
//! call was lost and has no time-out. A fallback changes nothing about the ending: it is counted besides.
//!
//! **Draws.** Every draw is keyed by (request, attempt) and purpose, and that of a first attempt is the plain world's. So
//! common random numbers stay exact under every option: a design that turns a request away shifts no draw of another.
//! With closed-loop callers the requests themselves depend on the answers; then the n-th request of a caller has the same
//! draws under every design, whenever it comes.
//!
//! **The regime** of an attempt is that in force when it asks; for one that waits in the queue, when it gets its slot.

mod attempt;
mod callers;
mod clock;
mod compartment;
mod counts;
mod error;
mod fallback;
mod guard;
mod load;
mod note;
mod plan;
mod rate_limit;
mod regime;
mod retries;
mod run;
mod world;

use engine::{Duration, Time};

use crate::mode::Mode;

pub use callers::Callers;
pub use clock::ClockStep;
pub use counts::ServiceCounts;
pub use error::ServiceError;
pub use fallback::Fallback;
pub use load::Load;
pub use note::{Ended, Refusal, ServiceNote, ServiceObserver, Snapshot};
pub use rate_limit::RateLimit;
pub use regime::{Ramp, RegimeOptions, Slowness};
pub use retries::{Budget, Retries};
pub use run::{observe_service, observe_service_any, run_service, run_service_any};

pub(crate) use attempt::{Attempt, AttemptId, Natural};
pub(crate) use plan::ServicePlan;

/// What the gateway does beyond the plain world. The default is the plain world.
#[derive(Clone, Debug, PartialEq)]
pub struct Service {
    /// So many callers in a closed loop in place of the dependency flow's arrivals.
    pub callers: Option<Callers>,
    /// Nobody arrives in these times; callers that would ask then ask at the end. What is left out keeps its number, so
    /// that all other requests stay the same.
    pub pauses: Vec<Pause>,
    /// Places to wait in for a slot, of each compartment; first come, first served, both flows in one line.
    pub queue: u32,
    /// How long an attempt may take. At its end the slot is free and the breaker hears a failure; what the dependency
    /// answers later is dropped, while the dependency goes on working.
    pub time_out: Option<Duration>,
    /// Further attempts after a failure.
    pub retries: Option<Retries>,
    /// What is answered to requests that failed or were turned away.
    pub fallback: Fallback,
    /// The weights by which requests belong to shards (or tenants, or dependencies); one shard if empty.
    pub shards: Vec<f64>,
    /// Whether every shard has a breaker of its own.
    pub breaker_per_shard: bool,
    /// Client instances, each with its own breakers and its share of the slots; at least 1 and at most the slots.
    pub instances: u32,
    /// By how much of itself each instance's open duration is longer or shorter, uniform, drawn once per instance and run;
    /// in [0, 1). Rules of other families than `consecutive` and `ratio` have no such number and stay as they are.
    pub timer_jitter: f64,
    /// A bulkhead: so many slots of each instance's share are for the dependency flow, the others for the neighbours.
    pub bulkhead: Option<u32>,
    /// A token bucket before the breaker, one for all instances.
    pub rate_limit: Option<RateLimit>,
    /// A dependency that suffers from load.
    pub load: Option<Load>,
    /// Steps of the wall clock that the breakers read.
    pub clock_steps: Vec<ClockStep>,
    /// How long a half-open breaker may turn everything away, with no probe under way that could still return, before the
    /// run counts as stuck; [`Service::STUCK_AFTER`] if not given. To give it is to ask for the richer world: the plain one
    /// does not watch.
    pub stuck_after: Option<Duration>,
}

/// A time in which no request arrives: [`from`, `to`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub to: Time,
}

impl Pause {
    /// Whether the instant lies within the pause.
    #[must_use]
    pub fn holds(&self, instant: Time) -> bool {
        self.from <= instant && instant < self.to
    }
}

impl Service {
    /// The bound of [`Service::stuck_after`] that is used if none is given.
    pub const STUCK_AFTER: Duration = Duration::from_secs(5);

    /// Whether nothing is asked for that the plain world does not do.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The options, by their keys in sweep files, that only the richer world can run in a mode. Where there are none, the
    /// plain world runs it, in which designs share worlds: pauses, ramps, slow successes and shards behind one breaker
    /// change what arrives and how it fares, and nothing about what the gateway does.
    #[must_use]
    pub fn beyond_the_plain_world(&self, mode: &Mode) -> Vec<&'static str> {
        let any = |of: fn(&RegimeOptions) -> f64| mode.timeline.iter().any(|(_, regime)| of(&regime.options) > 0.0);
        let asked = [
            ("callers", self.callers.is_some()),
            ("queue", self.queue > 0),
            ("time_out", self.time_out.is_some()),
            ("retries", self.retries.is_some()),
            ("fallback", self.fallback != Fallback::Fail),
            ("breakers", self.breaker_per_shard),
            ("instances", self.instances > 1),
            ("timer_jitter", self.timer_jitter > 0.0),
            ("bulkhead", self.bulkhead.is_some()),
            ("rate_limit", self.rate_limit.is_some()),
            ("load", self.load.is_some()),
            ("clock_steps", !self.clock_steps.is_empty()),
            ("stuck_after", self.stuck_after.is_some()),
            ("lost", any(|options| options.lost)),
            ("cancelled", any(|options| options.cancelled)),
            ("ignored", any(|options| options.ignored)),
        ];
        asked.into_iter().filter(|(_, asked)| *asked).map(|(key, _)| key).collect()
    }

    /// The bound after which a breaker counts as stuck.
    #[must_use]
    pub fn stuck_bound(&self) -> Duration {
        self.stuck_after.unwrap_or(Self::STUCK_AFTER)
    }

    /// How many shards there are.
    #[must_use]
    pub fn shard_count(&self) -> usize {
        self.shards.len().max(1)
    }

    /// How many breakers there are: of every instance one, or one for each shard.
    #[must_use]
    pub fn breaker_count(&self) -> usize {
        self.instances as usize * if self.breaker_per_shard { self.shard_count() } else { 1 }
    }
}

impl Default for Service {
    fn default() -> Self {
        Self {
            callers: None,
            pauses: Vec::new(),
            queue: 0,
            time_out: None,
            retries: None,
            fallback: Fallback::Fail,
            shards: Vec::new(),
            breaker_per_shard: false,
            instances: 1,
            timer_jitter: 0.0,
            bulkhead: None,
            rate_limit: None,
            load: None,
            clock_steps: Vec::new(),
            stuck_after: None,
        }
    }
}
