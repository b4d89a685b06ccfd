//! All designs over one stream of requests, sharing the world as long as they decide alike: *shared trajectories*.
//!
//! Until two designs decide differently, their worlds are the same, and one is simulated for both. A world *forks* when
//! breakers in it disagree about a call, and two worlds *merge* when they have come to be equal. Closed breakers share the
//! results that they have heard as *histories*, open ones their waiting as *packs*, and all of them the counters of their
//! world. So the work per request is that per world and per history, and a design costs something only when it opens or
//! closes.
//!
//! | concept | where |
//! |---|---|
//! | one step for all designs | `sweep` |
//! | designs by family and threshold | `grid` |
//! | closed breakers: histories; trip, join | `closed` |
//! | open and half-open breakers: packs; wake, probe | `parked` |
//! | breakers that share no state | `loners` |
//! | who is in which world; fork, merge | `lanes`, `lane_set`, `breakers` |
//! | the counters of a design as a sum | `ledger` |
//! | pools and holds of all live worlds | `worlds`, `fingerprints`, `timetable` |
//!
//! `docs/shared-trajectories.md` explains the algorithm and sketches why it is exact.

mod breakers;
mod closed;
mod fingerprints;
mod grid;
mod lane_set;
mod lanes;
mod ledger;
mod loners;
mod parked;
mod stats;
mod sweep;
mod timetable;
mod worlds;

use policies::AnyRule;

pub use stats::SharingStats;

use crate::record::RunRecord;
use crate::replication::{Request, RequestStream};
use crate::run::run_any;
use breakers::Joining;
use grid::Grid;
use sweep::{Problem, Sweep};
use worlds::{BitWorlds, ValueWorlds};

/// How the designs of a sweep are run over one stream. The results are the same, to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// One design at a time.
    Plain,
    /// In shared worlds, each of them a value.
    Values,
    /// In shared worlds, each of them a column of bits.
    Bits,
    /// Whichever is the fastest.
    #[default]
    Auto,
}

/// With fewer designs there is nobody to share with.
const WORTH_SHARING: usize = 2;

/// The designs of a sweep, prepared once to be run together over any number of streams.
///
/// A design whose calls may wait at the breaker runs in a world of its own: there, calls start at other instants than
/// those at which they arrive.
#[derive(Clone, Debug)]
pub struct DesignSet {
    rules: Vec<AnyRule>,
    /// The designs that share worlds, unless all of them do.
    sharing: Option<Vec<usize>>,
    /// The rules that share worlds.
    shared: Vec<AnyRule>,
    grid: Grid,
    joining: Joining,
}

impl DesignSet {
    /// Prepares designs; their order is that of the records.
    #[must_use]
    pub fn new(rules: &[AnyRule]) -> Self {
        let sharing: Vec<usize> = (0..rules.len()).filter(|&design| !rules[design].waits()).collect();
        let shared: Vec<AnyRule> = sharing.iter().map(|&design| rules[design]).collect();
        Self {
            rules: rules.to_vec(),
            sharing: (sharing.len() < rules.len()).then_some(sharing),
            grid: Grid::new(&shared),
            shared,
            joining: Joining::default(),
        }
    }

    /// The same designs, of which breakers that have come to have one future are looked for after every result, and not
    /// now and then. The results are the same; it takes longer. For tests.
    #[must_use]
    pub fn joining_always(mut self) -> Self {
        self.joining = Joining::Always;
        self
    }

    /// Runs every design over `stream`: for each the record that [`run_any`] makes of it alone.
    #[must_use]
    pub fn run(&self, stream: &RequestStream, how: Sharing) -> (Vec<RunRecord>, SharingStats) {
        match how {
            Sharing::Plain => run_plain(&self.rules, stream),
            Sharing::Values => self.run_sharing(stream, false),
            Sharing::Bits => self.run_sharing(stream, true),
            Sharing::Auto if self.shared.len() < WORTH_SHARING => run_plain(&self.rules, stream),
            Sharing::Auto => self.run_sharing(stream, true),
        }
    }

