//! Named situations: a sweep file as it stands and its variants, run and counted side by side.

mod timeline;

use std::fs;
use std::path::{Path, PathBuf};

use engine::Time;
use scenario::service::{ServiceNote, Snapshot, observe_service_any};
use scenario::{Mode, Replication, RunRecord, run_any};

use crate::commands::Failure;
use crate::sweep_file::{self, Sweep, SweepError};

pub use timeline::{PROBE_WINDOW, Timeline, highest, timeline};

/// A situation: what it is about, and the sweeps to compare.
#[derive(Clone, Debug)]
pub struct Situation {
    /// The comment at the top of the file.
    pub about: String,
    /// The file as it stands first, then its variants.
    pub variants: Vec<(String, Sweep)>,
}

/// What the file as it stands is called among its variants.
pub const AS_IT_STANDS: &str = "as it stands";

impl Situation {
    /// Reads a situation; `overrides` are made in every variant.
    ///
    /// # Errors
    ///
    /// If the file, a variant or an override is wrong.
    pub fn load(path: &Path, overrides: &[String], replications: Option<u32>) -> Result<Self, Failure> {
        Ok(Self::parse(&path.display().to_string(), &sweep_file::text_of(path)?, overrides, replications)?)
    }

    /// Reads a situation from a text; `file` is its name in messages.
    ///
    /// # Errors
    ///
    /// If the text, a variant or an override is wrong.
    pub fn parse(file: &str, text: &str, overrides: &[String], replications: Option<u32>) -> Result<Self, SweepError> {
        let base = sweep_file::parse(file, text, overrides, replications)?;
        let mut variants = Vec::new();
        for variant in &base.variants {
            let set: Vec<String> = variant.set.iter().chain(overrides).cloned().collect();
            variants.push((variant.name.clone(), sweep_file::parse(file, text, &set, replications)?));
        }
        variants.insert(0, (AS_IT_STANDS.to_owned(), base));
        Ok(Self { about: about(text), variants })
    }

    /// The modes of the file as it stands; variants have the same names or lack some.
    #[must_use]
    pub fn modes(&self) -> &[Mode] {
        &self.variants[0].1.modes
    }

    /// The sweep of that name.
    #[must_use]
    pub fn variant(&self, name: &str) -> Option<&Sweep> {
        self.variants.iter().find(|(known, _)| known == name).map(|(_, sweep)| sweep)
    }
}

/// The comment lines at the top of a file as one paragraph.
fn about(text: &str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with('#'));
    lines.map(|line| line.trim_start_matches('#').trim()).collect::<Vec<_>>().join(" ")
}

/// All replications of a design in a mode.
#[must_use]
pub fn records(sweep: &Sweep, design: usize, mode: &Mode) -> Vec<RunRecord> {
    let rule = &sweep.designs[design].rule;
    let run =
        |replication| run_any(rule, &Replication::draw(&sweep.scenario, sweep.root_seed, replication).stream(mode));
    (0..sweep.replications).map(run).collect()
}

/// How many attempts at the dependency start in a run, retries included, in the mean over all replications; `None` where
/// there are no retries.
///
/// [`RunRecord::calls`] does not tell: it counts requests by how their last attempt ended.
#[must_use]
pub fn mean_attempts(sweep: &Sweep, design: usize, mode: &Mode) -> Option<f64> {
    sweep.scenario.service.retries.as_ref()?;
    let attempts = (0..sweep.replications).map(|replication| {
        let stream = Replication::draw(&sweep.scenario, sweep.root_seed, replication).stream(mode);
        let from = stream.plan().warm_up;
        let mut started = 0_u64;
        let count = |now: Time, _: Snapshot, note: ServiceNote| {
            started += u64::from(now >= from && matches!(note, ServiceNote::Started { .. }));
        };
        let _ = observe_service_any(&sweep.designs[design].rule, &stream, count);
        started
    });
    Some(attempts.sum::<u64>() as f64 / f64::from(sweep.replications))
}

/// The names of the situations in a folder, sorted.
///
/// # Errors
///
/// If the folder cannot be read.
pub fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    let no_folder = |error: std::io::Error| {
        Failure::Input(format!(
            "the folder of the situations, {}, cannot be read: {error}. Run this in the project's folder, name the folder \
             with --folder DIR, or give the path of a situation's file",
            folder.display()
        ))
    };
    for entry in fs::read_dir(folder).map_err(no_folder)? {
        let path = entry.map_err(Failure::read(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            names.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        }
    }
    names.sort();
    Ok(names)
}

/// The file of a situation: a name in the folder, or a path.
#[must_use]
pub fn file(folder: &Path, name: &str) -> PathBuf {
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") {
        return path.to_owned();
    }
    folder.join(format!("{name}.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_is_counted_whatever_becomes_of_its_request() {
        // Every call fails, and no breaker is asked: each request makes all of its three attempts, unless the end comes first.
        let text = "modes = [\"down\"]\nreplications = 2\n[scenario]\nfault_at = \"1ns\"\nslots = 500\n\
                    retries = { attempts = 3, delay = \"1ms\" }\n[[rule]]\nkind = \"none\"\n";
        let sweep = sweep_file::parse("a.toml", text, &[], None).expect("valid");
        let attempts = mean_attempts(&sweep, 0, &sweep.modes[0]).expect("there are retries");
        let runs = records(&sweep, 0, &sweep.modes[0]);
        let of = |count: fn(&RunRecord) -> u64| runs.iter().map(count).sum::<u64>() as f64 / 2.0;
        let retries = of(|run| run.service.expect("the richer world").retries);
        assert_eq!(attempts, of(|run| run.requests) + retries);
        assert!(attempts > 2.9 * of(|run| run.requests), "{attempts}");
        let without = sweep_file::parse("a.toml", "[[rule]]\nkind = \"none\"\n", &[], None).expect("valid");
        assert_eq!(mean_attempts(&without, 0, &without.modes[0]), None);
    }

    #[test]
    fn the_paragraph_is_the_comment_at_the_top() {
        assert_eq!(about("# One.\n#  Two\n# three.\n\n# Not this.\nname = \"x\""), "One. Two three.");
        assert_eq!(about("name = \"x\""), "");
    }
}
