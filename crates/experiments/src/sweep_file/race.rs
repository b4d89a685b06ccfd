//! `[race]`: whether designs that are surely dominated stop getting replications.

use serde::Serialize;
use statistics::Looks;

use super::analysis::Asked;
use super::document::Report;
use super::field::Section;
use super::replications::Replications;
use crate::fronts::THEMES;

/// A race among the designs. Which runs there are depends on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Race {
    /// The probability that no design of any true front of the themes is ever dropped.
    pub level: f64,
    /// The names of the figures in all of whose fronts a design has to be dominated.
    pub themes: Vec<&'static str>,
    /// When designs may leave.
    pub looks: Looks,
}

const DEFAULT_MIN: u64 = 100;
const DEFAULT_BLOCK: u64 = 100;
const DEFAULT_LEVEL: f64 = 0.95;

pub(super) fn read(
    root: &mut Section<'_>,
    replications: &Replications,
    analysis: &Asked,
    report: &mut Report<'_>,
) -> Option<Race> {
    let field = root.optional("race")?;
    if analysis.resamples() {
        field.blame(
            report,
            "designs that leave a race have fewer replications than the others, and `analysis` draws replications of all designs \
             together",
            "leave out one of the two",
        );
    }
    let mut section = field.section("{ level = 0.95 }", report)?;
    let level = section.optional("level").map_or(Some(DEFAULT_LEVEL), |field| super::level(&field, report));
    let names: Vec<&'static str> = THEMES.iter().map(|theme| theme.name).collect();
    let themes = section.optional("themes").map_or(Some(names.clone()), |field| {
        let elements: Vec<_> = field.elements().into_iter().flatten().collect();
        if elements.is_empty() {
            field.mismatch(report, "a list of figures", "[\"detection\"]");
            return None;
        }
        elements.iter().map(|element| element.word(&names, report)).collect::<Option<Vec<_>>>()
    });
    let own = ["min", "block"]
        .map(|key| section.optional(key).map(|field| (field.whole(2..=u64::from(u32::MAX), 100, report), field)));
    section.finish(report);
    if let Some(stopping) = &replications.stopping {
        if let Some((_, field)) = own.iter().flatten().next() {
            field.blame(report, "the looks of a race are those of `replications`", "leave it out");
            return None;
        }
        return Some(Race { level: level?, themes: themes?, looks: stopping.looks });
    }
    let [min, block] = own.each_ref().map(|own| own.as_ref().map(|(number, _)| *number));
    let most = u64::from(replications.number).max(2);
    let (min, block) = (min.unwrap_or(Some(DEFAULT_MIN.min(most)))?, block.unwrap_or(Some(DEFAULT_BLOCK))?);
    let looks = Looks::new(min.min(most), most, block).ok()?;
    Some(Race { level: level?, themes: themes?, looks })
}

/// `[race]` written out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct RaceForm {
    level: f64,
    themes: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    block: Option<u64>,
}

impl RaceForm {
    pub(super) fn new(race: &Race, looks_are_own: bool) -> Self {
        let own = |number: u64| looks_are_own.then_some(number);
        let (min, block) = (own(race.looks.min()), own(race.looks.block()));
        Self { level: race.level, themes: race.themes.clone(), min, block }
    }
}
