//! What is estimated from the runs: which number of a run, and what kind of estimate.

use scenario::{DetectionOutcome, RunRecord, rounds};

use crate::columns::{COLUMNS, PLAIN_COLUMNS, Read};
use crate::sweep_file::Sweep;

/// One estimated quantity of a (design, mode).
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The column it is about.
    pub metric: &'static str,
    /// What is estimated of it.
    pub estimator: &'static str,
    /// The number that each run contributes.
    pub sample: Sample,
}

/// What a run contributes.
#[derive(Clone, Copy, Debug)]
pub enum Sample {
    /// A number of a column, averaged over the runs in which it exists.
    Column(Read),
    /// A number that is no column, averaged over all runs.
    Derived(fn(&RunRecord) -> f64),
    /// Whether something happened, as a proportion of the runs in which it could.
    Event(fn(&RunRecord) -> Option<bool>),
}

impl Measure {
    /// Whether it is the share of runs in which something happened.
    #[must_use]
    pub fn is_probability(&self) -> bool {
        matches!(self.sample, Sample::Event(_))
    }

    /// Whether every run of a mode in which it is watched contributes a number.
    #[must_use]
    pub fn exists_in_every_run(&self) -> bool {
        match self.sample {
            Sample::Column(Read::OptionalCount(_) | Read::OptionalRounds(_)) => false,
            Sample::Column(_) | Sample::Derived(_) => true,
            Sample::Event(_) => self.metric != "closed_after_heal_rounds",
        }
    }

    /// Whether runs of modes that the plain world can run contribute nothing.
    #[must_use]
    pub fn is_watched_in_the_richer_world_only(&self) -> bool {
        self.is_probability() && OF_THE_RICHER_WORLD.iter().any(|richer| richer.metric == self.metric)
    }
}

/// The mean over all runs.
pub const MEAN: &str = "mean";
/// The mean over the runs in which the value exists (detection in detected runs, say): never without the probability beside it.
pub const CONDITIONAL_MEAN: &str = "conditional_mean";
/// The mean with undetected runs counted up to the heal or the horizon.
pub const RESTRICTED_MEAN: &str = "restricted_mean";
/// The mean of each run's count per hour of observed time.
pub const MEAN_PER_HOUR: &str = "mean_per_hour";
/// The share of runs.
pub const PROBABILITY: &str = "probability";
/// The share of runs in which the breaker was open when the fault began.
pub const PROBABILITY_ALREADY_OPEN: &str = "probability_already_open";
/// The share of runs with at least one.
pub const PROBABILITY_OF_ANY: &str = "probability_of_any";
/// The mean of the run's value minus that of the design `none` in the same replication.
pub const MEAN_DIFFERENCE_TO_NONE: &str = "mean_difference_to_none";
/// The mean of the run's value minus that of another baseline ([`Sweep::baseline`]) in the same replication.
pub const MEAN_DIFFERENCE_TO_BASELINE: &str = "mean_difference_to_baseline";

/// The estimator of differences to a sweep's baseline; `None` where there is none.
#[must_use]
pub fn difference_estimator(sweep: &Sweep) -> Option<&'static str> {
    let baseline = &sweep.designs[sweep.baseline()?];
    Some(if baseline.rule.name() == "none" { MEAN_DIFFERENCE_TO_NONE } else { MEAN_DIFFERENCE_TO_BASELINE })
}

/// The estimator with an interval that holds for all designs together, of those that the terminal's table shows.
///
/// # Panics
///
/// When the table does not show the estimator: the names are the program's own.
#[must_use]
pub fn simultaneous(estimator: &str) -> &'static str {
    match estimator {
        MEAN => "simultaneous_mean",
        CONDITIONAL_MEAN => "simultaneous_conditional_mean",
        MEAN_PER_HOUR => "simultaneous_mean_per_hour",
        PROBABILITY => "simultaneous_probability",
        MEAN_DIFFERENCE_TO_NONE => "simultaneous_mean_difference_to_none",
        MEAN_DIFFERENCE_TO_BASELINE => "simultaneous_mean_difference_to_baseline",
        _ => panic!("the table does not show {estimator}"),
    }
}

const fn event(metric: &'static str, estimator: &'static str, happened: fn(&RunRecord) -> Option<bool>) -> Measure {
    Measure { metric, estimator, sample: Sample::Event(happened) }
}

/// All measures, in the order of `summary.parquet`: the columns' own, then those derived from several. What only the richer
/// world counts is measured where a sweep asks for that world: elsewhere it is zero or null in every run.
#[must_use]
pub fn measures(of_the_richer_world: bool) -> Vec<Measure> {
    let columns = if of_the_richer_world { &COLUMNS[..] } else { &COLUMNS[..PLAIN_COLUMNS] };
    let of_columns = columns.iter().filter_map(|column| {
        let estimator = match column.read {
            Read::Count(_) | Read::Rounds(_) => MEAN,
            Read::OptionalCount(_) | Read::OptionalRounds(_) => CONDITIONAL_MEAN,
            Read::Nanos(_) | Read::Flag(_) | Read::Word(_) => return None,
        };
        Some(Measure { metric: column.name, estimator, sample: Sample::Column(column.read) })
    });
    let richer: &[Measure] = if of_the_richer_world { &OF_THE_RICHER_WORLD } else { &[] };
    of_columns.chain(DERIVED).chain(richer.iter().copied()).collect()
}

const OF_THE_RICHER_WORLD: [Measure; 2] = [
    // A breaker that is stuck is an outcome of its run, and no part of an average.
    event("stuck_breakers", PROBABILITY_OF_ANY, |run| run.service.map(|counts| counts.stuck())),
    event("wrong_successes", PROBABILITY_OF_ANY, |run| run.service.map(|counts| counts.wrong_successes > 0)),
];

const DERIVED: [Measure; 9] = [
    Measure {
        metric: "detection_delay_rounds",
        estimator: RESTRICTED_MEAN,
        sample: Sample::Derived(|run| rounds(run.detection_delay_restricted)),
    },
    Measure {
        metric: "false_open_rejections",
        estimator: MEAN_PER_HOUR,
        sample: Sample::Derived(|run| run.false_open_rejections as f64 * 3600.0 / run.observed.as_secs_f64()),
    },
    event("detected", PROBABILITY, |run| Some(run.detected())),
    event("detection_outcome", PROBABILITY_ALREADY_OPEN, |run| {
        Some(run.detection_outcome == DetectionOutcome::AlreadyOpen)
    }),
    event("detection_outcome", "probability_healed_first", |run| {
        Some(run.detection_outcome == DetectionOutcome::HealedFirst)
    }),
    event("detection_outcome", "probability_horizon", |run| Some(run.detection_outcome == DetectionOutcome::Horizon)),
    event("false_openings", PROBABILITY_OF_ANY, |run| Some(run.false_openings > 0)),
    event("false_open_rejections", PROBABILITY_OF_ANY, |run| Some(run.false_open_rejections > 0)),
    event("closed_after_heal_rounds", "probability_closed", |run| {
        run.rejected_after_heal.map(|_| run.closed_after_heal.is_some())
    }),
];
