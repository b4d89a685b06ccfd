//! A library of circuit breakers: where it comes from, what its parameters are, and the rule that settings make.

use engine::Duration;

use crate::{AnyRule, Dialect, Durations, Kind, Parameter, RuleError, Settings, TimeUnit, Value};

/// A library whose breakers are known exactly.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// Its name here: in sweep files, results and tables.
    pub name: &'static str,
    /// Its name in recordings of its behaviour.
    pub recorded_as: &'static str,
    /// The version whose rules these are.
    pub version: &'static str,
    /// The public repository, registry entry or tag that the rules were read in.
    pub source: &'static str,
    /// Where in it the rules are.
    pub path: &'static str,
    /// Its parameters, in the order in which the library presents them.
    pub parameters: &'static [Parameter],
    /// Makes the rule of settings that have been checked one by one.
    pub(crate) make: fn(&Given<'_>) -> Result<Dialect, RuleError>,
}

/// A value as some text has it, before the library says what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Written<'a> {
    /// A number.
    Number(f64),
    /// `true` or `false`.
    Flag(bool),
    /// A text.
    Text(&'a str),
}

impl Library {
    /// The library of that name: [`Library::name`].
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        crate::libraries().iter().find(|library| library.name == name)
    }

    /// The library that recordings call so, at that version.
    #[must_use]
    pub fn recorded(name: &str, version: &str) -> Option<&'static Self> {
        crate::libraries().iter().find(|library| library.recorded_as == name && library.version == version)
    }

    /// The parameter of that name.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The rule that these settings make.
    ///
    /// # Errors
    ///
    /// If a name is not one of the library's, a value is not of its parameter's kind, or the library refuses it.
    pub fn build(&self, settings: &Settings) -> Result<AnyRule, RuleError> {
        for (name, value) in settings.iter() {
            let parameter = self.parameter(name).ok_or_else(|| self.unknown(name))?;
            if !parameter.accepts(value) {
                return Err(self.refused(parameter, &parameter.written(value)));
            }
        }
        for parameter in self.parameters.iter().filter(|parameter| parameter.required) {
            if settings.get(parameter.name).is_none() {
                return Err(RuleError::Missing {
                    library: self.name,
                    parameter: parameter.name,
                    expected: parameter.expected(),
                });
            }
        }
        (self.make)(&Given { library: self, settings }).map(AnyRule::Dialect)
    }

    /// Reads one setting from a text, such as a recording or a configuration.
    ///
    /// `name` is the library's own. A number that is the value of a time is in the unit that the library uses; where it uses
    /// an object, the name has to end in `_ms` or `_s`. Such an ending is possible everywhere.
    ///
    /// # Errors
    ///
    /// If the library has no parameter of that name, or the value is not of its kind. Bounds are checked by
    /// [`Library::build`].
    pub fn read(&self, name: &str, written: Written<'_>) -> Result<(&'static str, Value), RuleError> {
        let endings = [("", None), ("_ms", Some(TimeUnit::Milliseconds)), ("_s", Some(TimeUnit::Seconds))];
        let (parameter, unit) = endings
            .into_iter()
            .find_map(|(ending, unit)| Some((self.parameter(name.strip_suffix(ending)?)?, unit)))
            .ok_or_else(|| self.unknown(name))?;
        let value = match (parameter.kind, written) {
            (Kind::Count | Kind::Number, Written::Number(number)) if unit.is_none() => Some(Value::Number(number)),
            (Kind::Flag | Kind::TimeOrFalse(_), Written::Flag(flag)) => Some(Value::Flag(flag)),
            (Kind::Word(words), Written::Text(text)) => {
                words.iter().find(|&&word| word == text).map(|word| Value::Word(word))
            }
            (Kind::Time(own) | Kind::TimeOrFalse(own), Written::Number(number)) => {
                let unit = unit.unwrap_or(own);
                if unit == TimeUnit::Object {
                    return Err(RuleError::NoUnit { library: self.name, parameter: parameter.name, number });
                }
                unit.time(number).map(Value::Time)
            }
            (Kind::Times, Written::Text(text)) => Durations::parse(text).map(Value::Times),
            _ => None,
        };
        let given = match written {
            Written::Number(number) => number.to_string(),
            Written::Flag(flag) => flag.to_string(),
            Written::Text(text) => format!("\"{text}\""),
        };
        value.map(|value| (parameter.name, value)).ok_or_else(|| self.refused(parameter, &given))
    }

    /// What the settings say that the defaults do not, in the order of the parameters.
    #[must_use]
    pub fn without_defaults(&self, settings: &Settings) -> Settings {
        let said = self.parameters.iter().filter_map(|parameter| {
            let value = settings.get(parameter.name)?;
            (parameter.default != Some(value)).then_some((parameter.name, value))
        });
        said.collect()
    }

    /// The settings in one line: `name = value, …` in the library's units.
    #[must_use]
    pub fn in_words(&self, settings: &Settings) -> String {
        let words = settings.iter().map(|(name, value)| {
            let written = self.parameter(name).map_or_else(|| format!("{value:?}"), |known| known.written(value));
            format!("{name} = {written}")
        });
        words.collect::<Vec<_>>().join(", ")
    }

    fn unknown(&self, name: &str) -> RuleError {
        RuleError::UnknownParameter { library: self.name, parameter: name.to_owned(), known: self.parameters }
    }

    pub(crate) fn refused(&self, parameter: &Parameter, given: &str) -> RuleError {
        RuleError::Refused {
            library: self.name,
            parameter: parameter.name,
            given: given.to_owned(),
            expected: parameter.expected(),
        }
    }
}

