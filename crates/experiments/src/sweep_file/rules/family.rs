//! The families of rules and what each has to be told.

use policies::{AnyRule, FailureRatio, HalfOpen, Kind as Values, Library, Value};

use super::grid::AxisValues;
use crate::sweep_file::axis::Kind;

/// The family of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Family {
    None,
    Consecutive,
    Ratio,
    /// The breaker of a library, with that library's own parameters.
    Dialect(&'static Library),
}

/// A number of a rule, in the order in which the axes of a grid turn: the last fastest.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) key: &'static str,
    pub(super) required: bool,
    /// What a rule has that does not say it.
    pub(super) default: Option<AxisValues>,
    pub(crate) kind: Kind,
    /// Whether its values are words, switches or lists, and no numbers.
    pub(super) is_choice: bool,
    /// A line that would do.
    pub(super) example: String,
}

impl Family {
    /// The words for all families.
    pub(super) fn names() -> Vec<&'static str> {
        AnyRule::names().collect()
    }

    pub(super) fn named(name: &str) -> Self {
        match name {
            "none" => Self::None,
            "consecutive" => Self::Consecutive,
            "ratio" => Self::Ratio,
            _ => Self::Dialect(Library::named(name).expect("a family's name")),
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Consecutive => "consecutive",
            Self::Ratio => "ratio",
            Self::Dialect(library) => library.name,
        }
    }

    pub(crate) fn parameters(self) -> Vec<Parameter> {
        let required = |key, kind, example: &str| Parameter {
            key,
            required: true,
            default: None,
            kind,
            is_choice: false,
            example: example.to_owned(),
        };
        // The usual probing is an axis of one value as well, so that a sweep that says it is the same sweep.
        let usual = |key, value: u32| Parameter {
            required: false,
            default: Some(AxisValues::Counts(vec![value])),
            ..required(key, Kind::Count(u32::MAX), &format!("{key} = 1"))
        };
        let HalfOpen { permits, successes } = HalfOpen::default();
        let cycle = [
            required("open_for", Kind::Time, "open_for = [\"1s\", \"5s\"]"),
            usual("half_open_permits", permits),
            usual("half_open_successes", successes),
        ];
        match self {
            Self::None => Vec::new(),
            Self::Consecutive => {
                let example = "threshold = { from = 1, to = 20, step = 1 }";
                [required("threshold", Kind::Count(u32::MAX), example)].into_iter().chain(cycle).collect()
            }
            Self::Ratio => {
                let window = Kind::Count(FailureRatio::MAX_WINDOW);
                let own = [
                    required("window", window, "window = [10, 20, 50]"),
                    required("threshold", Kind::Share, "threshold = { from = 0.1, to = 0.9, step = 0.1 }"),
                ];
                own.into_iter().chain(cycle).collect()
            }
            Self::Dialect(library) => library.parameters.iter().map(Parameter::of_library).collect(),
        }
    }
}

impl Parameter {
    fn of_library(parameter: &'static policies::Parameter) -> Self {
        let kind = Kind::Library(parameter);
        let example = match parameter.kind {
            Values::Word(words) => format!("\"{}\"", words[0]),
            Values::Flag => "true".to_owned(),
            Values::Times => "\"100,300,700\"".to_owned(),
            Values::Count | Values::Number | Values::Time(_) | Values::TimeOrFalse(_) => kind.example().to_owned(),
        };
        Self {
            key: parameter.name,
            required: parameter.required,
            default: parameter.default.map(|value: Value| AxisValues::Values(vec![value])),
            kind,
            is_choice: matches!(
                parameter.kind,
                Values::Word(_) | Values::Flag | Values::Times | Values::TimeOrFalse(_)
            ),
            example: format!("{} = {example}", parameter.name),
        }
    }
}
