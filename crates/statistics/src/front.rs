//! Pareto fronts of two objectives, both to be made small, and how far they can be trusted.

mod attainment;
mod ellipse;
mod hypervolume;
mod knee;
mod membership;
mod racing;
mod selection;
mod tally;

pub use attainment::{AttainmentBand, attainment, attainment_band};
pub use ellipse::{Ellipse, covariance_ellipse};
pub use hypervolume::{hypervolume, hypervolume_interval};
pub use knee::{KneeShares, knee, knee_shares};
pub use membership::{Membership, MembershipClass, front_membership};
pub use racing::Race;
pub use selection::{Reported, select_and_report};
pub use tally::{FrontQuestion, FrontTally};

use std::error::Error;
use std::fmt;

/// A point that no other one dominates. One point dominates another when it is no larger in both objectives and smaller
/// in at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontPoint {
    /// The first objective.
    pub x: f64,
    /// The second objective.
    pub y: f64,
    /// The position of the point in the input; among equal points the first.
    pub index: usize,
    /// The positions of the other points with the same two values, ascending: ties, merged into this one.
    pub ties: Vec<usize>,
}

/// The points that no other one dominates, by ascending `x` and hence strictly descending `y`. O(n log n).
///
/// # Errors
///
/// Refuses NaN, which is neither better nor worse than anything. Infinite values are ordered and accepted.
pub fn front(points: &[(f64, f64)]) -> Result<Vec<FrontPoint>, NotANumberError> {
    if let Some(index) = points.iter().position(|(x, y)| x.is_nan() || y.is_nan()) {
        return Err(NotANumberError { index });
    }
    let order = |a: f64, b: f64| a.partial_cmp(&b).expect("NaN was refused above");
    let mut by_x: Vec<usize> = (0..points.len()).collect();
    by_x.sort_by(|&a, &b| {
        let ((ax, ay), (bx, by)) = (points[a], points[b]);
        order(ax, bx).then(order(ay, by)).then(a.cmp(&b))
    });

    let mut front: Vec<FrontPoint> = Vec::new();
    for index in by_x {
        let (x, y) = points[index];
        match front.last_mut() {
            Some(last) if x == last.x && y == last.y => last.ties.push(index),
            // No smaller in x (by the order), so only a smaller y keeps it from being dominated.
            Some(last) if y >= last.y => {}
            _ => front.push(FrontPoint { x, y, index, ties: Vec::new() }),
        }
    }
    Ok(front)
}

/// The front of means of [`Observations`](crate::Observations), which are numbers.
fn front_of_means(points: &[(f64, f64)]) -> Vec<FrontPoint> {
    front(points).expect("means of observations are numbers")
}

/// The boundary of what the points attain, as the corners of a staircase: from each point of the front level to the next
/// one's `x`, then down to it. Everything above and to the right is at least as bad as some point that exists; nothing
/// is claimed between two points, as a straight line would.
///
/// # Errors
///
/// Refuses NaN, as [`front`] does.
pub fn staircase(points: &[(f64, f64)]) -> Result<Vec<(f64, f64)>, NotANumberError> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    for point in front(points)? {
        if let Some(&(_, previous_y)) = corners.last() {
            corners.push((point.x, previous_y));
        }
        corners.push((point.x, point.y));
    }
    Ok(corners)
}

/// A point with a coordinate that is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotANumberError {
    /// The position of the point in the input.
    pub index: usize,
}

impl fmt::Display for NotANumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "point {} has a coordinate that is not a number, so it cannot be compared", self.index)
    }
}

impl Error for NotANumberError {}
