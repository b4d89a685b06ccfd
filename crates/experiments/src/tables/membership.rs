//! `membership.parquet`: a row per distinct design and pair of objectives, with how surely it is on the front;
//! `hypervolume.parquet`: a row per pair of objectives that has a reference point.

use std::path::Path;

use polars::prelude::PolarsError;

use super::{column, write_whole};
use crate::front_uncertainty::{DesignOnFront, FrontUncertainty, Hypervolume, SelectedDesign};
use crate::sweep_file::Sweep;

/// Writes what is known of every distinct design's place.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_membership(
    path: &Path,
    manifest: &str,
    sweep: &Sweep,
    fronts: &[FrontUncertainty],
) -> Result<(), PolarsError> {
    let rows: Vec<(&FrontUncertainty, &DesignOnFront, Option<&SelectedDesign>)> = fronts
        .iter()
        .flat_map(|front| {
            let selected = |position| front.selection.as_ref().map(|selection| &selection.designs[position]);
            front.designs.iter().enumerate().map(move |(position, design)| (front, design, selected(position)))
        })
        .collect();
    let design = |row: &(&FrontUncertainty, &DesignOnFront, Option<&SelectedDesign>)| &sweep.designs[row.1.design];
    let mut columns = pair_columns(sweep, rows.iter().map(|row| row.0));
    columns.extend([
        column("rule", rows.iter().map(|row| design(row).rule.name()).collect::<Vec<_>>()),
        column("design", rows.iter().map(|row| design(row).number).collect::<Vec<_>>()),
        column("x", rows.iter().map(|row| row.1.means.0).collect::<Vec<_>>()),
        column("y", rows.iter().map(|row| row.1.means.1).collect::<Vec<_>>()),
        column("on_front", rows.iter().map(|row| row.1.membership.observed).collect::<Vec<_>>()),
        column("p_on_front", rows.iter().map(|row| row.1.membership.probability).collect::<Vec<_>>()),
        column("p_on_front_possible", rows.iter().map(|row| row.1.membership.possible).collect::<Vec<_>>()),
        column("class", rows.iter().map(|row| row.1.membership.class.name()).collect::<Vec<_>>()),
        column(
            "is_knee",
            rows.iter().map(|row| row.0.knee.is_some_and(|(knee, _)| knee == row.1.design)).collect::<Vec<_>>(),
        ),
        column("p_knee", rows.iter().map(|row| row.1.knee).collect::<Vec<_>>()),
        column(
            "select_n",
            rows.iter().map(|row| row.0.selection.as_ref().map(|selection| selection.selecting)).collect::<Vec<_>>(),
        ),
        column("select_on_front", rows.iter().map(|row| row.2.map(|selected| selected.chosen)).collect::<Vec<_>>()),
        column("select_x", rows.iter().map(|row| row.2.map(|selected| selected.selected_by.0)).collect::<Vec<_>>()),
        column("select_y", rows.iter().map(|row| row.2.map(|selected| selected.selected_by.1)).collect::<Vec<_>>()),
        column("report_n", rows.iter().map(|row| row.2.map(|selected| selected.x.n)).collect::<Vec<_>>()),
        column("report_x", rows.iter().map(|row| row.2.and_then(|selected| selected.x.value)).collect::<Vec<_>>()),
        column("report_x_lo", rows.iter().map(|row| row.2.and_then(|selected| selected.x.lo)).collect::<Vec<_>>()),
        column("report_x_hi", rows.iter().map(|row| row.2.and_then(|selected| selected.x.hi)).collect::<Vec<_>>()),
        column("report_y", rows.iter().map(|row| row.2.and_then(|selected| selected.y.value)).collect::<Vec<_>>()),
        column("report_y_lo", rows.iter().map(|row| row.2.and_then(|selected| selected.y.lo)).collect::<Vec<_>>()),
        column("report_y_hi", rows.iter().map(|row| row.2.and_then(|selected| selected.y.hi)).collect::<Vec<_>>()),
        column("report_y_method", rows.iter().map(|row| row.2.map(|selected| selected.y.method)).collect::<Vec<_>>()),
    ]);
    write_whole(path, manifest, columns)
}

/// Writes the areas that the fronts dominate.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_hypervolumes(
    path: &Path,
    manifest: &str,
    sweep: &Sweep,
    fronts: &[FrontUncertainty],
) -> Result<(), PolarsError> {
    let rows: Vec<(&FrontUncertainty, &Hypervolume)> =
        fronts.iter().filter_map(|front| Some((front, front.hypervolume.as_ref()?))).collect();
    let interval = |row: &(&FrontUncertainty, &Hypervolume)| row.1.area.estimate.interval;
    let of_chosen = |row: &(&FrontUncertainty, &Hypervolume)| row.0.selection.as_ref()?.hypervolume;
    let mut columns = pair_columns(sweep, rows.iter().map(|row| row.0));
    columns.extend([
        column("reference_x", rows.iter().map(|row| row.1.reference.0).collect::<Vec<_>>()),
        column("reference_y", rows.iter().map(|row| row.1.reference.1).collect::<Vec<_>>()),
        column("n", rows.iter().map(|row| row.1.area.estimate.n).collect::<Vec<_>>()),
        column("hypervolume", rows.iter().map(|row| row.1.area.estimate.value).collect::<Vec<_>>()),
        column("lo", rows.iter().map(|row| interval(row).map(|interval| interval.lo)).collect::<Vec<_>>()),
        column("hi", rows.iter().map(|row| interval(row).map(|interval| interval.hi)).collect::<Vec<_>>()),
        column("method", rows.iter().map(|row| row.1.area.estimate.method.name()).collect::<Vec<_>>()),
        column(
            "no_interval",
            rows.iter().map(|row| row.1.area.fallback.map(|reason| reason.name())).collect::<Vec<_>>(),
        ),
        column("select_hypervolume", rows.iter().map(|row| of_chosen(row).map(|areas| areas.0)).collect::<Vec<_>>()),
        column("report_hypervolume", rows.iter().map(|row| of_chosen(row).map(|areas| areas.1)).collect::<Vec<_>>()),
    ]);
    write_whole(path, manifest, columns)
}

/// The columns that name the two objectives.
fn pair_columns<'a>(
    sweep: &'a Sweep,
    rows: impl Iterator<Item = &'a FrontUncertainty> + Clone,
) -> Vec<polars::prelude::Column> {
    let mode = |index: usize| sweep.modes[index].name.as_str();
    vec![
        column("x_metric", rows.clone().map(|front| front.x.metric).collect::<Vec<_>>()),
        column("x_mode", rows.clone().map(|front| mode(front.x.mode)).collect::<Vec<_>>()),
        column("y_metric", rows.clone().map(|front| front.y.metric).collect::<Vec<_>>()),
        column("y_mode", rows.map(|front| mode(front.y.mode)).collect::<Vec<_>>()),
    ]
}
