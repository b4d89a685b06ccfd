//! `experiments dead-dependency`: the published figures, as JSON and as tables, and the figure of the waiting times.

use serde_json::{Value, json};

use crate::support::{argument, fail, succeed};

#[test]
fn json_holds_the_published_figures_and_nothing_else() {
    let shown: Value = serde_json::from_str(&succeed(&["dead-dependency", "--json"])).expect("JSON");
    let row = |mode, wall, calls, short, successes| {
        json!({
            "mode": mode, "median_wall_ms": wall, "dependency_calls": calls, "short_circuits": short,
            "successes": successes
        })
    };
    let expected =
        json!([row("no_breaker", 10_200, 200, 0, 0), row("breaker", 450, 5, 195, 0), row("healthy", 400, 200, 0, 200)]);
    assert_eq!(shown, expected);
}

#[test]
fn numbers_can_be_changed() {
    // Three calls fail by 153 ms; then every tenth millisecond's call probes: at 163 ms, and 60 ms later each time.
    let arguments =
        ["dead-dependency", "--json", "--threshold", "3", "--cooldown", "10ms", "--calls", "33", "--runs", "2"];
    let shown: Value = serde_json::from_str(&succeed(&arguments)).expect("JSON");
    assert_eq!(shown[1]["dependency_calls"], 6);
    assert_eq!(shown[1]["median_wall_ms"], 33 + 6 * 50);
}

#[test]
fn tables_show_the_ratios_and_the_pool() {
    let folder = tempfile::tempdir().unwrap();
    let shown = succeed(&["dead-dependency", "--runs", "2", "--out", argument(folder.path())]);
    assert!(shown.contains("wall time 22.67 times, calls 40 times"), "{shown}");
    let row = |name: &str| {
        let line = shown.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_else(|| panic!("{name}"));
        line.trim_start().trim_start_matches(name).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let mean = |name: &str| row(name)[0].parse::<f64>().expect("a number");
    assert!(mean("dead at 50 ms, no breaker") > 100.0 && mean("dead at 50 ms, breaker") < 1.0);
    assert!(mean("dead at 2 s, no breaker") > 2_000.0 && mean("dead at 2 s, breaker") < 1_000.0);
    for file in ["waiting.svg", "waiting.png"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

#[test]
fn what_is_no_number_is_refused() {
    for (key, value) in [("--threshold", "0"), ("--cooldown", "200"), ("--runs", "0"), ("--calls", "-1")] {
        let said = fail(&["dead-dependency", &format!("{key}={value}")], 2);
        assert!(said.contains(key), "{said}");
    }
}
