//! Where the front may lie: what some, half and nearly all of its resamples attain.

use super::front_of_means;
use crate::{FrontPoint, Level, NotANumberError, Objectives, Resampling, front};

/// For every `x` the smallest `y` such that at least a share `share` of the fronts attains (x, y) or better: a level of the
/// empirical attainment function (Grunert da Fonseca, Fonseca & Hall, *EMO 2001*). Infinite where fewer fronts have any
/// point that far left.
///
/// `share` lies in (0, 1]; the smallest one that says anything is one front's.
///
/// # Errors
///
/// Refuses points that are not numbers.
///
/// # Panics
///
/// If there are no fronts.
pub fn attainment(fronts: &[Vec<(f64, f64)>], x: &[f64], share: f64) -> Result<Vec<f64>, NotANumberError> {
    let mut attained = Attained::new(x.to_vec());
    for points in fronts {
        attained.add(&front(points)?);
    }
    Ok(attained.levels(share))
}

/// The band in which the front may lie, at chosen values of the first objective.
#[derive(Clone, Debug, PartialEq)]
pub struct AttainmentBand {
    /// The values of the first objective, ascending: the designs' means.
    pub x: Vec<f64>,
    /// What at least a share (1 − level)/2 of the draws attains: the optimistic edge.
    pub best: Vec<f64>,
    /// What at least half of the draws attains.
    pub median: Vec<f64>,
    /// What at least a share (1 + level)/2 of the draws attains: the cautious edge.
    pub worst: Vec<f64>,
}

/// The attainment band of the front at the `x` of every design of the observed front, by bootstrap over the replications;
/// at level 0.9 from the share 0.05 to 0.95. Infinite where too few draws have any design that far left.
///
/// It shows how much the front moves with the replications. It is not corrected for the front's optimism, which all
/// draws share.
#[must_use]
pub fn attainment_band(objectives: &Objectives, resampling: Resampling, level: Level) -> AttainmentBand {
    let x: Vec<f64> = front_of_means(&objectives.means()).into_iter().map(|point| point.x).collect();
    let mut attained = Attained::new(x);
    objectives.draws(resampling).for_each(|points| attained.add(&front_of_means(&points)));
    attained.band(level)
}

/// What each of many fronts attains at chosen values of the first objective.
#[derive(Clone, Debug)]
pub(super) struct Attained {
    x: Vec<f64>,
    /// For every `x` the smallest `y` of each front, in any order.
    best: Vec<Vec<f64>>,
}

impl Attained {
    pub(super) fn new(x: Vec<f64>) -> Self {
        Self { best: vec![Vec::new(); x.len()], x }
    }

    /// Adds a front.
    pub(super) fn add(&mut self, front: &[FrontPoint]) {
        for (best, x) in self.best.iter_mut().zip(&self.x) {
            // Along the front y falls as x rises, so the last point that far left is the best.
            let attained = front.partition_point(|point| point.x <= *x);
            best.push(if attained == 0 { f64::INFINITY } else { front[attained - 1].y });
        }
    }

    /// Adds the fronts of another list with the same `x`.
    pub(super) fn merge(&mut self, other: Self) {
        self.best.iter_mut().zip(other.best).for_each(|(best, more)| best.extend(more));
    }

    pub(super) fn band(mut self, level: Level) -> AttainmentBand {
        let [best, median, worst] = [level.tail(), 0.5, 1.0 - level.tail()].map(|share| self.levels(share));
        AttainmentBand { x: self.x, best, median, worst }
    }

    /// The smallest value that at least a share of the fronts attains, at every `x`.
    fn levels(&mut self, share: f64) -> Vec<f64> {
        let level = |values: &mut Vec<f64>| {
            values.sort_unstable_by(f64::total_cmp);
            // A whole number of fronts must not become one more by rounding.
            let rank = (share * values.len() as f64 - 1e-9).ceil().max(1.0) as usize;
            values[rank.min(values.len()) - 1]
        };
        self.best.iter_mut().map(level).collect()
    }
}
