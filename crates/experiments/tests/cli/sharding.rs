//! A sweep in shards: whoever does them, in whatever order and number, the merged files are those of one machine.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::tempdir;

use crate::support::{argument, experiments, small_sweep, table, text};

const TABLES: [&str; 4] = ["runs.parquet", "designs.parquet", "summary.parquet", "front.parquet"];

fn assert_same_tables(one: &Path, other: &Path) {
    for name in TABLES {
        let bytes = |folder: &Path| fs::read(folder.join(name)).expect("written");
        assert!(bytes(one) == bytes(other), "{name} differs");
    }
}

/// A command of a sharded small sweep in `folder`, in an environment without any engine.
fn command(name: &str, folder: &Path, more: &[&str]) -> Command {
    let mut command = experiments(&[&[name, "sweeps/small.toml", "--out", argument(folder)], more].concat());
    for variable in ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "HQ_TASK_ID", "PARALLEL_SEQ"] {
        command.env_remove(variable);
    }
    command
}

/// Its exit code, standard output and standard error.
fn outcome(mut command: Command) -> (i32, String, String) {
    let output = command.output().expect("it starts");
    (output.status.code().expect("it was not killed"), text(&output.stdout), text(&output.stderr))
}

fn shard(folder: &Path, index: &str, count: &str) {
    let (code, _, said) = outcome(command("shard", folder, &["--index", index, "--count", count]));
    assert_eq!(code, 0, "{said}");
}

#[test]
fn any_split_merges_to_the_files_of_one_machine() {
    let folder = tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    small_sweep(&whole, &[]);
    for (count, order) in [(1, vec![0]), (3, vec![2, 0, 1]), (7, vec![6, 5, 4, 3, 2, 1, 0]), (25, (0..25).collect())] {
        let out = folder.path().join(format!("in-{count}"));
        for index in order {
            shard(&out, &index.to_string(), &count.to_string());
        }
        let (code, _, said) = outcome(command("merge", &out, &["--no-plots"]));
        assert_eq!(code, 0, "{count} shards: {said}");
        assert_same_tables(&whole, &out);
    }
}

#[test]
fn shards_of_different_splits_beside_a_plain_run_fit_together() {
    let folder = tempdir().expect("a folder");
    let (whole, mixed) = (folder.path().join("whole"), folder.path().join("mixed"));
    small_sweep(&whole, &[]);
    shard(&mixed, "0", "5");
    shard(&mixed, "2", "3");
    // Done again, as a whole and in part, there is nothing left to do.
    shard(&mixed, "2", "3");
    shard(&mixed, "19", "20");
    small_sweep(&mixed, &[]);
    assert_same_tables(&whole, &mixed);
    let (code, _, said) = outcome(command("merge", &mixed, &["--no-plots"]));
    assert_eq!(code, 0, "{said}");
    assert_same_tables(&whole, &mixed);
}

#[test]
fn what_is_missing_is_said_as_the_engine_wants_it_and_a_partial_merge_has_to_be_wanted() {
    let folder = tempdir().expect("a folder");
    let (whole, out) = (folder.path().join("whole"), folder.path().join("out"));
    let missing = |form: &str| outcome(command("missing", &out, &["--count", "10", "--as", form]));
    assert_eq!(missing("slurm").1, "--array=0-9\n");
    for index in ["0", "1", "2", "4", "8"] {
        shard(&out, index, "10");
    }
    let (code, printed, said) = missing("slurm");
    assert_eq!((code, printed.as_str()), (1, "--array=3,5-7,9\n"), "{said}");
    assert_eq!(missing("list").1, "3\n5\n6\n7\n9\n");
    let json: serde_json::Value = serde_json::from_str(&missing("json").1).expect("JSON");
    assert_eq!(json["shards"], serde_json::json!([3, 5, 6, 7, 9]));

    let (code, _, said) = outcome(command("merge", &out, &["--no-plots"]));
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("10 replications of 20 are missing") && said.contains("6 to 7, 10 to 15, 18 to 19"),
        "{said}"
    );
    assert!(said.contains("experiments missing") && said.contains("--partial"), "{said}");
    assert!(!out.join("runs.parquet").exists());

    // Only what lies before the first gap counts.
    let (code, _, said) = outcome(command("merge", &out, &["--no-plots", "--partial"]));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("the first 6 of 20 replications"), "{said}");
    assert_eq!(table(&out, "runs.parquet").height(), 6 * 40);
    small_sweep(&whole, &["--replications", "6"]);
    assert_same_tables(&whole, &out);

    for index in ["3", "5", "6", "7", "9"] {
        shard(&out, index, "10");
    }
    assert_eq!(missing("slurm").0, 0);
    assert_eq!(outcome(command("merge", &out, &["--no-plots"])).0, 0);
    small_sweep(&whole, &[]);
    assert_same_tables(&whole, &out);
}

