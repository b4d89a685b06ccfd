//! gobreaker: the struct `Settings`, in Go, or its fields as JSON.
//!
//! `ReadyToTrip` is a function. Four are known: the default, a run of failures, a number of failures, a share of failures;
//! others are refused. In JSON it is a table with a `kind`, as in recordings.

use std::fmt::Write;

use engine::Duration;
use policies::{Value as Setting, Written};

use super::go::{self, Field};
use super::reader::Builder;
use super::tree::{Entry, Node, Value};
use super::{Design, FormatError, FormatErrors, Imported, Units};

const COUNTS: [&str; 1] = ["MaxRequests"];
const TIMES: [&str; 3] = ["Interval", "BucketPeriod", "Timeout"];

/// Fields about something else than the breaker's decisions, or about which results are failures.
const BESIDE: [&str; 4] = ["Name", "OnStateChange", "IsSuccessful", "IsExcluded"];

/// The units of package `time`, in nanoseconds.
const UNITS: [(&str, u64); 6] = [
    ("time.Hour", 3_600_000_000_000),
    ("time.Minute", 60_000_000_000),
    ("time.Second", 1_000_000_000),
    ("time.Millisecond", 1_000_000),
    ("time.Microsecond", 1_000),
    ("time.Nanosecond", 1),
];

pub(super) fn export(design: &Design<'_>) -> Result<String, String> {
    let mut out = format!("// {}\ngobreaker.Settings{{\n\tName: {:?},\n", design.origin(), design.name);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "\t{name}: {value},");
    };
    line("MaxRequests", design.written("MaxRequests").expect("has a default"));
    for name in TIMES {
        line(name, go_duration(design.time(name).expect("has a default")));
    }
    let n = || design.written("ReadyToTrip.n").expect("the kind needs it");
    let condition = match design.word("ReadyToTrip.kind") {
        Some("consecutive_failures_ge") => Some(format!("counts.ConsecutiveFailures >= {}", n())),
        Some("total_failures_ge") => Some(format!("counts.TotalFailures >= {}", n())),
        Some("failure_ratio") => Some(format!(
            "counts.Requests >= {} && float64(counts.TotalFailures)/float64(counts.Requests) >= {}",
            design.written("ReadyToTrip.min_requests").expect("the kind needs it"),
            design.written("ReadyToTrip.ratio").expect("the kind needs it")
        )),
        // The default is the absence of the function.
        _ => None,
    };
    if let Some(condition) = condition {
        line("ReadyToTrip", format!("func(counts gobreaker.Counts) bool {{\n\t\treturn {condition}\n\t}}"));
    }
    out.push_str("}\n");
    Ok(out)
}

/// The time as an expression of Go.
pub(super) fn go_duration(time: Duration) -> String {
    let nanos = time.as_nanos();
    if nanos == 0 {
        return "0".to_owned();
    }
    let units = UNITS.iter().filter(|(name, _)| !matches!(*name, "time.Hour" | "time.Minute"));
    let (unit, size) = units.copied().find(|&(_, size)| nanos.is_multiple_of(size)).expect("of nanoseconds always");
    format!("{} * {unit}", nanos / size)
}

pub(super) fn import_go(text: &str, units: Units) -> Result<Vec<Imported>, FormatErrors> {
    let literals = go::settings(text)?;
    FormatErrors::collect(literals.iter().filter(|fields| !fields.is_empty()).map(|fields| from_fields(fields, units)))
}

fn from_fields(fields: &[Field], units: Units) -> Result<Imported, FormatErrors> {
    let name = fields.iter().find(|field| field.name == "Name").map_or("", |field| field.value.trim_matches('"'));
    let mut builder = Builder::new("gobreaker", name, fields[0].line);
    let mut wrong = Vec::new();
    for field in fields {
        wrong.extend(read_field(&mut builder, field, units).err());
    }
    FormatErrors::unless_none(wrong)?;
    Ok(builder.finish()?)
}

