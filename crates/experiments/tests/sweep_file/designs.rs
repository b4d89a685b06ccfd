//! Designs: their number, their order, and which are one rule in other words.

use std::collections::BTreeMap;

use engine::Duration;
use experiments::sweep_file::{Sweep, load};
use policies::{AnyRule, HalfOpen};

use crate::{read, repository_file};

/// Window, threshold and open milliseconds of every design.
fn points(sweep: &Sweep) -> Vec<(Option<u32>, f64, u64)> {
    let millis = |rule: &AnyRule| rule.open_for().map_or(0, |open| open.as_nanos() / 1_000_000);
    let rules = sweep.designs.iter().map(|design| &design.rule);
    rules.map(|rule| (rule.window(), rule.threshold().unwrap_or_default(), millis(rule))).collect()
}

#[test]
fn the_main_sweep_has_the_designs_of_the_lesson_in_order() {
    let sweep = load(&repository_file("sweep.toml"), &[], None).unwrap();
    let mut expected = vec![(None, 0.0, 0)];
    let open = [500, 1_000, 2_000, 5_000, 10_000];
    for threshold in 1..=20 {
        expected.extend(open.map(|millis| (None, f64::from(threshold), millis)));
    }
    for window in [5, 10, 20, 50, 100] {
        for twentieth in 1..=19 {
            // Five hundredths, correctly rounded: the quotient of two exact numbers.
            expected.extend(open.map(|millis| (Some(window), f64::from(5 * twentieth) / 100.0, millis)));
        }
    }
    assert_eq!(points(&sweep), expected);
    assert_eq!(sweep.designs.len(), 576);
    assert!(sweep.designs.iter().map(|design| design.number).eq(0..576));
    assert_eq!(sweep.runs(), 576 * 4 * 200);
    let requests = (97.22 + 416.67) * 12.0 * 460_800.0;
    assert!((sweep.requests() / requests - 1.0).abs() < 1e-12, "{}", sweep.requests());
}

#[test]
fn equivalent_designs_point_to_the_first_that_opens_at_the_same_count() {
    let sweep = load(&repository_file("sweep.toml"), &[], None).unwrap();
    // Smallest k with k / window ≥ threshold, found by trying.
    let smallest = |window: u32, threshold: f64| {
        (1..=window).find(|&k| f64::from(k) / f64::from(window) >= threshold).expect("a threshold of at most 1")
    };
    let mut first: BTreeMap<(u32, u32, Duration), u32> = BTreeMap::new();
    for design in &sweep.designs {
        let AnyRule::Ratio(ratio) = design.rule else {
            assert_eq!(design.equivalent_to, None);
            continue;
        };
        let key = (ratio.window(), smallest(ratio.window(), ratio.threshold()), ratio.open_for());
        let first = *first.entry(key).or_insert(design.number);
        assert_eq!(design.equivalent_to, (first != design.number).then_some(first), "design {}", design.number);
    }
    // 5 + 10 + 19 + 19 + 19 different counts on the five windows, five open durations, and 101 others.
    assert_eq!(first.len(), 360);
    assert_eq!(sweep.distinct_designs(), 461);
    assert!(
        sweep.notes.iter().any(|note| note.starts_with("115 of 576 designs are an earlier one")),
        "{:?}",
        sweep.notes
    );
}

#[test]
fn a_rule_that_comes_in_two_tables_is_equivalent_too() {
    let sweep = read(
        "[[rule]]\nkind = \"none\"\n[[rule]]\nkind = \"consecutive\"\nthreshold = [1, 5]\nopen_for = \"1s\"\n\
         [[rule]]\nkind = \"consecutive\"\nthreshold = [5, 6]\nopen_for = \"1000ms\"\n[[rule]]\nkind = \"none\"\n\
         [[rule]]\nkind = \"ratio\"\nwindow = 1\nthreshold = 1.0\nopen_for = \"1s\"\n",
    );
    let equivalent: Vec<_> = sweep.designs.iter().map(|design| design.equivalent_to).collect();
    // One failure of one result is one failure in a row, but another family.
    assert_eq!(equivalent, [None, None, None, Some(2), None, Some(0), None]);
}

