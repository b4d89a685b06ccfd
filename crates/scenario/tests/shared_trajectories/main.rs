//! Running designs together gives what running each of them alone gives, in every column.

mod compare;
mod default_scenario;
mod dialects;
mod many_worlds;
mod modes;
mod random_sweeps;
mod statistics;