/// Settings that have been checked one by one, with the defaults of what is absent.
///
/// # Panics
///
/// Its methods panic when asked for a parameter that the library does not have, or as another kind than it is.
pub(crate) struct Given<'a> {
    pub(crate) library: &'a Library,
    pub(crate) settings: &'a Settings,
}

impl Given<'_> {
    /// The value, or its default; `None` if the parameter is absent.
    pub(crate) fn value(&self, name: &str) -> Option<Value> {
        let parameter = self.library.parameter(name).expect("a parameter of the library");
        self.settings.get(name).or(parameter.default)
    }

    /// Whether the value was given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.settings.get(name).is_some()
    }

    pub(crate) fn optional_number(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Some(Value::Number(number)) => Some(number),
            None => None,
            Some(other) => panic!("{name} is no number: {other:?}"),
        }
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        self.optional_number(name).expect("required, or has a default")
    }

    pub(crate) fn optional_count(&self, name: &str) -> Option<u32> {
        self.optional_number(name).map(|number| number as u32)
    }

    pub(crate) fn count(&self, name: &str) -> u32 {
        self.number(name) as u32
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        self.value(name) == Some(Value::Flag(true))
    }

    pub(crate) fn word(&self, name: &str) -> Option<&'static str> {
        match self.value(name) {
            Some(Value::Word(word)) => Some(word),
            None => None,
            Some(other) => panic!("{name} is no word: {other:?}"),
        }
    }

    /// The time; `None` if it is absent, or `false`.
    pub(crate) fn optional_time(&self, name: &str) -> Option<Duration> {
        match self.value(name) {
            Some(Value::Time(time)) => Some(time),
            None | Some(Value::Flag(_)) => None,
            Some(other) => panic!("{name} is no time: {other:?}"),
        }
    }

    pub(crate) fn time(&self, name: &str) -> Duration {
        self.optional_time(name).expect("required, or has a default")
    }

    /// The library refuses the value of `name` because of another one.
    pub(crate) fn refuse(&self, name: &'static str, why: String) -> RuleError {
        let parameter = self.library.parameter(name).expect("a parameter of the library");
        let given = self.value(name).map_or_else(|| "absent".to_owned(), |value| parameter.written(value));
        RuleError::Refused { library: self.library.name, parameter: name, given, expected: why }
    }
}
