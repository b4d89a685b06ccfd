//! Standard output and error, neither of which may cost a result.

use std::fmt;
use std::io::{self, Write, stderr, stdout};

/// Standard output for a command whose results are files: a reader that has gone away, or a full disk behind the output,
/// stops the printing and nothing else.
pub(crate) struct Console {
    shown: bool,
    failure: Option<io::Error>,
}

impl Console {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { shown: !quiet, failure: None }
    }

    /// What went wrong with the output, if anything did that the user does not know of: closing a pipe is their doing.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.failure {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(()),
        }
    }

    fn attempt(&mut self, output: impl FnOnce() -> io::Result<()>) {
        if self.shown
            && let Err(error) = output()
        {
            self.shown = false;
            self.failure = Some(error);
        }
    }
}

impl Write for Console {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|| stdout().write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(|| stdout().flush());
        Ok(())
    }
}

/// How many columns a report may take: as many as the terminal has, within reason, and 100 where nobody says.
pub(crate) fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(stdout());
    terminal.map_or(100, |(width, _)| usize::from(width.0).clamp(80, 160))
}

/// Prints a line on standard error; if that is closed or full, nobody is there to be told. Files may be quoted in it, so
/// nothing in it may command a terminal.
pub(crate) fn say(line: impl fmt::Display) {
    let _ = writeln!(stderr(), "{}", printable(&line.to_string(), '\n'));
}

/// The text with all control characters but one written out.
pub(crate) fn printable(text: &str, but: char) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && character != but {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_commands_a_terminal() {
        assert_eq!(printable("a\u{1b}[2Jb\r\n\u{9b}c é", '\n'), "a\\u{1b}[2Jb\\r\n\\u{9b}c é");
    }
}
