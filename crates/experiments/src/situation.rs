//! Named situations: a sweep file as it stands and its variants, run and counted side by side.

mod timeline;

use std::fs;
use std::path::{Path, PathBuf};

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
    fn the_paragraph_is_the_comment_at_the_top() {
        assert_eq!(about("# One.\n#  Two\n# three.\n\n# Not this.\nname = \"x\""), "One. Two three.");
        assert_eq!(about("name = \"x\""), "");
    }
}
