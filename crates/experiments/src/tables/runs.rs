//! `runs.parquet`: a row per (replication, mode, design), in that order, written in row groups as replications finish.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use polars::prelude::{BatchedWriter, Column, DataFrame, PolarsError};
use scenario::RunRecord;

use super::{column, writer};
use crate::columns::{COLUMNS, Read};
use crate::publish::PartialFile;
use crate::runner::{DistinctDesigns, ReplicationRuns};
use crate::sweep_file::Sweep;

/// Row groups hold whole replications and about this many rows; the boundaries depend on the sweep alone.
const ROWS_PER_GROUP: usize = 131_072;

/// The file while it grows.
pub struct RunsFile<'a> {
    sweep: &'a Sweep,
    /// The designs that have rows, each with the position of its runs.
    designs: Vec<(usize, usize)>,
    file: PartialFile,
    writer: BatchedWriter<BufWriter<File>>,
    replications_per_group: usize,
    group: Vec<ReplicationRuns>,
}

impl<'a> RunsFile<'a> {
    /// Starts the file.
    ///
    /// # Errors
    ///
    /// When the folder does not let it be created.
    pub fn create(path: &Path, manifest: &str, sweep: &'a Sweep) -> Result<Self, PolarsError> {
        let designs: Vec<(usize, usize)> = DistinctDesigns::of(sweep).slot_of.into_iter().enumerate().collect();
        let no_rows = DataFrame::new(0, columns_of(sweep, &designs, &[]))?;
        let file = PartialFile::create(path)?;
        Ok(Self {
            sweep,
            designs,
            writer: writer(file.writer()?, manifest).batched(no_rows.schema())?,
            file,
            replications_per_group: Self::replications_per_group(sweep),
            group: Vec::new(),
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
    pub fn append(&mut self, runs: ReplicationRuns) -> Result<(), PolarsError> {
        self.group.push(runs);
        if self.group.len() == self.replications_per_group {
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
        if !self.group.is_empty() {
            self.write_group()?;
        }
        let slot_of = DistinctDesigns::of(self.sweep).slot_of.into_iter().enumerate();
        let position = |slot| slots.iter().position(|&kept| kept == slot);
        self.designs = slot_of.filter_map(|(design, slot)| Some((design, position(slot)?))).collect();
        Ok(())
    }

    /// Writes what is left and gives the file its name.
    ///
    /// # Errors
    ///
    /// When the rest cannot be written or the file cannot be named.
    pub fn finish(mut self) -> Result<(), PolarsError> {
        if !self.group.is_empty() {
            self.write_group()?;
        }
        self.writer.finish()?;
        Ok(self.file.publish()?)
    }

    fn write_group(&mut self) -> Result<(), PolarsError> {
        let columns = columns_of(self.sweep, &self.designs, &self.group);
        let height = columns.first().map_or(0, Column::len);
        self.group.clear();
        self.writer.write_batch(&DataFrame::new(height, columns)?)
    }
}

/// The rows of a group of replications, column by column.
fn columns_of(sweep: &Sweep, designs: &[(usize, usize)], group: &[ReplicationRuns]) -> Vec<Column> {
    let rules: Vec<&str> = sweep.designs.iter().map(|design| design.rule.name()).collect();
    let modes = sweep.modes.len();
    let per_row = |of: fn(&ReplicationRuns, usize, usize) -> u32| -> Vec<u32> {
        let rows = group.iter().flat_map(|runs| {
            (0..modes).flat_map(move |mode| designs.iter().map(move |&(design, _)| of(runs, mode, design)))
        });
        rows.collect()
    };
    let mode_of_row = per_row(|_, mode, _| mode as u32);
    let design_of_row = per_row(|_, _, design| design as u32);
    let rows: Vec<&RunRecord> = group
        .iter()
        .flat_map(|runs| &runs.runs)
        .flat_map(|records| designs.iter().map(|&(_, position)| &records[position]))
        .collect();

    let mut columns = vec![
        column("design", design_of_row.clone()),
        column("rule", design_of_row.iter().map(|&design| rules[design as usize]).collect::<Vec<_>>()),
        column("mode", mode_of_row.iter().map(|&mode| sweep.modes[mode as usize].name.as_str()).collect::<Vec<_>>()),
        column("replication", per_row(|runs, _, _| runs.replication)),
    ];
    columns.extend(COLUMNS.iter().map(|measured| {
        let (name, rows) = (measured.name, rows.iter().copied());
        match measured.read {
            Read::Count(read) | Read::Nanos(read) => column(name, rows.map(read).collect::<Vec<_>>()),
            Read::OptionalCount(read) => column(name, rows.map(read).collect::<Vec<_>>()),
            Read::Rounds(read) => column(name, rows.map(read).collect::<Vec<_>>()),
            Read::OptionalRounds(read) => column(name, rows.map(read).collect::<Vec<_>>()),
            Read::Flag(read) => column(name, rows.map(read).collect::<Vec<_>>()),
            Read::Word(read) => column(name, rows.map(read).collect::<Vec<_>>()),
        }
    }));
    columns
}
