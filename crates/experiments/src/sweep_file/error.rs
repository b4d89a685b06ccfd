//! What is wrong with a sweep file: sentences that name the place, the key, the value and the remedy.

use std::fmt;

/// One thing that is wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where: `FILE:LINE:COLUMN` (both from 1, columns in characters), the file alone, or the command-line argument.
    pub place: String,
    /// The dotted path of the key in question, as `--set` takes it; empty where no key is to blame.
    pub key: String,
    /// What is wrong, the offending value included.
    pub problem: String,
    /// What to do.
    pub remedy: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        if !self.key.is_empty() {
            write!(f, "key `{}`: ", self.key)?;
        }
        write!(f, "{}; {}", self.problem, self.remedy)
    }
}

/// Why a sweep could not be read: one or more findings, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepError {
    findings: Vec<Finding>,
}

impl SweepError {
    /// An error of the given findings.
    pub(super) fn new(findings: Vec<Finding>) -> Self {
        debug_assert!(!findings.is_empty(), "an error has a reason");
        Self { findings }
    }

    /// What was found, in the order of the file; command-line arguments come last.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }
}

impl fmt::Display for SweepError {
    /// One line per finding.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, finding) in self.findings.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            finding.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for SweepError {}
