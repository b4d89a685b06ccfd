//! One run at a time may write into a folder.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Holds a folder until it is dropped. The operating system lets go of it when the process ends in whatever way, so a
/// lock file that was left behind locks nothing.
#[derive(Debug)]
pub(crate) struct FolderLock {
    /// What to remove in the end: nothing if others may hold it as well.
    path: Option<PathBuf>,
    _file: File,
}

impl FolderLock {
    /// Takes the folder; `None` if another run has it.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written to.
    pub(crate) fn take(folder: &Path) -> io::Result<Option<Self>> {
        let path = folder.join(".lock");
        let file = open(&path)?;
        let locked = file.try_lock();
        Self::of(locked, Some(path), file)
    }

    /// Takes a share of the folder, beside others who share it; `None` if a run has it for itself.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written to.
    pub(crate) fn share(folder: &Path) -> io::Result<Option<Self>> {
        let file = open(&folder.join(".lock"))?;
        let locked = file.try_lock_shared();
        Self::of(locked, None, file)
    }

    fn of(locked: Result<(), TryLockError>, path: Option<PathBuf>, file: File) -> io::Result<Option<Self>> {
        match locked {
            Ok(()) => Ok(Some(Self { path, _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            // A file system without locks cannot protect, and need not stop, anyone.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Ok(Some(Self { path, _file: file }))
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

/// Opens the file to be locked; nothing is written to it, so that it does not matter where a link of its name leads.
fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "something is there that is no file: remove it"));
    }
    File::options().write(true).create(true).truncate(false).open(path)
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Before the lock itself goes: whoever comes next makes a file of its own.
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_one_holder_and_a_file_left_behind_locks_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let lock = folder.path().join(".lock");
        fs::write(&lock, "").expect("writable");
        let first = FolderLock::take(folder.path()).expect("writable").expect("free");
        assert!(FolderLock::take(folder.path()).expect("writable").is_none());
        drop(first);
        assert!(!lock.exists());
        assert!(FolderLock::take(folder.path()).expect("writable").is_some());
    }

    #[test]
    fn several_may_share_a_folder_that_nobody_has() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = FolderLock::share(folder.path()).expect("writable").expect("free");
        let second = FolderLock::share(folder.path()).expect("writable").expect("shared");
        drop(first);
        assert!(FolderLock::take(folder.path()).expect("writable").is_none());
        drop(second);
        let alone = FolderLock::take(folder.path()).expect("writable").expect("free");
        assert!(FolderLock::share(folder.path()).expect("writable").is_none());
        drop(alone);
    }
}
