//! `experiments export`: a design as the configuration of its library.

use std::io::Write;
use std::path::Path;

use policies::AnyRule;

use super::{Failure, Outcome};
use crate::cli::ExportArgs;
use crate::did_you_mean::did_you_mean;
use crate::library_formats::{self, FORMATS, Format};
use crate::sweep_file::{self, Sweep};

/// Prints a design.
///
/// # Errors
///
/// When there is no such design or form, the library has nothing that does the same, or the output cannot be written.
pub fn run(args: &ExportArgs, out: &mut impl Write) -> Result<Outcome, Failure> {
    let format = format(&args.format)?;
    let rule = design(&args.design)?;
    let text = library_formats::export(&rule, format, &args.name)
        .map_err(|reason| Failure::Input(format!("cannot print `{rule}` --as {}: {reason}", format.name)))?;
    out.write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

fn format(name: &str) -> Result<&'static Format, Failure> {
    FORMATS.iter().find(|format| format.name == name).ok_or_else(|| {
        let names: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        let guess = did_you_mean(name, &names).map(|guess| format!("; did you mean {guess}?")).unwrap_or_default();
        Failure::Input(format!("--as {name} is unknown: there are {}{guess}", names.join(", ")))
    })
}

/// The rule that the argument means: a design of a sweep file, or a rule written out.
fn design(argument: &str) -> Result<AnyRule, Failure> {
    if let Some((file, which)) = argument.rsplit_once('#')
        && Path::new(file).exists()
    {
        return chosen(file, &sweep_file::load(Path::new(file), &[], None)?, which);
    }
    if Path::new(argument).exists() {
        let sweep = sweep_file::load(Path::new(argument), &[], None)?;
        return only(argument, &sweep);
    }
    if !argument.contains('=') {
        return Err(Failure::Input(format!(
            "\"{argument}\" is no design: write SWEEP.toml#NUMBER or SWEEP.toml#LABEL for a design of a sweep, or the rule, \
             such as 'kind = \"opossum\", resetTimeout = \"10s\"'"
        )));
    }
    let text = match argument.trim() {
        tables if tables.starts_with("[[") => tables.to_owned(),
        table if table.starts_with('{') => format!("rule = [{table}]"),
        body if body.contains('\n') => format!("[[rule]]\n{body}"),
        keys => format!("rule = [{{ {keys} }}]"),
    };
    only("DESIGN", &sweep_file::parse("DESIGN", &text, &[], None)?)
}

fn only(what: &str, sweep: &Sweep) -> Result<AnyRule, Failure> {
    match sweep.designs.as_slice() {
        [design] => Ok(design.rule),
        designs => Err(Failure::Input(format!(
            "{what} comes to {} designs: say one value for each key, or name one as {what}#NUMBER, from 0 to {}",
            designs.len(),
            designs.len() - 1
        ))),
    }
}

fn chosen(file: &str, sweep: &Sweep, which: &str) -> Result<AnyRule, Failure> {
    let found = match which.parse::<usize>() {
        Ok(number) => sweep.designs.get(number),
        Err(_) => sweep.designs.iter().find(|design| design.rule.to_string() == which),
    };
    found.map(|design| design.rule).ok_or_else(|| {
        let labels: Vec<_> = sweep.designs.iter().map(|design| design.rule.to_string()).collect();
        let labels: Vec<_> = labels.iter().map(String::as_str).collect();
        let guess =
            did_you_mean(which, &labels).map(|guess| format!("; did you mean \"{guess}\"?")).unwrap_or_default();
        let last = sweep.designs.len() - 1;
        Failure::Input(format!(
            "{file} has no design \"{which}\": it has designs 0 to {last}; a label is what the table of the sweep prints{guess}"
        ))
    })
}
