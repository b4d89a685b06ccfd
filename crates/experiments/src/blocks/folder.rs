//! Blocks as files of a folder.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::place::{MOST_BYTES, Place, TOO_LARGE};
use super::store::BlockError;
use crate::publish::{STAGED, publish_new};

/// A folder of blocks.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder of this path, which need not be there.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path }
    }

    fn failed(&self, error: io::Error) -> BlockError {
        BlockError::Io(self.path.clone(), error)
    }

    fn entries(&self) -> Result<Vec<fs::DirEntry>, BlockError> {
        match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            entries => entries.and_then(Iterator::collect).map_err(|error| self.failed(error)),
        }
    }
}

impl Place for Folder {
    fn location(&self) -> &Path {
        &self.path
    }

    fn create(&self) -> Result<(), BlockError> {
        fs::create_dir_all(&self.path).map_err(|error| self.failed(error))
    }

    /// Links and folders are not looked at.
    fn names(&self) -> Result<Vec<String>, BlockError> {
        let mut names = Vec::new();
        for entry in self.entries()? {
            let Ok(name) = entry.file_name().into_string() else { continue };
            match entry.file_type() {
                Ok(kind) if kind.is_file() => names.push(name),
                Ok(_) => {}
                // It went away in the meantime, as files under construction do.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(self.failed(error)),
            }
        }
        Ok(names)
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, BlockError> {
        let path = self.path.join(name);
        let failed = |error| BlockError::Io(path.clone(), error);
        let there = fs::symlink_metadata(&path).map_err(failed)?;
        if !there.is_file() {
            return Err(BlockError::Damaged(path, "it is no file, but a link, a folder or the like"));
        }
        if there.len() > MOST_BYTES {
            return Err(BlockError::Damaged(path, TOO_LARGE));
        }
        fs::read(&path).map_err(failed)
    }

    fn publish_new(&self, name: &str, bytes: &[u8]) -> Result<bool, BlockError> {
        let path = self.path.join(name);
        publish_new(&path, |file| file.write_all(bytes)).map_err(|error| BlockError::Io(path, error))
    }

    fn remove(&self, name: &str) -> Result<(), BlockError> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(BlockError::Io(path, error)),
            _ => Ok(()),
        }
    }

    fn remove_staged(&self) -> Result<(), BlockError> {
        for entry in self.entries()? {
            if let Some(name) = entry.file_name().to_str().filter(|name| name.starts_with(STAGED)) {
                self.remove(name)?;
            }
        }
        Ok(())
    }

    fn remove_if_empty(&self) {
        // If something is left there, it stays.
        let _ = fs::remove_dir(&self.path);
    }
}