fn read_field(builder: &mut Builder, field: &Field, units: Units) -> Result<(), FormatError> {
    let Field { name, value, line } = field;
    let wrong = |problem| FormatError::new(*line, name, problem);
    if let Some(known) = TIMES.iter().find(|known| *known == name) {
        builder.set(known, Setting::Time(duration(value, units).map_err(wrong)?));
    } else if COUNTS.contains(&name.as_str()) {
        let digits = value.trim_start_matches("uint32(").trim_end_matches(')').replace('_', "");
        let number = digits.parse().map_err(|_| wrong(format!("`{value}` is no whole number: write its digits")))?;
        builder.read(name, *line, Written::Number(number))?;
    } else if name == "ReadyToTrip" {
        ready_to_trip(builder, value, *line)?;
    } else if matches!(name.as_str(), "IsSuccessful" | "IsExcluded") {
        builder.note(format!("{name}: which results are failures is the scenario's"));
    } else if !BESIDE.contains(&name.as_str()) {
        return Err(wrong("gobreaker's Settings have no such field".to_owned()));
    }
    Ok(())
}

/// A product of whole numbers and units of package `time`.
fn duration(text: &str, units: Units) -> Result<Duration, String> {
    let mut nanos: u64 = 1;
    let mut has_unit = false;
    for factor in text.split('*').map(str::trim) {
        let factor = factor.strip_prefix("time.Duration(").and_then(|inner| inner.strip_suffix(')')).unwrap_or(factor);
        let size = match UNITS.iter().find(|(name, _)| *name == factor) {
            Some(&(_, size)) => {
                has_unit = true;
                Some(size)
            }
            None => factor.replace('_', "").parse().ok(),
        };
        let product = size.and_then(|size| nanos.checked_mul(size));
        nanos = product.ok_or_else(|| {
            format!("`{text}` is no duration that can be read: write a product such as 10 * time.Second")
        })?;
    }
    if !has_unit && nanos != 0 && units == Units::Checked {
        return Err(format!(
            "{text} without a unit is {nanos} nanoseconds to Go: write {text} * time.Second or {text} * time.Millisecond; if \
             it is meant so, say --trust-units"
        ));
    }
    Ok(Duration::from_nanos(nanos))
}

/// What a function `ReadyToTrip` tests.
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    Run(u32),
    Total(u32),
    Ratio { min_requests: u32, ratio: f64 },
}

fn ready_to_trip(builder: &mut Builder, function: &str, line: usize) -> Result<(), FormatError> {
    if function == "nil" {
        return Ok(());
    }
    let condition = condition(function).ok_or_else(|| {
        let problem = "only these functions are known: counts.ConsecutiveFailures > n, counts.TotalFailures > n, and \
                       counts.Requests >= n && float64(counts.TotalFailures)/float64(counts.Requests) >= r (with > or >= \
                       where numbers are whole); leave the field out for the default";
        FormatError::new(line, "ReadyToTrip", problem.to_owned())
    })?;
    set_condition(builder, &condition);
    Ok(())
}

fn set_condition(builder: &mut Builder, condition: &Condition) {
    let (kind, n) = match *condition {
        Condition::Run(n) => ("consecutive_failures_ge", n),
        Condition::Total(n) => ("total_failures_ge", n),
        Condition::Ratio { min_requests, ratio } => {
            builder.set("ReadyToTrip.kind", Setting::Word("failure_ratio"));
            builder.set("ReadyToTrip.min_requests", Setting::Number(min_requests.into()));
            return builder.set("ReadyToTrip.ratio", Setting::Number(ratio));
        }
    };
    builder.set("ReadyToTrip.kind", Setting::Word(kind));
    builder.set("ReadyToTrip.n", Setting::Number(n.into()));
}

/// Reads a function that is a `return`, with names for parts of it perhaps.
fn condition(function: &str) -> Option<Condition> {
    let (head, body) = function.split_once('{')?;
    let counts = head.split_once('(')?.1.split_whitespace().next()?;
    let body = body.trim_end().strip_suffix('}')?;
    let mut named: Vec<(&str, String)> = Vec::new();
    for statement in body.split(['\n', ';']).map(str::trim).filter(|statement| !statement.is_empty()) {
        let substitute = |text: &str| {
            let plain: String = text.split_whitespace().collect();
            named.iter().fold(plain, |text, (name, value)| text.replace(name, value))
        };
        if let Some(returned) = statement.strip_prefix("return ") {
            return test(&substitute(returned).replace(&format!("{counts}."), ""));
        }
        let (name, value) = statement.split_once(":=")?;
        let value = substitute(value);
        named.push((name.trim(), value));
    }
    None
}

