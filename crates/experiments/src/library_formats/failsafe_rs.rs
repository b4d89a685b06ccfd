//! The failsafe crate: its configuration, in Rust.

use super::Design;
use super::recloser::rust_duration;

pub(super) fn export(design: &Design<'_>) -> Result<String, String> {
    let time = |name| rust_duration(design.time(name).expect("has a default, or is given"));
    let written = |name| design.written(name).expect("has a default");
    let backoff = match design.word("backoff.kind") {
        Some("constant") => format!("backoff::constant({})", time("backoff.wait")),
        Some(kind) => format!("backoff::{kind}({}, {})", time("backoff.start"), time("backoff.max")),
        None => return Err("the design has no back-off".to_owned()),
    };
    let policy = design.word("failure_policy").expect("has a default");
    let consecutive =
        || format!("failure_policy::consecutive_failures({}, {backoff})", written("consecutive_failures.num_failures"));
    let average = || {
        format!(
            "failure_policy::success_rate_over_time_window({:?}, {}, {}, {backoff})",
            design.number("success_rate_over_time_window.required_success_rate").expect("has a default"),
            written("success_rate_over_time_window.min_request_threshold"),
            time("success_rate_over_time_window.window")
        )
    };
    let policy = match policy {
        "consecutive_failures" => consecutive(),
        "success_rate_over_time_window" => average(),
        _ => format!("{}\n    .or_else({})", average(), consecutive()),
    };
    Ok(format!(
        "// {}\nlet policy = {policy};\nlet breaker = Config::new().failure_policy(policy).build();\n",
        design.origin()
    ))
}
