//! `export` prints designs as configurations, `import` reads configurations as rules.

use std::fs;

use tempfile::tempdir;

use crate::support::{argument, fail, succeed};

#[test]
fn a_rule_is_printed_read_and_simulated() {
    let folder = tempdir().expect("a folder");
    let printed = succeed(&[
        "export",
        "kind = \"resilience4j\", slidingWindowSize = 20, minimumNumberOfCalls = 20, waitDurationInOpenState = \"10s\"",
        "--as",
        "resilience4j",
        "--name",
        "payments",
    ]);
    assert!(printed.contains("      payments:\n") && printed.contains("waitDurationInOpenState: 10s"), "{printed}");
    let yaml = folder.path().join("application.yml");
    fs::write(&yaml, printed).expect("writable");
    let rules = succeed(&["import", argument(&yaml)]);
    assert!(rules.starts_with("# payments, "), "{rules}");
    let sweep = folder.path().join("sweep.toml");
    fs::write(&sweep, &rules).expect("writable");
    assert!(succeed(&[argument(&sweep), "--dry-run"]).contains("1 design"), "{rules}");
    // The same design by its place in the sweep.
    let again = succeed(&["export", &format!("{}#0", argument(&sweep)), "--as", "resilience4j", "--name", "payments"]);
    assert_eq!(again, fs::read_to_string(&yaml).expect("readable"));
}

#[test]
fn every_librarys_design_goes_through_a_sweep_file() {
    let folder = tempdir().expect("a folder");
    let (configuration, sweep) = (folder.path().join("configuration"), folder.path().join("sweep.toml"));
    for (ending, text, form) in [
        ("properties", "hystrix.command.x.circuitBreaker.sleepWindowInMilliseconds=10000\n", "hystrix"),
        ("go", "gobreaker.Settings{Timeout: 10 * time.Second, MaxRequests: 3}", "gobreaker"),
        ("js", "const options = { timeout: false, resetTimeout: 10000, volumeThreshold: 5 };", "opossum"),
        (
            "ts",
            "f({ halfOpenAfter: new IterableBackoff([100, 300]), breaker: new ConsecutiveBreaker(3) })",
            "cockatiel",
        ),
        ("json", "[{ \"grade\": 1, \"count\": 0.5, \"timeWindow\": 10 }]", "sentinel"),
    ] {
        let configuration = configuration.with_extension(ending);
        fs::write(&configuration, text).expect("writable");
        let rules = succeed(&["import", argument(&configuration)]);
        fs::write(&sweep, &rules).expect("writable");
        let printed = succeed(&["export", argument(&sweep), "--as", form]);
        fs::write(&configuration, printed).expect("writable");
        let again = succeed(&["import", argument(&configuration)]);
        let rule = |text: &str| text[text.find("[[rule]]").expect("a rule")..].to_owned();
        assert_eq!(rule(&again), rule(&rules), "{form}");
    }
}

#[test]
fn what_cannot_be_printed_is_explained() {
    let ratio = "kind = \"ratio\", window = 20, threshold = 0.5, open_for = \"10s\"";
    for (arguments, said) in [
        (["export", ratio, "--as", "opossum"], "opens above the threshold"),
        (["export", ratio, "--as", "polly"], "there are resilience4j"),
        (["export", "ratio 20", "--as", "opossum"], "is no design"),
        (["export", "sweep.toml", "--as", "opossum"], "comes to 576 designs"),
        (["export", "sweep.toml#576", "--as", "opossum"], "it has designs 0 to 575"),
        (["export", "kind = \"ratio\", window = 0", "--as", "opossum"], "DESIGN:1"),
    ] {
        let error = fail(&arguments, 2);
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}

#[test]
fn what_cannot_be_read_names_the_place() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("options.json");
    fs::write(&file, "{\n  \"resetTimeout\": 30\n}\n").expect("writable");
    let error = fail(&["import", argument(&file)], 2);
    assert!(error.contains("options.json:2: `resetTimeout`") && error.contains("--trust-units"), "{error}");
    assert!(succeed(&["import", argument(&file), "--trust-units"]).contains("resetTimeout = \"30ms\""));
    assert!(fail(&["import", "missing.yml"], 2).contains("missing.yml"));
    assert!(fail(&["import", argument(&file), "--from", "polly"], 2).contains("there are resilience4j"));
}
