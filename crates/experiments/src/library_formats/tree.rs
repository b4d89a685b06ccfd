//! Configurations as trees, each value with its line.

use crate::shortened::shortened;

/// Values that a configuration may come to, aliases followed.
pub(super) const MOST_NODES: usize = 20_000;
/// How deep values may lie within others.
pub(super) const MOST_DEPTH: usize = 64;

/// A value and the line on which it begins, from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Value,
}

/// What a configuration can hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Flag(bool),
    /// The digits as written, without separators.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// `new Class(arguments)`.
    New {
        class: String,
        arguments: Vec<Node>,
    },
    /// Code: a function, a name, a call.
    Code(String),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) value: Node,
}

impl Node {
    /// The value of a key, if this is a table that has it.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }

    /// The entries of a table; of anything else none.
    pub(super) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The value as a user would recognise it.
    pub(super) fn in_words(&self) -> String {
        match &self.value {
            Value::Null => "null".to_owned(),
            Value::Flag(flag) => flag.to_string(),
            Value::Number(digits) => shortened(digits),
            Value::Text(text) => format!("\"{}\"", shortened(text)),
            Value::List(_) => "a list".to_owned(),
            Value::Table(_) => "a table".to_owned(),
            Value::New { class, .. } => format!("new {}(…)", shortened(class)),
            Value::Code(code) => format!("`{}`", shortened(code)),
        }
    }
}

impl Value {
    /// What a plain word of YAML or of a properties file means.
    pub(super) fn plain(word: &str) -> Self {
        match word {
            "" | "~" | "null" | "Null" | "NULL" => Self::Null,
            "true" | "True" | "TRUE" => Self::Flag(true),
            "false" | "False" | "FALSE" => Self::Flag(false),
            _ if is_number(word) => Self::Number(word.replace('_', "")),
            _ => Self::Text(word.to_owned()),
        }
    }
}

fn is_number(word: &str) -> bool {
    let begins = |rest: &str| rest.starts_with(|character: char| character.is_ascii_digit() || character == '.');
    begins(word.trim_start_matches(['-', '+'])) && word.replace('_', "").parse::<f64>().is_ok_and(f64::is_finite)
}
