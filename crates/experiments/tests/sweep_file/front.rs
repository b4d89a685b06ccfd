//! `[analysis.front]`: what may be asked of the fronts.

use experiments::sweep_file::{FrontAnalysis, parse};

use crate::read;

fn asked(lines: &str) -> FrontAnalysis {
    read(&format!("[analysis.front]\n{lines}\n[[rule]]\nkind = \"none\"\n")).analysis.front.expect("it is asked")
}

#[test]
fn an_empty_table_asks_with_the_usual_numbers() {
    let asked = asked("");
    assert_eq!((asked.draws, asked.seed, asked.select), (1000, 1, None));
    assert_eq!(asked.zone_of("slot_rounds_fault", "false_open_rejections"), (0.0, 0.0));
    assert_eq!(asked.reference_of("slot_rounds_fault", "false_open_rejections"), None);
    assert_eq!(asked.selecting(201), Some(100), "half of them choose");
    assert_eq!(read("[[rule]]\nkind = \"none\"\n").analysis.front, None);
}

#[test]
fn zones_and_reference_points_go_by_metric() {
    let asked =
        asked("zone.slot_rounds_fault = 2\nreference = { slot_rounds_fault = 900, false_open_rejections = 50.5 }");
    assert_eq!(asked.zone_of("slot_rounds_fault", "false_open_rejections"), (2.0, 0.0));
    assert_eq!(asked.reference_of("slot_rounds_fault", "false_open_rejections"), Some((900.0, 50.5)));
    assert_eq!(asked.reference_of("neighbour_no_slot_fault", "false_open_rejections"), None);
}

#[test]
fn a_part_of_the_replications_chooses_where_enough_are_left() {
    let asked = asked("select = 30");
    assert_eq!((asked.selecting(200), asked.selecting(32), asked.selecting(31)), (Some(30), Some(30), None));
    assert_eq!(FrontAnalysis { select: None, ..asked }.selecting(3), None);
}

#[test]
fn what_is_not_going_to_be_said_is_noted() {
    let notes = |lines: &str, replications| {
        let text = format!("[analysis.front]\n{lines}\n[[rule]]\nkind = \"none\"\n");
        parse("my.toml", &text, &[], Some(replications)).expect("a sweep").notes
    };
    let reference = "reference = { slot_rounds_fault = 900.0, false_open_rejections = 50.0 }";
    assert_eq!(notes(reference, 10), [""; 0]);
    assert!(
        notes("", 10)[0].starts_with("no hypervolume is measured: that needs under [analysis.front] a line such as")
    );
    assert_eq!(
        notes(reference, 9),
        ["`analysis.front` says nothing: it wants 10 replications or more, and there are 9"]
    );
}

#[test]
fn the_resolved_sweep_asks_the_same() {
    let text = "root_seed = 1\n[analysis.front]\ndraws = 300\nseed = 4\nselect = 20\nzone = { slot_rounds_fault = 0.5 }\n\
                reference = { slot_rounds_fault = 900.0, false_open_rejections = 50.0 }\n[[rule]]\nkind = \"none\"\n";
    let sweep = read(text);
    let resolved = toml::to_string(&sweep.resolved()).expect("a sweep can be written");
    assert_eq!(read(&resolved).analysis, sweep.analysis, "{resolved}");
}
