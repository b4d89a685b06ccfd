//! The whole history of a run, as it is sent to the page.

use engine::Time;
use serde::Serialize;
use serde_json::Value;

use crate::input::Input;
use crate::live::{Cause, Counters, Created, Decision, Live, Log, Said, State, Switched};
use crate::settings::{HORIZON, Schedule};

/// The history of a run over [0, horizon). All instants and times are in nanoseconds.
///
/// What is seen *at* an instant is what happened strictly before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct History {
    /// What the run depends on, written out: as a body it gives the same history.
    pub input: Value,
    /// The end of the run.
    pub horizon_ns: u64,
    /// Every request, in the order of creation.
    pub requests: Vec<RequestHistory>,
    /// The states of the gate, one after the other, without gaps.
    pub states: Vec<Stay>,
    /// Every change of the gate's state.
    pub transitions: Vec<Transition>,
    /// The error rates of the dependency, one after the other, without gaps.
    pub dependency: Vec<ErrorRate>,
    /// What happened and why, in sentences.
    pub trace: Vec<Sentence>,
    /// The counters whenever they changed.
    pub counters: CounterColumns,
    /// The counters at the end.
    #[serde(rename = "final")]
    pub last: Counters,
    /// Whether every request was accounted for at every instant.
    pub conservation: Conservation,
}

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RequestHistory {
    /// Its number, from 0.
    pub id: u64,
    /// When it was created.
    pub created_ns: u64,
    /// What the gate said.
    pub answer: Answer,
    /// Whether it was let through as a probe.
    pub probe: bool,
    /// How it ends if it is let through, decided when it was created.
    pub fate: Fate,
    /// How long it takes if it is let through.
    pub response_ns: u64,
    /// When the call began, which is later than its creation if it waited at the breaker; `None` if it never did.
    pub began_ns: Option<u64>,
    /// When its result is due; `None` if the call never began.
    pub due_ns: Option<u64>,
    /// When it ended; `None` if it was under way at the end.
    pub ended_ns: Option<u64>,
    /// How it ended.
    pub result: Outcome,
    /// Whether its result came after the breaker had left the state in which it was let through.
    pub late: bool,
}

/// What the gate said to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The breaker let it through.
    Admitted,
    /// The breaker turned it away.
    Rejected,
    /// There was no breaker in its way.
    Bypassed,
    /// It waits at the breaker at the end.
    Waiting,
}

/// How a request ends if it is let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It succeeds.
    Success,
    /// It fails.
    Failure,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The dependency answered.
    Succeeded,
    /// The dependency failed.
    Failed,
    /// The breaker turned it away.
    Rejected,
    /// It was under way at the end, or waited at the breaker.
    InFlight,
}

/// A state of the gate and how long it lasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stay {
    /// When it began.
    pub from_ns: u64,
    /// When it ended.
    pub to_ns: u64,
    /// The state.
    pub state: State,
}

/// A change of the gate's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Transition {
    /// When.
    pub at_ns: u64,
    /// The state before.
    pub from: State,
    /// The state after.
    pub to: State,
    /// What made it change.
    pub cause: Cause,
    /// The request whose result or question it was.
    pub request: Option<u64>,
    /// The reason in a sentence.
    pub why: String,
}

/// An error rate of the dependency and how long it was in force.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorRate {
    /// When it began.
    pub from_ns: u64,
    /// When it ended.
    pub to_ns: u64,
    /// The share of the requests created in this time that fail, in percent.
    pub errors_percent: f64,
    /// `scheduled`, or `manual`.
    pub mode: &'static str,
}

/// A sentence of the decision trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// When.
    pub at_ns: u64,
    /// What it is about.
    pub kind: &'static str,
    /// The request that it is about.
    pub request: Option<u64>,
    /// The sentence.
    pub text: String,
}

/// The counters as columns; a row holds from its instant, exclusive, up to the next row's, inclusive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the columns are those of `Counters`")]
pub struct CounterColumns {
    pub at_ns: Vec<u64>,
    pub generated: Vec<u64>,
    pub succeeded: Vec<u64>,
    pub failed: Vec<u64>,
    pub rejected: Vec<u64>,
    pub in_flight: Vec<u64>,
    pub probes: Vec<u64>,
}

/// Whether every request was accounted for, once, at every instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Conservation {
    /// After so many events the counters were checked.
    pub instants: u64,
    /// Whether they were in order each time.
    pub holds: bool,
}

impl History {
    /// The history of a run that has come to its end.
    #[must_use]
    pub fn new(input: &Input, live: &Live) -> Self {
        let log = live.log();
        let (instants, holds) = live.conservation();
        let last = log.counters.last().map_or_else(Counters::default, |&(_, counters)| counters);
        Self {
            input: input.write(),
            horizon_ns: HORIZON.as_nanos(),
            requests: requests(log),
            states: states(log, input.settings.breaker_enabled),
            transitions: transitions(log),
            dependency: error_rates(log),
            trace: trace(log),
            counters: counters(log),
            last,
            conservation: Conservation { instants, holds },
        }
    }

    /// The history of an input, simulated from zero.
    #[must_use]
    pub fn of(input: &Input) -> Self {
        Self::new(input, &Live::of(input))
    }

