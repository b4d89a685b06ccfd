//! A rule as a table of a sweep file.

use std::fmt::Write;

use engine::Duration;
use policies::{AnyRule, Value};

/// The rule as a table `[[rule]]`, without what is a default.
#[must_use]
pub fn rule_table(rule: &AnyRule) -> String {
    let mut table = format!("[[rule]]\nkind = \"{}\"\n", rule.name());
    let mut line = |name: &str, value: String| writeln!(table, "{name} = {value}").expect("texts grow");
    if let Some(dialect) = rule.dialect() {
        let library = dialect.library();
        for (name, value) in library.without_defaults(&dialect.settings()).iter() {
            line(name, written(value));
        }
        return table;
    }
    if let Some(window) = rule.window() {
        line("window", window.to_string());
    }
    if let Some(threshold) = rule.threshold() {
        line("threshold", threshold.to_string());
    }
    if let (Some(open_for), Some(half_open)) = (rule.open_for(), rule.half_open()) {
        line("open_for", quoted(open_for));
        line("half_open_permits", half_open.permits.to_string());
        line("half_open_successes", half_open.successes.to_string());
    }
    table
}

fn written(value: Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Flag(flag) => flag.to_string(),
        Value::Word(word) => format!("\"{word}\""),
        Value::Time(time) => quoted(time),
        Value::Times(times) => format!("\"{times}\""),
    }
}

fn quoted(time: Duration) -> String {
    format!("\"{time}\"")
}
