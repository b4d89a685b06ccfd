//! Interrupted is not lost: whatever ends a run, the same command does what is missing, and the files are those of a run
//! that nothing ended.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use experiments::blocks::BlockStore;
use experiments::sweep_file;
use tempfile::tempdir;

use crate::support::{argument, experiments, fail, run, small_sweep, succeed, text, workspace};

const TABLES: [&str; 4] = ["runs.parquet", "designs.parquet", "summary.parquet", "front.parquet"];

fn assert_same_tables(one: &Path, other: &Path) {
    for name in TABLES {
        let bytes = |folder: &Path| fs::read(folder.join(name)).expect("written");
        assert!(bytes(one) == bytes(other), "{name} differs");
    }
}

/// The blocks in a folder of results, in order.
fn blocks(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("blocks")).expect("there are blocks");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("listable").path()).collect();
    paths.sort();
    paths
}

fn execution(folder: &Path) -> serde_json::Value {
    let manifest = fs::read_to_string(folder.join("manifest.json")).expect("written");
    serde_json::from_str::<serde_json::Value>(&manifest).expect("JSON")["execution"].take()
}

#[test]
fn the_same_command_again_does_only_what_is_missing() {
    let folder = tempdir().expect("a folder");
    let (whole, pieces) = (folder.path().join("whole"), folder.path().join("pieces"));
    small_sweep(&whole, &[]);
    small_sweep(&pieces, &["--block", "3"]);
    let all = blocks(&pieces);
    assert_eq!(all.len(), 7, "20 replications in threes");
    assert!(all.iter().all(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("UTF-8");
        !name.starts_with("runs") && !name.ends_with(".parquet")
    }));
    let before: Vec<_> = all.iter().map(|path| fs::read(path).expect("readable")).collect();
    for gone in [0, 3, 6] {
        fs::remove_file(&all[gone]).expect("removable");
    }
    fs::remove_file(pieces.join("runs.parquet")).expect("removable");
    let said = small_sweep(&pieces, &["--block", "3", "--plain", "--jobs", "1"]);
    assert!(said.contains("12 replications were taken from blocks"), "{said}");
    assert_eq!(execution(&pieces)["replications_reused"], 12);
    assert_same_tables(&whole, &pieces);
    // The same blocks to the byte, by other threads and without sharing.
    assert_eq!(blocks(&pieces), all);
    assert_eq!(all.iter().map(|path| fs::read(path).expect("readable")).collect::<Vec<_>>(), before);
    assert!(small_sweep(&pieces, &[]).contains("Nothing was simulated"));
    assert_same_tables(&whole, &pieces);
}

#[test]
fn more_replications_only_add() {
    let folder = tempdir().expect("a folder");
    let (whole, grown) = (folder.path().join("whole"), folder.path().join("grown"));
    small_sweep(&whole, &["--replications", "20"]);
    small_sweep(&grown, &["--replications", "5"]);
    let first = fs::read(&blocks(&grown)[0]).expect("readable");
    assert!(small_sweep(&grown, &["--replications", "20"]).contains("5 replications were taken from blocks"));
    assert_same_tables(&whole, &grown);
    assert_eq!(blocks(&grown).len(), 2);
    assert_eq!(fs::read(&blocks(&grown)[0]).expect("kept"), first);
    // Fewer of them are a part of what is there.
    assert!(small_sweep(&grown, &["--replications", "3"]).contains("Nothing was simulated"));
    small_sweep(&whole, &["--replications", "3"]);
    assert_same_tables(&whole, &grown);
}

#[test]
fn a_damaged_block_is_made_again() {
    let folder = tempdir().expect("a folder");
    let (whole, hurt) = (folder.path().join("whole"), folder.path().join("hurt"));
    small_sweep(&whole, &[]);
    small_sweep(&hurt, &["--block", "4"]);
    let all = blocks(&hurt);
    let mut bytes = fs::read(&all[1]).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&all[1], &bytes).expect("writable");
    fs::write(&all[2], "").expect("writable");
    fs::write(&all[4], &fs::read(&all[4]).expect("readable")[..100]).expect("writable");
    let output = run(&["sweeps/small.toml", "--no-plots", "--block", "4", "--out", argument(&hurt)]);
    let said = text(&output.stderr);
    assert!(output.status.success() && said.matches("is damaged").count() == 3, "{said}");
    assert_eq!(execution(&hurt)["replications_reused"], 8);
    assert_same_tables(&whole, &hurt);
}

