//! `front.parquet`: a row per design on a front, per pair of objectives.

use std::path::Path;

use polars::prelude::PolarsError;

use super::{column, write_whole};
use crate::fronts::{Front, Point};
use crate::sweep_file::Sweep;

/// Writes the members of all fronts, equal designs on rows of their own.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_front(path: &Path, manifest: &str, sweep: &Sweep, fronts: &[Front]) -> Result<(), PolarsError> {
    let rows: Vec<(&Front, &str, &Point, usize)> = fronts
        .iter()
        .flat_map(|front| front.families.iter().map(move |(name, points)| (front, *name, points)))
        .flat_map(|(front, name, points)| points.iter().map(move |point| (front, name, point)))
        .filter(|(_, _, point)| point.on_family_front)
        .flat_map(|(front, name, point)| {
            let designs = std::iter::once(point.design).chain(point.ties.iter().copied());
            designs.map(move |design| (front, name, point, design))
        })
        .collect();
    let mode = |index: usize| sweep.modes[index].name.as_str();
    let columns = vec![
        column("x_metric", rows.iter().map(|row| row.0.x.metric).collect::<Vec<_>>()),
        column("x_mode", rows.iter().map(|row| mode(row.0.x.mode)).collect::<Vec<_>>()),
        column("y_metric", rows.iter().map(|row| row.0.y.metric).collect::<Vec<_>>()),
        column("y_mode", rows.iter().map(|row| mode(row.0.y.mode)).collect::<Vec<_>>()),
        column("rule", rows.iter().map(|row| row.1).collect::<Vec<_>>()),
        column("design", rows.iter().map(|row| sweep.designs[row.3].number).collect::<Vec<_>>()),
        column(
            "tied_with",
            rows.iter()
                .map(|row| (row.3 != row.2.design).then_some(sweep.designs[row.2.design].number))
                .collect::<Vec<_>>(),
        ),
        column("x", rows.iter().map(|row| row.2.x.value).collect::<Vec<_>>()),
        column("x_lo", rows.iter().map(|row| row.2.x.lo).collect::<Vec<_>>()),
        column("x_hi", rows.iter().map(|row| row.2.x.hi).collect::<Vec<_>>()),
        column("y", rows.iter().map(|row| row.2.y.value).collect::<Vec<_>>()),
        column("y_lo", rows.iter().map(|row| row.2.y.lo).collect::<Vec<_>>()),
        column("y_hi", rows.iter().map(|row| row.2.y.hi).collect::<Vec<_>>()),
        column("y_method", rows.iter().map(|row| row.2.y.method).collect::<Vec<_>>()),
        column("on_overall_front", rows.iter().map(|row| row.2.on_front).collect::<Vec<_>>()),
    ];
    write_whole(path, manifest, columns)
}