#[test]
fn damaged_foreign_and_superfluous_blocks_are_named() {
    let folder = tempdir().expect("a folder");
    let out = folder.path();
    for index in ["0", "1"] {
        shard(out, index, "2");
    }
    let blocks = || {
        let entries = fs::read_dir(out.join("blocks")).expect("listable").map(|entry| entry.expect("listable").path());
        let mut paths: Vec<_> = entries.collect();
        paths.sort();
        paths
    };
    let name = |path: &Path| path.file_name().and_then(|name| name.to_str()).expect("UTF-8").to_owned();
    let first = blocks().remove(0);
    let bytes = fs::read(&first).expect("readable");
    fs::write(&first, &bytes[..bytes.len() - 1]).expect("writable");
    let (code, _, said) = outcome(command("merge", out, &["--no-plots"]));
    assert!(code == 1 && said.contains(&name(&first)) && said.contains("damaged"), "{said}");
    let (code, printed, said) = outcome(command("missing", out, &["--count", "2", "--as", "slurm"]));
    assert!(code == 1 && printed == "--array=0\n" && said.contains(&name(&first)), "{printed}{said}");
    shard(out, "0", "2");
    assert!(fs::read(&first).expect("readable") == bytes, "made again");

    let elsewhere = tempdir().expect("a folder");
    shard(elsewhere.path(), "5", "20");
    let more = fs::read_dir(elsewhere.path().join("blocks")).expect("listable").next().expect("one").expect("listable");
    fs::copy(more.path(), out.join("blocks").join(more.file_name())).expect("writable");
    let (code, _, said) = outcome(command("merge", out, &["--no-plots"]));
    assert!(code == 0 && said.contains("other blocks hold all that is in 1 block"), "{said}");

    let (code, _, said) = outcome(command("shard", out, &["--index", "0", "--count", "2", "--set", "root_seed=3"]));
    assert!(code == 65 && said.contains("`root_seed` is 3 here and 1 there"), "{said}");
    let (code, _, said) = outcome(command("merge", out, &["--set", "root_seed=3"]));
    assert!(code == 2 && said.contains("of another sweep") && said.contains(&name(&blocks()[0])), "{said}");
}

#[test]
fn the_index_comes_from_the_environment_and_exit_codes_say_whether_to_try_again() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out");
    let mut task = command("shard", &out, &["--count", "4"]);
    task.env("SLURM_ARRAY_TASK_ID", "2");
    let (code, _, said) = outcome(task);
    assert!(code == 0 && said.contains("shard 2 of 4: 5 replications"), "{said}");

    let mut torn = command("shard", &out, &["--count", "4"]);
    torn.env("SLURM_ARRAY_TASK_ID", "2").env("PARALLEL_SEQ", "1");
    let (code, _, said) = outcome(torn);
    assert!(code == 64 && said.contains("SLURM_ARRAY_TASK_ID") && said.contains("PARALLEL_SEQ"), "{said}");
    assert_eq!(outcome(command("shard", &out, &[])).0, 64, "no index");
    assert_eq!(outcome(command("shard", &out, &["--indx", "1"])).0, 64, "no such option");
    assert_eq!(outcome(command("shard", &out, &["--index", "0", "--count", "2", "--set", "slts=3"])).0, 65);
    fs::write(folder.path().join("file"), "in the way").expect("writable");
    let blocked = folder.path().join("file/results");
    assert_eq!(outcome(command("shard", &blocked, &["--index", "0", "--count", "2"])).0, 75);
}

