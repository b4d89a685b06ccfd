//! Replications in order, from blocks where there are some, and simulated and published where there are none.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};

use rayon::ThreadPool;
use scenario::Sharing;

use super::codec::BlockWriter;
use super::cover::{Cover, Step};
use super::store::{BlockError, BlockStore};
use crate::commands::Failure;
use crate::console::say;
use crate::runner::{ReplicationRuns, simulate_all};
use crate::sweep_file::Sweep;

/// Where the runs of a replication come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An earlier execution's block.
    Block,
    /// This execution.
    Simulated,
}

/// What it takes to work on a sweep.
pub struct Work<'a> {
    /// The sweep.
    pub sweep: &'a Sweep,
    /// The threads that simulate.
    pub pool: &'a ThreadPool,
    /// How designs share worlds.
    pub sharing: Sharing,
    /// Where finished work lies.
    pub store: &'a BlockStore,
    /// Blocks end at multiples of so many replications; at least 1.
    pub block_length: u32,
    /// Whether what is missing or damaged is simulated; else it is an error.
    pub simulate: bool,
    /// Set once no more should be begun.
    pub stop: &'a AtomicBool,
}

type FinishedBlock = (Range<u32>, Vec<u8>);

impl Work<'_> {
    /// Hands the replications of a range to `receive` in order, and publishes in blocks what had to be simulated; the last
    /// of them are short when the work is stopped. Returns the replication after the last that was handed over.
    ///
    /// # Errors
    ///
    /// The first error of `receive`, or of reading or publishing a block.
    pub fn in_order(
        &self,
        range: Range<u32>,
        mut receive: impl FnMut(ReplicationRuns, Origin) -> Result<(), Failure> + Send,
    ) -> Result<u32, Failure> {
        let mut cover = Cover::new(self.store.list()?.own);
        // A disk that is slow to confirm a block holds up nothing but the block after the next.
        let (sender, receiver) = mpsc::sync_channel(1);
        std::thread::scope(|threads| {
            let publisher = threads.spawn(|| self.publish(receiver));
            let mut next = range.start;
            let result = loop {
                if next >= range.end || self.stop.load(Ordering::Relaxed) {
                    break Ok(next);
                }
                let went = match cover.step(next, range.end) {
                    Step::Block(block) => self.take_over(&mut cover, block, next..range.end, &mut receive),
                    Step::MissingUntil(_) if !self.simulate => Err(Failure::Incomplete(format!(
                        "replication {next} is missing in {}",
                        self.store.folder().display()
                    ))),
                    Step::MissingUntil(end) => self.simulated(next..end, &sender, &mut receive),
                };
                match went {
                    Ok(after) => next = after,
                    Err(failure) => break Err(failure),
                }
            };
            drop(sender);
            let published = publisher.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // What the publisher met with is the cause of what the others then miss.
            published.map_err(Failure::from).and(result)
        })
    }

    fn publish(&self, receiver: Receiver<FinishedBlock>) -> Result<(), BlockError> {
        receiver.into_iter().try_for_each(|(range, bytes)| self.store.publish(&range, &bytes))
    }

    /// Takes over what a block holds of `wanted`; a damaged one is removed and holds nothing.
    fn take_over(
        &self,
        cover: &mut Cover,
        block: Range<u32>,
        wanted: Range<u32>,
        receive: &mut impl FnMut(ReplicationRuns, Origin) -> Result<(), Failure>,
    ) -> Result<u32, Failure> {
        match self.store.read(&block) {
            Ok(replications) => {
                replications
                    .into_iter()
                    .filter(|runs| wanted.contains(&runs.replication))
                    .try_for_each(|runs| receive(runs, Origin::Block))?;
                Ok(block.end.min(wanted.end))
            }
            Err(damage @ BlockError::Damaged(..)) if self.simulate => {
                say(format_args!("note: {damage}; it is removed, and its replications are simulated again"));
                self.store.remove(self.store.plan().hash(), &block)?;
                cover.remove(&block);
                Ok(wanted.start)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn simulated(
        &self,
        range: Range<u32>,
        sender: &SyncSender<FinishedBlock>,
        receive: &mut (impl FnMut(ReplicationRuns, Origin) -> Result<(), Failure> + Send),
    ) -> Result<u32, Failure> {
        let mut block: Option<BlockWriter> = None;
        let hand_over = |block: BlockWriter| {
            let finished = block.finish().map_err(|error| BlockError::Io(self.store.folder().to_owned(), error))?;
            // The publisher is gone only after an error, which is the one that counts.
            sender.send(finished).map_err(|_| Failure::System("no more blocks can be published".to_owned()))
        };
        let after = simulate_all(self.sweep, self.pool, self.sharing, range.clone(), self.stop, |runs| {
            let after = runs.replication + 1;
            let mut growing = match block.take() {
                Some(block) => block,
                None => self.store.start(runs.replication)?,
            };
            growing.add(&runs).map_err(|error| BlockError::Io(self.store.folder().to_owned(), error))?;
            if after.is_multiple_of(self.block_length) || after == range.end {
                hand_over(growing)?;
            } else {
                block = Some(growing);
            }
            receive(runs, Origin::Simulated)
        })?;
        block.map_or(Ok(()), hand_over)?;
        Ok(after)
    }
}