    /// The counters at an instant: what happened strictly before it.
    #[must_use]
    pub fn at(&self, at_ns: u64) -> Counters {
        let columns = &self.counters;
        let row = columns.at_ns.partition_point(|&row| row < at_ns).checked_sub(1);
        let read = |column: &[u64]| row.map_or(0, |row| column[row]);
        let (generated, rejected) = (read(&columns.generated), read(&columns.rejected));
        Counters {
            generated,
            attempted: generated - rejected,
            succeeded: read(&columns.succeeded),
            failed: read(&columns.failed),
            rejected,
            in_flight: read(&columns.in_flight),
            probes: read(&columns.probes),
        }
    }
}

fn requests(log: &Log) -> Vec<RequestHistory> {
    // When the gate had decided, what, and whether it is a probe.
    let mut decided: Vec<(Time, Decision, bool)> =
        log.created.iter().map(|created| (created.at, created.decision, created.is_probe)).collect();
    for resumed in &log.resumed {
        decided[resumed.request as usize] = (resumed.at, resumed.decision, resumed.is_probe);
    }
    let mut ended = vec![None; log.created.len()];
    for result in &log.ended {
        ended[result.request as usize] = Some((result.at, result.is_late));
    }
    let requests = (0..).zip(&log.created).zip(decided).zip(ended);
    requests.map(|(((id, created), decided), ended)| request(id, created, decided, ended)).collect()
}

fn request(
    id: u64,
    created: &Created,
    (decided_at, decision, is_probe): (Time, Decision, bool),
    ended: Option<(Time, bool)>,
) -> RequestHistory {
    let began = matches!(decision, Decision::Admitted | Decision::Bypassed).then_some(decided_at);
    let is_rejected = decision == Decision::Rejected;
    let end = if is_rejected { Some(decided_at) } else { ended.map(|(at, _)| at) };
    RequestHistory {
        id,
        created_ns: created.at.as_nanos(),
        answer: match decision {
            Decision::Admitted => Answer::Admitted,
            Decision::Rejected => Answer::Rejected,
            Decision::Bypassed => Answer::Bypassed,
            Decision::Waits => Answer::Waiting,
        },
        probe: is_probe,
        fate: if created.fails { Fate::Failure } else { Fate::Success },
        response_ns: created.response_time.as_nanos(),
        began_ns: began.map(Time::as_nanos),
        due_ns: began.map(|began| (began + created.response_time).as_nanos()),
        ended_ns: end.map(Time::as_nanos),
        result: match end {
            _ if is_rejected => Outcome::Rejected,
            None => Outcome::InFlight,
            Some(_) if created.fails => Outcome::Failed,
            Some(_) => Outcome::Succeeded,
        },
        late: ended.is_some_and(|(_, is_late)| is_late),
    }
}

/// Values that follow one another, each with its beginning and its end; those that lasted no time are left out.
fn stays<T: Copy>(changes: &[(Time, T)]) -> Vec<(u64, u64, T)> {
    let ends = changes.iter().skip(1).map(|&(at, _)| at).chain([HORIZON]);
    let stays = changes.iter().zip(ends).filter(|&(&(from, _), to)| from < to);
    stays.map(|(&(from, value), to)| (from.as_nanos(), to.as_nanos(), value)).collect()
}

fn states(log: &Log, breaker_enabled: bool) -> Vec<Stay> {
    let first = if breaker_enabled { State::Closed } else { State::Bypassed };
    let changes: Vec<(Time, State)> = [(Time::ZERO, first)]
        .into_iter()
        .chain(log.switched.iter().map(|switched| (switched.at, switched.to)))
        .collect();
    stays(&changes).into_iter().map(|(from_ns, to_ns, state)| Stay { from_ns, to_ns, state }).collect()
}

fn transitions(log: &Log) -> Vec<Transition> {
    let transition = |switched: &Switched| Transition {
        at_ns: switched.at.as_nanos(),
        from: switched.from,
        to: switched.to,
        cause: switched.cause,
        request: switched.request,
        why: switched.why.clone(),
    };
    log.switched.iter().map(transition).collect()
}

fn error_rates(log: &Log) -> Vec<ErrorRate> {
    let changes: Vec<_> = log.error_rates.iter().map(|rate| (rate.at, (rate.percent, rate.schedule))).collect();
    let rate = |(from_ns, to_ns, (errors_percent, schedule))| ErrorRate {
        from_ns,
        to_ns,
        errors_percent,
        mode: match schedule {
            Schedule::Outage => "scheduled",
            Schedule::Manual => "manual",
        },
    };
    stays(&changes).into_iter().map(rate).collect()
}

fn trace(log: &Log) -> Vec<Sentence> {
    let sentence = |sentence: &Said| Sentence {
        at_ns: sentence.at.as_nanos(),
        kind: sentence.kind,
        request: sentence.request,
        text: sentence.text.clone(),
    };
    log.trace.iter().map(sentence).collect()
}

fn counters(log: &Log) -> CounterColumns {
    let mut columns = CounterColumns::default();
    for &(at, counters) in &log.counters {
        columns.at_ns.push(at.as_nanos());
        columns.generated.push(counters.generated);
        columns.succeeded.push(counters.succeeded);
        columns.failed.push(counters.failed);
        columns.rejected.push(counters.rejected);
        columns.in_flight.push(counters.in_flight);
        columns.probes.push(counters.probes);
    }
    columns
}
