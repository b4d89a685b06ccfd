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
//! | closed breakers: histories; trip, join | `closed`, `result_log`, `places`, `join` |
//! | open and half-open breakers: packs; wake, probe | `parked` |
//! | breakers that share no state | `loners` |
//! | who is in which world; fork, merge | `lanes`, `lane_set`, `breakers` |
//! | the counters of a design as a sum | `ledger` |
//! | pools and holds of all live worlds | `worlds`, `fingerprints` |
//! | what is known before anybody decides | `script`, `backdrop`, `timetable` |
//! | copies that keep their memory; what was saved | `clone_in_place`, `stats` |
//!
//! `docs/shared-trajectories.md` explains the algorithm and sketches why it is exact.

mod backdrop;
mod breakers;
mod clone_in_place;
mod closed;
mod fingerprints;
mod grid;
mod join;
mod lane_set;
mod lanes;
mod ledger;
mod loners;
mod parked;
mod places;
mod result_log;
mod script;
mod stats;
mod sweep;
mod timetable;
mod worlds;

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
use worlds::{Bits, Form, Values, Worlds};

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

/// What running designs together needs while it does, with up to 64 worlds at once. Kept from one replication to the next, it
/// is asked of the system once.
///
/// It remembers nothing: the records are the same as in new memory, whichever designs were run before.
#[derive(Default)]
pub struct SharingMemory {
    backdrop: Backdrop,
    sweeps: Sweeps<Bits>,
}

