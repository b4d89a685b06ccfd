//! Every named situation ends as it should: what breaks, breaks, and its remedy is one. In every replication of its file, so
//! that no band is needed; where a chance of failing is left, it is stated.

mod outcomes;
mod shown;

use std::path::PathBuf;

use experiments::situation::{Situation, records};
use scenario::{Mode, RunRecord, ServiceCounts};

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios")
}

pub(crate) fn situation(name: &str) -> Situation {
    let path = folder().join(format!("{name}.toml"));
    Situation::load(&path, &[], None).unwrap_or_else(|error| panic!("{error}"))
}

impl SituationExt for Situation {
    fn mode(&self, name: &str) -> Mode {
        self.modes().iter().find(|mode| mode.name == name).unwrap_or_else(|| panic!("no mode {name}")).clone()
    }

    fn runs(&self, variant: &str, mode: &str) -> Vec<RunRecord> {
        let sweep = self.variant(variant).unwrap_or_else(|| panic!("no variant {variant}"));
        assert_eq!(sweep.designs.len(), 1, "a variant is one breaker");
        records(sweep, 0, &self.mode(mode))
    }
}

pub(crate) trait SituationExt {
    /// The mode of that name.
    fn mode(&self, name: &str) -> Mode;
    /// All runs of a variant in a mode.
    fn runs(&self, variant: &str, mode: &str) -> Vec<RunRecord>;
}

pub(crate) fn more(run: &RunRecord) -> ServiceCounts {
    run.service.expect("a run of the richer world")
}
