//! The one place at which Parquet files of others are read: whatever is in them, the answer is a table or a sentence.
//!
//! Polars trusts more of a file than a stranger should be trusted with, and panics over some that are damaged. Such a panic
//! ends here; nothing of it appears on the terminal.

use std::cell::Cell;
use std::fs::File;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Once;
use std::thread;

use polars::prelude::PolarsResult;

use crate::bounded_file;
use crate::commands::Failure;

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Reads something of a Parquet file.
///
/// # Errors
///
/// When the file cannot be opened, or `reading` fails or panics.
pub(crate) fn read<T>(path: &Path, reading: impl FnOnce(File) -> PolarsResult<T>) -> Result<T, Failure> {
    let file = bounded_file::open(path).map_err(Failure::read(path))?;
    guarded(|| reading(file)).map_err(Failure::read(path))
}

fn guarded<T>(reading: impl FnOnce() -> PolarsResult<T>) -> Result<T, String> {
    keep_silent_about_guarded_threads();
    let before = GUARDED.replace(true);
    // What was begun is thrown away, so nobody sees it half-done.
    let read = catch_unwind(AssertUnwindSafe(reading));
    GUARDED.set(before);
    match read {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(_) => Err("it is damaged: it contradicts itself".to_owned()),
    }
}

/// Polars reads columns on threads of its own, which have names.
fn keep_silent_about_guarded_threads() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let of_polars = thread::current().name().is_some_and(|name| name.starts_with("polars"));
            if !GUARDED.get() && !of_polars {
                usual(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use polars::prelude::polars_bail;

    use super::*;

    #[test]
    fn a_panic_is_a_sentence_and_an_error_keeps_its_own() {
        assert_eq!(guarded(|| Ok(1)), Ok(1));
        let error = guarded::<()>(|| polars_bail!(ComputeError: "no such luck")).expect_err("an error");
        assert!(error.contains("no such luck"), "{error}");
        assert_eq!(guarded::<()>(|| panic!("at 3 of 2")), Err("it is damaged: it contradicts itself".to_owned()));
        assert!(!GUARDED.get());
    }
}
