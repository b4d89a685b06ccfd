//! What the command line can do, and how it ends.

pub mod bulkhead;
pub mod compare;
pub mod conform;
pub mod export;
pub mod import;
mod merge;
pub mod missing;
pub mod plan;
pub mod rare;
mod rounds;
pub mod scenario;
pub mod sensitivity;
pub mod shard;
pub mod sweep;
pub mod trace;
pub mod verify;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::blocks::BlockError;
use crate::figures::FigureError;
use crate::lesson::LessonError;
use crate::sweep_file::SweepError;

/// A command that did what it could.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All of it.
    Done,
    /// Only a part: interrupted, or a comparison that failed.
    Partial,
    /// All replications that are allowed, and the results are not as precise as asked for.
    NotPrecise,
}

/// A command that failed.
#[derive(Debug)]
pub enum Failure {
    /// The sweep file or its overrides.
    Sweep(SweepError),
    /// The lesson's constants, or its output.
    Lesson(LessonError),
    /// Something else that the user gave.
    Input(String),
    /// Another run writes into the same folder.
    Busy(PathBuf),
    /// A result file or folder.
    Write {
        /// Where.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// A block of finished work.
    Blocks(BlockError),
    /// A result file that should be read.
    Read {
        /// Where.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// Blocks that should be there and are not.
    Incomplete(String),
    /// Standard output.
    Output(io::Error),
    /// Threads, signals.
    System(String),
}

impl Failure {
    /// A failure to write `path`.
    pub(crate) fn write<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> Self {
        move |cause| Self::Write { path: path.to_owned(), cause: cause.to_string() }
    }

    /// A failure to read `path`.
    pub(crate) fn read<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> Self {
        move |cause| Self::Read { path: path.to_owned(), cause: cause.to_string() }
    }

    /// The process's exit code: 2 for bad input, 1 for everything else.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Sweep(_)
            | Self::Lesson(LessonError::NoAssignment(_) | LessonError::Constant(_))
            | Self::Input(_)
            | Self::Blocks(BlockError::OtherPlan(..) | BlockError::Bucket { lasting: true, .. })
            | Self::Read { .. } => 2,
            Self::Lesson(LessonError::Output(_))
            | Self::Busy(_)
            | Self::Incomplete(_)
            | Self::Blocks(_)
            | Self::Write { .. }
            | Self::Output(_)
            | Self::System(_) => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sweep(error) => error.fmt(f),
            Self::Lesson(error) => error.fmt(f),
            Self::Input(text) | Self::Incomplete(text) | Self::System(text) => f.write_str(text),
            Self::Busy(folder) => write!(
                f,
                "another run is writing into {}; wait for it, or choose another folder with --out DIR",
                folder.display()
            ),
            Self::Write { path, cause } => write!(
                f,
                "cannot write {}: {cause}. Nothing half-written is left. Make room or make it writable, and run the same \
                 command again: finished blocks are kept, and only what is missing is done. Or choose another folder with \
                 --out DIR",
                path.display()
            ),
            Self::Blocks(error @ BlockError::Io(..)) => write!(
                f,
                "{error}. Finished blocks are kept, and nothing half-written will be read. Make room or make it writable, and \
                 run the same command again: it does only what is missing"
            ),
            Self::Blocks(error @ BlockError::Bucket { lasting: false, .. }) => write!(
                f,
                "{error}. Finished blocks are kept, and nothing half-written will be read. Run the same command again: it does \
                 only what is missing"
            ),
            Self::Blocks(error @ BlockError::Damaged(..)) => {
                write!(f, "{error}. `experiments missing` says which shard makes it again")
            }
            Self::Blocks(error) => error.fmt(f),
            Self::Read { path, cause } => write!(
                f,
                "cannot read {}: {cause}. It has to be what a finished sweep wrote, or a text in the form of \
                 sweeps/reference.txt",
                path.display()
            ),
            Self::Output(error) => write!(f, "cannot write to standard output: {error}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        Self::Sweep(error)
    }
}

impl From<BlockError> for Failure {
    fn from(error: BlockError) -> Self {
        Self::Blocks(error)
    }
}

impl From<LessonError> for Failure {
    fn from(error: LessonError) -> Self {
        match error {
            LessonError::Output(error) => Self::Output(error),
            error => Self::Lesson(error),
        }
    }
}

impl From<FigureError> for Failure {
    fn from(error: FigureError) -> Self {
        match error {
            FigureError::Write { path, source } => Self::write(&path)(source),
            FigureError::Draw(_) => Self::System(error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    /// Only for writes to standard output; files name their path.
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
