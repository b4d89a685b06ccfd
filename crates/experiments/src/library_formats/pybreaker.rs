//! pybreaker: the call that makes a breaker.

use super::Design;

pub(super) fn export(design: &Design<'_>) -> Result<String, String> {
    let arguments = ["fail_max", "reset_timeout", "success_threshold"]
        .map(|name| format!("{name}={}", design.written(name).expect("has a default")));
    Ok(format!("# {}\nbreaker = pybreaker.CircuitBreaker({})\n", design.origin(), arguments.join(", ")))
}
