//! Scripts and vectors: times to the nanosecond, operations with their answers.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

/// A breaker that can be asked and told.
pub trait Breaker {
    /// Sets the library's clock to a time since the start of the script.
    fn advance(&mut self, now: Duration);
    /// Whether a call is let through.
    fn ask(&mut self) -> bool;
    /// Tells the result of a call that was let through.
    fn tell(&mut self, ok: bool);
    /// The state in words.
    fn state(&self) -> String;
}

/// Runs the operations of a script.
pub fn replay(script: &Value, mut breaker: impl Breaker) -> Vec<Value> {
    let mut started = BTreeMap::new();
    let mut recorded = Vec::new();
    for op in script["ops"].as_array().expect("a list of operations") {
        let (now, call) = (milliseconds(&op["t_ms"]), op["call"].as_u64().expect("a number"));
        breaker.advance(now);
        let mut entry = Map::new();
        for key in ["t_ms", "op", "call"] {
            entry.insert(key.to_owned(), op[key].clone());
        }
        if op["op"] == "acquire" {
            let admitted = breaker.ask();
            if admitted {
                started.insert(call, now);
            }
            entry.insert("admitted".to_owned(), admitted.into());
        } else if let Some(start) = started.remove(&call) {
            let ok = op["ok"].as_bool().expect("a truth value");
            breaker.tell(ok);
            entry.insert("ok".to_owned(), ok.into());
            entry.insert("took_ms".to_owned(), in_milliseconds(now - start));
        } else {
            continue; // a call that was turned away has nothing to complete
        }
        entry.insert("state".to_owned(), breaker.state().into());
        recorded.push(entry.into());
    }
    recorded
}

/// The script with the answers in place of its operations.
pub fn vector(script: &Value, version: &str, ops: Vec<Value>) -> Value {
    let mut vector = Map::new();
    vector.insert("id".to_owned(), script["id"].clone());
    vector.insert("library".to_owned(), script["library"].clone());
    vector.insert("version".to_owned(), version.into());
    for (key, value) in script.as_object().expect("an object") {
        if !vector.contains_key(key) && key != "ops" {
            vector.insert(key.clone(), value.clone());
        }
    }
    vector.insert("ops".to_owned(), ops.into());
    vector.into()
}

/// A time in ms as written, to the nanosecond.
pub fn milliseconds(value: &Value) -> Duration {
    let text = value.to_string();
    let (whole, rest) = text.split_once('.').unwrap_or((&text, ""));
    let nanos = format!("{rest:0<6}");
    assert!(nanos.len() == 6, "{text} ms is finer than a nanosecond");
    Duration::from_millis(whole.parse().expect("a number")) + Duration::from_nanos(nanos.parse().expect("digits"))
}

/// A time in ms with just the decimals that it needs.
fn in_milliseconds(time: Duration) -> Value {
    let (whole, rest) = (time.as_millis(), time.as_nanos() % 1_000_000);
    if rest == 0 {
        return json!(whole as u64);
    }
    let text = format!("{whole}.{rest:06}");
    serde_json::from_str(text.trim_end_matches('0')).expect("a number")
}

/// A key of an object of settings.
pub fn setting<'s>(settings: &'s Value, key: &str) -> &'s Value {
    settings.get(key).unwrap_or_else(|| panic!("the settings have no {key}: {settings}"))
}

/// A setting that counts.
pub fn count(settings: &Value, key: &str) -> u32 {
    setting(settings, key).as_u64().and_then(|count| count.try_into().ok()).expect("a count")
}

/// A setting that is a share.
pub fn share(settings: &Value, key: &str) -> f64 {
    setting(settings, key).as_f64().expect("a number")
}
