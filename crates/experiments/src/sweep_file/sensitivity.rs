//! The table `[sensitivity]`: which settings a sensitivity analysis varies, and how far.
//!
//! It does not enter the resolved sweep: no run depends on it.

mod factor;
mod point;
mod range;

use policies::Kind as Values;

use super::Sweep;
use super::axis::Kind;
use super::document::{Report, Value};
use super::error::{Finding, SweepError};
use super::field::{Field, Section, suggestion};
use super::resolved::written;
use super::rules::{AxisValues, Grid};

pub use factor::{Factor, Quantity, Scale};
pub use point::SweepText;

/// What a sensitivity analysis varies: settings of one rule and of the world, each in a range of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// The rule's kind.
    pub kind: &'static str,
    /// What is varied; at least one, with different names.
    pub factors: Vec<Factor>,
    /// The rule's other keys with their values as TOML.
    fixed: Vec<(&'static str, String)>,
}

/// What begins the path of a setting of the world.
const WORLD: [&str; 2] = ["scenario.", "mode."];

/// Reads the table, if there is one. The rules must have been read without findings.
pub(super) fn read(root: &mut Section<'_>, grids: &[Grid], report: &mut Report<'_>) -> Option<Sensitivity> {
    let mut section = root.optional("sensitivity")?.section("{ rule = \"ratio\" }", report)?;
    if !report.is_clean() {
        // Which keys belong here depends on the rules.
        return None;
    }
    let (place, path) = (section.place(), section.path().to_owned());
    let number = match section.optional("rule") {
        Some(field) => named_rule(&field, grids, report),
        None => match only_rule(grids) {
            Ok(number) => Some(number),
            Err((problem, remedy)) => {
                report.add(place, &path, problem, remedy);
                None
            }
        },
    };
    let factors = section.optional("factors");
    section.finish(report);
    let grid = &grids[number?];
    let mut study = match Sensitivity::of_axes(number?, grid, report.file()) {
        Ok(study) => study,
        Err((key, problem, remedy)) => {
            report.add(place, &key, problem, remedy);
            return None;
        }
    };
    if let Some(field) = factors {
        let table = field.section("{ threshold = [0.1, 0.9] }", report)?;
        range::read(&table, grid, &mut study, report);
    }
    if study.factors.is_empty() && report.is_clean() {
        report.add(place, &path, NO_FACTOR.0, NO_FACTOR.1);
    }
    report.is_clean().then_some(study)
}

const NO_FACTOR: (&str, &str) = (
    "nothing is varied",
    "give an axis of the rule several values, or name a range, such as threshold = [0.1, 0.9], in [sensitivity.factors]",
);

impl Sensitivity {
    /// What is varied in a sweep that does not say it: every number of its rule that takes several values there, from the
    /// least of them to the largest. `file` names the sweep in messages.
    ///
    /// # Errors
    ///
    /// If several rules have such numbers, or none has, or the rule has several words or switches.
    pub fn usual(sweep: &Sweep, file: &str) -> Result<Self, SweepError> {
        let one =
            |(key, problem, remedy)| SweepError::new(vec![Finding { place: file.to_owned(), key, problem, remedy }]);
        let number = only_rule(&sweep.grids)
            .map_err(|(problem, remedy)| one(("sensitivity.rule".to_owned(), problem, remedy)))?;
        let study = Self::of_axes(number, &sweep.grids[number], file).map_err(one)?;
        if study.factors.is_empty() {
            return Err(one(("sensitivity".to_owned(), NO_FACTOR.0.to_owned(), NO_FACTOR.1.to_owned())));
        }
        Ok(study)
    }

    /// The axes of several numbers as factors, and the others fixed.
    fn of_axes(number: usize, grid: &Grid, file: &str) -> Result<Self, (String, String, String)> {
        let mut study = Self { kind: grid.family.name(), factors: Vec::new(), fixed: Vec::new() };
        let parameters = grid.family.parameters();
        for (key, values) in &grid.axes {
            let path = format!("rule.{number}.{key}");
            let parameter = parameters.iter().find(|parameter| parameter.key == *key);
            let quantity = parameter.and_then(|parameter| quantity_of(parameter.kind));
            match (values.len(), quantity.zip(numbers(values))) {
                (1, _) => study.fixed.push((key, written(values))),
                (_, Some((quantity, numbers))) => {
                    let from = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                    let to = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    study.factors.push(Factor {
                        name: (*key).to_owned(),
                        quantity,
                        from,
                        to,
                        scale: Scale::Linear,
                        at_most: None,
                        place: file.to_owned(),
                        key: path,
                    });
                }
                (several, None) => {
                    let problem = format!("the axis has {several} values that are no numbers");
                    let remedy = format!("choose one for the analysis, such as --set {path}={}", written(values));
                    return Err((path, problem, remedy));
                }
            }
        }
        study.bind_usual();
        Ok(study)
    }

