//! `summary.parquet`: a row per (design, mode, metric, estimator).

use std::path::Path;

use polars::prelude::PolarsError;

use super::{column, write_whole};
use crate::estimates::{Estimate, Estimates};
use crate::sweep_file::Sweep;

/// Writes the table of estimates.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_summary(path: &Path, manifest: &str, sweep: &Sweep, estimates: &Estimates) -> Result<(), PolarsError> {
    let rows: Vec<(u32, &str, &Estimate)> = sweep
        .designs
        .iter()
        .enumerate()
        .flat_map(|(index, design)| {
            let modes = sweep.modes.iter().enumerate();
            modes.flat_map(move |(mode, named)| {
                estimates.of(index, mode).iter().map(move |row| (design.number, named.name.as_str(), row))
            })
        })
        .collect();
    let columns = vec![
        column("design", rows.iter().map(|row| row.0).collect::<Vec<_>>()),
        column("mode", rows.iter().map(|row| row.1).collect::<Vec<_>>()),
        column("metric", rows.iter().map(|row| row.2.metric).collect::<Vec<_>>()),
        column("estimator", rows.iter().map(|row| row.2.estimator).collect::<Vec<_>>()),
        column("n", rows.iter().map(|row| row.2.n).collect::<Vec<_>>()),
        column("value", rows.iter().map(|row| row.2.value).collect::<Vec<_>>()),
        column("lo", rows.iter().map(|row| row.2.lo).collect::<Vec<_>>()),
        column("hi", rows.iter().map(|row| row.2.hi).collect::<Vec<_>>()),
        column("level", vec![estimates.level().fraction(); rows.len()]),
        column("method", rows.iter().map(|row| row.2.method).collect::<Vec<_>>()),
    ];
    write_whole(path, manifest, columns)
}
