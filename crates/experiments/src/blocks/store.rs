//! Where blocks lie: in files named by plan and range, each published once.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::codec::{self, BlockWriter, Shape, Unreadable};
use super::plan::Plan;
use crate::publish::{STAGED, publish_new};
use crate::runner::{DistinctDesigns, ReplicationRuns};
use crate::sweep_file::Sweep;

/// The folder of the blocks within that of the results.
pub const FOLDER: &str = "blocks";
const EXTENSION: &str = ".block";
/// No block is larger, whatever a folder may hold under a block's name.
const MOST_BYTES: u64 = 4 << 30;

/// The blocks of one plan in one folder.
#[derive(Clone, Debug)]
pub struct BlockStore {
    folder: PathBuf,
    plan: Plan,
    shape: Shape,
}

/// Why a block cannot be read or published.
#[derive(Debug)]
pub enum BlockError {
    /// The file or folder does not let itself be used.
    Io(PathBuf, io::Error),
    /// The file is not what was written: it is worth nothing, and its replications have to be simulated again.
    Damaged(PathBuf, &'static str),
    /// The file belongs to another plan.
    OtherPlan(PathBuf, String),
    /// The same replications were simulated twice, and differ.
    Contradiction(PathBuf),
}

impl fmt::Display for BlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "cannot use {}: {error}", path.display()),
            Self::Damaged(path, why) => write!(f, "{} is damaged: {why}", path.display()),
            Self::OtherPlan(path, difference) => write!(
                f,
                "{} belongs to another sweep or another version of the program: {difference}. The two must not be mixed: \
                 choose another folder with --out DIR, or remove the file",
                path.display()
            ),
            Self::Contradiction(path) => write!(
                f,
                "ALARM: {} holds other results of the same replications than this run. One of the two machines or programs \
                 does not compute what it should. Keep the file, simulate the same replications into other folders on both, \
                 and compare; trust neither until they agree",
                path.display()
            ),
        }
    }
}

impl std::error::Error for BlockError {}

/// The file names of a blocks folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The ranges of the plan's own blocks, in order.
    pub own: Vec<Range<u32>>,
    /// The blocks of other plans: (plan hash, range), in order.
    pub foreign: Vec<(String, Range<u32>)>,
}

