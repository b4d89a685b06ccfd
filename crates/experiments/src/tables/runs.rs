//! `runs.parquet`: a row per (replication, mode, design), in that order, written in row groups as replications finish.

mod row_group;

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use polars::prelude::{BatchedWriter, Column, DataFrame, PolarsError};

use super::{column, writer};
use crate::publish::PartialFile;
use crate::runner::{DistinctDesigns, ReplicationRuns};
use crate::sweep_file::Sweep;

use row_group::RowGroup;

/// Row groups hold whole replications and about this many rows; the boundaries depend on the sweep alone.
const ROWS_PER_GROUP: usize = 131_072;

/// The file while it grows.
pub struct RunsFile<'a> {
    sweep: &'a Sweep,
    /// The designs that have rows, as indices into [`Sweep::designs`].
    designs: Vec<usize>,
    /// For each of them the position of its runs in a mode of a replication.
    positions: Vec<usize>,
    file: PartialFile,
    writer: BatchedWriter<BufWriter<File>>,
    replications_per_group: usize,
    group: RowGroup,
    /// What says of which design and mode each row of a group is: the same in every group of these designs.
    keys: Option<Keys>,
}

impl<'a> RunsFile<'a> {
    /// Starts the file.
    ///
    /// # Errors
    ///
    /// When the folder does not let it be created.
    pub fn create(path: &Path, manifest: &str, sweep: &'a Sweep) -> Result<Self, PolarsError> {
        let positions = DistinctDesigns::of(sweep).slot_of;
        let mut no_rows = Keys::new(sweep, &[], 0).columns;
        no_rows.extend(RowGroup::with_capacity(0).into_columns());
        let file = PartialFile::create(path)?;
        Ok(Self {
            sweep,
            designs: (0..sweep.designs.len()).collect(),
            positions,
            writer: writer(file.writer()?, manifest).batched(DataFrame::new(0, no_rows)?.schema())?,
            file,
            replications_per_group: Self::replications_per_group(sweep),
            group: RowGroup::with_capacity(Self::most_rows(sweep)),
            keys: None,
        })
    }

    /// How many replications a row group holds.
    #[must_use]
    pub fn replications_per_group(sweep: &Sweep) -> usize {
        (ROWS_PER_GROUP / (sweep.modes.len() * sweep.designs.len())).max(1)
    }

    /// Appends one replication; they must come in order.
    ///
    /// # Errors
    ///
    /// When a row group cannot be written.
    pub fn append(&mut self, runs: &ReplicationRuns) -> Result<(), PolarsError> {
        self.group.append(runs, &self.positions);
        if self.group.replications() == self.replications_per_group {
            self.write_group()?;
        }
        Ok(())
    }

    /// From now on replications have only the runs of these slots, in this order, and the other designs have no rows.
    ///
    /// # Errors
    ///
    /// When a row group cannot be written.
    pub fn keep_only(&mut self, slots: &[usize]) -> Result<(), PolarsError> {
        self.write_group()?;
        let slot_of = DistinctDesigns::of(self.sweep).slot_of.into_iter().enumerate();
        let position = |slot| slots.iter().position(|&kept| kept == slot);
        (self.designs, self.positions) = slot_of.filter_map(|(design, slot)| Some((design, position(slot)?))).unzip();
        self.keys = None;
        Ok(())
    }

    /// Writes what is left and gives the file its name.
    ///
    /// # Errors
    ///
    /// When the rest cannot be written or the file cannot be named.
    pub fn finish(mut self) -> Result<(), PolarsError> {
        self.write_group()?;
        self.writer.finish()?;
        Ok(self.file.publish()?)
    }

    /// More rows no group of a sweep has.
    fn most_rows(sweep: &Sweep) -> usize {
        let replications = Self::replications_per_group(sweep).min(sweep.replications as usize);
        replications * sweep.modes.len() * sweep.designs.len()
    }

    /// Writes the group if it has rows, and empties it.
    fn write_group(&mut self) -> Result<(), PolarsError> {
        let replications = self.group.replications();
        if replications == 0 {
            return Ok(());
        }
        let height = replications * self.sweep.modes.len() * self.designs.len();
        let keys = match self.keys.take() {
            Some(keys) if keys.replications >= replications => keys,
            _ => Keys::new(self.sweep, &self.designs, replications),
        };
        let mut columns: Vec<Column> = keys.columns.iter().map(|column| column.slice(0, height)).collect();
        let group = std::mem::replace(&mut self.group, RowGroup::with_capacity(0));
        columns.extend(group.into_columns());
        let table = DataFrame::new(height, columns)?;
        self.writer.write_batch(&table)?;
        let written = table.into_columns().split_off(keys.columns.len());
        self.group = RowGroup::in_place_of(written, Self::most_rows(self.sweep));
        self.keys = Some(keys);
        Ok(())
    }
}

/// The columns `design`, `rule` and `mode` of so many replications. Those of fewer are the beginning of them.
struct Keys {
    replications: usize,
    columns: Vec<Column>,
}

impl Keys {
    fn new(sweep: &Sweep, designs: &[usize], replications: usize) -> Self {
        let rows = || {
            let modes = (0..replications).flat_map(|_| &sweep.modes);
            modes.flat_map(|mode| designs.iter().map(move |&design| (mode, design)))
        };
        let columns = vec![
            column("design", rows().map(|(_, design)| design as u32).collect::<Vec<_>>()),
            column("rule", rows().map(|(_, design)| sweep.designs[design].rule.name()).collect::<Vec<_>>()),
            column("mode", rows().map(|(mode, _)| mode.name.as_str()).collect::<Vec<_>>()),
        ];
        Self { replications, columns }
    }
}