#[test]
#[cfg(unix)]
fn links_and_folders_in_the_place_of_blocks_are_not_followed() {
    let folder = tempdir().expect("a folder");
    let (whole, odd) = (folder.path().join("whole"), folder.path().join("odd"));
    small_sweep(&whole, &[]);
    small_sweep(&odd, &["--block", "4"]);
    let all = blocks(&odd);
    let outside = folder.path().join("outside");
    fs::rename(&all[1], &outside).expect("movable");
    std::os::unix::fs::symlink(&outside, &all[1]).expect("linkable");
    let before = fs::read(&outside).expect("readable");
    let named = odd.join("blocks").join("..\n-0000000000-0000000001.block");
    fs::write(&named, "a name with a line break").expect("writable");
    small_sweep(&odd, &["--block", "4"]);
    assert_eq!(execution(&odd)["replications_reused"], 16);
    assert!(fs::symlink_metadata(&all[1]).expect("there").is_file(), "the block itself took the place of the link");
    assert!(fs::read(&outside).expect("readable") == before && named.exists());
    assert_same_tables(&whole, &odd);

    fs::remove_file(&all[2]).expect("removable");
    fs::create_dir(&all[2]).expect("creatable");
    let said = fail(&["sweeps/small.toml", "--no-plots", "--block", "4", "--out", argument(&odd)], 1);
    assert!(said.contains(all[2].file_name().and_then(|name| name.to_str()).expect("UTF-8")), "{said}");
}

#[test]
fn another_sweep_does_not_mix_with_unfinished_work() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    small_sweep(&out, &["--block", "4"]);
    // As after a kill: blocks, and no table.
    fs::remove_file(out.join("manifest.json")).expect("removable");
    let before = blocks(&out);
    for (change, said) in [
        ("root_seed=2", "`root_seed` is 2 here and 1 there"),
        ("scenario.slots=31", "`scenario.slots` is 31 here and 32 there"),
    ] {
        let refused = fail(&["sweeps/small.toml", "--no-plots", "--out", argument(&out), "--set", change], 2);
        assert!(refused.contains(said) && refused.contains("20 replications"), "{refused}");
        assert!(refused.contains("--replace") && refused.contains("--out DIR"), "{refused}");
        assert_eq!(blocks(&out), before, "nothing is lost");
    }
    let fresh = folder.path().join("fresh");
    small_sweep(&fresh, &["--set", "root_seed=2"]);
    small_sweep(&out, &["--set", "root_seed=2", "--replace"]);
    assert_same_tables(&fresh, &out);
    assert_eq!(blocks(&out).len(), 1, "the other sweep's blocks are gone");
}

#[test]
fn finished_results_of_another_sweep_are_kept_once() {
    let folder = tempdir().expect("a folder");
    let (out, previous) = (folder.path().join("results"), folder.path().join("results/previous"));
    let sweep = |change: &str, more: &[&str]| {
        let arguments = ["sweeps/small.toml", "--out", argument(&out), "--set", change];
        let few: &[&str] = if more.contains(&"--replications") { &[] } else { &["--replications", "2"] };
        let output = run(&[&arguments[..], few, more].concat());
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        said
    };
    let alone = |change: &str| {
        let fresh = folder.path().join(change);
        small_sweep(&fresh, &["--replications", "2", "--set", change]);
        fresh
    };
    sweep("root_seed=1", &["--replications", "1"]);
    // More replications are no other sweep.
    assert!(!sweep("root_seed=1", &[]).contains("another sweep"));
    assert!(!previous.exists());

    // A table that only some sweeps have.
    fs::write(out.join("membership.parquet"), "of the first").expect("writable");
    let said = sweep("root_seed=2", &[]);
    assert!(previous.join("membership.parquet").is_file() && !out.join("membership.parquet").exists());
    assert!(said.contains("`root_seed` is 2 here and 1 there") && said.contains("kept in"), "{said}");
    assert!(said.contains("another name") && said.contains("--out DIR") && !said.contains("in place of"), "{said}");
    assert_same_tables(&alone("root_seed=1"), &previous);
    assert_same_tables(&alone("root_seed=2"), &out);
    assert!(blocks(&previous).len() == 2 && blocks(&out).len() == 1);
    assert!(previous.join("plots").is_dir() && previous.join("manifest.json").is_file());
    assert!(succeed(&["verify", argument(&previous)]).contains("every column is as it was"));

    // A third one takes the place of the first, also without blocks; what others put there stays.
    fs::write(previous.join("notes.txt"), "mine").expect("writable");
    let said = sweep("root_seed=3", &["--discard-blocks", "--no-plots"]);
    assert!(said.contains("in place of those there"), "{said}");
    assert_same_tables(&alone("root_seed=2"), &previous);
    assert_eq!(blocks(&previous).len(), 1);
    let said = sweep("root_seed=4", &["--no-plots"]);
    assert!(said.contains("`root_seed` is 4 here and 3 there"), "{said}");
    assert_same_tables(&alone("root_seed=3"), &previous);
    assert!(!previous.join("plots/detection.svg").exists() && previous.join("notes.txt").is_file());

    // Whoever wants to throw results away can.
    let said = sweep("root_seed=5", &["--replace"]);
    assert!(said.contains("will be replaced"), "{said}");
    assert_same_tables(&alone("root_seed=3"), &previous);
    assert_same_tables(&alone("root_seed=5"), &out);
}

