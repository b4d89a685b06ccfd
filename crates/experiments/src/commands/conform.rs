//! `experiments conform`: recordings of real libraries against our breakers.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::{Failure, Outcome};
use crate::bounded_file::next_line;
use crate::vectors::{self, Difference, Vector, VectorError};

/// Bytes of a line at most: a recording of a million operations.
const LONGEST_LINE: u64 = 128 << 20;

/// Replays every vector of the files and prints those in which a breaker does something else.
///
/// Files are read line by line; `-` is standard input.
///
/// # Errors
///
/// When a file cannot be read, a line is no vector, or the output cannot be written.
pub fn run(files: &[PathBuf], out: &mut impl Write) -> Result<Outcome, Failure> {
    let (mut passed, mut failed) = (0_u64, 0_u64);
    for file in files {
        let mut reader: Box<dyn BufRead> = if file == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(file).map_err(|error| unreadable(file, &error))?))
        };
        let before = passed + failed;
        for number in 1_u64.. {
            let line = next_line(&mut reader, LONGEST_LINE).map_err(|error| unreadable(file, &error))?;
            let Some(line) = line else { break };
            if line.trim().is_empty() {
                continue;
            }
            let place = || format!("{}:{number}", file.display());
            match check(&line).map_err(|error| bad_line(&place(), &error))? {
                None => passed += 1,
                Some((vector, difference)) => {
                    failed += 1;
                    print(&place(), &vector, &difference, out)?;
                }
            }
        }
        if passed + failed == before {
            return Err(nothing(file));
        }
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(if failed == 0 { Outcome::Done } else { Outcome::Partial })
}

fn check(line: &str) -> Result<Option<(Vector, Difference)>, VectorError> {
    let vector = Vector::parse(line)?;
    let rule = vectors::rule(&vector)?;
    if vector.operations.is_empty() {
        let problem =
            "there is no operation, so there is nothing to check: record what callers did, or leave the line out";
        return Err(VectorError { column: None, key: "ops".to_owned(), problem: problem.to_owned() });
    }
    let difference = vectors::replay(&vector, &rule)?;
    Ok(difference.map(|difference| (vector, difference)))
}

fn print(place: &str, vector: &Vector, difference: &Difference, out: &mut impl Write) -> io::Result<()> {
    let Vector { id, library, version, settings, operations } = vector;
    let settings = serde_json::to_string(settings).expect("what was JSON is JSON");
    writeln!(out, "{place}: {id}\n  {library} {version} {settings}")?;
    let number = difference.operation;
    match operations.get(number) {
        Some(operation) => writeln!(out, "  ops[{number}] differs, at {}: {operation}", operation.at)?,
        None => writeln!(out, "  after the last operation")?,
    }
    writeln!(out, "    recorded: {}", difference.recorded)?;
    writeln!(out, "    here:     {}", difference.here)
}

fn unreadable(file: &Path, error: &io::Error) -> Failure {
    Failure::Input(format!("cannot read {}: {error}; give files of vectors, or - for standard input", file.display()))
}

/// An agreement about nothing would look like one about something.
fn nothing(file: &Path) -> Failure {
    Failure::Input(format!(
        "{} holds no vector, so there is nothing to check: give files with one JSON object a line (tools/record/README.md)",
        file.display()
    ))
}

fn bad_line(place: &str, error: &VectorError) -> Failure {
    let column = error.column.map(|column| format!(":{column}")).unwrap_or_default();
    Failure::Input(format!("{place}{column}: {error}"))
}
