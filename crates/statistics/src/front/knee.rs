//! The knee of a front: where giving up a little of one objective stops to buy much of the other.

use super::front_of_means;
use crate::{FrontPoint, NotANumberError, Objectives, Resampling, front};

/// The position, in the input, of the front's knee: the design furthest below the chord between the front's two ends,
/// with both objectives scaled to the range of the front (Das, *Structural Optimization* 18, 1999). Of equal ones the
/// first by `x`.
///
/// `None` if no design of the front lies below the chord: a front of fewer than three points, or a bulging one, has none.
///
/// # Errors
///
/// Refuses points that are not numbers.
pub fn knee(points: &[(f64, f64)]) -> Result<Option<usize>, NotANumberError> {
    Ok(knee_of_front(&front(points)?))
}

fn knee_of_front(front: &[FrontPoint]) -> Option<usize> {
    let (first, last) = (front.first()?, front.last()?);
    // How far a point lies below the chord from (0, 1) to (1, 0), times √2. Ends are on it, up to rounding.
    let depth =
        |point: &FrontPoint| 1.0 - (point.x - first.x) / (last.x - first.x) - (point.y - last.y) / (first.y - last.y);
    let mut deepest = (1e-12, None);
    for point in front {
        if depth(point) > deepest.0 {
            deepest = (depth(point), Some(point.index));
        }
    }
    deepest.1
}

/// How sure the knee is.
#[derive(Clone, Debug, PartialEq)]
pub struct KneeShares {
    /// The knee of the designs' means.
    pub knee: Option<usize>,
    /// For every design the share of bootstrap draws in which it is the knee. Of designs that tie in a draw, the first
    /// gets it all.
    pub shares: Vec<f64>,
    /// The share of draws without any knee.
    pub none: f64,
}

/// The knee of the designs' means, and how often each design is the knee when the replications are resampled.
#[must_use]
pub fn knee_shares(objectives: &Objectives, resampling: Resampling) -> KneeShares {
    let mut counts = KneeCounts::new(objectives.designs());
    objectives.draws(resampling).for_each(|points| counts.add(&front_of_means(&points)));
    counts.shares(&front_of_means(&objectives.means()))
}

/// In how many draws each design was the knee.
#[derive(Clone, Debug)]
pub(super) struct KneeCounts {
    counts: Vec<u32>,
    without: u32,
}

impl KneeCounts {
    pub(super) fn new(designs: usize) -> Self {
        Self { counts: vec![0; designs], without: 0 }
    }

    /// Adds the front of a draw.
    pub(super) fn add(&mut self, front: &[FrontPoint]) {
        match knee_of_front(front) {
            Some(design) => self.counts[design] += 1,
            None => self.without += 1,
        }
    }

    /// Adds the draws of another list of the same designs.
    pub(super) fn merge(&mut self, other: &Self) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(count, more)| *count += more);
        self.without += other.without;
    }

    pub(super) fn shares(&self, front: &[FrontPoint]) -> KneeShares {
        let draws = self.counts.iter().sum::<u32>() + self.without;
        let share = |count: u32| f64::from(count) / f64::from(draws);
        let shares = self.counts.iter().map(|&count| share(count)).collect();
        KneeShares { knee: knee_of_front(front), shares, none: share(self.without) }
    }
}
