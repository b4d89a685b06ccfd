//! Single rows of `runs.parquet`, to be compared with runs made again.

use std::path::{Path, PathBuf};

use polars::prelude::{DataFrame, ParquetReader, PolarsError, SerReader, polars_ensure};
use scenario::RunRecord;

use super::guarded;
use crate::columns::{COLUMNS, Read};
use crate::commands::Failure;

/// The rows of a `runs.parquet`.
pub struct RunRows {
    path: PathBuf,
    count: usize,
}

/// One row.
pub struct RunRow(DataFrame);

impl RunRows {
    /// Opens the file.
    ///
    /// # Errors
    ///
    /// When it is no Parquet file.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let count = guarded::read(path, |file| ParquetReader::new(file).num_rows())?;
        Ok(Self { path: path.to_owned(), count })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Reads one of them.
    ///
    /// # Errors
    ///
    /// When the file does not give it.
    pub fn row(&self, row: usize) -> Result<RunRow, Failure> {
        let table = guarded::read(&self.path, |file| {
            let table = ParquetReader::new(file).with_slice(Some((row, 1))).finish()?;
            polars_ensure!(table.height() == 1, ComputeError: "it has no row {row}");
            Ok(table)
        })?;
        Ok(RunRow(table))
    }
}

impl RunRow {
    /// In which columns the row is not that of this run: the column, what it holds, and what it should hold.
    #[must_use]
    pub fn differences(
        &self,
        names: [(&str, &str); 2],
        numbers: [(&str, u32); 2],
        run: &RunRecord,
    ) -> Vec<[String; 3]> {
        let mut differences = Vec::new();
        let mut compare = |name: &str, expected: String, equal: Result<bool, PolarsError>| {
            if !matches!(equal, Ok(true)) {
                differences.push([name.to_owned(), self.text(name), expected]);
            }
        };
        for (name, expected) in names {
            compare(name, expected.to_owned(), self.is_word(name, expected));
        }
        for (name, expected) in numbers {
            let equal = self.0.column(name).and_then(|column| Ok(column.u32()?.get(0) == Some(expected)));
            compare(name, expected.to_string(), equal);
        }
        for column in COLUMNS {
            compare(column.name, column.read.text(run), self.is(column.name, column.read, run));
        }
        let columns = names.len() + numbers.len() + COLUMNS.len();
        if self.0.width() != columns {
            differences.push(["columns".to_owned(), self.0.width().to_string(), columns.to_string()]);
        }
        differences
    }

    fn is(&self, name: &str, read: Read, run: &RunRecord) -> Result<bool, PolarsError> {
        let column = self.0.column(name)?;
        let bits = |number: Option<f64>| number.map(f64::to_bits);
        Ok(match read {
            Read::Count(read) | Read::Nanos(read) => column.u64()?.get(0) == Some(read(run)),
            Read::OptionalCount(read) => column.u64()?.get(0) == read(run),
            Read::Rounds(read) => bits(column.f64()?.get(0)) == bits(Some(read(run))),
            Read::OptionalRounds(read) => bits(column.f64()?.get(0)) == bits(read(run)),
            Read::Flag(read) => column.bool()?.get(0) == Some(read(run)),
            Read::Word(read) => self.is_word(name, read(run))?,
        })
    }

    fn is_word(&self, name: &str, expected: &str) -> Result<bool, PolarsError> {
        Ok(self.0.column(name)?.str()?.get(0) == Some(expected))
    }

    fn text(&self, name: &str) -> String {
        self.0
            .column(name)
            .and_then(|column| column.get(0).map(|value| value.to_string()))
            .unwrap_or("absent".to_owned())
    }
}
