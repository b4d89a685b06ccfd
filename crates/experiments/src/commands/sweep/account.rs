//! What a sweep has done, and what it did not have to do.

use std::io::{self, Write};
use std::time::Instant;

use scenario::SharingStats;

use super::simulation::Speed;
use crate::numbers::{counted, grouped, magnitude};
use crate::race::Departure;
use crate::sweep_file::Sweep;
use crate::wrapped::wrapped;

/// Who left a race, and how many runs that saved.
pub(super) fn report_race(
    sweep: &Sweep,
    departures: &[Option<Departure>],
    replications: u32,
    width: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    if sweep.race.is_none() {
        return Ok(());
    }
    let left: Vec<&Departure> = departures.iter().flatten().collect();
    let missed: u64 = left.iter().map(|left| u64::from(replications) - left.replications).sum();
    let missed = missed * sweep.modes.len() as u64;
    let text = format!(
        "Race: {} of {} left it, since others surely dominate them, and so did without {} of {}.",
        left.len(),
        counted(sweep.designs.len() as u64, "design"),
        grouped(missed),
        counted(sweep.runs() / u64::from(sweep.replications) * u64::from(replications), "run"),
    );
    writeln!(out, "{}", wrapped(&text, width, "  "))
}

/// How much was simulated how fast, and what did not have to be.
pub(super) fn report_speed(speed: Speed, started: Instant, width: usize, out: &mut impl Write) -> io::Result<()> {
    let elapsed = started.elapsed().as_secs_f64();
    if speed.reused > 0 {
        writeln!(out, "{} were taken from blocks of earlier runs.", counted(u64::from(speed.reused), "replication"))?;
    }
    if speed.requests == 0 {
        return writeln!(out, "Nothing was simulated; {elapsed:.1} s in all.");
    }
    let text = format!(
        "{} requests in {:.1} s on {} ({:.0} M requests/s); {elapsed:.1} s in all.",
        magnitude(speed.requests as f64),
        speed.seconds,
        counted(speed.jobs as u64, "thread"),
        speed.requests as f64 / speed.seconds / 1e6,
    );
    writeln!(out, "{}", wrapped(&text, width, "  "))
}

/// What was simulated in place of all requests of all designs, where designs shared worlds.
pub(super) fn report_sharing(shared: &SharingStats, width: usize, out: &mut impl Write) -> io::Result<()> {
    if shared.requests_saved() == 0 {
        return Ok(());
    }
    let text = format!(
        "Designs shared worlds while they decided alike: {} requests were simulated in place of these, in {:.1} worlds on \
         average and {} at most, with {} forks and {} merges.",
        magnitude(shared.world_requests as f64),
        shared.mean_worlds(),
        shared.most_worlds,
        magnitude(shared.forks as f64),
        magnitude(shared.merges as f64),
    );
    writeln!(out, "{}", wrapped(&text, width, "  "))
}
