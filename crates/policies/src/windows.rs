//! What breakers remember of results: the kinds of windows that libraries use, as parts.
//!
//! | window | part | used by |
//! |---|---|---|
//! | run of failures | a number | cockatiel, failsafe (Rust), gobreaker, pybreaker |
//! | last N results, k of N | [`ResultWindow`](crate::ResultWindow) | cockatiel, failsafe (Java, Go), recloser, Resilience4j |
//! | rolling buckets | [`Buckets`] | cockatiel, failsafe-go, Hystrix, opossum, Resilience4j |
//! | one tumbling bucket | [`Buckets`] of one | Sentinel |
//! | moving average over time | [`Average`] | failsafe (Rust) |
//!
//! Where the edges of buckets lie is the library's own: on a grid of the time of day ([`TimeOfDay`](crate::time_of_day)), on
//! ticks from the breaker's making, at the first result after the previous bucket. Windows that no other library has stand
//! in the file of their library: gobreaker's counts, the drifting buckets of failsafe (Java) and failsafe (Rust).

mod average;
mod buckets;
mod tallies;

pub(crate) use average::Average;
pub(crate) use buckets::Buckets;
pub(crate) use tallies::{Results, Tally};
