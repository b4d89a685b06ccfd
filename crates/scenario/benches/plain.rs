//! The plain path, one design at a time: a run, a replication of the root sweep, and the drawing of requests.

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::Duration;
use policies::{AnyRule, HalfOpen, Ratio};
use scenario::{Mode, Replication, Scenario, run_any};

mod root_sweep;

fn main() {
    divan::main();
}

fn mode(name: &str) -> Mode {
    Mode::given(name, None).expect("a given mode")
}

#[divan::bench(args = Mode::GIVEN)]
fn one_run(bencher: Bencher<'_, '_>, name: &str) {
    let stream = root_sweep::stream(&mode(name));
    let rule: AnyRule = Ratio::new(20, 0.5, Duration::from_secs(1), HalfOpen::default()).expect("valid").into();
    let requests = stream.requests().len() as u64;
    bencher.counter(ItemsCount::new(requests)).bench_local(|| {
        let record = run_any(&rule, &stream);
        assert_eq!(record.requests + record.neighbour_requests, requests);
        record
    });
}

/// All designs of the root sweep in one replication of one mode.
#[divan::bench(args = Mode::GIVEN, sample_count = 10, sample_size = 1)]
fn one_replication(bencher: Bencher<'_, '_>, name: &str) {
    let stream = root_sweep::stream(&mode(name));
    let designs = root_sweep::designs();
    let requests = (stream.requests().len() * designs.len()) as u64;
    bencher.counter(ItemsCount::new(requests)).bench_local(|| {
        let records = designs.iter().map(|design| run_any(design, &stream));
        let served: u64 = records.map(|record| record.requests + record.neighbour_requests).sum();
        assert_eq!(served, requests);
    });
}

/// The draws that all modes of a replication share.
#[divan::bench]
fn draw(bencher: Bencher<'_, '_>) {
    let (scenario, modes) = (Scenario::default(), root_sweep::modes());
    let requests = root_sweep::stream(&modes[0]).requests().len();
    bencher.counter(ItemsCount::new(requests)).bench_local(|| {
        let replication = Replication::draw(&scenario, 1, 0);
        assert_eq!(replication.stream(&modes[0]).requests().len(), requests);
    });
}

/// What a mode adds to them.
#[divan::bench(args = Mode::GIVEN)]
fn draw_mode(bencher: Bencher<'_, '_>, name: &str) {
    let (scenario, mode) = (Scenario::default(), mode(name));
    let replication = Replication::draw(&scenario, 1, 0);
    let requests = replication.stream(&mode).requests().len();
    bencher
        .counter(ItemsCount::new(requests))
        .bench_local(|| assert_eq!(replication.stream(&mode).requests().len(), requests));
}
