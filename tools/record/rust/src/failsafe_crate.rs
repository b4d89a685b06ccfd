//! failsafe: <https://crates.io/crates/failsafe>. Its clock is frozen and moved by the crate's own means.

use std::time::Duration;

use failsafe::clock::{self, MockClock};
use failsafe::failure_policy::{consecutive_failures, success_rate_over_time_window};
use failsafe::{Config, FailurePolicy, StateMachine, backoff};
use serde_json::Value;

use crate::script::{Breaker, count, milliseconds, replay, setting, share};

struct Frozen<'c, P> {
    clock: &'c mut MockClock,
    now: Duration,
    machine: StateMachine<P, ()>,
}

impl<P: FailurePolicy> Breaker for Frozen<'_, P> {
    fn advance(&mut self, now: Duration) {
        self.clock.advance(now - self.now);
        self.now = now;
    }

    fn ask(&mut self) -> bool {
        self.machine.is_call_permitted()
    }

    fn tell(&mut self, ok: bool) {
        if ok { self.machine.on_success() } else { self.machine.on_error() }
    }

    fn state(&self) -> String {
        let debug = format!("{:?}", self.machine);
        debug.split('"').nth(1).expect("the state's name in quotes").to_owned()
    }
}

/// What the library does with a script.
pub fn record(script: &Value) -> Vec<Value> {
    let backoff = &script["settings"]["backoff"];
    let time = |key: &str| milliseconds(setting(backoff, key));
    match backoff["kind"].as_str() {
        Some("constant") => with_backoff(script, || backoff::constant(time("wait_ms"))),
        Some("exponential") => with_backoff(script, || backoff::exponential(time("start_ms"), time("max_ms"))),
        _ => panic!("a back-off that cannot be recorded: {backoff}"),
    }
}

fn with_backoff<B>(script: &Value, backoff: impl Fn() -> B) -> Vec<Value>
where
    B: Iterator<Item = Duration> + Clone,
{
    let settings = &script["settings"];
    let consecutive = || {
        let settings = setting(settings, "consecutive_failures");
        consecutive_failures(count(settings, "num_failures"), backoff())
    };
    let rate = || {
        let settings = setting(settings, "success_rate_over_time_window");
        success_rate_over_time_window(
            share(settings, "required_success_rate"),
            count(settings, "min_request_threshold"),
            milliseconds(setting(settings, "window_ms")),
            backoff(),
        )
    };
    match settings["failure_policy"].as_str() {
        Some("consecutive_failures") => run(script, consecutive),
        Some("success_rate_over_time_window") => run(script, rate),
        Some("success_rate_over_time_window or_else consecutive_failures") => {
            run(script, || rate().or_else(consecutive()))
        }
        policy => panic!("unknown failure policy {policy:?}"),
    }
}

fn run<P: FailurePolicy>(script: &Value, policy: impl Fn() -> P) -> Vec<Value> {
    clock::freeze(|clock| {
        let machine = Config::new().failure_policy(policy()).build();
        replay(script, Frozen { clock, now: Duration::ZERO, machine })
    })
}
