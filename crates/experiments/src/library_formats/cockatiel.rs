//! cockatiel: `circuitBreaker(handleAll, options)`.
//!
//! In JSON, which has no classes, `breaker` and a back-off are tables with a `kind`, as in recordings.

use std::fmt::Write;

use policies::Written;

use super::reader::Builder;
use super::tree::{Entry, Node, Value};
use super::{Design, FormatError, FormatErrors, Imported, Units};

pub(super) fn export(design: &Design<'_>) -> Result<String, String> {
    let written = |name: &str| design.written(name);
    let breaker = design.word("breaker.kind").expect("required");
    let threshold = written("breaker.threshold").expect("required");
    let mut arguments = format!("threshold: {threshold}");
    for name in ["size", "minimumNumberOfCalls", "duration", "minimumRps"] {
        if let Some(value) = written(&format!("breaker.{name}")) {
            let _ = write!(arguments, ", {name}: {value}");
        }
    }
    let arguments = if breaker == "ConsecutiveBreaker" { threshold } else { format!("{{ {arguments} }}") };
    let after = match design.word("halfOpenAfter.kind") {
        None => written("halfOpenAfter").expect("a time or a back-off"),
        Some("IterableBackoff") => {
            let list = written("halfOpenAfter.durations").expect("the back-off has them");
            format!("new IterableBackoff([{}])", list.replace(',', ", "))
        }
        Some(_) => {
            let time = |name| written(name).expect("has a default");
            format!(
                "new ExponentialBackoff({{ generator: noJitterGenerator, initialDelay: {}, maxDelay: {} }})",
                time("halfOpenAfter.initialDelay"),
                time("halfOpenAfter.maxDelay")
            )
        }
    };
    Ok(format!(
        "// {}\nconst breaker = circuitBreaker(handleAll, {{\n  halfOpenAfter: {after},\n  breaker: new {breaker}({arguments}),\n}});\n",
        design.origin()
    ))
}

pub(super) fn import(node: &Node, units: Units) -> Result<Imported, FormatErrors> {
    let mut builder = Builder::new("cockatiel", "", node.line);
    FormatErrors::collect(node.entries().iter().map(|entry| read(&mut builder, entry, units)))?;
    Ok(builder.finish()?)
}

fn read(builder: &mut Builder, entry: &Entry, units: Units) -> Result<(), FormatErrors> {
    match entry.key.as_str() {
        "halfOpenAfter" | "halfOpenAfter_ms" => half_open_after(builder, entry, units),
        "breaker" => breaker(builder, entry, units),
        "initialState" => Err(Builder::refuse(entry, "every breaker begins closed here: leave it out").into()),
        "halfOpenSampling" => {
            Err(Builder::refuse(entry, "version 3.2.1 does not know it, and has one test call: leave it out").into())
        }
        _ => Err(Builder::unknown(entry, &["halfOpenAfter", "breaker"]).into()),
    }
}

/// The kind of a part, and its options: `new Kind({…})` or `{ kind: "Kind", … }`.
fn part(entry: &Entry) -> Option<(&str, Vec<Entry>, Option<&Node>)> {
    match &entry.value.value {
        Value::New { class, arguments } => {
            let first = arguments.first();
            Some((class, first.map(Node::entries).unwrap_or_default().to_vec(), first))
        }
        Value::Table(entries) => {
            let kind = entries.iter().find(|entry| entry.key == "kind")?;
            let Value::Text(kind) = &kind.value.value else { return None };
            Some((kind, entries.iter().filter(|entry| entry.key != "kind").cloned().collect(), None))
        }
        _ => None,
    }
}

