//! `experiments missing`: which shards have to be submitted again.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use serde_json::json;

use super::{Failure, Outcome, rounds};
use crate::blocks::{BlockError, BlockStore, Cover};
use crate::cli::{MissingArgs, MissingForm};
use crate::console::say;
use crate::numbers::counted;
use crate::shards::Division;
use crate::sweep_file;

/// Prints the shards of which a replication is in no whole block; partial if there are any.
///
/// # Errors
///
/// When the sweep is wrong, the blocks cannot be read, or nothing can be printed.
pub fn run(args: &MissingArgs, out: &mut impl Write) -> Result<Outcome, Failure> {
    let sweep = sweep_file::load(&args.what.sweep, &args.what.overrides, args.what.replications)?;
    let range = rounds::replications(&sweep, args.round).map_err(Failure::Input)?;
    let cover = whole_blocks(&BlockStore::at(&args.out, &sweep)?, args.out.folder())?;
    let missing = cover.missing(range.clone());
    let base = args.index_base.unwrap_or(0);
    let division = Division::new(&sweep, range.clone(), args.count);
    let has_missing = |shard: &u32| {
        let range = division.range(*shard);
        missing.iter().any(|gap| gap.start < range.end && range.start < gap.end)
    };
    let shards: Vec<u32> = (0..division.shards()).filter(has_missing).map(|shard| shard + base).collect();
    match args.form {
        MissingForm::Slurm if shards.is_empty() => {}
        MissingForm::Slurm => writeln!(out, "--array={}", ranges(&shards))?,
        MissingForm::List => shards.iter().try_for_each(|shard| writeln!(out, "{shard}"))?,
        MissingForm::Json => {
            let missing: Vec<_> = missing.iter().map(|range| json!([range.start, range.end])).collect();
            writeln!(out, "{}", json!({ "shards": shards, "replications": missing }))?;
        }
    }
    let replications: u64 = missing.iter().map(|range| range.len() as u64).sum();
    if replications == 0 {
        say("Nothing is missing: merge.");
        return Ok(Outcome::Done);
    }
    say(format_args!(
        "{} of {} missing, in {} of {}",
        counted(replications, "replication"),
        range.len(),
        counted(shards.len() as u64, "shard"),
        division.shards(),
    ));
    Ok(Outcome::Partial)
}

/// The blocks that can be read to their end; the others are named.
fn whole_blocks(store: &BlockStore, results: Option<&Path>) -> Result<Cover, Failure> {
    let mut whole = Vec::new();
    if let Some(results) = results.filter(|results| !results.exists()) {
        say(format_args!("note: {} is not there yet", results.display()));
    }
    for range in store.list()?.own {
        match store.read(&range) {
            Ok(_) => whole.push(range),
            Err(damage @ BlockError::Damaged(..)) => say(format_args!("note: {damage}; its shard makes it again")),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Cover::new(whole))
}

/// Numbers in ascending order as Slurm writes them: `3,17-20`.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => ranges.push(number..number + 1),
        }
    }
    let texts: Vec<String> = ranges
        .iter()
        .map(|range| match range.len() {
            1 => range.start.to_string(),
            _ => format!("{}-{}", range.start, range.end - 1),
        })
        .collect();
    texts.join(",")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn neighbours_are_written_as_a_range() {
        assert_eq!(ranges(&[3, 17, 18, 19, 20, 22]), "3,17-20,22");
        assert_eq!(ranges(&[0, 1]), "0-1");
        assert_eq!(ranges(&[5]), "5");
    }
}
