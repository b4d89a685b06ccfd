//! The parameters of libraries as data: name, unit, type, default, bounds.

use std::fmt;

use engine::Duration;

use crate::{Durations, Value};

/// A parameter of a library's breaker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The library's own name. A part of an object has a dotted name, such as `backoff.start`.
    pub name: &'static str,
    /// What its values are.
    pub kind: Kind,
    /// The library's default; `None` if the parameter is absent unless it is given.
    pub default: Option<Value>,
    /// Whether it has to be given.
    pub required: bool,
    /// Which numbers are possible, in the parameter's unit; durations as objects in milliseconds.
    pub bounds: Bounds,
    /// What it means, with its unit.
    pub about: &'static str,
}

/// What the values of a parameter are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number from 0: [`Value::Number`].
    Count,
    /// Any number: [`Value::Number`].
    Number,
    /// A switch: [`Value::Flag`].
    Flag,
    /// One of these words: [`Value::Word`].
    Word(&'static [&'static str]),
    /// A time, written in the library as the unit says: [`Value::Time`].
    Time(TimeUnit),
    /// The same, or `false` for none: [`Value::Time`] or [`Value::Flag`].
    TimeOrFalse(TimeUnit),
    /// A list of times, written as milliseconds with commas between them: [`Value::Times`].
    Times,
}

/// How a library writes a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// As an object of the language, which has a unit of its own: `Duration.ofSeconds(1)`, `time.Second`.
    Object,
    /// As a number of milliseconds.
    Milliseconds,
    /// As a number of seconds.
    Seconds,
}

/// The numbers that a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The least one, and whether it is possible itself.
    pub least: Option<(f64, bool)>,
    /// The largest one, and whether it is possible itself.
    pub most: Option<(f64, bool)>,
}

impl Bounds {
    /// Every number.
    pub const ANY: Self = Self { least: None, most: None };

    /// Whether `number` is within the bounds.
    #[must_use]
    pub fn contain(&self, number: f64) -> bool {
        let above = self.least.is_none_or(|(least, included)| number > least || included && number == least);
        let below = self.most.is_none_or(|(most, included)| number < most || included && number == most);
        above && below
    }
}

impl fmt::Display for Bounds {
    /// Such as "at least 1", "greater than 0 and at most 100"; "any number".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let least = self.least.map(|(least, included)| match included {
            true => format!("at least {least}"),
            false => format!("greater than {least}"),
        });
        let most = self.most.map(|(most, included)| match included {
            true => format!("at most {most}"),
            false => format!("less than {most}"),
        });
        match (least, most) {
            (Some(least), Some(most)) => f.pad(&format!("{least} and {most}")),
            (Some(limit), None) | (None, Some(limit)) => f.pad(&limit),
            (None, None) => f.pad("any number"),
        }
    }
}

impl TimeUnit {
    /// Milliseconds in one unit. Bounds of objects are in milliseconds.
    const fn millis(self) -> f64 {
        match self {
            Self::Object | Self::Milliseconds => 1.0,
            Self::Seconds => 1e3,
        }
    }

    /// So many units as a time; `None` if the number is negative or too large.
    #[must_use]
    pub fn time(self, number: f64) -> Option<Duration> {
        let nanos = (number * (self.millis() * 1e6)).round();
        (0.0..9.2e18).contains(&nanos).then_some(Duration::from_nanos(nanos as u64))
    }

    /// The time as a number of units.
    #[must_use]
    pub fn number(self, time: Duration) -> f64 {
        time.as_nanos() as f64 / (self.millis() * 1e6)
    }
}

impl Parameter {
    const fn new(name: &'static str, kind: Kind, default: Option<Value>, about: &'static str) -> Self {
        Self { name, kind, default, required: false, bounds: Bounds::ANY, about }
    }

    pub(crate) const fn count(name: &'static str, default: u32, about: &'static str) -> Self {
        Self::new(name, Kind::Count, Some(Value::Number(default as f64)), about)
    }

    pub(crate) const fn number(name: &'static str, default: f64, about: &'static str) -> Self {
        Self::new(name, Kind::Number, Some(Value::Number(default)), about)
    }

