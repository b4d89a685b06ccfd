//! Whether a sweep has replications enough: its estimates, judged at looks on the prefix of the replication index.
//!
//! A look is a function of the replications before it, whichever execution or machine they come from, so that a sweep stops
//! at the same one however it is interrupted or divided.

use std::collections::BTreeMap;

use statistics::{
    Level, Looks, Moments, NotALookError, Progress, StoppingRule, proportion, proportion_anytime, t_interval,
    t_quantile,
};

use crate::measures::{Measure, Sample};
use crate::never_seen::NeverSeen;
use crate::numbers::counted;
use crate::runner::{DistinctDesigns, ReplicationRuns};
use crate::sweep_file::{Demand, Demanded, Stopping, Sweep};

/// The running sums of what has to be precise: memory for designs, not for runs.
#[derive(Clone, Debug)]
pub struct Watch {
    level: Level,
    distinct: DistinctDesigns,
    looks: Looks,
    demands: Vec<Watched>,
    replications: u64,
    /// The slots that still get replications.
    kept: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Watched {
    demand: Demand,
    measure: Measure,
    /// `[mode of the demand][slot]`.
    sums: Vec<Vec<Sums>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    moments: Moments,
    /// The runs in which the event happened, or the number was not zero.
    events: u64,
}

/// What a look says.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// After how many replications.
    pub replications: u64,
    /// Whether to go on.
    pub progress: Progress,
    /// The estimates that had to be precise.
    pub demanded: usize,
    /// Those that were not, the worst first.
    pub shortfalls: Vec<Shortfall>,
}

/// An estimate that is not precise enough.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortfall {
    /// The design, as an index into [`Sweep::designs`].
    pub design: usize,
    /// The mode, as an index into [`Sweep::modes`].
    pub mode: usize,
    /// The metric.
    pub metric: &'static str,
    /// What is estimated of it.
    pub estimator: &'static str,
    /// Half of its interval's width; `None` without an interval: the runs did not differ.
    pub half_width: Option<f64>,
    /// Whether the runs are too skewed for so few of them to trust a t interval, however narrow.
    pub skewed: bool,
    /// The largest half-width that would do.
    pub allowed: f64,
}

impl Watch {
    /// Nothing yet of a sweep; `None` if its number of replications is fixed.
    #[must_use]
    pub fn new(sweep: &Sweep, level: Level) -> Option<Self> {
        let Stopping { looks, demands } = sweep.stopping.as_ref()?;
        let distinct = DistinctDesigns::of(sweep);
        let watched = |demand: &Demand| Watched {
            demand: demand.clone(),
            measure: demand.measure(),
            sums: vec![vec![Sums::default(); distinct.simulated.len()]; demand.modes.len()],
        };
        let demands = demands.iter().map(watched).collect();
        let kept = (0..distinct.simulated.len()).collect();
        Some(Self { level, distinct, looks: *looks, demands, replications: 0, kept })
    }

    /// After how many replications to look next; `None` from the last look on.
    #[must_use]
    pub fn next_look(&self) -> Option<u64> {
        self.looks.after(self.replications)
    }

    /// Whether some of it is asked of the designs on a front only.
    #[must_use]
    pub fn asks_for_fronts(&self) -> bool {
        self.demands.iter().any(|watched| watched.demand.designs == Demanded::Front)
    }

    /// Adds one replication; always in order of the replications.
    pub fn add(&mut self, replication: &ReplicationRuns) {
        self.replications += 1;
        for Watched { demand, measure, sums } in &mut self.demands {
            for (&mode, sums) in demand.modes.iter().zip(sums) {
                for (&slot, run) in self.kept.iter().zip(&replication.runs[mode]) {
                    let sums = &mut sums[slot];
                    let value = match measure.sample {
                        Sample::Column(read) => read.number(run),
                        Sample::Derived(read) => Some(read(run)),
                        Sample::Event(happened) => happened(run).map(|happened| f64::from(u8::from(happened))),
                    };
                    // A demand is about a measure that exists in every run.
                    let value = value.unwrap_or(f64::NAN);
                    sums.moments.add(value);
                    sums.events += u64::from(value != 0.0);
                }
            }
        }
    }

    /// From now on replications have only the runs of these slots, in this order; the others need not be precise.
    pub fn keep_only(&mut self, slots: &[usize]) {
        slots.clone_into(&mut self.kept);
    }

