//! The decision trace's sentences.

use engine::{Duration, Time};
use policies::AnyRule;

use super::state::State;
use super::world::Reason;
use crate::input::Change;
use crate::settings::{HORIZON, OUTAGE, Schedule, Settings};

/// An instant, to the millisecond.
fn instant(at: Time) -> String {
    format!("{:.3} s", at.as_secs_f64())
}

fn duration(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}

fn ended(fails: bool) -> &'static str {
    if fails { "failed" } else { "succeeded" }
}

fn failures_in_a_row(streak: u32) -> String {
    if streak == 1 { "1 failure in a row".to_owned() } else { format!("{streak} failures in a row") }
}

pub(super) fn start(settings: &Settings) -> String {
    let Settings { rate, errors_percent, response_time, rule, .. } = settings;
    let breaker =
        if settings.breaker_enabled { format!("the breaker is {rule}") } else { "the breaker is bypassed".to_owned() };
    let errors = match settings.schedule {
        Schedule::Outage => format!("from {} to {}, {errors_percent} % of the requests fail", OUTAGE[0], OUTAGE[1]),
        Schedule::Manual => format!("{errors_percent} % of the requests fail"),
    };
    let (rate, response_time) = (rate.per_second(), duration(*response_time));
    format!("The run begins: {rate} requests per second, a response takes {response_time}, {errors}, and {breaker}.")
}

pub(super) fn outage(begins: bool, percent: f64) -> String {
    if begins {
        format!(
            "The scheduled outage begins: of the requests created from now on, {percent} % will fail. Calls under way keep their outcome."
        )
    } else {
        "The scheduled outage is over: requests created from now on will succeed. Calls under way keep their outcome."
            .to_owned()
    }
}

pub(super) fn intervention(change: &Change, settings: &Settings) -> String {
    match change {
        Change::Rate(rate) => format!("By hand: {} requests per second from now on.", rate.per_second()),
        Change::Errors(percent) => {
            format!("By hand: {percent} % of the requests created from now on will fail. The schedule no longer applies.")
        }
        Change::Schedule(Schedule::Outage) => "By hand: the scheduled outage applies again.".to_owned(),
        Change::Schedule(Schedule::Manual) => {
            format!("By hand: the schedule no longer applies; {} % of the requests will fail.", settings.errors_percent)
        }
        Change::Break => "By hand: the service breaks. Every request created from now on will fail.".to_owned(),
        Change::Repair => {
            "By hand: the service is repaired. No request created from now on will fail; calls under way keep their outcome.".to_owned()
        }
        Change::ResponseTime(time) => format!("By hand: calls admitted from now on take {}.", duration(*time)),
        Change::BreakerEnabled(true) => "By hand: the breaker is switched on.".to_owned(),
        Change::BreakerEnabled(false) => "By hand: the breaker is bypassed. Every request passes.".to_owned(),
        Change::Rule(rule) => format!("By hand: the breaker's rule is now {rule}."),
    }
}

/// What led from one state to the next.
pub(super) struct Transition<'a> {
    pub(super) to: State,
    pub(super) reason: Reason,
    pub(super) streak: u32,
    pub(super) rule: &'a AnyRule,
    pub(super) open_until: Option<Time>,
}

pub(super) fn transition(change: &Transition<'_>) -> String {
    let Transition { to, reason, streak, rule, open_until } = *change;
    let until = match open_until {
        Some(until) => format!("until {}", instant(until)),
        None => format!("to the end of the run at {HORIZON}"),
    };
    match (reason, to) {
        (Reason::Result { request, fails: true, is_probe: true }, State::Open) => {
            format!("Request {request}, a probe, failed: the breaker opens again and rejects every request {until}.")
        }
        (Reason::Result { request, fails, .. }, State::Open) => {
            let evidence = match rule {
                AnyRule::Consecutive(_) => format!(" at the dependency, {}", failures_in_a_row(streak)),
                _ => String::new(),
            };
            let ended = ended(fails);
            format!(
                "Request {request} {ended}{evidence}: the breaker opens and rejects every request {until}. Calls under way still finish."
            )
        }
        (Reason::Result { request, fails, .. }, _) => {
            format!("Request {request}, a probe, {}: the breaker is {}.", ended(fails), to.in_words())
        }
        (Reason::Timer, State::HalfOpen) => {
            "The cooldown is over: the breaker is half-open, and the next request goes through as a probe.".to_owned()
        }
        (Reason::Timer, _) => format!("The time has come: the breaker is {}.", to.in_words()),
        (Reason::Request { request }, _) => format!("Request {request} asks: the breaker is {}.", to.in_words()),
        (Reason::NewBreaker, _) => {
            "A new breaker starts closed; results of earlier calls do not count for it.".to_owned()
        }
        (Reason::Bypass, _) => "The breaker is bypassed: it is asked nothing and told nothing.".to_owned(),
        (Reason::Retuned, _) => format!("Under its new numbers the breaker is {}.", to.in_words()),
    }
}

pub(super) fn probe(request: u64) -> String {
    format!("Request {request} goes through as a probe: its result will decide.")
}

pub(super) fn first_rejection(request: u64, state: State, open_until: Option<Time>) -> String {
    let why = match (state, open_until) {
        (State::Open, Some(until)) => format!("the breaker is open until {}", instant(until)),
        (State::HalfOpen, _) => "the probe is still under way".to_owned(),
        _ => format!("the breaker is {}", state.in_words()),
    };
    format!("Request {request} is rejected at once: {why}. It never reaches the dependency; nor do the next ones.")
}

pub(super) fn waits(request: u64) -> String {
    format!("Request {request} waits at the breaker until the probe has its result.")
}

pub(super) fn waited_in_vain(request: u64) -> String {
    format!("Request {request} has waited in vain: the breaker turns it away.")
}

pub(super) fn late_result(request: u64, fails: bool, admitted_in: State, is_ignored: bool) -> String {
    let (ended, admitted_in) = (ended(fails), admitted_in.in_words());
    let effect = if is_ignored { "its result changes nothing" } else { "its result still counts" };
    format!(
        "Request {request} {ended} late: it was admitted in an earlier state of the breaker ({admitted_in}), and {effect}."
    )
}

pub(super) fn counted_failure(request: u64, rule: &AnyRule, streak: u32) -> String {
    match rule {
        AnyRule::Consecutive(rule) => {
            let threshold = rule.threshold();
            format!(
                "Request {request} failed at the dependency: {}; {threshold} would open the breaker.",
                failures_in_a_row(streak)
            )
        }
        _ => format!("Request {request} failed at the dependency: {}.", failures_in_a_row(streak)),
    }
}

pub(super) fn streak_cleared(request: u64, streak: u32) -> String {
    format!("Request {request} succeeded: that clears {}.", failures_in_a_row(streak))
}

pub(super) fn probe_succeeded(request: u64) -> String {
    format!("Request {request}, a probe, succeeded: the breaker stays half-open for more of them.")
}

pub(super) fn unguarded_failure(request: u64) -> String {
    format!(
        "Request {request} failed at the dependency, and no breaker minds. So do the next ones, until one succeeds."
    )
}

pub(super) fn unguarded_success(request: u64) -> String {
    format!("Request {request} succeeded: the dependency answers again.")
}
