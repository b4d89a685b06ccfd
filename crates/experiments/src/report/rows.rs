//! Which designs the table shows, and how they are marked.

use crate::fronts::{Front, Point};
use crate::sweep_file::Sweep;

/// More rows than this are thinned out evenly; `front.parquet` has all.
const MOST_ROWS: usize = 24;

/// Settings that are alone in their `[[rule]]` are shown if there are no more than this: then somebody wonders about each.
const MOST_SINGLE_DESIGNS: usize = 6;

/// A row of the table.
pub(super) struct Row<'a> {
    pub(super) design: usize,
    /// Designs with the same two objectives.
    pub(super) ties: &'a [usize],
    /// Whether no design betters it.
    pub(super) on_front: bool,
    /// Whether it is the user's current setting.
    pub(super) is_current: bool,
    /// Whether it is the one that the report names.
    pub(super) is_named: bool,
}

impl Row<'_> {
    pub(super) fn mark(&self) -> String {
        let marks = [(self.is_current, "yours"), (self.is_named, "*"), (!self.on_front, "·")];
        marks.iter().filter(|(applies, _)| *applies).map(|(_, mark)| *mark).collect::<Vec<_>>().join(" ")
    }
}

/// The front, and for comparison what is not on it: the design that is named, the current setting, the baseline if one is asked
/// for, settings written down one by one, and no breaker at all.
pub(super) fn rows<'a>(sweep: &Sweep, front: &'a Front, named: Option<&'a Point>) -> Vec<Row<'a>> {
    let overall = front.overall();
    // Designs that are the same rule in other words are one row.
    let first = |design: usize| sweep.designs[design].equivalent_to.map_or(design, |first| first as usize);
    let current = sweep.analysis.current;
    let row = |design: usize, ties: &'a [usize]| {
        let is_current = current.map(first) == Some(design);
        Row {
            // The user's setting in the user's words.
            design: current.filter(|_| is_current).unwrap_or(design),
            ties,
            on_front: overall.iter().any(|point| point.design == design || point.ties.contains(&design)),
            is_current,
            is_named: named.is_some_and(|point| point.design == design),
        }
    };
    let mut rows: Vec<Row<'a>> = thin_out(&overall).iter().map(|point| row(point.design, &point.ties)).collect();
    let is_shown = |rows: &[Row<'_>], design: usize| rows.iter().any(|row| first(row.design) == design);
    if let Some(point) = named.filter(|point| !is_shown(&rows, point.design)) {
        rows.push(row(point.design, &point.ties));
    }
    let single = sweep.single_designs();
    let single = if single.len() > MOST_SINGLE_DESIGNS { Vec::new() } else { single };
    let none = sweep.designs.iter().position(|design| design.rule.open_for().is_none());
    for design in current.into_iter().chain(sweep.analysis.baseline).chain(single).chain(none).map(first) {
        if !is_shown(&rows, design) {
            rows.push(row(design, &[]));
        }
    }
    rows
}

/// At most [`MOST_ROWS`] points, the ends included.
pub(super) fn thin_out<'a>(points: &[&'a Point]) -> Vec<&'a Point> {
    if points.len() <= MOST_ROWS {
        return points.to_vec();
    }
    (0..MOST_ROWS).map(|row| points[row * (points.len() - 1) / (MOST_ROWS - 1)]).collect()
}