    /// Looks at the estimates. `on_front` are the designs, as indices into [`Sweep::designs`], that are on a front now.
    ///
    /// # Panics
    ///
    /// When there is no look after so many replications.
    #[must_use]
    pub fn look(&self, sweep: &Sweep, on_front: &[usize]) -> Look {
        let mut judge =
            Judge { level: self.level, t: t_quantile(self.replications, self.level), proportions: BTreeMap::new() };
        let mut on_front_by_slot = vec![false; self.distinct.simulated.len()];
        for &design in on_front {
            on_front_by_slot[self.distinct.slot_of[design]] = true;
        }
        let (mut demanded, mut shortfalls) = (0, Vec::new());
        for Watched { demand, measure, sums } in &self.demands {
            let rule = StoppingRule { looks: self.looks, precision: demand.precision };
            for (&mode, sums) in demand.modes.iter().zip(sums) {
                for (slot, sums) in self.kept.iter().map(|&slot| (slot, &sums[slot])) {
                    if demand.designs == Demanded::Front && !on_front_by_slot[slot] {
                        continue;
                    }
                    demanded += 1;
                    let design = self.distinct.simulated[slot];
                    let unseen = || NeverSeen::new(&sweep.scenario, &sweep.modes[mode], &sweep.designs[design].rule);
                    if let Some(half_width) = judge.shortfall(&rule, demand, measure, sums, unseen) {
                        let Demand { metric, estimator, .. } = *demand;
                        let allowed = demand.precision.half_width_at(sums.moments.mean().unwrap_or_default());
                        let skewed = half_width.is_some_and(|half_width| half_width <= allowed);
                        shortfalls.push(Shortfall { design, mode, metric, estimator, half_width, skewed, allowed });
                    }
                }
            }
        }
        shortfalls.sort_by(|a, b| b.badness().total_cmp(&a.badness()));
        let progress = match self.next_look() {
            _ if shortfalls.is_empty() => Progress::Reached,
            Some(next) => Progress::Continue { next },
            None => Progress::NotReached,
        };
        Look { replications: self.replications, progress, demanded, shortfalls }
    }
}

/// Judges the estimates of one look; what depends on counts alone is computed once.
struct Judge {
    level: Level,
    t: Option<f64>,
    proportions: BTreeMap<(bool, u64), statistics::Estimate>,
}

impl Judge {
    /// The half-width of an estimate that is not precise enough, `None` within if it has no interval.
    fn shortfall(
        &mut self,
        rule: &StoppingRule,
        demand: &Demand,
        measure: &Measure,
        sums: &Sums,
        unseen: impl Fn() -> NeverSeen,
    ) -> Option<Option<f64>> {
        let (n, level) = (sums.moments.count(), self.level);
        let reached = |progress: Result<Progress, NotALookError>| progress.expect("it is a look") == Progress::Reached;
        if measure.is_probability() {
            let estimate = *self.proportions.entry((demand.anytime, sums.events)).or_insert_with(|| {
                let of = if demand.anytime { proportion_anytime } else { proportion };
                of(sums.events, n, level).expect("events are counted among the runs")
            });
            let half_width = estimate.interval.map(|interval| interval.half_width());
            return (!reached(rule.of_estimate(&estimate))).then_some(half_width);
        }
        let mean = sums.moments.mean()?;
        let is_enough = |half_width: &f64| *half_width <= rule.precision.half_width_at(mean);
        if sums.events == 0 {
            let unseen = unseen();
            if unseen.cannot_happen(measure.metric) {
                return None;
            }
            let half_width = unseen.upper_end(measure, n, level).map(|hi| hi / 2.0);
            return half_width.filter(is_enough).is_none().then_some(half_width);
        }
        if reached(rule.of_moments(&sums.moments, level, self.t)) {
            return None;
        }
        // Few events are too skewed for Student's t, but all that they leave possible may be little.
        let few = unseen().upper_end_of_few(measure, sums.events, n, level).map(|hi| hi / 2.0);
        if few.filter(is_enough).is_some() {
            return None;
        }
        let deviation = sums.moments.standard_deviation().filter(|&deviation| deviation > 0.0);
        let student = deviation.zip(self.t).and_then(|(deviation, t)| t_interval(n, mean, deviation, t));
        Some(student.map(|interval| interval.half_width()))
    }
}

impl Shortfall {
    /// By how many times the interval is too wide.
    fn badness(&self) -> f64 {
        self.half_width.map_or(f64::INFINITY, |half_width| half_width / self.allowed)
    }

    /// In words: which estimate, how wide it is, and how wide it may be.
    #[must_use]
    pub fn in_words(&self, sweep: &Sweep) -> String {
        let design = &sweep.designs[self.design];
        let what = match self.half_width {
            Some(half_width) if self.skewed => format!(
                "± {half_width:.3}, which would do, but not of runs that are so skewed: more replications, or the probability \
                 of any instead of the mean"
            ),
            Some(half_width) => format!("± {half_width:.3} where ± {:.3} would do", self.allowed),
            None => format!("no interval, since nothing varied, where ± {:.3} would do", self.allowed),
        };
        format!(
            "{} of {} in {}, design {} ({}): {what}",
            self.estimator.replace('_', " "),
            self.metric,
            sweep.modes[self.mode].name,
            design.number,
            design.rule
        )
    }
}

impl Look {
    /// Whether all is precise.
    #[must_use]
    pub fn is_precise(&self) -> bool {
        self.progress == Progress::Reached
    }

    /// What is not precise, the worst of it line by line.
    #[must_use]
    pub fn shortfalls_in_words(&self, sweep: &Sweep) -> String {
        const MOST: usize = 5;
        let worst = if self.shortfalls.len() > MOST { ", the worst of them:" } else { ":" };
        let demanded = counted(self.demanded as u64, "estimate");
        let mut text = format!("{} of {demanded} not precise enough{worst}", self.shortfalls.len());
        for shortfall in self.shortfalls.iter().take(MOST) {
            text += &format!("\n  {}", shortfall.in_words(sweep));
        }
        text
    }
}

#[cfg(test)]
mod tests;
