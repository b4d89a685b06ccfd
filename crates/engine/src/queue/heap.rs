//! A heap with four children per node: for many pending events.
//!
//! It is half as deep as a binary heap, and which of four children is the earliest is found without a branch.

use super::entry::Entry;
use super::handles::{Handles, Place, compact};

const ARITY: usize = 4;

#[inline]
pub(super) fn insert<E>(entries: &mut Vec<Entry<E>>, handles: &mut Handles, entry: Entry<E>) {
    let position = entries.len();
    entries.push(entry);
    let entry = entries[position].take();
    sift_up(entries, handles, position, entry);
}

/// Takes out the entry at `position`, the first of all if that is 0.
#[inline]
pub(super) fn remove<E>(entries: &mut Vec<Entry<E>>, handles: &mut Handles, position: usize) -> Option<Entry<E>> {
    let last = entries.pop()?;
    if position == entries.len() {
        return Some(last);
    }
    let removed = entries[position].take();
    settle(entries, handles, position, last);
    Some(removed)
}

/// Puts `entry` into the hole at `position` and moves it up or down to where it belongs.
#[inline]
fn settle<E>(entries: &mut [Entry<E>], handles: &mut Handles, position: usize, entry: Entry<E>) {
    if position > 0 && entry.rank() < entries[(position - 1) / ARITY].rank() {
        sift_up(entries, handles, position, entry);
    } else {
        sift_down(entries, handles, position, entry);
    }
}

#[inline]
fn place<E>(entries: &mut [Entry<E>], handles: &mut Handles, position: usize, entry: Entry<E>) {
    if entry.has_handle() {
        handles.set_place(entry.slot, Place::Near(compact(position)));
    }
    entries[position] = entry;
}

#[inline]
fn sift_up<E>(entries: &mut [Entry<E>], handles: &mut Handles, mut hole: usize, entry: Entry<E>) {
    let rank = entry.rank();
    while hole > 0 {
        let parent = (hole - 1) / ARITY;
        if entries[parent].rank() <= rank {
            break;
        }
        let above = entries[parent].take();
        place(entries, handles, hole, above);
        hole = parent;
    }
    place(entries, handles, hole, entry);
}

#[inline]
fn sift_down<E>(entries: &mut [Entry<E>], handles: &mut Handles, mut hole: usize, entry: Entry<E>) {
    let rank = entry.rank();
    while let Some(child) = least_child(entries, hole) {
        if rank <= entries[child].rank() {
            break;
        }
        let below = entries[child].take();
        place(entries, handles, hole, below);
        hole = child;
    }
    place(entries, handles, hole, entry);
}

/// Where the earliest child of a node is.
#[inline]
fn least_child<E>(entries: &[Entry<E>], parent: usize) -> Option<usize> {
    let first = parent * ARITY + 1;
    let children = entries.get(first..)?;
    let least = if let Some(children) = children.first_chunk::<ARITY>() {
        // A knock-out of four by index arithmetic: which child wins is a coin toss that no branch predictor learns.
        let [a, b, c, d] = children.each_ref().map(Entry::rank);
        let left = usize::from(b < a);
        let right = 2 + usize::from(d < c);
        if children[right].rank() < children[left].rank() { right } else { left }
    } else {
        (0..children.len()).min_by_key(|&child| children[child].rank())?
    };
    Some(first + least)
}
