//! The measured columns of `runs.parquet`, once: everything that reads or writes a run's results goes through this table.

use scenario::{RunRecord, ServiceCounts, rounds};

/// A measured column: its name and how to read it off a run.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The name in every file.
    pub name: &'static str,
    /// How to read it.
    pub read: Read,
}

/// How a column is read off a run.
#[derive(Clone, Copy, Debug)]
pub enum Read {
    /// A count of events.
    Count(fn(&RunRecord) -> u64),
    /// A count that exists only in some runs.
    OptionalCount(fn(&RunRecord) -> Option<u64>),
    /// A time in rounds.
    Rounds(fn(&RunRecord) -> f64),
    /// A time in rounds that exists only in some runs.
    OptionalRounds(fn(&RunRecord) -> Option<f64>),
    /// An instant in nanoseconds.
    Nanos(fn(&RunRecord) -> u64),
    /// Yes or no.
    Flag(fn(&RunRecord) -> bool),
    /// One of a few words.
    Word(fn(&RunRecord) -> &'static str),
}

const fn count(name: &'static str, read: fn(&RunRecord) -> u64) -> Column {
    Column { name, read: Read::Count(read) }
}

/// The first so many columns are the plain world's.
pub const PLAIN_COLUMNS: usize = 24;

/// All measured columns in file order.
pub const COLUMNS: [Column; 36] = [
    count("requests", |run| run.requests),
    count("calls", |run| run.calls),
    count("responses", |run| run.responses),
    count("errors", |run| run.errors),
    count("rejected", |run| run.rejected),
    count("no_slot", |run| run.no_slot),
    count("in_flight", |run| run.in_flight),
    count("openings", |run| run.openings),
    count("false_openings", |run| run.false_openings),
    Column { name: "fault_at_ns", read: Read::Nanos(|run| run.fault_at.as_nanos()) },
    Column { name: "detected", read: Read::Flag(RunRecord::detected) },
    Column { name: "detection_outcome", read: Read::Word(|run| run.detection_outcome.name()) },
    Column { name: "detection_delay_rounds", read: Read::OptionalRounds(|run| run.detection_delay.map(rounds)) },
    Column {
        name: "slot_rounds_to_detection",
        read: Read::OptionalRounds(|run| run.slot_time_to_detection.map(rounds)),
    },
    Column {
        name: "slot_rounds_to_detection_restricted",
        read: Read::Rounds(|run| rounds(run.slot_time_to_detection_restricted)),
    },
    Column { name: "slot_rounds_fault", read: Read::Rounds(|run| rounds(run.slot_time_fault)) },
    count("false_open_rejections", |run| run.false_open_rejections),
    Column { name: "rejected_after_heal", read: Read::OptionalCount(|run| run.rejected_after_heal) },
    Column { name: "closed_after_heal_rounds", read: Read::OptionalRounds(|run| run.closed_after_heal.map(rounds)) },
    count("neighbour_requests", |run| run.neighbour_requests),
    count("neighbour_responses", |run| run.neighbour_responses),
    count("neighbour_no_slot", |run| run.neighbour_no_slot),
    count("neighbour_no_slot_fault", |run| run.neighbour_no_slot_fault),
    count("neighbour_in_flight", |run| run.neighbour_in_flight),
    count("retries", |run| more(run).retries),
    count("timeouts", |run| more(run).timeouts),
    count("lost", |run| more(run).lost),
    count("cancelled", |run| more(run).cancelled),
    count("ignored", |run| more(run).ignored),
    count("rate_limited", |run| more(run).rate_limited),
    count("waiting", |run| more(run).waiting),
    count("fallbacks", |run| more(run).fallbacks),
    count("wrong_successes", |run| more(run).wrong_successes),
    Column { name: "neighbour_wait_rounds", read: Read::Rounds(|run| rounds(more(run).neighbour_wait)) },
    // What the plain world does not watch is null there, and not zero.
    Column { name: "dependency_peak", read: Read::OptionalCount(|run| Some(u64::from(run.service?.dependency_peak))) },
    Column { name: "stuck_breakers", read: Read::OptionalCount(|run| Some(u64::from(run.service?.stuck_breakers))) },
];

/// The counts of the richer world: zero in the plain one, where none of it can happen.
fn more(run: &RunRecord) -> ServiceCounts {
    run.service.unwrap_or_default()
}

impl Read {
    /// The value as a number; `None` where it does not exist in this run, and for words.
    #[must_use]
    pub fn number(self, run: &RunRecord) -> Option<f64> {
        match self {
            Self::Count(read) | Self::Nanos(read) => Some(read(run) as f64),
            Self::OptionalCount(read) => read(run).map(|count| count as f64),
            Self::Rounds(read) => Some(read(run)),
            Self::OptionalRounds(read) => read(run),
            Self::Flag(read) => Some(f64::from(u8::from(read(run)))),
            Self::Word(_) => None,
        }
    }

    /// The value in words, for people.
    #[must_use]
    pub fn text(self, run: &RunRecord) -> String {
        match self {
            Self::Flag(read) => read(run).to_string(),
            Self::Word(read) => read(run).to_owned(),
            _ => self.number(run).map_or_else(|| "null".to_owned(), |number| number.to_string()),
        }
    }
}
