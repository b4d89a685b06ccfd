//! Files of strangers: read whole, if they are no longer than anything of their kind.

use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Bytes of a text that people write at most: a sweep file, a configuration, a table of figures. A page or two is usual.
pub(crate) const LONGEST_TEXT: u64 = 8 << 20;

/// Reads what is there, be it a file, a pipe or a device.
///
/// # Errors
///
/// [`io::ErrorKind::FileTooLarge`] when there is more, and whatever the operating system says.
pub(crate) fn read(source: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_long(most)) } else { Ok(bytes) }
}

/// The same of UTF-8 text.
///
/// # Errors
///
/// As [`read`], and [`io::ErrorKind::InvalidData`] when it is no UTF-8 text.
pub(crate) fn read_text(source: impl Read, most: u64) -> io::Result<String> {
    String::from_utf8(read(source, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no UTF-8 text"))
}

/// The next line without its end, or `None` after the last.
///
/// # Errors
///
/// As [`read_text`].
pub(crate) fn next_line(source: &mut impl BufRead, most: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    source.by_ref().take(most + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    read_text(bytes.as_slice(), most).map(Some)
}

fn too_long(most: u64) -> io::Error {
    let sentence = format!("it is longer than {} MB, which nothing of its kind is", most >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, sentence)
}

/// Opens what has to be a file, or a link to one: a pipe would let its reader wait for ever.
///
/// # Errors
///
/// When it is something else, or the operating system refuses.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        let sentence = "it is no file, but a folder, a pipe or a device";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, sentence));
    }
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_may_be() {
        assert_eq!(read(&b"1234"[..], 4).expect("short"), b"1234");
        assert_eq!(read(io::repeat(0), 1 << 20).expect_err("endless").kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_text(&b"\xff"[..], 4).expect_err("no text").kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn lines_are_bounded_each() {
        let mut lines = &b"one\n\nthree\nfour"[..];
        let mut seen = Vec::new();
        while let Some(line) = next_line(&mut lines, 5).expect("short lines") {
            seen.push(line);
        }
        assert_eq!(seen, ["one", "", "three", "four"]);
        let mut endless = io::BufReader::new(io::repeat(b' '));
        assert_eq!(next_line(&mut endless, 1 << 20).expect_err("endless").kind(), io::ErrorKind::FileTooLarge);
    }
}