#[test]
fn more_replications_than_the_tables_have_are_finished_work_too() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    let sweep =
        |folder: &Path, replications: &str| small_sweep(folder, &["--block", "2", "--replications", replications]);
    sweep(&out, "5");
    sweep(&out, "2");
    assert_eq!((blocks(&out).len(), execution(&out)["replications_done"].as_u64()), (3, Some(2)));

    // As after more that were killed: a block of no result.
    let more = folder.path().join("more");
    sweep(&more, "8");
    let last = &blocks(&more)[3];
    let unfinished = out.join("blocks").join(last.file_name().expect("a name"));
    fs::copy(last, &unfinished).expect("writable");
    let other = ["sweeps/small.toml", "--no-plots", "--out", argument(&out), "--set", "root_seed=2"];
    let refused = fail(&other, 2);
    assert!(refused.contains("unfinished work of another sweep, 2 replications"), "{refused}");
    fs::remove_file(&unfinished).expect("removable");

    let said = text(&run(&other).stderr);
    assert!(said.contains("holds the results of another sweep") && said.contains("kept in"), "{said}");
    assert_eq!(blocks(&out.join("previous")).len(), 3);
    assert!(succeed(&["verify", argument(&out.join("previous"))]).contains("every column is as it was"));
}

#[test]
#[cfg(unix)]
fn earlier_results_do_not_follow_a_link() {
    let folder = tempdir().expect("a folder");
    let (out, elsewhere) = (folder.path().join("results"), folder.path().join("elsewhere"));
    small_sweep(&out, &["--replications", "2"]);
    fs::create_dir(&elsewhere).expect("a folder");
    std::os::unix::fs::symlink(&elsewhere, out.join("previous")).expect("a link");
    let before = fs::read(out.join("runs.parquet")).expect("written");
    let other = ["sweeps/small.toml", "--no-plots", "--out", argument(&out), "--set", "root_seed=2"];
    let said = fail(&other, 1);
    assert!(said.contains("previous") && said.contains("no folder") && said.contains("--replace"), "{said}");
    assert!(fs::read(out.join("runs.parquet")).expect("kept") == before);
    assert_eq!(fs::read_dir(&elsewhere).expect("listable").count(), 0);
}

#[test]
fn blocks_can_be_discarded() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--discard-blocks"]);
    assert!(!folder.path().join("blocks").exists());
    assert!(folder.path().join("runs.parquet").exists());
}

/// Uniform in [0, 1), the same numbers every time.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// One design, and enough of it that a run takes about as long as the program takes to start.
const CHEAP: [&str; 6] = ["--set", "scenario.horizon=3s", "--replications", "24", "--block", "1"];

