//! Reading tables strictly: every key is known, every value has the right type and lies in its range, or it is said why not.

use std::ops::RangeInclusive;

use crate::did_you_mean::did_you_mean;

use super::document::{Node, Place, Report, Table, Value, clipped};

/// A table that is being read: which keys it may have is learned from what is asked of it.
#[derive(Debug)]
pub(super) struct Section<'a> {
    path: String,
    place: Place,
    table: &'a Table,
    known: Vec<&'static str>,
}

/// A value with its dotted path.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    pub(super) path: String,
    pub(super) node: &'a Node,
}

impl<'a> Section<'a> {
    /// The whole document.
    pub(super) fn root(table: &'a Table) -> Self {
        Self { path: String::new(), place: Place::File(0), table, known: Vec::new() }
    }

    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// The dotted path of a key of this table.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Whether the table has the key, rightly or wrongly.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.entries.contains_key(key)
    }

    /// The value of a key that may be left out.
    pub(super) fn optional(&mut self, key: &'static str) -> Option<Field<'a>> {
        self.known.push(key);
        let (_, node) = self.table.entries.get(key)?;
        Some(Field { path: self.path_of(key), node })
    }

    /// The value of a key that must be there. `example` is a line that would do.
    pub(super) fn required(&mut self, key: &'static str, example: &str, report: &mut Report<'_>) -> Option<Field<'a>> {
        let field = self.optional(key);
        if field.is_none() {
            report.add(self.place, &self.path_of(key), "this key is missing", format!("add a line such as {example}"));
        }
        field
    }

    /// All entries, each with the place of its key.
    pub(super) fn entries(&self) -> Vec<(&'a str, Place, Field<'a>)> {
        let entries = self.table.entries.iter();
        entries.map(|(key, (place, node))| (key.as_str(), *place, Field { path: self.path_of(key), node })).collect()
    }

    /// Reports the keys that nothing has asked for.
    pub(super) fn finish(self, report: &mut Report<'_>) {
        for (key, (place, _)) in &self.table.entries {
            if !self.known.contains(&key.as_str()) {
                report.add(
                    *place,
                    &self.path_of(key),
                    "unknown key",
                    suggestion(key, &self.known, "leave it out, or use a key that belongs here"),
                );
            }
        }
    }
}

impl<'a> Field<'a> {
    /// The key itself, without the path before it.
    pub(super) fn key(&self) -> &str {
        self.path.rsplit('.').find(|segment| segment.parse::<usize>().is_err()).unwrap_or(&self.path)
    }

    /// Reports something about this value.
    pub(super) fn blame(&self, report: &mut Report<'_>, problem: impl Into<String>, remedy: impl Into<String>) {
        report.add(self.node.place, &self.path, problem, remedy);
    }

    /// Reports that the value has the wrong type; `example` is a value of the right one.
    pub(super) fn mismatch(&self, report: &mut Report<'_>, expected: &str, example: &str) {
        let problem = format!("expected {expected}, found {}", self.node.value.describe());
        let advice = self.advice(example);
        self.blame(report, problem, advice);
    }

