//! A recorded trace of a library, and how a rule answers to the same questions.

use std::collections::BTreeMap;

use engine::{Duration, Time};
use policies::{Answer, CallId, Library, Outcome, Phase, Replay, Settings, Value, Verdict, Written};
use serde_json::Value as Json;

/// The first difference between a recording and the rule.
pub(crate) fn difference(line: &str) -> Option<String> {
    let vector: Json = serde_json::from_str(line).expect("a recording is JSON");
    let text = |key: &str| vector[key].as_str().expect("a text");
    let library = Library::recorded(text("library"), text("version")).expect("a known library");
    let settings = settings(library, &vector["settings"]);
    let rule = library.build(&settings).expect("valid settings");
    let go = ["gobreaker", "failsafe_go"].contains(&library.name);
    let epoch = if go { Duration::from_secs(946_684_800) } else { Duration::from_millis(1_764_000_000_000) };
    let mut replay = Replay::new(&rule, epoch);
    let mut calls: BTreeMap<u64, CallId> = BTreeMap::new();
    for (number, op) in vector["ops"].as_array().expect("operations").iter().enumerate() {
        let now = instant(&op["t_ms"]);
        let call = op["call"].as_u64().expect("a call number");
        let (answered, phase) = match op["op"].as_str() {
            Some("acquire") => {
                let (answer, phase, id) = replay.acquire(now);
                calls.insert(call, id);
                let queued = op.get("queued").and_then(Json::as_bool) == Some(true);
                let expected = match op["admitted"].as_bool().expect("an answer") {
                    true => Answer::Admit,
                    false if queued => Answer::Wait,
                    false => Answer::Reject,
                };
                (answer == expected, phase)
            }
            Some("complete") => {
                let verdict = if op["ok"].as_bool().expect("a verdict") { Verdict::Success } else { Verdict::Failure };
                let outcome = Outcome { verdict, duration: instant(&op["took_ms"]).since(Time::ZERO) };
                (true, replay.complete(now, calls[&call], outcome))
            }
            Some("resume") => match replay.resume(now) {
                Some((resumed, phase)) => (resumed.call == calls[&call] && op["admitted"] == resumed.admitted, phase),
                None => (false, replay.phase(now)),
            },
            other => panic!("unknown operation {other:?}"),
        };
        let phase = match phase {
            Phase::Closed => "closed",
            Phase::Open => "open",
            Phase::HalfOpen => "half_open",
        };
        if !answered || op["state"] != phase {
            let settings = library.in_words(&settings);
            return Some(format!("{} ({settings}), operation {number} {op}: {answered}, {phase}", text("id")));
        }
    }
    None
}

fn settings(library: &'static Library, given: &Json) -> Settings {
    let mut settings = Settings::new();
    // In recordings of opossum, a time limit that is absent was switched off.
    if library.name == "opossum" {
        settings.set("timeout", Value::Flag(false));
    }
    read(library, "", given, &mut settings);
    settings
}

fn read(library: &'static Library, prefix: &str, given: &Json, settings: &mut Settings) {
    for (key, value) in given.as_object().expect("settings") {
        let name = format!("{prefix}{key}");
        let written = match value {
            Json::Object(_) => {
                read(library, &format!("{name}."), value, settings);
                continue;
            }
            Json::Number(number) => Written::Number(number.as_f64().expect("a number")),
            Json::Bool(flag) => Written::Flag(*flag),
            Json::String(text) => Written::Text(text),
            other => panic!("{name} is {other}"),
        };
        let (name, value) = library.read(&name, written).expect("a setting of the library");
        settings.set(name, value);
    }
}

fn instant(millis: &Json) -> Time {
    Time::from_nanos((millis.as_f64().expect("milliseconds") * 1e6).round() as u64)
}
