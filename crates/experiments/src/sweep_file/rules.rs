//! The tables `[[rule]]`: families of designs, and the grid that each spans.

mod choices;
mod family;
mod grid;
mod nested;
mod zip;

use std::collections::BTreeMap;

use policies::{RuleKey, Value};

use super::Design;
use super::axis::{Axis, Kind, to_count, to_duration};
use super::decimal::Decimal;
use super::document::{Place, Report};
use super::field::Section;
use family::Parameter;

pub(super) use family::Family;
pub(super) use grid::{AxisValues, Grid};

/// The most designs of a sweep.
pub(super) const MAX_DESIGNS: u128 = 1_000_000;

/// A grid whose values have not been made yet.
struct Plan<'a> {
    place: Place,
    path: String,
    family: Family,
    parameters: Vec<Parameter>,
    /// By the place of the parameter.
    axes: Vec<(usize, PlannedAxis<'a>)>,
    zip: Vec<Vec<usize>>,
}

/// An axis whose values have not been made yet, unless they are no numbers.
enum PlannedAxis<'a> {
    Numbers(Axis<'a>),
    Choices(Vec<Value>),
}

impl PlannedAxis<'_> {
    /// How many values there are.
    fn count(&self) -> u128 {
        match self {
            Self::Numbers(axis) => axis.count(),
            Self::Choices(values) => values.len() as u128,
        }
    }

    fn values(&self, kind: Kind, report: &mut Report<'_>) -> Option<AxisValues> {
        let axis = match self {
            Self::Numbers(axis) => axis,
            Self::Choices(values) => return Some(AxisValues::Values(values.clone())),
        };
        let values = axis.values(report)?.into_iter();
        Some(match kind {
            Kind::Count(_) => AxisValues::Counts(values.map(to_count).collect()),
            Kind::Share => AxisValues::Shares(values.map(Decimal::to_f64).collect()),
            Kind::Time => AxisValues::Times(values.map(to_duration).collect()),
            Kind::Library(_) => AxisValues::Values(values.map(|value| kind.library_value(value)).collect()),
        })
    }
}

/// Reads every `[[rule]]`. The designs are counted before any is made.
pub(super) fn read(root: &mut Section<'_>, report: &mut Report<'_>) -> Vec<Grid> {
    let example = "[[rule]] followed by kind = \"none\"";
    let Some(field) = root.required("rule", example, report) else { return Vec::new() };
    let sections = field.sections(report);
    if field.elements().is_some_and(|mut elements| elements.next().is_none()) {
        field.blame(report, "the sweep has no rule", format!("add a line such as {example}"));
    }
    let plans: Vec<_> = sections.into_iter().filter_map(|section| Plan::read(section, report)).collect();
    let designs = plans.iter().map(Plan::count).fold(0, u128::saturating_add);
    if designs > MAX_DESIGNS {
        let largest = plans.iter().max_by_key(|plan| plan.count()).expect("a plan made them");
        let problem = format!("the grids come to {} designs", in_thousands(designs));
        let remedy = format!(
            "at most {} are possible: take larger steps or fewer values, advance axes together with zip, or split the sweep",
            in_thousands(MAX_DESIGNS)
        );
        report.add(largest.place, &largest.path, problem, remedy);
        return Vec::new();
    }
    plans.into_iter().filter_map(|plan| plan.grid(report)).collect()
}

/// Reads a table with the keys of a `[[rule]]` that is one design: every key has one value.
pub(super) fn read_one(section: Section<'_>, report: &mut Report<'_>) -> Option<Grid> {
    let plan = Plan::read(section, report)?;
    let designs = plan.count();
    if designs != 1 {
        let problem = format!("one setting is wanted, and these are {} designs", in_thousands(designs));
        report.add(plan.place, &plan.path, problem, "give every key one value");
        return None;
    }
    plan.grid(report)
}

