//! An independent program's figures for a sweep, and whether ours agree with them.
//!
//! The form is that of `sweeps/reference.txt`: comment lines that start with `#` and name the number of replications
//! (`4,000 replications`), then a line per rule and mode with pairs of a figure's name and its `value±standard error`.

use std::fmt;

use engine::Tally;
use statistics::{fisher_exact, standardised_difference};

use crate::shortened::shortened;
use crate::tables::ResultTables;

/// Two means agree within so many joint standard errors: about one false alarm in 150,000 comparisons.
const MOST_JOINT_STANDARD_ERRORS: f64 = 4.5;
/// Two proportions agree unless Fisher's exact test gives less.
const LEAST_P: f64 = 1e-5;
/// A mean of rare events whose standard error is more than this share of it rests on too few of them to be compared:
/// about sixteen events.
const LARGEST_RELATIVE_ERROR: f64 = 0.25;
/// Fewer runs of ours have no standard error to speak of.
const FEWEST_RUNS: u64 = 30;

/// The figures by their names in the file, and our columns.
const MEANS: [(&str, &str); 6] = [
    ("delay_rounds", "detection_delay_rounds"),
    ("slot_rounds", "slot_rounds_to_detection"),
    ("opens", "openings"),
    ("rejected", "rejected"),
    ("valid_rejected", "false_open_rejections"),
    ("tracking_no_slot", "neighbour_no_slot"),
];

/// The figures of the other program.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    replications: u64,
    rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq)]
struct Row {
    /// As written: `consecutive 5`, `ratio 0.50/20`.
    rule: String,
    family: String,
    threshold: f64,
    window: Option<f64>,
    mode: String,
    detected: f64,
    /// In the order of [`MEANS`].
    means: Vec<(f64, f64)>,
}

/// A line of the file that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceError {
    line: usize,
    problem: String,
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.problem)
    }
}

impl std::error::Error for ReferenceError {}

/// One figure of ours beside theirs.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The rule, as the reference writes it.
    pub rule: String,
    /// The mode.
    pub mode: String,
    /// Our column.
    pub figure: &'static str,
    /// Our value.
    pub ours: f64,
    /// The reference's value.
    pub theirs: f64,
    /// What the comparison says.
    pub verdict: Verdict,
}

/// What a comparison says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The reference's figure rests on too few events, or ours on too few runs.
    TooFewEvents,
    /// Two means.
    Mean {
        /// Their difference in joint standard errors.
        deviation: f64,
        /// Whether that is within the limit.
        agrees: bool,
    },
    /// Two proportions.
    Proportion {
        /// Fisher's two-sided p.
        p: f64,
        /// Whether that is above the limit.
        agrees: bool,
    },
}

impl Verdict {
    /// Whether there is nothing to complain of.
    #[must_use]
    pub fn agrees(self) -> bool {
        match self {
            Self::TooFewEvents => true,
            Self::Mean { agrees, .. } | Self::Proportion { agrees, .. } => agrees,
        }
    }
}

impl Reference {
    /// Reads the figures.
    ///
    /// # Errors
    ///
    /// When a line is not understood, or no comment says how many replications there were.
    pub fn parse(text: &str) -> Result<Self, ReferenceError> {
        let mut replications = None;
        let mut rows = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let error = |problem: String| ReferenceError { line: index + 1, problem };
            if let Some(comment) = line.strip_prefix('#') {
                replications = replications.or_else(|| replications_in(comment));
            } else if !line.trim().is_empty() {
                rows.push(Row::parse(line).map_err(error)?);
            }
        }
        let problem = "no comment says how many replications the figures rest on; write \"# 4,000 replications\"";
        let replications = replications.ok_or_else(|| ReferenceError { line: 1, problem: problem.to_owned() })?;
        if rows.is_empty() {
            let problem = "there are no figures: write a line per rule and mode, as in sweeps/reference.txt".to_owned();
            return Err(ReferenceError { line: text.lines().count().max(1), problem });
        }
        Ok(Self { replications, rows })
    }

    /// Compares every figure with the results of a sweep.
    ///
    /// # Errors
    ///
    /// When the results have no design or mode of a row, or more than one design.
    pub fn compare(&self, results: &ResultTables) -> Result<Vec<Check>, String> {
        let mut checks = Vec::new();
        for row in &self.rows {
            row.compare(self.replications, results, &mut checks)?;
        }
        Ok(checks)
    }
}

