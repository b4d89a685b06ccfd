//! The event queue under the hold model. The rate is in events that happened or were cancelled.

use divan::Bencher;
use divan::counter::ItemsCount;

mod hold;

use hold::{Hold, Increments};

const STEPS: u64 = 200_000;
const PENDING: [u32; 4] = [16, 1_000, 100_000, 1_000_000];

fn main() {
    divan::main();
}

fn bench(bencher: Bencher<'_, '_>, pending: u32, increments: Increments, cancelled_percent: u64) {
    let mut hold = Hold::new(pending, increments, cancelled_percent);
    // Every event is replaced once, and the queue has taken the form that it keeps.
    hold.run(u64::from(pending));
    bencher.counter(ItemsCount::new(STEPS)).bench_local(|| assert_eq!(hold.run(STEPS), STEPS));
}

#[divan::bench(args = PENDING)]
fn exponential(bencher: Bencher<'_, '_>, pending: u32) {
    bench(bencher, pending, Increments::Exponential, 0);
}

#[divan::bench(args = PENDING)]
fn uniform(bencher: Bencher<'_, '_>, pending: u32) {
    bench(bencher, pending, Increments::Uniform, 0);
}

#[divan::bench(args = PENDING)]
fn bimodal(bencher: Bencher<'_, '_>, pending: u32) {
    bench(bencher, pending, Increments::Bimodal, 0);
}

#[divan::bench(args = PENDING)]
fn pareto(bencher: Bencher<'_, '_>, pending: u32) {
    bench(bencher, pending, Increments::Pareto, 0);
}

#[divan::bench(args = PENDING)]
fn half_cancelled(bencher: Bencher<'_, '_>, pending: u32) {
    bench(bencher, pending, Increments::Exponential, 50);
}

#[divan::bench(args = PENDING)]
fn mostly_cancelled(bencher: Bencher<'_, '_>, pending: u32) {
    bench(bencher, pending, Increments::Exponential, 95);
}
