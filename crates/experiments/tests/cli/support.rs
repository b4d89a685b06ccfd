//! Running the program and reading what it wrote.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use polars::prelude::{DataFrame, DataType, ParquetReader, SerReader};

/// The workspace's folder, in which the commands of the README are run.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program with arguments, to be run in the workspace's folder.
pub(crate) fn experiments(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_experiments"));
    command.current_dir(workspace()).args(arguments);
    command
}

/// Runs the program to its end.
pub(crate) fn run(arguments: &[&str]) -> Output {
    experiments(arguments).output().expect("the program starts")
}

/// Runs the program and expects success; returns what it printed.
pub(crate) fn succeed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{arguments:?} failed:\n{out}\n{err}");
    out
}

/// Runs the program and expects an exit code; returns what it said on standard error.
pub(crate) fn fail(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {err}");
    err
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A path as an argument.
pub(crate) fn argument(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// Runs the small sweep into `folder`, with further arguments.
pub(crate) fn small_sweep(folder: &Path, more: &[&str]) -> String {
    let mut arguments = vec!["sweeps/small.toml", "--no-plots", "--out", argument(folder)];
    arguments.extend(more);
    succeed(&arguments)
}

/// Reads a table.
pub(crate) fn table(folder: &Path, name: &str) -> DataFrame {
    let file = File::open(folder.join(name)).expect("the table exists");
    ParquetReader::new(file).finish().expect("the table is readable")
}

/// A column as numbers, null becoming `None`.
pub(crate) fn numbers(table: &DataFrame, column: &str) -> Vec<Option<f64>> {
    let column = table.column(column).expect("the column exists").cast(&DataType::Float64).expect("numbers");
    column.f64().expect("numbers").iter().collect()
}

/// A column as words.
pub(crate) fn words(table: &DataFrame, column: &str) -> Vec<String> {
    let column = table.column(column).expect("the column exists").str().expect("words");
    column.iter().map(|word| word.unwrap_or("null").to_owned()).collect()
}
