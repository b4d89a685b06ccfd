//! A row group while it grows. Replications are taken apart into columns as they come, while their records are in the cache;
//! nothing is kept of them but the columns, which become those of the file without being copied.

use polars::prelude::{
    BooleanChunkedBuilder, ChunkedBuilder, Column, Float64Type, IntoColumn, NamedFromOwned, PolarsNumericType,
    PrimitiveChunkedBuilder, Series, StringChunkedBuilder, UInt32Type, UInt64Type,
};
use scenario::RunRecord;

use crate::columns::{COLUMNS, Read};
use crate::runner::ReplicationRuns;

/// What is measured in the runs of some replications, and of which replication each row is.
pub(super) struct RowGroup {
    replications: usize,
    replication: Vec<u32>,
    /// The measured columns, in the order of [`COLUMNS`].
    measured: Vec<Values>,
}

impl RowGroup {
    /// No replications yet, with room for so many rows.
    pub(super) fn with_capacity(rows: usize) -> Self {
        let measured = COLUMNS.iter().map(|column| Values::with_capacity(column.name, column.read, rows));
        Self { replications: 0, replication: Vec::with_capacity(rows), measured: measured.collect() }
    }

    /// No replications yet. The numbers of another group's columns leave their memory, whatever it is; new columns have room for
    /// so many rows.
    pub(super) fn in_place_of(columns: Vec<Column>, rows: usize) -> Self {
        let mut columns = columns.into_iter();
        let replication = columns.next().map(emptied::<UInt32Type>).unwrap_or_default();
        let measured = columns.zip(&COLUMNS).map(|(column, of)| Values::in_place_of(column, of.read, rows));
        Self { replications: 0, replication, measured: measured.collect() }
    }

    /// How many replications it holds.
    pub(super) fn replications(&self) -> usize {
        self.replications
    }

    /// Appends the rows of a replication: in every mode a row for each of these positions among its runs.
    pub(super) fn append(&mut self, runs: &ReplicationRuns, positions: &[usize]) {
        self.replications += 1;
        self.replication.extend(std::iter::repeat_n(runs.replication, runs.runs.len() * positions.len()));
        for records in &runs.runs {
            for (values, column) in self.measured.iter_mut().zip(&COLUMNS) {
                values.extend(column.read, positions.iter().map(|&position| &records[position]));
            }
        }
    }

    /// The columns, that of the replications first.
    pub(super) fn into_columns(self) -> Vec<Column> {
        let mut columns = vec![Series::from_vec("replication".into(), self.replication).into_column()];
        columns.extend(self.measured.into_iter().zip(&COLUMNS).map(|(values, column)| values.into_column(column.name)));
        columns
    }
}

/// The values of a measured column.
enum Values {
    Integers(Vec<u64>),
    OptionalIntegers(PrimitiveChunkedBuilder<UInt64Type>),
    Numbers(Vec<f64>),
    OptionalNumbers(PrimitiveChunkedBuilder<Float64Type>),
    Flags(BooleanChunkedBuilder),
    Words(StringChunkedBuilder),
}

impl Values {
    fn with_capacity(name: &str, read: Read, rows: usize) -> Self {
        match read {
            Read::Count(_) | Read::Nanos(_) => Self::Integers(Vec::with_capacity(rows)),
            Read::OptionalCount(_) => Self::OptionalIntegers(PrimitiveChunkedBuilder::new(name.into(), rows)),
            Read::Rounds(_) => Self::Numbers(Vec::with_capacity(rows)),
            Read::OptionalRounds(_) => Self::OptionalNumbers(PrimitiveChunkedBuilder::new(name.into(), rows)),
            Read::Flag(_) => Self::Flags(BooleanChunkedBuilder::new(name.into(), rows)),
            Read::Word(_) => Self::Words(StringChunkedBuilder::new(name.into(), rows)),
        }
    }

    fn in_place_of(column: Column, read: Read, rows: usize) -> Self {
        match read {
            Read::Count(_) | Read::Nanos(_) => Self::Integers(emptied::<UInt64Type>(column)),
            Read::Rounds(_) => Self::Numbers(emptied::<Float64Type>(column)),
            _ => Self::with_capacity(column.name(), read, rows),
        }
    }

