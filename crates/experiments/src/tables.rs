//! Parquet files, written and read with polars. What lies in a file depends on the sweep and the program only: never on
//! threads, folders, hosts or the time of day.

mod designs;
mod front;
pub(crate) mod guarded;
mod membership;
mod rare;
mod read;
mod rows;
mod runs;
mod sensitivity;
mod summary;

use std::io::Write;
use std::path::Path;

use polars::prelude::{Column, DataFrame, IntoColumn, KeyValueMetadata, NamedFrom, ParquetWriter, PolarsError, Series};

pub use designs::write_designs;
pub use front::write_front;
pub use membership::{write_hypervolumes, write_membership};
pub use rare::{SummaryMean, read_means, write_rare};
pub use read::ResultTables;
pub use rows::{RunRow, RunRows};
pub use runs::RunsFile;
pub use sensitivity::{Points, write_points, write_sensitivity};
pub use summary::write_summary;

use crate::publish::publish;

/// The files of a sweep's results, but for the manifest.
pub(crate) const FILE_NAMES: [&str; 6] = [
    "runs.parquet",
    "designs.parquet",
    "summary.parquet",
    "front.parquet",
    "membership.parquet",
    "hypervolume.parquet",
];

/// A Parquet writer with the settings of all our files: zstd, and the manifest in the key-value metadata.
fn writer<W: Write>(destination: W, manifest: &str) -> ParquetWriter<W> {
    let metadata = KeyValueMetadata::from_static(vec![("tripcurve".to_owned(), manifest.to_owned())]);
    ParquetWriter::new(destination).with_key_value_metadata(Some(metadata)).set_parallel(false)
}

/// A column of numbers, booleans or words, `None` becoming null.
fn column<T, P: ?Sized>(name: &str, values: T) -> Column
where
    Series: NamedFrom<T, P>,
{
    Series::new(name.into(), values).into_column()
}

/// Writes a table that fits in memory as one file.
fn write_whole(path: &Path, manifest: &str, columns: Vec<Column>) -> Result<(), PolarsError> {
    let height = columns.first().map_or(0, Column::len);
    let mut table = DataFrame::new(height, columns)?;
    let mut bytes = Vec::new();
    writer(&mut bytes, manifest).finish(&mut table)?;
    Ok(publish(path, &bytes)?)
}
