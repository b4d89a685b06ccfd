//! Numbers that look like another unit, and what is not known exactly.

use super::*;

/// The file, its text, the line of the error, its key, and what it says.
const TRAPS: &[(&str, &str, usize, &str, &str)] = &[
    // Resilience4j: percent, not a share; bare numbers are milliseconds.
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x:\n  failureRateThreshold: 0.5\n",
        2,
        "failureRateThreshold",
        "write 50",
    ),
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x:\n  wait-duration-in-open-state: 10\n",
        2,
        "wait-duration-in-open-state",
        "write 10s or 10ms",
    ),
    (
        "a.properties",
        "\nresilience4j.circuitbreaker.instances.x.waitDurationInOpenState=1.5s\n",
        2,
        "waitDurationInOpenState",
        "no duration to Spring Boot",
    ),
    (
        "a.yml",
        "resilience4j:\n  circuitbreaker:\n    instances:\n      x:\n        slidingWindowSiz: 5\n",
        5,
        "slidingWindowSiz",
        "did you mean `slidingWindowSize`?",
    ),
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x.ringBufferSizeInClosedState: 5\n",
        1,
        "ringBufferSizeInClosedState",
        "now `slidingWindowSize`",
    ),
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x.slidingWindowSize: ${SIZE:10}\n",
        1,
        "slidingWindowSize",
        "write the value",
    ),
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x.slidingWindowType: TIMED\n",
        1,
        "slidingWindowType",
        "COUNT_BASED and TIME_BASED",
    ),
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x.automaticTransitionFromOpenToHalfOpenEnabled: true\n",
        1,
        "automaticTransitionFromOpenToHalfOpenEnabled",
        "leave it out",
    ),
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x.enableRandomizedWait: true\n",
        1,
        "enableRandomizedWait",
        "random",
    ),
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x.enableExponentialBackoff: true\n",
        1,
        "enableExponentialBackoff",
        "ignores it",
    ),
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x.slidingWindowSize: 5\n",
        1,
        "minimumNumberOfCalls",
        "decides after 10 half-open calls",
    ),
    (
        "a.yml",
        "resilience4j.circuitbreaker.instances.x.failureRateThreshold: 150\n",
        1,
        "failureRateThreshold",
        "at most 100",
    ),
    ("a.yml", "resilience4j.circuitbreaker.instances.x.baseConfig: y\n", 1, "baseConfig", "there is no config \"y\""),
    ("a.yml", "a: [1\n", 2, "", "no YAML"),
    ("a.yml", "other: 1\n", 0, "", "no circuit breaker"),
    // Hystrix: milliseconds, percent.
    (
        "a.properties",
        "hystrix.command.x.circuitBreaker.sleepWindowInMilliseconds=5\n",
        1,
        "circuitBreaker.sleepWindowInMilliseconds",
        "write 5000",
    ),
    (
        "a.properties",
        "hystrix.command.x.circuitBreaker.errorThresholdPercentage=0.5\n",
        1,
        "circuitBreaker.errorThresholdPercentage",
        "write 50",
    ),
    ("a.properties", "hystrix.command.x.circuitBreaker.forceOpen=true\n", 1, "circuitBreaker.forceOpen", "by hand"),
    // opossum: milliseconds, percent.
    ("a.json", "{\n \"errorThresholdPercentage\": 50,\n \"resetTimeout\": 30\n}", 3, "resetTimeout", "write 30000"),
    ("a.json", "{ \"errorThresholdPercentage\": 0.5 }", 1, "errorThresholdPercentage", "write 50"),
    ("a.js", "const o = {\n  resetTimeout: 3000,\n  cache: true,\n}", 3, "cache", "leave it out"),
    ("a.js", "const o = { resetTimeout: RESET }", 1, "resetTimeout", "`RESET` is no number"),
    (
        "a.js",
        "const o = { resetTimeout: 3000, volumeThresold: 4 }",
        1,
        "volumeThresold",
        "did you mean `volumeThreshold`?",
    ),
    // cockatiel: milliseconds, shares.
    ("a.ts", "x({ halfOpenAfter: 10, breaker: new ConsecutiveBreaker(5) })", 1, "halfOpenAfter", "write 10000"),
    (
        "a.ts",
        "x({ halfOpenAfter: 10e3, breaker: new CountBreaker({ threshold: 50, size: 20 }) })",
        1,
        "threshold",
        "write 0.5",
    ),
    (
        "a.ts",
        "x({ halfOpenAfter: 10e3, breaker: new SamplingBreaker({ threshold: 0.5, duration: 30 }) })",
        1,
        "duration",
        "write 30000",
    ),
    (
        "a.ts",
        "x({ halfOpenAfter: new ExponentialBackoff(), breaker: new ConsecutiveBreaker(5) })",
        1,
        "halfOpenAfter",
        "random",
    ),
    ("a.ts", "x({ halfOpenAfter: 10e3, breaker: myBreaker })", 1, "breaker", "ConsecutiveBreaker"),
    // gobreaker: units of package time, shares.
    ("a.go", "gobreaker.Settings{\n\tTimeout: 60,\n}", 2, "Timeout", "60 nanoseconds"),
    ("a.json", "{ \"Timeout\": 60 }", 1, "Timeout", "write \"60s\""),
    ("a.json", "{ \"Timeout\": \"60\" }", 1, "Timeout", "no duration of Go"),
    (
        "a.json",
        "{ \"ReadyToTrip\": { \"kind\": \"failure_ratio\", \"ratio\": 60, \"min_requests\": 3 } }",
        1,
        "ratio",
        "write 0.6",
    ),
    ("a.json", "{ \"MaxRequests\": 2,\n\"ReadyToTrip\": 5 }", 2, "ReadyToTrip", "a table such as"),
    ("a.go", "gobreaker.Settings{\n\tReadyToTrip: isBad,\n}", 2, "ReadyToTrip", "only these functions"),
    ("a.go", "gobreaker.Settings{Timeoutt: 5}", 1, "Timeoutt", "no such field"),
    // Sentinel: seconds beside milliseconds, and a count with three units.
    ("a.json", "[{ \"grade\": 1, \"count\": 50, \"timeWindow\": 10 }]", 1, "count", "write 0.5"),
    ("a.json", "[{ \"grade\": 2, \"count\": 0.5, \"timeWindow\": 10 }]", 1, "count", "grade 1"),
    ("a.json", "[{ \"grade\": 0, \"count\": 0.5, \"timeWindow\": 10 }]", 1, "count", "number of milliseconds"),
    ("a.json", "[{ \"grade\": 1, \"count\": 0.5, \"timeWindow\": 10000 }]", 1, "timeWindow", "write 10"),
    (
        "a.json",
        "[{ \"grade\": 1, \"count\": 0.5, \"timeWindow\": 10, \"statIntervalMs\": 10 }]",
        1,
        "statIntervalMs",
        "write 10000",
    ),
    ("a.json", "[{ \"grade\": 3, \"timeWindow\": 10 }]", 1, "grade", "none of 0"),
    ("a.json", "[{ \"grade\": 1, \"count\": 0.5 }]", 1, "timeWindow", "needs"),
];

