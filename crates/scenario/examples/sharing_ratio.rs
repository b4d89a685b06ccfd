//! How many times faster designs run together than one at a time: by mode, on one thread, without drawing.
//!
//! `sharing_ratio [root|dense] [ROUNDS]` runs both ways in turn over the same streams and prints the median of the ratios of
//! processor time. Records are compared, so that nothing is measured that would not be right.

#![expect(clippy::disallowed_types, reason = "this measures the host's time")]

use std::fs;
use std::hint::black_box;
use std::time::{Duration, Instant};

use policies::AnyRule;
use scenario::{DesignSet, ModeStreams, Replication, Scenario, Sharing, SharingMemory, SharingStats, run_any};

#[path = "../benches/root_sweep.rs"]
mod root_sweep;

const REPLICATIONS: u32 = 4;

/// Measures for this long at least: where the system counts processor time in ticks, they are a few milliseconds.
const LONG_ENOUGH: f64 = 0.1;

/// Processor time of this thread in seconds; where the system does not tell it, time by the clock on the wall.
fn thread_seconds(start: Instant) -> f64 {
    let nanos = fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|times| times.split(' ').next()?.parse().ok())
        .filter(|&nanos| nanos > 0);
    nanos.map_or_else(|| start.elapsed(), Duration::from_nanos).as_secs_f64()
}

/// Seconds that `work` takes, repeated until it is long enough.
fn seconds_of(start: Instant, mut work: impl FnMut()) -> f64 {
    let (before, mut times) = (thread_seconds(start), 0);
    loop {
        work();
        times += 1;
        let seconds = thread_seconds(start) - before;
        if seconds > LONG_ENOUGH {
            return seconds / f64::from(times);
        }
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// By mode: seconds one at a time, together, and together from the beginning that modes share.
type Round = Vec<[f64; 3]>;

struct Sweep {
    designs: Vec<AnyRule>,
    set: DesignSet,
    replications: Vec<ModeStreams>,
}

impl Sweep {
    /// Every so many designs are run one at a time: their times are much alike.
    fn step(&self) -> usize {
        (self.designs.len() / 461).max(1)
    }

    fn sample(&self) -> impl Iterator<Item = &AnyRule> {
        self.designs.iter().step_by(self.step())
    }

    fn check(&self) {
        for streams in &self.replications {
            let (together, _) = self.set.run_modes(streams, Sharing::Auto);
            for (stream, records) in streams.streams().iter().zip(&together) {
                let alone = self.sample().map(|rule| run_any(rule, stream));
                assert!(records.iter().step_by(self.step()).cloned().eq(alone), "the records differ");
            }
        }
    }

    fn round(&self, start: Instant) -> Round {
        let modes = self.replications[0].streams().len();
        let scale = self.designs.len() as f64 / self.sample().count() as f64;
        let of_mode = |mode: usize| self.replications.iter().map(move |streams| &streams.streams()[mode]);
        let mut round: Round = (0..modes)
            .map(|mode| {
                let plain = scale
                    * seconds_of(start, || {
                        for stream in of_mode(mode) {
                            self.sample()
                                .map(|rule| run_any(rule, stream))
                                .for_each(|record| assert!(black_box(record).calls > 0));
                        }
                    });
                let (mut memory, mut records) = (SharingMemory::default(), Vec::new());
                let alone = seconds_of(start, || {
                    for stream in of_mode(mode) {
                        self.set.run_in(&mut memory, stream, Sharing::Auto, &mut records);
                        black_box(&records);
                    }
                });
                [plain, alone, alone]
            })
            .collect();
        let (mut memory, mut records) = (SharingMemory::default(), Vec::new());
        let together = seconds_of(start, || {
            for streams in &self.replications {
                self.set.run_modes_in(&mut memory, streams, Sharing::Auto, &mut records);
                black_box(&records);
            }
        });
        // Each mode is spared the same: the beginning, but for its share of the one that is run.
        let spared = (round.iter().map(|[_, alone, _]| alone).sum::<f64>() - together) / modes as f64;
        round.iter_mut().for_each(|times| times[2] -= spared);
        round
    }
}

fn main() {
    let start = Instant::now();
    let mut arguments = std::env::args().skip(1);
    let designs = match arguments.next().as_deref() {
        None | Some("root") => root_sweep::distinct(root_sweep::designs()),
        Some("dense") => root_sweep::distinct(root_sweep::dense_designs()),
        Some(other) => panic!("there is no sweep {other}: root or dense"),
    };
    let rounds: u32 = arguments.next().map_or(15, |number| number.parse().expect("a number of rounds"));
    let (scenario, modes) = (Scenario::default(), root_sweep::modes());
    let draw = |number| ModeStreams::draw(&Replication::draw(&scenario, 20_260_731, number), &modes);
    let sweep = Sweep { set: DesignSet::new(&designs), designs, replications: (0..REPLICATIONS).map(draw).collect() };
    sweep.check();
    let rounds: Vec<Round> = (0..rounds).map(|_| sweep.round(start)).collect();

    println!("{} distinct designs; times as fast as one at a time", sweep.designs.len());
    println!("{:10} {:>12} {:>14} {:>14}", "", "mode alone", "modes together", "ns a request");
    for (number, mode) in modes.iter().enumerate() {
        let of_rounds =
            |of: fn(&[f64; 3]) -> f64| median(&mut rounds.iter().map(|round| of(&round[number])).collect::<Vec<_>>());
        let streams = || sweep.replications.iter().map(|streams| &streams.streams()[number]);
        let requests: usize = streams().map(|stream| stream.requests().len()).sum();
        let mut stats = SharingStats::default();
        streams().for_each(|stream| stats += sweep.set.run(stream, Sharing::Auto).1);
        println!(
            "{:10} {:12.0} {:14.0} {:14.1}   per stream {:.1} worlds, {} forks, {} merges, {} joins",
            mode.name,
            of_rounds(|[plain, alone, _]| plain / alone),
            of_rounds(|[plain, _, together]| plain / together),
            of_rounds(|[_, _, together]| *together) / requests as f64 * 1e9,
            stats.mean_worlds(),
            stats.forks / u64::from(REPLICATIONS),
            stats.merges / u64::from(REPLICATIONS),
            stats.joins / u64::from(REPLICATIONS),
        );
    }
}
