//! recloser: its builder, in Rust.

use std::fmt::Write;

use engine::Duration;

use super::Design;

pub(super) fn export(design: &Design<'_>) -> Result<String, String> {
    let mut out = format!("// {}\nlet recloser = Recloser::custom()\n", design.origin());
    for name in ["error_rate", "error_rate_closed", "error_rate_half_open"] {
        if let Some(rate) = design.number(name) {
            let _ = writeln!(out, "    .{name}({rate:?})");
        }
    }
    for name in ["closed_len", "half_open_len"] {
        let _ = writeln!(out, "    .{name}({})", design.written(name).expect("has a default"));
    }
    let _ = writeln!(out, "    .open_wait({})", rust_duration(design.time("open_wait").expect("has a default")));
    if design.word("open_wait_strategy").is_some() {
        out.push_str("    .open_wait_strategy(|fail_count: u32, open_wait: Duration| open_wait * fail_count)\n");
    }
    out.push_str("    .build();\n");
    Ok(out)
}

/// The time as an expression of Rust.
pub(super) fn rust_duration(time: Duration) -> String {
    let nanos = time.as_nanos();
    let units = [("from_secs", 1_000_000_000), ("from_millis", 1_000_000), ("from_micros", 1_000), ("from_nanos", 1)];
    let (from, size) = units.into_iter().find(|&(_, size)| nanos.is_multiple_of(size)).expect("of nanoseconds always");
    format!("Duration::{from}({})", nanos / size)
}
