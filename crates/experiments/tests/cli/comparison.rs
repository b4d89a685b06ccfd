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

    fs::write(&reference, "# 4,000 replications\nratio 0.10/20 healthy detected lots\n").expect("writable");
    let said = fail(&["compare", argument(&results), argument(&reference)], 2);
    assert!(said.contains("figures.txt:2:"), "{said}");
    fs::write(&reference, FIGURES.replace("ratio", "consecutive")).expect("writable");
    fail(&["compare", argument(&results), argument(&reference)], 2);
}
