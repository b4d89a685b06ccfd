//! YAML as a tree.

use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};

use super::FormatError;
use super::tree::{Entry, MOST_DEPTH, MOST_NODES, Node, Value};

/// Reads a text of one document or more.
///
/// # Errors
///
/// If it is no YAML, or becomes too large.
pub(super) fn read(text: &str) -> Result<Vec<Node>, FormatError> {
    let mut reader = Reader { parser: Parser::new_from_str(text), anchors: BTreeMap::new(), nodes: 0, depth: 0 };
    let mut documents = Vec::new();
    loop {
        match reader.next()? {
            (Event::StreamEnd, _) => return Ok(documents),
            (Event::DocumentStart(_), _) => {
                let first = reader.next()?;
                documents.push(reader.node(first)?);
            }
            _ => {}
        }
    }
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    anchors: BTreeMap<usize, Node>,
    nodes: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    /// The next event and its line.
    fn next(&mut self) -> Result<(Event<'t>, usize), FormatError> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, span.start.line())),
            Some(Err(error)) => {
                Err(FormatError::new(error.marker().line(), "", format!("this is no YAML: {}", error.info())))
            }
            None => Ok((Event::StreamEnd, 0)),
        }
    }

    fn node(&mut self, (event, line): (Event<'t>, usize)) -> Result<Node, FormatError> {
        self.nodes += 1;
        if self.nodes > MOST_NODES || self.depth > MOST_DEPTH {
            return Err(FormatError::new(line, "", "the document is too large or deep for a configuration".to_owned()));
        }
        self.depth += 1;
        let (value, anchor) = match event {
            Event::Scalar(text, ScalarStyle::Plain, anchor, _) => (Value::plain(&text), anchor),
            Event::Scalar(text, _, anchor, _) => (Value::Text(text.into_owned()), anchor),
            Event::SequenceStart(anchor, _) => (self.list()?, anchor),
            Event::MappingStart(anchor, _) => (self.table()?, anchor),
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).cloned();
                let node =
                    node.ok_or_else(|| FormatError::new(line, "", "an alias within its own anchor".to_owned()))?;
                self.nodes += count(&node);
                self.depth -= 1;
                return Ok(Node { line, ..node });
            }
            _ => (Value::Null, 0),
        };
        self.depth -= 1;
        let node = Node { line, value };
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn list(&mut self) -> Result<Value, FormatError> {
        let mut elements = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Value::List(elements)),
                event => elements.push(self.node(event)?),
            }
        }
    }

    fn table(&mut self) -> Result<Value, FormatError> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut merged = Vec::new();
        loop {
            let (event, line) = self.next()?;
            let key = match event {
                Event::MappingEnd => {
                    merged.iter().for_each(|from| merge(&mut entries, from));
                    return Ok(Value::Table(entries));
                }
                Event::Scalar(text, ..) => text.into_owned(),
                _ => return Err(FormatError::new(line, "", "a key has to be a word".to_owned())),
            };
            let value = self.next()?;
            let value = self.node(value)?;
            if key == "<<" {
                merged.push(value);
            } else if entries.iter().any(|entry| entry.key == key) {
                return Err(FormatError::new(line, &key, "the key is there twice: keep one".to_owned()));
            } else {
                entries.push(Entry { key, line, value });
            }
        }
    }
}

/// A merge key: entries that the table does not have itself.
fn merge(entries: &mut Vec<Entry>, from: &Node) {
    let tables = match &from.value {
        Value::List(tables) => tables.as_slice(),
        _ => std::slice::from_ref(from),
    };
    for entry in tables.iter().flat_map(Node::entries) {
        if entries.iter().all(|given| given.key != entry.key) {
            entries.push(entry.clone());
        }
    }
}

fn count(node: &Node) -> usize {
    match &node.value {
        Value::List(elements) => 1 + elements.iter().map(count).sum::<usize>(),
        Value::Table(entries) => 1 + entries.iter().map(|entry| count(&entry.value)).sum::<usize>(),
        _ => 1,
    }
}
