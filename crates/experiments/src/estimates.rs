//! Estimates with intervals for every (design, mode), accumulated replication by replication: memory for designs, not for
//! runs.

use std::collections::BTreeMap;

use engine::Tally;
use scenario::RunRecord;
use statistics::{Level, proportion, t_interval, t_quantile};

use crate::measures::{MEAN, MEAN_DIFFERENCE_TO_BASELINE, Measure, Sample, difference_estimator, measures};
use crate::never_seen::NeverSeen;
use crate::runner::{DistinctDesigns, ReplicationRuns};
use crate::sweep_file::Sweep;

/// One row of `summary.parquet`, without design and mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The column it is about.
    pub metric: &'static str,
    /// What is estimated of it.
    pub estimator: &'static str,
    /// The observations that went in.
    pub n: u64,
    /// The estimate; `None` without an observation.
    pub value: Option<f64>,
    /// The lower end of the interval; `None` where there is none.
    pub lo: Option<f64>,
    /// The upper end of the interval; `None` where there is none.
    pub hi: Option<f64>,
    /// How the interval was made: `t`, `paired_t`, `clopper_pearson`, `zero_events` (nothing was seen: the upper end is what
    /// that leaves possible), or `exact` (it cannot be otherwise). For all designs together: `sup_t`, `paired_sup_t`, and the
    /// others as `bonferroni_…`.
    pub method: &'static str,
}

/// The running sums of all (distinct design, mode) pairs.
pub struct Accumulators {
    measures: Vec<Measure>,
    distinct: DistinctDesigns,
    /// The slot of the design that differences are taken to, and what they are called.
    baseline: Option<(usize, &'static str)>,
    /// `[mode][measure]`.
    sums: Vec<Vec<Sums>>,
    /// The slots that still get replications, ascending.
    kept: Vec<usize>,
}

/// The running sums of a measure in a mode, by slot. Each replication goes through all of them, more than fits in a cache, so
/// they lie side by side and are kept only where they are used.
#[derive(Clone)]
struct Sums {
    values: Vec<Tally>,
    /// Empty where differences to the baseline are not estimated.
    differences: Vec<Tally>,
    /// Empty where the measure is no event.
    events: Vec<u64>,
}

impl Accumulators {
    /// Empty sums for a sweep.
    #[must_use]
    pub fn new(sweep: &Sweep) -> Self {
        let measures = measures(sweep.needs_the_richer_world());
        let distinct = DistinctDesigns::of(sweep);
        let slot = sweep.baseline().map(|design| distinct.slot_of[design]);
        let baseline = slot.zip(difference_estimator(sweep));
        let slots = distinct.simulated.len();
        let of_mode = measures.iter().map(|measure| Sums::new(measure, slots, baseline.is_some())).collect();
        let sums = vec![of_mode; sweep.modes.len()];
        let kept = (0..slots).collect();
        Self { measures, distinct, baseline, sums, kept }
    }

    /// Adds one replication; always in order of the replications, so that the sums are the same on any number of threads.
    pub fn add(&mut self, replication: &ReplicationRuns) {
        let baseline = self.baseline.and_then(|(slot, _)| self.kept.iter().position(|&kept| kept == slot));
        for (sums, runs) in self.sums.iter_mut().zip(&replication.runs) {
            let baseline = baseline.map(|position| &runs[position]);
            for (sums, measure) in sums.iter_mut().zip(&self.measures) {
                sums.add(measure, &self.kept, runs, baseline);
            }
        }
    }

    /// From now on replications have only the runs of these slots, in this order.
    pub fn keep_only(&mut self, slots: &[usize]) {
        slots.clone_into(&mut self.kept);
    }

    /// All estimates so far.
    #[must_use]
    pub fn estimates(&self, sweep: &Sweep, level: Level) -> Estimates {
        let mut intervals = Intervals { level, quantiles: BTreeMap::new(), proportions: BTreeMap::new() };
        let mut by_slot = Vec::with_capacity(self.sums.len());
        for (sums, mode) in self.sums.iter().zip(&sweep.modes) {
            let of_mode = self.distinct.simulated.iter().enumerate().map(|(slot, &design)| {
                let unseen = NeverSeen::new(&sweep.scenario, mode, &sweep.designs[design].rule);
                self.of_design(slot, sums, &unseen, &mut intervals)
            });
            by_slot.push(of_mode.collect());
        }
        let mut left = vec![true; self.distinct.simulated.len()];
        self.kept.iter().for_each(|&slot| left[slot] = false);
        Estimates { distinct: self.distinct.clone(), level, by_slot, left }
    }

    fn of_design(&self, slot: usize, sums: &[Sums], unseen: &NeverSeen, intervals: &mut Intervals) -> Vec<Estimate> {
        let own =
            sums.iter().zip(&self.measures).map(|(sums, measure)| sums.estimate(slot, measure, unseen, intervals));
        let mut estimates: Vec<Estimate> = own.collect();
        if let Some((baseline, estimator)) = self.baseline {
            let is_itself = slot == baseline && estimator == MEAN_DIFFERENCE_TO_BASELINE;
            let means = sums.iter().zip(&self.measures).filter(|(_, measure)| measure.estimator == MEAN);
            estimates.extend(means.map(|(sums, measure)| {
                difference(&sums.differences[slot], measure.metric, estimator, is_itself, intervals)
            }));
        }
        estimates
    }
}

impl Sums {
    fn new(measure: &Measure, slots: usize, has_baseline: bool) -> Self {
        let has_differences = has_baseline && measure.estimator == MEAN;
        Self {
            values: vec![Tally::new(); slots],
            differences: vec![Tally::new(); if has_differences { slots } else { 0 }],
            events: vec![0; if measure.is_probability() { slots } else { 0 }],
        }
    }

