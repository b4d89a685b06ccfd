//! The blocks of a plan, named by plan and range, each published once.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

#[cfg(feature = "object-store")]
use super::bucket::Bucket;
use super::codec::{self, BlockWriter, Shape, Unreadable};
use super::destination::Destination;
use super::folder::Folder;
use super::place::Place;
use super::plan::Plan;
use crate::runner::{DistinctDesigns, ReplicationRuns};
use crate::sweep_file::Sweep;

/// The folder of the blocks within that of the results.
pub const FOLDER: &str = "blocks";
const EXTENSION: &str = ".block";
/// So often a name may be taken and free again, which a few other writers can bring about, before something is wrong.
const MOST_ATTEMPTS: u32 = 40;

/// The blocks of one plan in one folder or bucket.
#[derive(Clone, Debug)]
pub struct BlockStore {
    place: Arc<dyn Place>,
    plan: Plan,
    shape: Shape,
}

/// Why a block cannot be read or published.
#[derive(Debug)]
pub enum BlockError {
    /// The file or folder does not let itself be used.
    Io(PathBuf, io::Error),
    /// The bucket does not let itself be used.
    Bucket {
        /// The address of the bucket or of a block in it.
        address: PathBuf,
        /// Why, and what helps.
        cause: String,
        /// Whether it will be so until somebody changes something.
        lasting: bool,
    },
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
            Self::Bucket { address, cause, .. } => write!(f, "cannot use {}: {cause}", address.display()),
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
        Self::within(Arc::new(Folder::new(results.join(FOLDER))), sweep)
    }

    /// The blocks of a sweep in a folder or a bucket. A bucket has to let itself be reached; nothing is written yet.
    ///
    /// # Errors
    ///
    /// When there are no credentials for the bucket, its endpoint is not to be trusted with them, or the program was built
    /// without object stores.
    pub fn at(destination: &Destination, sweep: &Sweep) -> Result<Self, BlockError> {
        match destination {
            Destination::Folder(results) => Ok(Self::new(results, sweep)),
            #[cfg(feature = "object-store")]
            Destination::Bucket(address) => Ok(Self::within(Arc::new(Bucket::open(address)?), sweep)),
            #[cfg(not(feature = "object-store"))]
            Destination::Bucket(address) => Err(BlockError::Bucket {
                address: address.to_string().into(),
                cause: "this program was built without object stores. Build it with them (`cargo build --release -p \
                        experiments --features object-store`), or use a folder that all machines see"
                    .to_owned(),
                lasting: true,
            }),
        }
    }

    pub(super) fn within(place: Arc<dyn Place>, sweep: &Sweep) -> Self {
        let slots = DistinctDesigns::of(sweep).simulated.len();
        let shape = Shape { modes: sweep.modes.len(), slots };
        Self { place, plan: Plan::of(sweep), shape }
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The folder, or what stands for it in a bucket's addresses, for messages.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.place.location()
    }

    /// Makes the folder if it is not there. Buckets are made by their owners.
    ///
    /// # Errors
    ///
    /// When that is refused.
    pub fn create_folder(&self) -> Result<(), BlockError> {
        self.place.create()
    }

    /// What the folder or bucket holds by name. Files of other names, links and folders are not looked at.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be listed.
    pub fn list(&self) -> Result<Listing, BlockError> {
        let mut listing = Listing::default();
        for name in self.place.names()? {
            let Some((hash, range)) = parse_name(&name) else { continue };
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
        let name = self.name(self.plan.hash(), range);
        let bytes = self.place.read(&name)?;
        codec::decode(&bytes, &self.plan, self.shape, range).map_err(|why| self.unreadable(&name, why))
    }

    /// Where the plan of a foreign block first differs from this one.
    ///
    /// # Errors
    ///
    /// When the block cannot be read.
    pub fn difference(&self, hash: &str, range: &Range<u32>) -> Result<String, BlockError> {
        let name = self.name(hash, range);
        let bytes = self.place.read(&name)?;
        let there = codec::plan_text(&bytes).map_err(|why| self.unreadable(&name, why))?;
        Ok(self.plan.difference(&there))
    }

    /// Starts a block with its first replication.
    ///
    /// # Errors
    ///
    /// When there is no memory for the compression.
    pub(super) fn start(&self, first: u32) -> Result<BlockWriter, BlockError> {
        BlockWriter::new(&self.plan, self.shape, first).map_err(|error| BlockError::Io(self.folder().to_owned(), error))
    }

    /// How many bytes a block of these replications, which follow one another, has.
    ///
    /// # Errors
    ///
    /// When there is no memory for the compression.
    pub fn size_of(&self, runs: &[ReplicationRuns]) -> Result<u64, BlockError> {
        let Some(first) = runs.first() else { return Ok(0) };
        let mut block = self.start(first.replication)?;
        let failed = |error| BlockError::Io(self.folder().to_owned(), error);
        runs.iter().try_for_each(|runs| block.add(runs)).map_err(failed)?;
        Ok(block.finish().map_err(failed)?.1.len() as u64)
    }

    /// Publishes a block, unless the same one is there already.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or another one of the same name is there.
    pub(super) fn publish(&self, range: &Range<u32>, bytes: &[u8]) -> Result<(), BlockError> {
        let name = self.name(self.plan.hash(), range);
        let content = |bytes: &[u8]| codec::payload(bytes, &self.plan, self.shape, range);
        for attempt in 0..MOST_ATTEMPTS {
            if self.place.publish_new(&name, bytes)? {
                return Ok(());
            }
            let there = match self.place.read(&name) {
                // It went away again in the meantime, or a bucket promised the name to a writer who is not ready yet.
                Err(BlockError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
                    thread::sleep(Duration::from_millis(5) * attempt);
                    continue;
                }
                Err(BlockError::Damaged(..)) => {
                    self.place.remove(&name)?;
                    continue;
                }
                there => there?,
            };
            match content(&there) {
                Ok(there) if Ok(&there) == content(bytes).as_ref() => return Ok(()),
                Ok(_) => return Err(BlockError::Contradiction(self.folder().join(name))),
                // What is damaged is nobody's work: it makes room for the whole one.
                Err(_) => self.place.remove(&name)?,
            }
        }
        let cause = "its name is taken and free again without end: something else removes it";
        Err(BlockError::Io(self.folder().join(name), io::Error::other(cause)))
    }

    /// Removes the block of exactly this range.
    ///
    /// # Errors
    ///
    /// When it is there and cannot be removed.
    pub fn remove(&self, hash: &str, range: &Range<u32>) -> Result<(), BlockError> {
        self.place.remove(&self.name(hash, range))
    }

    /// Removes the files under construction that killed processes have left. Only for the folder's one writer.
    ///
    /// # Errors
    ///
    /// When the folder is there and cannot be listed.
    pub fn remove_staged(&self) -> Result<(), BlockError> {
        self.place.remove_staged()
    }

    /// Removes the folder if nothing is left in it.
    pub fn remove_empty_folder(&self) {
        self.place.remove_if_empty();
    }

    /// A block's file name.
    #[must_use]
    pub fn name(&self, hash: &str, range: &Range<u32>) -> String {
        format!("{hash}-{:010}-{:010}{EXTENSION}", range.start, range.end)
    }

    fn unreadable(&self, name: &str, why: Unreadable) -> BlockError {
        let path = self.folder().join(name);
        match why {
            Unreadable::Damaged(why) => BlockError::Damaged(path, why),
            Unreadable::OtherPlan(difference) => BlockError::OtherPlan(path, difference),
        }
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

    /// A store in every kind of place, and what has to outlive it.
    fn stores() -> Vec<(tempfile::TempDir, BlockStore)> {
        let folder = tempfile::tempdir().expect("a folder");
        let store = BlockStore::new(folder.path(), &sweep(1));
        store.create_folder().expect("writable");
        vec![
            (folder, store),
            #[cfg(feature = "object-store")]
            (tempfile::tempdir().expect("a folder"), in_memory()),
        ]
    }

    #[cfg(feature = "object-store")]
    fn in_memory() -> BlockStore {
        let Ok(Destination::Bucket(address)) = Destination::parse("s3://bucket/a/prefix".into()) else {
            unreachable!()
        };
        BlockStore::within(Arc::new(Bucket::in_memory(&address)), &sweep(1))
    }

    #[test]
    fn the_same_again_is_success_another_content_is_an_alarm_and_damage_makes_room() {
        for (_folder, store) in stores() {
            let (mine, other) = (block(&store, 1), block(&store, 2));
            store.publish(&(3..4), &mine).expect("free");
            store.publish(&(3..4), &mine).expect("the same");
            let alarm = store.publish(&(3..4), &other).expect_err("another content");
            assert!(matches!(alarm, BlockError::Contradiction(_)) && alarm.to_string().starts_with("ALARM"), "{alarm}");
            let name = store.name(store.plan().hash(), &(3..4));
            assert!(alarm.to_string().contains(&format!("{}/{name}", store.folder().display())), "{alarm}");
            assert!(store.place.read(&name).expect("readable") == mine, "the first one stays");
            for damaged in [&mine[..40], &[]] {
                store.place.remove(&name).expect("removable");
                assert!(store.place.publish_new(&name, damaged).expect("writable"));
                assert!(matches!(store.read(&(3..4)), Err(BlockError::Damaged(..))));
                store.publish(&(3..4), &mine).expect("damage makes room");
                assert!(store.place.read(&name).expect("readable") == mine);
            }
        }
    }

    #[test]
    fn sixteen_writers_of_one_block_leave_one() {
        for (_folder, store) in stores() {
            let bytes = block(&store, 1);
            thread::scope(|threads| {
                for _ in 0..16 {
                    threads.spawn(|| store.publish(&(3..4), &bytes).expect("published by one, found by the others"));
                }
            });
            assert_eq!(store.place.names().expect("listable").len(), 1);
            assert_eq!(store.read(&(3..4)).expect("whole").len(), 1);
        }
    }

    #[test]
    fn of_sixteen_writers_of_different_blocks_fifteen_alarm() {
        for (_folder, store) in stores() {
            let blocks: Vec<_> = (1..=16).map(|seed| block(&store, seed)).collect();
            let alarms: usize = thread::scope(|threads| {
                let writers: Vec<_> =
                    blocks.iter().map(|bytes| threads.spawn(|| store.publish(&(3..4), bytes).is_err())).collect();
                writers.into_iter().map(|writer| usize::from(writer.join().expect("no panic"))).sum()
            });
            assert_eq!(alarms, 15);
        }
    }

    #[test]
    fn own_and_foreign_blocks_are_listed_in_order_and_other_names_are_not() {
        for (_folder, store) in stores() {
            let (hash, foreign) = (store.plan().hash(), "0123456789abcdef0123456789abcdef");
            for name in [
                &store.name(hash, &(4..8)),
                &store.name(hash, &(0..4)),
                &store.name(foreign, &(0..4)),
                "runs.parquet",
                ".staged-x",
            ] {
                store.place.publish_new(name, b"x").expect("writable");
            }
            let expected = Listing { own: vec![0..4, 4..8], foreign: vec![(foreign.to_owned(), 0..4)] };
            assert_eq!(store.list().expect("listable"), expected);
            store.remove(hash, &(0..4)).expect("there");
            store.remove(hash, &(0..4)).expect("gone already");
            let left = store.list().expect("listable").own;
            assert!(left.len() == 1 && left[0] == (4..8), "{left:?}");
        }
    }

    #[test]
    fn a_place_where_nothing_was_written_has_no_blocks() {
        let folder = tempfile::tempdir().expect("a folder");
        let nowhere = BlockStore::new(&folder.path().join("nowhere"), &sweep(1));
        assert_eq!(nowhere.list().expect("empty"), Listing::default());
        assert!(
            matches!(nowhere.read(&(3..4)), Err(BlockError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound)
        );
        #[cfg(feature = "object-store")]
        {
            assert_eq!(in_memory().list().expect("empty"), Listing::default());
            let read = in_memory().read(&(3..4));
            assert!(matches!(read, Err(BlockError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound));
        }
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