    /// Runs those together that can share, and each of the others by itself.
    fn run_sharing(&self, stream: &RequestStream, as_bits: bool) -> (Vec<RunRecord>, SharingStats) {
        let Some(sharing) = &self.sharing else { return self.run_shared(stream, as_bits) };
        if sharing.is_empty() {
            return run_plain(&self.rules, stream);
        }
        let (shared, mut stats) = self.run_shared(stream, as_bits);
        let mut shared = sharing.iter().zip(shared).peekable();
        let mut alone = 0;
        let records: Vec<RunRecord> = (0..self.rules.len())
            .map(|design| match shared.next_if(|&(&sharing, _)| sharing == design) {
                Some((_, record)) => record,
                None => {
                    alone += 1;
                    run_any(&self.rules[design], stream)
                }
            })
            .collect();
        let requests = before_horizon(stream).len() as u64;
        stats.design_requests += requests * alone;
        stats.world_requests += requests * alone;
        stats.most_worlds += alone;
        (records, stats)
    }

    /// Tries with few lanes first: there are seldom many worlds, and wider sets cost more.
    fn run_shared(&self, stream: &RequestStream, as_bits: bool) -> (Vec<RunRecord>, SharingStats) {
        let attempt = self
            .attempt::<1>(stream, as_bits)
            .or_else(|problem| problem.with_more_lanes(|| self.attempt::<2>(stream, as_bits)))
            .or_else(|problem| problem.with_more_lanes(|| self.attempt::<4>(stream, as_bits)))
            .or_else(|problem| problem.with_more_lanes(|| self.attempt::<16>(stream, as_bits)));
        match attempt {
            Ok(result) => result,
            Err(Problem::TooManyWorlds) => self.run_halves(stream, as_bits),
            Err(Problem::TooLong) => run_plain(&self.shared, stream),
        }
    }

    fn attempt<const K: usize>(
        &self,
        stream: &RequestStream,
        as_bits: bool,
    ) -> Result<(Vec<RunRecord>, SharingStats), Problem> {
        let (requests, plan) = (before_horizon(stream), &stream.plan);
        if as_bits {
            Sweep::<BitWorlds<'_, K>, K>::new(&self.shared, &self.grid, self.joining, requests, plan).run()
        } else {
            Sweep::<ValueWorlds<'_, K>, K>::new(&self.shared, &self.grid, self.joining, requests, plan).run()
        }
    }

    /// Each half needs fewer worlds, and no more than it has designs.
    fn run_halves(&self, stream: &RequestStream, as_bits: bool) -> (Vec<RunRecord>, SharingStats) {
        let half = |rules| Self { joining: self.joining, ..Self::new(rules) };
        let (first, second) = self.shared.split_at(self.shared.len() / 2);
        let (mut records, mut stats) = half(first).run_shared(stream, as_bits);
        let (more_records, more_stats) = half(second).run_shared(stream, as_bits);
        records.extend(more_records);
        // It is one stream still.
        stats += SharingStats { streams: 0, requests: 0, ..more_stats };
        (records, stats)
    }
}

fn run_plain(rules: &[AnyRule], stream: &RequestStream) -> (Vec<RunRecord>, SharingStats) {
    let designs = rules.len() as u64;
    let requests = before_horizon(stream).len() as u64;
    let stats = SharingStats {
        streams: 1,
        requests,
        design_requests: requests * designs,
        world_requests: requests * designs,
        most_worlds: designs,
        ..SharingStats::default()
    };
    (rules.iter().map(|rule| run_any(rule, stream)).collect(), stats)
}

/// The requests that a run sees.
fn before_horizon(stream: &RequestStream) -> &[Request] {
    let seen = stream.requests.partition_point(|request| request.at < stream.plan.horizon);
    &stream.requests[..seen]
}
