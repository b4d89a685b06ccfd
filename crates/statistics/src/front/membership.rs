//! How probably a design is on the front.

use std::fmt;

use super::front_of_means;
use crate::{Objectives, Resampling};

/// The least probability with which a design is said to be on the front.
const IN_FROM: f64 = 0.95;

/// The greatest probability with which a design is said to be off the front. To throw a good design away is the worse
/// mistake, and the bootstrap makes it more readily: a design of the true front that had bad luck looks beaten by each
/// neighbour that had good luck. So "out" is said much more slowly than "in".
const OUT_UP_TO: f64 = 0.005;

/// What can be said about a design and the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MembershipClass {
    /// On the front in at least 95 % of the draws.
    In,
    /// On the front in at most 0.5 % of the draws.
    Out,
    /// Neither: more replications could show either.
    Undecided,
}

impl MembershipClass {
    /// The class of a probability.
    #[must_use]
    pub fn of(probability: f64) -> Self {
        match probability {
            p if p >= IN_FROM => Self::In,
            p if p <= OUT_UP_TO => Self::Out,
            _ => Self::Undecided,
        }
    }

    /// The name in result files: `in`, `out` or `undecided`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
            Self::Undecided => "undecided",
        }
    }
}

impl fmt::Display for MembershipClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A design's place with respect to the front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Membership {
    /// The share of bootstrap draws in which no other design beats it.
    pub probability: f64,
    /// What follows from the share.
    pub class: MembershipClass,
    /// Whether the means over all replications are on the front: optimistic by itself.
    pub observed: bool,
}

/// How probably each design is on the front, by bootstrap over the replications, jointly for all designs.
///
/// A design is beaten by another that is no larger in both objectives and by more than the *indifference zone* smaller in
/// at least one; with a zone of (0, 0) this is domination. A zone keeps designs that are as good for all that anyone
/// cares, such as several settings that never open falsely. It is in the units of the objectives and not negative.
///
/// The shares answer "how often would such data show it on the front", which is not quite the probability that it *is*
/// there: see the calibration in `docs/statistics.md`. They become sharper with more replications, and with designs that
/// are compared on common random numbers.
#[must_use]
pub fn front_membership(objectives: &Objectives, zone: (f64, f64), resampling: Resampling) -> Vec<Membership> {
    let mut unbeaten = vec![0u32; objectives.designs()];
    let mut sweep = Sweep::default();
    for points in objectives.draws(resampling) {
        sweep.for_each_unbeaten(&points, zone, |design| unbeaten[design] += 1);
    }
    let mut observed = vec![false; objectives.designs()];
    for point in front_of_means(&objectives.means()) {
        observed[point.index] = true;
        point.ties.iter().for_each(|&design| observed[design] = true);
    }
    let membership = |(count, observed)| {
        let probability = f64::from(count) / f64::from(resampling.draws);
        Membership { probability, class: MembershipClass::of(probability), observed }
    };
    unbeaten.into_iter().zip(observed).map(membership).collect()
}

/// Room for one pass over the points by ascending `x`, reused from draw to draw.
#[derive(Default)]
struct Sweep {
    by_x: Vec<usize>,
}

impl Sweep {
    /// Calls `unbeaten` for every design that no other one beats. O(n log n).
    fn for_each_unbeaten(&mut self, points: &[(f64, f64)], zone: (f64, f64), mut unbeaten: impl FnMut(usize)) {
        self.by_x.clear();
        self.by_x.extend(0..points.len());
        self.by_x.sort_unstable_by(|&a, &b| points[a].0.total_cmp(&points[b].0));
        let x_of = |position: usize| self.by_x.get(position).map(|&design| points[design].0);
        let y_of = |position: usize| points[self.by_x[position]].1;

        // The smallest y among designs that are smaller in x by more than the zone, and among those no larger in x.
        let (mut far, mut lowest_far) = (0, f64::INFINITY);
        let (mut near, mut lowest_near) = (0, f64::INFINITY);
        for position in 0..points.len() {
            let (x, y) = points[self.by_x[position]];
            while x_of(far).is_some_and(|other| other < x - zone.0) {
                lowest_far = lowest_far.min(y_of(far));
                far += 1;
            }
            while x_of(near).is_some_and(|other| other <= x) {
                lowest_near = lowest_near.min(y_of(near));
                near += 1;
            }
            if !(lowest_far <= y || lowest_near < y - zone.1) {
                unbeaten(self.by_x[position]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, pair by pair.
    fn beaten(points: &[(f64, f64)], design: usize, zone: (f64, f64)) -> bool {
        let (x, y) = points[design];
        points.iter().any(|&(u, v)| u <= x && v <= y && (u < x - zone.0 || v < y - zone.1))
    }

    proptest! {
        #[test]
        fn the_sweep_finds_what_the_definition_says(
            points in prop::collection::vec((0..8i32, 0..8i32), 1..20),
            zone in (0..4i32, 0..4i32),
        ) {
            let points: Vec<_> = points.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
            let zone = (f64::from(zone.0), f64::from(zone.1));
            let mut unbeaten = Vec::new();
            Sweep::default().for_each_unbeaten(&points, zone, |design| unbeaten.push(design));
            unbeaten.sort_unstable();
            let expected: Vec<usize> = (0..points.len()).filter(|&design| !beaten(&points, design, zone)).collect();
            prop_assert_eq!(unbeaten, expected);
        }
    }
}