/// Reads the expression of a `return`, without blanks.
fn test(expression: &str) -> Option<Condition> {
    if let Some((first, second)) = expression.split_once("&&") {
        let (requests, ratio) = match comparison(first, "Requests") {
            Some(requests) => (requests, second),
            None => (comparison(second, "Requests")?, first),
        };
        return Some(Condition::Ratio { min_requests: requests, ratio: share(ratio)? });
    }
    comparison(expression, "ConsecutiveFailures")
        .map(Condition::Run)
        .or_else(|| comparison(expression, "TotalFailures").map(Condition::Total))
        .or_else(|| share(expression).map(|ratio| Condition::Ratio { min_requests: 0, ratio }))
}

/// `Name>=n` or `Name>n`: the least number that passes.
fn comparison(expression: &str, name: &str) -> Option<u32> {
    let rest = without_brackets(expression).strip_prefix(name)?.strip_prefix('>')?;
    match rest.strip_prefix('=') {
        Some(digits) => digits.parse().ok(),
        None => rest.parse::<u32>().ok()?.checked_add(1),
    }
}

/// `float64(TotalFailures)/float64(Requests)>=r`.
fn share(expression: &str) -> Option<f64> {
    let expression = without_brackets(expression);
    let (quotient, ratio) = expression.split_once(">=")?;
    let quotient = without_brackets(quotient);
    (quotient == "float64(TotalFailures)/float64(Requests)").then_some(())?;
    ratio.parse().ok().filter(|ratio: &f64| ratio.is_finite())
}

/// The expression within one pair of brackets around all of it.
fn without_brackets(expression: &str) -> &str {
    let inner = expression.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inner
        .filter(|inner| inner.find(')').is_none_or(|close| inner.find('(').is_some_and(|open| open < close)))
        .unwrap_or(expression)
}

pub(super) fn import_json(node: &Node, units: Units) -> Result<Imported, FormatErrors> {
    let name = match node.get("Name").map(|name| &name.value) {
        Some(Value::Text(name)) => name.as_str(),
        _ => "",
    };
    let mut builder = Builder::new("gobreaker", name, node.line);
    FormatErrors::collect(node.entries().iter().map(|entry| read_entry(&mut builder, entry, units)))?;
    Ok(builder.finish()?)
}

fn read_entry(builder: &mut Builder, entry: &Entry, units: Units) -> Result<(), FormatErrors> {
    match entry.key.as_str() {
        key if TIMES.contains(&key) => time(builder, entry, units)?,
        "Interval_ms" | "BucketPeriod_ms" | "Timeout_ms" => builder.number(entry, |number| units.millis(number))?,
        "MaxRequests" => builder.plain(entry)?,
        "ReadyToTrip" if !matches!(entry.value.value, Value::Table(_) | Value::Null) => {
            let problem = "it has to be a table such as { \"kind\": \"consecutive_failures_ge\", \"n\": 6 }; leave it out \
                           for the default";
            return Err(FormatError::new(entry.value.line, &entry.key, problem.to_owned()).into());
        }
        "ReadyToTrip" => {
            let mut wrong = Vec::new();
            for part in entry.value.entries() {
                wrong.extend(read_condition(builder, part, units).err());
            }
            FormatErrors::unless_none(wrong)?;
        }
        key if BESIDE.contains(&key) => {}
        _ => Err(Builder::unknown(entry, &["MaxRequests", "Interval", "BucketPeriod", "Timeout", "ReadyToTrip"]))?,
    }
    Ok(())
}

/// A part of the table that stands for a function `ReadyToTrip`.
fn read_condition(builder: &mut Builder, part: &Entry, units: Units) -> Result<(), FormatError> {
    let name = format!("ReadyToTrip.{}", part.key);
    match &part.value.value {
        Value::Text(kind) => builder.read(&name, part.line, Written::Text(kind)),
        _ if part.key == "ratio" => builder.number_as(&name, part, |number| units.share(number)),
        _ => builder.number_as(&name, part, Ok),
    }
}

/// A time in JSON: a text such as "30s" or "1m30s", or 0.
fn time(builder: &mut Builder, entry: &Entry, units: Units) -> Result<(), FormatError> {
    let name = TIMES.iter().find(|name| **name == entry.key).expect("one of them");
    let wrong = |problem| FormatError::new(entry.value.line, &entry.key, problem);
    let time = match &entry.value.value {
        Value::Text(text) => parsed(text).ok_or_else(|| wrong(format!("\"{text}\" is no duration of Go: write \"30s\""))),
        Value::Number(digits) => duration(digits, units).map_err(|_| {
            wrong(format!(
                "{digits} without a unit is {digits} nanoseconds to Go: write \"{digits}s\" or \"{digits}ms\"; if it is meant \
                 so, say --trust-units"
            ))
        }),
        _ => Err(wrong(format!("{} is no duration: write \"30s\"", entry.value.in_words()))),
    }?;
    builder.set(name, Setting::Time(time));
    Ok(())
}

