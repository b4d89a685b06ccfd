//! What chance decides in one replication, drawn by identity: the fault instant, every request, its fate and its hold.

use std::sync::Arc;

use engine::{Duration, StreamKey, Time};

use crate::mode::{Mode, Regime};
use crate::plan::RunPlan;
use crate::scenario::{FaultAt, Scenario};
use crate::service::{Attempt, AttemptId, Natural, ServicePlan};

/// The stream purposes and flows: stable numbers, since they enter every key.
pub(crate) mod identity {
    pub(crate) const DEPENDENCY: u64 = 0;
    pub(crate) const NEIGHBOUR: u64 = 1;
    pub(crate) const RUN: u64 = 2;

    pub(crate) const ARRIVALS: u64 = 0;
    pub(crate) const FAILURE: u64 = 1;
    pub(crate) const HOLD: u64 = 2;
    pub(crate) const FAULT_AT: u64 = 3;
    pub(crate) const BREAKER: u64 = 4;
    pub(crate) const ENDING: u64 = 5;
    pub(crate) const SLOW: u64 = 6;
    pub(crate) const BACKOFF: u64 = 7;
    pub(crate) const SHARD: u64 = 8;
    pub(crate) const INSTANCE: u64 = 9;
    pub(crate) const FALLBACK: u64 = 10;
    pub(crate) const THINK: u64 = 11;
    pub(crate) const TIMER_JITTER: u64 = 12;
}

/// One request, with everything that chance decides about it known in advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// When it arrives.
    pub at: Time,
    /// How long it holds a slot if it starts.
    pub hold: Duration,
    /// Its number within its flow, from 0 in order of arrival.
    pub number: u32,
    /// Its flow, and how a call to the dependency would end.
    pub fate: Fate,
}

/// The flow of a request and, for a call to the dependency, its outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A call to the dependency that would succeed.
    Success,
    /// A call to the dependency that would fail.
    Failure,
    /// A neighbour's request: needs only a slot.
    Neighbour,
}

/// The draws of one replication that no mode and no design changes: common random numbers.
///
/// Every draw is a function of (root seed, replication, flow, purpose, request number), so the same request has the same
/// uniforms in every mode and under every breaker, on any thread.
#[derive(Clone, Debug)]
pub struct Replication<'a> {
    scenario: &'a Scenario,
    key: StreamKey,
    fault_at: Time,
    horizon: Time,
    /// Both flows by (instant, flow, number); fates of dependency requests are the mode's to fill in.
    requests: Vec<Request>,
}

impl<'a> Replication<'a> {
    /// Draws replication number `replication` of a scenario under `root_seed`.
    #[must_use]
    pub fn draw(scenario: &'a Scenario, root_seed: u64, replication: u32) -> Self {
        let key = StreamKey::root(root_seed).child(u64::from(replication));
        let fault_at = fault_instant(scenario.fault_at, key);
        let horizon = scenario.horizon.resolve(fault_at);

        let arrivals_of = |flow| key.child(flow).child(identity::ARRIVALS);
        let holds = key.child(identity::NEIGHBOUR).child(identity::HOLD);
        let dependency = match scenario.service.callers {
            // Callers ask when they have thought, and not by a stream.
            Some(_) => Vec::new(),
            None => scenario.dependency.arrivals(arrivals_of(identity::DEPENDENCY), horizon),
        };
        let neighbour = scenario.neighbour.arrivals(arrivals_of(identity::NEIGHBOUR), horizon);

        let mut requests = Vec::with_capacity(dependency.len() + neighbour.len());
        // Numbers are given before pauses take requests out: all others keep their draws.
        let pauses = &scenario.service.pauses;
        let numbered =
            |arrivals: Vec<Time>| (0..).zip(arrivals).filter(|&(_, at)| !pauses.iter().any(|pause| pause.holds(at)));
        let mut dependency = numbered(dependency).peekable();
        for (number, at) in numbered(neighbour) {
            // At one instant the dependency's flow comes first.
            while let Some((number, at)) = dependency.next_if(|&(_, earlier)| earlier <= at) {
                requests.push(Request { at, hold: Duration::ZERO, number, fate: Fate::Success });
            }
            let hold = scenario.neighbour_hold.draw(holds, u64::from(number));
            requests.push(Request { at, hold, number, fate: Fate::Neighbour });
        }
        requests.extend(dependency.map(|(number, at)| Request {
            at,
            hold: Duration::ZERO,
            number,
            fate: Fate::Success,
        }));
        Self { scenario, key, fault_at, horizon, requests }
    }