fn breaker(builder: &mut Builder, entry: &Entry, units: Units) -> Result<(), FormatErrors> {
    let Some((kind, options, first)) = part(entry) else {
        let problem = "it has to be `new ConsecutiveBreaker(5)`, `new CountBreaker({…})` or `new SamplingBreaker({…})`; in \
                       JSON, { \"kind\": \"CountBreaker\", … }";
        return Err(FormatError::new(entry.line, &entry.key, problem.to_owned()).into());
    };
    let mut wrong = Vec::from_iter(builder.read("breaker.kind", entry.value.line, Written::Text(kind)).err());
    if let Some(node) = first.filter(|node| node.entries().is_empty()) {
        let entry = Entry { key: "breaker.threshold".to_owned(), line: node.line, value: node.clone() };
        wrong.extend(builder.number(&entry, Ok).err());
    }
    for option in &options {
        let name = format!("breaker.{}", option.key);
        let read = match option.key.as_str() {
            "threshold" if matches!(kind, "CountBreaker" | "SamplingBreaker") => {
                builder.number_as(&name, option, |number| units.share(number))
            }
            "duration" | "duration_ms" => builder.number_as(&name, option, |number| units.millis(number)),
            _ => builder.number_as(&name, option, Ok),
        };
        wrong.extend(read.err());
    }
    FormatErrors::unless_none(wrong)
}

fn half_open_after(builder: &mut Builder, entry: &Entry, units: Units) -> Result<(), FormatErrors> {
    let Some((kind, options, first)) = part(entry) else {
        return Ok(builder.number(entry, |number| units.millis(number))?);
    };
    let line = entry.value.line;
    match kind {
        "ConstantBackoff" => {
            let node = first.ok_or_else(|| Builder::refuse(entry, "it has no time"))?;
            let constant = Entry { key: "halfOpenAfter".to_owned(), line, value: node.clone() };
            Ok(builder.number(&constant, |number| units.millis(number))?)
        }
        "IterableBackoff" => {
            builder.read("halfOpenAfter.kind", line, Written::Text(kind))?;
            let list = first.or_else(|| options.first().map(|option| &option.value));
            let text = list.and_then(durations).ok_or_else(|| {
                Builder::refuse(entry, "it has to hold a list of whole milliseconds, such as [100, 300, 700]")
            })?;
            Ok(builder.read("halfOpenAfter.durations", line, Written::Text(&text))?)
        }
        "ExponentialBackoff" | "ExponentialBackoff_noJitter" => {
            exponential_backoff(builder, entry, kind, &options, units)
        }
        _ => {
            let why = "known are a number, ConstantBackoff, IterableBackoff and ExponentialBackoff";
            Err(Builder::refuse(entry, why).into())
        }
    }
}

/// An exponential back-off, which is known exactly where it is not random.
fn exponential_backoff(
    builder: &mut Builder,
    entry: &Entry,
    kind: &str,
    options: &[Entry],
    units: Units,
) -> Result<(), FormatErrors> {
    let generator = options.iter().find(|option| option.key == "generator").map(|option| &option.value.value);
    let has_no_jitter = kind.ends_with("noJitter")
        || matches!(generator, Some(Value::Code(name)) if name.ends_with("noJitterGenerator"));
    let mut wrong = Vec::new();
    if !has_no_jitter {
        let why = "its open time is random, which is not known exactly: give it `generator: noJitterGenerator`";
        wrong.push(Builder::refuse(entry, why));
    }
    let line = entry.value.line;
    wrong.extend(builder.read("halfOpenAfter.kind", line, Written::Text("ExponentialBackoff_noJitter")).err());
    for option in options.iter().filter(|option| option.key != "generator") {
        let name = format!("halfOpenAfter.{}", option.key);
        let read = match option.key.as_str() {
            "exponent" => builder.number_as(&name, option, Ok),
            _ => builder.number_as(&name, option, |number| units.millis(number)),
        };
        wrong.extend(read.err());
    }
    FormatErrors::unless_none(wrong)
}

/// A list of numbers as a text with commas.
fn durations(node: &Node) -> Option<String> {
    match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::List(elements) => {
            let digits = elements.iter().map(|element| match &element.value {
                Value::Number(digits) => Some(digits.as_str()),
                _ => None,
            });
            digits.collect::<Option<Vec<_>>>().map(|digits| digits.join(","))
        }
        _ => None,
    }
}
