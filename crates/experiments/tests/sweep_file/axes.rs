//! Axes: which values a way of writing them means.

use engine::Duration;

use crate::read;

/// The thresholds of a ratio rule whose axis is `axis`.
fn shares(axis: &str) -> Vec<f64> {
    let text = format!("[[rule]]\nkind = \"ratio\"\nwindow = 100\nthreshold = {axis}\nopen_for = \"1s\"");
    read(&text).designs.iter().map(|design| design.rule.threshold().expect("a ratio has a threshold")).collect()
}

/// The thresholds of a consecutive rule whose axis is `axis`.
fn counts(axis: &str) -> Vec<f64> {
    let text = format!("[[rule]]\nkind = \"consecutive\"\nthreshold = {axis}\nopen_for = \"1s\"");
    read(&text).designs.iter().map(|design| design.rule.threshold().expect("it has a threshold")).collect()
}

/// The open durations of a consecutive rule whose axis is `axis`, in nanoseconds.
fn times(axis: &str) -> Vec<u64> {
    let text = format!("[[rule]]\nkind = \"consecutive\"\nthreshold = 5\nopen_for = {axis}");
    let open_for = |design: &experiments::sweep_file::Design| design.rule.open_for().map(Duration::as_nanos);
    read(&text).designs.iter().map(|design| open_for(design).expect("it has an open duration")).collect()
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn a_range_holds_the_literals_that_one_would_write() {
    let written =
        [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
    assert_eq!(bits(&shares("{ from = 0.05, to = 0.95, step = 0.05 }")), bits(&written));
}

#[test]
fn a_range_of_a_thousand_steps_still_holds_the_literals() {
    let written: Vec<f64> = (1..=1_000).map(|thousandth| format!("{thousandth}e-3").parse().unwrap()).collect();
    assert_eq!(bits(&shares("{ from = 0.001, to = 1, step = 0.001 }")), bits(&written));
}

#[test]
fn ranges_include_both_ends() {
    assert_eq!(counts("{ from = 1, to = 5, step = 1 }"), [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(counts("{ from = 3, to = 3, step = 7 }"), [3.0]);
    assert_eq!(shares("{ from = 0.25, to = 1.0, step = 0.75 }"), [0.25, 1.0]);
    assert_eq!(
        times("{ from = \"500ms\", to = \"2s\", step = \"0.5s\" }"),
        [500_000_000, 1_000_000_000, 1_500_000_000, 2_000_000_000]
    );
}

#[test]
fn a_scalar_and_a_list_are_axes() {
    assert_eq!(counts("7"), [7.0]);
    assert_eq!(counts("[10, 2, 5]"), [10.0, 2.0, 5.0]);
    assert_eq!(counts("[2.0, 0x10]"), [2.0, 16.0]);
    assert_eq!(shares("1"), [1.0]);
    assert_eq!(times("[\"2min\", \"10us\", \"1.5s\"]"), [120_000_000_000, 10_000, 1_500_000_000]);
}

#[test]
fn a_linspace_is_exact_where_decimals_are() {
    assert_eq!(bits(&shares("{ linspace = [0.1, 0.9, 5] }")), bits(&[0.1, 0.3, 0.5, 0.7, 0.9]));
    assert_eq!(bits(&shares("{ linspace = [0.1, 0.2, 4] }")), bits(&[0.1, 0.133333333333333, 0.166666666666667, 0.2]));
    assert_eq!(counts("{ linspace = [1, 10, 4] }"), [1.0, 4.0, 7.0, 10.0]);
    assert_eq!(counts("{ linspace = [1, 4, 3] }"), [1.0, 3.0, 4.0], "2.5 is rounded up");
    assert_eq!(
        times("{ linspace = [\"1s\", \"2s\", 4] }"),
        [1_000_000_000, 1_333_333_333, 1_666_666_667, 2_000_000_000]
    );
}

#[test]
fn a_logspace_has_equal_ratios() {
    assert_eq!(bits(&shares("{ logspace = [0.001, 1, 4] }")), bits(&[0.001, 0.01, 0.1, 1.0]));
    assert_eq!(bits(&shares("{ logspace = [0.1, 0.2, 3] }")), bits(&[0.1, 0.141421356237, 0.2]));
    assert_eq!(counts("{ logspace = [1, 64, 7] }"), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]);
    assert_eq!(counts("{ logspace = [5, 500, 5] }"), [5.0, 16.0, 50.0, 158.0, 500.0]);
    assert_eq!(times("{ logspace = [\"1ms\", \"100ms\", 3] }"), [1_000_000, 10_000_000, 100_000_000]);
}

#[test]
fn a_union_is_one_axis_after_the_other() {
    assert_eq!(counts("{ union = [9, [2, 3], { from = 5, to = 15, step = 5 }] }"), [9.0, 2.0, 3.0, 5.0, 10.0, 15.0]);
    assert_eq!(
        times("{ union = [\"1s\", { union = [[\"2s\"], \"500ms\"] }] }"),
        [1_000_000_000, 2_000_000_000, 500_000_000]
    );
}
