//! Estimates with intervals and Pareto fronts: pure functions of numbers.
//!
//! | Question | Function |
//! |---|---|
//! | What is the mean over replications, and how sure is it? | [`mean()`], [`mean_of_moments`] (Student's t) |
//! | How much do two designs differ on the same replications? | [`paired_difference`] |
//! | And all designs of a table together? | [`simultaneous_means`], [`simultaneous_differences`] (sup-t) |
//! | How often does something happen? | [`proportion`] (Clopper–Pearson), [`proportion_wilson`], [`zero_event_upper`], [`zero_event_rate_upper`] |
//! | What do all but 5 % stay below? | [`quantile()`], [`quantile_interval`] (order statistics) |
//! | How much of this per unit of that? | [`ratio_fieller`], [`ratio_delta`] |
//! | Any other statistic? | [`bootstrap()`] (percentile, basic, BCa) |
//! | How long until it is detected, and does it happen at all? | [`KaplanMeier`], [`CumulativeIncidence`] |
//! | How long until a rule opens falsely, if that takes months? | [`RingRule`], [`CumulativeRule`], [`mean_calls_to_run`], [`splitting()`], [`splitting_rate`] |
//! | Which settings does an objective depend on? | [`MorrisPlan`], [`SobolPlan`] |
//! | Are there replications enough? | [`StoppingRule`], [`proportion_anytime`] |
//! | How many digits mean something? | [`with_supported_digits`] |
//! | Do two programs' results agree? | [`standardised_difference`], [`fisher_exact`] |
//! | Which designs does no other design beat? | [`front()`], [`staircase`], [`knee()`] |
//! | Which of them may be there by luck? | [`front_membership`], [`knee_shares`], [`select_and_report`]; all at once: [`FrontTally`] |
//! | Which designs need no more replications? | [`Race`] |
//! | Where may the front lie, and how good is it as a whole? | [`attainment_band`], [`covariance_ellipse`], [`hypervolume()`], [`hypervolume_interval`] |
//!
//! Every interval is two-sided and has equal tails. Its [`Scope`] says whether its level is about one quantity (of a
//! hundred such 95 % intervals about five miss) or about all of a table together. An interval that the data cannot give
//! (the spread of a single replication, say) is `None`, never an interval of width zero. What is resampled has a seed
//! and repeats to the bit. Formulas, sources, validity and measured coverage are in `docs/statistics.md`.
//!
//! ```
//! use statistics::{Level, mean, proportion};
//!
//! let level = Level::new(0.95)?;
//! let estimate = mean(&[4.0, 6.0, 5.0, 7.0], level);
//! assert_eq!(estimate.value, Some(5.5));
//! assert!(estimate.interval.is_some_and(|interval| interval.contains(5.0)));
//!
//! // No event in 200 runs does not mean "never": up to 1.8 % of the runs could still have one.
//! let none_seen = proportion(0, 200, level)?.interval.expect("there were trials");
//! assert_eq!(none_seen.lo, 0.0);
//! assert!((0.018..0.019).contains(&none_seen.hi));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod anytime;
mod bootstrap;
mod compare;
mod digits;
mod estimate;
mod fisher;
mod front;
mod level;
mod mean;
mod moments;
mod objectives;
mod observations;
mod order_statistics;
mod proportion;
mod quantile;
mod rare;
mod ratio;
mod resampling;
mod sensitivity;
mod simultaneous;
mod splitting;
mod stopping;
mod survival;

pub use anytime::proportion_anytime;
pub use bootstrap::{BootstrapEstimate, BootstrapKind, Fallback, bca_levels, bootstrap};
pub use compare::standardised_difference;
pub use digits::{supported_decimals, with_supported_digits};
pub use estimate::{Estimate, Interval, Method, Scope};
pub use fisher::fisher_exact;
pub use front::{
    AttainmentBand, Ellipse, FrontPoint, FrontQuestion, FrontTally, KneeShares, Membership, MembershipClass,
    NotANumberError, Race, Reported, attainment, attainment_band, covariance_ellipse, front, front_membership,
    hypervolume, hypervolume_interval, knee, knee_shares, select_and_report, staircase,
};
pub use level::{Level, LevelError};
pub use mean::{UnpairedError, mean, mean_of_moments, paired_difference, t_interval, t_quantile};
pub use moments::Moments;
pub use objectives::{Objectives, ObjectivesError};
pub use observations::{Observations, ObservationsError};
pub use order_statistics::{
    QuantileError, Ranks, observations_for_quantile, observations_for_upper_bound, quantile, quantile_interval,
    quantile_ranks,
};
pub use proportion::{ProportionError, proportion, proportion_wilson, zero_event_rate_upper, zero_event_upper};
pub use rare::{CumulativeRule, EverOpens, FirstPassage, RareError, RingRule, mean_calls_to_run};
pub use ratio::{ConfidenceSet, RatioEstimate, ratio_delta, ratio_fieller};
pub use resampling::Resampling;
pub use sensitivity::{ElementaryEffects, MorrisPlan, SensitivityError, SobolIndex, SobolPlan};
pub use simultaneous::{SimultaneousMeans, simultaneous_differences, simultaneous_means};
pub use splitting::{Entrances, SplittingError, SplittingEstimate, SplittingPlan, splitting, splitting_rate};
pub use stopping::{Looks, LooksError, NotALookError, Precision, Progress, Stop, StoppingRule};
pub use survival::{CumulativeIncidence, Ending, KaplanMeier, SurvivalStep, TimeError};
