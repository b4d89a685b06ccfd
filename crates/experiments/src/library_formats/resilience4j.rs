//! Resilience4j: the properties of its Spring Boot starters, and its Java builder.
//!
//! Names and inheritance: `CommonCircuitBreakerConfigurationProperties` of resilience4j-framework-common. Names are bound as
//! Spring does it: `slidingWindowSize`, `sliding-window-size` and `SLIDING_WINDOW_SIZE` are one.

use std::fmt::Write;

use policies::Value as Setting;

use super::properties::Property;
use super::reader::Builder;
use super::tree::{Entry, Node, Value};
use super::units::{in_spring, number};
use super::{Design, FormatError, Imported, Units};

const LIBRARY: &str = "resilience4j";

/// Properties that are settings of the breaker under the same name.
const PLAIN: [&str; 4] =
    ["slidingWindowType", "slidingWindowSize", "minimumNumberOfCalls", "permittedNumberOfCallsInHalfOpenState"];
const PERCENTAGES: [&str; 2] = ["failureRateThreshold", "slowCallRateThreshold"];
const TIMES: [&str; 3] = ["slowCallDurationThreshold", "waitDurationInOpenState", "maxWaitDurationInHalfOpenState"];

/// Properties about something else than the breaker's decisions.
const BESIDE: [&str; 5] = [
    "registerHealthIndicator",
    "allowHealthIndicatorToFail",
    "eventConsumerBufferSize",
    "writableStackTraceEnabled",
    "ignoreClassBindingExceptions",
];

/// Properties that say which results are failures. In a sweep, that is the scenario's.
const JUDGING: [&str; 5] = [
    "recordExceptions",
    "ignoreExceptions",
    "recordFailurePredicate",
    "recordResultPredicate",
    "ignoreExceptionPredicate",
];

/// Properties that are dealt with one by one.
const SPECIAL: [&str; 8] = [
    "baseConfig",
    "automaticTransitionFromOpenToHalfOpenEnabled",
    "initialState",
    "enableExponentialBackoff",
    "exponentialBackoffMultiplier",
    "exponentialMaxWaitDurationInOpenState",
    "enableRandomizedWait",
    "randomizedWaitFactor",
];

/// `IntervalFunction.ofExponentialBackoff` without a multiplier.
const USUAL_MULTIPLIER: f64 = 1.5;

pub(super) fn export(design: &Design<'_>) -> Result<String, String> {
    for (name, usual) in
        [("slidingWindowSynchronizationStrategy", "SYNCHRONIZED"), ("transitionToStateAfterWaitDuration", "OPEN")]
    {
        if let Some(word) = design.word(name).filter(|&word| word != usual) {
            return Err(format!(
                "Spring Boot has no property for {name} = {word}: print the design --as resilience4j-java and use it in a \
                 CircuitBreakerConfigCustomizer"
            ));
        }
    }
    let mut out = format!("# {}, for application.yml of Spring Boot\n", design.origin());
    let _ = write!(out, "resilience4j:\n  circuitbreaker:\n    instances:\n      {}:\n", yaml_key(design.name));
    let mut line = |name: &str, value: String| {
        let _ = writeln!(out, "        {name}: {value}");
    };
    for name in PLAIN.into_iter().chain(PERCENTAGES) {
        line(name, design.written(name).expect("has a default"));
    }
    for name in TIMES {
        let time = design.time(name).expect("has a default");
        // Spring's absence of a limit is the absence of the property.
        if !time.is_zero() {
            line(name, in_spring(time));
        }
    }
    if let Some(multiplier) = design.number("waitInterval_multiplier") {
        line("enableExponentialBackoff", "true".to_owned());
        line("exponentialBackoffMultiplier", multiplier.to_string());
        if let Some(max) = design.time("waitInterval_max") {
            line("exponentialMaxWaitDurationInOpenState", in_spring(max));
        }
    }
    Ok(out)
}

