//! The rules against their written description, and against a slow and obvious model of each.
//!
//! Both checks are written over the trait `Rule`, and both are run on planted faults that they must find.

mod agreement;
mod driver;
mod equal_states;
mod invariants;
mod model;
mod numbers;
