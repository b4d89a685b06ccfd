//! `experiments compare`: a sweep's results against the figures of an independent program.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use super::{Failure, Outcome};
use crate::bounded_file::{LONGEST_TEXT, read_text};
use crate::reference::{Check, Reference, Verdict};
use crate::tables::ResultTables;

/// Compares every figure of the reference with the sweep's results, and prints each.
///
/// # Errors
///
/// When a file cannot be read, a line of the reference is not understood, or the results lack a rule or a mode of it.
pub fn run(results: &Path, reference: &Path, out: &mut impl Write) -> Result<Outcome, Failure> {
    let tables = ResultTables::read(results)?;
    let text =
        File::open(reference).and_then(|file| read_text(file, LONGEST_TEXT)).map_err(Failure::read(reference))?;
    let figures =
        Reference::parse(&text).map_err(|error| Failure::Input(format!("{}:{error}", reference.display())))?;

    let checks = figures.compare(&tables).map_err(|error| Failure::Input(format!("{}: {error}", results.display())))?;
    for Check { rule, mode, figure, ours, theirs, verdict } in &checks {
        let words = match verdict {
            Verdict::TooFewEvents => "left out: too few events".to_owned(),
            Verdict::Mean { deviation, agrees } => format!("{deviation:+.2} joint standard errors{}", mark(*agrees)),
            Verdict::Proportion { p, agrees } => format!("Fisher p = {p:.3}{}", mark(*agrees)),
        };
        writeln!(out, "{rule:<18} {mode:<9} {figure:<36} {ours:>10.4} {theirs:>10.4}  {words}")?;
    }
    let compared = checks.iter().filter(|check| !matches!(check.verdict, Verdict::TooFewEvents)).count();
    let failed = checks.iter().filter(|check| !check.verdict.agrees()).count();
    writeln!(out, "{compared} figures compared, {} left out, {failed} disagree", checks.len() - compared)?;
    Ok(if failed == 0 { Outcome::Done } else { Outcome::Partial })
}

fn mark(agrees: bool) -> &'static str {
    if agrees { "" } else { "  DISAGREES" }
}
