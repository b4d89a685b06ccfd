//! Two objectives of many designs on the same replications, and their joint bootstrap.

use std::error::Error;
use std::fmt;

use crate::{Observations, Resampling};

/// The observations of two objectives, both to be made small: for each a row per replication and a column per design.
#[derive(Clone, Debug, PartialEq)]
pub struct Objectives {
    x: Observations,
    y: Observations,
}

impl Objectives {
    /// Pairs two tables.
    ///
    /// # Errors
    ///
    /// Refuses tables of different shapes, and tables without replications.
    pub fn new(x: Observations, y: Observations) -> Result<Self, ObjectivesError> {
        let error = ObjectivesError::of(&x, &y);
        if error.first == error.second && x.replications() > 0 { Ok(Self { x, y }) } else { Err(error) }
    }

    /// The first objective.
    #[must_use]
    pub fn x(&self) -> &Observations {
        &self.x
    }

    /// The second objective.
    #[must_use]
    pub fn y(&self) -> &Observations {
        &self.y
    }

    /// How many designs there are.
    #[must_use]
    pub fn designs(&self) -> usize {
        self.x.columns()
    }

    /// The mean of both objectives for every design.
    #[must_use]
    pub fn means(&self) -> Vec<(f64, f64)> {
        self.x.means().into_iter().zip(self.y.means()).collect()
    }

    /// The means in every bootstrap draw: replications are drawn with replacement, the same ones for all designs and both
    /// objectives, so that what they have in common stays in common.
    pub fn draws(&self, resampling: Resampling) -> impl Iterator<Item = Vec<(f64, f64)>> {
        let mut counts = vec![0; self.x.replications()];
        let (mut x, mut y) = (vec![0.0; self.designs()], vec![0.0; self.designs()]);
        resampling.generators().map(move |mut generator| {
            generator.counts(&mut counts);
            self.x.weighted_means(counts.iter().copied().map(f64::from), &mut x);
            self.y.weighted_means(counts.iter().copied().map(f64::from), &mut y);
            x.iter().copied().zip(y.iter().copied()).collect()
        })
    }
}

/// Two tables that do not belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectivesError {
    /// Replications and designs.
    first: (usize, usize),
    second: (usize, usize),
}

impl ObjectivesError {
    pub(crate) fn of(first: &Observations, second: &Observations) -> Self {
        let shape = |table: &Observations| (table.replications(), table.columns());
        Self { first: shape(first), second: shape(second) }
    }
}

impl fmt::Display for ObjectivesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, second } = self;
        write!(
            f,
            "these tables do not belong together: {} replications of {} designs, and {} of {}",
            first.0, first.1, second.0, second.1
        )
    }
}

impl Error for ObjectivesError {}