    /// The requests of this replication with the fates that `mode` gives them.
    #[must_use]
    pub fn stream(&self, mode: &Mode) -> RequestStream {
        let plan = RunPlan::new(
            self.scenario,
            mode,
            self.fault_at,
            self.horizon,
            self.key.child(identity::RUN).child(identity::BREAKER),
        );
        let service = Arc::new(ServicePlan::new(&self.scenario.service, mode, self.key));
        if service.regimes.iter().any(|regime| !regime.options.is_plain()) {
            return self.stream_with_options(plan, service);
        }
        let dependency = self.key.child(identity::DEPENDENCY);
        let (failures, holds) = (dependency.child(identity::FAILURE), dependency.child(identity::HOLD));
        let mut requests = self.requests.clone();
        let mut regimes = plan.regimes_in_order();
        for request in requests.iter_mut().filter(|request| request.fate != Fate::Neighbour) {
            let regime: &Regime = regimes.at(&mode.timeline, request.at);
            let number = u64::from(request.number);
            let failed = failures.bernoulli(number, regime.failure_probability);
            let (fate, law) =
                if failed { (Fate::Failure, &regime.failure_hold) } else { (Fate::Success, &regime.success_hold) };
            request.fate = fate;
            request.hold = law.draw(holds, number);
        }
        RequestStream { plan, requests, service: Some(service) }
    }

    /// The same where regimes do more to calls: what a first attempt meets that starts at once.
    fn stream_with_options(&self, plan: RunPlan, service: Arc<ServicePlan>) -> RequestStream {
        let mut requests = self.requests.clone();
        for request in requests.iter_mut().filter(|request| request.fate != Fate::Neighbour) {
            let number = u64::from(request.number);
            let id = AttemptId { number, attempt: 0, shard: service.shard(number) };
            let Attempt { hold, outcome } = service.attempt(&plan, id, request.at, 0.0);
            request.hold = hold;
            request.fate = if outcome == Natural::Success { Fate::Success } else { Fate::Failure };
        }
        RequestStream { plan, requests, service: Some(service) }
    }
}

/// All requests of one (mode, replication) in the order in which they arrive, and the run's fixed instants.
#[derive(Clone, Debug)]
pub struct RequestStream {
    pub(crate) plan: RunPlan,
    pub(crate) requests: Vec<Request>,
    /// What the richer world needs; `None` for given requests, of which nothing more can be drawn.
    pub(crate) service: Option<Arc<ServicePlan>>,
}

impl RequestStream {
    /// A stream of given requests, from a recording or a test.
    ///
    /// # Panics
    ///
    /// When the requests are not sorted by arrival, or one of them holds a slot for no time at all.
    #[must_use]
    pub fn new(plan: RunPlan, requests: Vec<Request>) -> Self {
        assert!(requests.is_sorted_by_key(|request| request.at), "requests must be sorted by arrival");
        assert!(requests.iter().all(|request| !request.hold.is_zero()), "a hold lasts at least a nanosecond");
        Self { plan, requests, service: None }
    }

    /// Whether only the richer world can run it: see [`Service`](crate::Service).
    #[must_use]
    pub fn needs_service(&self) -> bool {
        self.service.as_ref().is_some_and(|service| service.needs_service())
    }

    /// The requests of both flows, ordered by (instant, flow, number).
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        &self.requests
    }

    /// The run's fixed instants.
    #[must_use]
    pub fn plan(&self) -> &RunPlan {
        &self.plan
    }
}

fn fault_instant(fault_at: FaultAt, key: StreamKey) -> Time {
    match fault_at {
        FaultAt::Fixed(at) => at,
        FaultAt::Uniform { from, to } => {
            let law = engine::Distribution::Uniform { from: Duration::ZERO, to: to.since(from) };
            from + law.quantile(key.child(identity::RUN).child(identity::FAULT_AT).uniform(0))
        }
    }
}