#[test]
fn killed_at_100_random_moments_nothing_finished_is_lost_and_nothing_half_written_is_read() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("cheap.toml");
    fs::write(&file, "[[rule]]\nkind = \"consecutive\"\nthreshold = 3\nopen_for = \"1s\"\n").expect("writable");
    let arguments = |out: &Path| -> Vec<String> {
        let head = [argument(&file), "--no-plots", "--jobs", "1", "--out", argument(out)];
        head.into_iter().chain(CHEAP).map(str::to_owned).collect()
    };
    let start = |out: &Path| {
        let arguments = arguments(out);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        experiments(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
    };
    let whole = folder.path().join("whole");
    let began = std::time::Instant::now();
    assert!(start(&whole).wait().expect("it ends").success());
    let usual = began.elapsed();
    let sweep = sweep_file::load(&file, &["scenario.horizon=3s".to_owned()], Some(24)).expect("a sweep");

    let (mut seed, mut number, mut found) = (7, 0, 0);
    let results = |number: u32| folder.path().join(format!("results-{number}"));
    for _ in 0..100 {
        let out = results(number);
        let mut child = start(&out);
        std::thread::sleep(usual.mul_f64(1.1 * uniform(&mut seed)));
        // `kill` is SIGKILL; a child that has ended already is none the worse for it.
        child.kill().expect("killable");
        let ended = child.wait().expect("it ends").success();
        let store = BlockStore::new(&out, &sweep);
        let there = store.list().expect("listable").own;
        let kept = u32::try_from(there.len()).expect("few");
        assert!(kept >= found, "a finished block was lost");
        found = kept;
        for range in there {
            store.read(&range).expect("what has a block's name is a whole block");
        }
        if ended {
            assert_same_tables(&whole, &out);
            (number, found) = (number + 1, 0);
        } else if out.join("runs.parquet").exists() {
            assert!(
                fs::read(out.join("runs.parquet")).expect("readable")
                    == fs::read(whole.join("runs.parquet")).expect("readable")
            );
        }
    }
    let out = results(number);
    assert!(start(&out).wait().expect("it ends").success());
    assert_same_tables(&whole, &out);
    let names: Vec<PathBuf> = blocks(&out);
    assert!(names.iter().all(|path| path.extension().is_some_and(|extension| extension == "block")), "{names:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_fills_up_costs_the_block_under_way() {
    use std::process::Command;

    let folder = tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    small_sweep(&whole, &[]);
    let largest = fs::metadata(whole.join("runs.parquet")).expect("written").len().div_ceil(1024);
    for kibibytes in [0, 1, 4, 16, largest - 1] {
        let out = folder.path().join(format!("limit-{kibibytes}"));
        // A limit on the size of a file fails its write as a full disk does, once the signal that announces it is ignored.
        let limited = format!(
            "trap '' XFSZ; ulimit -f {kibibytes}; exec '{}' sweeps/small.toml --no-plots --block 2 --out '{}'",
            env!("CARGO_BIN_EXE_experiments"),
            argument(&out)
        );
        let output =
            Command::new("bash").args(["-c", &limited]).current_dir(workspace()).output().expect("bash is there");
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{kibibytes} KiB: {said}");
        assert!(said.contains("run the same command again"), "{said}");
        assert!(!out.join("runs.parquet").exists(), "{kibibytes} KiB: a table was published");
        let kept = blocks(&out).len();
        let said = small_sweep(&out, &["--block", "2"]);
        assert_eq!(execution(&out)["replications_reused"], 2 * kept, "{said}");
        assert_same_tables(&whole, &out);
    }
}

#[test]
#[cfg(unix)]
fn a_folder_that_vanishes_or_is_closed_is_named() {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, Instant};

    let folder = tempdir().expect("a folder");
    let out = folder.path().join("results");
    let endless =
        ["sweeps/small.toml", "--replications", "1000000", "--no-plots", "--block", "1", "--out", argument(&out)];
    let child = experiments(&endless).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let began = Instant::now();
    while !out.join("blocks").exists() || blocks(&out).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "no block appears");
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::rename(&out, folder.path().join("elsewhere")).expect("renamable");
    let output = child.wait_with_output().expect("it ends");
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("results/blocks") && said.contains("run the same command again"), "{said}");

    // For root every folder is open.
    let closed = folder.path().join("closed");
    fs::create_dir(&closed).expect("creatable");
    fs::set_permissions(&closed, PermissionsExt::from_mode(0o555)).expect("settable");
    if fs::write(closed.join("probe"), "").is_err() {
        let said = fail(&["sweeps/small.toml", "--no-plots", "--out", argument(&closed)], 1);
        assert!(said.contains("cannot") && said.contains("closed"), "{said}");
    }
    succeed(&["sweeps/small.toml", "--dry-run", "--out", argument(&closed)]);
}
