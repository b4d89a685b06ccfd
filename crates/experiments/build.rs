//! Tells the program which revision it was built from, for the manifests of its results.

use std::path::Path;
use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let revision = git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=TRIPCURVE_REVISION={revision}");

    // A commit or a checkout writes the log of HEAD; without a repository nothing has to be watched but this file.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists());
    println!("cargo::rerun-if-changed={}", log.as_deref().unwrap_or("build.rs"));
}
