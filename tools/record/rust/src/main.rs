//! Records what a Rust library does with each operation script of standard input: `record recloser < SCRIPTS`.
//!
//! A script is one JSON object a line; the answers of the library are filled into its operations and the line is printed.

mod failsafe_crate;
mod recloser_crate;
mod script;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use serde_json::Value;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let record: fn(&Value) -> Vec<Value> = match name.as_str() {
        "failsafe_rs" => failsafe_crate::record,
        "recloser" => recloser_crate::record,
        _ => {
            eprintln!("usage: record failsafe_rs|recloser < SCRIPTS");
            return ExitCode::from(2);
        }
    };
    let version = version(if name == "recloser" { "recloser" } else { "failsafe" });
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let script: Value = serde_json::from_str(&line.expect("UTF-8")).expect("a JSON object");
        writeln!(out, "{}", script::vector(&script, &version, record(&script))).expect("standard output");
    }
    ExitCode::SUCCESS
}

/// The locked version of a package.
fn version(package: &str) -> String {
    let wanted = format!("name = \"{package}\"");
    let lock = include_str!("../Cargo.lock");
    let mut lines = lock.lines().skip_while(|line| *line != wanted);
    let line = lines.nth(1).expect("the package is locked");
    line.trim_start_matches("version = ").trim_matches('"').to_owned()
}