    /// Settings that a library refuses, or takes for less, where they are above another of its settings.
    fn bind_usual(&mut self) {
        const BOUND: [(&str, &str); 6] = [
            ("minimumNumberOfCalls", "slidingWindowSize"),
            ("breaker.minimumNumberOfCalls", "breaker.size"),
            ("failureThreshold", "failureThresholdingCapacity"),
            ("failureThreshold", "failureExecutionThreshold"),
            ("successThreshold", "successThresholdingCapacity"),
            ("backoff.start", "backoff.max"),
        ];
        for (bound, by) in BOUND {
            let by = self.position(by);
            if let Some(bound) = self.position(bound)
                && by.is_some()
                && self.factors[bound].at_most.is_none()
            {
                self.factors[bound].at_most = by;
            }
        }
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.factors.iter().position(|factor| factor.name == name)
    }
}

/// The numbers of an axis, times in nanoseconds; `None` if some are words or switches.
fn numbers(values: &AxisValues) -> Option<Vec<f64>> {
    let nanos = |time: engine::Duration| time.as_nanos() as f64;
    match values {
        AxisValues::Counts(values) => Some(values.iter().map(|&count| f64::from(count)).collect()),
        AxisValues::Shares(values) => Some(values.clone()),
        AxisValues::Times(values) => Some(values.iter().map(|&time| nanos(time)).collect()),
        AxisValues::Values(values) => {
            let number = |value: &policies::Value| match *value {
                policies::Value::Number(number) => Some(number),
                policies::Value::Time(time) => Some(nanos(time)),
                _ => None,
            };
            values.iter().map(number).collect()
        }
    }
}

/// The only rule with a number to vary, or the only one that is a breaker.
fn only_rule(grids: &[Grid]) -> Result<usize, (String, String)> {
    let several = |grid: &Grid| grid.axes.iter().any(|(_, values)| values.len() > 1);
    let numbers =
        |of: &dyn Fn(&Grid) -> bool| -> Vec<usize> { (0..grids.len()).filter(|&at| of(&grids[at])).collect() };
    let with_axes = numbers(&several);
    let breakers = numbers(&|grid| grid.family.name() != "none");
    let candidates = if with_axes.is_empty() { &breakers } else { &with_axes };
    match candidates[..] {
        [only] => Ok(only),
        [] => Ok(0),
        [first, ..] => {
            let mut names: Vec<String> =
                candidates.iter().map(|&number| format!("\"{}\"", grids[number].family.name())).collect();
            names.dedup();
            Err((
                format!("the sweep has {} rules that could be analysed", candidates.len()),
                format!(
                    "choose one by its kind ({}) or its number from 0, with a line rule = {first} in [sensitivity] or with \
                     --set sensitivity.rule={first}",
                    names.join(", ")
                ),
            ))
        }
    }
}

/// A rule by its kind or, counted from 0, its number.
fn named_rule(field: &Field<'_>, grids: &[Grid], report: &mut Report<'_>) -> Option<usize> {
    if let Value::Whole(_) = field.node.value {
        return field.whole(0..=grids.len() as u64 - 1, 0, report).map(|number| number as usize);
    }
    let kind = field.text("the kind of a rule, or its number from 0", "\"ratio\"", report)?;
    let of_kind: Vec<usize> = (0..grids.len()).filter(|&number| grids[number].family.name() == kind).collect();
    match of_kind[..] {
        [only] => Some(only),
        [] => {
            let mut kinds: Vec<&str> = grids.iter().map(|grid| grid.family.name()).collect();
            kinds.dedup();
            field.blame(
                report,
                format!("the sweep has no rule \"{kind}\""),
                suggestion(kind, &kinds, "use one of these"),
            );
            None
        }
        [first, ..] => {
            let problem = format!("{} rules of the sweep are of the kind \"{kind}\"", of_kind.len());
            field.blame(report, problem, format!("give its number, counted from 0, such as rule = {first}"));
            None
        }
    }
}

/// What the numbers of a rule's key are; `None` for words, switches and lists.
fn quantity_of(kind: Kind) -> Option<Quantity> {
    match kind {
        Kind::Count(_) => Some(Quantity::Whole),
        Kind::Share => Some(Quantity::Number),
        Kind::Time => Some(Quantity::Time),
        Kind::Library(parameter) => match parameter.kind {
            Values::Count => Some(Quantity::Whole),
            Values::Number => Some(Quantity::Number),
            Values::Time(_) | Values::TimeOrFalse(_) => Some(Quantity::Time),
            Values::Flag | Values::Word(_) | Values::Times => None,
        },
    }
}