    /// Whether the value is a table.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.node.value, Value::Table(_))
    }

    /// The value as yes or no.
    pub(super) fn flag(&self, report: &mut Report<'_>) -> Option<bool> {
        if let Value::Boolean(flag) = self.node.value {
            return Some(flag);
        }
        self.mismatch(report, "true or false, without quotes", "true");
        None
    }

    /// Whether the value is a table that has one of these keys.
    pub(super) fn has_any(&self, keys: &[&str]) -> bool {
        matches!(&self.node.value, Value::Table(table) if keys.iter().any(|&key| table.entries.contains_key(key)))
    }

    /// "write for instance slots = 32"
    pub(super) fn advice(&self, example: &str) -> String {
        let in_list = self.path.rsplit('.').next().is_some_and(|segment| segment.parse::<usize>().is_ok());
        if in_list {
            format!("write for instance {example} in its place")
        } else {
            format!("write for instance {} = {example}", self.key())
        }
    }

    /// The elements of a list.
    pub(super) fn elements(&self) -> Option<impl Iterator<Item = Field<'a>> + use<'a>> {
        let Value::List(elements) = &self.node.value else { return None };
        let path = self.path.clone();
        Some(elements.iter().enumerate().map(move |(number, node)| Field { path: format!("{path}.{number}"), node }))
    }

    /// The value as a table.
    pub(super) fn section(&self, example: &str, report: &mut Report<'_>) -> Option<Section<'a>> {
        if let Value::Table(table) = &self.node.value {
            return Some(Section { path: self.path.clone(), place: self.node.place, table, known: Vec::new() });
        }
        self.mismatch(report, "a table", example);
        None
    }

    /// The tables of a `[[key]]`.
    pub(super) fn sections(&self, report: &mut Report<'_>) -> Vec<Section<'a>> {
        let tables = self.elements().map(|elements| elements.collect::<Vec<_>>());
        match tables {
            Some(fields) if fields.iter().all(|field| matches!(field.node.value, Value::Table(_))) => {
                fields.iter().filter_map(|field| field.section("", report)).collect()
            }
            _ => {
                let problem = format!("expected tables, found {}", self.node.value.describe());
                let names = self.path.split('.').filter(|segment| segment.parse::<usize>().is_err());
                let header = names.collect::<Vec<_>>().join(".");
                self.blame(
                    report,
                    problem,
                    format!("begin each with a line [[{header}]] (two brackets on either side)"),
                );
                Vec::new()
            }
        }
    }

    /// The value as text.
    pub(super) fn text(&self, expected: &str, example: &str, report: &mut Report<'_>) -> Option<&'a str> {
        if let Value::Text(text) = &self.node.value {
            return Some(text);
        }
        self.mismatch(report, expected, example);
        None
    }

    /// The value as one of a few words.
    pub(super) fn word(&self, words: &[&'static str], report: &mut Report<'_>) -> Option<&'static str> {
        let meant = match self.node.value {
            Value::Boolean(boolean) => words.iter().find(|word| **word == boolean.to_string()),
            _ => None,
        };
        let example = format!("\"{}\"", meant.unwrap_or(&words[0]));
        let text = self.text(&format!("one of {}", quoted(words)), &example, report)?;
        let known = words.iter().find(|&&word| word == text);
        if known.is_none() {
            self.blame(
                report,
                format!("\"{}\" is not known here", clipped(text)),
                suggestion(text, words, "use one of these"),
            );
        }
        known.copied()
    }

    /// The value as a name for files and tables.
    pub(super) fn name(&self, example: &str, report: &mut Report<'_>) -> Option<&'a str> {
        let text = self.text("a name", &format!("\"{example}\""), report)?;
        if let Err(problem) = check_name(text) {
            self.blame(report, problem, format!("use 1 to 80 letters, digits, - and _, such as \"{example}\""));
            return None;
        }
        Some(text)
    }

    /// The value as a whole number in a range.
    pub(super) fn whole(&self, range: RangeInclusive<u64>, example: u64, report: &mut Report<'_>) -> Option<u64> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        let Value::Whole(digits) = &self.node.value else {
            self.mismatch(report, &expected, &example.to_string());
            return None;
        };
        let number = digits.parse().ok().filter(|number| range.contains(number));
        if number.is_none() {
            let problem = format!("{} is out of range: expected {expected}", clipped(digits));
            let advice = self.advice(&example.to_string());
            self.blame(report, problem, advice);
        }
        number
    }

    /// The value as a finite number for which `accepts` holds; −0 is read as 0.
    pub(super) fn number(
        &self,
        expected: &str,
        example: &str,
        accepts: fn(f64) -> bool,
        report: &mut Report<'_>,
    ) -> Option<f64> {
        let (Value::Whole(digits) | Value::Real(digits)) = &self.node.value else {
            self.mismatch(report, expected, example);
            return None;
        };
        let number = digits.parse::<f64>().ok().filter(|number| number.is_finite() && accepts(*number));
        if number.is_none() {
            let problem = format!("{} is out of range: expected {expected}", clipped(digits));
            let advice = self.advice(example);
            self.blame(report, problem, advice);
        }
        number.map(|number| number + 0.0)
    }
}

/// Whether a text can name a folder, a mode or a regime.
pub(super) fn check_name(text: &str) -> Result<(), String> {
    if text.is_empty() {
        return Err("the name is empty".to_owned());
    }
    if text.chars().count() > 80 {
        return Err(format!("the name has {} characters", text.chars().count()));
    }
    match text.chars().find(|character| !(character.is_ascii_alphanumeric() || matches!(character, '-' | '_'))) {
        Some(character) => Err(format!("the name \"{}\" contains {character:?}", clipped(text))),
        None => Ok(()),
    }
}

/// "did you mean `slots`? (known here: …)", or `otherwise` and what is known.
pub(super) fn suggestion(wrong: &str, known: &[&str], otherwise: &str) -> String {
    match did_you_mean(wrong, known) {
        Some(right) => format!("did you mean `{right}`? (known here: {})", quoted(known)),
        None => format!("{otherwise}: {}", quoted(known)),
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
