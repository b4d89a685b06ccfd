//! What holds of everything that is read, whatever is in it: it is used, or refused in a sentence of bounded length that names
//! the place and the remedy, and what is used has bounds and reads again as what it is written as.
//!
//! Each function here takes the content of one kind of file and panics if that does not hold. They are called by the tests,
//! with what proptest thinks of, and by the fuzz targets in `fuzz/`, with what libFuzzer finds.

#[cfg(test)]
mod tests;

use std::fmt::Display;

use serde_json::{Value, json};

use crate::library_formats::{self, FORMATS, Source, Units, rule_table};
use crate::manifest::{described_sweep, without_replications};
use crate::reference::Reference;
use crate::situation::Situation;
use crate::sweep_file::{Sweep, SweepError, parse};
use crate::vectors::{self, Vector, VectorError};

pub use crate::blocks::robustness::block;

/// What the sweep file is called in messages.
const FILE: &str = "hostile.toml";
/// Characters of a message at most: some of the file, some of a list of what is known, and a remedy.
const LONGEST_MESSAGE: usize = 4_000;
/// Grids are written out and read again up to this many designs; more take longer and show nothing else.
const DESIGNS_READ_AGAIN: usize = 5_000;

/// Checks that a text with `--set` arguments is a sweep or refused; returns whether it is one.
///
/// # Panics
///
/// When it is neither as it should be.
pub fn sweep_file(text: &str, overrides: &[String]) -> bool {
    judge_sweep(&parse(FILE, text, overrides, None))
}

/// Checks the same of a file of a situation, with all of its variants.
///
/// # Panics
///
/// When one of them is neither a sweep nor refused.
pub fn situation(text: &str, overrides: &[String]) -> bool {
    match Situation::parse(FILE, text, overrides, None) {
        Ok(situation) => {
            assert!(situation.variants.len() <= 65, "{} variants", situation.variants.len());
            situation.variants.into_iter().all(|(_, sweep)| judge_sweep(&Ok(sweep)))
        }
        Err(error) => judge_sweep(&Err(error)),
    }
}

fn judge_sweep(read: &Result<Sweep, SweepError>) -> bool {
    match read {
        Ok(sweep) => {
            is_within_bounds(sweep);
            if sweep.designs.len() <= DESIGNS_READ_AGAIN {
                reads_again(sweep);
            }
            true
        }
        Err(error) => {
            assert!((1..=101).contains(&error.findings().len()), "{} findings", error.findings().len());
            for finding in error.findings() {
                let placed =
                    ["hostile.toml:", "--set ", "--replications"].iter().any(|at| finding.place.starts_with(at));
                assert!(placed && !finding.problem.is_empty() && !finding.remedy.is_empty(), "{finding}");
                is_short(finding);
            }
            false
        }
    }
}

fn is_within_bounds(sweep: &Sweep) {
    let plain = |name: &str| {
        (1..=80).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    assert!(plain(&sweep.name), "{:?}", sweep.name);
    assert!((1..=64).contains(&sweep.modes.len()) && sweep.modes.iter().all(|mode| plain(&mode.name)));
    assert!((1..=1_000_000).contains(&sweep.designs.len()), "{} designs", sweep.designs.len());
    assert!(sweep.replications > 0 && sweep.level > 0.0 && sweep.level < 1.0);
    let requests = sweep.requests_per_run();
    assert!((0.0..=1.01e8).contains(&requests), "{requests} requests in a run");
}

/// A sweep that is written out reads as the same sweep.
fn reads_again(sweep: &Sweep) {
    let written = json!({ "sweep": without_replications(sweep) });
    let read = described_sweep(&written).unwrap_or_else(|error| panic!("{error}\nof {written}"));
    assert_eq!(read.scenario, sweep.scenario, "of {written}");
    assert_eq!(read.modes, sweep.modes, "of {written}");
    assert_eq!(read.designs, sweep.designs, "of {written}");
    assert_eq!(read.analysis, sweep.analysis, "of {written}");
    assert_eq!((read.name, read.root_seed, read.level), (sweep.name.clone(), sweep.root_seed, sweep.level));
}

/// Checks that a text is a manifest of a sweep or refused; returns whether it is one.
///
/// # Panics
///
/// When it is neither as it should be.
pub fn manifest(text: &str) -> bool {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return false };
    match described_sweep(&manifest) {
        Ok(sweep) => judge_sweep(&Ok(sweep)),
        Err(error) => {
            assert!(!error.is_empty());
            error.lines().for_each(is_short);
            false
        }
    }
}

/// Checks that a text is a configuration of a library or refused; returns whether it is one. `file` is its name.
///
/// # Panics
///
/// When it is neither as it should be, or its rules do not read as what they are printed as.
pub fn library_configuration(file: &str, text: &str, source: Option<Source>) -> bool {
    let mut is_one = false;
    for units in [Units::Checked, Units::Trusted] {
        match library_formats::import(file, text, source, units) {
            Ok(breakers) => {
                is_one = true;
                for breaker in breakers {
                    let table = rule_table(&breaker.rule);
                    let sweep = parse(FILE, &table, &[], None).unwrap_or_else(|error| panic!("{error}\nof\n{table}"));
                    assert_eq!(sweep.designs.len(), 1, "{table}");
                    assert_eq!(sweep.designs[0].rule, breaker.rule, "{table}");
                    for format in &FORMATS {
                        if let Err(reason) = library_formats::export(&breaker.rule, format, &breaker.name) {
                            is_short(reason);
                        }
                    }
                }
            }
            Err(errors) => {
                for error in errors.all() {
                    assert!(!error.problem.is_empty() && error.line <= text.lines().count() + 1, "{error:?}");
                    is_short(error);
                }
            }
        }
    }
    is_one
}

/// Checks that a line is a vector that can be replayed, or refused; returns whether it is one.
///
/// # Panics
///
/// When it is neither as it should be.
pub fn vector_line(line: &str) -> bool {
    let replayed = || -> Result<(), VectorError> {
        let vector = Vector::parse(line)?;
        let rule = vectors::rule(&vector)?;
        vectors::replay(&vector, &rule).map(|_| ())
    };
    match replayed() {
        Ok(()) => true,
        Err(error) => {
            assert!(!error.problem.is_empty());
            is_short(error);
            false
        }
    }
}

/// Checks that a text is a table of figures or refused; returns whether it is one.
///
/// # Panics
///
/// When it is neither as it should be.
pub fn reference(text: &str) -> bool {
    let read = Reference::parse(text);
    if let Err(error) = &read {
        is_short(error);
    }
    read.is_ok()
}

fn is_short(message: impl Display) {
    let message = message.to_string();
    let length = message.chars().count();
    assert!((1..=LONGEST_MESSAGE).contains(&length), "a message of {length} characters: {message:.400}");
}
