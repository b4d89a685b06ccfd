//! `[analysis.front]`: how far the fronts can be trusted.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::fronts::{LOSS, THEMES};
use crate::sweep_file::document::Report;
use crate::sweep_file::field::{Field, Section};

/// What is asked of the fronts beyond the means of their designs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrontAnalysis {
    /// How often the replications are drawn anew.
    pub draws: u32,
    /// The seed of the draws.
    pub seed: u64,
    /// How many of the first replications choose designs, which the others report; `None` for half of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<u32>,
    /// By metric, how much worse is still as good.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub zone: BTreeMap<&'static str, f64>,
    /// By metric, the worst value that is still of interest: up to there the hypervolume is measured.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub reference: BTreeMap<&'static str, f64>,
}

impl FrontAnalysis {
    /// With fewer replications nothing is said about a front: drawing them anew shows too little of what could have been.
    pub const LEAST_REPLICATIONS: u32 = 10;

    /// The indifference zone of two metrics; zero where none is given.
    #[must_use]
    pub fn zone_of(&self, x: &str, y: &str) -> (f64, f64) {
        let zone = |metric| self.zone.get(metric).copied().unwrap_or(0.0);
        (zone(x), zone(y))
    }

    /// The reference point of two metrics, if it is given.
    #[must_use]
    pub fn reference_of(&self, x: &str, y: &str) -> Option<(f64, f64)> {
        self.reference.get(x).copied().zip(self.reference.get(y).copied())
    }

    /// How many of `replications` choose, if enough are left to report: two of each at least.
    #[must_use]
    pub fn selecting(&self, replications: u32) -> Option<u32> {
        let select = self.select.unwrap_or(replications / 2);
        (select >= LEAST_SELECTING && replications >= select + LEAST_SELECTING).then_some(select)
    }

    /// What the user should know, given how many replications there are.
    pub(super) fn notes(&self, replications: u32) -> Vec<String> {
        let mut notes = Vec::new();
        if replications < Self::LEAST_REPLICATIONS {
            notes.push(format!(
                "`analysis.front` says nothing: it wants {} replications or more, and there are {replications}",
                Self::LEAST_REPLICATIONS
            ));
        }
        if self.reference.is_empty() {
            notes.push(format!(
                "no hypervolume is measured: that needs under [analysis.front] a line such as reference = {REFERENCE_POINT} with the worst \
                 values that are still of interest"
            ));
        }
        notes
    }
}

const LEAST_SELECTING: u32 = 2;
const DEFAULT_DRAWS: u32 = 1_000;
const DEFAULT_SEED: u64 = 1;
const REFERENCE_POINT: &str = "{ slot_rounds_to_detection_restricted = 2000.0, false_open_rejections = 100.0 }";

pub(super) fn read(field: &Field<'_>, replications: u32, report: &mut Report<'_>) -> Option<FrontAnalysis> {
    let mut section = field.section("{ draws = 1000 }", report)?;
    let draws = section.optional("draws").and_then(|field| field.whole(100..=20_000, 1_000, report));
    let seed = section.optional("seed").and_then(|field| field.whole(0..=u64::MAX, 1, report));
    let select = section.optional("select").and_then(|field| select(&field, replications, report));
    let zone = section.optional("zone").map(|field| {
        let example = "{ slot_rounds_to_detection_restricted = 2.0 }";
        by_metric(&field, example, ("a number from 0 on", |zone| zone >= 0.0), report)
    });
    let reference = section.optional("reference").map(|field| reference(&field, report));
    section.finish(report);
    Some(FrontAnalysis {
        draws: draws.and_then(|draws| u32::try_from(draws).ok()).unwrap_or(DEFAULT_DRAWS),
        seed: seed.unwrap_or(DEFAULT_SEED),
        select,
        zone: zone.unwrap_or_default(),
        reference: reference.unwrap_or_default(),
    })
}

fn select(field: &Field<'_>, replications: u32, report: &mut Report<'_>) -> Option<u32> {
    let select = field.whole(u64::from(LEAST_SELECTING)..=u64::from(u32::MAX), 100, report)?;
    let select = u32::try_from(select).ok()?;
    if u64::from(select) + u64::from(LEAST_SELECTING) > u64::from(replications) {
        let problem =
            format!("{select} of {replications} replications choose, and fewer than {LEAST_SELECTING} report");
        let remedy = if replications >= 2 * LEAST_SELECTING {
            format!("write for instance select = {}, or ask for more replications", replications / 2)
        } else {
            "leave it out, or ask for more replications".to_owned()
        };
        field.blame(report, problem, remedy);
    }
    Some(select)
}

fn reference(field: &Field<'_>, report: &mut Report<'_>) -> BTreeMap<&'static str, f64> {
    let clean = report.is_clean();
    let reference = by_metric(field, REFERENCE_POINT, ("a number above 0", |worst| worst > 0.0), report);
    // Half of a point measures nothing.
    if report.is_clean() == clean && (reference.len() < 2 || !reference.contains_key(LOSS)) && field.is_table() {
        let problem = format!("a reference point has a value of `{LOSS}` and of one other objective at least");
        field.blame(report, problem, format!("write for instance reference = {REFERENCE_POINT}"));
    }
    reference
}

/// A table with a number by metric.
fn by_metric(
    field: &Field<'_>,
    example: &str,
    (expected, accepts): (&str, fn(f64) -> bool),
    report: &mut Report<'_>,
) -> BTreeMap<&'static str, f64> {
    let Some(mut section) = field.section(example, report) else { return BTreeMap::new() };
    let mut number = |section: &mut Section<'_>, metric| {
        let number = section.optional(metric)?.number(expected, "2.0", accepts, report)?;
        Some((metric, number))
    };
    let metrics = THEMES.iter().map(|theme| theme.metric).chain([LOSS]);
    let numbers = metrics.filter_map(|metric| number(&mut section, metric)).collect();
    section.finish(report);
    numbers
}
