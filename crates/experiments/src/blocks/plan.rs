//! What a block belongs to: everything that determines its runs, and nothing else.

use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_128;

use crate::manifest::{self, RESULTS_VERSION};
use crate::shortened::shortened;
use crate::sweep_file::Sweep;

/// A block of a sweep aims at this many rows of `runs.parquet`, ...
const ROWS_PER_BLOCK: f64 = 131_072.0;
/// ... and at no more simulated requests than this, counted design by design: between a second and a minute of one core,
/// depending on how much the designs share.
const REQUESTS_PER_BLOCK: f64 = 1e9;

/// The identity of a sweep's runs: the resolved sweep with its root seed, and the version of the results, but not the number
/// of replications, what `[analysis]` asks of the results, the program's revision, or how it was run. Blocks of equal plans may be put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    text: String,
    hash: String,
}

impl Plan {
    /// The plan of a sweep's runs.
    #[must_use]
    pub fn of(sweep: &Sweep) -> Self {
        Self::from_parts(&json!(RESULTS_VERSION), &manifest::without_replications(sweep))
    }

    /// The plan of the results that a manifest (as JSON) describes; `None` if it is no manifest.
    pub(super) fn of_manifest(manifest: &Value) -> Option<Self> {
        Some(Self::from_parts(manifest.get("results_version")?, manifest.get("sweep")?))
    }

    fn from_parts(results_version: &Value, sweep: &Value) -> Self {
        let mut sweep = sweep.clone();
        if let Value::Object(keys) = &mut sweep {
            // How results are looked at changes no run.
            keys.remove("analysis");
        }
        // The keys of a JSON value are sorted, so equal plans are equal texts.
        let text = json!({ "results_version": results_version, "sweep": sweep }).to_string();
        let hash = format!("{:032x}", xxh3_128(text.as_bytes()));
        Self { text, hash }
    }

    /// The plan as JSON.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The XXH3 hash of the text, 128 bits as 32 hexadecimal digits, with which the names of its blocks begin.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// Where this plan first differs from another one (as JSON): `root_seed is 2 here and 1 there`.
    #[must_use]
    pub fn difference(&self, there: &str) -> String {
        let here = serde_json::from_str(&self.text).unwrap_or_default();
        let there = serde_json::from_str(there).unwrap_or_default();
        match first_difference(&here, &there, String::new()) {
            Some((path, here, there)) => {
                let path = path.strip_prefix("sweep.").unwrap_or(&path);
                let path = shortened(path);
                format!("`{path}` is {} here and {} there", clipped(here), clipped(there))
            }
            None => "its plan is written in another way".to_owned(),
        }
    }
}

/// How many replications a block of a sweep holds, at least 1 and always a power of two, so that shorter blocks lie within
/// longer ones: a function of the sweep without its number of replications.
#[must_use]
pub fn replications_per_block(sweep: &Sweep) -> u32 {
    let rows = sweep.modes.len() as f64 * sweep.designs.len() as f64;
    let most = (ROWS_PER_BLOCK / rows).min(REQUESTS_PER_BLOCK / (rows * sweep.requests_per_run()));
    // A sweep of a single small design may have as many replications in a block as it has room for rows.
    let most = most.clamp(1.0, ROWS_PER_BLOCK) as u32;
    1 << most.ilog2()
}

type Difference<'a> = (String, &'a Value, &'a Value);

fn first_difference<'a>(here: &'a Value, there: &'a Value, path: String) -> Option<Difference<'a>> {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (here, there) {
        _ if here == there => None,
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            let mut pairs =
                keys.map(|key| (key, a.get(key).unwrap_or(&Value::Null), b.get(key).unwrap_or(&Value::Null)));
            pairs.find_map(|(key, a, b)| first_difference(a, b, below(key)))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(index, (a, b))| first_difference(a, b, below(&index.to_string())))
        }
        _ => Some((path, here, there)),
    }
}

fn clipped(value: &Value) -> String {
    const MOST: usize = 60;
    let text = if value.is_null() { "absent".to_owned() } else { value.to_string() };
    if text.chars().count() <= MOST { text } else { text.chars().take(MOST).chain("...".chars()).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_file::parse;

    fn sweep(overrides: &[&str], replications: u32) -> Sweep {
        let text = "[[rule]]\nkind = \"consecutive\"\nthreshold = [3, 4]\nopen_for = \"1s\"\n";
        let overrides: Vec<String> = overrides.iter().map(|&text| text.to_owned()).collect();
        parse("plan.toml", text, &overrides, Some(replications)).expect("a sweep")
    }

    #[test]
    fn a_plan_is_everything_but_the_number_of_replications() {
        let plan = Plan::of(&sweep(&[], 5));
        assert_eq!(plan, Plan::of(&sweep(&[], 500)));
        assert_eq!(plan, Plan::of(&sweep(&["analysis.simultaneous=true"], 5)));
        let current = |threshold| {
            let rule = format!("{{ kind = \"consecutive\", threshold = {threshold}, open_for = \"1s\" }}");
            Plan::of(&sweep(&[&format!("analysis.current={rule}")], 5))
        };
        assert_eq!(plan, current(4));
        assert_ne!(plan, current(5), "a further design is simulated");
        let text = "replications = { max = 500, precision = { metric = \"calls\", absolute = 1 } }\n\
                    [[rule]]\nkind = \"consecutive\"\nthreshold = [3, 4]\nopen_for = \"1s\"\n";
        assert_eq!(plan, Plan::of(&parse("plan.toml", text, &[], None).expect("a sweep")));
        for (change, path) in [
            ("root_seed=2", "`root_seed` is 2 here and 1 there"),
            ("scenario.slots=7", "`scenario.slots` is 7 here and 32 there"),
            ("rule.0.threshold=[3]", "`rule.0.threshold` is [3] here and [3,4] there"),
            ("level=0.9", "`level` is 0.9 here and 0.95 there"),
        ] {
            let other = Plan::of(&sweep(&[change], 5));
            assert_ne!(plan.hash(), other.hash());
            assert_eq!(other.difference(plan.text()), path);
        }
    }

    #[test]
    fn blocks_are_powers_of_two_and_shorter_the_longer_a_run() {
        assert_eq!(replications_per_block(&sweep(&[], 5)), replications_per_block(&sweep(&[], 50_000)));
        let lengths = ["1s", "12s", "120s", "1200s", "12000s", "120000s"].map(|horizon| {
            let horizon = format!("scenario.horizon=\"{horizon}\"");
            replications_per_block(&sweep(&[&horizon, "scenario.fault_at=\"500ms\""], 5))
        });
        assert!(
            lengths.is_sorted_by(|a, b| a >= b) && lengths.iter().all(|length| length.is_power_of_two()),
            "{lengths:?}"
        );
        assert_eq!((lengths[0], lengths[5]), (16_384, 2));
    }
}