/// One for what modes have in common, and one that goes on from there.
type Sweeps<F> = [Sweep<<F as Form>::Worlds<1>, 1>; 2];

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
        let mut records = Vec::new();
        let stats = self.run_in(&mut SharingMemory::default(), stream, how, &mut records);
        (records, stats)
    }

    /// [`DesignSet::run`] in memory that may have been used before. The records take the place of those that are there.
    pub fn run_in(
        &self,
        memory: &mut SharingMemory,
        stream: &RequestStream,
        how: Sharing,
        records: &mut Vec<RunRecord>,
    ) -> SharingStats {
        // Only the plain world is shared.
        if stream.needs_service() || self.is_alone(how) {
            return run_plain(&self.rules, stream, records);
        }
        let SharingMemory { backdrop, sweeps: [_, sweep] } = memory;
        backdrop.fill(before_horizon(stream), &stream.plan);
        let script = self.script(stream, backdrop);
        let stats = match how {
            Sharing::Values => self.run_shared::<Values>(&mut Sweep::default(), stream, &script, records),
            _ => self.run_shared::<Bits>(sweep, stream, &script, records),
        };
        self.add_others(stream, stats, records)
    }

    /// Runs every design in every mode of a replication: by mode, what [`DesignSet::run`] makes of its stream. What happens
    /// before the modes begin to differ is run once for all of them.
    #[must_use]
    pub fn run_modes(&self, modes: &ModeStreams, how: Sharing) -> (Vec<Vec<RunRecord>>, SharingStats) {
        let mut records = Vec::new();
        let stats = self.run_modes_in(&mut SharingMemory::default(), modes, how, &mut records);
        (records, stats)
    }

    /// [`DesignSet::run_modes`] in memory that may have been used before. The records take the place of those that are there.
    pub fn run_modes_in(
        &self,
        memory: &mut SharingMemory,
        modes: &ModeStreams,
        how: Sharing,
        records: &mut Vec<Vec<RunRecord>>,
    ) -> SharingStats {
        let streams = modes.streams();
        records.resize_with(streams.len(), Vec::new);
        let have_prefix = streams.len() > 1
            && modes.have_one_backdrop()
            && !self.is_alone(how)
            && !streams.iter().any(RequestStream::needs_service);
        if !have_prefix {
            let each = streams.iter().zip(records);
            return each.map(|(stream, records)| self.run_in(memory, stream, how, records)).sum();
        }
        let SharingMemory { backdrop, sweeps } = memory;
        backdrop.fill(before_horizon(&streams[0]), &streams[0].plan);
        match how {
            Sharing::Values => self.run_from_prefix::<Values>(&mut Default::default(), modes, backdrop, records),
            _ => self.run_from_prefix::<Bits>(sweeps, modes, backdrop, records),
        }
    }

    /// Whether nobody shares a world, or too few.
    fn is_alone(&self, how: Sharing) -> bool {
        match how {
            Sharing::Plain => true,
            Sharing::Values | Sharing::Bits => self.shared.is_empty(),
            Sharing::Auto => self.shared.len() < WORTH_SHARING,
        }
    }

    fn script<'a>(&'a self, stream: &'a RequestStream, backdrop: &'a Backdrop) -> Script<'a> {
        Script { grid: &self.grid, plan: &stream.plan, requests: before_horizon(stream), backdrop }
    }

    /// Adds the designs that do not share to those that do: runs each of them by itself.
    fn add_others(
        &self,
        stream: &RequestStream,
        mut stats: SharingStats,
        records: &mut Vec<RunRecord>,
    ) -> SharingStats {
        let Some(sharing) = &self.sharing else { return stats };
        let mut shared = sharing.iter().zip(std::mem::take(records)).peekable();
        let mut alone = 0;
        records.extend((0..self.rules.len()).map(|design| match shared.next_if(|&(&sharing, _)| sharing == design) {
            Some((_, record)) => record,
            None => {
                alone += 1;
                run_any(&self.rules[design], stream)
            }
        }));
        let requests = before_horizon(stream).len() as u64;
        stats.design_requests += requests * alone;
        stats.world_requests += requests * alone;
        stats.most_worlds += alone;
        stats
    }

    /// Runs what all modes have in common, and each from there. With few lanes; a mode that needs more is run from its
    /// beginning.
    fn run_from_prefix<F: Form>(
        &self,
        [prefix, sweep]: &mut Sweeps<F>,
        modes: &ModeStreams,
        backdrop: &Backdrop,
        records: &mut [Vec<RunRecord>],
    ) -> SharingStats {
        let first = self.script(&modes.streams()[0], backdrop);
        let is_common = |&call: &u32| first.requests[call as usize].at < modes.common_until();
        prefix.begin(&self.shared, self.joining, &first);
        let prefix_run = prefix.run_until(&first, backdrop.calls.partition_point(is_common));
        let mut stats = prefix.take_stats(&first);
        let last = modes.streams().len() - 1;
        for (number, (stream, records)) in modes.streams().iter().zip(records).enumerate() {
            let script = self.script(stream, backdrop);
            let from_prefix = prefix_run.and_then(|()| {
                // The last mode needs no copy.
                std::mem::swap(prefix, sweep);
                if number < last {
                    prefix.clone_from(sweep);
                }
                sweep.run(&script, records)
            });
            let of_mode = from_prefix.unwrap_or_else(|problem| self.run_wider::<F>(problem, stream, &script, records));
            stats += self.add_others(stream, of_mode, records);
        }
        stats
    }

    /// Tries with few lanes first: there are seldom many worlds, and wider sets cost more.
    fn run_shared<F: Form>(
        &self,
        sweep: &mut Sweep<F::Worlds<1>, 1>,
        stream: &RequestStream,
        script: &Script<'_>,
        records: &mut Vec<RunRecord>,
    ) -> SharingStats {
        let attempt = self.attempt(sweep, script, records);
        attempt.unwrap_or_else(|problem| self.run_wider::<F>(problem, stream, script, records))
    }

    /// Tries with more lanes what could not be run with few.
    fn run_wider<F: Form>(
        &self,
        problem: Problem,
        stream: &RequestStream,
        script: &Script<'_>,
        records: &mut Vec<RunRecord>,
    ) -> SharingStats {
        let attempt = problem
            .with_more_lanes(|| self.attempt_with::<F, 2>(script, records))
            .or_else(|problem| problem.with_more_lanes(|| self.attempt_with::<F, 4>(script, records)))
            .or_else(|problem| problem.with_more_lanes(|| self.attempt_with::<F, 16>(script, records)));
        match attempt {
            Ok(stats) => stats,
            Err(Problem::TooManyWorlds) => self.run_halves::<F>(stream, script, records),
            Err(Problem::TooLong) => run_plain(&self.shared, stream, records),
        }
    }

    fn attempt_with<F: Form, const K: usize>(
        &self,
        script: &Script<'_>,
        records: &mut Vec<RunRecord>,
    ) -> Result<SharingStats, Problem> {
        self.attempt(&mut Sweep::<F::Worlds<K>, K>::default(), script, records)
    }

    fn attempt<W: Worlds<K>, const K: usize>(
        &self,
        sweep: &mut Sweep<W, K>,
        script: &Script<'_>,
        records: &mut Vec<RunRecord>,
    ) -> Result<SharingStats, Problem> {
        sweep.begin(&self.shared, self.joining, script);
        sweep.run(script, records)
    }

    /// Each half needs fewer worlds, and no more than it has designs.
    fn run_halves<F: Form>(
        &self,
        stream: &RequestStream,
        script: &Script<'_>,
        records: &mut Vec<RunRecord>,
    ) -> SharingStats {
        let (first, second) = self.shared.split_at(self.shared.len() / 2);
        let run_half = |rules, records: &mut Vec<RunRecord>| {
            let half = Self { joining: self.joining, ..Self::new(rules) };
            let script = Script { grid: &half.grid, ..*script };
            half.run_shared::<F>(&mut Sweep::default(), stream, &script, records)
        };
        let mut records_of_second = Vec::new();
        let mut stats = run_half(first, records);
        let more = run_half(second, &mut records_of_second);
        records.append(&mut records_of_second);
        // It is one stream still.
        stats += SharingStats { streams: 0, requests: 0, ..more };
        stats
    }
}

fn run_plain(rules: &[AnyRule], stream: &RequestStream, records: &mut Vec<RunRecord>) -> SharingStats {
    records.clear();
    records.extend(rules.iter().map(|rule| run_any(rule, stream)));
    let designs = rules.len() as u64;
    let requests = before_horizon(stream).len() as u64;
    SharingStats {
        streams: 1,
        requests,
        design_requests: requests * designs,
        world_requests: requests * designs,
        most_worlds: designs,
        ..SharingStats::default()
    }
}

/// The requests that a run sees.
fn before_horizon(stream: &RequestStream) -> &[Request] {
    let seen = stream.requests.partition_point(|request| request.at < stream.plan.horizon);
    &stream.requests[..seen]
}
