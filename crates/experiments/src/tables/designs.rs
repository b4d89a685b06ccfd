//! `designs.parquet`: a row per design.

use std::path::Path;

use polars::prelude::PolarsError;

use super::{column, write_whole};
use crate::sweep_file::Sweep;

/// Writes the table of designs.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_designs(path: &Path, manifest: &str, sweep: &Sweep) -> Result<(), PolarsError> {
    let designs = &sweep.designs;
    let half_open = || designs.iter().map(|design| design.rule.half_open());
    let columns = vec![
        column("design", designs.iter().map(|design| design.number).collect::<Vec<_>>()),
        column("rule", designs.iter().map(|design| design.rule.name()).collect::<Vec<_>>()),
        column("threshold", designs.iter().map(|design| design.rule.threshold()).collect::<Vec<_>>()),
        column("window", designs.iter().map(|design| design.rule.window()).collect::<Vec<_>>()),
        column(
            "open_for_ns",
            designs.iter().map(|design| design.rule.open_for().map(|open_for| open_for.as_nanos())).collect::<Vec<_>>(),
        ),
        column("equivalent_to", designs.iter().map(|design| design.equivalent_to).collect::<Vec<_>>()),
        column("half_open_permits", half_open().map(|probes| probes.map(|probes| probes.permits)).collect::<Vec<_>>()),
        column(
            "half_open_successes",
            half_open().map(|probes| probes.map(|probes| probes.successes)).collect::<Vec<_>>(),
        ),
    ];
    write_whole(path, manifest, columns)
}