/// Digits in groups of three, or the order of magnitude of what is too long for that.
fn in_thousands(number: u128) -> String {
    if number > 10_u128.pow(18) {
        return format!("about {:.0e}", number as f64);
    }
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

impl<'a> Plan<'a> {
    fn read(mut section: Section<'a>, report: &mut Report<'_>) -> Option<Self> {
        let kind = section.required("kind", "kind = \"consecutive\"", report);
        let family = Family::named(kind?.word(&Family::names(), report)?);
        let parameters = family.parameters();
        let keys: Vec<_> = parameters.iter().map(|parameter| parameter.key).collect();
        let others: &[_] = if parameters.is_empty() { &["kind"] } else { &["kind", "zip"] };
        let found = nested::read(&section, &keys, others, report);
        let mut axes = Vec::new();
        let mut complete = true;
        for (place, (parameter, field)) in parameters.iter().zip(found).enumerate() {
            let Some(field) = field else {
                if parameter.required {
                    let remedy = format!("add a line such as {}", parameter.example);
                    report.add(section.place(), &section.path_of(parameter.key), "this key is missing", remedy);
                    complete = false;
                }
                continue;
            };
            let axis = match parameter.kind {
                Kind::Library(library) if parameter.is_choice && !field.is_table() => {
                    choices::read(&field, library, report).map(PlannedAxis::Choices)
                }
                kind => Axis::read(field, kind, report).map(PlannedAxis::Numbers),
            };
            match axis {
                Some(axis) => axes.push((place, axis)),
                None => complete = false,
            }
        }
        let (place, path) = (section.place(), section.path().to_owned());
        let zip = if parameters.is_empty() { None } else { section.optional("zip") };
        if !complete {
            return None;
        }
        let zip = match zip {
            Some(field) => zip::read(&field, &parameters, &axes, report)?,
            None => Vec::new(),
        };
        Some(Self { place, path, family, parameters, axes, zip })
    }

    /// How many designs the grid has.
    fn count(&self) -> u128 {
        let turns = |place: usize| !self.zip.iter().any(|group| group[1..].contains(&place));
        let counts = self.axes.iter().filter(|(place, _)| turns(*place)).map(|(_, axis)| axis.count());
        counts.fold(1, u128::saturating_mul)
    }

    fn grid(self, report: &mut Report<'_>) -> Option<Grid> {
        let mut given: Vec<Option<AxisValues>> = self.parameters.iter().map(|_| None).collect();
        let mut complete = true;
        for (place, axis) in &self.axes {
            given[*place] = axis.values(self.parameters[*place].kind, report);
            complete &= given[*place].is_some();
        }
        if !complete {
            return None;
        }
        let mut axes = Vec::new();
        // Where an axis stands among those that there are.
        let mut stands = vec![0; self.parameters.len()];
        for (place, (parameter, given)) in self.parameters.iter().zip(given).enumerate() {
            stands[place] = axes.len();
            axes.extend(given.or_else(|| parameter.default.clone()).map(|values| (parameter.key, values)));
        }
        let zip = self.zip.iter().map(|group| group.iter().map(|&place| stands[place]).collect()).collect();
        let grid = Grid { family: self.family, axes, zip };
        // Every value has been checked by itself; what remains is whether they go together, if nothing else is wrong.
        if report.is_clean()
            && let Err(error) = grid.rules().collect::<Result<Vec<_>, _>>()
        {
            report.add(self.place, &self.path, error.to_string(), "change the numbers of this rule");
            return None;
        }
        Some(grid)
    }
}

/// Numbers the rules of all grids, and finds those that are an earlier one in other words.
pub(super) fn designs(grids: &[Grid]) -> Vec<Design> {
    let mut first_with: BTreeMap<RuleKey, u32> = BTreeMap::new();
    let rules = grids.iter().flat_map(Grid::rules).filter_map(Result::ok);
    let numbered = (0..).zip(rules).map(|(number, rule)| {
        let first = *first_with.entry(rule.key()).or_insert(number);
        Design { number, rule, equivalent_to: (first != number).then_some(first) }
    });
    numbered.collect()
}
