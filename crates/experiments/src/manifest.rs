//! What a result was made from: in the metadata of every Parquet file, and beside them with the facts of the run.

use std::io;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use crate::bounded_file;
use crate::stopping::Look;
use crate::sweep_file::{self, Sweep};

/// The manifest's name beside the tables.
pub const FILE_NAME: &str = "manifest.json";

/// Raised whenever any bit of a result changes for the same sweep and seed.
pub const RESULTS_VERSION: u32 = 2;

/// Bytes of a manifest at most: a sweep file written out, and a little more.
const LONGEST: u64 = 64 << 20;

/// Reads the `manifest.json` of a folder of results.
///
/// # Errors
///
/// When it is not there, is no file, is longer than any manifest, or is no JSON.
pub(crate) fn read(results: &Path) -> io::Result<Value> {
    let file = bounded_file::open(&results.join(FILE_NAME))?;
    Ok(serde_json::from_slice(&bounded_file::read(file, LONGEST)?)?)
}

/// The sweep that a manifest describes, with the usual number of replications.
///
/// # Errors
///
/// When it describes none that this program reads as it is written; a sentence with the reason.
pub fn described_sweep(manifest: &Value) -> Result<Sweep, String> {
    let described = manifest.get("sweep").ok_or("it describes no sweep")?;
    let mut resolved = described.clone();
    let keys = resolved.as_object_mut().ok_or("it describes no sweep")?;
    // TOML's own numbers end below the largest seeds.
    let seed: Vec<String> = keys.remove("root_seed").map(|seed| format!("root_seed={seed}")).into_iter().collect();
    let name = keys.get("name").and_then(Value::as_str).unwrap_or("sweep").to_owned();
    let text = toml::to_string(&resolved).map_err(|error| format!("its sweep cannot be read: {error}"))?;
    let sweep = sweep_file::parse(&name, &text, &seed, None).map_err(|error| error.to_string())?;
    if without_replications(&sweep) != *described {
        return Err("it describes a sweep that this program reads differently".to_owned());
    }
    Ok(sweep)
}

/// A sweep written out, as JSON, without its number of replications.
pub(crate) fn without_replications(sweep: &Sweep) -> Value {
    let mut resolved = serde_json::to_value(sweep.resolved()).expect("a resolved sweep has string keys only");
    if let Value::Object(keys) = &mut resolved {
        keys.remove("replications");
    }
    resolved
}

/// What determines every row of the result files. How many replications there are is left to the rows, so that more of them
/// change nothing in those that are there.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest {
    program: &'static str,
    version: &'static str,
    revision: &'static str,
    results_version: u32,
    root_seed: u64,
    /// Where `[analysis]` names one: the number of the current setting's design, and of the baseline of differences.
    #[serde(skip_serializing_if = "Option::is_none")]
    current_design: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_design: Option<u32>,
    sweep: Value,
}

impl Manifest {
    /// The manifest of a sweep.
    #[must_use]
    pub fn new(sweep: &Sweep) -> Self {
        let number = |design: usize| sweep.designs[design].number;
        let current = sweep.analysis.current;
        let named = sweep.analysis.baseline.or(current);
        Self {
            program: "tripcurve",
            version: env!("CARGO_PKG_VERSION"),
            revision: env!("TRIPCURVE_REVISION"),
            results_version: RESULTS_VERSION,
            root_seed: sweep.root_seed,
            current_design: current.map(number),
            baseline_design: named.map(number),
            sweep: without_replications(sweep),
        }
    }

    /// How many replications of this very sweep, by this very program, a folder holds according to its manifest.
    #[must_use]
    pub fn replications_in(&self, folder: &Path) -> u32 {
        let (Ok(mut earlier), Ok(own)) = (read(folder), serde_json::to_value(self)) else { return 0 };
        let execution = earlier.as_object_mut().and_then(|keys| keys.remove("execution")).unwrap_or_default();
        let done = execution["replications_done"].as_u64().and_then(|done| u32::try_from(done).ok());
        if earlier == own { done.unwrap_or(0) } else { 0 }
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
    /// Replications asked for, or allowed where the sweep ends when it is precise.
    pub replications: u32,
    /// Replications done.
    pub replications_done: u32,
    /// The most that an execution finished into this folder, this one or an earlier one: their blocks are no unfinished work,
    /// also where the tables are of fewer.
    pub replications_finished: u32,
    /// Of those done, those that earlier executions had left in blocks.
    pub replications_reused: u32,
    /// Threads that simulated.
    pub jobs: usize,
    /// Seconds from the start until the tables were written.
    pub elapsed_secs: f64,
    /// Designs that were simulated; the others are equivalent to one of them.
    pub designs_simulated: usize,
    /// Requests that this execution simulated, both flows.
    pub requests_simulated: u64,
    /// What the last look at the precision said, where there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<PrecisionFacts>,
}

/// What a look at the precision said.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PrecisionFacts {
    /// Whether all of it was reached.
    pub reached: bool,
    /// After how many replications it was looked at.
    pub looked_at: u64,
    /// How many estimates had to be precise.
    pub estimates: usize,
    /// How many were not.
    pub not_precise: usize,
}

impl From<&Look> for PrecisionFacts {
    fn from(look: &Look) -> Self {
        Self {
            reached: look.is_precise(),
            looked_at: look.replications,
            estimates: look.demanded,
            not_precise: look.shortfalls.len(),
        }
    }
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
