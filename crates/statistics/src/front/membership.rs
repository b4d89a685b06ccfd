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
        Self::of_both(probability, probability)
    }

    /// The class of a probability, and of what it could be where events were never seen.
    fn of_both(probability: f64, possible: f64) -> Self {
        match (probability, possible) {
            (p, _) if p >= IN_FROM => Self::In,
            (_, p) if p <= OUT_UP_TO => Self::Out,
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
    /// The same if every event that was never seen happens, in the designs that could beat this one, as often as its
    /// bound allows: at least `probability`, and equal to it where all events were seen.
    pub possible: f64,
    /// What follows: "in" from the probability, "out" only from what is possible.
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
    let mut counts = MembershipCounts::new(objectives.designs(), zone, Vec::new());
    objectives.draws(resampling).for_each(|points| counts.add(&points));
    counts.memberships(&objectives.means())
}

/// In how many draws each design was unbeaten.
#[derive(Clone, Debug)]
pub(super) struct MembershipCounts {
    zone: (f64, f64),
    /// For each design how large `y` may be although no event was seen. Empty if all events were seen.
    unseen: Vec<Option<f64>>,
    draws: u32,
    unbeaten: Vec<u32>,
    /// The same if the others' unseen events happen as often as they may.
    possible: Vec<u32>,
    pass: Pass,
    challengers: Vec<f64>,
}

impl MembershipCounts {
    /// `unseen` has an entry per design, or none at all.
    pub(super) fn new(designs: usize, zone: (f64, f64), mut unseen: Vec<Option<f64>>) -> Self {
        // Within the zone nobody cares how often it happens.
        unseen.iter_mut().for_each(|bound| *bound = bound.filter(|&bound| bound > zone.1));
        if unseen.iter().all(Option::is_none) {
            unseen.clear();
        }
        let (unbeaten, possible) = (vec![0; designs], vec![0; designs]);
        Self { zone, unseen, draws: 0, unbeaten, possible, pass: Pass::default(), challengers: Vec::new() }
    }

    /// Adds the means of a draw.
    pub(super) fn add(&mut self, points: &[(f64, f64)]) {
        self.draws += 1;
        self.challengers.clear();
        self.challengers.extend(points.iter().map(|point| point.1));
        self.pass.sort(points);
        self.pass.for_each_unbeaten(points, &self.challengers, self.zone, |design| self.unbeaten[design] += 1);
        if !self.unseen.is_empty() {
            for (y, bound) in self.challengers.iter_mut().zip(&self.unseen) {
                *y = bound.map_or(*y, |bound| bound.max(*y));
            }
            self.pass.for_each_unbeaten(points, &self.challengers, self.zone, |design| self.possible[design] += 1);
        }
    }

    /// Adds the draws of another list of the same designs.
    pub(super) fn merge(&mut self, other: &Self) {
        self.draws += other.draws;
        self.unbeaten.iter_mut().zip(&other.unbeaten).for_each(|(count, more)| *count += more);
        self.possible.iter_mut().zip(&other.possible).for_each(|(count, more)| *count += more);
    }

    pub(super) fn memberships(&self, means: &[(f64, f64)]) -> Vec<Membership> {
        let mut observed = vec![false; means.len()];
        for point in front_of_means(means) {
            observed[point.index] = true;
            point.ties.iter().for_each(|&design| observed[design] = true);
        }
        let possible = if self.unseen.is_empty() { &self.unbeaten } else { &self.possible };
        let share = |count: u32| f64::from(count) / f64::from(self.draws);
        let membership = |((&unbeaten, &possible), observed): ((&u32, &u32), bool)| {
            let (probability, possible) = (share(unbeaten), share(possible));
            Membership { probability, possible, class: MembershipClass::of_both(probability, possible), observed }
        };
        self.unbeaten.iter().zip(possible).zip(observed).map(membership).collect()
    }
}

/// Room for passes over the points by ascending `x`, reused from draw to draw.
#[derive(Clone, Debug, Default)]
struct Pass {
    by_x: Vec<usize>,
}

impl Pass {
    /// Prepares the passes over these points. O(n log n), and less if they hardly changed places.
    fn sort(&mut self, points: &[(f64, f64)]) {
        if self.by_x.len() != points.len() {
            self.by_x = (0..points.len()).collect();
        }
        // Stable: it makes use of what order there is already. The order among equals does not matter.
        self.by_x.sort_by(|&a, &b| points[a].0.total_cmp(&points[b].0));
    }

    /// Calls `unbeaten` for every design that no other one beats, if the others have the `y` of `challengers`, no smaller
    /// than their own.
    fn for_each_unbeaten(
        &self,
        points: &[(f64, f64)],
        challengers: &[f64],
        zone: (f64, f64),
        mut unbeaten: impl FnMut(usize),
    ) {
        let x_of = |position: usize| self.by_x.get(position).map(|&design| points[design].0);
        let y_of = |position: usize| challengers[self.by_x[position]];

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
    fn beaten(points: &[(f64, f64)], challengers: &[f64], design: usize, zone: (f64, f64)) -> bool {
        let (x, y) = points[design];
        let others = points.iter().zip(challengers).map(|(&(u, _), &v)| (u, v));
        others
            .enumerate()
            .any(|(other, (u, v))| other != design && u <= x && v <= y && (u < x - zone.0 || v < y - zone.1))
    }

    proptest! {
        #[test]
        fn a_pass_finds_what_the_definition_says(
            points in prop::collection::vec((0..8i32, 0..8i32, 0..3i32), 1..20),
            zone in (0..4i32, 0..4i32),
        ) {
            let challengers: Vec<f64> = points.iter().map(|&(_, y, more)| f64::from(y + more)).collect();
            let points: Vec<_> = points.into_iter().map(|(x, y, _)| (f64::from(x), f64::from(y))).collect();
            let zone = (f64::from(zone.0), f64::from(zone.1));
            let mut pass = Pass::default();
            pass.sort(&points);
            let mut unbeaten = Vec::new();
            pass.for_each_unbeaten(&points, &challengers, zone, |design| unbeaten.push(design));
            unbeaten.sort_unstable();
            let expected: Vec<usize> =
                (0..points.len()).filter(|&design| !beaten(&points, &challengers, design, zone)).collect();
            prop_assert_eq!(unbeaten, expected);
        }
    }
}
