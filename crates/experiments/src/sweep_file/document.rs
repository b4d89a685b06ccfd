//! The text of a sweep as a tree of values that each know where they were written: in the file or on the command line.

use std::borrow::Cow;
use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{Finding, SweepError};

/// Where something was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// At a byte of the file.
    File(usize),
    /// In a `--set` argument, by its number.
    Override(usize),
    /// In `--replications`.
    Replications,
}

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) place: Place,
    pub(super) value: Value,
}

/// A TOML value; numbers keep their decimal digits.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Whole(String),
    Real(String),
    Boolean(bool),
    Date(String),
    List(Vec<Node>),
    Table(Table),
}

/// The entries of a table by key, each with the place of the key.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    pub(super) entries: BTreeMap<String, (Place, Node)>,
}

/// What the messages need: the file's name and text, and the arguments.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
    pub(super) overrides: &'a [String],
}

impl Source<'_> {
    /// The place in the words of a message.
    pub(super) fn show(&self, place: Place) -> String {
        match place {
            Place::File(offset) => {
                let before = &self.text[..boundary_before(self.text, offset)];
                let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
                let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
                let column = before[line_start..].trim_start_matches('\u{feff}').chars().count() + 1;
                format!("{}:{line}:{column}", self.file)
            }
            Place::Override(number) => format!("--set {}", clipped(&self.overrides[number])),
            Place::Replications => "--replications".to_owned(),
        }
    }
}

/// Nobody reads more findings at once.
const MOST_FINDINGS: usize = 100;

/// The findings so far.
#[derive(Debug)]
pub(super) struct Report<'a> {
    source: Source<'a>,
    findings: Vec<(Place, Finding)>,
    /// How many more there are than can be of use.
    more: usize,
}

impl<'a> Report<'a> {
    pub(super) fn new(source: Source<'a>) -> Self {
        Self { source, findings: Vec::new(), more: 0 }
    }

    /// The file's name in messages.
    pub(super) fn file(&self) -> &'a str {
        self.source.file
    }

    /// A place in the words of a message.
    pub(super) fn show(&self, place: Place) -> String {
        self.source.show(place)
    }

    /// Adds a finding. `key` is a dotted path, or empty.
    pub(super) fn add(&mut self, place: Place, key: &str, problem: impl Into<String>, remedy: impl Into<String>) {
        if self.findings.len() == MOST_FINDINGS {
            self.more += 1;
            return;
        }
        let finding = Finding {
            place: self.source.show(place),
            key: clipped(key).into_owned(),
            problem: problem.into(),
            remedy: remedy.into(),
        };
        if !self.findings.iter().any(|(_, known)| *known == finding) {
            self.findings.push((place, finding));
        }
    }

    pub(super) fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// All findings in the order of their places, or none.
    pub(super) fn into_error(self) -> Option<SweepError> {
        let mut findings = self.findings;
        findings.sort_by_key(|&(place, _)| place);
        let mut findings: Vec<_> = findings.into_iter().map(|(_, finding)| finding).collect();
        if self.more > 0 {
            findings.push(Finding {
                place: self.source.show(Place::File(0)),
                key: String::new(),
                problem: format!("more is wrong than these {MOST_FINDINGS}"),
                remedy: "correct them first".to_owned(),
            });
        }
        (!findings.is_empty()).then(|| SweepError::new(findings))
    }
}

/// Parses the file's text; what is no TOML is reported, the first of every line, and the rest returned.
pub(super) fn parse(text: &str, report: &mut Report<'_>) -> Table {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut reported = None;
    for error in &errors {
        let offset = boundary_before(text, error.span().map_or(0, |span| span.start));
        let line_start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        if reported == Some(line_start) {
            continue;
        }
        reported = Some(line_start);
        let line = shortened(text[line_start..].lines().next().unwrap_or("").trim());
        report.add(
            Place::File(offset),
            "",
            format!("this is not TOML: {} (the line reads `{line}`)", error.message().trim()),
            "correct the line; docs/sweep-files.md shows the format",
        );
    }
    table(document.into_inner(), &|span| Place::File(span))
}

/// The last boundary of characters up to `offset`.
fn boundary_before(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&index| text.is_char_boundary(index)).unwrap_or(0)
}

/// The beginning of a text that a message repeats.
pub(super) fn clipped(text: &str) -> Cow<'_, str> {
    const LENGTH: usize = 120;
    up_to(text, LENGTH)
}

/// The beginning of a line or value that a message only describes.
fn shortened(text: &str) -> Cow<'_, str> {
    const LENGTH: usize = 60;
    up_to(text, LENGTH)
}

/// The text, or so many characters of it and a sign that there are more.
fn up_to(text: &str, length: usize) -> Cow<'_, str> {
    match text.char_indices().nth(length) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Parses one TOML value of an override.
pub(super) fn parse_value(text: &str, place: Place) -> Result<Node, String> {
    let value = DeValue::parse(text).map_err(|error| error.message().trim().to_owned())?;
    Ok(node(value, &|_| place))
}

fn table(entries: DeTable<'_>, place: &dyn Fn(usize) -> Place) -> Table {
    let entries = entries
        .into_iter()
        .map(|(key, value)| {
            let key_place = place(key.span().start);
            (key.into_inner().into_owned(), (key_place, node(value, place)))
        })
        .collect();
    Table { entries }
}

fn node(spanned: Spanned<DeValue<'_>>, place: &dyn Fn(usize) -> Place) -> Node {
    let here = place(spanned.span().start);
    let value = match spanned.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(integer) => match i128::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) => Value::Whole(number.to_string()),
            Err(_) => Value::Whole(integer.to_string()),
        },
        DeValue::Float(float) => Value::Real(float.as_str().to_owned()),
        DeValue::Boolean(boolean) => Value::Boolean(boolean),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(list) => Value::List(list.into_iter().map(|element| node(element, place)).collect()),
        DeValue::Table(entries) => Value::Table(table(entries, place)),
    };
    Node { place: here, value }
}

impl Value {
    /// The value in the words of a message, shortened where it is long.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Text(text) => format!("the text \"{}\"", shortened(text)),
            Self::Whole(number) | Self::Real(number) => format!("the number {}", clipped(number)),
            Self::Boolean(boolean) => format!("{boolean} (without quotes)"),
            Self::Date(date) => format!("the date {date}"),
            Self::List(elements) if elements.is_empty() => "an empty list".to_owned(),
            Self::List(elements) if elements.iter().all(|element| matches!(element.value, Self::Table(_))) => {
                format!("a list of {} tables", elements.len())
            }
            Self::List(elements) => format!("a list of {}", elements.len()),
            Self::Table(_) => "a table".to_owned(),
        }
    }
}
