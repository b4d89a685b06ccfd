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
use super::{Design, FormatError, FormatErrors, Imported, Units};

const LIBRARY: &str = "resilience4j";

/// Properties that are settings of the breaker under the same name.
const PLAIN: [&str; 4] = ["slidingWindowType", "slidingWindowSize", "minimumNumberOfCalls", PERMITS];
const PERMITS: &str = "permittedNumberOfCallsInHalfOpenState";
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
    line(format!("{PERMITS}({})", written(PERMITS)));
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

pub(super) fn import_properties(properties: &[Property], units: Units) -> Result<Vec<Imported>, FormatErrors> {
    let leaves = properties.iter().map(|Property { key, value, line }| {
        let value = Node { line: *line, value: value.clone() };
        let mut path = split_key(key);
        let key = path.pop().unwrap_or_default();
        Leaf { path, entry: Entry { key, line: *line, value } }
    });
    import(&leaves.collect::<Vec<_>>(), units)
}

pub(super) fn import_documents(documents: &[Node], units: Units) -> Result<Vec<Imported>, FormatErrors> {
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
        [_, second, ..] => {
            let problem = "several documents configure breakers, and the active profile decides between them: keep the one that is active";
            Err(FormatError::new(second[0].entry.line, "resilience4j.circuitbreaker", problem.to_owned()).into())
        }
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

fn import(leaves: &[Leaf], units: Units) -> Result<Vec<Imported>, FormatErrors> {
    let leaves: Vec<_> = leaves.iter().filter(|leaf| is_breaker(&leaf.path)).collect();
    let configs = groups(&leaves, &["configs"])?;
    let instances = groups(&leaves, &["instances", "backends"])?;
    let read = |group: &Group<'_>| breaker(group, &chain(group, &configs)?, units);
    if instances.is_empty() {
        // What every breaker that the program creates by itself gets.
        let default: Vec<_> = configs.iter().filter(|config| config.name == "default").collect();
        return FormatErrors::collect(default.into_iter().map(read));
    }
    FormatErrors::collect(instances.iter().map(read))
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
fn breaker(group: &Group<'_>, inherited: &[&Group<'_>], units: Units) -> Result<Imported, FormatErrors> {
    let mut reading = Reading {
        builder: Builder::new(LIBRARY, group.name, group.line),
        units,
        seen: Vec::new(),
        special: Vec::new(),
        counts_results: true,
        numbers: [("slidingWindowSize", 100.0), ("minimumNumberOfCalls", 100.0), (PERMITS, 10.0)],
    };
    let groups = std::iter::once(group).chain(inherited.iter().copied());
    let mut wrong = Vec::new();
    for entry in groups.flat_map(|group| group.entries.iter().copied()) {
        // The nearest group that says something decides.
        if !reading.seen.contains(&bound(&entry.key)) && entry.value.value != Value::Null {
            reading.seen.push(bound(&entry.key));
            wrong.extend(reading.entry(entry).err());
        }
    }
    wrong.extend(reading.specials().err());
    FormatErrors::unless_none(wrong)?;
    // What numbers come to together can only be said of right ones.
    reading.check_minimum(group.line)?;
    Ok(reading.builder.finish()?)
}

/// The properties of one breaker while they are read.
struct Reading<'a> {
    builder: Builder,
    units: Units,
    /// The names that have been read, as Spring compares them.
    seen: Vec<String>,
    special: Vec<(&'static str, &'a Entry)>,
    counts_results: bool,
    /// The numbers that have to be looked at together.
    numbers: [(&'static str, f64); 3],
}

impl<'a> Reading<'a> {
    fn entry(&mut self, entry: &'a Entry) -> Result<(), FormatError> {
        if let Value::Text(text) = &entry.value.value
            && text.contains("${")
        {
            let problem = format!("{text} stands for something that is not here: write the value");
            return Err(FormatError::new(entry.value.line, &entry.key, problem));
        }
        let known = |names: &[&'static str]| names.iter().copied().find(|name| bound(name) == bound(&entry.key));
        if let Some(name) = known(&PLAIN) {
            self.plain(name, entry)
        } else if let Some(name) = known(&PERCENTAGES) {
            let units = self.units;
            self.builder.number_as(name, entry, |number| units.percent(number))
        } else if let Some(name) = known(&TIMES) {
            self.builder.set(name, time(entry, self.units)?);
            Ok(())
        } else if let Some(name) = known(&SPECIAL) {
            self.special.push((name, entry));
            Ok(())
        } else if known(&JUDGING).is_some() {
            self.builder.note(format!("{}: which results are failures is the scenario's", entry.key));
            Ok(())
        } else if known(&BESIDE).is_some() {
            Ok(())
        } else {
            Err(unknown(entry))
        }
    }

    fn plain(&mut self, name: &'static str, entry: &Entry) -> Result<(), FormatError> {
        if name == "slidingWindowType" {
            self.counts_results = window_type(entry, &mut self.builder)?;
            return Ok(());
        }
        if let Some((_, together)) = self.numbers.iter_mut().find(|(known, _)| *known == name) {
            *together = number(&entry.value).unwrap_or(*together);
        }
        self.builder.plain(&Entry { key: name.to_owned(), ..entry.clone() })
    }

    /// The builder's `slidingWindow` lowers the minimum to the window; the setters that Spring calls do not, which shows
    /// in half-open only.
    fn check_minimum(&self, line: usize) -> Result<(), FormatError> {
        let [(_, size), (_, minimum), (_, permits)] = self.numbers;
        if !self.counts_results || minimum <= size || permits <= size {
            return Ok(());
        }
        let problem = format!(
            "with {minimum} calls at least, a window of {size} and {permits} half-open calls, Spring Boot's breaker decides \
             after {} half-open calls and no rule here does: set minimumNumberOfCalls to {size}, or permit at most {size}",
            minimum.min(permits)
        );
        Err(FormatError::new(line, "minimumNumberOfCalls", problem))
    }

    fn special(&self, name: &str) -> Option<&'a Entry> {
        self.special.iter().find(|(known, _)| *known == name).map(|&(_, entry)| entry)
    }

    fn specials(&mut self) -> Result<(), FormatError> {
        let is_on = |name: &str| self.special(name).filter(|entry| entry.value.value != Value::Flag(false));
        if let Some(entry) = is_on("automaticTransitionFromOpenToHalfOpenEnabled") {
            return Err(Builder::refuse(
                entry,
                "there a timer makes the breaker half-open, and results that arrive before the next call asks count as those \
                 of half-open; here it becomes half-open when a call asks: leave it out to see that breaker, which differs in \
                 such results only, few where calls arrive all the time",
            ));
        }
        let closed = Value::Text("CLOSED".to_owned());
        if let Some(entry) = self.special("initialState").filter(|entry| entry.value.value != closed) {
            return Err(Builder::refuse(entry, "every breaker begins closed here: leave it out"));
        }
        if let Some(entry) = is_on("enableRandomizedWait") {
            return Err(Builder::refuse(
                entry,
                "a random open time is not known exactly: leave it out for a fixed one",
            ));
        }
        is_on("enableExponentialBackoff").map_or(Ok(()), |entry| self.growing_wait(entry))
    }

    /// `entry` has switched it on.
    fn growing_wait(&mut self, entry: &Entry) -> Result<(), FormatError> {
        if !self.seen.contains(&bound("waitDurationInOpenState")) {
            let why = "without waitDurationInOpenState Spring Boot ignores it: say the first time";
            return Err(Builder::refuse(entry, why));
        }
        let Some(multiplier) = self.special("exponentialBackoffMultiplier") else {
            // Without a multiplier the library does not look at the longest time.
            self.builder.set("waitInterval_multiplier", Setting::Number(USUAL_MULTIPLIER));
            return Ok(());
        };
        self.builder.number_as("waitInterval_multiplier", multiplier, Ok)?;
        if let Some(longest) = self.special("exponentialMaxWaitDurationInOpenState") {
            self.builder.set("waitInterval_max", time(longest, self.units)?);
        }
        Ok(())
    }
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

fn unknown(entry: &Entry) -> FormatError {
    let removed = ["ringBufferSizeInClosedState", "ringBufferSizeInHalfOpenState", "waitDurationInOpenStateMillis"];
    let now = ["slidingWindowSize", "permittedNumberOfCallsInHalfOpenState", "waitDurationInOpenState"];
    if let Some(place) = removed.iter().position(|name| bound(name) == bound(&entry.key)) {
        return Builder::refuse(entry, &format!("version 2 no longer knows it: it is now `{}`", now[place]));
    }
    let known: Vec<_> = [&PLAIN[..], &PERCENTAGES, &TIMES, &SPECIAL, &BESIDE, &JUDGING].concat();
    Builder::unknown(entry, &known)
}