impl Row {
    fn parse(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [family, numbers, mode, pairs @ ..] = words.as_slice() else {
            return Err("expected a rule, its numbers, a mode and figures".to_owned());
        };
        let number = |text: &str| text.parse::<f64>().map_err(|_| format!("\"{}\" is not a number", shortened(text)));
        let figure = |name: &str| {
            let value = pairs.chunks_exact(2).find(|pair| pair[0] == name).map(|pair| pair[1]);
            value.ok_or_else(|| format!("the figure {name} is missing"))
        };
        let mean = |name: &str| {
            let (value, error) =
                figure(name)?.split_once('±').ok_or_else(|| format!("{name} has no standard error (value±error)"))?;
            match (number(value)?, number(error)?) {
                (value, error) if value.is_finite() && !error.is_infinite() => Ok::<_, String>((value, error)),
                _ => Err(format!("{name} is not finite")),
            }
        };
        let share = |text: &str| match number(text)? {
            share if (0.0..=1.0).contains(&share) => Ok(share),
            _ => Err(format!("detected is {}, but a share lies between 0 and 1", shortened(text))),
        };
        let (threshold, window) = match numbers.split_once('/') {
            Some((threshold, window)) => (number(threshold)?, Some(number(window)?)),
            None => (number(numbers)?, None),
        };
        Ok(Self {
            rule: format!("{family} {numbers}"),
            family: (*family).to_owned(),
            threshold,
            window,
            mode: (*mode).to_owned(),
            detected: share(figure("detected")?)?,
            means: MEANS.iter().map(|(name, _)| mean(name)).collect::<Result<_, _>>()?,
        })
    }

    fn compare(&self, replications: u64, results: &ResultTables, checks: &mut Vec<Check>) -> Result<(), String> {
        let numbers = [("threshold", Some(self.threshold)), ("window", self.window)];
        let designs = results.designs_where(&self.family, &numbers).map_err(|error| error.to_string())?;
        let [design] = designs[..] else {
            return Err(format!(
                "the results have {} designs \"{}\" where exactly one is needed: run a sweep with the reference's rules, \
                 such as sweeps/reference.toml",
                designs.len(),
                self.rule
            ));
        };
        let values_of = |column: &'static str| {
            let mut by_mode = results.values(design, column).map_err(|error| error.to_string())?;
            by_mode
                .remove(&self.mode)
                .ok_or_else(|| format!("the results have no mode \"{}\": run the sweep with it", self.mode))
        };
        let mut push = |figure, ours, theirs, verdict| {
            checks.push(Check { rule: self.rule.clone(), mode: self.mode.clone(), figure, ours, theirs, verdict });
        };

        let detected = values_of("detected")?;
        let ours = (detected.iter().filter(|value| **value == Some(1.0)).count() as u64, detected.len() as u64);
        let theirs = ((self.detected * replications as f64).round() as u64, replications);
        let p = fisher_exact(ours.0, ours.1, theirs.0, theirs.1);
        let verdict = Verdict::Proportion { p, agrees: p >= LEAST_P };
        push("detected", ours.0 as f64 / ours.1 as f64, self.detected, verdict);

        for (&(_, column), &(value, error)) in MEANS.iter().zip(&self.means) {
            let mut tally = Tally::default();
            for value in values_of(column)?.into_iter().flatten() {
                tally.add(value);
            }
            // Conditional means rest on the runs that detected, all others on every run.
            let conditional = matches!(column, "detection_delay_rounds" | "slot_rounds_to_detection");
            let runs = if conditional { self.detected * replications as f64 } else { replications as f64 };
            let ours = tally.mean().unwrap_or(f64::NAN);
            push(column, ours, value, mean_verdict(&tally, value, error, runs));
        }
        Ok(())
    }
}

/// Compares our runs with a mean of theirs over `runs` runs. Few events of ours understate our standard error, so it is
/// taken to be no smaller than theirs over as many runs as ours.
fn mean_verdict(ours: &Tally, value: f64, error: f64, runs: f64) -> Verdict {
    let enough = error > 0.0 && error <= LARGEST_RELATIVE_ERROR * value.abs() && ours.count() >= FEWEST_RUNS;
    let (true, Some(mean), Some(standard_deviation)) = (enough, ours.mean(), ours.std_dev()) else {
        return Verdict::TooFewEvents;
    };
    let n = ours.count() as f64;
    let own_error = (standard_deviation / n.sqrt()).max(error * (runs / n).sqrt());
    let deviation = standardised_difference(mean, own_error, value, error);
    Verdict::Mean { deviation, agrees: deviation.abs() <= MOST_JOINT_STANDARD_ERRORS }
}

/// The number before the word "replications" in a comment.
fn replications_in(comment: &str) -> Option<u64> {
    let (before, _) = comment.split_once(" replications")?;
    before.split_whitespace().last()?.replace(',', "").parse().ok().filter(|&number| number > 0)
}
