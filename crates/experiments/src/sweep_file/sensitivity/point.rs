//! One point of a sensitivity analysis as a sweep: the file with some of its values replaced.

use std::path::Path;

use super::{Factor, Quantity, Sensitivity};
use crate::sweep_file::document::clipped;
use crate::sweep_file::error::{Finding, SweepError};
use crate::sweep_file::{Sweep, file, parse_with};

/// A sweep file as it was read, so that all points are made of the same text.
#[derive(Clone, Debug)]
pub struct SweepText {
    file: String,
    text: String,
    overrides: Vec<String>,
}

impl SweepText {
    /// Reads a file; `overrides` are `--set` arguments.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn load(path: &Path, overrides: &[String]) -> Result<Self, SweepError> {
        let text = file::text_of(path)?;
        Ok(Self { file: path.display().to_string(), text, overrides: overrides.to_vec() })
    }

    /// The file's name in messages.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    fn parse(&self, changes: &[String]) -> Result<Sweep, SweepError> {
        let overrides = [&self.overrides[..], changes].concat();
        // What is varied has been read, and does not change at a point.
        parse_with(&self.file, &self.text, &overrides, None, |root, _, _| {
            root.optional("sensitivity");
            None
        })
    }
}

impl Sensitivity {
    /// The values of all factors at a point of the unit cube.
    ///
    /// # Panics
    ///
    /// If the point has another number of coordinates than there are factors.
    #[must_use]
    pub fn values(&self, point: &[f64]) -> Vec<f64> {
        assert_eq!(point.len(), self.factors.len(), "a coordinate for each factor");
        let pairs = || self.factors.iter().zip(point);
        let free: Vec<f64> = pairs().map(|(factor, &coordinate)| factor.value(coordinate, f64::INFINITY)).collect();
        let limit = |factor: &Factor| factor.at_most.map_or(f64::INFINITY, |other| free[other]);
        pairs().map(|(factor, &coordinate)| factor.value(coordinate, limit(factor))).collect()
    }

    /// The changes of the world at a point, in the form of `--set` arguments: points with the same ones share their world.
    #[must_use]
    pub fn world(&self, values: &[f64]) -> Vec<String> {
        let world = self.factors.iter().zip(values).filter(|(factor, _)| factor.is_of_world());
        world.map(|(factor, &value)| factor.change(value)).collect()
    }

    /// The sweep at a point: its world, and the rule as its only design.
    ///
    /// # Errors
    ///
    /// If the values do not go together; the error names the factor that is to blame.
    pub fn sweep(&self, text: &SweepText, values: &[f64]) -> Result<Sweep, SweepError> {
        let changes: Vec<String> = std::iter::once(self.rule(values)).chain(self.world(values)).collect();
        text.parse(&changes).map_err(|error| self.blamed(text, &error, values))
    }

    /// Finds out which settings of the world take whole numbers only: of those whose ranges are written in whole numbers.
    /// Nothing but the format itself tells whether 0.5 is possible.
    pub fn find_whole_numbers(&mut self, text: &SweepText) {
        for factor in self.factors.iter_mut().filter(|factor| factor.is_of_world()) {
            if factor.quantity == Quantity::Whole && text.parse(&[factor.change(factor.from + 0.5)]).is_ok() {
                factor.quantity = Quantity::Number;
            }
        }
    }

    fn rule(&self, values: &[f64]) -> String {
        let own = self.factors.iter().zip(values).filter(|(factor, _)| !factor.is_of_world());
        let own = own.map(|(factor, &value)| (factor.name.as_str(), factor.written(value)));
        let fixed = self.fixed.iter().map(|(key, value)| (*key, value.clone()));
        let keys: Vec<String> = fixed.chain(own).map(|(key, value)| format!(", \"{key}\" = {value}")).collect();
        format!("rule=[{{ kind = \"{}\"{} }}]", self.kind, keys.concat())
    }

    /// The error in terms of the factors, and not of the changes that nobody wrote.
    fn blamed(&self, text: &SweepText, error: &SweepError, values: &[f64]) -> SweepError {
        let findings = error.findings().iter().map(|finding| {
            let of_world = self.factors.iter().zip(values).filter(|(factor, _)| factor.is_of_world());
            let mut blamed = of_world.filter(|&(factor, &value)| finding.place == argument(&factor.change(value)));
            if let Some((factor, &value)) = blamed.next() {
                let key = if finding.key == factor.name { String::new() } else { format!("key `{}`: ", finding.key) };
                return Finding {
                    place: factor.place.clone(),
                    key: factor.key.clone(),
                    problem: format!("at {}, {key}{}", factor.shown(value), finding.problem),
                    remedy: finding.remedy.clone(),
                };
            }
            if finding.place == argument(&self.rule(values)) {
                let own = self.factors.iter().zip(values).filter(|(factor, _)| !factor.is_of_world());
                let own: Vec<String> =
                    own.map(|(factor, &value)| format!("{} = {}", factor.name, factor.shown(value))).collect();
                return Finding {
                    place: text.file.clone(),
                    key: "sensitivity".to_owned(),
                    problem: format!("{} make no rule: {}", own.join(", "), finding.problem),
                    remedy: "narrow the ranges, or bind one number by another with at_most".to_owned(),
                };
            }
            finding.clone()
        });
        SweepError::new(findings.collect())
    }
}

impl Factor {
    fn is_of_world(&self) -> bool {
        super::WORLD.iter().any(|root| self.name.starts_with(root))
    }

    /// The change to a value of the world.
    fn change(&self, value: f64) -> String {
        format!("{}={}", self.name, self.written(value))
    }
}

/// How a finding says that it is about an argument.
fn argument(change: &str) -> String {
    format!("--set {}", clipped(change))
}