impl BlockStore {
    /// The blocks of a sweep in a folder of results. Nothing is read or created yet.
    #[must_use]
    pub fn new(results: &Path, sweep: &Sweep) -> Self {
        let slots = DistinctDesigns::of(sweep).simulated.len();
        let shape = Shape { modes: sweep.modes.len(), slots };
        Self { folder: results.join(FOLDER), plan: Plan::of(sweep), shape }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder if it is not there.
    ///
    /// # Errors
    ///
    /// When that is refused.
    pub fn create_folder(&self) -> Result<(), BlockError> {
        fs::create_dir_all(&self.folder).map_err(|error| BlockError::Io(self.folder.clone(), error))
    }

    /// What the folder holds by name. Files of other names, links and folders are not looked at.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be listed.
    pub fn list(&self) -> Result<Listing, BlockError> {
        let failed = |error| BlockError::Io(self.folder.clone(), error);
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Listing::default()),
            entries => entries.map_err(failed)?,
        };
        let mut listing = Listing::default();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let Some((hash, range)) = name.to_str().and_then(parse_name) else { continue };
            if !entry.file_type().map_err(failed)?.is_file() {
                continue;
            }
            if hash == self.plan.hash() {
                listing.own.push(range);
            } else {
                listing.foreign.push((hash.to_owned(), range));
            }
        }
        listing.own.sort_by_key(|range| (range.start, range.end));
        listing.foreign.sort_by(|a, b| (&a.0, a.1.start, a.1.end).cmp(&(&b.0, b.1.start, b.1.end)));
        Ok(listing)
    }

    /// Reads the block of exactly this range.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is damaged, or says that it belongs to another plan in spite of its name.
    pub fn read(&self, range: &Range<u32>) -> Result<Vec<ReplicationRuns>, BlockError> {
        let path = self.path(self.plan.hash(), range);
        let bytes = read_bounded(&path)?;
        codec::decode(&bytes, &self.plan, self.shape, range).map_err(|why| unreadable(path, why))
    }

    /// Where the plan of a foreign block first differs from this one.
    ///
    /// # Errors
    ///
    /// When the block cannot be read.
    pub fn difference(&self, hash: &str, range: &Range<u32>) -> Result<String, BlockError> {
        let path = self.path(hash, range);
        let bytes = read_bounded(&path)?;
        let there = codec::plan_text(&bytes).map_err(|why| unreadable(path, why))?;
        Ok(self.plan.difference(&there))
    }

    /// Starts a block with its first replication.
    ///
    /// # Errors
    ///
    /// When there is no memory for the compression.
    pub(super) fn start(&self, first: u32) -> Result<BlockWriter, BlockError> {
        BlockWriter::new(&self.plan, self.shape, first).map_err(|error| BlockError::Io(self.folder.clone(), error))
    }

    /// How many bytes a block of these replications, which follow one another, has.
    ///
    /// # Errors
    ///
    /// When there is no memory for the compression.
    pub fn size_of(&self, runs: &[ReplicationRuns]) -> Result<u64, BlockError> {
        let Some(first) = runs.first() else { return Ok(0) };
        let mut block = self.start(first.replication)?;
        let failed = |error| BlockError::Io(self.folder.clone(), error);
        runs.iter().try_for_each(|runs| block.add(runs)).map_err(failed)?;
        Ok(block.finish().map_err(failed)?.1.len() as u64)
    }

    /// Publishes a block, unless the same one is there already.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or another one of the same name is there.
    pub(super) fn publish(&self, range: &Range<u32>, bytes: &[u8]) -> Result<(), BlockError> {
        let path = self.path(self.plan.hash(), range);
        loop {
            match publish_new(&path, |file| file.write_all(bytes)) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(error) => return Err(BlockError::Io(path, error)),
            }
            let content = |bytes: &[u8]| codec::payload(bytes, &self.plan, self.shape, range);
            let there = match read_bounded(&path) {
                // It went away again in the meantime.
                Err(BlockError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(BlockError::Damaged(..)) => {
                    remove(&path)?;
                    continue;
                }
                there => there?,
            };
            match content(&there) {
                Ok(there) if Ok(&there) == content(bytes).as_ref() => return Ok(()),
                Ok(_) => return Err(BlockError::Contradiction(path)),
                // A damaged file is nobody's work: it makes room for the whole one.
                Err(_) => remove(&path)?,
            }
        }
    }

    /// Removes the block of exactly this range.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be removed.
    pub fn remove(&self, hash: &str, range: &Range<u32>) -> Result<(), BlockError> {
        remove(&self.path(hash, range))
    }

    /// Removes the files under construction that killed processes have left. Only for the folder's one writer.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be listed.
    pub fn remove_staged(&self) -> Result<(), BlockError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(|error| BlockError::Io(self.folder.clone(), error))?,
        };
        for entry in entries.flatten() {
            if entry.file_name().to_str().is_some_and(|name| name.starts_with(STAGED)) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Removes the folder if nothing is left in it.
    pub fn remove_empty_folder(&self) {
        // If something is left there, it stays.
        let _ = fs::remove_dir(&self.folder);
    }

    /// A block's file name.
    #[must_use]
    pub fn name(&self, hash: &str, range: &Range<u32>) -> String {
        format!("{hash}-{:010}-{:010}{EXTENSION}", range.start, range.end)
    }

    fn path(&self, hash: &str, range: &Range<u32>) -> PathBuf {
        self.folder.join(self.name(hash, range))
    }
}

/// The plan hash and range of a block's file name.
fn parse_name(name: &str) -> Option<(&str, Range<u32>)> {
    let digits = |text: &str| text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = name.strip_suffix(EXTENSION)?.split('-');
    let (hash, first, end) = (parts.next()?, parts.next()?, parts.next()?);
    let hexadecimal = hash.len() == 32 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !hexadecimal || !digits(first) || !digits(end) || parts.next().is_some() {
        return None;
    }
    let range = first.parse().ok()?..end.parse().ok()?;
    (!range.is_empty()).then_some((hash, range))
}

