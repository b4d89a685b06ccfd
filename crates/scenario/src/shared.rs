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
//! | closed breakers: histories; trip, join | `closed`, `result_log` |
//! | open and half-open breakers: packs; wake, probe | `parked` |
//! | breakers that share no state | `loners` |
//! | who is in which world; fork, merge | `lanes`, `lane_set`, `breakers` |
//! | the counters of a design as a sum | `ledger` |
//! | pools and holds of all live worlds | `worlds`, `fingerprints` |
//! | what is known before anybody decides | `script`, `backdrop`, `timetable` |
//!
//! `docs/shared-trajectories.md` explains the algorithm and sketches why it is exact.

mod backdrop;
mod breakers;
mod closed;
mod fingerprints;
mod grid;
mod lane_set;
mod lanes;
mod ledger;
mod loners;
mod parked;
mod result_log;
mod script;
mod stats;
mod sweep;
mod timetable;
mod worlds;

use engine::Time;
use policies::AnyRule;

pub use stats::SharingStats;

use crate::mode_streams::ModeStreams;
use crate::record::RunRecord;
use crate::replication::{Request, RequestStream};
use crate::run::run_any;
use backdrop::Backdrop;
use breakers::Joining;
use grid::Grid;
use script::Script;
use sweep::{Problem, Sweep};
use worlds::{BitWorlds, ValueWorlds, Worlds};

