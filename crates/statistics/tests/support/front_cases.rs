//! Noisy problems with a known front, shared by the tests and by the table in `docs/statistics.md`.

#![allow(dead_code, reason = "nobody uses all of it")]

use crate::macro_replications::{Sampler, covered};
use statistics::{
    BootstrapKind, Level, Looks, MembershipClass, Objectives, Observations, Race, Reported, Resampling,
    front_membership, hypervolume, hypervolume_interval, select_and_report,
};

/// True values of both objectives, and the noise of a replication.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) truth: Vec<(f64, f64)>,
    pub(crate) noise: f64,
    /// The correlation between any two designs: 0 for independent runs, near 1 for common random numbers.
    pub(crate) shared: f64,
}

impl Problem {
    /// Twenty designs on the front y = (1 − x)², of which the middle ones are the knee, and twenty a tenth and more behind.
    pub(crate) fn curved(shared: f64) -> Self {
        let on_front = (0..20).map(|i| f64::from(i) / 19.0).map(|x| (x, (1.0 - x).powi(2)));
        let behind = (0..20).map(|i| {
            let (x, back) = (f64::from(i) / 19.0, 0.1 + 0.02 * f64::from(i % 5));
            (x + back, (1.0 - x).powi(2) + back)
        });
        Self { truth: on_front.chain(behind).collect(), noise: 0.3, shared }
    }

    /// Forty designs anywhere: what a bootstrap says about them can be compared with how often it is right.
    pub(crate) fn scattered(sampler: &mut Sampler, shared: f64) -> Self {
        let truth = (0..40).map(|_| (2.0 * sampler.uniform(), 2.0 * sampler.uniform())).collect();
        Self { truth, noise: 0.3, shared }
    }

    /// A table per objective of `replications` rows.
    pub(crate) fn observe(&self, sampler: &mut Sampler, replications: usize) -> Objectives {
        let mut table = |value: fn(&(f64, f64)) -> f64| {
            let mut values = Vec::with_capacity(replications * self.truth.len());
            for _ in 0..replications {
                let common = self.shared.sqrt() * sampler.normal();
                for truth in &self.truth {
                    let own = (1.0 - self.shared).sqrt() * sampler.normal();
                    values.push(value(truth) + self.noise * (common + own));
                }
            }
            Observations::new(self.truth.len(), values).unwrap()
        };
        let (x, y) = (table(|truth| truth.0), table(|truth| truth.1));
        Objectives::new(x, y).unwrap()
    }

    /// Whether each design is on the true front.
    pub(crate) fn on_front(&self) -> Vec<bool> {
        let dominated = |&(x, y): &(f64, f64)| self.truth.iter().any(|&(u, v)| u <= x && v <= y && (u < x || v < y));
        self.truth.iter().map(|point| !dominated(point)).collect()
    }
}

/// The membership probabilities of all designs of many scattered problems, each with whether the design is truly on the
/// front.
pub(crate) fn membership_of_many(problems: u64, replications: usize, shared: f64, draws: u32) -> Vec<(f64, bool)> {
    let of_one = |seed| {
        let mut sampler = Sampler::new(seed);
        let problem = Problem::scattered(&mut sampler, shared);
        let observed = problem.observe(&mut sampler, replications);
        let memberships = front_membership(&observed, (0.0, 0.0), Resampling { draws, seed });
        memberships.into_iter().map(|membership| membership.probability).zip(problem.on_front())
    };
    (0..problems).flat_map(of_one).collect()
}

/// How many members of the true front are called out, per front, and how many would be with the cut at a twentieth.
pub(crate) fn members_lost(problem: &Problem, fronts: u64, replications: usize) -> (f64, f64) {
    let truth = problem.on_front();
    let (mut lost, mut at_a_twentieth) = (0u32, 0u32);
    for seed in 0..fronts {
        let observed = problem.observe(&mut Sampler::new(seed), replications);
        let memberships = front_membership(&observed, (0.0, 0.0), Resampling { draws: 1_000, seed: 1 });
        for (membership, _) in memberships.iter().zip(&truth).filter(|(_, on_front)| **on_front) {
            lost += u32::from(membership.class == MembershipClass::Out);
            at_a_twentieth += u32::from(membership.probability <= 0.05);
        }
    }
    (f64::from(lost) / fronts as f64, f64::from(at_a_twentieth) / fronts as f64)
}

