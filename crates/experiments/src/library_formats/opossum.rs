//! opossum: the options of `new CircuitBreaker(action, options)`.

use std::fmt::Write;

use policies::Written;

use super::reader::Builder;
use super::tree::{Entry, Node, Value};
use super::{Design, FormatError, FormatErrors, Imported, Units};

const SETTINGS: [&str; 7] = [
    "timeout",
    "errorThresholdPercentage",
    "volumeThreshold",
    "resetTimeout",
    "rollingCountTimeout",
    "rollingCountBuckets",
    "allowWarmUp",
];

/// Options about something else than the breaker's decisions.
const BESIDE: [&str; 8] = [
    "name",
    "group",
    "rollingPercentilesEnabled",
    "enableSnapshots",
    "rotateBucketController",
    "abortController",
    "autoRenewAbortController",
    "cacheGetKey",
];

pub(super) fn export(design: &Design<'_>) -> Result<String, String> {
    let mut out = format!("// {}: new CircuitBreaker(action, options)\nconst options = {{\n", design.origin());
    for name in SETTINGS {
        let _ = writeln!(out, "  {name}: {},", design.written(name).expect("has a default"));
    }
    out.push_str("};\n");
    Ok(out)
}

pub(super) fn import(node: &Node, units: Units) -> Result<Imported, FormatErrors> {
    let name = match node.get("name").map(|name| &name.value) {
        Some(Value::Text(name)) => name.as_str(),
        _ => "",
    };
    let mut builder = Builder::new("opossum", name, node.line);
    let mut wrong = Vec::new();
    for entry in node.entries() {
        wrong.extend(read(&mut builder, entry, units).err());
    }
    FormatErrors::unless_none(wrong)?;
    Ok(builder.finish()?)
}

fn read(builder: &mut Builder, entry: &Entry, units: Units) -> Result<(), FormatError> {
    match entry.key.as_str() {
        "timeout" if entry.value.value == Value::Flag(false) => {
            builder.read("timeout", entry.value.line, Written::Flag(false))
        }
        "timeout" | "resetTimeout" | "rollingCountTimeout" => builder.number(entry, |number| units.millis(number)),
        "errorThresholdPercentage" => builder.number(entry, |number| units.percent(number)),
        "volumeThreshold" | "rollingCountBuckets" | "allowWarmUp" => builder.plain(entry),
        "errorFilter" => {
            builder.note("errorFilter: which results are failures is the scenario's".to_owned());
            Ok(())
        }
        "capacity" => {
            builder.note("capacity is a bulkhead: `scenario.slots` is the one pool here".to_owned());
            Ok(())
        }
        "cache" | "coalesce" if entry.value.value == Value::Flag(false) => Ok(()),
        "cache" | "coalesce" | "status" | "state" | "enabled" => {
            Err(Builder::refuse(entry, "this changes what the breaker does and is not known here: leave it out"))
        }
        "maxFailures" => Err(Builder::refuse(entry, "opossum no longer knows it: use `errorThresholdPercentage`")),
        key if BESIDE.contains(&key) || key.starts_with("cache") || key.starts_with("coalesce") => Ok(()),
        _ => Err(Builder::unknown(entry, &SETTINGS)),
    }
}
