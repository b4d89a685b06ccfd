//! Failsafe for Java, and failsafe-go: their builders.

use engine::Duration;

use super::Design;
use super::gobreaker::go_duration;
use super::resilience4j::java_duration;

/// What both builders are told.
struct Thresholds {
    failures: u64,
    capacity: Option<u64>,
    period: Option<Duration>,
    executions: Option<u64>,
    rate: Option<f64>,
    successes: Option<u64>,
    success_capacity: Option<u64>,
    delay: Duration,
}

impl Thresholds {
    fn of(design: &Design<'_>) -> Self {
        let count = |name| design.number(name).map(|number| number as u64);
        let failures = count("failureThreshold").unwrap_or(1);
        let successes = count("successThreshold");
        Self {
            failures,
            capacity: count("failureThresholdingCapacity").filter(|&capacity| capacity != failures),
            period: design.time("failureThresholdingPeriod").filter(|period| !period.is_zero()),
            executions: count("failureExecutionThreshold").filter(|&executions| executions > 0),
            rate: design.number("failureRateThreshold"),
            successes,
            success_capacity: count("successThresholdingCapacity").filter(|&capacity| Some(capacity) != successes),
            delay: design.time("delay").expect("has a default"),
        }
    }
}

pub(super) fn export_java(design: &Design<'_>) -> Result<String, String> {
    let it = Thresholds::of(design);
    let failures = match (it.period.map(java_duration), it.rate, it.executions, it.capacity) {
        (Some(period), Some(rate), Some(executions), _) => {
            format!("withFailureRateThreshold({rate}, {executions}, {period})")
        }
        (Some(period), None, Some(executions), _) if executions != it.failures => {
            format!("withFailureThreshold({}, {executions}, {period})", it.failures)
        }
        (Some(period), None, _, _) => format!("withFailureThreshold({}, {period})", it.failures),
        (None, _, _, Some(capacity)) => format!("withFailureThreshold({}, {capacity})", it.failures),
        _ => format!("withFailureThreshold({})", it.failures),
    };
    let successes = match (it.successes, it.success_capacity) {
        (Some(successes), Some(capacity)) => format!("    .withSuccessThreshold({successes}, {capacity})\n"),
        (Some(successes), None) => format!("    .withSuccessThreshold({successes})\n"),
        (None, _) => String::new(),
    };
    Ok(format!(
        "// {}\nCircuitBreaker<Object> breaker = CircuitBreaker.builder()\n    .{failures}\n{successes}    .withDelay({})\n    .build();\n",
        design.origin(),
        java_duration(it.delay)
    ))
}

pub(super) fn export_go(design: &Design<'_>) -> Result<String, String> {
    let it = Thresholds::of(design);
    let failures = match (it.period.map(go_duration), it.rate, it.executions, it.capacity) {
        (Some(period), Some(rate), Some(executions), _) => {
            format!("WithFailureRateThreshold({rate}, {executions}, {period})")
        }
        (Some(period), None, _, _) => format!("WithFailureThresholdPeriod({}, {period})", it.failures),
        (None, _, _, Some(capacity)) => format!("WithFailureThresholdRatio({}, {capacity})", it.failures),
        _ => format!("WithFailureThreshold({})", it.failures),
    };
    let successes = match (it.successes, it.success_capacity) {
        (Some(successes), Some(capacity)) => format!("\tWithSuccessThresholdRatio({successes}, {capacity}).\n"),
        (Some(successes), None) => format!("\tWithSuccessThreshold({successes}).\n"),
        (None, _) => String::new(),
    };
    Ok(format!(
        "// {}\nbreaker := circuitbreaker.NewBuilder[any]().\n\t{failures}.\n{successes}\tWithDelay({}).\n\tBuild()\n",
        design.origin(),
        go_duration(it.delay)
    ))
}