/// A name as a key of YAML and of Spring's maps.
fn yaml_key(name: &str) -> String {
    let is_plain = name.chars().all(|next| next.is_ascii_alphanumeric() || matches!(next, '-' | '_'));
    if is_plain && !name.is_empty() { name.to_owned() } else { format!("\"[{}]\"", name.replace('"', "\\\"")) }
}

pub(super) fn export_java(design: &Design<'_>) -> Result<String, String> {
    let word = |name| design.word(name).expect("has a default");
    let written = |name| design.written(name).expect("has a default");
    let time = |name| design.time(name).map(java_duration).expect("has a default");
    let mut out = format!("// {}\nCircuitBreakerConfig config = CircuitBreakerConfig.custom()\n", design.origin());
    let mut line = |call: String| {
        let _ = writeln!(out, "    .{call}");
    };
    line(format!(
        "slidingWindow({}, {}, SlidingWindowType.{}, SlidingWindowSynchronizationStrategy.{})",
        written("slidingWindowSize"),
        written("minimumNumberOfCalls"),
        word("slidingWindowType"),
        word("slidingWindowSynchronizationStrategy")
    ));
    for name in PERCENTAGES {
        line(format!("{name}({}f)", written(name)));
    }
    line(format!("slowCallDurationThreshold({})", time("slowCallDurationThreshold")));
    let wait = time("waitDurationInOpenState");
    match (design.number("waitInterval_multiplier"), design.time("waitInterval_max")) {
        (None, _) => line(format!("waitDurationInOpenState({wait})")),
        (Some(multiplier), max) => {
            let max = max.map(|max| format!(", {}", java_duration(max))).unwrap_or_default();
            let function = format!("IntervalFunction.ofExponentialBackoff({wait}, {multiplier:?}{max})");
            line(format!("waitIntervalFunctionInOpenState({function})"));
        }
    }
    line(format!("permittedNumberOfCallsInHalfOpenState({})", written("permittedNumberOfCallsInHalfOpenState")));
    if design.time("maxWaitDurationInHalfOpenState").is_some_and(|time| !time.is_zero()) {
        line(format!("maxWaitDurationInHalfOpenState({})", time("maxWaitDurationInHalfOpenState")));
        line(format!("transitionToStateAfterWaitDuration(State.{})", word("transitionToStateAfterWaitDuration")));
    }
    out.push_str("    .build();\n");
    Ok(out)
}

/// The time as an expression of Java.
pub(super) fn java_duration(time: engine::Duration) -> String {
    let nanos = time.as_nanos();
    let units = [("ofSeconds", 1_000_000_000), ("ofMillis", 1_000_000), ("ofNanos", 1)];
    let (of, size) = units.into_iter().find(|&(_, size)| nanos.is_multiple_of(size)).expect("of nanoseconds always");
    format!("Duration.{of}({})", nanos / size)
}

/// A leaf of the configuration and the keys that lead to it.
struct Leaf {
    path: Vec<String>,
    entry: Entry,
}

pub(super) fn import_properties(properties: &[Property], units: Units) -> Result<Vec<Imported>, FormatError> {
    let leaves = properties.iter().map(|Property { key, value, line }| {
        let value = Node { line: *line, value: value.clone() };
        let mut path = split_key(key);
        let key = path.pop().unwrap_or_default();
        Leaf { path, entry: Entry { key, line: *line, value } }
    });
    import(&leaves.collect::<Vec<_>>(), units)
}

pub(super) fn import_documents(documents: &[Node], units: Units) -> Result<Vec<Imported>, FormatError> {
    let mut configured: Vec<Vec<Leaf>> = Vec::new();
    for document in documents {
        let mut leaves = Vec::new();
        flatten(document, &[], &mut leaves);
        leaves.retain(|leaf| is_breaker(&leaf.path));
        if !leaves.is_empty() {
            configured.push(leaves);
        }
    }
    match configured.as_slice() {
        [] => Ok(Vec::new()),
        [leaves] => import(leaves, units),
        [_, second, ..] => Err(FormatError::new(
            second[0].entry.line,
            "resilience4j.circuitbreaker",
            "several documents configure breakers, and the active profile decides between them: keep the one that is active"
                .to_owned(),
        )),
    }
}

