//! Comparing a sweep with another program's figures.

use std::fs;

use tempfile::tempdir;

use crate::support::{argument, fail, run, succeed, text};

const FIGURES: &str = "\
# 4,000 replications
ratio 0.10/20 healthy detected DETECTED delay_rounds 174.777±2.330 slot_rounds 960.789±13.482 opens 4.3505±0.0180 \
rejected 430.021±1.823 valid_rejected VALID±1.778 tracking_no_slot 45.897±0.223
";

#[test]
fn agreement_disagreement_and_nonsense() {
    let folder = tempdir().expect("a folder");
    let results = folder.path().join("results");
    let only_this =
        ["--set", "modes=[\"healthy\"]", "--set", "rule=[{kind=\"ratio\",window=20,threshold=0.1,open_for=\"1s\"}]"];
    let mut arguments =
        vec!["sweeps/reference.toml", "--replications", "200", "--no-plots", "--out", argument(&results)];
    arguments.extend(only_this);
    succeed(&arguments);

    let reference = folder.path().join("figures.txt");
    let compare = |detected: &str, valid: &str| {
        fs::write(&reference, FIGURES.replace("DETECTED", detected).replace("VALID", valid)).expect("writable");
        run(&["compare", argument(&results), argument(&reference)])
    };
    let agreed = compare("0.9985", "419.274");
    assert!(agreed.status.success(), "{}", text(&agreed.stdout));
    assert!(text(&agreed.stdout).contains("7 figures compared, 0 left out, 0 disagree"), "{}", text(&agreed.stdout));

    // 200 of 200 runs detected against 90 % of 4,000; 419 rejections against 500 with joint standard errors of about 8.
    let disagreed = compare("0.9000", "500.000");
    assert_eq!(disagreed.status.code(), Some(1));
    assert!(text(&disagreed.stdout).contains("2 disagree"), "{}", text(&disagreed.stdout));

    for (figures, line) in [
        ("# 4,000 replications\nratio 0.10/20 healthy detected lots\n", "figures.txt:2:"),
        ("# 4,000 replications\n", "figures.txt:1:"),
        (&FIGURES.replace("4,000", "0").replace("DETECTED", "1").replace("VALID", "1"), "figures.txt:1:"),
        (&FIGURES.replace("DETECTED", "1.5"), "figures.txt:2:"),
        (&FIGURES.replace("DETECTED", "NaN"), "figures.txt:2:"),
        (&FIGURES.replace("DETECTED", "1").replace("VALID", "inf"), "figures.txt:2:"),
    ] {
        fs::write(&reference, figures).expect("writable");
        let said = fail(&["compare", argument(&results), argument(&reference)], 2);
        assert!(said.contains(line), "{said}");
    }
    let sound = FIGURES.replace("DETECTED", "1").replace("VALID", "1");
    fs::write(&reference, sound.replace("ratio", "consecutive")).expect("writable");
    assert!(fail(&["compare", argument(&results), argument(&reference)], 2).contains("sweeps/reference.toml"));
    assert!(fail(&["compare", argument(folder.path()), argument(&reference)], 2).contains("designs.parquet"));
}

#[test]
fn few_runs_of_ours_disagree_with_nobody() {
    let folder = tempdir().expect("a folder");
    let results = folder.path().join("results");
    succeed(&["sweeps/reference.toml", "--replications", "20", "--no-plots", "--out", argument(&results)]);
    let printed = succeed(&["compare", argument(&results), "sweeps/reference.txt"]);
    assert!(printed.contains("0 disagree"), "{printed}");
}
