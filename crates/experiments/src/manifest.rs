//! What a result was made from: in the metadata of every Parquet file, and beside them with the facts of the run.

use serde::Serialize;
use serde_json::Value;

use crate::sweep_file::Sweep;

/// Raised whenever any bit of a result changes for the same sweep and seed.
pub const RESULTS_VERSION: u32 = 1;

/// What determines every row of the result files. How many replications there are is left to the rows, so that more of them
/// change nothing in those that are there.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest {
    program: &'static str,
    version: &'static str,
    revision: &'static str,
    results_version: u32,
    root_seed: u64,
    sweep: Value,
}

impl Manifest {
    /// The manifest of a sweep.
    #[must_use]
    pub fn new(sweep: &Sweep) -> Self {
        let mut resolved = serde_json::to_value(sweep.resolved()).expect("a resolved sweep has string keys only");
        if let Value::Object(keys) = &mut resolved {
            keys.remove("replications");
        }
        Self {
            program: "tripcurve",
            version: env!("CARGO_PKG_VERSION"),
            revision: env!("TRIPCURVE_REVISION"),
            results_version: RESULTS_VERSION,
            root_seed: sweep.root_seed,
            sweep: resolved,
        }
    }

    /// As JSON on one line, for the Parquet metadata.
    ///
    /// # Panics
    ///
    /// Never: all keys are strings.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a manifest has string keys only")
    }
}

/// The facts of one execution, which must not touch the result files' bytes.
#[derive(Clone, Debug, Serialize)]
pub struct Execution {
    /// Whether all replications asked for were done.
    pub complete: bool,
    /// Replications asked for.
    pub replications: u32,
    /// Replications done.
    pub replications_done: u32,
    /// Threads that simulated.
    pub jobs: usize,
    /// Seconds from start to end.
    pub elapsed_secs: f64,
    /// Designs that were simulated; the others are equivalent to one of them.
    pub designs_simulated: usize,
    /// Requests simulated, both flows.
    pub requests_simulated: u64,
}

/// `manifest.json`: the manifest with the facts of the execution.
///
/// # Panics
///
/// Never: all keys are strings.
#[must_use]
pub fn manifest_file(manifest: &Manifest, execution: &Execution) -> String {
    #[derive(Serialize)]
    struct File<'a> {
        #[serde(flatten)]
        manifest: &'a Manifest,
        execution: &'a Execution,
    }
    let mut text =
        serde_json::to_string_pretty(&File { manifest, execution }).expect("a manifest has string keys only");
    text.push('\n');
    text
}
