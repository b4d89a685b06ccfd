//! The tables `[[rule]]`: families of designs, and the grid that each spans.

use std::collections::BTreeMap;

use engine::Duration;
use policies::{AnyRule, Consecutive, FailureRatio, HalfOpen, NoBreaker, Ratio, RuleError, RuleKey};

use super::Design;
use super::axis::{Axis, Kind, to_count, to_duration};
use super::decimal::Decimal;
use super::document::{Place, Report};
use super::field::{Field, Section};

/// The most designs of a sweep.
pub(super) const MAX_DESIGNS: u128 = 1_000_000;

/// A number of a rule, in the order in which the axes of a grid turn: the last fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Parameter {
    Window,
    Threshold,
    OpenFor,
    HalfOpenPermits,
    HalfOpenSuccesses,
}

/// The family of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    None,
    Consecutive,
    Ratio,
}

/// One `[[rule]]`: its axes with their values, and which of them advance together.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Grid {
    pub(super) family: Family,
    /// In the order of [`Parameter`].
    pub(super) axes: Vec<(Parameter, AxisValues)>,
    /// Groups of parameters that advance in lock-step, in the order of their first members.
    pub(super) zip: Vec<Vec<Parameter>>,
}

/// The values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum AxisValues {
    Counts(Vec<u32>),
    Shares(Vec<f64>),
    Times(Vec<Duration>),
}

/// A grid whose values have not been made yet.
struct Plan<'a> {
    place: Place,
    path: String,
    family: Family,
    axes: Vec<(Parameter, Axis<'a>)>,
    zip: Vec<Vec<Parameter>>,
}

impl Parameter {
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Threshold => "threshold",
            Self::OpenFor => "open_for",
            Self::HalfOpenPermits => "half_open_permits",
            Self::HalfOpenSuccesses => "half_open_successes",
        }
    }

    /// Whether a rule must say it, and a line that would do.
    const fn example(self, family: Family) -> &'static str {
        match (self, family) {
            (Self::Window, _) => "window = [10, 20, 50]",
            (Self::Threshold, Family::Ratio) => "threshold = { from = 0.1, to = 0.9, step = 0.1 }",
            (Self::Threshold, _) => "threshold = { from = 1, to = 20, step = 1 }",
            (Self::OpenFor, _) => "open_for = [\"1s\", \"5s\"]",
            (Self::HalfOpenPermits, _) => "half_open_permits = 1",
            (Self::HalfOpenSuccesses, _) => "half_open_successes = 1",
        }
    }

    const fn kind(self, family: Family) -> Kind {
        match (self, family) {
            (Self::Window, _) => Kind::Count(FailureRatio::MAX_WINDOW),
            (Self::Threshold, Family::Ratio) => Kind::Share,
            (Self::Threshold | Self::HalfOpenPermits | Self::HalfOpenSuccesses, _) => Kind::Count(u32::MAX),
            (Self::OpenFor, _) => Kind::Time,
        }
    }
}