#[test]
fn every_trap_is_an_error_that_names_the_place_and_the_remedy() {
    for &(file, text, line, key, said) in TRAPS {
        let error = match import(file, text, None, Units::Checked) {
            Err(errors) => errors.all()[0].clone(),
            Ok(breakers) => panic!("{text}: {breakers:?}"),
        };
        assert!(error.problem.contains(said), "{text}: {error}");
        assert_eq!((error.line, error.key.as_str()), (line, key), "{text}: {error}");
    }
}

#[test]
fn a_file_of_something_else_holds_no_breaker() {
    for (file, text) in
        [("a.json", "{ \"name\": \"x\" }"), ("a.js", "module.exports = { a: 1 };"), ("a.properties", "a=1\n")]
    {
        let errors = import(file, text, None, Units::Checked).expect_err(text);
        let error = errors.all()[0].clone();
        assert_eq!(error, FormatError { line: 0, key: String::new(), problem: error.problem.clone() });
        assert!(error.problem.contains("--from"), "{error}");
    }
}

#[test]
fn the_library_can_be_named_where_keys_do_not_tell() {
    let rule = import("a.json", "{ \"name\": \"x\" }", Some(Source::Opossum), Units::Checked).expect("all defaults");
    assert_eq!(rule[0].rule, super::rule("opossum", &[]));
    let text = "Name: \"x\",\nMaxRequests: 2,\n";
    let rule = import("fields.txt", text, Some(Source::Gobreaker), Units::Checked).expect("fields of Go");
    assert_eq!(rule[0].rule, super::rule("gobreaker", &[("MaxRequests", number(2.0))]));
}