#[test]
fn a_plan_is_a_function_of_the_sweep_and_the_number_of_shards() {
    let plan = |more: &[&str]| {
        let output = experiments(&[&["plan", "sweeps/small.toml"], more].concat()).output().expect("it starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let json = plan(&["--shards", "3", "--as", "json"]);
    assert_eq!(json, plan(&["--shards", "3", "--as", "json"]));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["replications"], 20);
    let shards = json["shards"].as_array().expect("a list");
    let ends: Vec<_> = shards.iter().map(|shard| shard["end"].as_u64().expect("a number")).collect();
    assert_eq!(ends, [6, 13, 20]);
    let printed = plan(&["--shards", "2"]);
    assert!(printed.contains("20 replications in 2 shards") && printed.contains("10 to 19"), "{printed}");
}

#[test]
fn jobs_for_kubernetes_and_aws_batch_have_the_form_that_those_expect() {
    let job = |form: &str| -> serde_json::Value {
        let arguments = ["plan", "sweeps/small.toml", "--shards", "40", "--replications", "400", "--as", form];
        let output = experiments(&arguments).output().expect("it starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let command = serde_json::json!([
        "experiments",
        "shard",
        "sweeps/small.toml",
        "--count",
        "40",
        "--out",
        "/results",
        "--jobs",
        "1",
        "--replications",
        "400"
    ]);
    let indexed = job("kubernetes");
    assert_eq!((&indexed["apiVersion"], &indexed["kind"]), (&"batch/v1".into(), &"Job".into()));
    assert_eq!(indexed["metadata"]["name"], "tripcurve-small");
    assert!(indexed["metadata"]["annotations"]["tripcurve/note"].as_str().is_some_and(|note| note.contains("not run")));
    assert_eq!((&indexed["spec"]["completionMode"], &indexed["spec"]["completions"]), (&"Indexed".into(), &40.into()));
    let pod = &indexed["spec"]["template"]["spec"];
    assert_eq!((&pod["restartPolicy"], &pod["containers"][0]["command"]), (&"Never".into(), &command));
    let hopeless = &indexed["spec"]["podFailurePolicy"]["rules"][0];
    assert_eq!(hopeless["onExitCodes"]["containerName"], pod["containers"][0]["name"]);
    assert_eq!(hopeless["onExitCodes"]["values"], serde_json::json!([64, 65]));
    assert_eq!(pod["volumes"][0]["name"], pod["containers"][0]["volumeMounts"][0]["name"]);

    let batch = job("aws-batch");
    assert!(batch["note"].as_str().is_some_and(|note| note.contains("not run")));
    assert_eq!(batch["submit-job"]["arrayProperties"]["size"], 40);
    let definition = &batch["register-job-definition"];
    assert_eq!(batch["submit-job"]["jobDefinition"], definition["jobDefinitionName"]);
    assert_eq!(definition["containerProperties"]["command"], command);
    assert_eq!(definition["retryStrategy"]["evaluateOnExit"][0]["onExitCode"], "64");
    let one = ["plan", "sweeps/small.toml", "--shards", "1", "--as", "aws-batch"];
    assert_eq!(experiments(&one).output().expect("it starts").status.code(), Some(2));
}

#[test]
#[cfg(unix)]
fn a_shard_that_is_terminated_publishes_what_is_finished() {
    use std::time::{Duration, Instant};

    let folder = tempdir().expect("a folder");
    let out = folder.path();
    let more = ["--index", "0", "--count", "2", "--replications", "1000000", "--block", "8"];
    let child = command("shard", out, &more).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let began = Instant::now();
    while fs::read_dir(out.join("blocks")).map_or(0, Iterator::count) < 2 {
        assert!(began.elapsed() < Duration::from_secs(60), "no block appears");
        std::thread::sleep(Duration::from_millis(5));
    }
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill is there");
    assert!(kill.success());
    let output = child.wait_with_output().expect("it ends");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(143), "{said}");
    assert!(said.contains("interrupted with"), "{said}");
    // All that it says it has done is there to be merged.
    let done: u32 = said
        .split("shard 0 of 2: ")
        .nth(1)
        .and_then(|rest| {
            let digits: String =
                rest.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(|c| *c != ',').collect();
            digits.parse().ok()
        })
        .expect("a number");
    let merged = outcome(command("merge", out, &["--no-plots", "--replications", &done.to_string()]));
    assert_eq!(merged.0, 0, "{}", merged.2);
    let whole = tempdir().expect("a folder");
    small_sweep(whole.path(), &["--replications", &done.to_string()]);
    assert_same_tables(whole.path(), out);
}
