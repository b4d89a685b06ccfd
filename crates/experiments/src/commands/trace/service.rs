//! What happens in the richer world, in words.

use scenario::service::{Ended, Refusal, ServiceNote};

use super::phase_name;

pub(super) fn describe<'a>(note: ServiceNote, regime: impl Fn(usize) -> &'a str) -> String {
    let named = |request: u64, attempt: u32| match attempt {
        0 => format!("request {request:>6}"),
        _ => format!("request {request:>6}, attempt {}", attempt + 1),
    };
    match note {
        ServiceNote::Regime(index) => format!("regime     {}", regime(index)),
        ServiceNote::ClockStep(_) => "the wall clock is set".to_owned(),
        ServiceNote::Transition { breaker, transition } => {
            format!("breaker {breaker:>2} {} -> {}", phase_name(transition.from), phase_name(transition.to))
        }
        ServiceNote::Stuck { breaker } => {
            format!("breaker {breaker:>2} is stuck half-open: no probe is under way that could return")
        }
        ServiceNote::Started { request, attempt, probe, hold, .. } => {
            let hold = hold.map_or("for ever".to_owned(), |hold| format!("for {hold}"));
            let probe = if probe { ", a probe" } else { "" };
            format!("{} admitted{probe}, holds a slot {hold}", named(request, attempt))
        }
        ServiceNote::Ended { request, attempt, ended } => {
            let how = match ended {
                Ended::Success => "completes: success",
                Ended::Failure => "completes: failure",
                Ended::TimedOut => "is given up at the time-out",
                Ended::Cancelled => "is cancelled",
                Ended::Ignored => "completes with an outcome that the breaker ignores",
            };
            format!("{} {how}", named(request, attempt))
        }
        ServiceNote::Refused { request, attempt, refusal, .. } => {
            let why = match refusal {
                Refusal::RateLimited => "turned away by the rate limiter",
                Refusal::Rejected => "turned away by the breaker",
                Refusal::NoSlot => "admitted, but neither a slot nor a place in the queue is free",
            };
            format!("{} {why}", named(request, attempt))
        }
        ServiceNote::Queued { request, attempt } => format!("{} waits for a slot", named(request, attempt)),
        ServiceNote::HeldBack { request, attempt } => format!("{} waits at the breaker", named(request, attempt)),
        ServiceNote::Again { request, attempt, delay } => format!("{} will come in {delay}", named(request, attempt)),
        ServiceNote::Fallback { request, wrong } => {
            let wrong = if wrong { ", and wrongly" } else { "" };
            format!("request {request:>6} is answered by the fallback{wrong}")
        }
        ServiceNote::Neighbour { request, served: true } => format!("neighbour {request:>4} finds a slot, or waits"),
        ServiceNote::Neighbour { request, served: false } => format!("neighbour {request:>4} finds no free slot"),
        ServiceNote::NeighbourServed { request, waited } => format!("neighbour {request:>4} has waited for {waited}"),
        ServiceNote::NeighbourDone { request } => format!("neighbour {request:>4} is done"),
        ServiceNote::RejectionEnd => "the slot of a rejection is free again".to_owned(),
        ServiceNote::AbandonedEnd => "the dependency is done with a call that was given up".to_owned(),
    }
}
