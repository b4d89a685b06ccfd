//! A sorted line: for few pending events.
//!
//! In most models a new event lies near the end of those that are pending already, since what is scheduled later
//! mostly happens later. It then has few others to pass, and the first of all costs nothing to find.

use super::entry::Entry;

/// Puts `entry` where it belongs among the sorted entries from `head` on.
#[inline(always)]
pub(super) fn insert<E>(entries: &mut Vec<Entry<E>>, head: usize, entry: Entry<E>) {
    entries.push(entry.hole());
    pass_later(&mut entries[head..], entry);
}

/// Moves the hole at the end of `line` before all that is later than `entry`, and puts `entry` there.
#[inline(always)]
fn pass_later<E>(line: &mut [Entry<E>], entry: Entry<E>) {
    let mut places = line.iter_mut().rev();
    let Some(mut hole) = places.next() else {
        return;
    };
    for place in places {
        if place.rank() <= entry.rank() {
            break;
        }
        *hole = place.take();
        hole = place;
    }
    *hole = entry;
}
