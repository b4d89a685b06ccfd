//! The sweeps of the repository and the examples of the documentation are right.

use std::fs;

use experiments::sweep_file::{load, parse};
use scenario::{FaultAt, Horizon, Start};

use crate::repository_file;

#[test]
fn every_sweep_of_the_repository_can_be_read() {
    let mut read = 0;
    for entry in fs::read_dir(repository_file("sweeps")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let sweep = load(&path, &[], None).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(path.file_stem().unwrap().to_str(), Some(&*sweep.name), "a sweep is named after its file");
            read += 1;
        }
    }
    assert!(read >= 4, "{read} sweeps");
}

#[test]
fn every_example_of_the_documentation_can_be_read() {
    let page = fs::read_to_string(repository_file("docs/sweep-files.md")).unwrap();
    let blocks: Vec<_> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    for block in &blocks {
        parse("example.toml", block, &[], None).unwrap_or_else(|error| panic!("{error}\nin\n{block}"));
    }
    assert!(blocks.len() >= 6, "{} examples", blocks.len());
}

#[test]
fn the_documentation_names_every_key() {
    let page = fs::read_to_string(repository_file("docs/sweep-files.md")).unwrap();
    let unknown = |text: &str| parse("my.toml", text, &[], None).unwrap_err().to_string();
    let texts = [
        "zzzz = 1",
        "race = { zzzz = 1 }",
        "replications = { zzzz = 1 }",
        "replications = { precision = { zzzz = 1 } }",
        "[scenario]\nzzzz = 1",
        "[scenario]\nregimes.healthy.zzzz = 1",
        "[scenario]\nneighbour.hold = { kind = \"zzzz\" }",
        "[scenario]\nneighbour.arrivals = { kind = \"zzzz\" }",
        "[scenario]\ndependency.arrivals = { kind = \"bursty\", zzzz = 1 }",
        "[[mode]]\nregime = [{ at = \"0s\", regime = \"down\", zzzz = 1 }]",
        "[[rule]]\nkind = \"ratio\"\nzzzz = 1",
        "[scenario]\ncallers = { zzzz = 1 }",
        "[scenario]\nretries = { zzzz = 1 }",
        "[scenario]\nretries = { attempts = 2, delay = \"1s\", budget = { zzzz = 1 } }",
        "[scenario]\nfallback = { zzzz = 1 }",
        "[scenario]\nrate_limit = { zzzz = 1 }",
        "[scenario]\nload = { zzzz = 1 }",
        "[scenario]\nclock_steps = [{ zzzz = 1 }]",
        "[scenario]\nregimes.healthy.slow = { zzzz = 1 }",
        "[scenario]\nregimes.healthy.ramp = { zzzz = 1 }",
        "[[rule]]\nkind = \"ratio\"\nthreshold = { zzzz = 1 }",
        "[analysis]\nzzzz = 1",
        "[analysis.front]\nzzzz = 1",
        "[[rule]]\nkind = \"none\"\n[sensitivity]\nzzzz = 1",
        "[[rule]]\nkind = \"ratio\"\nwindow = 5\nthreshold = 0.5\nopen_for = \"1s\"\n[sensitivity.factors]\nwindow = { zzzz = 1, to = 2 }",
    ];
    for text in texts {
        let said = unknown(text);
        let (_, known) = said.split_once("zzzz").expect("it is not known");
        let line = known.lines().next().unwrap();
        let known = line.strip_prefix('`').unwrap_or(line).split('`').skip(1).step_by(2);
        assert!(known.clone().count() > 0, "{said}");
        for key in known {
            let named =
                [format!("`{key}`"), format!("`{key}."), format!(".{key}`"), format!("{key} = "), format!("[{key}")];
            assert!(named.iter().any(|name| page.contains(name)), "docs/sweep-files.md does not name `{key}`");
        }
    }
}

#[test]
fn the_tuning_sweep_is_a_careful_one() {
    let sweep = load(&repository_file("sweeps/tuning.toml"), &[], None).unwrap();
    let longest = sweep.designs.iter().filter_map(|design| design.rule.open_for()).max().unwrap();
    assert!(sweep.scenario.warm_up.as_nanos() >= 2 * longest.as_nanos());
    let FaultAt::Uniform { from, to } = sweep.scenario.fault_at else { panic!("a fixed fault aliases") };
    assert!((to - from).as_nanos() >= longest.as_nanos(), "every phase of the longest open duration can be met");
    let Horizon::AfterFault(after) = sweep.scenario.horizon else { panic!("every run sees as much of the fault") };
    assert!(after.as_nanos() >= 3 * longest.as_nanos());
    assert!(
        sweep
            .modes
            .iter()
            .all(|mode| matches!(mode.timeline.last(), Some((Start::AfterFault(heal), _)) if *heal < after))
    );
}

#[test]
fn the_dense_sweep_is_the_main_job_on_a_finer_grid() {
    let dense = load(&repository_file("sweeps/dense.toml"), &[], None).unwrap();
    let main = load(&repository_file("sweep.toml"), &[], None).unwrap();
    assert_eq!((&dense.scenario, &dense.modes), (&main.scenario, &main.modes));
    assert_eq!((dense.designs.len(), dense.distinct_designs()), (5_721, 5_171));
}

#[test]
fn the_reference_sweep_is_the_default_world() {
    let reference = load(&repository_file("sweeps/reference.toml"), &[], None).unwrap();
    let main = load(&repository_file("sweep.toml"), &[], None).unwrap();
    assert_eq!((&reference.scenario, &reference.modes), (&main.scenario, &main.modes));
    let rules: Vec<_> = reference.designs.iter().map(|design| design.rule.to_string()).collect();
    assert_eq!(rules, ["consecutive 5, open 1s", "ratio 0.5 of 20, open 1s", "ratio 0.1 of 20, open 1s"]);
    assert_eq!(reference.replications, 2_000);
}
