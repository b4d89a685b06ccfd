//! Java properties files: `key = value`, one a line.
//!
//! Format: `java.util.Properties.load`. Lines that begin with `#` or `!` are comments; a backslash escapes what follows it,
//! the end of the line included. Written here since the crates for it bring dependencies that change those of data frames.

use super::tree::Value;

/// A property: its key, its value, and the line on which it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Property {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) line: usize,
}

/// Reads the properties of a text, in order.
pub(super) fn read(text: &str) -> Vec<Property> {
    let mut properties = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((line, first)) = lines.next() {
        let first = first.trim_start();
        if first.is_empty() || first.starts_with(['#', '!']) {
            continue;
        }
        let mut logical = first.to_owned();
        while ends_in_open_backslash(&logical) {
            logical.pop();
            let Some((_, next)) = lines.next() else { break };
            logical.push_str(next.trim_start());
        }
        let (key, value) = split(&logical);
        properties.push(Property { key: unescaped(key), value: Value::plain(unescaped(value).trim_end()), line });
    }
    properties
}

fn ends_in_open_backslash(line: &str) -> bool {
    line.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}

/// A key ends at the first `=`, `:` or blank that no backslash escapes.
fn split(line: &str) -> (&str, &str) {
    let mut escaped = false;
    let end = line.char_indices().find(|&(_, character)| {
        let ends = !escaped && (matches!(character, '=' | ':') || character.is_whitespace());
        escaped = character == '\\' && !escaped;
        ends
    });
    let Some((end, _)) = end else { return (line, "") };
    let rest = line[end..].trim_start();
    let rest = rest.strip_prefix(['=', ':']).unwrap_or(rest);
    (&line[..end], rest.trim_start())
}

fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match characters.next() {
            Some('t') => out.push('\t'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('f') => out.push('\u{c}'),
            Some('u') => {
                let digits: String = characters.by_ref().take(4).collect();
                out.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_values_comments_and_continued_lines() {
        let text = "# a comment\n! another\n\na.b = 20\nc:COUNT_BASED\n d\\ e 1 \\\n   2\nf\ng=\\u0041\\tB\n";
        let expected = [
            ("a.b", Value::Number("20".to_owned()), 4),
            ("c", Value::Text("COUNT_BASED".to_owned()), 5),
            ("d e", Value::Text("1 2".to_owned()), 6),
            ("f", Value::Null, 8),
            ("g", Value::Text("A\tB".to_owned()), 9),
        ];
        let expected = expected.map(|(key, value, line)| Property { key: key.to_owned(), value, line });
        assert_eq!(read(text), expected);
    }
}
