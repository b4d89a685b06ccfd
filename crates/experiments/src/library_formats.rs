//! Configurations of real circuit-breaker libraries: printing a design as one, and reading one as rules of a sweep.
//!
//! Everything about one library's configuration is in the file of its name. Numbers are never converted by guessing: what a
//! library cannot express is refused with the reason, and a number that looks like another unit than the library's is
//! refused with both readings ([`Units`]).

mod cockatiel;
mod failsafe;
mod failsafe_rs;
mod go;
mod gobreaker;
mod hystrix;
mod javascript;
mod opossum;
mod other_families;
mod properties;
mod pybreaker;
mod reader;
mod recloser;
mod resilience4j;
mod rule_table;
mod sentinel;
mod tree;
mod units;
mod yaml;

use std::fmt;

use engine::Duration;
use policies::{AnyRule, Library, Settings, Value};

use crate::shortened::shortened;

pub use rule_table::rule_table;
pub use units::Units;

/// A form in which designs are printed.
#[derive(Clone, Copy)]
pub struct Format {
    /// Its name on the command line.
    pub name: &'static str,
    /// The libraries whose designs it can hold, as sweeps call them.
    pub libraries: &'static [&'static str],
    export: fn(&Design<'_>) -> Result<String, String>,
}

/// All forms, in the order of help texts.
pub const FORMATS: [Format; 12] = [
    Format { name: "resilience4j", libraries: &["resilience4j"], export: resilience4j::export },
    Format { name: "resilience4j-java", libraries: &["resilience4j"], export: resilience4j::export_java },
    Format { name: "hystrix", libraries: &["hystrix_1_5_18", "hystrix_1_5_13"], export: hystrix::export },
    Format { name: "failsafe", libraries: &["failsafe_java"], export: failsafe::export_java },
    Format { name: "failsafe-go", libraries: &["failsafe_go"], export: failsafe::export_go },
    Format { name: "gobreaker", libraries: &["gobreaker"], export: gobreaker::export },
    Format { name: "opossum", libraries: &["opossum"], export: opossum::export },
    Format { name: "cockatiel", libraries: &["cockatiel"], export: cockatiel::export },
    Format { name: "pybreaker", libraries: &["pybreaker"], export: pybreaker::export },
    Format { name: "sentinel", libraries: &["sentinel"], export: sentinel::export },
    Format { name: "failsafe-rs", libraries: &["failsafe_rs"], export: failsafe_rs::export },
    Format { name: "recloser", libraries: &["recloser"], export: recloser::export },
];

/// A configuration that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Properties of Spring Boot, as YAML, a properties file or JSON.
    Resilience4j,
    /// Archaius properties.
    Hystrix,
    /// `Settings`, as Go or JSON.
    Gobreaker,
    /// Options, as JavaScript or JSON.
    Opossum,
    /// Options, as JavaScript, TypeScript or JSON.
    Cockatiel,
    /// A `DegradeRule`, or a list of them, as JSON.
    Sentinel,
}

impl Source {
    /// All, with their names on the command line.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("resilience4j", Self::Resilience4j),
        ("hystrix", Self::Hystrix),
        ("gobreaker", Self::Gobreaker),
        ("opossum", Self::Opossum),
        ("cockatiel", Self::Cockatiel),
        ("sentinel", Self::Sentinel),
    ];
}

/// A breaker that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Imported {
    /// What the configuration calls it; may be empty.
    pub name: String,
    /// The line on which it begins.
    pub line: usize,
    /// The rule.
    pub rule: AnyRule,
    /// What the configuration says and the rule does not hold, a sentence each.
    pub notes: Vec<String>,
}

/// Why a configuration cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// The line, from 1; 0 for the text as a whole.
    pub line: usize,
    /// The key; may be empty.
    pub key: String,
    /// What is wrong, and what to do.
    pub problem: String,
}

