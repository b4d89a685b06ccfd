//! A number that can be set: how it is called, what it means, and from where to where it goes.

use engine::Duration;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::Refusal;
use crate::body::Field;

/// What a parameter's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Lengths of time; numbers are seconds.
    Duration,
    /// Yes or no; 1 or 0 as a number.
    Flag,
}

/// A number that can be set, with all that a page needs to show a control for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The key.
    pub key: &'static str,
    /// The control's label.
    pub label: &'static str,
    /// A sentence on what it does.
    pub help: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// The unit.
    pub unit: &'static str,
    /// The value if none is given.
    pub default: f64,
    /// The least value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// A step that suits a control; values between the steps are possible.
    pub step: f64,
    /// Whether it belongs among the settings that few people change.
    pub advanced: bool,
}

impl Parameter {
    /// Reads a value: for lengths of time, in seconds.
    ///
    /// # Errors
    ///
    /// When it is no such number, or out of range.
    pub fn read(&self, field: &Field<'_>) -> Result<f64, Refusal> {
        match self.kind {
            Kind::Whole => field.whole(self.min as u64, self.max as u64).map(|whole| whole as f64),
            Kind::Number => field.number(self.min, self.max),
            Kind::Duration => {
                let [least, most] = [self.min, self.max].map(seconds);
                field.duration(least, most).map(Duration::as_secs_f64)
            }
            Kind::Flag => field.flag().map(|flag| f64::from(u8::from(flag))),
        }
    }

    /// What a page needs to show a control; `key` is what the parameter's own key is called there.
    #[must_use]
    pub fn describe(&self, key: &str) -> Map<String, Value> {
        let mut keys = Map::new();
        keys.insert(key.to_owned(), json!(self.key));
        keys.insert("label".to_owned(), json!(self.label));
        keys.insert("help".to_owned(), json!(self.help));
        keys.insert("type".to_owned(), json!(self.kind));
        keys.insert("unit".to_owned(), json!(self.unit));
        keys.insert("default".to_owned(), self.write(self.default));
        if self.kind != Kind::Flag {
            for (name, value) in [("min", self.min), ("max", self.max), ("step", self.step)] {
                keys.insert(name.to_owned(), self.write(value));
            }
        }
        keys.insert("advanced".to_owned(), json!(self.advanced));
        keys
    }

    /// A value as it stands in a body.
    #[must_use]
    pub fn write(&self, value: f64) -> Value {
        match self.kind {
            Kind::Flag => json!(value != 0.0),
            _ => number(value),
        }
    }
}

/// A number of seconds as a length of time, rounded to the nearest nanosecond.
#[must_use]
pub fn seconds(seconds: f64) -> Duration {
    Duration::from_nanos((seconds * 1e9).round() as u64)
}

/// A number as JSON, without a fraction where it is whole.
#[must_use]
pub fn number(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
}
