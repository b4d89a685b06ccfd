//! One line of a file of vectors.

use std::borrow::Cow;
use std::fmt;

use engine::{Duration, Time};
use policies::Phase;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::VectorError;
use super::exact_time::nanos_in_millis;
use crate::did_you_mean::did_you_mean;
use crate::shortened::shortened;

/// A recording of one breaker.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// Its name.
    pub id: String,
    /// The library, as recordings call it.
    pub library: String,
    /// The version of the library.
    pub version: String,
    /// The library's own settings.
    pub settings: Map<String, Value>,
    /// What happened, in order; times never decrease.
    pub operations: Vec<Operation>,
}

/// One thing that happened, and the library's state right after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Since the breaker was made.
    pub at: Time,
    /// The call's number.
    pub call: u64,
    /// What happened to it.
    pub step: Step,
    /// The state after it.
    pub state: Phase,
}

/// What happened to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It asked to be let through.
    Acquire {
        /// It was.
        admitted: bool,
        /// It was neither let through nor turned away: it waits.
        queued: bool,
    },
    /// A waiting call went on, or was turned away.
    Resume {
        /// It went on.
        admitted: bool,
    },
    /// It ended.
    Complete {
        /// It succeeded.
        ok: bool,
        /// Time since it started.
        took: Duration,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawVector<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    library: Cow<'a, str>,
    #[serde(borrow)]
    version: Cow<'a, str>,
    settings: Map<String, Value>,
    // What recorders note for people.
    #[serde(rename = "kind")]
    _kind: Option<IgnoredAny>,
    #[serde(rename = "driver")]
    _driver: Option<IgnoredAny>,
    #[serde(rename = "note")]
    _note: Option<IgnoredAny>,
    #[serde(borrow)]
    ops: Vec<RawOperation<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOperation<'a> {
    #[serde(borrow)]
    t_ms: &'a RawValue,
    #[serde(borrow)]
    op: Cow<'a, str>,
    call: u64,
    admitted: Option<bool>,
    queued: Option<bool>,
    ok: Option<bool>,
    #[serde(borrow)]
    took_ms: Option<&'a RawValue>,
    #[serde(borrow)]
    state: Cow<'a, str>,
}

impl Vector {
    /// Reads a line.
    ///
    /// # Errors
    ///
    /// If it is not JSON, a key is missing, has a wrong value, or times go back.
    pub fn parse(line: &str) -> Result<Self, VectorError> {
        if line.starts_with('\u{feff}') {
            let problem =
                "the line begins with a byte order mark, which is no JSON: save the file as UTF-8 without one";
            return Err(VectorError { column: Some(1), key: String::new(), problem: problem.to_owned() });
        }
        let raw: RawVector<'_> = serde_json::from_str(line).map_err(|error| no_vector(&error))?;
        let mut operations: Vec<Operation> = Vec::with_capacity(raw.ops.len());
        for (number, raw) in raw.ops.iter().enumerate() {
            let operation =
                raw.read().map_err(|error| VectorError::at(format!("ops[{number}].{}", error.key), error.problem))?;
            if operations.last().is_some_and(|last| last.at > operation.at) {
                let problem = "the time is before that of the operation before it: put the operations in order";
                return Err(VectorError::at(format!("ops[{number}].t_ms"), problem));
            }
            operations.push(operation);
        }
        Ok(Self {
            id: raw.id.into_owned(),
            library: raw.library.into_owned(),
            version: raw.version.into_owned(),
            settings: raw.settings,
            operations,
        })
    }
}

fn no_vector(error: &serde_json::Error) -> VectorError {
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or_default();
    // serde names the field, and those that there are, between backquotes.
    let mut quoted = said.split('`').skip(1).step_by(2);
    if let (true, Some(unknown)) = (said.starts_with("unknown field"), quoted.next()) {
        let known: Vec<&str> = quoted.collect();
        let advice = match did_you_mean(unknown, &known) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("leave it out, or use one of {}", known.join(", ")),
        };
        let problem = format!("there is no such field; {advice}");
        return VectorError { column: Some(error.column()), key: shortened(unknown), problem };
    }
    let said = shortened(said);
    let problem = format!(
        "{said}. A line is one JSON object with `id`, `library`, `version`, `settings` and `ops`; each of `ops` has `t_ms`, \
         `op`, `call` and `state`"
    );
    VectorError { column: Some(error.column()), key: String::new(), problem }
}

impl RawOperation<'_> {
    fn read(&self) -> Result<Operation, VectorError> {
        let step = match &*self.op {
            "acquire" => {
                Step::Acquire { admitted: self.flag("admitted", self.admitted)?, queued: self.queued.unwrap_or(false) }
            }
            "resume" => Step::Resume { admitted: self.flag("admitted", self.admitted)? },
            "complete" => Step::Complete {
                ok: self.flag("ok", self.ok)?,
                took: Duration::from_nanos(match self.took_ms {
                    Some(took) => nanos("took_ms", took)?,
                    None => {
                        return Err(VectorError::at(
                            "took_ms",
                            "a completion needs it: the time since the call started",
                        ));
                    }
                }),
            },
            other => {
                return Err(VectorError::at(
                    "op",
                    format!("\"{}\" is none of acquire, complete, resume", shortened(other)),
                ));
            }
        };
        let state = match &*self.state {
            "closed" => Phase::Closed,
            "open" => Phase::Open,
            "half_open" => Phase::HalfOpen,
            other => {
                return Err(VectorError::at(
                    "state",
                    format!("\"{}\" is none of closed, open, half_open", shortened(other)),
                ));
            }
        };
        Ok(Operation { at: Time::from_nanos(nanos("t_ms", self.t_ms)?), call: self.call, step, state })
    }

    fn flag(&self, key: &str, value: Option<bool>) -> Result<bool, VectorError> {
        value.ok_or_else(|| VectorError::at(key, format!("the operation {} needs it: true or false", self.op)))
    }
}

fn nanos(key: &str, value: &RawValue) -> Result<u64, VectorError> {
    nanos_in_millis(value.get()).ok_or_else(|| {
        let problem =
            format!("{} is no time in milliseconds with at most six decimals, from 0", shortened(value.get()));
        VectorError::at(key, problem)
    })
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = self.call;
        match self.step {
            Step::Acquire { .. } => write!(f, "call {call} asks"),
            Step::Resume { .. } => write!(f, "call {call}, which waited, hears"),
            Step::Complete { ok, took } => {
                write!(f, "call {call} {} after {took}", if ok { "succeeds" } else { "fails" })
            }
        }
    }
}
