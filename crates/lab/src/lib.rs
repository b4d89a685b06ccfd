//! The live experiment.

pub mod about;
pub mod body;
pub mod cli;
pub mod comparison;
pub mod history;
pub mod input;
mod kept_runs;
pub mod live;
pub mod parameter;
pub mod pool;
mod refusal;
pub mod rules;
pub mod server;
pub mod settings;
pub mod sweep;
mod unique_keys;

pub use kept_runs::KeptRuns;
pub use refusal::Refusal;
