//! Designs of Tripcurve's own families in a library's form: only where the library does exactly the same.

use policies::{AnyRule, Consecutive, Library, Settings, Value};

use super::Format;

/// The library's rule that does what a rule of an own family does; `None` if the rule is a library's already.
///
/// # Errors
///
/// If the library has none, with what differs.
pub(super) fn translated(rule: &AnyRule, format: &Format) -> Result<Option<AnyRule>, String> {
    match rule {
        AnyRule::Dialect(_) => Ok(None),
        AnyRule::None(_) => Err("the design is no breaker: there is nothing to print".to_owned()),
        AnyRule::Consecutive(consecutive) if format.name == "gobreaker" => in_gobreaker(consecutive).map(Some),
        AnyRule::Consecutive(_) | AnyRule::Ratio(_) => Err(format!(
            "no breaker of {} does exactly what `{}` does here: {}. Simulate one of the library's own instead (kind = \"{}\") and \
             print that",
            format.name,
            rule.name(),
            difference(format.name),
            format.libraries[0]
        )),
    }
}

/// The same but for the last instant of the open time, at which gobreaker still turns a call away.
fn in_gobreaker(rule: &Consecutive) -> Result<AnyRule, String> {
    let half_open = rule.half_open();
    if (half_open.permits, half_open.successes) != (1, 1) {
        return Err(format!(
            "gobreaker lets MaxRequests probes through in all and needs as many successes; here {} may be under way at once and \
             {} have to succeed: only 1 and 1 are the same",
            half_open.permits, half_open.successes
        ));
    }
    let library = Library::named("gobreaker").expect("a library that is known");
    let settings = Settings::new()
        .with("MaxRequests", Value::Number(1.0))
        .with("Timeout", Value::Time(rule.open_for()))
        .with("ReadyToTrip.kind", Value::Word("consecutive_failures_ge"))
        .with("ReadyToTrip.n", Value::Number(rule.threshold().into()));
    library.build(&settings).map_err(|error| error.to_string())
}

/// What every breaker of a library does otherwise than our own families.
fn difference(format: &str) -> &'static str {
    match format {
        "gobreaker" => {
            "it counts calls when they start, and everything since the last change of state or within an interval"
        }
        "resilience4j" | "resilience4j-java" => {
            "late results decide a half-open breaker, and a probe's permit is not given back by its result"
        }
        "hystrix" => "it looks at windows of time, at health snapshots, and late results decide",
        "failsafe" | "failsafe-go" => "late results count in half-open, and each raises the number of probes",
        "opossum" => "it looks at windows of time, opens above the threshold, and keeps its window across states",
        "cockatiel" => "calls wait while a probe is under way, and counts go on across states",
        "pybreaker" | "failsafe-rs" => {
            "every call of a half-open breaker is let through, and counts go on across states"
        }
        "recloser" => "every call of a half-open breaker is let through, and windows are full one result later",
        "sentinel" => "it looks at windows of time, opens above the threshold, and late results decide",
        _ => "it is another rule",
    }
}
