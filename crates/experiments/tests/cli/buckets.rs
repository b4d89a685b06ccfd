//! What the program says of object stores without reaching one; `deploy/s3` checks it with one.

use std::process::Command;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::support::{argument, experiments, fail, small_sweep, succeed, text};

/// A command in an environment that says nothing about AWS, and where nothing is asked for credentials.
fn without_settings(arguments: &[&str]) -> Command {
    let mut command = experiments(arguments);
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("AWS_")) {
            command.env_remove(name);
        }
    }
    command.env("HOME", "/nonexistent").env("AWS_EC2_METADATA_DISABLED", "true");
    command
}

/// Its exit code, and what it says on standard error.
fn outcome(mut command: Command) -> (i32, String) {
    let output = command.output().expect("it starts");
    (output.status.code().expect("it was not killed"), text(&output.stderr))
}

const SHARD: [&str; 8] = ["shard", "sweeps/small.toml", "--index", "0", "--count", "1", "--out", "s3://results/run"];
const MISSING: [&str; 6] = ["missing", "sweeps/small.toml", "--count", "1", "--out", "s3://results/run"];

#[test]
fn tables_and_figures_do_not_go_into_a_bucket_and_what_does_is_said() {
    for arguments in [vec!["sweeps/small.toml"], vec!["merge", "sweeps/small.toml"]] {
        let said = fail(&[&arguments[..], &["--out", "s3://results/run"]].concat(), 2);
        assert!(said.contains("experiments merge SWEEP --from s3://") && said.contains("experiments shard"), "{said}");
    }
    let (code, said) = outcome(without_settings(&[&SHARD[..7], &["gs://results/run"]].concat()));
    assert!(code == 64 && said.contains("s3://BUCKET/PREFIX"), "{said}");
}

#[test]
fn a_merge_can_take_the_blocks_from_elsewhere() {
    let folder = tempdir().expect("a folder");
    let (blocks, merged, whole) = (folder.path().join("a"), folder.path().join("b"), folder.path().join("c"));
    let shard = ["shard", "sweeps/small.toml", "--index", "0", "--count", "1", "--quiet", "--out"];
    succeed(&[&shard[..], &[argument(&blocks)]].concat());
    let merge = ["merge", "sweeps/small.toml", "--no-plots", "--from", argument(&blocks), "--out", argument(&merged)];
    succeed(&merge);
    small_sweep(&whole, &[]);
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).expect("written");
    assert!(bytes("b/runs.parquet") == bytes("c/runs.parquet"));
    assert!(!merged.join("blocks").exists() && !blocks.join("runs.parquet").exists());
}

#[test]
#[cfg(not(feature = "object-store"))]
fn a_program_without_object_stores_says_how_to_build_one_with_them() {
    let folder = tempdir().expect("a folder");
    let merge = ["merge", "sweeps/small.toml", "--from", "s3://results/run", "--out", argument(folder.path())];
    for (arguments, expected) in [(&SHARD[..], 65), (&MISSING, 2), (&merge, 2)] {
        let (code, said) = outcome(without_settings(arguments));
        assert!(code == expected && said.contains("s3://results/run"), "{code}: {said}");
        assert!(said.contains("cargo build --release -p experiments --features object-store"), "{said}");
    }
}

#[test]
#[cfg(feature = "object-store")]
fn without_credentials_or_with_an_endpoint_that_is_not_encrypted_nothing_is_begun() {
    let (code, said) = outcome(without_settings(&SHARD));
    assert!(code == 65 && said.contains("there are no credentials: set AWS_ACCESS_KEY_ID"), "{code}: {said}");
    for (arguments, expected) in [(&SHARD[..], 65), (&MISSING, 2)] {
        let mut command = without_settings(arguments);
        command.env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "secret");
        command.env("AWS_ENDPOINT_URL", "http://192.0.2.1:9000").env("AWS_ALLOW_HTTP", "true");
        let (code, said) = outcome(command);
        assert!(code == expected && said.contains("begins with https://"), "{code}: {said}");
    }
}

#[test]
fn jobs_whose_blocks_go_into_a_bucket_mount_nothing() {
    let job = |form: &str| -> Value {
        let plan = ["plan", "sweeps/small.toml", "--shards", "4", "--out", "s3://results/run", "--as", form];
        serde_json::from_str(&succeed(&plan)).expect("JSON")
    };
    let command = json!([
        "experiments",
        "shard",
        "sweeps/small.toml",
        "--count",
        "4",
        "--out",
        "s3://results/run",
        "--jobs",
        "1"
    ]);
    let indexed = job("kubernetes");
    let pod = &indexed["spec"]["template"]["spec"];
    let container = &pod["containers"][0];
    assert_eq!(container["command"], command);
    assert!(container["image"].as_str().is_some_and(|image| image.contains("--features object-store")));
    assert!(pod["serviceAccountName"].as_str().is_some_and(|account| account.starts_with("REPLACE")));
    assert!(pod["volumes"].is_null() && container["volumeMounts"].is_null());

    let batch = job("aws-batch");
    let container = &batch["register-job-definition"]["containerProperties"];
    assert_eq!(container["command"], command);
    assert!(container["jobRoleArn"].as_str().is_some_and(|role| role.starts_with("REPLACE")));
    assert!(container["volumes"].is_null() && container["mountPoints"].is_null());
}
