//! All that a run depends on: settings, seed, and what is changed on the way.

use engine::{Duration, Time};
use policies::AnyRule;
use serde_json::{Map, Value, json};

use crate::body::{Field, LARGEST_WHOLE, Section, did_you_mean, quoted};
use crate::parameter::seconds;
use crate::settings::{
    BREAKER_ENABLED, ERRORS, HORIZON, Preset, RATE, RESPONSE_TIME, Rate, Schedule, Settings, read_rate,
};
use crate::{Refusal, rules};

/// No run has more interventions.
pub const MOST_INTERVENTIONS: usize = 200;

/// All that a run depends on. Two runs of equal inputs are equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Decides, with its number, whether a request fails.
    pub seed: u64,
    /// The settings at the start.
    pub settings: Settings,
    /// What is changed on the way, by ascending time.
    pub interventions: Vec<Intervention>,
}

/// A change of the settings during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervention {
    /// It acts before everything that happens at this instant.
    pub at: Time,
    /// What it changes.
    pub change: Change,
    /// The key as it was written.
    key: String,
    /// The value as it was written.
    value: Option<Value>,
}

/// What an intervention changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// Requests per second.
    Rate(Rate),
    /// The error rate, which leaves the schedule.
    Errors(f64),
    /// The schedule itself.
    Schedule(Schedule),
    /// All requests fail from now on.
    Break,
    /// No request fails from now on.
    Repair,
    /// How long calls admitted from now on take.
    ResponseTime(Duration),
    /// Breaker or bypass.
    BreakerEnabled(bool),
    /// The breaker's rule.
    Rule(AnyRule),
}

impl Change {
    /// The keys that an intervention can have; `rule.` is followed by a parameter of the rule at that time.
    pub const KEYS: [&'static str; 8] = [
        RATE.key,
        ERRORS.key,
        "schedule",
        "break_service",
        "repair_service",
        RESPONSE_TIME.key,
        BREAKER_ENABLED.key,
        "rule",
    ];

    /// Changes settings.
    pub fn apply(&self, settings: &mut Settings) {
        let mut manual = |percent| {
            settings.schedule = Schedule::Manual;
            settings.errors_percent = percent;
        };
        match *self {
            Self::Errors(percent) => manual(percent),
            Self::Break => manual(100.0),
            Self::Repair => manual(0.0),
            Self::Rate(rate) => settings.rate = rate,
            Self::Schedule(schedule) => settings.schedule = schedule,
            Self::ResponseTime(response_time) => settings.response_time = response_time,
            Self::BreakerEnabled(enabled) => settings.breaker_enabled = enabled,
            Self::Rule(rule) => settings.rule = rule,
        }
    }

    /// Whether it says which of the two runs of a comparison this is.
    #[must_use]
    pub const fn is_of_the_switch(&self) -> bool {
        matches!(self, Self::BreakerEnabled(_))
    }

    fn read(section: &Section<'_>, key_field: &Field<'_>, current: &Settings) -> Result<Self, Refusal> {
        let key = key_field.text()?;
        let value = || section.required("value", &format!("say what `{key}` is changed to"));
        Ok(match key {
            _ if key == RATE.key => Self::Rate(read_rate(&value()?)?),
            _ if key == ERRORS.key => Self::Errors(ERRORS.read(&value()?)?),
            _ if key == RESPONSE_TIME.key => Self::ResponseTime(seconds(RESPONSE_TIME.read(&value()?)?)),
            _ if key == BREAKER_ENABLED.key => Self::BreakerEnabled(value()?.flag()?),
            "schedule" => Self::Schedule(Schedule::read(&value()?)?),
            "break_service" | "repair_service" if let Some(value) = section.optional("value") => {
                return Err(value.refuse(&format!("means nothing to `{key}`"), "leave it out"));
            }
            "break_service" => Self::Break,
            "repair_service" => Self::Repair,
            "rule" => Self::Rule(rules::read(&value()?)?),
            _ => match key.strip_prefix("rule.") {
                Some(parameter) => Self::Rule(rules::with(&current.rule, parameter, key_field, &value()?)?),
                None => return Err(unknown(key_field, key)),
            },
        })
    }
}

