//! The rules of no library, with their parameters: names as in sweep files.

use engine::Duration;
use policies::{AnyRule, Consecutive, HalfOpen, NoBreaker, Ratio, RuleError};
use serde_json::{Map, Value, json};

use crate::Refusal;
use crate::body::{Field, Section};
use crate::parameter::{Kind, Parameter, seconds};

/// A family of rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    /// Its name in the policies crate.
    pub(super) kind: &'static str,
    /// Its name for people.
    pub(super) label: &'static str,
    /// A sentence on when it opens.
    pub(super) help: &'static str,
    /// What can be set.
    pub(super) parameters: &'static [Parameter],
}

const fn open_for(default: f64) -> Parameter {
    Parameter {
        key: "open_for",
        label: "Cooldown",
        help: "How long an open breaker rejects every request before it lets a probe through.",
        kind: Kind::Duration,
        unit: "s",
        default,
        min: 0.001,
        max: 86_400.0,
        step: 0.5,
        advanced: false,
    }
}

const PERMITS: Parameter = Parameter {
    key: "half_open_permits",
    label: "Probes at once",
    help: "How many probes may be under way at once while the breaker is half-open.",
    kind: Kind::Whole,
    unit: "probes",
    default: 1.0,
    min: 1.0,
    max: 100.0,
    step: 1.0,
    advanced: true,
};

const SUCCESSES: Parameter = Parameter {
    key: "half_open_successes",
    label: "Successful probes to close",
    help: "How many probes have to succeed before the breaker closes; the first one that fails opens it again.",
    kind: Kind::Whole,
    unit: "probes",
    default: 1.0,
    min: 1.0,
    max: 100.0,
    step: 1.0,
    advanced: true,
};

/// All families, in the order in which they are offered.
pub(super) const FAMILIES: [Family; 3] = [
    Family {
        kind: "consecutive",
        label: "Consecutive failures",
        help: "Opens when so many completed calls in a row have failed; a success clears the streak.",
        parameters: &[
            Parameter {
                key: "threshold",
                label: "Consecutive failures to open",
                help: "How many completed failures in a row open the breaker.",
                kind: Kind::Whole,
                unit: "failures",
                default: 3.0,
                min: 1.0,
                max: 1_000.0,
                step: 1.0,
                advanced: false,
            },
            open_for(6.0),
            PERMITS,
            SUCCESSES,
        ],
    },
    Family {
        kind: "ratio",
        label: "Share of failures",
        help: "Opens when, of a full window of the latest completed calls, so large a share has failed.",
        parameters: &[
            Parameter {
                key: "window",
                label: "Latest results that count",
                help: "How many of the latest completed calls are looked at; nothing is decided before there are so many.",
                kind: Kind::Whole,
                unit: "results",
                default: 10.0,
                min: 1.0,
                max: 1_000.0,
                step: 1.0,
                advanced: false,
            },
            Parameter {
                key: "threshold",
                label: "Share of failures to open",
                help: "The share of failures in the window that opens the breaker: 0.5 is one half.",
                kind: Kind::Number,
                unit: "share",
                default: 0.5,
                min: 0.001,
                max: 1.0,
                step: 0.05,
                advanced: false,
            },
            open_for(6.0),
            PERMITS,
            SUCCESSES,
        ],
    },
    Family {
        kind: "none",
        label: "No breaker",
        help: "Every request passes. The breaker is there, but nothing ever opens it.",
        parameters: &[],
    },
];

/// The family that is meant where none is named.
pub(super) const DEFAULT: &Family = &FAMILIES[0];

impl Family {
    /// The family of that name.
    pub(super) fn named(kind: &str) -> Option<&'static Self> {
        FAMILIES.iter().find(|family| family.kind == kind)
    }

    /// The keys of its parameters.
    pub(super) fn keys(&self) -> Vec<&'static str> {
        self.parameters.iter().map(|parameter| parameter.key).collect()
    }

    /// What a page needs to offer it.
    pub(super) fn offer(&self) -> Value {
        let parameters: Vec<Value> =
            self.parameters.iter().map(|parameter| Value::Object(parameter.describe("name"))).collect();
        json!({ "kind": self.kind, "label": self.label, "help": self.help, "parameters": parameters })
    }

    /// The rule of an object; what it leaves out is the default.
    pub(super) fn read(&self, section: &Section<'_>, path: &str) -> Result<AnyRule, Refusal> {
        let given = |parameter: &Parameter| section.optional(parameter.key).map(|field| parameter.read(&field));
        self.with_numbers(given, &self.defaults(), path)
    }

    /// A rule of this family with one parameter changed.
    pub(super) fn with(&self, rule: &AnyRule, key: &str, value: &Field<'_>) -> Result<AnyRule, Refusal> {
        let given = |parameter: &Parameter| (parameter.key == key).then(|| parameter.read(value));
        self.with_numbers(given, &numbers(rule), &value.path)
    }

    /// A rule of this family written out.
    pub(super) fn write(&self, rule: &AnyRule) -> Map<String, Value> {
        let numbers = self.parameters.iter().zip(numbers(rule));
        numbers.map(|(parameter, number)| (parameter.key.to_owned(), parameter.write(number))).collect()
    }

    /// The rule of all defaults.
    pub(super) fn default_rule(&self) -> AnyRule {
        self.build(&self.defaults()).expect("the defaults are a rule")
    }

    fn defaults(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.default).collect()
    }

    /// The rule with the numbers that are `given`, and `fallback` for the others.
    fn with_numbers(
        &self,
        given: impl Fn(&Parameter) -> Option<Result<f64, Refusal>>,
        fallback: &[f64],
        path: &str,
    ) -> Result<AnyRule, Refusal> {
        let numbers: Vec<f64> = self
            .parameters
            .iter()
            .zip(fallback)
            .map(|(parameter, &fallback)| given(parameter).unwrap_or(Ok(fallback)))
            .collect::<Result<_, _>>()?;
        self.build(&numbers).map_err(|error| Refusal::of_key(path, format!("`{path}`: {error}.")))
    }

    /// The rule with these numbers, in the order of its parameters.
    fn build(&self, numbers: &[f64]) -> Result<AnyRule, RuleError> {
        let half_open =
            |permits: f64, successes: f64| HalfOpen { permits: permits as u32, successes: successes as u32 };
        Ok(match *numbers {
            [threshold, open_for, permits, successes] => {
                Consecutive::new(threshold as u32, seconds(open_for), half_open(permits, successes))?.into()
            }
            [window, threshold, open_for, permits, successes] => {
                Ratio::new(window as u32, threshold, seconds(open_for), half_open(permits, successes))?.into()
            }
            _ => NoBreaker.into(),
        })
    }
}

/// The numbers by which a rule differs from others of its family, in the order of the family's parameters.
fn numbers(rule: &AnyRule) -> Vec<f64> {
    let (open_for, probes) = (rule.open_for().map(Duration::as_secs_f64), rule.half_open());
    let own = [rule.window().map(f64::from), rule.threshold()];
    let permits = probes.map(|probes| f64::from(probes.permits));
    let successes = probes.map(|probes| f64::from(probes.successes));
    own.into_iter().chain([open_for, permits, successes]).flatten().collect()
}