/// Splits `a.b[c.d].e`: a name in brackets is one key.
fn split_key(key: &str) -> Vec<String> {
    let mut keys = vec![String::new()];
    let mut in_brackets = false;
    for next in key.chars() {
        match next {
            '[' if !in_brackets => {
                in_brackets = true;
                if keys.last().is_some_and(|last| !last.is_empty()) {
                    keys.push(String::new());
                }
            }
            ']' if in_brackets => in_brackets = false,
            '.' if !in_brackets => keys.push(String::new()),
            _ => keys.last_mut().expect("not empty").push(next),
        }
    }
    keys
}

fn flatten(node: &Node, path: &[String], leaves: &mut Vec<Leaf>) {
    for entry in node.entries() {
        let mut inner = path.to_vec();
        inner.extend(split_key(&entry.key));
        if let Value::Table(_) = entry.value.value {
            flatten(&entry.value, &inner, leaves);
        } else {
            let key = inner.pop().unwrap_or_default();
            leaves.push(Leaf { path: inner, entry: Entry { key, ..entry.clone() } });
        }
    }
}

/// A property's name as Spring compares it.
fn bound(name: &str) -> String {
    name.chars().filter(|next| !matches!(next, '-' | '_')).collect::<String>().to_ascii_lowercase()
}

fn is_breaker(path: &[String]) -> bool {
    path.len() >= 2 && bound(&path[0]) == "resilience4j" && bound(&path[1]) == "circuitbreaker"
}

/// A named set of properties.
struct Group<'a> {
    name: &'a str,
    line: usize,
    entries: Vec<&'a Entry>,
}

fn import(leaves: &[Leaf], units: Units) -> Result<Vec<Imported>, FormatError> {
    let leaves: Vec<_> = leaves.iter().filter(|leaf| is_breaker(&leaf.path)).collect();
    let configs = groups(&leaves, &["configs"])?;
    let instances = groups(&leaves, &["instances", "backends"])?;
    if instances.is_empty() {
        // What every breaker that the program creates by itself gets.
        let default: Vec<_> = configs.iter().filter(|config| config.name == "default").collect();
        return default.into_iter().map(|config| breaker(config, &chain(config, &configs)?, units)).collect();
    }
    instances.iter().map(|instance| breaker(instance, &chain(instance, &configs)?, units)).collect()
}

fn groups<'a>(leaves: &[&'a Leaf], kinds: &[&str]) -> Result<Vec<Group<'a>>, FormatError> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for Leaf { path, entry } in leaves {
        if path.len() < 3 || !kinds.contains(&bound(&path[2]).as_str()) {
            continue;
        }
        let [_, _, _, name, rest @ ..] = path.as_slice() else {
            return Err(FormatError::new(entry.line, &entry.key, "it has to be a table of properties".to_owned()));
        };
        // An element of a list, such as recordExceptions[0].
        let entry_is_element = !rest.is_empty();
        let group = match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group,
            None => {
                groups.push(Group { name, line: entry.line, entries: Vec::new() });
                groups.last_mut().expect("was added")
            }
        };
        if !entry_is_element {
            group.entries.push(entry);
        } else if !JUDGING.iter().any(|known| bound(known) == bound(&rest[0])) {
            return Err(FormatError::new(entry.line, &rest[0], "it has no properties of its own".to_owned()));
        }
    }
    Ok(groups)
}