fn unknown(field: &Field<'_>, key: &str) -> Refusal {
    let remedy = match did_you_mean(key, &Change::KEYS) {
        Some(meant) => format!("did you mean \"{meant}\"?"),
        None => format!("give one of {}, or \"rule.\" and a parameter of the rule", quoted(&Change::KEYS, '"')),
    };
    field.refuse("is none of the keys", &remedy)
}

impl Input {
    /// The input of a preset.
    #[must_use]
    pub fn of_preset(preset: Preset, seed: u64) -> Self {
        Self { seed, settings: preset.settings(), interventions: Vec::new() }
    }

    /// Reads a body.
    ///
    /// # Errors
    ///
    /// When a key is unknown or a value impossible.
    pub fn read(body: &Value) -> Result<Self, Refusal> {
        let root = Field::root(body).section(&["seed", "preset", "settings", "interventions"])?;
        let seed = root.optional("seed").map_or(Ok(1), |field| field.whole(0, LARGEST_WHOLE))?;
        let preset = root.optional("preset").map_or(Ok(Preset::OutageRecovery), |field| Preset::read(&field))?;
        let base = preset.settings();
        let settings = root.optional("settings").map_or(Ok(base), |field| Settings::read(&field, base))?;
        let list = root.optional("interventions").map_or(Ok(Vec::new()), |field| field.list(MOST_INTERVENTIONS))?;
        Ok(Self { seed, settings, interventions: read_interventions(list, settings)? })
    }

    /// The input written out: as a body it means the same.
    #[must_use]
    pub fn write(&self) -> Value {
        let interventions = self.interventions.iter().map(|intervention| {
            let mut keys = Map::new();
            keys.insert("at_ns".to_owned(), json!(intervention.at.as_nanos()));
            keys.insert("key".to_owned(), json!(intervention.key));
            if let Some(value) = &intervention.value {
                keys.insert("value".to_owned(), value.clone());
            }
            Value::Object(keys)
        });
        json!({
            "seed": self.seed,
            "settings": self.settings.write(),
            "interventions": interventions.collect::<Vec<_>>(),
        })
    }

    /// The same run with the breaker on, or bypassed, all the time.
    #[must_use]
    pub fn with_breaker(&self, enabled: bool) -> Self {
        let mut input = self.clone();
        input.settings.breaker_enabled = enabled;
        input.interventions.retain(|intervention| !intervention.change.is_of_the_switch());
        input
    }
}

