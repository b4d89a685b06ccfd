//! `experiments merge`: the tables of a sweep from blocks that shards have left.

use std::ops::Range;

use statistics::Looks;

use super::Failure;
use crate::blocks::{BlockStore, Cover};
use crate::console::say;
use crate::numbers::counted;
use crate::shards::round_of;
use crate::stopping::Look;
use crate::sweep_file::Sweep;

/// As many names as a message may list.
const NAMED: usize = 8;

/// Checks the blocks of a sweep and returns up to which replication they can be merged: to the last one or, where a part is
/// enough or a sweep ends when it is precise, to the first that is missing. Replications behind a gap do not count: which are done is no matter of chance then.
///
/// # Errors
///
/// When there are blocks of other sweeps, or replications are missing.
pub(super) fn mergeable(sweep: &Sweep, store: &BlockStore, partial: bool) -> Result<u32, Failure> {
    let listing = store.list()?;
    let folder = store.folder().display();
    if let Some((hash, range)) = listing.foreign.first() {
        let difference = store.difference(hash, range).unwrap_or_else(|error| error.to_string());
        let names = listed(listing.foreign.iter().map(|(hash, range)| store.name(hash, range)));
        return Err(Failure::Input(format!(
            "{folder} holds {} of another sweep: {names}. Of the first, {difference}. Merge that one by its own sweep file, or \
             move its blocks elsewhere",
            counted(listing.foreign.len() as u64, "block"),
        )));
    }
    let cover = Cover::new(listing.own);
    let superfluous = cover.superfluous(0..sweep.replications);
    if !superfluous.is_empty() {
        let names = listed(superfluous.iter().map(|range| store.name(store.plan().hash(), range)));
        say(format_args!(
            "note: other blocks hold all that is in {}: {names}",
            counted(superfluous.len() as u64, "block"),
        ));
    }
    let missing = cover.missing(0..sweep.replications);
    let Some(first) = missing.first() else { return Ok(sweep.replications) };
    if sweep.stopping.is_some() {
        // How many are wanted depends on what they say.
        return Ok(first.start);
    }
    let count: u64 = missing.iter().map(|range| range.len() as u64).sum();
    let names = listed(missing.iter().map(written));
    let what = format!("{} of {} are missing in {folder}: {names}", counted(count, "replication"), sweep.replications);
    if partial && first.start > 0 {
        say(format_args!("note: {what}"));
        return Ok(first.start);
    }
    Err(Failure::Incomplete(format!(
        "{what}. `experiments missing` says which shards to submit again{}",
        if first.start > 0 {
            format!("; --partial merges the {} before the first gap", counted(u64::from(first.start), "replication"))
        } else {
            String::new()
        },
    )))
}

fn written(range: &Range<u32>) -> String {
    if range.len() == 1 { range.start.to_string() } else { format!("{} to {}", range.start, range.end - 1) }
}

/// What has to be done before a sweep that ends when it is precise can be merged: its next round.
pub(super) fn next_round(
    looks: &Looks,
    look: Option<&Look>,
    sweep: &Sweep,
    store: &BlockStore,
) -> Result<String, Failure> {
    let done = look.map_or(0, |look| look.replications);
    let next = looks.after(done).expect("it is not the last look");
    let range = u32::try_from(done).unwrap_or(u32::MAX)..u32::try_from(next).unwrap_or(u32::MAX);
    let missing: u64 = Cover::new(store.list()?.own).missing(range.clone()).iter().map(|gap| gap.len() as u64).sum();
    let number = round_of(looks, next);
    let there = range.len() as u64 - missing;
    let begun = if there == 0 {
        String::new()
    } else {
        format!(
            "; {there} of it are there, and `experiments missing --round {number}` says which shards to submit again"
        )
    };
    let so_far = match look {
        Some(look) => format!("Precision is not reached at {done} replications: {}\n", look.shortfalls_in_words(sweep)),
        None => String::new(),
    };
    Ok(format!(
        "{so_far}Go on: submit round {number} next, replications {} to {} (`experiments shard --round {number}`), and merge \
         again{begun}",
        range.start,
        range.end - 1
    ))
}

/// The first few names, and how many more there are.
fn listed(mut names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let mut text = names.by_ref().take(NAMED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}
