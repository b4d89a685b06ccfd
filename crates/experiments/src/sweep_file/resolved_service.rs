//! The options beyond the plain world, written out. Those that nobody asks for are left out: a sweep of the plain world has
//! the form that it has without them.

use scenario::Service;
use scenario::service::{Fallback, RegimeOptions, Retries};
use serde::Serialize;

use super::resolved::{HoldForm, per_second};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ServiceForm {
    #[serde(skip_serializing_if = "Option::is_none")]
    queue: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_out: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    shards: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakers: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instances: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timer_jitter: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bulkhead: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stuck_after: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pauses: Vec<[String; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    clock_steps: Vec<ClockStepForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    callers: Option<CallersForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retries: Option<RetriesForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<FallbackForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rate_limit: Option<RateLimitForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    load: Option<LoadForm>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ClockStepForm {
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    forward: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    back: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct CallersForm {
    number: u32,
    think: HoldForm,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct RetriesForm {
    attempts: u32,
    delay: String,
    growth: f64,
    longest: String,
    jitter: f64,
    breaker: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<BudgetForm>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct BudgetForm {
    per_request: f64,
    most: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct FallbackForm {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct RateLimitForm {
    rate: String,
    burst: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct LoadForm {
    slots: u32,
    slowdown: f64,
    failures: f64,
}

impl From<&Service> for ServiceForm {
    fn from(service: &Service) -> Self {
        let step = |step: &scenario::service::ClockStep| {
            let by = engine::Duration::from_nanos(step.by.unsigned_abs()).to_string();
            let (forward, back) = if step.by >= 0 { (Some(by), None) } else { (None, Some(by)) };
            ClockStepForm { at: step.at.to_string(), forward, back }
        };
        Self {
            queue: (service.queue > 0).then_some(service.queue),
            time_out: service.time_out.map(|time_out| time_out.to_string()),
            shards: service.shards.clone(),
            breakers: service.breaker_per_shard.then_some("per_shard"),
            instances: (service.instances > 1).then_some(service.instances),
            timer_jitter: (service.timer_jitter > 0.0).then_some(service.timer_jitter),
            bulkhead: service.bulkhead,
            stuck_after: service.stuck_after.map(|bound| bound.to_string()),
            pauses: service.pauses.iter().map(|pause| [pause.from.to_string(), pause.to.to_string()]).collect(),
            clock_steps: service.clock_steps.iter().map(step).collect(),
            callers: service
                .callers
                .as_ref()
                .map(|callers| CallersForm { number: callers.number, think: (&callers.think).into() }),
            retries: service.retries.as_ref().map(RetriesForm::from),
            fallback: (service.fallback != Fallback::Fail).then(|| FallbackForm::from(service.fallback)),
            rate_limit: service
                .rate_limit
                .map(|limit| RateLimitForm { rate: per_second(limit.rate), burst: limit.burst }),
            load: service.load.map(|load| LoadForm {
                slots: load.slots,
                slowdown: load.slowdown,
                failures: load.failures,
            }),
        }
    }
}

impl From<&Retries> for RetriesForm {
    fn from(retries: &Retries) -> Self {
        Self {
            attempts: retries.attempts,
            delay: retries.delay.to_string(),
            growth: retries.growth,
            longest: retries.longest.to_string(),
            jitter: retries.jitter,
            breaker: if retries.breaker_outside { "outside" } else { "inside" },
            budget: retries.budget.map(|budget| BudgetForm { per_request: budget.per_request, most: budget.most }),
        }
    }
}

impl From<Fallback> for FallbackForm {
    fn from(fallback: Fallback) -> Self {
        let wrong = match fallback {
            Fallback::Fail | Fallback::Review => None,
            Fallback::Stale { wrong } | Fallback::Silent { wrong } => Some(wrong),
        };
        Self { kind: fallback.name(), wrong }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct RegimeOptionsForm {
    #[serde(skip_serializing_if = "is_zero")]
    lost: f64,
    #[serde(skip_serializing_if = "is_zero")]
    cancelled: f64,
    #[serde(skip_serializing_if = "is_zero")]
    ignored: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slow: Option<SlownessForm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ramp: Option<RampForm>,
}

// Serde hands over a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct SlownessForm {
    probability: f64,
    hold: HoldForm,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct RampForm {
    over: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<f64>,
}

impl From<&RegimeOptions> for RegimeOptionsForm {
    fn from(options: &RegimeOptions) -> Self {
        Self {
            lost: options.lost,
            cancelled: options.cancelled,
            ignored: options.ignored,
            shard: options.shard,
            slow: options
                .slow
                .as_ref()
                .map(|slow| SlownessForm { probability: slow.probability, hold: (&slow.hold).into() }),
            ramp: options.ramp.map(|ramp| RampForm { over: ramp.over.to_string(), from: ramp.from }),
        }
    }
}
