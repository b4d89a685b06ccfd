//! Results that are checked, foretold and watched.

use std::fs::{self, File};

use polars::prelude::{IntoColumn, NamedFrom, ParquetWriter, Series};
use tempfile::tempdir;

use crate::support::{argument, fail, run, small_sweep, succeed, table, text};

#[test]
fn rows_simulated_again_are_the_rows_of_the_file() {
    let folder = tempdir().expect("a folder");
    let out = argument(folder.path());
    small_sweep(folder.path(), &["--replications", "3", "--set", "root_seed=18446744073709551615"]);
    assert!(succeed(&["verify", out]).contains("20 rows of 120 simulated again: every column is as it was"));
    assert!(succeed(&["verify", out, "--rows", "1000"]).contains("120 rows of 120"));
}

#[test]
fn a_changed_value_is_found_and_named() {
    let folder = tempdir().expect("a folder");
    let out = argument(folder.path());
    small_sweep(folder.path(), &["--replications", "2"]);
    let mut runs = table(folder.path(), "runs.parquet");
    let mut calls: Vec<u64> =
        runs.column("calls").expect("a column").u64().expect("counts").into_no_null_iter().collect();
    calls[33] += 1;
    runs.with_column(Series::new("calls".into(), calls).into_column()).expect("the same length");
    let file = File::create(folder.path().join("runs.parquet")).expect("writable");
    ParquetWriter::new(file).finish(&mut runs).expect("writable");
    let output = run(&["verify", out, "--rows", "80"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("row 33 (design 3, mode down, replication 0): `calls` is"), "{said}");
    assert!(said.contains("1 row is not as it was"), "{said}");

    fs::remove_file(folder.path().join("manifest.json")).expect("removable");
    assert!(fail(&["verify", out], 2).contains("manifest.json"));
}

#[test]
fn a_dry_run_foretells_the_size_of_the_file_within_a_fifth() {
    let folder = tempdir().expect("a folder");
    for (name, replications) in [("few", "10"), ("some", "150"), ("many", "3500")] {
        let out = folder.path().join(name);
        // The third has two row groups.
        let more = ["--replications", replications, "--set", "scenario.horizon=4s"];
        let said = small_sweep(&out, &[&more[..], &["--dry-run"]].concat());
        let bytes_after = |words: &str| -> f64 {
            let rest = said.split(words).nth(1).unwrap_or_else(|| panic!("no \"{words}\" in {said}"));
            let digits: String =
                rest.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(|c| *c != ',').collect();
            digits.parse().expect("a number")
        };
        let foretold = [bytes_after("runs.parquet: about "), bytes_after("and about ")];
        small_sweep(&out, &more);
        let size = |path: &std::path::Path| fs::metadata(path).expect("written").len() as f64;
        let blocks =
            fs::read_dir(out.join("blocks")).expect("listable").map(|entry| size(&entry.expect("listable").path()));
        for (foretold, actual) in foretold.into_iter().zip([size(&out.join("runs.parquet")), blocks.sum()]) {
            assert!((foretold / actual - 1.0).abs() < 0.2, "{name}: {foretold} bytes were foretold, {actual} came");
        }
    }
}

#[test]
fn progress_can_be_read_by_machines() {
    let folder = tempdir().expect("a folder");
    let arguments =
        ["sweeps/small.toml", "--quiet", "--no-plots", "--progress", "json", "--out", argument(folder.path())];
    let output = run(&arguments);
    assert!(output.status.success() && output.stdout.is_empty());
    let said = text(&output.stderr);
    let lines: Vec<serde_json::Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lines[0]["event"], &lines[0]["replications_done"]), (&"progress".into(), &0.into()));
    let last = lines.last().expect("a line");
    assert_eq!((&last["event"], &last["replications_done"]), (&"finished".into(), &20.into()));
    assert!(last["requests"].as_u64() > Some(0) && last["elapsed_s"].as_f64() > Some(0.0));
}