/// How the designs of a sweep are run over a stream. The results are the same, to the last bit.
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
            // Only the plain world is shared.
            _ if stream.needs_service() => run_plain(&self.rules, stream),
            Sharing::Plain => run_plain(&self.rules, stream),
            _ if self.is_alone(how) => run_plain(&self.rules, stream),
            Sharing::Values | Sharing::Bits | Sharing::Auto => {
                let backdrop = Backdrop::new(before_horizon(stream), &stream.plan);
                let shared = self.run_shared(stream, script(stream, &backdrop), how != Sharing::Values);
                self.with_others(stream, shared)
            }
        }
    }

    /// Whether nobody shares a world, or too few.
    fn is_alone(&self, how: Sharing) -> bool {
        self.shared.is_empty() || how == Sharing::Auto && self.shared.len() < WORTH_SHARING
    }

    /// Adds the designs that do not share to those that do: runs each of them by itself.
    fn with_others(
        &self,
        stream: &RequestStream,
        (shared, mut stats): (Vec<RunRecord>, SharingStats),
    ) -> (Vec<RunRecord>, SharingStats) {
        let Some(sharing) = &self.sharing else { return (shared, stats) };
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

    /// Runs every design in every mode of a replication: by mode, what [`DesignSet::run`] makes of its stream. What happens
    /// before the modes begin to differ is run once for all of them.
    #[must_use]
    pub fn run_modes(&self, modes: &ModeStreams, how: Sharing) -> (Vec<Vec<RunRecord>>, SharingStats) {
        let mut records = Vec::with_capacity(modes.streams().len());
        let stats = self.run_each_mode(modes, how, |of_mode| records.push(of_mode));
        (records, stats)
    }

    /// [`DesignSet::run_modes`] for whoever does not need the records of all modes at once: hands them over mode by mode, in
    /// order.
    pub fn run_each_mode(
        &self,
        modes: &ModeStreams,
        how: Sharing,
        mut receive: impl FnMut(Vec<RunRecord>),
    ) -> SharingStats {
        let as_bits = match how {
            Sharing::Plain => None,
            Sharing::Values => Some(false),
            Sharing::Bits | Sharing::Auto => Some(true),
        };
        let mut stats = SharingStats::default();
        let mut add = |(of_mode, stats_of_mode)| {
            receive(of_mode);
            stats += stats_of_mode;
        };
        match (as_bits, modes.streams()) {
            (Some(as_bits), streams @ [first, _, ..])
                if modes.have_one_backdrop()
                    && !self.is_alone(how)
                    && !streams.iter().any(RequestStream::needs_service) =>
            {
                let backdrop = Backdrop::new(before_horizon(first), &first.plan);
                let scripts: Vec<_> = streams.iter().map(|stream| script(stream, &backdrop)).collect();
                let until = modes.common_until();
                if as_bits {
                    self.run_from_prefix::<BitWorlds<'_, 1>>(streams, &scripts, until, as_bits, add);
                } else {
                    self.run_from_prefix::<ValueWorlds<'_, 1>>(streams, &scripts, until, as_bits, add);
                }
            }
            (_, streams) => streams.iter().for_each(|stream| add(self.run(stream, how))),
        }
        stats
    }

    /// Runs what all scripts have in common, what comes before `until`, and each from there. With few lanes; a mode that needs
    /// more is run from its beginning.
    fn run_from_prefix<'a, W: Worlds<'a, 1>>(
        &'a self,
        streams: &[RequestStream],
        scripts: &[Script<'a>],
        until: Time,
        as_bits: bool,
        mut add: impl FnMut((Vec<RunRecord>, SharingStats)),
    ) {
        let first = scripts[0];
        let common = first.backdrop.calls.partition_point(|&call| first.requests[call as usize].at < until);
        let mut prefix = Sweep::<W, 1>::new(&self.shared, &self.grid, self.joining, first);
        let run = prefix.run_until(common);
        let mut stats = prefix.take_stats();
        let mut prefix = run.map(|()| prefix);
        for (number, (stream, &script)) in streams.iter().zip(scripts).enumerate() {
            // The last mode needs no copy.
            let is_last = number + 1 == streams.len();
            let copy =
                if is_last { std::mem::replace(&mut prefix, Err(Problem::TooManyWorlds)) } else { prefix.clone() };
            let from_prefix = copy.and_then(|mut sweep| {
                sweep.follow(script);
                sweep.run()
            });
            let (records, more) = from_prefix.unwrap_or_else(|_| self.run_shared(stream, script, as_bits));
            stats += more;
            add(self.with_others(stream, (records, std::mem::take(&mut stats))));
        }
    }

    /// Tries with few lanes first: there are seldom many worlds, and wider sets cost more.
    fn run_shared(&self, stream: &RequestStream, script: Script<'_>, as_bits: bool) -> (Vec<RunRecord>, SharingStats) {
        let attempt = self
            .attempt::<1>(script, as_bits)
            .or_else(|problem| problem.with_more_lanes(|| self.attempt::<2>(script, as_bits)))
            .or_else(|problem| problem.with_more_lanes(|| self.attempt::<4>(script, as_bits)))
            .or_else(|problem| problem.with_more_lanes(|| self.attempt::<16>(script, as_bits)));
        match attempt {
            Ok(result) => result,
            Err(Problem::TooManyWorlds) => self.run_halves(stream, script, as_bits),
            Err(Problem::TooLong) => run_plain(&self.shared, stream),
        }
    }

    fn attempt<const K: usize>(
        &self,
        script: Script<'_>,
        as_bits: bool,
    ) -> Result<(Vec<RunRecord>, SharingStats), Problem> {
        if as_bits {
            Sweep::<BitWorlds<'_, K>, K>::new(&self.shared, &self.grid, self.joining, script).run()
        } else {
            Sweep::<ValueWorlds<'_, K>, K>::new(&self.shared, &self.grid, self.joining, script).run()
        }
    }

    /// Each half needs fewer worlds, and no more than it has designs.
    fn run_halves(&self, stream: &RequestStream, script: Script<'_>, as_bits: bool) -> (Vec<RunRecord>, SharingStats) {
        let half = |rules| Self { joining: self.joining, ..Self::new(rules) };
        let (first, second) = self.shared.split_at(self.shared.len() / 2);
        let (mut records, mut stats) = half(first).run_shared(stream, script, as_bits);
        let (more_records, more_stats) = half(second).run_shared(stream, script, as_bits);
        records.extend(more_records);
        // It is one stream still.
        stats += SharingStats { streams: 0, requests: 0, ..more_stats };
        (records, stats)
    }
}

fn script<'a>(stream: &'a RequestStream, backdrop: &'a Backdrop) -> Script<'a> {
    Script { plan: &stream.plan, requests: before_horizon(stream), backdrop }
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
