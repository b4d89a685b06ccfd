//! `rare.parquet`: a row per (design, mode in which opening is false), and what of a summary its plot needs.

use std::fs::File;
use std::path::Path;

use polars::prelude::{ParquetReader, PolarsError, SerReader};

use super::{column, write_whole};
use crate::measures::MEAN;
use crate::rare::RareRow;

/// Writes how rarely designs open falsely.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_rare(path: &Path, manifest: &str, rows: &[RareRow]) -> Result<(), PolarsError> {
    let numbers = |of: fn(&RareRow) -> Option<f64>| rows.iter().map(of).collect::<Vec<_>>();
    let columns = vec![
        column("design", rows.iter().map(|row| row.design).collect::<Vec<_>>()),
        column("mode", rows.iter().map(|row| row.mode.as_str()).collect::<Vec<_>>()),
        column("failure_probability", rows.iter().map(|row| row.failure_probability).collect::<Vec<_>>()),
        column("calls_per_second", rows.iter().map(|row| row.calls_per_second).collect::<Vec<_>>()),
        column("without_slot", rows.iter().map(|row| row.without_slot).collect::<Vec<_>>()),
        column("method", rows.iter().map(|row| row.method).collect::<Vec<_>>()),
        column("start", rows.iter().map(|row| row.start).collect::<Vec<_>>()),
        column("mean_calls", numbers(|row| row.mean_calls)),
        column("mean_calls_lo", numbers(|row| row.mean_calls_lo)),
        column("mean_calls_hi", numbers(|row| row.mean_calls_hi)),
        column("mean_seconds", numbers(|row| row.mean_seconds)),
        column("mean_seconds_lo", numbers(|row| row.mean_seconds_lo)),
        column("mean_seconds_hi", numbers(|row| row.mean_seconds_hi)),
        column("probability_per_hour", numbers(|row| row.probability_per_hour)),
        column("probability_per_day", numbers(|row| row.probability_per_day)),
        column("probability_ever", numbers(|row| row.probability_ever)),
        column("level", rows.iter().map(|row| row.level).collect::<Vec<_>>()),
        column("reason", rows.iter().map(|row| row.reason.as_deref()).collect::<Vec<_>>()),
    ];
    write_whole(path, manifest, columns)
}

/// A mean in `summary.parquet`.
#[derive(Clone, Debug, PartialEq)]
pub struct SummaryMean {
    /// The design's number.
    pub design: u32,
    /// The mode's name.
    pub mode: String,
    /// How many replications it is the mean of.
    pub n: u64,
    /// The mean.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub lo: Option<f64>,
    /// The upper end of its interval.
    pub hi: Option<f64>,
}

/// The means of a metric by design and mode, as `summary.parquet` has them.
///
/// # Errors
///
/// When the file cannot be read, or is no such table.
pub fn read_means(path: &Path, metric: &str) -> Result<Vec<SummaryMean>, PolarsError> {
    let table = ParquetReader::new(File::open(path)?).finish()?;
    let (design, mode) = (table.column("design")?.u32()?, table.column("mode")?.str()?);
    let (metrics, estimators) = (table.column("metric")?.str()?, table.column("estimator")?.str()?);
    let n = table.column("n")?.u64()?;
    let [value, lo, hi] = ["value", "lo", "hi"].map(|name| table.column(name)?.f64());
    let (value, lo, hi) = (value?, lo?, hi?);
    let wanted = |row: &usize| metrics.get(*row) == Some(metric) && estimators.get(*row) == Some(MEAN);
    let read = |row: usize| SummaryMean {
        design: design.get(row).unwrap_or_default(),
        mode: mode.get(row).unwrap_or_default().to_owned(),
        n: n.get(row).unwrap_or_default(),
        value: value.get(row),
        lo: lo.get(row),
        hi: hi.get(row),
    };
    Ok((0..table.height()).filter(wanted).map(read).collect())
}