/// The configurations that a group inherits from, the nearest first.
fn chain<'g, 'a>(group: &Group<'a>, configs: &'g [Group<'a>]) -> Result<Vec<&'g Group<'a>>, FormatError> {
    let config = |name: &str| configs.iter().find(|config| config.name == name);
    let base = |group: &Group<'a>| group.entries.iter().find(|entry| bound(&entry.key) == "baseconfig").copied();
    let mut inherited: Vec<&Group<'a>> = Vec::new();
    let mut next = match base(group) {
        Some(_) => None,
        None => config(group.name).or_else(|| config("default")).filter(|config| !std::ptr::eq(*config, group)),
    };
    let mut named = base(group);
    loop {
        if let Some(entry) = named {
            let Value::Text(name) = &entry.value.value else {
                return Err(FormatError::new(
                    entry.value.line,
                    &entry.key,
                    "it has to be the name of a config".to_owned(),
                ));
            };
            let found = config(name).ok_or_else(|| {
                let known: Vec<_> = configs.iter().map(|config| config.name).collect();
                let problem = format!("there is no config \"{name}\"; there are: {}", known.join(", "));
                FormatError::new(entry.value.line, &entry.key, problem)
            })?;
            if inherited.iter().any(|seen| seen.name == found.name) {
                let problem = format!("the configs inherit from one another in a circle, by way of \"{name}\"");
                return Err(FormatError::new(entry.value.line, &entry.key, problem));
            }
            next = Some(found);
        }
        let Some(config) = next.take() else { return Ok(inherited) };
        inherited.push(config);
        named = base(config);
        if named.is_none() {
            return Ok(inherited);
        }
    }
}

/// What a breaker's properties say together.
fn breaker(group: &Group<'_>, inherited: &[&Group<'_>], units: Units) -> Result<Imported, FormatError> {
    let mut builder = Builder::new(LIBRARY, group.name, group.line);
    let mut seen: Vec<String> = Vec::new();
    let mut special: Vec<(&'static str, &Entry)> = Vec::new();
    let (mut size, mut minimum, mut permits, mut counts_results) = (100.0, 100.0, 10.0, true);
    for entry in std::iter::once(group).chain(inherited.iter().copied()).flat_map(|group| &group.entries) {
        if seen.contains(&bound(&entry.key)) || entry.value.value == Value::Null {
            continue;
        }
        seen.push(bound(&entry.key));
        if let Value::Text(text) = &entry.value.value
            && text.contains("${")
        {
            let problem = format!("{text} stands for something that is not here: write the value");
            return Err(FormatError::new(entry.value.line, &entry.key, problem));
        }
        let is = |name: &&&'static str| bound(name) == bound(&entry.key);
        if let Some(name) = PLAIN.iter().find(is) {
            let entry = Entry { key: (*name).to_owned(), ..(*entry).clone() };
            match *name {
                "slidingWindowSize" => size = number(&entry.value).unwrap_or(size),
                "minimumNumberOfCalls" => minimum = number(&entry.value).unwrap_or(minimum),
                "permittedNumberOfCallsInHalfOpenState" => permits = number(&entry.value).unwrap_or(permits),
                _ => {}
            }
            if *name == "slidingWindowType" {
                counts_results = window_type(&entry, &mut builder)?;
            } else {
                builder.plain(&entry)?;
            }
        } else if let Some(name) = PERCENTAGES.iter().find(is) {
            builder.number_as(name, entry, |number| units.percent(number))?;
        } else if let Some(name) = TIMES.iter().find(is) {
            builder.set(name, time(entry, units)?);
        } else if let Some(name) = SPECIAL.iter().find(is) {
            special.push((name, entry));
        } else if JUDGING.iter().any(|name| is(&name)) {
            builder.note(format!("{}: which results are failures is the scenario's", entry.key));
        } else if !BESIDE.iter().any(|name| is(&name)) {
            return Err(unknown(entry));
        }
    }
    specials(&mut builder, &special, seen.contains(&bound("waitDurationInOpenState")), units)?;
    // The builder's `slidingWindow` lowers the minimum to the window; the setters that Spring calls do not, which shows in
    // half-open only.
    if counts_results && minimum > size && permits > size {
        let problem = format!(
            "with {minimum} calls at least, a window of {size} and {permits} half-open calls, Spring Boot's breaker decides \
             after {} half-open calls and no rule here does: set minimumNumberOfCalls to {size}, or permit at most {size}",
            minimum.min(permits)
        );
        return Err(FormatError::new(group.line, "minimumNumberOfCalls", problem));
    }
    builder.finish()
}

fn window_type(entry: &Entry, builder: &mut Builder) -> Result<bool, FormatError> {
    // Spring binds words without regard to case and dashes.
    let word = match &entry.value.value {
        Value::Text(text) => bound(text),
        _ => String::new(),
    };
    let word = match word.as_str() {
        "countbased" => "COUNT_BASED",
        "timebased" => "TIME_BASED",
        _ => {
            let problem = format!("{} is none of COUNT_BASED and TIME_BASED", entry.value.in_words());
            return Err(FormatError::new(entry.value.line, &entry.key, problem));
        }
    };
    builder.set("slidingWindowType", Setting::Word(word));
    Ok(word == "COUNT_BASED")
}

fn time(entry: &Entry, units: Units) -> Result<Setting, FormatError> {
    let time = units.spring_duration(&entry.value);
    time.map(Setting::Time).map_err(|problem| FormatError::new(entry.value.line, &entry.key, problem))
}

fn specials(
    builder: &mut Builder,
    special: &[(&'static str, &Entry)],
    has_wait: bool,
    units: Units,
) -> Result<(), FormatError> {
    let find = |name: &str| special.iter().find(|(known, _)| *known == name).map(|&(_, entry)| entry);
    let is_on = |name: &str| find(name).filter(|entry| entry.value.value != Value::Flag(false));
    if let Some(entry) = is_on("automaticTransitionFromOpenToHalfOpenEnabled") {
        return Err(Builder::refuse(
            entry,
            "here a breaker becomes half-open when a call asks; the automatic transition by a timer has not been recorded: \
             leave it out to see the breaker without it",
        ));
    }
    if let Some(entry) = find("initialState")
        && entry.value.value != Value::Text("CLOSED".to_owned())
    {
        return Err(Builder::refuse(entry, "every breaker begins closed here: leave it out"));
    }
    if let Some(entry) = is_on("enableRandomizedWait") {
        return Err(Builder::refuse(entry, "a random open time is not known exactly: leave it out for a fixed one"));
    }
    if let Some(entry) = is_on("enableExponentialBackoff") {
        if !has_wait {
            return Err(Builder::refuse(
                entry,
                "without waitDurationInOpenState Spring Boot ignores it: say the first time",
            ));
        }
        match find("exponentialBackoffMultiplier") {
            Some(entry) => builder.number_as("waitInterval_multiplier", entry, Ok)?,
            None => builder.set("waitInterval_multiplier", Setting::Number(USUAL_MULTIPLIER)),
        }
        // Without a multiplier the library does not look at the longest time.
        if let (Some(_), Some(entry)) =
            (find("exponentialBackoffMultiplier"), find("exponentialMaxWaitDurationInOpenState"))
        {
            builder.set("waitInterval_max", time(entry, units)?);
        }
    }
    Ok(())
}

fn unknown(entry: &Entry) -> FormatError {
    let removed = ["ringBufferSizeInClosedState", "ringBufferSizeInHalfOpenState", "waitDurationInOpenStateMillis"];
    let now = ["slidingWindowSize", "permittedNumberOfCallsInHalfOpenState", "waitDurationInOpenState"];
    if let Some(place) = removed.iter().position(|name| bound(name) == bound(&entry.key)) {
        return Builder::refuse(entry, &format!("version 2 no longer knows it: it is now `{}`", now[place]));
    }
    let known: Vec<_> = [&PLAIN[..], &PERCENTAGES, &TIMES, &SPECIAL, &BESIDE, &JUDGING].concat();
    Builder::unknown(entry, &known)
}