impl Family {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Consecutive => "consecutive",
            Self::Ratio => "ratio",
        }
    }

    const fn parameters(self) -> &'static [Parameter] {
        use Parameter::{HalfOpenPermits, HalfOpenSuccesses, OpenFor, Threshold, Window};
        match self {
            Self::None => &[],
            Self::Consecutive => &[Threshold, OpenFor, HalfOpenPermits, HalfOpenSuccesses],
            Self::Ratio => &[Window, Threshold, OpenFor, HalfOpenPermits, HalfOpenSuccesses],
        }
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
        let family = match kind?.word(&AnyRule::NAMES, report)? {
            "none" => Family::None,
            "consecutive" => Family::Consecutive,
            _ => Family::Ratio,
        };
        let mut axes = Vec::new();
        let mut complete = true;
        for &parameter in family.parameters() {
            let given = match parameter {
                Parameter::HalfOpenPermits | Parameter::HalfOpenSuccesses => section.optional(parameter.key()),
                _ => {
                    let field = section.required(parameter.key(), parameter.example(family), report);
                    complete &= field.is_some();
                    field
                }
            };
            let Some(field) = given else { continue };
            match Axis::read(field, parameter.kind(family), report) {
                Some(axis) => axes.push((parameter, axis)),
                None => complete = false,
            }
        }
        let (place, path) = (section.place(), section.path().to_owned());
        let zip = if family == Family::None { None } else { section.optional("zip") };
        section.finish(report);
        if !complete {
            return None;
        }
        let zip = match zip {
            Some(field) => read_zip(&field, family, &axes, report)?,
            None => Vec::new(),
        };
        Some(Self { place, path, family, axes, zip })
    }

    /// How many designs the grid has.
    fn count(&self) -> u128 {
        let turns = |parameter: Parameter| !self.zip.iter().any(|group| group[1..].contains(&parameter));
        let counts = self.axes.iter().filter(|(parameter, _)| turns(*parameter)).map(|(_, axis)| axis.count());
        counts.fold(1, u128::saturating_mul)
    }

    fn grid(self, report: &mut Report<'_>) -> Option<Grid> {
        let family = self.family;
        let values = |(parameter, axis): &(Parameter, Axis<'_>), report: &mut Report<'_>| {
            let values = axis.values(report)?;
            let values = match parameter.kind(family) {
                Kind::Count(_) => AxisValues::Counts(values.into_iter().map(to_count).collect()),
                Kind::Share => AxisValues::Shares(values.into_iter().map(Decimal::to_f64).collect()),
                Kind::Time => AxisValues::Times(values.into_iter().map(to_duration).collect()),
            };
            Some((*parameter, values))
        };
        let axes: Vec<_> = self.axes.iter().map(|axis| values(axis, report)).collect();
        let mut axes = axes.into_iter().collect::<Option<Vec<_>>>()?;
        // The usual probing is an axis of one value as well, so that a sweep that says it is the same sweep.
        let HalfOpen { permits, successes } = HalfOpen::default();
        for (parameter, usual) in [(Parameter::HalfOpenPermits, permits), (Parameter::HalfOpenSuccesses, successes)] {
            if family != Family::None && axes.iter().all(|(given, _)| *given != parameter) {
                axes.push((parameter, AxisValues::Counts(vec![usual])));
            }
        }
        axes.sort_by_key(|(parameter, _)| *parameter);
        let grid = Grid { family, axes, zip: self.zip };
        // Every value has been checked, so the policies can only agree; if they do not, the user hears why.
        if let Err(error) = grid.rules().collect::<Result<Vec<_>, _>>() {
            report.add(self.place, &self.path, error.to_string(), "change the numbers of this rule");
            return None;
        }
        Some(grid)
    }
}

