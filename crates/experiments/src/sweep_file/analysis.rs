//! `[analysis]`: how the results are looked at. No run depends on it.

mod front;

use serde::Serialize;

pub use front::FrontAnalysis;

use super::document::Report;
use super::field::Section;

/// What is asked of the results beyond means and their intervals. Everything is off unless asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Analysis {
    /// Whether the terminal's table has simultaneous intervals: right for all of its designs together.
    #[serde(skip_serializing_if = "is_off")]
    pub simultaneous: bool,
    /// What is asked of the fronts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub front: Option<FrontAnalysis>,
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

/// Reads the table of a sweep of so many replications.
pub(super) fn read(root: &mut Section<'_>, replications: u32, report: &mut Report<'_>) -> Analysis {
    let Some(field) = root.optional("analysis") else { return Analysis::default() };
    let Some(mut section) = field.section("{ simultaneous = true }", report) else { return Analysis::default() };
    let simultaneous = section.optional("simultaneous").and_then(|field| field.flag(report));
    let front = section.optional("front").and_then(|field| front::read(&field, replications, report));
    section.finish(report);
    Analysis { simultaneous: simultaneous.unwrap_or_default(), front }
}
