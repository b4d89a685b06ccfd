//! Reading the file itself.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use crate::bounded_file::{self, LONGEST_TEXT};
use crate::did_you_mean::did_you_mean;

use super::error::{Finding, SweepError};
use super::{Sweep, parse};

/// Reads a sweep file. `overrides` are `--set` arguments; `replications` replaces the file's number.
///
/// # Errors
///
/// If the file cannot be read, or it or an argument is wrong; the error says all that was found.
pub fn load(path: &Path, overrides: &[String], replications: Option<u32>) -> Result<Sweep, SweepError> {
    let text = text_of(path)?;
    let shown = path.display().to_string();
    if text.trim_start_matches('\u{feff}').trim().is_empty() && overrides.is_empty() {
        let remedy = "start from sweep.toml, or from the smallest sweep: a line [[rule]] and a line kind = \"none\"";
        return Err(one(shown, "the file is empty".to_owned(), remedy));
    }
    parse(&shown, &text, overrides, replications)
}

/// The text of a sweep file, or of a pipe.
///
/// # Errors
///
/// If it cannot be read, is longer than any sweep file, or is no text.
pub(crate) fn text_of(path: &Path) -> Result<String, SweepError> {
    let bytes = File::open(path).and_then(|file| bounded_file::read(file, LONGEST_TEXT));
    let bytes = bytes.map_err(|error| unreadable(path, &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..valid]).into_owned();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let byte = error.as_bytes()[valid];
        let problem = format!("the byte 0x{byte:02x} is no UTF-8 text");
        let place = format!("{}:{line}:{column}", path.display());
        one(place, problem, "save the file as UTF-8; a sweep file is plain TOML text")
    })
}

fn one(place: String, problem: String, remedy: impl Into<String>) -> SweepError {
    SweepError::new(vec![Finding { place, key: String::new(), problem, remedy: remedy.into() }])
}

fn unreadable(path: &Path, error: &std::io::Error) -> SweepError {
    let shown = path.display().to_string();
    if path.is_dir() {
        let remedy = match sweep_files(path).first() {
            Some(file) => format!("name a file in it, such as {}", path.join(file).display()),
            None => "name a sweep file, such as sweep.toml".to_owned(),
        };
        return one(shown, "this is a folder, not a sweep file".to_owned(), remedy);
    }
    if error.kind() == ErrorKind::FileTooLarge {
        let problem = format!("the file is longer than {} MB, which no sweep file is", LONGEST_TEXT >> 20);
        return one(shown, problem, "name a sweep file; lists of values can be written { from = 1, to = 9, step = 1 }");
    }
    if error.kind() != ErrorKind::NotFound {
        let remedy = "make it readable, or name another file";
        return one(shown, format!("the file cannot be read ({error})"), remedy);
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        let problem = format!("there is no such file, nor a folder {}", folder.display());
        return one(shown, problem, "check the path; it is taken from the folder in which the command runs");
    }
    let files = sweep_files(folder);
    let names: Vec<&str> = files.iter().map(String::as_str).collect();
    let wanted = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let remedy = match (did_you_mean(wanted, &names), names.is_empty()) {
        (Some(name), _) => format!("did you mean {}?", path.with_file_name(name).display()),
        (None, false) => format!("the folder has {}", names.join(", ")),
        (None, true) => "check the path; it is taken from the folder in which the command runs".to_owned(),
    };
    one(shown, "there is no such file".to_owned(), remedy)
}

/// The names of up to ten TOML files of a folder, in alphabetical order.
fn sweep_files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names
        .filter(|name| name.ends_with(".toml") && !matches!(name.as_str(), "Cargo.toml" | "rustfmt.toml" | "deny.toml"))
        .collect();
    names.sort_unstable();
    names.truncate(10);
    names
}
