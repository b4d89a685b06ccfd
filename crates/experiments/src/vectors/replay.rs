//! Replaying a vector through one of our breakers.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use engine::{Duration, Time};
use policies::{Answer, AnyRule, CallId, Outcome, Phase, Replay, Verdict};

use super::{Operation, Step, Vector, VectorError};

/// Where a breaker first does something else than the recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The operation's place in the vector, from 0; one past the last if something happens after the recording's end.
    pub operation: usize,
    /// What the library did.
    pub recorded: Answers,
    /// What the rule does.
    pub here: Answers,
}

/// What a breaker did at an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// To a call that asked or ended.
    Operation {
        /// What a call that asked was told.
        answer: Option<Answer>,
        /// The state after it.
        state: Phase,
    },
    /// A waiting call went on, or was turned away.
    Resumed {
        /// Its number.
        call: u64,
        /// It went on.
        admitted: bool,
        /// The state after it.
        state: Phase,
    },
    /// Nothing happened.
    Nothing,
}

impl fmt::Display for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |phase| match phase {
            Phase::Closed => "closed",
            Phase::Open => "open",
            Phase::HalfOpen => "half_open",
        };
        match *self {
            Self::Operation { answer, state } => {
                match answer {
                    Some(Answer::Admit) => f.write_str("admitted, ")?,
                    Some(Answer::Reject) => f.write_str("turned away, ")?,
                    Some(Answer::Wait) => f.write_str("has to wait, ")?,
                    None => {}
                }
                write!(f, "then {}", name(state))
            }
            Self::Resumed { call, admitted, state } => {
                let what = if admitted { "goes on" } else { "is turned away" };
                write!(f, "waiting call {call} {what}, then {}", name(state))
            }
            Self::Nothing => f.write_str("nothing happens to a waiting call"),
        }
    }
}

/// Replays a vector; `Ok(None)` if the rule does in every operation what the library did.
///
/// # Errors
///
/// If the vector contradicts itself: a call ends that was not let through, or asks twice.
pub fn replay(vector: &Vector, rule: &AnyRule) -> Result<Option<Difference>, VectorError> {
    let mut run = Run { breaker: Replay::new(rule, epoch(rule)), calls: BTreeMap::new(), resumed: VecDeque::new() };
    for (number, operation) in vector.operations.iter().enumerate() {
        let recorded = operation.answers();
        let here = if let Answers::Resumed { .. } = recorded {
            run.resumed.pop_front().unwrap_or(Answers::Nothing)
        } else if let Some(resumed) = run.resumed.pop_front() {
            resumed
        } else {
            run.execute(operation).map_err(|problem| VectorError::at(format!("ops[{number}].call"), problem))?
        };
        if recorded != here {
            return Ok(Some(Difference { operation: number, recorded, here }));
        }
    }
    let operation = vector.operations.len();
    Ok(run.resumed.pop_front().map(|here| Difference { operation, recorded: Answers::Nothing, here }))
}

/// The time of day at which a library's recordings begin: the origin of the fake clock of its language.
fn epoch(rule: &AnyRule) -> Duration {
    match rule.name() {
        "failsafe_go" | "gobreaker" => Duration::from_secs(946_684_800),
        _ => Duration::from_secs(1_764_000_000),
    }
}

impl Operation {
    fn answers(&self) -> Answers {
        let Self { call, state, .. } = *self;
        let answer = match self.step {
            Step::Resume { admitted } => return Answers::Resumed { call, admitted, state },
            Step::Complete { .. } => None,
            Step::Acquire { queued: true, .. } => Some(Answer::Wait),
            Step::Acquire { admitted: true, .. } => Some(Answer::Admit),
            Step::Acquire { admitted: false, .. } => Some(Answer::Reject),
        };
        Answers::Operation { answer, state }
    }
}

/// A breaker during a replay.
struct Run {
    breaker: Replay,
    /// The calls by their numbers, and whether they were let through and still run.
    calls: BTreeMap<u64, (CallId, bool)>,
    /// Waiting calls that went on or were turned away, and of which the recording has not spoken yet.
    resumed: VecDeque<Answers>,
}

impl Run {
    fn execute(&mut self, operation: &Operation) -> Result<Answers, &'static str> {
        let Operation { at, call: number, step, .. } = *operation;
        let answer = match step {
            Step::Acquire { .. } => {
                let (answer, _, call) = self.breaker.acquire(at);
                if self.calls.insert(number, (call, answer == Answer::Admit)).is_some() {
                    return Err("this call has asked before: give every call a number of its own");
                }
                Some(answer)
            }
            Step::Complete { ok, took } => {
                let Some((call, runs @ true)) = self.calls.get_mut(&number) else {
                    return Err(
                        "this call does not run: leave out ends of calls that were not admitted, and second ends",
                    );
                };
                *runs = false;
                let verdict = if ok { Verdict::Success } else { Verdict::Failure };
                self.breaker.complete(at, *call, Outcome { verdict, duration: took });
                None
            }
            Step::Resume { .. } => None,
        };
        self.resume(at);
        Ok(Answers::Operation { answer, state: self.breaker.phase(at) })
    }

    /// What becomes of calls that wait. A library's state is read once all of them have heard it.
    fn resume(&mut self, now: Time) {
        let mut heard = Vec::new();
        while let Some((resumed, _)) = self.breaker.resume(now) {
            let calls = &mut self.calls;
            let (&number, _) =
                calls.iter().find(|(_, (call, _))| *call == resumed.call).expect("only calls that asked wait");
            calls.insert(number, (resumed.call, resumed.admitted));
            heard.push((number, resumed.admitted));
        }
        let state = self.breaker.phase(now);
        self.resumed.extend(heard.into_iter().map(|(call, admitted)| Answers::Resumed { call, admitted, state }));
    }
}
