//! `experiments shard`: a part of a sweep, for engines that start many processes.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;

use scenario::Sharing;

use super::{Failure, rounds};
use crate::blocks::{BlockError, BlockStore, Origin, Work};
use crate::cli::ShardArgs;
use crate::console::say;
use crate::folder_lock::FolderLock;
use crate::numbers::counted;
use crate::progress::Progress;
use crate::runner::{requests, thread_count, thread_pool};
use crate::shards::{Division, Given, identify};
use crate::signals::{Ended, Signals};
use crate::sweep_file;

/// Bad arguments: trying again is of no use (`EX_USAGE` of sysexits.h).
pub const USAGE: u8 = 64;
/// A bad sweep, or a folder with other work: trying again is of no use (`EX_DATAERR`).
pub const DATA: u8 = 65;
/// The machine, the network or the disk: trying again may help (`EX_TEMPFAIL`).
pub const TEMPORARY: u8 = 75;

/// Simulates what is missing of a shard and publishes it in blocks. Returns the exit code: 0 when all of it is there, 143 or
/// 130 after a SIGTERM or SIGINT (what was finished is published then), or one of the constants above.
#[must_use]
pub fn run(args: &ShardArgs) -> u8 {
    match simulate(args) {
        Ok(None) => 0,
        Ok(Some(signal)) => signal.exit_code(),
        Err((code, failure)) => {
            say(format_args!("error: {failure}"));
            code
        }
    }
}

fn code_of(failure: &Failure) -> u8 {
    match failure {
        Failure::Sweep(_) | Failure::Input(_) | Failure::Read { .. } | Failure::Lesson(_) => DATA,
        Failure::Blocks(
            BlockError::OtherPlan(..) | BlockError::Contradiction(_) | BlockError::Bucket { lasting: true, .. },
        ) => DATA,
        Failure::Blocks(_)
        | Failure::Busy(_)
        | Failure::Incomplete(_)
        | Failure::Write { .. }
        | Failure::Output(_)
        | Failure::System(_) => TEMPORARY,
    }
}

fn simulate(args: &ShardArgs) -> Result<Option<Ended>, (u8, Failure)> {
    let given = Given { index: args.index, count: args.count, base: args.index_base };
    let variable = |name: &str| std::env::var_os(name).map(|text| text.to_string_lossy().into_owned());
    let identity = identify(given, &variable).map_err(|error| (USAGE, Failure::Input(error.to_string())))?;
    let coded = |failure: Failure| (code_of(&failure), failure);
    let sweep = sweep_file::load(&args.what.sweep, &args.what.overrides, args.what.replications)
        .map_err(|error| coded(error.into()))?;
    let signals =
        Signals::listen().map_err(|error| coded(Failure::System(format!("cannot listen for signals: {error}"))))?;
    let replications = rounds::replications(&sweep, args.round).map_err(|error| (USAGE, Failure::Input(error)))?;
    let division = Division::new(&sweep, replications, identity.count);
    let range = division.range(identity.index);
    let store = BlockStore::at(&args.out, &sweep).map_err(|error| coded(error.into()))?;
    let _lock = prepare(&store, args.out.folder()).map_err(coded)?;

    let total = range.end - range.start;
    let jobs = thread_count(args.jobs, total).max(1);
    let pool = thread_pool(jobs).map_err(|error| coded(Failure::System(format!("cannot start threads: {error}"))))?;
    let mut progress = Progress::new(total, args.progress.unless_quiet(args.quiet));
    let mut reused = 0_u32;
    let work = Work {
        sweep: &sweep,
        pool: &pool,
        sharing: if args.plain { Sharing::Plain } else { Sharing::Auto },
        store: &store,
        block_length: args.block.unwrap_or(division.block()),
        simulate: true,
        stop: signals.stop(),
    };
    let after = work.in_order(range.clone(), |runs, origin| {
        match origin {
            Origin::Block => {
                reused += 1;
                progress.reuse();
            }
            Origin::Simulated => progress.advance(requests(&runs), signals.stop().load(Ordering::Relaxed)),
        }
        Ok(())
    });
    let after = after.map_err(coded)?;
    progress.finish();
    let interrupted = after < range.end;
    if !args.quiet {
        say(format_args!(
            "shard {} of {}: {}, of which {reused} were there already{}",
            identity.index,
            identity.count,
            counted(u64::from(after - range.start), "replication"),
            if interrupted { format!("; interrupted with {} left", range.end - after) } else { String::new() },
        ));
    }
    Ok(signals.ended().filter(|_| interrupted))
}

/// Makes the folder or bucket ready for blocks, beside those of other shards but of no other sweep. Only a folder is
/// locked, against a run that has it for itself; none has a bucket.
fn prepare(store: &BlockStore, folder: Option<&Path>) -> Result<Option<FolderLock>, Failure> {
    let lock = folder.map(share).transpose()?;
    store.create_folder()?;
    if let Some((hash, range)) = store.list()?.foreign.first() {
        let difference = store.difference(hash, range).unwrap_or_else(|error| error.to_string());
        return Err(Failure::Input(format!(
            "{} holds blocks of another sweep: {difference}. The two must not be mixed: choose another --out, or remove those \
             blocks",
            store.folder().display()
        )));
    }
    Ok(lock)
}

fn share(folder: &Path) -> Result<FolderLock, Failure> {
    fs::create_dir_all(folder).map_err(Failure::write(folder))?;
    let lock = FolderLock::share(folder).map_err(Failure::write(folder))?;
    lock.ok_or_else(|| Failure::Busy(folder.to_owned()))
}
