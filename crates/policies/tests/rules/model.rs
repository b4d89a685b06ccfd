//! A slow and obvious breaker: it keeps all that ever happened and works every answer out anew.
//!
//! It can be built with one fault, to see that the checks find it.

use engine::{StreamKey, Time};
use policies::{Answer, CallId, Clocks, Outcome, Phase, Rule, Transition, Verdict};

use crate::numbers::{Numbers, Trip};

/// The model of a rule with these numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    pub(crate) numbers: Numbers,
    pub(crate) fault: Option<Fault>,
}

/// A planted fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Opens one failure late.
    OneFailureMore,
    /// Opens one failure early.
    OneFailureLess,
    /// Half-open only when more than the open time has elapsed.
    StrictlyLater,
    /// Half-open one tick early.
    TickEarly,
    /// Late results are treated as if they came from the present generation.
    LateResultsCount,
    /// Late results free the permit of a probe.
    LateResultsFreePermits,
    /// A result is late by the instant at which its call asked, not by the call's identity.
    LateByInstant,
    /// A probe that never ran keeps its permit.
    PermitKept,
    /// One probe more than there are permits.
    OnePermitMore,
    /// The results before the opening still count after closing.
    EvidenceKept,
    /// A success does not end a run of failures.
    RunNotBroken,
    /// A ratio is judged before the window is full.
    JudgesEarly,
    /// A ratio is judged on failures only.
    JudgesFailuresOnly,
    /// The window is one result too long.
    WindowTooLong,
    /// The first success closes, whatever number is asked for.
    FirstSuccessCloses,
    /// A failed probe does not open the breaker again.
    FailedProbeIgnored,
    /// A failed probe does not begin the open time anew.
    OpenTimeNotRenewed,
}

impl Fault {
    pub(crate) const ALL: [Self; 17] = [
        Self::OneFailureMore,
        Self::OneFailureLess,
        Self::StrictlyLater,
        Self::TickEarly,
        Self::LateResultsCount,
        Self::LateResultsFreePermits,
        Self::LateByInstant,
        Self::PermitKept,
        Self::OnePermitMore,
        Self::EvidenceKept,
        Self::RunNotBroken,
        Self::JudgesEarly,
        Self::JudgesFailuresOnly,
        Self::WindowTooLong,
        Self::FirstSuccessCloses,
        Self::FailedProbeIgnored,
        Self::OpenTimeNotRenewed,
    ];
}

/// What happened, in order. A result or release is written down only if it is not late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Entry {
    Began(Phase, Time),
    Admitted(CallId),
    Released(CallId),
    Recorded(CallId, Verdict),
    /// Only written by [`Fault::LateResultsFreePermits`].
    PermitFreed,
}

/// The log since the present generation began.
struct Generation<'a> {
    phase: Phase,
    began: Time,
    entries: &'a [Entry],
}

impl Generation<'_> {
    fn of(log: &[Entry]) -> Generation<'_> {
        let at = log.iter().rposition(|entry| matches!(entry, Entry::Began(..))).expect("a log begins with a phase");
        let Entry::Began(phase, began) = log[at] else { unreachable!() };
        Generation { phase, began, entries: &log[at + 1..] }
    }

    fn admitted(&self, call: CallId) -> bool {
        self.entries.contains(&Entry::Admitted(call))
    }

    fn count(&self, counted: impl Fn(&Entry) -> bool) -> u32 {
        self.entries.iter().filter(|entry| counted(entry)).count() as u32
    }
}

impl Model {
    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    fn is_late(&self, log: &[Entry], call: CallId) -> bool {
        let generation = Generation::of(log);
        match self.fault {
            Some(Fault::LateResultsCount) => false,
            Some(Fault::LateByInstant) => call.asked_at < generation.began,
            _ => !generation.admitted(call),
        }
    }

    fn elapsed(&self, now: Clocks, log: &[Entry]) -> bool {
        let mut began = Generation::of(log).began;
        if self.has(Fault::OpenTimeNotRenewed) {
            let from_closed = |pair: &[Entry]| match *pair {
                [Entry::Began(Phase::Closed, _), Entry::Began(Phase::Open, at)] => Some(at),
                _ => None,
            };
            let phases: Vec<_> = log.iter().filter(|entry| matches!(entry, Entry::Began(..))).copied().collect();
            began = phases.windows(2).rev().find_map(from_closed).expect("an open breaker was closed once");
        }
        let elapsed = now.monotonic - began;
        match self.fault {
            Some(Fault::StrictlyLater) => elapsed > self.numbers.open_for,
            Some(Fault::TickEarly) => elapsed.as_nanos() + 1 >= self.numbers.open_for.as_nanos(),
            _ => elapsed >= self.numbers.open_for,
        }
    }

