//! The settings of an experiment: load, schedule of errors, response time, breaker.

use engine::{Duration, Time};
use policies::AnyRule;
use serde_json::{Value, json};

use crate::body::Field;
use crate::parameter::{Kind, Parameter, number, seconds};
use crate::{Refusal, rules};

/// A run covers [0, 90 s).
pub const HORIZON: Time = Time::from_nanos(90_000_000_000);

/// The scheduled outage covers [8 s, 30 s).
pub const OUTAGE: [Time; 2] = [Time::from_nanos(8_000_000_000), Time::from_nanos(30_000_000_000)];

/// Requests per second in whole thousandths, so that every instant of an arrival is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    thousandths: u32,
}

impl Rate {
    /// So many thousandths of a request per second.
    ///
    /// # Panics
    ///
    /// At zero.
    #[must_use]
    pub const fn from_thousandths(thousandths: u32) -> Self {
        assert!(thousandths > 0, "without requests there is no experiment");
        Self { thousandths }
    }

    /// In thousandths of a request per second.
    #[must_use]
    pub const fn thousandths(self) -> u32 {
        self.thousandths
    }

    /// In requests per second.
    #[must_use]
    pub fn per_second(self) -> f64 {
        f64::from(self.thousandths) / 1e3
    }
}

/// When the error rate applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// During the scheduled outage; outside nothing fails.
    Outage,
    /// All the time.
    Manual,
}

impl Schedule {
    /// The names in a body.
    pub const NAMES: [&'static str; 2] = ["outage", "manual"];

    /// The name in a body.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outage => "outage",
            Self::Manual => "manual",
        }
    }

    pub(crate) fn read(field: &Field<'_>) -> Result<Self, Refusal> {
        Ok(if field.word(&Self::NAMES)? == "outage" { Self::Outage } else { Self::Manual })
    }
}

/// What an experiment is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Requests per second.
    pub rate: Rate,
    /// When the error rate applies.
    pub schedule: Schedule,
    /// The share of the requests created while it applies that will fail if they are admitted, in percent.
    pub errors_percent: f64,
    /// How long an admitted call takes.
    pub response_time: Duration,
    /// Whether the breaker is on; otherwise every request bypasses it.
    pub breaker_enabled: bool,
    /// The breaker's rule.
    pub rule: AnyRule,
}

/// The control of [`Settings::rate`].
pub const RATE: Parameter = Parameter {
    key: "requests_per_second",
    label: "Requests per second",
    help: "How many requests are created per second, evenly spaced; at most three decimals.",
    kind: Kind::Number,
    unit: "per second",
    default: 12.0,
    min: 0.1,
    max: 200.0,
    step: 1.0,
    advanced: false,
};

/// The control of [`Settings::errors_percent`].
pub const ERRORS: Parameter = Parameter {
    key: "dependency_errors_percent",
    label: "Dependency errors",
    help: "The probability that a request fails at the dependency, decided when the request is created. Changing it leaves \
           the scheduled outage: the new rate stays.",
    kind: Kind::Number,
    unit: "%",
    default: 100.0,
    min: 0.0,
    max: 100.0,
    step: 1.0,
    advanced: false,
};

/// The control of [`Settings::response_time`].
pub const RESPONSE_TIME: Parameter = Parameter {
    key: "response_time",
    label: "Response time",
    help: "How long an admitted call takes, whether it succeeds or fails; for calls admitted from now on.",
    kind: Kind::Duration,
    unit: "s",
    default: 0.6,
    min: 0.001,
    max: 30.0,
    step: 0.1,
    advanced: false,
};

/// The control of [`Settings::breaker_enabled`].
pub const BREAKER_ENABLED: Parameter = Parameter {
    key: "breaker_enabled",
    label: "Enable circuit breaker",
    help: "Off, every request bypasses the breaker; on again, it starts closed.",
    kind: Kind::Flag,
    unit: "",
    default: 1.0,
    min: 0.0,
    max: 1.0,
    step: 1.0,
    advanced: false,
};

/// The keys of [`Settings`] in a body.
pub const KEYS: [&str; 6] = [RATE.key, "schedule", ERRORS.key, RESPONSE_TIME.key, BREAKER_ENABLED.key, "rule"];

/// Settings by name, to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// All requests fail from the eighth second until just before the thirtieth.
    OutageRecovery,
    /// Nothing fails.
    Healthy,
}

impl Preset {
    /// All presets in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::OutageRecovery, Self::Healthy];

