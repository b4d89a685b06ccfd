//! Everything that resampling says about a front, gathered draw by draw.

use super::attainment::Attained;
use super::front_of_means;
use super::hypervolume::{self, area};
use super::knee::KneeCounts;
use super::membership::MembershipCounts;
use crate::{AttainmentBand, BootstrapEstimate, KneeShares, Level, Membership};

/// What is asked of a front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontQuestion {
    /// How much worse in each objective is still as good: not negative, in the objectives' units.
    pub zone: (f64, f64),
    /// For each design whose second objective counts events of which none was seen, how large its mean may be all the
    /// same. Such a design is zero in every draw, which does not mean that it is better than another: it makes none
    /// "out" whose mean is less than this bound, unless the bound is within the zone. Empty if all events were seen.
    pub unseen: Vec<Option<f64>>,
    /// The reference point of the hypervolume; without one it is not measured.
    pub reference: Option<(f64, f64)>,
    /// At which values of the first objective the attainment band is wanted, ascending.
    pub band_at: Vec<f64>,
}

/// What was gathered of a front.
///
/// Membership, knee, hypervolume and attainment from the same draws, as [`front_membership`](crate::front_membership) and
/// its neighbours compute them one by one. Draws may be added in any order and, by [`merge`](Self::merge), on any number
/// of threads: the results are the same to the bit.
#[derive(Clone, Debug)]
pub struct FrontTally {
    means: Vec<(f64, f64)>,
    membership: MembershipCounts,
    knee: KneeCounts,
    reference: Option<(f64, f64)>,
    areas: Vec<f64>,
    attained: Attained,
}

impl FrontTally {
    /// Nothing yet of a front whose designs have these means.
    #[must_use]
    pub fn new(means: Vec<(f64, f64)>, question: &FrontQuestion) -> Self {
        Self {
            membership: MembershipCounts::new(means.len(), question.zone, question.unseen.clone()),
            knee: KneeCounts::new(means.len()),
            reference: question.reference,
            areas: Vec::new(),
            attained: Attained::new(question.band_at.clone()),
            means,
        }
    }

    /// Adds a draw: the designs' means when whole replications are drawn anew.
    ///
    /// # Panics
    ///
    /// When a mean is not a number.
    pub fn add(&mut self, points: &[(f64, f64)]) {
        self.membership.add(points);
        let front = front_of_means(points);
        self.knee.add(&front);
        self.areas.extend(self.reference.map(|reference| area(&front, reference)));
        self.attained.add(&front);
    }

    /// Adds the draws of another tally of the same front.
    pub fn merge(&mut self, other: Self) {
        self.membership.merge(&other.membership);
        self.knee.merge(&other.knee);
        self.areas.extend(other.areas);
        self.attained.merge(other.attained);
    }

    /// How probably each design is on the front. There must have been a draw.
    #[must_use]
    pub fn memberships(&self) -> Vec<Membership> {
        self.membership.memberships(&self.means)
    }

    /// The knee and how often each design is it. There must have been a draw.
    #[must_use]
    pub fn knee(&self) -> KneeShares {
        self.knee.shares(&front_of_means(&self.means))
    }

    /// The hypervolume with its basic interval, if there is a reference point. `replications` is how many the means are of.
    #[must_use]
    pub fn hypervolume(&self, replications: usize, level: Level) -> Option<BootstrapEstimate> {
        self.reference
            .map(|reference| hypervolume::estimate(&self.means, reference, self.areas.clone(), replications, level))
    }

    /// The attainment band. There must have been a draw.
    #[must_use]
    pub fn attainment(&self, level: Level) -> AttainmentBand {
        self.attained.clone().band(level)
    }
}
