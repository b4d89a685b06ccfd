//! JavaScript object literals as trees, JSON among them.
//!
//! Only what configurations are made of is understood: literals, products of numbers, `new Class(…)`. Anything else is kept
//! as code.

use super::FormatError;
use super::tree::{Entry, MOST_DEPTH, MOST_NODES, Node, Value};
use crate::shortened::shortened;

/// The object and array literals of a text that stand where a value can: the whole text, what is assigned, passed or
/// exported.
///
/// # Errors
///
/// If a literal does not end, or is none.
pub(super) fn read(text: &str) -> Result<Vec<Node>, FormatError> {
    let mut parser = Parser { text, at: 0, line: 1, nodes: 0, depth: 0 };
    let mut found = Vec::new();
    let mut before = String::new();
    loop {
        parser.skip_blank()?;
        let Some(next) = parser.peek() else { return Ok(found) };
        let is_value = matches!(before.as_str(), "" | "=" | "(" | "," | "default" | "return");
        if matches!(next, '{' | '[') && is_value {
            found.push(parser.value()?);
            "}".clone_into(&mut before);
        } else {
            before = parser.token()?;
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    nodes: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn advance(&mut self, bytes: usize) -> &'t str {
        let passed = &self.rest()[..bytes];
        self.line += passed.matches('\n').count();
        self.at += bytes;
        passed
    }

    fn error(&self, problem: impl Into<String>) -> FormatError {
        FormatError::new(self.line, "", problem.into())
    }

    /// Passes blanks and comments.
    fn skip_blank(&mut self) -> Result<(), FormatError> {
        loop {
            let rest = self.rest();
            if rest.starts_with("//") {
                self.advance(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                let end = rest.find("*/").ok_or_else(|| self.error("a comment does not end"))?;
                self.advance(end + 2);
            } else if let Some(blank) = rest.chars().next().filter(|&next| next.is_whitespace() || next == '\u{feff}') {
                self.advance(blank.len_utf8());
            } else {
                return Ok(());
            }
        }
    }

    /// Passes a word, a text or one other character.
    fn token(&mut self) -> Result<String, FormatError> {
        let rest = self.rest();
        let word = word_length(rest);
        match rest.chars().next() {
            Some('"' | '\'' | '`') => self.quoted(),
            Some(_) if word > 0 => Ok(self.advance(word).to_owned()),
            Some('=') if rest.starts_with("=>") => Ok(self.advance(2).to_owned()),
            Some(other) => Ok(self.advance(other.len_utf8()).to_owned()),
            None => Ok(String::new()),
        }
    }

    /// The characters of a quoted text.
    fn quoted(&mut self) -> Result<String, FormatError> {
        let quote = self.peek().expect("a quote");
        let begins = self.line;
        let mut out = String::new();
        self.advance(1);
        while let Some(next) = self.peek() {
            self.advance(next.len_utf8());
            match next {
                _ if next == quote => return Ok(out),
                '\\' => {
                    let Some(escaped) = self.peek() else { break };
                    self.advance(escaped.len_utf8());
                    out.push(match escaped {
                        'n' => '\n',
                        't' => '\t',
                        other => other,
                    });
                }
                other => out.push(other),
            }
        }
        Err(FormatError::new(begins, "", "a quoted text does not end".to_owned()))
    }

    fn value(&mut self) -> Result<Node, FormatError> {
        self.skip_blank()?;
        self.nodes += 1;
        if self.nodes > MOST_NODES || self.depth > MOST_DEPTH {
            return Err(self.error("this is too large or deep for a configuration"));
        }
        self.depth += 1;
        let value = self.bounded_value();
        self.depth -= 1;
        value
    }

    fn bounded_value(&mut self) -> Result<Node, FormatError> {
        let (line, begin) = (self.line, self.at);
        let value = match self.peek() {
            Some('{') => Value::Table(self.table()?),
            Some('[') => Value::List(self.list(']')?),
            Some('"' | '\'') => Value::Text(self.quoted()?),
            Some(next) if next.is_ascii_digit() || matches!(next, '-' | '+' | '.') => self.number()?,
            _ => self.word()?,
        };
        self.skip_blank()?;
        match self.peek() {
            None | Some(',' | '}' | ']' | ')' | ';') => Ok(Node { line, value }),
            Some('*') => self.product(line, begin, &value),
            // Something else follows: all of it is code.
            Some(_) => self.code(begin).map(|value| Node { line, value }),
        }
    }

    /// `10 * 1000`.
    fn product(&mut self, line: usize, begin: usize, first: &Value) -> Result<Node, FormatError> {
        self.advance(1);
        let second = self.value()?.value;
        if let (Value::Number(first), Value::Number(second)) = (first, &second)
            && let (Ok(first), Ok(second)) = (first.parse::<f64>(), second.parse::<f64>())
        {
            return Ok(Node { line, value: Value::Number((first * second).to_string()) });
        }
        Ok(Node { line, value: Value::Code(self.text[begin..self.at].trim().to_owned()) })
    }

    fn number(&mut self) -> Result<Value, FormatError> {
        let rest = self.rest();
        let mut previous = ' ';
        let end = rest.find(|next: char| {
            let sign = matches!(next, '-' | '+') && matches!(previous, ' ' | 'e' | 'E');
            previous = next;
            !(sign || next.is_ascii_alphanumeric() || matches!(next, '.' | '_'))
        });
        let digits = self.advance(end.unwrap_or(rest.len())).replace('_', "");
        if digits.parse::<f64>().is_ok_and(f64::is_finite) {
            return Ok(Value::Number(digits));
        }
        Err(self.error(format!("{} is no number", shortened(&digits))))
    }

    fn word(&mut self) -> Result<Value, FormatError> {
        let begin = self.at;
        let length = word_length(self.rest());
        match self.advance(length) {
            "true" => Ok(Value::Flag(true)),
            "false" => Ok(Value::Flag(false)),
            "null" | "undefined" => Ok(Value::Null),
            "Infinity" | "" => self.code(begin),
            "new" => {
                self.skip_blank()?;
                let length = word_length(self.rest());
                let class = self.advance(length);
                self.skip_blank()?;
                if self.peek() != Some('(') {
                    return self.code(begin);
                }
                let class = class.rsplit('.').next().unwrap_or(class).to_owned();
                Ok(Value::New { class, arguments: self.list(')')? })
            }
            name => Ok(Value::Code(name.to_owned())),
        }
    }

    /// Passes everything up to the end of the value that began at `begin`.
    fn code(&mut self, begin: usize) -> Result<Value, FormatError> {
        let mut open = 0_usize;
        loop {
            self.skip_blank()?;
            match self.peek() {
                None => break,
                Some(',' | ';') if open == 0 => break,
                Some('}' | ']' | ')') if open == 0 => break,
                Some('{' | '[' | '(') => open += 1,
                Some('}' | ']' | ')') => open -= 1,
                _ => {}
            }
            self.token()?;
        }
        Ok(Value::Code(self.text[begin..self.at].trim().to_owned()))
    }

    /// Values up to `end`, the opening bracket included.
    fn list(&mut self, end: char) -> Result<Vec<Node>, FormatError> {
        let begins = self.line;
        self.advance(1);
        let mut elements = Vec::new();
        loop {
            self.skip_blank()?;
            match self.peek() {
                Some(next) if next == end => {
                    self.advance(1);
                    return Ok(elements);
                }
                Some(',') => {
                    self.advance(1);
                }
                None => return Err(FormatError::new(begins, "", format!("a list has no `{end}`"))),
                Some(_) => elements.push(self.element()?),
            }
        }
    }

    /// A value, which has to pass something.
    fn element(&mut self) -> Result<Node, FormatError> {
        self.skip_blank()?;
        let before = self.at;
        let node = self.value()?;
        if self.at == before { Err(self.error("a value is missing or a bracket is wrong")) } else { Ok(node) }
    }

    fn table(&mut self) -> Result<Vec<Entry>, FormatError> {
        let begins = self.line;
        self.advance(1);
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            self.skip_blank()?;
            let line = self.line;
            match self.peek() {
                Some('}') => {
                    self.advance(1);
                    return Ok(entries);
                }
                Some(',') => {
                    self.advance(1);
                    continue;
                }
                None => return Err(FormatError::new(begins, "", "a table has no `}`".to_owned())),
                Some('.') if self.rest().starts_with("...") => {
                    return Err(self.error("`...` copies options from elsewhere: write them out"));
                }
                Some(_) => {}
            }
            let begin = self.at;
            let key = self.token()?;
            self.skip_blank()?;
            let value = match self.peek() {
                Some(':') => {
                    self.advance(1);
                    self.element()?
                }
                // `key` alone, or a method.
                _ => Node { line, value: self.code(begin)? },
            };
            if entries.iter().any(|entry| entry.key == key) {
                return Err(FormatError::new(line, &key, "the key is there twice: keep one".to_owned()));
            }
            entries.push(Entry { key, line, value });
        }
    }
}

/// The bytes of a name with dots at the start of `text`.
fn word_length(text: &str) -> usize {
    text.find(|next: char| !(next.is_alphanumeric() || matches!(next, '_' | '$' | '.'))).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Node {
        let mut found = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        found.remove(0)
    }

    #[test]
    fn json_and_javascript_are_the_same() {
        let json = only("{\"a\": 10000, \"b\": [true, null], \"c\": {\"d\": \"x\"}}");
        let script = only("const options = { a: 10_000, b: [true, null,], c: { d: 'x' } };");
        assert_eq!(json, script);
        assert_eq!(only("f(action, { a: 10 * 1000, b: [true, null], c: { d: \"x\" } })"), json);
    }

    #[test]
    fn imports_functions_and_comments_are_passed() {
        let text =
            "import { a } from 'b'; // {\n/* { */\nfunction f(x) { return g(x); }\nexport default {\n  k: 1,\n};\n";
        let node = only(text);
        assert_eq!((node.line, node.get("k").expect("k").line), (4, 5));
    }

    #[test]
    fn classes_and_code_are_kept() {
        let node = only("({ breaker: new c.CountBreaker({ size: 5 }), filter: (e) => e.code > 3, n: 2 })");
        let Value::New { class, arguments } = &node.get("breaker").expect("breaker").value else { panic!("{node:?}") };
        assert_eq!((class.as_str(), arguments.len()), ("CountBreaker", 1));
        assert_eq!(node.get("filter").expect("filter").value, Value::Code("(e) => e.code > 3".to_owned()));
        assert_eq!(node.get("n").expect("n").value, Value::Number("2".to_owned()));
    }

    #[test]
    fn what_does_not_end_is_said() {
        for (text, line) in [("\n{ a: 1", 2), ("{ a: 'x", 1), ("{ a: [1, 2 }", 1), ("{ ...base }", 1), ("{ a: }", 1)] {
            assert_eq!(read(text).map_err(|error| error.line), Err(line), "{text}");
        }
    }
}