    pub(crate) const fn flag(name: &'static str, default: bool, about: &'static str) -> Self {
        Self::new(name, Kind::Flag, Some(Value::Flag(default)), about)
    }

    /// The first word is the default.
    pub(crate) const fn word(name: &'static str, words: &'static [&'static str], about: &'static str) -> Self {
        Self::new(name, Kind::Word(words), Some(Value::Word(words[0])), about)
    }

    pub(crate) const fn time(name: &'static str, unit: TimeUnit, millis: u64, about: &'static str) -> Self {
        Self::new(name, Kind::Time(unit), Some(Value::Time(Duration::from_millis(millis))), about)
    }

    pub(crate) const fn time_or_false(name: &'static str, unit: TimeUnit, millis: u64, about: &'static str) -> Self {
        Self::new(name, Kind::TimeOrFalse(unit), Some(Value::Time(Duration::from_millis(millis))), about)
    }

    pub(crate) const fn times(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Times, None, about)
    }

    pub(crate) const fn required(mut self) -> Self {
        self.default = None;
        self.required = true;
        self
    }

    /// Absent unless it is given.
    pub(crate) const fn optional(mut self) -> Self {
        self.default = None;
        self
    }

    pub(crate) const fn at_least(mut self, least: f64) -> Self {
        self.bounds.least = Some((least, true));
        self
    }

    pub(crate) const fn above(mut self, least: f64) -> Self {
        self.bounds.least = Some((least, false));
        self
    }

    pub(crate) const fn at_most(mut self, most: f64) -> Self {
        self.bounds.most = Some((most, true));
        self
    }

    /// A value as the library writes it: a number in its own unit; a time that is an object with a unit.
    #[must_use]
    pub fn written(&self, value: Value) -> String {
        match (self.kind, value) {
            (Kind::Time(unit) | Kind::TimeOrFalse(unit), Value::Time(time)) if unit != TimeUnit::Object => {
                unit.number(time).to_string()
            }
            (_, Value::Time(time)) => time.to_string(),
            (_, Value::Number(number)) => number.to_string(),
            (_, Value::Flag(flag)) => flag.to_string(),
            (_, Value::Word(word)) => word.to_owned(),
            (_, Value::Times(times)) => times.to_string(),
        }
    }

    /// What a value should be, in words.
    #[must_use]
    pub fn expected(&self) -> String {
        let number = |what: &str, unit: &str| {
            let bounds = if self.bounds == Bounds::ANY { String::new() } else { format!(", {}{unit}", self.bounds) };
            format!("{what}{bounds}")
        };
        match self.kind {
            Kind::Count => number("a whole number", ""),
            Kind::Number => number("a number", ""),
            Kind::Flag => "true or false".to_owned(),
            Kind::Word(words) => format!("one of {}", words.join(", ")),
            Kind::Time(unit) => match unit {
                TimeUnit::Object => number("a duration", " ms"),
                TimeUnit::Milliseconds => number("a number of milliseconds", ""),
                TimeUnit::Seconds => number("a number of seconds", ""),
            },
            Kind::TimeOrFalse(_) => format!("{}, or false", number("a number of milliseconds", "")),
            Kind::Times => format!("up to {} whole milliseconds with commas between them", Durations::MOST),
        }
    }

    /// Whether the value is of the parameter's kind and within its bounds.
    #[must_use]
    pub fn accepts(&self, value: Value) -> bool {
        match (self.kind, value) {
            (Kind::Count, Value::Number(number)) => {
                number >= 0.0 && number.fract() == 0.0 && number <= u32::MAX.into() && self.bounds.contain(number)
            }
            (Kind::Number, Value::Number(number)) => number.is_finite() && self.bounds.contain(number),
            (Kind::Time(unit) | Kind::TimeOrFalse(unit), Value::Time(time)) => self.bounds.contain(unit.number(time)),
            (Kind::Word(words), Value::Word(word)) => words.contains(&word),
            (Kind::Flag, Value::Flag(_)) | (Kind::TimeOrFalse(_), Value::Flag(false)) => true,
            (Kind::Times, Value::Times(_)) => true,
            _ => false,
        }
    }
}
