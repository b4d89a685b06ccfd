//! Designs printed as configurations, and configurations read as designs.

use engine::Duration;
use policies::{AnyRule, Consecutive, HalfOpen, Library, NoBreaker, Ratio, Value, Written};

use super::{FORMATS, Format, FormatError, Imported, Source, Units, export, import};

mod configurations;
mod forms;
mod gobreaker_run;
mod same_rule;
mod traps;

fn format(name: &str) -> &'static Format {
    FORMATS.iter().find(|format| format.name == name).expect("a form of that name")
}

/// A library's rule from settings as recordings write them.
fn rule(library: &str, settings: &[(&str, Written<'_>)]) -> AnyRule {
    let library = Library::named(library).expect("a library of that name");
    let read = |&(name, written): &(&str, Written<'_>)| {
        library.read(name, written).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    library.build(&settings.iter().map(read).collect()).unwrap_or_else(|error| panic!("{settings:?}: {error}"))
}

fn number(number: f64) -> Written<'static> {
    Written::Number(number)
}

fn text(text: &str) -> Written<'_> {
    Written::Text(text)
}

/// The only breaker of a configuration.
fn imported(file: &str, text: &str, units: Units) -> Imported {
    let breakers = import(file, text, None, units).unwrap_or_else(|errors| panic!("{text}\n{errors}"));
    assert_eq!(breakers.len(), 1, "{text}");
    breakers.into_iter().next().expect("one")
}

fn setting(rule: &AnyRule, name: &str) -> Option<Value> {
    rule.dialect().expect("a library's").settings().get(name)
}

fn time(rule: &AnyRule, name: &str) -> Duration {
    match setting(rule, name) {
        Some(Value::Time(time)) => time,
        other => panic!("{name} is {other:?}"),
    }
}

fn count(rule: &AnyRule, name: &str) -> f64 {
    match setting(rule, name) {
        Some(Value::Number(number)) => number,
        other => panic!("{name} is {other:?}"),
    }
}

/// One design of each library, with few defaults.
fn designs() -> Vec<AnyRule> {
    vec![
        rule(
            "resilience4j",
            &[
                ("slidingWindowSize", number(20.0)),
                ("minimumNumberOfCalls", number(10.0)),
                ("failureRateThreshold", number(33.3)),
                ("waitDurationInOpenState_s", number(10.0)),
                ("permittedNumberOfCallsInHalfOpenState", number(3.0)),
            ],
        ),
        rule(
            "hystrix_1_5_18",
            &[
                ("circuitBreaker.requestVolumeThreshold", number(10.0)),
                ("circuitBreaker.sleepWindowInMilliseconds", number(10_000.0)),
            ],
        ),
        rule(
            "failsafe_java",
            &[
                ("failureThreshold", number(10.0)),
                ("failureThresholdingCapacity", number(20.0)),
                ("successThreshold", number(2.0)),
                ("successThresholdingCapacity", number(4.0)),
                ("delay_ms", number(1_500.0)),
            ],
        ),
        rule(
            "failsafe_go",
            &[
                ("failureRateThreshold", number(0.5)),
                ("failureExecutionThreshold", number(20.0)),
                ("failureThresholdingPeriod_s", number(10.0)),
                ("delay_s", number(10.0)),
            ],
        ),
        rule(
            "gobreaker",
            &[
                ("MaxRequests", number(3.0)),
                ("Interval_s", number(10.0)),
                ("BucketPeriod_s", number(1.0)),
                ("Timeout_ms", number(1_500.0)),
                ("ReadyToTrip.kind", text("failure_ratio")),
                ("ReadyToTrip.min_requests", number(20.0)),
                ("ReadyToTrip.ratio", number(0.5)),
            ],
        ),
        rule(
            "opossum",
            &[
                ("timeout", Written::Flag(false)),
                ("volumeThreshold", number(20.0)),
                ("resetTimeout", number(10_000.0)),
                ("errorThresholdPercentage", number(33.0)),
            ],
        ),
        rule(
            "cockatiel",
            &[
                ("halfOpenAfter", number(10_000.0)),
                ("breaker.kind", text("CountBreaker")),
                ("breaker.threshold", number(0.5)),
                ("breaker.size", number(20.0)),
                ("breaker.minimumNumberOfCalls", number(10.0)),
            ],
        ),
        rule(
            "pybreaker",
            &[("fail_max", number(3.0)), ("reset_timeout_s", number(0.5)), ("success_threshold", number(2.0))],
        ),
        rule(
            "sentinel",
            &[
                ("grade", text("DEGRADE_GRADE_EXCEPTION_RATIO")),
                ("count", number(0.5)),
                ("timeWindow", number(10.0)),
                ("minRequestAmount", number(20.0)),
                ("statIntervalMs", number(10_000.0)),
            ],
        ),
        rule(
            "failsafe_rs",
            &[
                ("failure_policy", text("success_rate_over_time_window")),
                ("success_rate_over_time_window.required_success_rate", number(0.5)),
                ("success_rate_over_time_window.min_request_threshold", number(20.0)),
                ("success_rate_over_time_window.window_s", number(10.0)),
                ("backoff.kind", text("constant")),
                ("backoff.wait_s", number(10.0)),
            ],
        ),
        rule(
            "recloser",
            &[
                ("error_rate", number(0.5)),
                ("closed_len", number(20.0)),
                ("open_wait_s", number(10.0)),
                ("open_wait_strategy", text("open_wait_times_fail_count")),
            ],
        ),
    ]
}
