//! The program as a user runs it: files, exit codes, messages.

mod analysis;
mod buckets;
mod comparison;
mod configurations;
mod conformance;
mod dead_dependency;
mod dialects;
mod estimates;
mod failures;
mod front_uncertainty;
mod interruption;
mod racing;
mod rare;
mod results;
mod resumption;
mod sensitivity;
mod sharding;
mod stopping;
mod support;
mod tracing;
mod verification;
