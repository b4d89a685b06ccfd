//! `experiments import`: the configuration of a library as rules of a sweep.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::{Failure, Outcome};
use crate::bounded_file::read_text;
use crate::cli::ImportArgs;
use crate::console::printable;
use crate::library_formats::{self, FormatErrors, Source, Units, rule_table};

/// Bytes of a configuration at most, programs with options in them included.
const LONGEST_CONFIGURATION: u64 = 1 << 20;

/// Prints a table `[[rule]]` for every breaker of a configuration.
///
/// # Errors
///
/// When the file cannot be read, holds no breaker or one that is not known exactly, or the output cannot be written.
pub fn run(args: &ImportArgs, out: &mut impl Write) -> Result<Outcome, Failure> {
    let name = args.file.display().to_string();
    let text = if args.file == Path::new("-") {
        read_text(io::stdin().lock(), LONGEST_CONFIGURATION)
    } else {
        File::open(&args.file).and_then(|file| read_text(file, LONGEST_CONFIGURATION))
    };
    let text = text.map_err(|error| Failure::Input(format!("cannot read {name}: {error}")))?;
    let units = if args.trust_units { Units::Trusted } else { Units::Checked };
    let source = args.from.as_deref().map(source).transpose()?;
    let breakers = library_formats::import(&name, &text, source, units).map_err(|error| bad_file(&name, &error))?;
    for (number, breaker) in breakers.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let called =
            if breaker.name.is_empty() { String::new() } else { format!("{}, ", printable(&breaker.name, ' ')) };
        writeln!(out, "# {called}{name}:{}", breaker.line)?;
        for note in &breaker.notes {
            writeln!(out, "# {}", printable(note, ' '))?;
        }
        out.write_all(rule_table(&breaker.rule).as_bytes())?;
    }
    Ok(Outcome::Done)
}

fn source(name: &str) -> Result<Source, Failure> {
    let found = Source::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, source)| source);
    found.ok_or_else(|| {
        let names = Source::NAMES.map(|(known, _)| known);
        Failure::Input(format!("--from {name} is unknown: there are {}", names.join(", ")))
    })
}

/// A line for each error.
fn bad_file(name: &str, errors: &FormatErrors) -> Failure {
    let lines = errors.all().iter().map(|error| {
        let line = if error.line == 0 { String::new() } else { format!(":{}", error.line) };
        format!("{name}{line}: {error}")
    });
    Failure::Input(lines.collect::<Vec<_>>().join("\n"))
}