    /// The names in a body.
    pub const NAMES: [&'static str; 2] = ["outage_recovery", "healthy"];

    /// The name in a body.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OutageRecovery => "outage_recovery",
            Self::Healthy => "healthy",
        }
    }

    /// The name for people, and a sentence.
    #[must_use]
    pub const fn in_words(self) -> [&'static str; 2] {
        match self {
            Self::OutageRecovery => [
                "Outage + recovery",
                "Every request created from second 8 until just before second 30 fails; before and after, none does.",
            ],
            Self::Healthy => ["Healthy", "No request fails, until you change that by hand."],
        }
    }

    /// The settings.
    #[must_use]
    pub fn settings(self) -> Settings {
        let outage = self == Self::OutageRecovery;
        Settings {
            rate: Rate::from_thousandths(12_000),
            schedule: if outage { Schedule::Outage } else { Schedule::Manual },
            errors_percent: if outage { ERRORS.default } else { 0.0 },
            response_time: seconds(RESPONSE_TIME.default),
            breaker_enabled: true,
            rule: rules::default(),
        }
    }

    pub(crate) fn read(field: &Field<'_>) -> Result<Self, Refusal> {
        Ok(if field.word(&Self::NAMES)? == "healthy" { Self::Healthy } else { Self::OutageRecovery })
    }
}

impl Settings {
    /// The probability that a request created at `now` fails, in percent.
    #[must_use]
    pub fn errors_at(&self, now: Time) -> f64 {
        match self.schedule {
            Schedule::Outage if !(OUTAGE[0]..OUTAGE[1]).contains(&now) => 0.0,
            _ => self.errors_percent,
        }
    }

    /// Reads settings; what they leave out is as in `base`.
    ///
    /// # Errors
    ///
    /// When a key is unknown or a value impossible.
    pub fn read(field: &Field<'_>, base: Self) -> Result<Self, Refusal> {
        let section = field.section(&KEYS)?;
        let mut settings = base;
        if let Some(field) = section.optional(RATE.key) {
            settings.rate = read_rate(&field)?;
        }
        if let Some(field) = section.optional("schedule") {
            settings.schedule = Schedule::read(&field)?;
        }
        if let Some(field) = section.optional(ERRORS.key) {
            settings.errors_percent = ERRORS.read(&field)?;
        }
        if let Some(field) = section.optional(RESPONSE_TIME.key) {
            settings.response_time = seconds(RESPONSE_TIME.read(&field)?);
        }
        if let Some(field) = section.optional(BREAKER_ENABLED.key) {
            settings.breaker_enabled = field.flag()?;
        }
        if let Some(field) = section.optional("rule") {
            settings.rule = rules::read(&field)?;
        }
        Ok(settings)
    }

    /// The settings written out.
    #[must_use]
    pub fn write(&self) -> Value {
        json!({
            "requests_per_second": number(self.rate.per_second()),
            "schedule": self.schedule.name(),
            "dependency_errors_percent": number(self.errors_percent),
            "response_time": number(self.response_time.as_secs_f64()),
            "breaker_enabled": self.breaker_enabled,
            "rule": rules::write(&self.rule),
        })
    }
}

/// Reads a rate.
pub(crate) fn read_rate(field: &Field<'_>) -> Result<Rate, Refusal> {
    let per_second = RATE.read(field)?;
    let thousandths = (per_second * 1e3).round();
    // A number of at most three decimals differs from its thousandths by the rounding of the product only.
    if (per_second * 1e3 - thousandths).abs() > 1e-6 {
        return Err(field.refuse(&format!("is {per_second}"), "give at most three decimals, such as 12.5"));
    }
    Ok(Rate::from_thousandths(thousandths as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_written_out_read_as_themselves() {
        for preset in Preset::ALL {
            let settings = preset.settings();
            let written = settings.write();
            let base = Settings { rate: Rate::from_thousandths(1), errors_percent: 7.0, ..settings };
            assert_eq!(Settings::read(&Field::root(&written), base), Ok(settings));
        }
    }

    #[test]
    fn every_key_is_read() {
        let written = Preset::OutageRecovery.settings().write();
        let keys: Vec<&str> = written.as_object().expect("an object").keys().map(String::as_str).collect();
        let mut expected = KEYS.to_vec();
        expected.sort_unstable();
        assert_eq!(keys, expected);
    }

    #[test]
    fn the_outage_begins_at_8_s_and_ends_just_before_30_s() {
        let settings = Preset::OutageRecovery.settings();
        let at = |nanos| settings.errors_at(Time::from_nanos(nanos));
        assert_eq!([at(0), at(7_999_999_999), at(8_000_000_000)], [0.0, 0.0, 100.0]);
        assert_eq!([at(29_999_999_999), at(30_000_000_000), at(89_999_999_999)], [100.0, 0.0, 0.0]);
        let manual = Settings { schedule: Schedule::Manual, ..settings };
        assert_eq!(manual.errors_at(Time::ZERO), 100.0);
    }

    #[test]
    fn a_rate_has_three_decimals_at_most() {
        let read = |value: Value| read_rate(&Field { path: "rate".to_owned(), value: &value }).map(Rate::thousandths);
        assert_eq!([read(json!(12)), read(json!(0.1)), read(json!(33.333))], [Ok(12_000), Ok(100), Ok(33_333)]);
        assert!(read(json!(33.3333)).expect_err("too fine").sentence.contains("three decimals"));
        assert!(read(json!(201)).expect_err("too high").sentence.contains("from 0.1 to 200"));
        assert!(read(json!(0)).is_err());
    }
}