/// A text as `time.ParseDuration` reads it: whole numbers or decimals, each with a unit.
fn parsed(text: &str) -> Option<Duration> {
    let units = [("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
    let longer = [("m", 60_000_000_000), ("h", 3_600_000_000_000_u64)];
    let (mut rest, mut nanos) = (text, 0_u64);
    while !rest.is_empty() {
        let digits = rest.find(|next: char| !(next.is_ascii_digit() || next == '.'))?;
        let end = rest[digits..].find(|next: char| next.is_ascii_digit()).map_or(rest.len(), |end| digits + end);
        let unit = &rest[digits..end];
        let &(_, size) = units.iter().chain(&longer).find(|(name, _)| *name == unit)?;
        let (whole, fraction) = rest[..digits].split_once('.').unwrap_or((&rest[..digits], ""));
        let parts = 10_u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
        let fraction: u64 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
        let fraction = fraction.checked_mul(size).filter(|nanos| nanos.is_multiple_of(parts))? / parts;
        nanos = nanos.checked_add(whole.parse::<u64>().ok()?.checked_mul(size)?)?.checked_add(fraction)?;
        rest = &rest[end..];
    }
    (!text.is_empty()).then_some(Duration::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_read_in_the_forms_in_which_they_are_written() {
        let run = "func(counts gobreaker.Counts) bool { return counts.ConsecutiveFailures > 5 }";
        assert_eq!(condition(run), Some(Condition::Run(6)));
        assert_eq!(condition("func(c Counts) bool {\n\treturn c.TotalFailures >= 7\n}"), Some(Condition::Total(7)));
        let ratio = "func(counts gobreaker.Counts) bool {\n  failureRatio := float64(counts.TotalFailures) / \
                     float64(counts.Requests)\n  return counts.Requests >= 3 && failureRatio >= 0.6\n}";
        assert_eq!(condition(ratio), Some(Condition::Ratio { min_requests: 3, ratio: 0.6 }));
        let swapped =
            "func(c Counts) bool { return (float64(c.TotalFailures)/float64(c.Requests) >= 0.5) && (c.Requests > 9) }";
        assert_eq!(condition(swapped), Some(Condition::Ratio { min_requests: 10, ratio: 0.5 }));
    }

    #[test]
    fn other_functions_are_not_guessed() {
        for body in [
            "return counts.TotalFailures > counts.TotalSuccesses",
            "return counts.Requests >= 3 && failureRatio > 0.6",
            "return counts.Requests >= 3 || counts.TotalFailures > 2",
            "if counts.Requests < 3 { return false }\nreturn true",
            "return float64(counts.TotalFailures)/float64(counts.Requests) > 0.6",
        ] {
            assert_eq!(condition(&format!("func(counts gobreaker.Counts) bool {{ {body} }}")), None, "{body}");
        }
    }

    #[test]
    fn durations_need_a_unit() {
        for (text, nanos) in [
            ("10 * time.Second", 10_000_000_000),
            ("time.Minute", 60_000_000_000),
            ("time.Duration(5) * time.Millisecond", 5_000_000),
            ("2*60*time.Second", 120_000_000_000),
            ("0", 0),
        ] {
            assert_eq!(duration(text, Units::Checked), Ok(Duration::from_nanos(nanos)), "{text}");
        }
        let refused = duration("60", Units::Checked).expect_err("no unit");
        assert!(refused.contains("60 nanoseconds"), "{refused}");
        assert_eq!(duration("60", Units::Trusted), Ok(Duration::from_nanos(60)));
        for text in ["timeout", "1.5 * time.Second", "10 * time.Fortnight"] {
            assert!(duration(text, Units::Trusted).is_err(), "{text}");
        }
    }

    #[test]
    fn texts_are_read_as_go_reads_them() {
        for (text, nanos) in
            [("30s", 30_000_000_000), ("1m30.5s", 90_500_000_000), ("1.5ms", 1_500_000), ("2h", 7_200_000_000_000)]
        {
            assert_eq!(parsed(text), Some(Duration::from_nanos(nanos)), "{text}");
        }
        for text in ["", "30", "s", "1.5.2s", "1d", "0.3ns"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }
}
