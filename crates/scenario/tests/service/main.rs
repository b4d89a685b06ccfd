//! The richer world: option by option with numbers that are derived by hand, and at random.

mod kit;

mod arrivals;
mod at_random;
mod breakers;
mod clocks;
mod endings;
mod load;
mod obvious;
mod plain;
mod pools;
mod retries;
