//! Reading results back.

use std::collections::BTreeMap;
use std::path::Path;

use polars::prelude::{DataFrame, DataType, ParquetReader, PolarsError, SerReader};

use super::guarded;
use crate::commands::Failure;

/// The runs of a results folder, by design and mode.
#[derive(Debug)]
pub struct ResultTables {
    designs: DataFrame,
    runs: DataFrame,
}

impl ResultTables {
    /// Reads `designs.parquet` and `runs.parquet` of a folder.
    ///
    /// # Errors
    ///
    /// When one of them is missing or is no such table.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let table = |name: &str| guarded::read(&folder.join(name), |file| ParquetReader::new(file).finish());
        Ok(Self { designs: table("designs.parquet")?, runs: table("runs.parquet")? })
    }

    /// The numbers of the designs whose column values are all the given ones (`None` is null).
    ///
    /// # Errors
    ///
    /// When the table has no such column.
    pub fn designs_where(&self, rule: &str, numbers: &[(&str, Option<f64>)]) -> Result<Vec<u32>, PolarsError> {
        let rules = self.designs.column("rule")?.str()?;
        let ids = self.designs.column("design")?.u32()?;
        let mut matching = vec![true; self.designs.height()];
        for (row, name) in rules.iter().enumerate() {
            matching[row] &= name == Some(rule);
        }
        for &(column, wanted) in numbers {
            for (row, value) in floats(&self.designs, column)?.into_iter().enumerate() {
                matching[row] &= value == wanted;
            }
        }
        Ok(ids.iter().zip(matching).filter_map(|(id, matches)| id.filter(|_| matches)).collect())
    }

    /// The values of a column in the runs of a design, by mode, nulls left out, and the number of runs in each mode.
    ///
    /// # Errors
    ///
    /// When the table has no such column.
    pub fn values(&self, design: u32, column: &str) -> Result<BTreeMap<String, Vec<Option<f64>>>, PolarsError> {
        let designs = self.runs.column("design")?.u32()?;
        let modes = self.runs.column("mode")?.str()?;
        let mut by_mode = BTreeMap::<String, Vec<Option<f64>>>::new();
        for ((of, mode), value) in designs.iter().zip(modes.iter()).zip(floats(&self.runs, column)?) {
            if let Some(mode) = mode.filter(|_| of == Some(design)) {
                by_mode.entry(mode.to_owned()).or_default().push(value);
            }
        }
        Ok(by_mode)
    }
}

fn floats(table: &DataFrame, column: &str) -> Result<Vec<Option<f64>>, PolarsError> {
    Ok(table.column(column)?.cast(&DataType::Float64)?.f64()?.iter().collect())
}