#[test]
fn a_manifest_of_any_content_is_read_or_refused() {
    use experiments::cli::VerifyArgs;
    use experiments::commands::verify;
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};

    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--replications", "2"]);
    let path = folder.path().join("manifest.json");
    let manifest = fs::read(&path).expect("written");
    let args = VerifyArgs { results: folder.path().to_owned(), rows: 1, seed: 1 };
    let changes = proptest::collection::vec(
        (any::<u16>(), proptest::sample::select(b"0123456789eE.-+\"{}[],: nul\0".to_vec())),
        1..4,
    );
    let mut runner = TestRunner::new(Config { cases: 400, failure_persistence: None, ..Config::default() });
    runner
        .run(&(changes, any::<bool>(), any::<u16>()), |(changes, cut, end)| {
            let mut text = manifest.clone();
            for (position, byte) in changes {
                let position = usize::from(position) % text.len();
                text[position] = byte;
            }
            if cut {
                text.truncate(usize::from(end) % text.len());
            }
            fs::write(&path, &text).expect("writable");
            // A refusal is a sentence; anything but a panic will do otherwise.
            if let Err(failure) = verify::run(&args, &mut Vec::new()) {
                prop_assert!(failure.to_string().len() > 20);
            }
            Ok(())
        })
        .expect("no manifest is too odd");
}

#[test]
fn tables_of_any_content_are_read_or_refused() {
    use experiments::cli::VerifyArgs;
    use experiments::commands::{compare, verify};
    use experiments::recorded::Recorded;
    use proptest::prelude::*;
    use proptest::sample::Index;
    use proptest::test_runner::{Config, TestRunner};

    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--replications", "2"]);
    let reference = crate::support::workspace().join("sweeps/reference.txt");
    let args = VerifyArgs { results: folder.path().to_owned(), rows: 3, seed: 1 };
    let names = ["runs.parquet", "designs.parquet", "front.parquet"];
    let whole = names.map(|name| fs::read(folder.path().join(name)).expect("written"));
    let changes = proptest::collection::vec((any::<Index>(), any::<u8>()), 1..4);
    let case = (0..names.len(), any::<bool>(), changes, proptest::option::weighted(0.2, any::<Index>()));
    let mut runner = TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
    runner
        .run(&case, |(table, in_the_footer, changes, end)| {
            let mut bytes = whole[table].clone();
            // A footer's length stands before the last four bytes.
            let length = bytes.len() - 8;
            let footer = u32::from_le_bytes(bytes[length..length + 4].try_into().expect("four bytes")) as usize + 8;
            let from = if in_the_footer { bytes.len() - footer } else { 0 };
            for (at, byte) in changes {
                let at = from + at.index(bytes.len() - from);
                bytes[at] = byte;
            }
            if let Some(end) = end {
                bytes.truncate(end.index(bytes.len()));
            }
            fs::write(folder.path().join(names[table]), &bytes).expect("writable");
            // A refusal is a sentence; anything but a panic will do otherwise.
            let mut refusals = vec![
                verify::run(&args, &mut Vec::new()).err(),
                compare::run(folder.path(), &reference, &mut Vec::new()).err(),
            ];
            match Recorded::open(folder.path()) {
                Ok(recorded) => refusals.push(recorded.row(0, 0, 0).err()),
                Err(refusal) => refusals.push(Some(refusal)),
            }
            for refusal in refusals.into_iter().flatten() {
                prop_assert!(refusal.to_string().len() > 20);
            }
            fs::write(folder.path().join(names[table]), &whole[table]).expect("writable");
            Ok(())
        })
        .expect("no table is too odd");
}

#[test]
fn a_damaged_table_is_one_sentence_on_the_terminal() {
    let folder = tempdir().expect("a folder");
    small_sweep(folder.path(), &["--replications", "2"]);
    let path = folder.path().join("runs.parquet");
    let whole = fs::read(&path).expect("written");
    for position in (1..10).map(|tenth| whole.len() * tenth / 10) {
        let mut bytes = whole.clone();
        bytes[position..(position + 40).min(whole.len())].fill(0xff);
        fs::write(&path, &bytes).expect("writable");
        let output = run(&["verify", argument(folder.path()), "--rows", "80"]);
        let said = text(&output.stderr);
        assert!(matches!(output.status.code(), Some(0..=2)), "{said}");
        assert!(!said.contains("panicked") && said.lines().count() <= 1, "{said}");
    }
}
