//! Fields of Go struct literals.

use super::FormatError;
use crate::shortened::shortened;

/// A field: its name, the text of its value, and the line on which it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) line: usize,
}

/// Literals of a text, and fields of a literal, at most.
const MOST: usize = 1000;

/// The fields of every literal `Settings{…}` of a text, or of the whole text if it is nothing but fields.
///
/// # Errors
///
/// If a literal does not end, or has values without names.
pub(super) fn settings(text: &str) -> Result<Vec<Vec<Field>>, FormatError> {
    let code = without_comments(text);
    let mut literals = Vec::new();
    let mut from = 0;
    while let Some(found) = code[from..].find("Settings{").or_else(|| code[from..].find("Settings {")) {
        let open = from + found + code[from + found..].find('{').expect("was found");
        let length = balanced(&code[open..])
            .ok_or_else(|| FormatError::new(line_of(&code, open), "", "the literal has no closing brace".to_owned()))?;
        if literals.len() == MOST {
            return Err(FormatError::new(line_of(&code, open), "", format!("there are more than {MOST} literals")));
        }
        literals.push(fields(&code, open + 1, open + length - 1)?);
        from = open + length;
    }
    if literals.is_empty() && code.contains(':') {
        let trimmed = code.trim();
        let begin = code.len() - code.trim_start().len();
        let braces = usize::from(trimmed.starts_with('{') && trimmed.ends_with('}'));
        literals.push(fields(&code, begin + braces, begin + trimmed.len() - braces)?);
    }
    Ok(literals)
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

/// The text with every comment blanked, so that places stay the same.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let (passed, is_comment) = match next {
            '"' | '`' => (quoted_length(rest), false),
            '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), true),
            '/' if rest.starts_with("/*") => (rest.find("*/").map_or(rest.len(), |end| end + 2), true),
            _ => (next.len_utf8(), false),
        };
        let (text, after) = rest.split_at(passed);
        if is_comment {
            out.extend(text.chars().map(|character| if character == '\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(text);
        }
        rest = after;
    }
    out
}

/// The length of the quoted text at the start of `text`, quotes included.
fn quoted_length(text: &str) -> usize {
    let quote = text.chars().next().expect("a quote");
    let mut escaped = false;
    for (at, next) in text.char_indices().skip(1) {
        if next == quote && !escaped {
            return at + 1;
        }
        escaped = next == '\\' && !escaped && quote != '`';
    }
    text.len()
}

/// The length of the bracketed text at the start of `text`, brackets included.
fn balanced(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        match next {
            '"' | '`' => {
                at += quoted_length(&text[at..]);
                continue;
            }
            '{' | '(' | '[' => open += 1,
            '}' | ')' | ']' => open = open.checked_sub(1)?,
            _ => {}
        }
        at += next.len_utf8();
        if open == 0 {
            return Some(at);
        }
    }
    None
}

fn fields(code: &str, begin: usize, end: usize) -> Result<Vec<Field>, FormatError> {
    let mut fields: Vec<Field> = Vec::new();
    let mut at = begin;
    while at < end {
        let length = element_length(&code[at..end]);
        let element = &code[at..at + length];
        let start = at + (element.len() - element.trim_start().len());
        let line = line_of(code, start);
        if !element.trim().is_empty() {
            let (name, value) = element.split_once(':').ok_or_else(|| {
                FormatError::new(
                    line,
                    "",
                    format!("`{}` has no field's name in front of it", shortened(element.trim())),
                )
            })?;
            let field = Field { name: name.trim().to_owned(), value: value.trim().to_owned(), line };
            if fields.iter().any(|given| given.name == field.name) {
                return Err(FormatError::new(line, &field.name, "the field is there twice: keep one".to_owned()));
            }
            if fields.len() == MOST {
                return Err(FormatError::new(line, "", format!("the literal has more than {MOST} fields")));
            }
            fields.push(field);
        }
        at += length + 1;
    }
    Ok(fields)
}

/// The length of the text up to a comma, or an end of line, outside brackets.
fn element_length(text: &str) -> usize {
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        at += match next {
            ',' => return at,
            '"' | '`' => quoted_length(&text[at..]),
            '{' | '(' | '[' => balanced(&text[at..]).unwrap_or(text.len() - at),
            _ => next.len_utf8(),
        };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, value: &str, line: usize) -> Field {
        Field { name: name.to_owned(), value: value.to_owned(), line }
    }

    #[test]
    fn fields_are_found_wherever_the_literal_is() {
        let text = "// Settings{ in a comment\nvar st gobreaker.Settings = gobreaker.Settings{\n  Name: \"a, b}\", // {\n  \
                    Timeout: 30 * time.Second,\n  ReadyToTrip: func(counts gobreaker.Counts) bool {\n    return x, y\n  },\n}\n";
        let expected = vec![
            field("Name", "\"a, b}\"", 3),
            field("Timeout", "30 * time.Second", 4),
            field("ReadyToTrip", "func(counts gobreaker.Counts) bool {\n    return x, y\n  }", 5),
        ];
        assert_eq!(settings(text), Ok(vec![expected]));
        assert_eq!(
            settings("MaxRequests: 3,\nTimeout: 5"),
            Ok(vec![vec![field("MaxRequests", "3", 1), field("Timeout", "5", 2)]])
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, line) in [("Settings{\nTimeout: 5", 1), ("Settings{\n5,\n}", 2), ("Settings{A: 1,\nA: 2}", 2)] {
            assert_eq!(settings(text).map_err(|error| error.line), Err(line), "{text}");
        }
    }
}
