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
        // What a killed process left under this name goes, and be it a link that leads elsewhere.
        match fs::remove_file(&partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = File::create_new(&partial)?;
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

/// What names of files under construction for [`publish_new`] begin with.
pub(crate) const STAGED: &str = ".staged-";

/// Publishes a file under a name that nothing has yet: whole or not at all, and by one of several writers only. `false` if
/// the name was taken.
///
/// # Errors
///
/// When `write` fails, or the bytes do not reach the disk; nothing is left then, unless the process is killed.
pub(crate) fn publish_new(target: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<bool> {
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(STAGED);
    // As other files, and not for their owner's eyes only as temporary ones.
    #[cfg(unix)]
    let builder = builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut staged = builder.tempfile_in(folder)?;
    write(staged.as_file_mut())?;
    staged.as_file().sync_all()?;
    match staged.persist_noclobber(target) {
        Ok(_) => {
            // The name survives a loss of power, too, where folders can be synchronised.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
            Ok(true)
        }
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_that_fails_after_any_number_of_bytes_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("block");
        let bytes: Vec<u8> = (0..200).collect();
        for before in 0..=bytes.len() {
            let full = publish_new(&target, |file| {
                file.write_all(&bytes[..before])?;
                Err(io::ErrorKind::StorageFull.into())
            });
            assert_eq!(full.map_err(|error| error.kind()), Err(io::ErrorKind::StorageFull));
            assert_eq!(fs::read_dir(folder.path()).expect("listable").count(), 0, "after {before} bytes");
        }
        assert!(publish_new(&target, |file| file.write_all(&bytes)).expect("writable"));
        assert!(!publish_new(&target, |file| file.write_all(b"other")).expect("writable"), "the first one stays");
        assert_eq!(fs::read(&target).expect("readable"), bytes);
        assert_eq!(fs::read_dir(folder.path()).expect("listable").count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_in_the_place_of_a_file_under_construction_leads_nowhere() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let outside = folder.path().join("outside");
        fs::write(&outside, "precious").expect("writable");
        let target = folder.path().join("table");
        std::os::unix::fs::symlink(&outside, folder.path().join("table.partial")).expect("linkable");
        std::os::unix::fs::symlink(&outside, &target).expect("linkable");
        publish(&target, b"results").expect("writable");
        assert_eq!(fs::read(&outside).expect("readable"), b"precious");
        assert!(fs::symlink_metadata(&target).expect("there").is_file());
    }

    #[test]
    fn of_many_writers_exactly_one_wins() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let target = folder.path().join("block");
        let wins: usize = std::thread::scope(|threads| {
            let writers: Vec<_> = (0_u8..16)
                .map(|writer| {
                    threads.spawn({
                        let target = &target;
                        move || publish_new(target, |file| file.write_all(&[writer; 4096])).expect("writable")
                    })
                })
                .collect();
            writers.into_iter().map(|writer| usize::from(writer.join().expect("no panic"))).sum()
        });
        assert_eq!(wins, 1);
        let bytes = fs::read(&target).expect("readable");
        assert!(bytes.len() == 4096 && bytes.iter().all(|&byte| byte == bytes[0]), "one writer's bytes and no others");
    }

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