/// In how many of `problems` samples of the curved problem the bootstrap interval of the hypervolume holds the true one.
pub(crate) fn hypervolume_covered(
    shared: f64,
    replications: usize,
    problems: u64,
    draws: u32,
    kind: BootstrapKind,
) -> u64 {
    const REFERENCE: (f64, f64) = (1.5, 1.5);
    let problem = Problem::curved(shared);
    let truth = hypervolume(&problem.truth, REFERENCE).unwrap();
    let level = Level::new(0.95).unwrap();
    covered(problems, replications as u64, |sampler| {
        let observed = problem.observe(sampler, replications);
        let estimate = hypervolume_interval(&observed, REFERENCE, Resampling { draws, seed: 1 }, level).estimate;
        let basic = estimate.interval.unwrap();
        match kind {
            BootstrapKind::Basic => basic.contains(truth),
            // The other interval is the reflection of this one, and the truth is in it if its own reflection is in this.
            _ => basic.contains(2.0 * estimate.value.unwrap() - truth),
        }
    })
}

/// The front chosen by one set of replications: the mean over its designs of how much both objectives together are off
/// the truth, on that set and on another.
pub(crate) fn selection_errors(problem: &Problem, seed: u64, replications: usize) -> (f64, f64) {
    let select = problem.observe(&mut Sampler::new(2 * seed), replications);
    let report = problem.observe(&mut Sampler::new(2 * seed + 1), replications);
    let designs = select_and_report(&select, &report, Level::new(0.95).unwrap()).unwrap();
    let mean_error = |of: fn(&Reported) -> (f64, f64)| {
        let error = |design: &Reported| {
            let (truth, (x, y)) = (problem.truth[design.design], of(design));
            x - truth.0 + y - truth.1
        };
        designs.iter().map(error).sum::<f64>() / designs.len() as f64
    };
    (mean_error(|design| design.selected_by), mean_error(|design| (design.x.value.unwrap(), design.y.value.unwrap())))
}

/// What a race came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RaceOutcome {
    /// Designs of the true front that were dropped.
    pub(crate) members_lost: usize,
    /// Other designs that were dropped.
    pub(crate) rest_dropped: usize,
    /// The share of all replications that were not needed.
    pub(crate) saved: f64,
}

/// Runs a race to its last look; what was dropped gets no more replications.
pub(crate) fn race(problem: &Problem, looks: Looks, level: Level, sampler: &mut Sampler) -> RaceOutcome {
    let all_looks: Vec<u64> = looks.iter().collect();
    let last = all_looks[all_looks.len() - 1] as usize;
    let observed = problem.observe(sampler, last);
    let truth = problem.on_front();
    let race = Race { looks, designs: problem.truth.len(), level };
    let mut racing: Vec<usize> = (0..problem.truth.len()).collect();
    let mut outcome = RaceOutcome { members_lost: 0, rest_dropped: 0, saved: 0.0 };
    for look in all_looks {
        let table = |table: &Observations| {
            let rows = table.rows().take(look as usize);
            let values = rows.flat_map(|row| racing.iter().map(|&design| row[design]).collect::<Vec<_>>());
            Observations::new(racing.len(), values.collect()).unwrap()
        };
        let dominators = race.dominators(&Objectives::new(table(observed.x()), table(observed.y())).unwrap()).unwrap();
        let dropped: Vec<usize> =
            racing.iter().zip(&dominators).filter(|(_, by)| by.is_some()).map(|(&design, _)| design).collect();
        racing.retain(|design| !dropped.contains(design));
        outcome.members_lost += dropped.iter().filter(|&&design| truth[design]).count();
        outcome.rest_dropped += dropped.iter().filter(|&&design| !truth[design]).count();
        let unused = dropped.len() * (last - look as usize);
        outcome.saved += unused as f64 / (last * problem.truth.len()) as f64;
    }
    outcome
}
