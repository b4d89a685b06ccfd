//! Sweep files: what they mean, and what is said about wrong ones.

mod analysis;
mod axes;
mod designs;
mod dialects;
mod files;
mod front;
mod messages;
mod overrides;
mod resolved;
mod robustness;
mod samples;
mod sensitivity;
mod service;
mod world;

use experiments::sweep_file::{Sweep, parse};

/// Reads a text that has to be right.
fn read(text: &str) -> Sweep {
    parse("my.toml", text, &[], None).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

/// Reads a text that has to be wrong, and returns what is said.
fn complaint(text: &str) -> String {
    match parse("my.toml", text, &[], None) {
        Ok(_) => panic!("nothing is said about\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// A file of this repository.
fn repository_file(path: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
