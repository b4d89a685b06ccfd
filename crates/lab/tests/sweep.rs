//! Runs of a finished sweep, played again: every column of every row comes out as the sweep wrote it.

use std::fs;
use std::path::{Path, PathBuf};

use experiments::cli::{ProgressForm, RunArgs};
use experiments::commands::{self, Outcome};
use lab::sweep::{OpenSweep, Point};
use serde_json::{Value, json};

/// Every kind of rule, regime and law that could be lost between the file and the replay, and a seed beyond TOML's numbers.
const SWEEP: &str = r#"
name = "replayed"
root_seed = 18446744073709551557
replications = 3
modes = ["healthy", "down", "brownout"]

[scenario]
slots = 6
horizon = { after_fault = "2s" }
warm_up = "300ms"
fault_at = { uniform = ["500ms", "900ms"] }
rejection_hold = "10ms"

[scenario.dependency]
arrivals = { kind = "bursty", quiet_rate = "40/s", burst_rate = "333.3/s", mean_quiet = "400ms", mean_burst = "70ms" }

[scenario.neighbour]
arrivals = { kind = "even", rate = "61.7/s" }
hold = { kind = "lognormal", median = "30ms", sigma = 0.7000000000000001 }

[[mode]]
name = "brownout"
[[mode.regime]]
at = "0s"
regime = "healthy"
[[mode.regime]]
at = "fault"
name = "brown"
failure_probability = 0.30000000000000004
opening = "false"
success_hold = { kind = "exponential", mean = "80ms" }
failure_hold = { kind = "weibull", scale = "120ms", shape = 0.9 }
[[mode.regime]]
at = "fault + 800ms"
regime = "healthy"

[[rule]]
kind = "none"

[[rule]]
kind = "consecutive"
threshold = [1, 4]
open_for = "250ms"
half_open_permits = [1, 2]

[[rule]]
kind = "ratio"
window = [5, 150]
threshold = [0.1, 0.2, 0.6000000000000001]
open_for = "333333333ns"
"#;

/// Runs the sweep into a folder of its own.
fn swept(name: &str, overrides: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("replayed.toml");
    fs::write(&file, SWEEP).expect("a file");
    let args = RunArgs {
        sweep: file,
        overrides: overrides.iter().map(|&key_value| key_value.to_owned()).collect(),
        replications: None,
        jobs: 1,
        plain: false,
        out: Some(folder.clone()),
        block: None,
        discard_blocks: false,
        replace: false,
        dry_run: false,
        quiet: true,
        progress: ProgressForm::None,
        no_plots: true,
    };
    assert_eq!(commands::sweep::run(&args).expect("a sweep"), Outcome::Done);
    folder
}

#[test]
fn a_run_of_the_richer_world_is_refused_with_the_way_to_see_it() {
    let sweep = OpenSweep::open(&swept("richer_world", &["scenario.time_out=100ms"])).expect("results");
    let refusal = sweep.replay(Point { design: 0, mode: 0, replication: 0 }).expect_err("a refusal");
    assert!(refusal.sentence.contains("`experiments trace`"), "{refusal:?}");
}

#[test]
fn every_point_is_replayed_as_the_sweep_ran_it() {
    let folder = swept("every_point", &[]);
    let sweep = OpenSweep::open(&folder).expect("results");
    let listing = sweep.listing();
    let designs = listing["designs"].as_array().expect("designs").len() as u32;
    assert_eq!((designs, &listing["replications"]), (11, &json!(3)));
    let mut openings = 0;
    for replication in 0..3 {
        for mode in 0..3 {
            for design in 0..designs {
                let replay = sweep.replay(Point { design, mode, replication }).expect("a replay");
                assert!(replay.comparison.all_equal, "{:?}", replay.comparison);
                assert_eq!(replay.comparison.columns.len(), 4 + experiments::columns::COLUMNS.len());
                assert!(replay.history.conservation.holds);
                openings += replay.history.transitions.len();
            }
        }
    }
    assert!(openings > 100, "{openings} transitions are too few to show anything");
}

#[test]
fn the_listing_names_designs_modes_and_fronts() {
    let folder = swept("listing", &[]);
    let sweep = OpenSweep::open(&folder).expect("results");
    let listing = sweep.listing();
    assert_eq!(sweep.name(), "replayed");
    assert_eq!(listing["root_seed"], json!(18_446_744_073_709_551_557_u64));
    assert_eq!(listing["modes"][1], json!({"name": "down", "opening": "right"}));
    assert_eq!(listing["designs"][1]["label"], json!("consecutive 1, open 250ms"));
    // 0.1 and 0.2 of a window of 5 are the same rule.
    assert_eq!(listing["designs"][6]["equivalent_to"], json!(5));
    let families = listing["families"].as_array().expect("families");
    let family = |rule: &str| families.iter().find(|family| family["rule"] == json!(rule)).expect("a family");
    assert_eq!(family("consecutive")["colour"], json!("#0072b2"), "as in the figures");
    assert!(family("ratio")["path"].as_str().is_some_and(|path| path.starts_with('M')));
    let fronts = listing["fronts"].as_array().expect("fronts");
    // Three themes, one right mode, two false ones.
    assert_eq!(fronts.len(), 6);
    for front in fronts {
        let points = front["points"].as_array().expect("points");
        assert!(points.iter().any(|point| point["on_overall_front"] == json!(true)), "{front}");
        assert!(points.iter().all(|point| point["x"].is_number() && point["label"].is_string()), "{front}");
    }
    let read = |body: &Value| sweep.read(body);
    assert_eq!(read(&json!({"design": 3, "mode": "brownout"})), Ok(Point { design: 3, mode: 2, replication: 0 }));
    for (body, part) in [
        (json!({}), "`design` is missing: give the number of a design, 0 to 10."),
        (json!({"design": 11}), "`design` is 11: give a whole number from 0 to 10."),
        (json!({"design": 0, "mode": "brown"}), "did you mean \"brownout\"?"),
        (
            json!({"design": 0, "mode": "down", "replication": 3}),
            "`replication` is 3: give a whole number from 0 to 2.",
        ),
    ] {
        let error = read(&body).expect_err("wrong");
        assert!(error.sentence.contains(part), "{error}");
    }
}

#[test]
fn what_is_no_result_is_refused_with_a_sentence() {
    let folder = swept("refused", &["replications=1"]);
    let sweep = OpenSweep::open(&folder).expect("results");
    let sentence = || match sweep.replay(Point { design: 0, mode: 0, replication: 0 }) {
        Ok(replay) => format!("a replay, {}", replay.comparison.all_equal),
        Err(refusal) => refusal.sentence,
    };
    assert_eq!(sentence(), "a replay, true");
    // Results that are replaced while the lab is open are not mixed up with the earlier ones.
    let other = swept("refused_other", &["replications=1", "root_seed=1"]);
    fs::copy(other.join("runs.parquet"), folder.join("runs.parquet")).expect("replaced");
    assert!(sentence().contains("has been replaced by other results: open the folder again"), "{}", sentence());
    fs::write(folder.join("runs.parquet"), "no table").expect("replaced");
    assert!(sentence().contains("cannot read"), "{}", sentence());
    let missing = OpenSweep::open(&folder.join("nothing")).map(|_| ()).map_err(|failure| failure.to_string());
    assert!(missing.is_err_and(|sentence| sentence.contains("runs.parquet") && sentence.contains("a finished sweep")));
}
