//! `[analysis]`: how the results are looked at. No run depends on it.

mod front;

use serde::Serialize;

pub use front::FrontAnalysis;

use super::Design;
use super::document::{Place, Report, Value};
use super::field::{Field, Section};
use super::rules::{self, Family, Grid};

/// What is asked of the results beyond means and their intervals. Everything is off unless asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Analysis {
    /// Whether the terminal's table has simultaneous intervals: right for all of its designs together.
    #[serde(skip_serializing_if = "is_off")]
    pub simultaneous: bool,
    /// What is asked of the fronts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<FrontAnalysis>,
    /// The user's current setting, as an index into [`Sweep::designs`](super::Sweep::designs).
    #[serde(skip)]
    pub current: Option<usize>,
    /// The design that the others' differences are taken to, as an index into [`Sweep::designs`](super::Sweep::designs),
    /// where it is another than the usual one: see [`Sweep::baseline`](super::Sweep::baseline).
    #[serde(skip)]
    pub baseline: Option<usize>,
}

impl Analysis {
    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Whether replications are going to be resampled, for which the objectives of every run are kept in memory.
    #[must_use]
    pub fn resamples(&self) -> bool {
        self.simultaneous || self.front.is_some()
    }

    /// What the user should know about it, given how many replications there are.
    pub(super) fn notes(&self, replications: u32) -> Vec<String> {
        self.front.iter().flat_map(|front| front.notes(replications)).collect()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_off(flag: &bool) -> bool {
    !flag
}

/// The table as it was read: rules in it have not been found among the designs yet.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// All that is no rule.
    keys: Analysis,
    current: Option<(Place, Grid)>,
    baseline: Option<(Place, Baseline)>,
}

impl Asked {
    /// Whether replications are going to be resampled.
    pub(super) fn resamples(&self) -> bool {
        self.keys.resamples()
    }
}

/// What differences are taken to.
#[derive(Debug)]
enum Baseline {
    Current,
    Rule(Grid),
}

const EXAMPLE: &str = "{ kind = \"ratio\", window = 20, threshold = 0.5, open_for = \"5s\" }";

/// Reads the table of a sweep of so many replications.
pub(super) fn read(root: &mut Section<'_>, replications: u32, report: &mut Report<'_>) -> Asked {
    let Some(field) = root.optional("analysis") else { return Asked::default() };
    let Some(mut section) = field.section("{ simultaneous = true }", report) else { return Asked::default() };
    let simultaneous = section.optional("simultaneous").and_then(|field| field.flag(report));
    let current = section.optional("current");
    let has_current = current.is_some();
    let current = current.and_then(|field| Some((field.node.place, rule(&field, report)?)));
    let baseline = section.optional("baseline");
    let baseline = baseline.and_then(|field| Some((field.node.place, baseline_of(&field, has_current, report)?)));
    let front = section.optional("front").and_then(|field| front::read(&field, replications, report));
    section.finish(report);
    let keys = Analysis { simultaneous: simultaneous.unwrap_or_default(), front, ..Analysis::default() };
    Asked { keys, current, baseline }
}

fn baseline_of(field: &Field<'_>, has_current: bool, report: &mut Report<'_>) -> Option<Baseline> {
    if matches!(field.node.value, Value::Text(_)) {
        return match field.word(&["current", "none"], report)? {
            "current" if !has_current => {
                let remedy = format!("add a line such as current = {EXAMPLE}");
                field.blame(report, "the sweep does not say what the current setting is", remedy);
                None
            }
            "current" => Some(Baseline::Current),
            _ => Some(Baseline::Rule(Grid::of_no_breaker())),
        };
    }
    if !field.is_table() {
        field.mismatch(report, "\"current\", \"none\" or a rule", EXAMPLE);
        return None;
    }
    rule(field, report).map(Baseline::Rule)
}

/// A rule with the keys of a `[[rule]]`, each with one value.
fn rule(field: &Field<'_>, report: &mut Report<'_>) -> Option<Grid> {
    rules::read_one(field.section(EXAMPLE, report)?, report)
}

impl Asked {
    /// Finds the rules among the designs; one that is not there becomes a design of its own, the last one, and its grid one
    /// of the sweep's.
    pub(super) fn among(self, grids: &mut Vec<Grid>, designs: &mut Vec<Design>, report: &mut Report<'_>) -> Analysis {
        let mut index = |(place, key, grid): (Place, &str, Grid)| {
            find_or_add(grid, grids, designs).or_else(|| {
                let problem = "the rule would be one design more than a sweep can have";
                report.add(place, &format!("analysis.{key}"), problem, "leave a value out of a grid");
                None
            })
        };
        let current = self.current.and_then(|(place, grid)| index((place, "current", grid)));
        let baseline = self.baseline.and_then(|(place, baseline)| match baseline {
            Baseline::Current => current,
            Baseline::Rule(grid) => index((place, "baseline", grid)),
        });
        let usual = usual_baseline(current, designs);
        Analysis { current, baseline: baseline.filter(|&baseline| Some(baseline) != usual), ..self.keys }
    }
}

/// What differences are taken to where nothing is said: the current setting or else the design `none`.
pub(super) fn usual_baseline(current: Option<usize>, designs: &[Design]) -> Option<usize> {
    current.or_else(|| designs.iter().position(|design| design.rule.name() == Family::None.name()))
}

/// The design of a grid of one: the same rule in the same words, in other words, or a new one. `None` if there are too many.
fn find_or_add(grid: Grid, grids: &mut Vec<Grid>, designs: &mut Vec<Design>) -> Option<usize> {
    let rule = grid.rules().next().and_then(Result::ok).expect("a rule that was read can be made");
    let equal = designs.iter().position(|design| design.rule == rule);
    let found = equal.or_else(|| designs.iter().position(|design| design.rule.is_same_rule(&rule)));
    if found.is_some() {
        return found;
    }
    if designs.len() as u128 >= rules::MAX_DESIGNS {
        return None;
    }
    grids.push(grid);
    let number = u32::try_from(designs.len()).expect("fewer designs than a sweep can have");
    designs.push(Design { number, rule, equivalent_to: None });
    Some(designs.len() - 1)
}
