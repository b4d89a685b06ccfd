//! Choosing by some replications, reporting by others.

use super::front_of_means;
use crate::{Estimate, Level, Objectives, ObjectivesError, mean};

/// A design that was chosen, and what replications that had no part in the choice say about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reported {
    /// The design's column.
    pub design: usize,
    /// The means by which it was chosen: better than the truth, on average, since luck helped to choose it.
    pub selected_by: (f64, f64),
    /// The first objective on the second set of replications.
    pub x: Estimate,
    /// The second objective on the second set of replications.
    pub y: Estimate,
}

/// The designs on the front of one set of replications, with their estimates from another set: free of the winner's
/// curse, and with intervals that cover as if nothing had been chosen. By ascending first objective; ties are all there.
///
/// The two sets must be independent (other seeds), of the same designs; they need not be equally large.
///
/// # Errors
///
/// Refuses sets with different numbers of designs.
pub fn select_and_report(
    select: &Objectives,
    report: &Objectives,
    level: Level,
) -> Result<Vec<Reported>, ObjectivesError> {
    if select.designs() != report.designs() {
        return Err(ObjectivesError::of(select.x(), report.x()));
    }
    let means = select.means();
    let designs = front_of_means(&means).into_iter().flat_map(|point| std::iter::once(point.index).chain(point.ties));
    let report = |design| {
        let of = |column: Vec<f64>| mean(&column, level);
        let (x, y) = (of(report.x().column(design).collect()), of(report.y().column(design).collect()));
        Reported { design, selected_by: means[design], x, y }
    };
    Ok(designs.map(report).collect())
}
