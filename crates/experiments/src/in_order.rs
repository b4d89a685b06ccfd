//! Numbered pieces of work in parallel, what comes of them in order, and an end soon after it is asked for.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

/// How long pieces that are under way may take once the work should stop. An engine that ends a job waits longer before it
/// kills.
const GRACE: Duration = Duration::from_secs(2);
/// How often it is looked whether the work should stop.
const GLANCE: Duration = Duration::from_millis(20);

/// Does the pieces of a range on all threads of `pool`, and hands each to `receive` in order of its number, as it and all
/// before it are done. Returns the number after the last that was handed over. Each thread has a memory of its own, which
/// `work` may use as it likes from one piece to the next.
///
/// Once `stop` is set no piece is begun. Those under way have two seconds to end, and whatever continues the prefix is
/// handed over; then they are abandoned: their threads go on until they notice, and nobody hears of what they did.
///
/// # Errors
///
/// The first error of `receive`; no piece is begun then, and those under way are abandoned.
///
/// # Panics
///
/// When a piece of work does.
pub(crate) fn in_order<M: Default, T: Send + 'static, E>(
    pool: &ThreadPool,
    range: Range<u32>,
    stop: &AtomicBool,
    work: impl Fn(&mut M, u32) -> T + Send + Sync + 'static,
    receive: impl FnMut(T) -> Result<(), E>,
) -> Result<u32, E> {
    let threads = pool.current_num_threads();
    // Workers wait when the receiver is behind, so that finished pieces do not pile up.
    let (sender, receiver) = mpsc::sync_channel(2 * threads);
    // They are not joined, so what they use is theirs.
    let shared = Arc::new((AtomicU64::new(u64::from(range.start)), AtomicBool::new(false), work));
    let _guard = SetOnDrop(&shared.1);
    let first = range.start;
    for _ in 0..threads {
        let (shared, sender, range) = (Arc::clone(&shared), sender.clone(), range.clone());
        pool.spawn(move || {
            let (next, ended, work) = &*shared;
            let mut memory = M::default();
            while !ended.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(number) = u32::try_from(number).ok().filter(|number| range.contains(number)) else { break };
                let done = catch_unwind(AssertUnwindSafe(|| work(&mut memory, number)));
                // After a panic nobody knows what the memory holds.
                let has_panicked = done.is_err();
                // The receiver is gone only when nobody wants the rest.
                if sender.send((number, done)).is_err() || has_panicked {
                    break;
                }
            }
        });
    }
    drop(sender);
    hand_over(&receiver, first, stop, &shared.1, receive)
}

/// Tells the workers to begin nothing more, in whatever way the receiver ended.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Hands over what arrives in order of its number, holding back what is early.
fn hand_over<T, E>(
    receiver: &Receiver<(u32, thread::Result<T>)>,
    mut next: u32,
    stop: &AtomicBool,
    ended: &AtomicBool,
    mut receive: impl FnMut(T) -> Result<(), E>,
) -> Result<u32, E> {
    let mut early = BTreeMap::new();
    let mut until: Option<Instant> = None;
    loop {
        if stop.load(Ordering::Relaxed) {
            ended.store(true, Ordering::Relaxed);
            until.get_or_insert_with(|| Instant::now() + GRACE);
        }
        match receiver.recv_timeout(GLANCE) {
            Ok((number, done)) => {
                early.insert(number, done.unwrap_or_else(|panic| resume_unwind(panic)));
                while let Some(done) = early.remove(&next) {
                    receive(done)?;
                    next += 1;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(next),
        }
        if until.is_some_and(|until| Instant::now() >= until) {
            return Ok(next);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Condvar, Mutex};

    use rayon::ThreadPoolBuilder;

    use super::*;

    fn pool(threads: usize) -> ThreadPool {
        ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
    }

    fn never() -> AtomicBool {
        AtomicBool::new(false)
    }

    #[test]
    fn all_of_a_range_comes_in_order_from_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            let after = in_order(
                &pool(threads),
                5..500,
                &never(),
                |(), number| number * 2,
                |twice| {
                    seen.push(twice);
                    Ok::<_, ()>(())
                },
            );
            assert_eq!((after, seen), (Ok(500), (5..500).map(|number| number * 2).collect()));
        }
        let none = in_order(&pool(2), 3..3, &never(), |(), number| number, |_| Err("something came"));
        assert_eq!(none, Ok(3));
        let last = in_order(&pool(2), u32::MAX - 2..u32::MAX, &never(), |(), number| number, |_| Ok::<_, ()>(()));
        assert_eq!(last, Ok(u32::MAX));
    }

    #[test]
    fn nothing_is_begun_after_an_error() {
        let begun = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&begun);
        let work = move |(): &mut (), number: u32| {
            count.fetch_add(1, Ordering::Relaxed);
            number
        };
        let result =
            in_order(&pool(2), 0..u32::MAX, &never(), work, |number| if number == 3 { Err("enough") } else { Ok(()) });
        assert_eq!(result, Err("enough"));
        assert!(begun.load(Ordering::Relaxed) < 1_000_000);
    }

    #[test]
    fn a_panic_is_that_of_the_caller() {
        let work = |(): &mut (), number: u32| if number == 3 { panic!("the third") } else { number };
        let panic = catch_unwind(|| in_order(&pool(2), 0..10, &never(), work, |_| Ok::<_, ()>(())));
        assert_eq!(panic.expect_err("a panic").downcast_ref(), Some(&"the third"));
    }

    #[test]
    fn what_does_not_end_is_abandoned_and_what_came_before_it_is_kept() {
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let closed = Arc::clone(&gate);
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let work = move |(): &mut (), number: u32| {
            if number == 5 {
                asked.store(true, Ordering::Relaxed);
                drop(closed.1.wait_while(closed.0.lock().expect("whole"), |open| !*open));
            }
            number
        };
        let mut seen = Vec::new();
        let pool = pool(2);
        let after = in_order(&pool, 0..30, &stop, work, |number| {
            seen.push(number);
            Ok::<_, ()>(())
        });
        assert_eq!((after, seen), (Ok(5), (0..5).collect()));
        *gate.0.lock().expect("whole") = true;
        gate.1.notify_all();
    }
}
