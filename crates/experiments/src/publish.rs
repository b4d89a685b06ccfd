//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file under construction: it takes its name only when [`PartialFile::publish`] succeeds, and vanishes otherwise.
#[derive(Debug)]
pub struct PartialFile {
    target: PathBuf,
    partial: PathBuf,
    file: File,
}

impl PartialFile {
    /// Starts a file that will be called `target`; its folder must exist.
    ///
    /// # Errors
    ///
    /// When the folder does not let a file be created.
    pub fn create(target: &Path) -> io::Result<Self> {
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = target.with_file_name(name);
        let file = File::create(&partial)?;
        Ok(Self { target: target.to_owned(), partial, file })
    }

    /// A buffered writer to the file. Flush it before [`PartialFile::publish`]: dropping it would hide an error.
    ///
    /// # Errors
    ///
    /// When the operating system gives no second handle to the file.
    pub fn writer(&self) -> io::Result<BufWriter<File>> {
        Ok(BufWriter::new(self.file.try_clone()?))
    }

    /// Gives the finished file its name, replacing an earlier one.
    ///
    /// # Errors
    ///
    /// When the bytes do not reach the disk or the file cannot be renamed.
    pub fn publish(self) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.partial, &self.target)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // After a publication there is nothing left under this name.
        let _ = fs::remove_file(&self.partial);
    }
}

/// Writes a whole small file.
///
/// # Errors
///
/// When it cannot be written; an earlier file of that name then stays as it is.
pub fn publish(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = PartialFile::create(target)?;
    file.file.write_all(bytes)?;
    file.publish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("table");
        publish(&target, b"first").expect("writable");

        let abandoned = PartialFile::create(&target).expect("writable");
        abandoned.writer().expect("a handle").write_all(b"half").expect("writable");
        drop(abandoned);
        assert_eq!(fs::read(&target).expect("still there"), b"first");
        assert_eq!(fs::read_dir(folder.path()).expect("listable").count(), 1, "nothing half-written is left");
    }
}