#[test]
fn the_order_of_keys_does_not_matter() {
    let one = "[[rule]]\nkind = \"ratio\"\nwindow = [5, 10]\nthreshold = [0.5, 0.4]\nopen_for = [\"2s\", \"1s\"]\n";
    let other = "[[rule]]\nopen_for = [\"2s\", \"1s\"]\nthreshold = [0.5, 0.4]\nwindow = [5, 10]\nkind = \"ratio\"\n";
    assert_eq!(read(one), read(other));
    assert_eq!(
        points(&read(one)),
        [
            (Some(5), 0.5, 2_000),
            (Some(5), 0.5, 1_000),
            (Some(5), 0.4, 2_000),
            (Some(5), 0.4, 1_000),
            (Some(10), 0.5, 2_000),
            (Some(10), 0.5, 1_000),
            (Some(10), 0.4, 2_000),
            (Some(10), 0.4, 1_000),
        ]
    );
}

#[test]
fn half_open_numbers_turn_fastest() {
    let sweep = read(
        "[[rule]]\nkind = \"consecutive\"\nthreshold = [3, 4]\nopen_for = \"1s\"\nhalf_open_successes = [1, 2]\n\
         half_open_permits = [1, 5]\n",
    );
    let probing = sweep.designs.iter().map(|design| design.rule.half_open().expect("it probes"));
    let expected = [(1, 1), (1, 2), (5, 1), (5, 2)].map(|(permits, successes)| HalfOpen { permits, successes });
    assert_eq!(probing.collect::<Vec<_>>(), [expected, expected].concat());
}

#[test]
fn probing_is_by_one_if_nothing_is_said() {
    let plain = "[[rule]]\nkind = \"consecutive\"\nthreshold = 3\nopen_for = \"1s\"\n";
    let said = format!("{plain}half_open_permits = 1\nhalf_open_successes = [1]\n");
    assert_eq!(read(plain), read(&said));
    assert_eq!(read(plain).designs[0].rule.half_open(), Some(HalfOpen { permits: 1, successes: 1 }));
}

#[test]
fn zipped_axes_advance_together_at_the_place_of_the_first() {
    let rule = "[[rule]]\nkind = \"ratio\"\nwindow = [5, 10]\nthreshold = [0.6, 0.4, 0.2]\nopen_for = [\"1s\", \"2s\", \"3s\"]\n";
    let expected = [
        (Some(5), 0.6, 1_000),
        (Some(5), 0.4, 2_000),
        (Some(5), 0.2, 3_000),
        (Some(10), 0.6, 1_000),
        (Some(10), 0.4, 2_000),
        (Some(10), 0.2, 3_000),
    ];
    for zip in ["[[\"threshold\", \"open_for\"]]", "[[\"open_for\", \"threshold\"]]", "[\"threshold\", \"open_for\"]"] {
        assert_eq!(points(&read(&format!("{rule}zip = {zip}\n"))), expected, "{zip}");
    }
}

#[test]
fn zips_can_reach_over_an_axis_and_come_in_groups() {
    let sweep = read(
        "[[rule]]\nkind = \"ratio\"\nwindow = [5, 10]\nthreshold = [0.6, 0.4, 0.2]\nopen_for = [\"1s\", \"2s\"]\n\
         half_open_permits = [1, 2, 3]\nzip = [[\"threshold\", \"half_open_permits\"], [\"open_for\", \"window\"]]\n",
    );
    let permits = sweep.designs.iter().map(|design| design.rule.half_open().expect("it probes").permits);
    assert_eq!(permits.collect::<Vec<_>>(), [1, 2, 3, 1, 2, 3]);
    let expected =
        [(5, 0.6, 1_000), (5, 0.4, 1_000), (5, 0.2, 1_000), (10, 0.6, 2_000), (10, 0.4, 2_000), (10, 0.2, 2_000)];
    assert_eq!(points(&sweep), expected.map(|(window, threshold, open)| (Some(window), threshold, open)));
}

#[test]
fn a_million_designs_are_possible_and_not_one_more() {
    let grid = |most: u32| {
        format!(
            "[[rule]]\nkind = \"consecutive\"\nthreshold = {{ from = 1, to = {most}, step = 1 }}\n\
             open_for = {{ from = \"1ms\", to = \"100ms\", step = \"1ms\" }}\n"
        )
    };
    assert_eq!(read(&grid(10_000)).designs.len(), 1_000_000);
    assert!(crate::complaint(&grid(10_001)).contains("the grids come to 1,000,100 designs"));
}