    /// Whether a closed breaker opens, given the results that count, the oldest first.
    fn trips(&self, results: &[Verdict]) -> bool {
        let failures = |results: &[Verdict]| results.iter().filter(|&&result| result == Verdict::Failure).count();
        let shift = match self.fault {
            Some(Fault::OneFailureMore) => -1,
            Some(Fault::OneFailureLess) => 1,
            _ => 0,
        };
        match self.numbers.trip {
            Trip::Consecutive { threshold } => {
                let run = if self.has(Fault::RunNotBroken) {
                    failures(results)
                } else {
                    results.iter().rev().take_while(|&&result| result == Verdict::Failure).count()
                };
                run as i64 + shift >= i64::from(threshold)
            }
            Trip::Ratio { window, threshold } => {
                let length = window as usize + usize::from(self.has(Fault::WindowTooLong));
                let last = &results[results.len().saturating_sub(length)..];
                let full = last.len() == length || self.has(Fault::JudgesEarly);
                let judged = !self.has(Fault::JudgesFailuresOnly) || last.last() == Some(&Verdict::Failure);
                let share = (failures(last) as i64 + shift) as f64 / f64::from(window);
                full && judged && share >= threshold
            }
        }
    }

    fn record_closed(&self, log: &[Entry]) -> Option<Phase> {
        let counted = if self.has(Fault::EvidenceKept) { log } else { Generation::of(log).entries };
        let results: Vec<_> = counted
            .iter()
            .filter_map(|entry| match *entry {
                Entry::Recorded(_, verdict) => Some(verdict),
                _ => None,
            })
            .collect();
        self.trips(&results).then_some(Phase::Open)
    }

    fn record_half_open(&self, log: &[Entry], verdict: Verdict) -> Option<Phase> {
        if verdict == Verdict::Failure {
            return (!self.has(Fault::FailedProbeIgnored)).then_some(Phase::Open);
        }
        let succeeded = Generation::of(log).count(|entry| matches!(entry, Entry::Recorded(_, Verdict::Success)));
        let needed = if self.has(Fault::FirstSuccessCloses) { 1 } else { self.numbers.half_open.successes };
        (succeeded >= needed).then_some(Phase::Closed)
    }
}

impl Rule for Model {
    type State = Vec<Entry>;

    fn start(&self, _run: StreamKey) -> Self::State {
        vec![Entry::Began(Phase::Closed, Time::ZERO)]
    }

    fn advance(&self, _log: &mut Self::State, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, log: &mut Self::State, now: Clocks, call: CallId) -> (Answer, Option<Transition>) {
        let generation = Generation::of(log);
        let mut transition = None;
        match generation.phase {
            Phase::Closed => {}
            Phase::Open => {
                if !self.elapsed(now, log) {
                    return (Answer::Reject, None);
                }
                log.push(Entry::Began(Phase::HalfOpen, now.monotonic));
                transition = Some(Transition { from: Phase::Open, to: Phase::HalfOpen });
            }
            Phase::HalfOpen => {
                let admitted = generation.count(|entry| matches!(entry, Entry::Admitted(_)));
                let ended = generation.count(|entry| match entry {
                    Entry::Recorded(..) | Entry::PermitFreed => true,
                    Entry::Released(_) => !self.has(Fault::PermitKept),
                    Entry::Admitted(_) | Entry::Began(..) => false,
                });
                let permits = self.numbers.half_open.permits + u32::from(self.has(Fault::OnePermitMore));
                if admitted >= permits + ended {
                    return (Answer::Reject, None);
                }
            }
        }
        log.push(Entry::Admitted(call));
        (Answer::Admit, transition)
    }

    fn release(&self, log: &mut Self::State, _now: Clocks, call: CallId) -> Option<Transition> {
        if !self.is_late(log, call) {
            log.push(Entry::Released(call));
        }
        None
    }

    fn record(&self, log: &mut Self::State, now: Clocks, call: CallId, outcome: Outcome) -> Option<Transition> {
        if self.is_late(log, call) {
            if self.has(Fault::LateResultsFreePermits) {
                log.push(Entry::PermitFreed);
            }
            return None;
        }
        log.push(Entry::Recorded(call, outcome.verdict));
        let from = Generation::of(log).phase;
        let to = match from {
            Phase::Closed => self.record_closed(log),
            Phase::Open => None,
            Phase::HalfOpen => self.record_half_open(log, outcome.verdict),
        }?;
        log.push(Entry::Began(to, now.monotonic));
        Some(Transition { from, to })
    }

    fn next_timer(&self, _log: &Self::State) -> Option<Time> {
        None
    }

    fn phase(&self, log: &Self::State, now: Clocks) -> Phase {
        match Generation::of(log).phase {
            Phase::Open if self.elapsed(now, log) => Phase::HalfOpen,
            phase => phase,
        }
    }
}
