//! Observations of many quantities on the same replications.

use std::error::Error;
use std::fmt;
use std::ops::Range;

/// The largest size of a value: squares and sums of such values are finite, and no mean is ever undefined.
const LARGEST: f64 = 1e150;

/// A table of numbers: a row per replication, a column per design.
///
/// What is computed from it resamples whole rows, so that what a replication did to all designs alike stays alike, as
/// common random numbers want it.
#[derive(Clone, Debug, PartialEq)]
pub struct Observations {
    columns: usize,
    values: Vec<f64>,
}

impl Observations {
    /// A table from its values, row by row.
    ///
    /// # Errors
    ///
    /// Refuses no columns, a number of values that is no multiple of `columns`, and values that are not finite
    /// (or larger than 10¹⁵⁰).
    pub fn new(columns: usize, values: Vec<f64>) -> Result<Self, ObservationsError> {
        if columns == 0 || !values.len().is_multiple_of(columns) {
            return Err(ObservationsError::Shape { columns, values: values.len() });
        }
        match values.iter().position(|value| !(-LARGEST..=LARGEST).contains(value)) {
            Some(index) => Err(ObservationsError::NotFinite { row: index / columns, column: index % columns }),
            None => Ok(Self { columns, values }),
        }
    }

    /// A table from its columns, each a design's observations by replication.
    ///
    /// # Errors
    ///
    /// Refuses no columns, columns of different lengths, and values that are not finite
    /// (or larger than 10¹⁵⁰).
    pub fn from_columns(columns: &[impl AsRef<[f64]>]) -> Result<Self, ObservationsError> {
        let rows = columns.first().map_or(0, |first| first.as_ref().len());
        if let Some(odd) = columns.iter().find(|column| column.as_ref().len() != rows) {
            return Err(ObservationsError::Shape { columns: rows, values: odd.as_ref().len() });
        }
        Self::new(columns.len(), (0..rows).flat_map(|row| columns.iter().map(move |c| c.as_ref()[row])).collect())
    }

    /// How many columns there are: at least one.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// How many rows there are.
    #[must_use]
    pub fn replications(&self) -> usize {
        self.values.len() / self.columns
    }

    /// The rows in order.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.columns)
    }

    /// One column.
    pub fn column(&self, column: usize) -> impl Iterator<Item = f64> {
        self.rows().map(move |row| row[column])
    }

    /// The mean of every column.
    #[must_use]
    pub fn means(&self) -> Vec<f64> {
        let mut means = vec![0.0; self.columns];
        self.weighted_means(std::iter::repeat(1.0), &mut means);
        means
    }

    /// The mean of every column when replications are drawn anew, each as often as
    /// [`Resampling::counts`](crate::Resampling::counts) says, into `means`.
    pub fn resampled_means(&self, counts: &[u32], means: &mut Vec<f64>) {
        means.resize(self.columns, 0.0);
        self.weighted_means(counts.iter().copied().map(f64::from), means);
    }

    /// The table of some replications.
    ///
    /// # Panics
    ///
    /// When there are not so many.
    #[must_use]
    pub fn only(&self, replications: Range<usize>) -> Self {
        let values = self.values[replications.start * self.columns..replications.end * self.columns].to_vec();
        Self { columns: self.columns, values }
    }

    /// The table of the differences to one column, row by row.
    pub(crate) fn minus_column(&self, column: usize) -> Self {
        let values = self.rows().flat_map(|row| row.iter().map(move |value| value - row[column])).collect();
        Self { columns: self.columns, values }
    }

    /// The means of the columns when row r counts `weights` r times, into `means`; the weights' sum is taken to be the
    /// number of rows.
    pub(crate) fn weighted_means(&self, weights: impl Iterator<Item = f64>, means: &mut [f64]) {
        means.fill(0.0);
        for (row, weight) in self.rows().zip(weights) {
            if weight != 0.0 {
                means.iter_mut().zip(row).for_each(|(mean, value)| *mean += weight * value);
            }
        }
        let scale = 1.0 / self.replications() as f64;
        means.iter_mut().for_each(|mean| *mean *= scale);
    }
}

/// Why values are no table of observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservationsError {
    /// The number of values does not fit the number of columns, or a column's length does not fit the others'.
    Shape {
        /// How many columns were announced, or how long the first one is.
        columns: usize,
        /// How many values there are.
        values: usize,
    },
    /// A value that is infinite, not a number, or larger than 10¹⁵⁰.
    NotFinite {
        /// Its row, from 0.
        row: usize,
        /// Its column, from 0.
        column: usize,
    },
}

impl fmt::Display for ObservationsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { columns, values } => {
                write!(f, "{values} values do not fit {columns}: every replication needs one value of every design")
            }
            Self::NotFinite { row, column } => write!(
                f,
                "replication {row} of design {column} is not finite: use a quantity that always is, such as a mean \
                 restricted to a horizon"
            ),
        }
    }
}

impl Error for ObservationsError {}