fn read_bounded(path: &Path) -> Result<Vec<u8>, BlockError> {
    let failed = |error| BlockError::Io(path.to_owned(), error);
    let there = fs::symlink_metadata(path).map_err(failed)?;
    if !there.is_file() {
        return Err(BlockError::Damaged(path.to_owned(), "it is no file, but a link, a folder or the like"));
    }
    let size = there.len();
    if size > MOST_BYTES {
        return Err(BlockError::Damaged(path.to_owned(), "it is larger than any block"));
    }
    fs::read(path).map_err(failed)
}

fn remove(path: &Path) -> Result<(), BlockError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(BlockError::Io(path.to_owned(), error)),
        _ => Ok(()),
    }
}

fn unreadable(path: PathBuf, why: Unreadable) -> BlockError {
    match why {
        Unreadable::Damaged(why) => BlockError::Damaged(path, why),
        Unreadable::OtherPlan(difference) => BlockError::OtherPlan(path, difference),
    }
}

#[cfg(test)]
mod tests {
    use scenario::Sharing;

    use super::*;
    use crate::runner::simulate;
    use crate::sweep_file::parse;

    /// The bytes of a block of `store` that holds replication 3 of a sweep with another seed or none.
    fn block(store: &BlockStore, seed: u64) -> Vec<u8> {
        let sweep = sweep(seed);
        let designs = DistinctDesigns::of(&sweep).design_set(&sweep);
        let mut writer = store.start(3).expect("memory");
        writer.add(&simulate(&sweep, &designs, Sharing::Plain, 3)).expect("memory");
        writer.finish().expect("memory").1
    }

    fn sweep(seed: u64) -> Sweep {
        let text = "[[rule]]\nkind = \"consecutive\"\nthreshold = 3\nopen_for = \"1s\"\n";
        parse("store.toml", text, &[format!("root_seed={seed}")], None).expect("a sweep")
    }

    #[test]
    fn the_same_again_is_success_another_content_is_an_alarm_and_damage_makes_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = BlockStore::new(folder.path(), &sweep(1));
        store.create_folder().expect("writable");
        let (mine, other) = (block(&store, 1), block(&store, 2));
        store.publish(&(3..4), &mine).expect("free");
        store.publish(&(3..4), &mine).expect("the same");
        let alarm = store.publish(&(3..4), &other).expect_err("another content");
        assert!(matches!(alarm, BlockError::Contradiction(_)) && alarm.to_string().starts_with("ALARM"), "{alarm}");
        let path = store.path(store.plan().hash(), &(3..4));
        assert!(fs::read(&path).expect("readable") == mine, "the first one stays");
        fs::write(&path, &mine[..40]).expect("writable");
        store.publish(&(3..4), &mine).expect("damage makes room");
        assert!(fs::read(&path).expect("readable") == mine);
    }

    #[test]
    fn sixteen_writers_of_one_block_leave_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = BlockStore::new(folder.path(), &sweep(1));
        store.create_folder().expect("writable");
        let bytes = block(&store, 1);
        std::thread::scope(|threads| {
            for _ in 0..16 {
                threads.spawn(|| store.publish(&(3..4), &bytes).expect("published by one, found by the others"));
            }
        });
        assert_eq!(fs::read_dir(store.folder()).expect("listable").count(), 1);
        assert_eq!(store.read(&(3..4)).expect("whole").len(), 1);
    }

    #[test]
    fn names_are_read_exactly() {
        let hash = "0123456789abcdef0123456789abcdef";
        let name = format!("{hash}-0000000003-0000000004.block");
        assert_eq!(parse_name(&name), Some((hash, 3..4)));
        for bad in [
            "runs.parquet",
            "",
            ".block",
            "..-0000000003-0000000004.block",
            &name.replace("0000000004", "0000000003"),
            &name.replace("0000000004", "9999999999"),
            &name.replace("0000000003", "+000000003"),
            &name.replace("abcdef", "ABCDEF"),
            &name.replace(".block", "-0.block"),
            &format!("{name}.partial"),
        ] {
            assert_eq!(parse_name(bad), None, "{bad}");
        }
    }
}
