//! The four loops in which all time is spent, each alone, for `tools/instructions.sh` to count their instructions.
//!
//! `hot_loops hold|counter|plain|shared` prints how many events or requests `measured` worked off.

use std::process::ExitCode;

use hold::{Hold, Increments};
use scenario::{DesignSet, ModeStreams, Replication, Scenario, Sharing, SharingMemory, run_any};

#[path = "../../engine/benches/counter.rs"]
mod counter;
#[path = "../../engine/benches/hold.rs"]
mod hold;
#[path = "../benches/root_sweep.rs"]
mod root_sweep;

/// What is counted: instructions are collected while this function runs.
#[inline(never)]
fn measured(work: impl FnOnce() -> u64) -> u64 {
    work()
}

fn hold_loop() -> u64 {
    let increments = [Increments::Exponential, Increments::Uniform, Increments::Bimodal, Increments::Pareto];
    let mut holds = increments.map(|increments| Hold::new(1_000, increments, 0));
    for hold in &mut holds {
        hold.run(1_000);
    }
    measured(|| holds.iter_mut().map(|hold| hold.run(50_000)).sum())
}

fn counter_loop() -> u64 {
    measured(|| counter::serve(100_000))
}

fn plain_loop() -> u64 {
    let streams: Vec<_> = root_sweep::modes().iter().map(root_sweep::stream).collect();
    let designs: Vec<_> = root_sweep::designs().into_iter().step_by(32).collect();
    measured(|| {
        let runs = streams.iter().flat_map(|stream| designs.iter().map(move |design| run_any(design, stream)));
        runs.map(|record| record.requests + record.neighbour_requests).sum()
    })
}

fn shared_loop() -> u64 {
    let modes = ModeStreams::draw(&Replication::draw(&Scenario::default(), 1, 0), &root_sweep::modes());
    let designs = DesignSet::new(&root_sweep::distinct(root_sweep::designs()));
    // As in a sweep: in memory that has been used before.
    let (mut memory, mut records) = (SharingMemory::default(), Vec::new());
    let mut run = || designs.run_modes_in(&mut memory, &modes, Sharing::Auto, &mut records).requests;
    run();
    measured(run)
}

fn main() -> ExitCode {
    let events = match std::env::args().nth(1).as_deref() {
        Some("hold") => hold_loop(),
        Some("counter") => counter_loop(),
        Some("plain") => plain_loop(),
        Some("shared") => shared_loop(),
        _ => {
            eprintln!("usage: hot_loops hold|counter|plain|shared");
            return ExitCode::FAILURE;
        }
    };
    println!("{events}");
    ExitCode::SUCCESS
}
