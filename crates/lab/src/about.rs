//! What the page has to know before it can show anything: controls, rules, presets, limits.

use serde_json::{Value, json};

use crate::input::MOST_INTERVENTIONS;
use crate::parameter::Parameter;
use crate::pool::{MOST_REQUESTS, PoolInput};
use crate::rules;
use crate::server::MOST_BODY_BYTES;
use crate::settings::{BREAKER_ENABLED, ERRORS, HORIZON, OUTAGE, Preset, RATE, RESPONSE_TIME};

/// What the model leaves out or takes for granted.
pub const ASSUMPTIONS: [&str; 8] = [
    "One shared breaker; the rule decides when it opens, for how long, and how it probes.",
    "Requests are created evenly spaced; whether one fails is decided when it is created, by the seed and its number.",
    "The response time is fixed when a call is admitted. A call under way finishes whatever the breaker does.",
    "The breaker learns of a result when the call ends. A result from before its present state changes nothing.",
    "There is no queue, retry, timeout or fallback, and the dependency takes any number of calls at once.",
    "The scheduled outage lasts from second 8 to just before second 30; a new error rate replaces the schedule.",
    "A rejected request is not a successful response: it never reached the dependency.",
    "Nothing here calls a network: the failures are synthetic and repeatable.",
];

/// The facts; `sweep` is the name of the sweep that is open.
#[must_use]
pub fn about(sweep: Option<&str>) -> Value {
    let controls = [(RATE, false), (ERRORS, true), (RESPONSE_TIME, false), (BREAKER_ENABLED, false)];
    let pool = PoolInput::default();
    let scenario = scenario::Scenario::default();
    json!({
        "name": "Tripcurve lab",
        "version": env!("CARGO_PKG_VERSION"),
        "horizon_ns": HORIZON.as_nanos(),
        "outage": { "from_ns": OUTAGE[0].as_nanos(), "to_ns": OUTAGE[1].as_nanos() },
        "controls": controls.map(|(parameter, leaves_schedule)| control(&parameter, leaves_schedule)),
        "rules": rules::offers(),
        "presets": Preset::ALL.map(preset),
        "actions": [
            { "key": "break_service", "label": "Break service",
              "help": "From now on every new request fails. Leaves the schedule." },
            { "key": "repair_service", "label": "Repair service",
              "help": "From now on no new request fails. Leaves the schedule." },
        ],
        "assumptions": ASSUMPTIONS,
        "limits": {
            "body_bytes": MOST_BODY_BYTES,
            "interventions": MOST_INTERVENTIONS,
            "requests_per_run": (RATE.max * HORIZON.as_secs_f64()) as u64,
            "pool_requests": MOST_REQUESTS,
        },
        "pool": {
            "modes": scenario::Mode::GIVEN,
            "default": {
                "rule": rules::write(&pool.rule),
                "mode": pool.mode,
                "seed": pool.seed,
                "replication": pool.replication,
            },
            "slots": scenario.slots,
            "horizon_ns": scenario.horizon.resolve(engine::Time::ZERO).as_nanos(),
        },
        "sweep": sweep.map(|name| json!({ "name": name })),
    })
}

fn control(parameter: &Parameter, leaves_schedule: bool) -> Value {
    let mut keys = parameter.describe("key");
    keys.insert("leaves_schedule".to_owned(), json!(leaves_schedule));
    Value::Object(keys)
}

fn preset(preset: Preset) -> Value {
    let [label, help] = preset.in_words();
    json!({ "key": preset.name(), "label": label, "help": help, "settings": preset.settings().write() })
}
