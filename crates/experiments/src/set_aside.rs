//! Finished results that others take the place of: kept once, in the folder `previous` within their own.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::blocks::{BlockStore, FOLDER};
use crate::manifest;
use crate::plots;
use crate::tables;

/// The folder of earlier results within that of the present ones.
pub(crate) const PREVIOUS: &str = "previous";

/// Moves the tables, the manifest, the figures and these blocks of a folder of results into its `previous`. What lies there
/// of results before those makes room; anything else stays as it is.
///
/// # Errors
///
/// When something cannot be moved, with its path; what was moved until then lies in `previous`.
pub(crate) fn set_aside(
    data: &Path,
    figures: &Path,
    store: &BlockStore,
    blocks: &[(String, Range<u32>)],
) -> Result<(), (PathBuf, io::Error)> {
    let previous = data.join(PREVIOUS);
    make_folder(&previous)?;
    // First of all: a manifest beside tables of another sweep would be a lie.
    remove(&previous.join(manifest::FILE_NAME))?;
    let (aside, figures_aside) = (previous.join(FOLDER), previous.join("plots"));
    empty(&aside)?;
    plots::files(&figures_aside).try_for_each(|figure| remove(&figure))?;
    for table in tables::FILE_NAMES {
        remove(&previous.join(table))?;
        rename(&data.join(table), &previous.join(table))?;
    }
    if !blocks.is_empty() {
        make_folder(&aside)?;
    }
    for (hash, range) in blocks {
        let name = store.name(hash, range);
        rename(&store.folder().join(&name), &aside.join(name))?;
    }
    for (from, to) in plots::files(figures).zip(plots::files(&figures_aside)) {
        if from.is_file() {
            make_folder(&figures_aside)?;
            move_figure(&from, &to)?;
        }
    }
    rename(&data.join(manifest::FILE_NAME), &previous.join(manifest::FILE_NAME))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> (PathBuf, io::Error) {
    move |error| (path.to_owned(), error)
}

/// Makes a folder that is not a link to somewhere else.
fn make_folder(path: &Path) -> Result<(), (PathBuf, io::Error)> {
    match fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made.map_err(at(path)),
    }
    if fs::symlink_metadata(path).map_err(at(path))?.is_dir() {
        return Ok(());
    }
    let sentence = "something is there that is no folder, and earlier results should be kept in one: move it elsewhere, or throw \
                    the earlier results away with --replace";
    Err((path.to_owned(), io::Error::new(io::ErrorKind::AlreadyExists, sentence)))
}

/// Removes the blocks of a folder.
fn empty(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(at(folder))?,
    };
    for entry in entries {
        let path = entry.map_err(at(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "block") {
            remove(&path)?;
        }
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), (PathBuf, io::Error)> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err((path.to_owned(), error)),
        _ => Ok(()),
    }
}

/// Moves what is there.
fn rename(from: &Path, to: &Path) -> Result<(), (PathBuf, io::Error)> {
    match fs::rename(from, to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err((from.to_owned(), error)),
        _ => Ok(()),
    }
}

/// Figures may lie on another disk than tables.
fn move_figure(from: &Path, to: &Path) -> Result<(), (PathBuf, io::Error)> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            fs::copy(from, to).and_then(|_| fs::remove_file(from)).map_err(at(from))
        }
        moved => moved.map_err(at(from)),
    }
}