/// Reads interventions and sorts them. A parameter is one of the rule that is in force when it is changed.
fn read_interventions(list: Vec<Field<'_>>, mut settings: Settings) -> Result<Vec<Intervention>, Refusal> {
    let mut sections = Vec::with_capacity(list.len());
    for field in list {
        let section = field.section(&["at", "at_ns", "key", "value"])?;
        let at = match (section.optional("at"), section.optional("at_ns")) {
            (None, Some(nanos)) => Time::from_nanos(nanos.whole(0, HORIZON.as_nanos())?),
            (Some(at), None) => at.instant(HORIZON)?,
            (Some(_), Some(nanos)) => return Err(nanos.refuse("is given beside `at`", "give one of the two")),
            (None, None) => {
                section.required("at", "say when it acts, in seconds").and_then(|at| at.instant(HORIZON))?
            }
        };
        sections.push((at, section));
    }
    sections.sort_by_key(|&(at, _)| at);
    let mut interventions = Vec::with_capacity(sections.len());
    for (at, section) in sections {
        let key_field = section.required("key", "say what is changed")?;
        let change = Change::read(&section, &key_field, &settings)?;
        change.apply(&mut settings);
        let key = key_field.text()?.to_owned();
        let value = section.optional("value").map(|field| field.value.clone());
        interventions.push(Intervention { at, change, key, value });
    }
    Ok(interventions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_body_is_the_scheduled_outage_with_seed_1() {
        assert_eq!(Input::read(&json!({})), Ok(Input::of_preset(Preset::OutageRecovery, 1)));
        assert_eq!(Input::read(&json!({"preset": "healthy", "seed": 7})), Ok(Input::of_preset(Preset::Healthy, 7)));
    }

    #[test]
    fn written_out_it_reads_as_itself() {
        let body = json!({"interventions": [
            {"at": 20, "key": "rule", "value": {"kind": "ratio"}},
            {"at": "8766666667ns", "key": "break_service"},
            {"at": 20, "key": "rule.window", "value": 5},
            {"at_ns": 5, "key": "response_time", "value": "250ms"},
        ]});
        let input = Input::read(&body).expect("valid");
        assert!(input.interventions.is_sorted_by_key(|intervention| intervention.at));
        assert_eq!(Input::read(&input.write()), Ok(input));
    }

    #[test]
    fn a_parameter_belongs_to_the_rule_of_its_time() {
        let too_early = json!({"interventions": [
            {"at": 20, "key": "rule", "value": {"kind": "ratio"}},
            {"at": 10, "key": "rule.window", "value": 5},
        ]});
        let error = Input::read(&too_early).expect_err("no window yet");
        assert!(error.sentence.contains("the rule at that time is consecutive"), "{error}");
        assert_eq!(error.key.as_deref(), Some("interventions[1].key"));
    }

    #[test]
    fn which_edits_leave_the_schedule() {
        let start = Preset::OutageRecovery.settings();
        let schedule_after = |change: Change| {
            let mut settings = start;
            change.apply(&mut settings);
            (settings.schedule, settings.errors_percent)
        };
        assert_eq!(schedule_after(Change::Errors(40.0)), (Schedule::Manual, 40.0));
        assert_eq!(schedule_after(Change::Break), (Schedule::Manual, 100.0));
        assert_eq!(schedule_after(Change::Repair), (Schedule::Manual, 0.0));
        for kept in [
            Change::Rate(Rate::from_thousandths(1)),
            Change::ResponseTime(Duration::TICK),
            Change::BreakerEnabled(false),
            Change::Rule(start.rule),
        ] {
            assert_eq!(schedule_after(kept), (Schedule::Outage, 100.0), "{kept:?}");
        }
    }

    #[test]
    fn wrong_inputs_get_a_sentence() {
        for (body, part) in [
            (json!([]), "The body is a list: give an object"),
            (json!({"sead": 1}), "did you mean `seed`?"),
            (json!({"seed": 9_007_199_254_740_992_u64}), "`seed` is 9007199254740992: give a whole number"),
            (json!({"preset": "outage"}), "did you mean \"outage_recovery\"?"),
            (json!({"interventions": [{"key": "break_service"}]}), "`interventions[0].at` is missing"),
            (json!({"interventions": [{"at": 1}]}), "`interventions[0].key` is missing"),
            (json!({"interventions": [{"at": 1, "key": "response_time"}]}), "`interventions[0].value` is missing"),
            (json!({"interventions": [{"at": 91, "key": "break_service"}]}), "give 0 to 90 seconds"),
            (json!({"interventions": [{"at": 1, "at_ns": 1, "key": "break_service"}]}), "give one of the two"),
            (
                json!({"interventions": [{"at": 1, "key": "break_service", "value": 50}]}),
                "`interventions[0].value` means nothing to `break_service`: leave it out",
            ),
            (json!({"interventions": [{"at": 1, "key": "brake_service"}]}), "did you mean \"break_service\"?"),
            (json!({"interventions": vec![json!({}); 201]}), "give 200 at most"),
        ] {
            let error = Input::read(&body).expect_err("wrong");
            assert!(error.sentence.contains(part), "{error}");
        }
    }
}