impl FormatError {
    fn new(line: usize, key: &str, problem: String) -> Self {
        Self { line, key: shortened(key), problem }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key.as_str() {
            "" => f.write_str(&self.problem),
            key => write!(f, "`{key}`: {}", self.problem),
        }
    }
}

impl std::error::Error for FormatError {}

/// All that is wrong with a configuration, as far as it can be told apart; at least one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatErrors(Vec<FormatError>);

impl FormatErrors {
    /// The errors in the order of the text.
    #[must_use]
    pub fn all(&self) -> &[FormatError] {
        &self.0
    }

    /// The parts that could be read, or all that is wrong with the others; what is wrong with several of them, such as a
    /// setting that they inherit, is said once.
    fn collect<T>(parts: impl IntoIterator<Item = Result<T, Self>>) -> Result<Vec<T>, Self> {
        let (mut read, mut wrong) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Ok(part) => read.push(part),
                Err(Self(errors)) => wrong.extend(errors),
            }
        }
        Self::unless_none(wrong).map(|()| read)
    }

    /// Succeeds where nothing is wrong.
    fn unless_none(errors: Vec<FormatError>) -> Result<(), Self> {
        let mut once: Vec<FormatError> = Vec::new();
        errors.into_iter().for_each(|error| {
            if !once.contains(&error) {
                once.push(error);
            }
        });
        once.sort_by_key(|error| error.line);
        if once.is_empty() { Ok(()) } else { Err(Self(once)) }
    }
}

impl From<FormatError> for FormatErrors {
    fn from(error: FormatError) -> Self {
        Self(vec![error])
    }
}

impl fmt::Display for FormatErrors {
    /// One line per error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for FormatErrors {}

/// Prints a design in a library's own form. `name` is what the breaker is called there, where it is called anything.
///
/// # Errors
///
/// If the design is of another family and nothing in the library does exactly the same, or the library's form cannot say
/// it; a sentence with the reason.
pub fn export(rule: &AnyRule, format: &Format, name: &str) -> Result<String, String> {
    let translated = other_families::translated(rule, format)?;
    let rule = translated.as_ref().unwrap_or(rule);
    let dialect = rule.dialect().ok_or("the design is no library's")?;
    let library = dialect.library();
    if !format.libraries.contains(&library.name) {
        return Err(format!(
            "the design is one of {}, and no other library does the same: print it --as {}",
            library.name,
            FORMATS.iter().find(|format| format.libraries.contains(&library.name)).map_or("?", |format| format.name)
        ));
    }
    (format.export)(&Design { library, settings: dialect.settings(), name })
}

/// Reads the breakers of a configuration.
///
/// `file` is its name, which tells YAML, properties and Go from the rest. Without `source` the keys tell the library.
///
/// # Errors
///
/// If the text cannot be read, holds no breaker, or holds one that is not known exactly; all that can be told apart.
pub fn import(file: &str, text: &str, source: Option<Source>, units: Units) -> Result<Vec<Imported>, FormatErrors> {
    reader::read(file, text, source, units)
}

/// A design to be printed.
struct Design<'a> {
    library: &'static Library,
    /// All that is not absent, defaults included.
    settings: Settings,
    name: &'a str,
}

impl Design<'_> {
    fn number(&self, name: &str) -> Option<f64> {
        match self.settings.get(name) {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }

    fn time(&self, name: &str) -> Option<Duration> {
        match self.settings.get(name) {
            Some(Value::Time(time)) => Some(time),
            _ => None,
        }
    }

    fn word(&self, name: &str) -> Option<&'static str> {
        match self.settings.get(name) {
            Some(Value::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The value as the library writes it, where that is a number, a word or a switch.
    fn written(&self, name: &str) -> Option<String> {
        let parameter = self.library.parameter(name)?;
        self.settings.get(name).map(|value| parameter.written(value))
    }

    /// The library and its version, for a comment.
    fn origin(&self) -> String {
        let Library { recorded_as, version, .. } = self.library;
        format!("{recorded_as} {version}")
    }
}

#[cfg(test)]
mod tests;
