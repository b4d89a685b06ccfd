//! The breakers of real libraries, one file each: parts, and what is truly the library's own.
//!
//! Every file begins with the same list of what it does, so that two libraries can be laid side by side:
//! *window*, *minimum*, *evaluated* and *compared* (when a closed breaker opens), *open time*, *half-open* (who is let
//! through) and *verdict* (what closes or opens it again), *lost probes*, *late results* (of calls let through in an earlier
//! phase), *window after closing*, *own rejections* in the rate, and *never ran* ([`Rule::release`](crate::Rule::release)).
//!
//! A call that the breaker let through and that found no slot has no counterpart in most libraries; where the library has a
//! way to take a call back, that is what happens, and else the call leaves the breaker as if it had not asked.
//!
//! The phase of these breakers is the state that the library stores: an open breaker whose time is over stays open until
//! something moves it.

mod cockatiel;
mod failsafe;
mod failsafe_go;
mod failsafe_java;
mod failsafe_rs;
mod gobreaker;
mod hystrix;
mod opossum;
mod pybreaker;
mod recloser;
mod resilience4j;
mod sentinel;

pub use cockatiel::Cockatiel;
pub use failsafe_go::FailsafeGo;
pub use failsafe_java::FailsafeJava;
pub use failsafe_rs::FailsafeRs;
pub use gobreaker::Gobreaker;
pub use hystrix::{HystrixHalfOpen, HystrixSingleTest};
pub use opossum::Opossum;
pub use pybreaker::Pybreaker;
pub use recloser::Recloser;
pub use resilience4j::Resilience4j;
pub use sentinel::Sentinel;

/// The longest window that is kept, in results or buckets. Libraries set no such bound.
const MAX_WINDOW: f64 = 1e6;
