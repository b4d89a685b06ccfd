//! Hystrix: Archaius properties, `hystrix.command.NAME.circuitBreaker.requestVolumeThreshold = 20`.

use std::fmt::Write;

use super::properties::Property;
use super::reader::Builder;
use super::tree::{Entry, Node};
use super::{Design, FormatError, FormatErrors, Imported, Units};

/// What the properties of a command begin with.
const COMMAND: &str = "hystrix.command.";

/// The release of the branch that is still built on.
const LIBRARY: &str = "hystrix_1_5_18";

/// The settings that are known here.
const KNOWN: [&str; 5] = [
    "circuitBreaker.requestVolumeThreshold",
    "circuitBreaker.errorThresholdPercentage",
    "circuitBreaker.sleepWindowInMilliseconds",
    "metrics.rollingStats.timeInMilliseconds",
    "metrics.healthSnapshot.intervalInMilliseconds",
];

pub(super) fn export(design: &Design<'_>) -> Result<String, String> {
    let mut out = format!("# {}\n", design.origin());
    for name in KNOWN {
        let value = design.written(name).expect("has a default");
        let _ = writeln!(out, "{COMMAND}{}.{name}={value}", escaped(design.name));
    }
    Ok(out)
}

/// A name within a key of a properties file.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace(' ', "\\ ").replace(':', "\\:").replace('=', "\\=")
}

pub(super) fn import(properties: &[Property], units: Units) -> Result<Vec<Imported>, FormatErrors> {
    let mut commands: Vec<(String, Vec<(Entry, usize)>)> = Vec::new();
    for Property { key, value, line } in properties {
        let Some(rest) = key.strip_prefix(COMMAND) else { continue };
        // A command's name may have dots: it ends where a known group begins.
        let groups = [".circuitBreaker.", ".metrics.", ".execution.", ".fallback.", ".requestCache.", ".requestLog."];
        let Some(end) = groups.iter().filter_map(|group| rest.find(group)).min() else {
            return Err(FormatError::new(*line, key, "it has to be a command's name and a property".to_owned()).into());
        };
        let (name, property) = (rest[..end].to_owned(), rest[end + 1..].to_owned());
        let value = Node { line: *line, value: value.clone() };
        let entry = Entry { key: property, line: *line, value };
        match commands.iter_mut().find(|(known, _)| *known == name) {
            Some((_, entries)) => entries.push((entry, *line)),
            None => commands.push((name, vec![(entry, *line)])),
        }
    }
    // The command "default" is what the others inherit.
    let inherited: Vec<_> =
        commands.iter().filter(|(name, _)| name == "default").flat_map(|(_, entries)| entries).collect();
    let own = commands.iter().filter(|(name, _)| name != "default" || commands.len() == 1);
    FormatErrors::collect(own.map(|(name, entries)| breaker(name, entries, &inherited, units)))
}

fn breaker(
    name: &str,
    entries: &[(Entry, usize)],
    inherited: &[&(Entry, usize)],
    units: Units,
) -> Result<Imported, FormatErrors> {
    let mut builder = Builder::new(LIBRARY, name, entries[0].1);
    let given = |key: &str| entries.iter().any(|(entry, _)| entry.key == key);
    let inherited = inherited.iter().copied().filter(|(entry, _)| !given(&entry.key));
    let mut wrong = Vec::new();
    for (entry, _) in entries.iter().chain(inherited) {
        wrong.extend(read(&mut builder, entry, units).err());
    }
    FormatErrors::unless_none(wrong)?;
    Ok(builder.finish()?)
}

fn read(builder: &mut Builder, entry: &Entry, units: Units) -> Result<(), FormatError> {
    match entry.key.as_str() {
        "circuitBreaker.errorThresholdPercentage" => builder.number(entry, |number| units.percent(number)),
        key if key.ends_with("InMilliseconds") && KNOWN.contains(&key) => {
            builder.number(entry, |number| units.millis(number))
        }
        key if KNOWN.contains(&key) => builder.plain(entry),
        "circuitBreaker.enabled" | "circuitBreaker.forceOpen" | "circuitBreaker.forceClosed" => {
            Err(Builder::refuse(entry, "a breaker that is switched by hand is none to simulate: leave it out"))
        }
        key if key.starts_with("circuitBreaker.") => Err(Builder::unknown(entry, &KNOWN)),
        key => {
            builder.note(format!("{key} is about something else than the breaker"));
            Ok(())
        }
    }
}
