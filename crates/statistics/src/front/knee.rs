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
    /// For every design the share of bootstrap draws in which it is the knee.
    pub shares: Vec<f64>,
    /// The share of draws without any knee.
    pub none: f64,
}

/// The knee of the designs' means, and how often each design is the knee when the replications are resampled.
#[must_use]
pub fn knee_shares(objectives: &Objectives, resampling: Resampling) -> KneeShares {
    let mut counts = vec![0u32; objectives.designs()];
    let mut without = 0u32;
    for points in objectives.draws(resampling) {
        match knee_of_front(&front_of_means(&points)) {
            Some(design) => counts[design] += 1,
            None => without += 1,
        }
    }
    let share = |count| f64::from(count) / f64::from(resampling.draws);
    let shares = counts.into_iter().map(share).collect();
    KneeShares { knee: knee_of_front(&front_of_means(&objectives.means())), shares, none: share(without) }
}
