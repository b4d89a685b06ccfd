//! Batch sweeps of circuit-breaker settings: sweep files, parallel replications, Parquet, Pareto plots and reports.
//!
//! A sweep goes through these modules in order: [`sweep_file`] turns TOML into a validated [`sweep_file::Sweep`]; [`runner`]
//! simulates its replications in parallel and hands them on in order; [`blocks`] keeps what is finished; [`tables`] writes
//! them to Parquet while [`estimates`] accumulates what [`measures`] lists; [`simultaneous`] adds intervals that hold for all
//! designs together, where they are asked for; [`fronts`] compares the designs, [`front_uncertainty`] says how surely;
//! [`figures`] and [`report`] show the result.

pub mod blocks;
mod bounded_file;
pub mod cli;
pub mod columns;
pub mod commands;
mod console;
pub mod dead_dependency;
mod did_you_mean;
pub mod estimates;
pub mod figures;
pub mod floor;
mod folder_lock;
pub mod front_report;
pub mod front_uncertainty;
pub mod fronts;
mod in_order;
pub mod lesson;
pub mod library_formats;
pub mod manifest;
pub mod measures;
mod never_seen;
mod numbers;
pub mod objective_values;
pub mod pilot;
pub mod plots;
pub mod point_labels;
mod progress;
pub mod publish;
pub mod race;
pub mod rare;
pub mod recorded;
pub mod reference;
pub mod report;
pub mod robustness;
pub mod rule_label;
pub mod runner;
pub mod sensitivity;
mod set_aside;
pub mod shards;
mod shortened;
mod signals;
pub mod simultaneous;
pub mod situation;
pub mod stopping;
pub mod sweep_file;
pub mod tables;
pub mod vectors;
mod wrapped;