    /// Appends what a column reads off runs.
    fn extend<'a>(&mut self, read: Read, runs: impl Iterator<Item = &'a RunRecord>) {
        match (self, read) {
            (Self::Integers(values), Read::Count(read) | Read::Nanos(read)) => values.extend(runs.map(read)),
            (Self::OptionalIntegers(values), Read::OptionalCount(read)) => {
                runs.for_each(|run| values.append_option(read(run)));
            }
            (Self::Numbers(values), Read::Rounds(read)) => values.extend(runs.map(read)),
            (Self::OptionalNumbers(values), Read::OptionalRounds(read)) => {
                runs.for_each(|run| values.append_option(read(run)));
            }
            (Self::Flags(values), Read::Flag(read)) => runs.for_each(|run| values.append_value(read(run))),
            (Self::Words(values), Read::Word(read)) => runs.for_each(|run| values.append_value(read(run))),
            _ => unreachable!("values are those of their column"),
        }
    }

    fn into_column(self, name: &str) -> Column {
        match self {
            Self::Integers(values) => Series::from_vec(name.into(), values).into_column(),
            Self::OptionalIntegers(values) => values.finish().into_column(),
            Self::Numbers(values) => Series::from_vec(name.into(), values).into_column(),
            Self::OptionalNumbers(values) => values.finish().into_column(),
            Self::Flags(values) => values.finish().into_column(),
            Self::Words(values) => values.finish().into_column(),
        }
    }
}

/// The memory of a column that nothing else uses any more: to be given it again by the system takes longer than to fill it.
fn emptied<T: PolarsNumericType>(column: Column) -> Vec<T::Native> {
    let series = column.take_materialized_series();
    let Ok(values) = series.unpack::<T>().cloned() else { return Vec::new() };
    drop(series);
    let mut chunks = values.downcast_into_iter().filter_map(|chunk| chunk.into_inner().1.into_mut().right());
    let mut values = chunks.next().unwrap_or_default();
    values.clear();
    values
}

#[cfg(test)]
mod tests {
    use polars::prelude::DataFrame;
    use scenario::Sharing;

    use super::*;
    use crate::runner::{DistinctDesigns, simulate};
    use crate::sweep_file::parse;

    fn table(columns: Vec<Column>) -> DataFrame {
        DataFrame::new(columns[0].len(), columns).expect("columns of one length")
    }

    #[test]
    fn a_group_in_the_memory_of_another_is_that_of_a_new_one() {
        let text = "[[rule]]\nkind = \"consecutive\"\nthreshold = [3, 4]\nopen_for = \"1s\"\n";
        let sweep = parse("group.toml", text, &["scenario.horizon=\"4s\"".to_owned()], None).expect("a sweep");
        let designs = DistinctDesigns::of(&sweep).design_set(&sweep);
        let fill = |mut group: RowGroup, replications: std::ops::Range<u32>| {
            for replication in replications {
                group.append(&simulate(&sweep, &designs, Sharing::Auto, replication), &[1, 0, 1]);
            }
            group.into_columns()
        };
        let first = fill(RowGroup::with_capacity(100), 0..5);
        let again = table(fill(RowGroup::in_place_of(first, 100), 5..7));
        assert_eq!(again.height(), 2 * sweep.modes.len() * 3);
        assert!(again.equals_missing(&table(fill(RowGroup::with_capacity(0), 5..7))));
    }

    #[test]
    fn the_memory_of_a_column_is_used_again_unless_somebody_else_has_it() {
        let column = || Series::from_vec("column".into(), vec![7_u64; 1000]).into_column();
        let memory = emptied::<UInt64Type>(column());
        assert!(memory.is_empty() && memory.capacity() >= 1000);
        let column = column();
        assert_eq!(emptied::<UInt64Type>(column.clone()).capacity(), 0);
        assert_eq!(column.get(999).expect("still there"), 7_u64.into());
    }
}