/// Reads `zip = [["window", "threshold"]]`, or one group alone.
fn read_zip(
    field: &Field<'_>,
    family: Family,
    axes: &[(Parameter, Axis<'_>)],
    report: &mut Report<'_>,
) -> Option<Vec<Vec<Parameter>>> {
    const EXAMPLE: &str = "[[\"threshold\", \"open_for\"]]";
    let Some(elements) = field.elements() else {
        field.mismatch(report, "a list of groups of axes", EXAMPLE);
        return None;
    };
    let elements: Vec<_> = elements.collect();
    let nested = elements.iter().any(|element| element.elements().is_some());
    let groups = if nested { elements } else { vec![field.clone()] };
    let mut zip: Vec<Vec<Parameter>> = Vec::new();
    for group in &groups {
        let Some(names) = group.elements() else {
            group.mismatch(report, "a group of axes", EXAMPLE);
            return None;
        };
        let mut members = Vec::new();
        for name in names {
            let known: Vec<_> = family.parameters().iter().map(|parameter| parameter.key()).collect();
            let word = name.word(&known, report)?;
            let (parameter, _) = match axes.iter().find(|(parameter, _)| parameter.key() == word) {
                Some(axis) => axis,
                None => {
                    name.blame(
                        report,
                        format!("the rule has no `{word}`"),
                        format!("give the axis, or leave it out of {}", field.key()),
                    );
                    return None;
                }
            };
            if members.contains(parameter) || zip.iter().any(|group| group.contains(parameter)) {
                name.blame(report, format!("`{word}` is zipped twice"), "name every axis once");
                return None;
            }
            members.push(*parameter);
        }
        if members.len() < 2 {
            group.blame(report, "a zip needs two axes or more", format!("write for instance zip = {EXAMPLE}"));
            return None;
        }
        members.sort_unstable();
        check_lengths(group, &members, axes, report)?;
        zip.push(members);
    }
    zip.sort_unstable();
    Some(zip)
}

fn check_lengths(
    group: &Field<'_>,
    members: &[Parameter],
    axes: &[(Parameter, Axis<'_>)],
    report: &mut Report<'_>,
) -> Option<()> {
    let lengths = members.iter().filter_map(|member| axes.iter().find(|(parameter, _)| parameter == member));
    let lengths: Vec<_> = lengths.map(|(parameter, axis)| (parameter.key(), axis.count())).collect();
    if lengths.windows(2).all(|pair| pair[0].1 == pair[1].1) {
        return Some(());
    }
    let lengths: Vec<_> = lengths.iter().map(|(key, length)| format!("`{key}` has {length}")).collect();
    let problem = format!("zipped axes have different numbers of values: {}", lengths.join(", "));
    group.blame(report, problem, "give them the same number of values, as they advance together");
    None
}

impl AxisValues {
    fn len(&self) -> usize {
        match self {
            Self::Counts(values) => values.len(),
            Self::Shares(values) => values.len(),
            Self::Times(values) => values.len(),
        }
    }
}

impl Grid {
    /// The rules of the grid in sweep order: windows, thresholds, open durations, half-open numbers, the last fastest;
    /// zipped axes turn at the place of their first.
    pub(super) fn rules(&self) -> impl Iterator<Item = Result<AnyRule, RuleError>> + '_ {
        let leader = |parameter: Parameter| {
            self.zip.iter().find(|group| group.contains(&parameter)).map_or(parameter, |group| group[0])
        };
        let wheels: Vec<_> = self.axes.iter().filter(|(parameter, _)| leader(*parameter) == *parameter).collect();
        // How many designs pass before an axis advances, and how many values it has.
        let mut strides = BTreeMap::new();
        let mut total = 1;
        for (parameter, values) in wheels.iter().rev() {
            strides.insert(*parameter, (total, values.len()));
            total *= values.len();
        }
        let positions: Vec<_> = self.axes.iter().map(|(parameter, _)| strides[&leader(*parameter)]).collect();
        (0..total).map(move |number| {
            let axes = self.axes.iter().zip(&positions);
            self.rule(
                axes.map(|((parameter, values), (stride, length))| (*parameter, values, number / stride % length)),
            )
        })
    }

    fn rule<'g>(&self, point: impl Iterator<Item = (Parameter, &'g AxisValues, usize)>) -> Result<AnyRule, RuleError> {
        let (mut window, mut failures, mut share, mut open_for) = (0, 0, 0.0, Duration::ZERO);
        let mut half_open = HalfOpen::default();
        for (parameter, values, index) in point {
            match (parameter, values) {
                (Parameter::Window, AxisValues::Counts(values)) => window = values[index],
                (Parameter::HalfOpenPermits, AxisValues::Counts(values)) => half_open.permits = values[index],
                (Parameter::HalfOpenSuccesses, AxisValues::Counts(values)) => half_open.successes = values[index],
                (_, AxisValues::Counts(values)) => failures = values[index],
                (_, AxisValues::Shares(values)) => share = values[index],
                (_, AxisValues::Times(values)) => open_for = values[index],
            }
        }
        match self.family {
            Family::None => Ok(NoBreaker.into()),
            Family::Consecutive => Consecutive::new(failures, open_for, half_open).map(AnyRule::from),
            Family::Ratio => Ratio::new(window, share, open_for, half_open).map(AnyRule::from),
        }
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
