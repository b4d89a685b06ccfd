//! Estimates with intervals and Pareto fronts: pure functions of numbers.
//!
//! | Question | Function |
//! |---|---|
//! | What is the mean over replications, and how sure is it? | [`mean`], [`mean_of_moments`] (Student's t) |
//! | How much do two designs differ on the same replications? | [`paired_difference`] |
//! | How often does something happen? | [`proportion`] (Clopper–Pearson), [`zero_event_upper`], [`zero_event_rate_upper`] |
//! | Do two programs' results agree? | [`standardised_difference`], [`fisher_exact`] |
//! | Which designs does no other design beat? | [`front`], [`staircase`] |
//!
//! Every interval is two-sided, has equal tails and is made for *one* quantity: of a hundred independent 95 % intervals
//! about five miss. An interval that the data cannot give (the spread of a single replication, say) is `None`, never
//! an interval of width zero.
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

mod compare;
mod estimate;
mod fisher;
mod level;
mod mean;
mod pareto;
mod proportion;
mod quantile;

pub use compare::standardised_difference;
pub use estimate::{Estimate, Interval, Method};
pub use fisher::fisher_exact;
pub use level::{Level, LevelError};
pub use mean::{UnpairedError, mean, mean_of_moments, paired_difference, t_interval, t_quantile};
pub use pareto::{FrontPoint, NotANumberError, front, staircase};
pub use proportion::{ProportionError, proportion, zero_event_rate_upper, zero_event_upper};
