//! The engine as a whole: one counter and a line, two events a customer.

use divan::Bencher;
use divan::counter::ItemsCount;

mod counter;

const CUSTOMERS: u64 = 100_000;

fn main() {
    divan::main();
}

#[divan::bench]
fn one_counter(bencher: Bencher<'_, '_>) {
    bencher
        .counter(ItemsCount::new(2 * CUSTOMERS))
        .bench_local(|| assert_eq!(counter::serve(CUSTOMERS), 2 * CUSTOMERS));
}
