//! `[analysis]`: the current setting and the baseline among the designs.

use experiments::sweep_file::{Sweep, parse};

use crate::read;

const GRIDS: &str = "[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"ratio\"\nwindow = 20\nthreshold = [0.25, 0.5, 0.75]\n\
                     open_for = [\"1s\", \"5s\"]\n[[rule]]\nkind = \"opossum\"\nvolumeThreshold = [5, 20]\n";

fn with(changes: &[&str]) -> Sweep {
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    parse("my.toml", GRIDS, &changes, None).unwrap_or_else(|error| panic!("{error}"))
}

/// The design of the current setting, whether it was added, and the baseline.
fn found(sweep: &Sweep) -> (Option<usize>, bool, Option<usize>) {
    (sweep.analysis.current, sweep.designs.len() > with(&[]).designs.len(), sweep.baseline())
}

#[test]
fn a_current_setting_of_the_grids_is_marked_and_another_one_is_added() {
    assert_eq!(found(&with(&[])), (None, false, Some(0)));
    let current = |setting: &str| with(&[&format!("analysis.current={{ {setting} }}")]);
    let inside = current("kind = \"ratio\", window = 20, threshold = 0.5, open_for = \"5s\"");
    assert_eq!(found(&inside), (Some(4), false, Some(4)));
    assert_eq!(inside.designs, with(&[]).designs);
    // Eleven of twenty failures, however that is written: 0.5 means ten, and 0.55 is in no grid.
    let outside = current("kind = \"ratio\", window = 20, threshold = 0.55, open_for = \"5s\"");
    assert_eq!(found(&outside), (Some(9), true, Some(9)));
    assert_eq!(
        outside.designs[9].rule.to_string(),
        current("kind = \"ratio\", window = [20], threshold = [0.55], open_for = [\"5s\"]").designs[9].rule.to_string()
    );
    assert_eq!(outside.designs[..9], inside.designs[..]);
    // 0.49 of 20 is ten failures as well.
    assert_eq!(found(&current("kind = \"ratio\", window = 20, threshold = 0.49, open_for = \"5s\"")).0, Some(4));
    assert_eq!(found(&current("kind = \"opossum\", volumeThreshold = 20")), (Some(8), false, Some(8)));
    assert_eq!(found(&current("kind = \"none\"")), (Some(0), false, Some(0)));
}

#[test]
fn a_baseline_may_be_another_design_than_the_current_one() {
    let current = "analysis.current={ kind = \"opossum\", volumeThreshold = 7 }";
    assert_eq!(found(&with(&[current])), (Some(9), true, Some(9)));
    for (baseline, index) in [
        ("\"current\"", 9),
        ("\"none\"", 0),
        ("none", 0),
        ("{ kind = \"opossum\", volumeThreshold = 5 }", 7),
        ("{ kind = \"consecutive\", threshold = 3, open_for = \"1s\" }", 10),
    ] {
        let sweep = with(&[current, &format!("analysis.baseline={baseline}")]);
        assert_eq!((sweep.analysis.current, sweep.baseline()), (Some(9), Some(index)), "{baseline}");
    }
    // Without a design `none` one is added.
    let text = "analysis.baseline = \"none\"\n[[rule]]\nkind = \"consecutive\"\nthreshold = 3\nopen_for = \"1s\"\n";
    let sweep = read(text);
    assert_eq!((sweep.designs.len(), sweep.baseline()), (2, Some(1)));
    assert_eq!(sweep.designs[1].rule.name(), "none");
}

#[test]
fn written_out_it_is_the_same_sweep() {
    for changes in [
        &["analysis.current={ kind = \"ratio\", window = 20, threshold = 0.5, open_for = \"5s\" }"][..],
        &["analysis.current={ kind = \"ratio\", window = 20, threshold = 0.49, open_for = \"5s\" }"],
        &["analysis.current={ kind = \"ratio\", window = 30, threshold = 0.5, open_for = \"5s\" }"],
        &["analysis.current={ kind = \"opossum\", volumeThreshold = 7 }", "analysis.simultaneous=true"],
        &["analysis.current={ kind = \"opossum\", volumeThreshold = 7 }", "analysis.baseline=none"],
        &["analysis.baseline={ kind = \"consecutive\", threshold = 3, open_for = \"1s\" }"],
    ] {
        let sweep = with(changes);
        let text = toml::to_string(&sweep.resolved()).expect("a sweep can be written");
        let mut again = parse("resolved.toml", &text, &[], None).unwrap_or_else(|error| panic!("{error}\n{text}"));
        again.notes.clone_from(&sweep.notes);
        assert_eq!(again, sweep, "{text}");
    }
}

#[test]
fn ways_of_writing_do_not_show() {
    let written = |changes: &[&str]| serde_json::to_string(&with(changes).resolved()).expect("a sweep can be written");
    let plain = written(&["analysis.current={ kind = \"ratio\", window = 20, threshold = 0.5, open_for = \"5s\" }"]);
    assert!(plain.contains(
        r#""analysis":{"current":{"kind":"ratio","window":[20],"threshold":[0.5],"open_for":["5s"],"half_open_permits":[1],"half_open_successes":[1]}}"#
    ), "{plain}");
    for same in [
        "analysis.current={ kind = \"ratio\", window = 20, threshold = 0.49, open_for = \"5000ms\" }",
        "analysis.current={ open_for = [\"5s\"], kind = \"ratio\", half_open_permits = 1, window = 20, threshold = [0.5] }",
    ] {
        assert_eq!(written(&[same, "analysis.baseline=current"]), plain);
    }
    // What is usual is not written.
    assert_eq!(written(&["analysis.baseline=none"]), written(&[]));
}

#[test]
fn designs_that_are_alone_in_their_rule_are_known() {
    assert_eq!(with(&[]).single_designs(), [0]);
    let sweep = with(&["analysis.current={ kind = \"consecutive\", threshold = 3, open_for = \"1s\" }"]);
    assert_eq!(sweep.single_designs(), [0, 9]);
    let zipped = read(
        "[[rule]]\nkind = \"ratio\"\nwindow = [10, 20]\nthreshold = [0.5, 0.6]\nopen_for = [\"1s\"]\n\
         zip = [\"window\", \"threshold\"]\n[[rule]]\nkind = \"gobreaker\"\n",
    );
    assert_eq!(zipped.single_designs(), [2]);
}