    /// Adds a run for each of the slots that are kept.
    fn add(&mut self, measure: &Measure, kept: &[usize], runs: &[RunRecord], baseline: Option<&RunRecord>) {
        let runs = kept.iter().copied().zip(runs);
        match measure.sample {
            Sample::Column(read) => {
                let other =
                    baseline.and_then(|baseline| read.number(baseline)).filter(|_| !self.differences.is_empty());
                for (slot, run) in runs {
                    let Some(value) = read.number(run) else { continue };
                    self.values[slot].add(value);
                    if let Some(other) = other {
                        self.differences[slot].add(value - other);
                    }
                }
            }
            Sample::Derived(read) => runs.for_each(|(slot, run)| self.values[slot].add(read(run))),
            Sample::Event(happened) => {
                for (slot, run) in runs {
                    let Some(happened) = happened(run) else { continue };
                    self.values[slot].add(f64::from(u8::from(happened)));
                    self.events[slot] += u64::from(happened);
                }
            }
        }
    }

    fn estimate(&self, slot: usize, measure: &Measure, unseen: &NeverSeen, intervals: &mut Intervals) -> Estimate {
        let values = &self.values[slot];
        let n = values.count();
        let all_zero = n > 0 && values.min() == Some(0.0) && values.max() == Some(0.0);
        let ((lo, hi), method) = match measure.sample {
            Sample::Event(_) => (intervals.proportion(self.events[slot], n), "clopper_pearson"),
            _ if all_zero && unseen.cannot_happen(measure.metric) => ((Some(0.0), Some(0.0)), "exact"),
            _ if all_zero => ((Some(0.0), unseen.upper_end(measure, n, intervals.level)), "zero_events"),
            _ => (intervals.mean(values), "t"),
        };
        Estimate { metric: measure.metric, estimator: measure.estimator, n, value: values.mean(), lo, hi, method }
    }
}

/// The estimate of a mean difference to the baseline.
fn difference(
    differences: &Tally,
    metric: &'static str,
    estimator: &'static str,
    is_itself: bool,
    intervals: &mut Intervals,
) -> Estimate {
    // No difference in any run is no proof that there is none: such an interval has no width to speak of.
    let none_seen = differences.min() == Some(0.0) && differences.max() == Some(0.0);
    let ((lo, hi), method) = match none_seen {
        true if is_itself => ((Some(0.0), Some(0.0)), "exact"),
        true => ((None, None), "zero_events"),
        false => (intervals.mean(differences), "paired_t"),
    };
    Estimate { metric, estimator, n: differences.count(), value: differences.mean(), lo, hi, method }
}

/// Intervals of one level; what depends on counts alone is computed once.
struct Intervals {
    level: Level,
    quantiles: BTreeMap<u64, Option<f64>>,
    proportions: BTreeMap<(u64, u64), Ends>,
}

type Ends = (Option<f64>, Option<f64>);

impl Intervals {
    fn mean(&mut self, tally: &Tally) -> Ends {
        let level = self.level;
        let quantile = *self.quantiles.entry(tally.count()).or_insert_with(|| t_quantile(tally.count(), level));
        let interval = match (tally.mean(), tally.std_dev(), quantile) {
            (Some(mean), Some(deviation), Some(quantile)) => t_interval(tally.count(), mean, deviation, quantile),
            _ => None,
        };
        (interval.map(|interval| interval.lo), interval.map(|interval| interval.hi))
    }

    fn proportion(&mut self, events: u64, n: u64) -> Ends {
        let level = self.level;
        *self.proportions.entry((events, n)).or_insert_with(|| {
            let interval = proportion(events, n, level).expect("events are counted among the runs").interval;
            (interval.map(|interval| interval.lo), interval.map(|interval| interval.hi))
        })
    }
}

/// All estimates of a sweep.
pub struct Estimates {
    distinct: DistinctDesigns,
    level: Level,
    /// `[mode][slot]`.
    by_slot: Vec<Vec<Vec<Estimate>>>,
    /// By slot, whether a design has left the race and rests on fewer replications.
    left: Vec<bool>,
}

impl Estimates {
    /// Adds estimates of a design that has a simulation of its own (by its number among these) in a mode.
    pub(crate) fn add(&mut self, slot: usize, mode: usize, estimates: impl IntoIterator<Item = Estimate>) {
        self.by_slot[mode][slot].extend(estimates);
    }

    /// The confidence level of every interval.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// The estimates of a design (by index) in a mode (by index); equivalent designs have the same.
    #[must_use]
    pub fn of(&self, design: usize, mode: usize) -> &[Estimate] {
        &self.by_slot[mode][self.distinct.slot_of[design]]
    }

    /// Whether a design (by index) has left the race: its estimates rest on fewer replications than the others'.
    #[must_use]
    pub fn has_left(&self, design: usize) -> bool {
        self.left[self.distinct.slot_of[design]]
    }

    /// The replications that the designs rest on which have not left a race.
    #[must_use]
    pub fn replications(&self) -> u64 {
        let of_mode = self.by_slot.first().into_iter().flatten();
        of_mode.filter_map(|estimates| estimates.first()).map(|estimate| estimate.n).max().unwrap_or_default()
    }

    /// One estimate.
    ///
    /// # Panics
    ///
    /// When no such measure exists: the names are the program's own.
    #[must_use]
    pub fn get(&self, design: usize, mode: usize, metric: &str, estimator: &str) -> Estimate {
        *self
            .of(design, mode)
            .iter()
            .find(|estimate| estimate.metric == metric && estimate.estimator == estimator)
            .unwrap_or_else(|| panic!("no estimate {estimator} of {metric}"))
    }
}
