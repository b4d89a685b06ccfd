//! `experiments trace`: one run, event by event.

mod service;

use std::io::{self, Write};

use engine::Time;
use policies::Phase;
use scenario::service::{ServiceNote, Snapshot, observe_service_any};
use scenario::{Fate, Note, Replication, Request, observe_any};

use super::{Failure, Outcome};
use crate::cli::TraceArgs;
use crate::sweep_file;

/// Prints a run.
///
/// # Errors
///
/// When the sweep cannot be loaded, has no such design or mode, or the output cannot be written.
pub fn run(args: &TraceArgs, out: &mut impl Write) -> Result<Outcome, Failure> {
    let sweep = sweep_file::load(&args.sweep, &args.overrides, None)?;
    let Some(design) = sweep.designs.get(args.design as usize) else {
        let last = sweep.designs.len() - 1;
        return Err(Failure::Input(format!("there is no design {}; this sweep has designs 0 to {last}", args.design)));
    };
    let Some(mode) = sweep.modes.iter().find(|mode| mode.name == args.mode) else {
        let names: Vec<&str> = sweep.modes.iter().map(|mode| mode.name.as_str()).collect();
        let names = names.join(", ");
        return Err(Failure::Input(format!("there is no mode \"{}\"; this sweep has: {names}", args.mode)));
    };
    let stream = Replication::draw(&sweep.scenario, sweep.root_seed, args.replication).stream(mode);

    writeln!(out, "design {} ({}), mode {}, replication {}", design.number, design.rule, mode.name, args.replication)?;
    writeln!(out, "{:>14} {:>4}  what happens", "second", "slots")?;
    let mut failed: Option<io::Error> = None;
    let regime = |index: usize| mode.timeline[index].1.name.as_str();
    let mut print = |now: Time, slots_in_use: u32, words: String| {
        if failed.is_none() {
            failed = writeln!(out, "{:>14.9} {slots_in_use:>4}  {words}", now.as_secs_f64()).err();
        }
    };
    let record = if stream.needs_service() {
        let print = |now: Time, snapshot: Snapshot, note: ServiceNote| {
            print(now, snapshot.slots_in_use, service::describe(note, regime));
        };
        observe_service_any(&design.rule, &stream, print).0
    } else {
        let print = |now: Time, slots_in_use: u32, note: Note| print(now, slots_in_use, describe(note, regime));
        observe_any(&design.rule, &stream, print).0
    };
    if let Some(error) = failed {
        return Err(error.into());
    }
    writeln!(out)?;
    for column in crate::columns::COLUMNS {
        writeln!(out, "{:<36} {}", column.name, column.read.text(&record))?;
    }
    Ok(Outcome::Done)
}

fn describe<'a>(note: Note, regime: impl Fn(usize) -> &'a str) -> String {
    let hold = |request: Request| format!("holds a slot for {}", request.hold);
    let outcome = |request: Request| if request.fate == Fate::Failure { "failure" } else { "success" };
    match note {
        Note::Regime(index) => format!("regime     {}", regime(index)),
        Note::Transition(transition) => {
            format!("breaker    {} -> {}", phase_name(transition.from), phase_name(transition.to))
        }
        Note::Wait(request) => format!("request {:>6} waits at the breaker", request.number),
        Note::Call(request) => {
            format!("request {:>6} admitted, {}, a {} to come", request.number, hold(request), outcome(request))
        }
        Note::Completion(request) => format!("request {:>6} completes: {}", request.number, outcome(request)),
        Note::Rejection(request) => {
            format!("request {:>6} turned away by the breaker, would have been a {}", request.number, outcome(request))
        }
        Note::NoSlot(request) => format!("request {:>6} admitted, but no slot is free", request.number),
        Note::Neighbour { request, has_slot: true } => format!("neighbour {:>4} {}", request.number, hold(request)),
        Note::NeighbourCompletion(request) => format!("neighbour {:>4} is done", request.number),
        Note::RejectionEnd => "the slot of a rejection is free again".to_owned(),
        Note::Neighbour { request, has_slot: false } => format!("neighbour {:>4} finds no free slot", request.number),
    }
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Closed => "closed",
        Phase::Open => "open",
        Phase::HalfOpen => "half-open",
    }
}
