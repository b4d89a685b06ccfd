//! One run of the fixed-round model.

use engine::{Duration, StreamKey, Time};
use policies::{Answer, CallId, Clocks, Outcome, Phase, Rule, Transition, Verdict};

use super::{Constants, lehmer::Lehmer};
use crate::ROUND;

/// Rounds in a second.
pub(super) const ROUNDS_PER_SECOND: f64 = 100.0;
/// How long a tracking query holds its slot, in rounds.
const TRACKING_HOLD: u64 = 4;
/// How long a rejected event holds a slot, in rounds, where one is free.
const REJECTION_HOLD: u64 = 1;
/// The longest hold of all, in rounds: that of a call that times out.
const LONGEST_HOLD: u64 = 22;

/// How the dependency behaves from the failure on. Before it, every mode is healthy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A rare timeout.
    Healthy,
    /// One call in eight fails at once.
    Partial,
    /// Every call times out.
    Slowdown,
    /// Every call fails at once.
    Down,
}

/// What is counted in one run. Slot-rounds are the holds of the event calls made, in rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tracking queries that found a slot.
    pub tracking_responses: u64,
    /// Tracking queries that found none.
    pub tracking_no_slot: u64,
    /// Event calls that succeeded.
    pub event_responses: u64,
    /// Events turned away by the breaker.
    pub event_rejected: u64,
    /// Event calls that failed.
    pub event_errors: u64,
    /// Events let through that found no slot.
    pub event_no_slot: u64,
    /// Event calls made.
    pub calls: u64,
    /// Slot-rounds of these calls.
    pub event_slot_rounds: u64,
    /// Openings of the breaker, of any kind.
    pub openings: u64,
    /// The first opening at or after the failure; never set in the healthy mode.
    pub detection: Option<Detection>,
}

/// The first opening of a breaker after the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detection {
    /// Rounds from the start of the failure.
    pub round: u64,
    /// Slot-rounds drawn from the start of the failure, the call that opens the breaker included.
    pub slot_rounds: u64,
}

#[derive(Clone, Copy)]
enum Flow {
    Tracking,
    Event,
}

/// How calls to the dependency end.
struct Behaviour {
    failure_probability: f64,
    /// Rounds for which a successful call holds its slot.
    success_hold: u64,
    /// Rounds for which a failing call holds its slot.
    failure_hold: u64,
}

impl Mode {
    /// The modes in the lesson's order.
    pub const ALL: [Self; 4] = [Self::Healthy, Self::Partial, Self::Slowdown, Self::Down];

    /// Its name in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::Partial => "partial",
            Self::Slowdown => "slowdown",
            Self::Down => "down",
        }
    }

    const fn behaviour(self) -> Behaviour {
        let (failure_probability, failure_hold) = match self {
            Self::Healthy => (0.025, LONGEST_HOLD),
            Self::Partial => (0.125, 3),
            Self::Slowdown => (1.0, LONGEST_HOLD),
            Self::Down => (1.0, 3),
        };
        Behaviour { failure_probability, success_hold: 6, failure_hold }
    }
}

/// The gateway, its slots and the breaker in front of the dependency.
struct World<'a, R: Rule> {
    constants: &'a Constants,
    mode: Mode,
    random: Lehmer,
    slots: Slots,
    rule: R,
    breaker: R::State,
    round: u64,
    events: u64,
    slot_rounds_before_failure: u64,
    counts: Counts,
}

/// One run. The constants must be in range.
pub(super) fn run<R: Rule>(constants: &Constants, mode: Mode, rule: R) -> Counts {
    let mut world = World {
        constants,
        mode,
        random: Lehmer::new(constants.seed),
        slots: Slots::new(constants.slots),
        rule,
        breaker: rule.start(StreamKey::root(constants.seed)),
        round: 0,
        events: 0,
        slot_rounds_before_failure: 0,
        counts: Counts::default(),
    };
    let mut tracking = Accumulator::per_second(constants.tracking_rate);
    let mut event = Accumulator::per_second(constants.event_rate);
    let mut arrivals = Vec::new();
    for round in 0..constants.rounds {
        world.begin(round);
        arrivals.clear();
        arrivals.extend(std::iter::repeat_n(Flow::Tracking, tracking.arrivals()));
        arrivals.extend(std::iter::repeat_n(Flow::Event, event.arrivals()));
        world.random.shuffle(&mut arrivals);
        for flow in &arrivals {
            match flow {
                Flow::Tracking => world.tracking(),
                Flow::Event => world.event(),
            }
        }
    }
    world.counts
}

impl<R: Rule> World<'_, R> {
    fn now(&self) -> Clocks {
        Clocks::synchronous(Time::from_nanos(self.round * ROUND.as_nanos()))
    }

    fn begin(&mut self, round: u64) {
        self.round = round;
        self.slots.begin(round);
        if round == self.constants.start {
            self.slot_rounds_before_failure = self.counts.event_slot_rounds;
        }
        let now = self.now();
        while let Some(transition) = self.rule.advance(&mut self.breaker, now) {
            self.note(transition);
        }
    }

    fn tracking(&mut self) {
        if self.slots.hold(self.round, TRACKING_HOLD) {
            self.counts.tracking_responses += 1;
        } else {
            self.counts.tracking_no_slot += 1;
        }
    }

    fn event(&mut self) {
        let now = self.now();
        let call = CallId { asked_at: now.monotonic, request: self.events, attempt: 0 };
        self.events += 1;
        let (answer, transition) = self.rule.ask(&mut self.breaker, now, call);
        if let Some(transition) = transition {
            self.note(transition);
        }
        // There is no queue: a call that is to wait is turned away.
        if answer != Answer::Admit {
            self.counts.event_rejected += 1;
            self.slots.hold(self.round, REJECTION_HOLD);
            return;
        }

        // The fate is drawn before a slot is looked for, and so also where there is none.
        let mode = if self.round < self.constants.start { Mode::Healthy } else { self.mode };
        let behaviour = mode.behaviour();
        let failed = self.random.uniform() < behaviour.failure_probability;
        let hold = if failed { behaviour.failure_hold } else { behaviour.success_hold };
        if !self.slots.hold(self.round, hold) {
            self.counts.event_no_slot += 1;
            if let Some(transition) = self.rule.release(&mut self.breaker, now, call) {
                self.note(transition);
            }
            return;
        }
        self.counts.calls += 1;
        self.counts.event_slot_rounds += hold;
        if failed {
            self.counts.event_errors += 1;
        } else {
            self.counts.event_responses += 1;
        }

        let verdict = if failed { Verdict::Failure } else { Verdict::Success };
        let outcome = Outcome { verdict, duration: Duration::from_nanos(hold * ROUND.as_nanos()) };
        if let Some(transition) = self.rule.record(&mut self.breaker, now, call, outcome) {
            self.note(transition);
        }
    }

    fn note(&mut self, transition: Transition) {
        if transition.to != Phase::Open {
            return;
        }
        self.counts.openings += 1;
        let failing = self.round >= self.constants.start && self.mode != Mode::Healthy;
        if failing && self.counts.detection.is_none() {
            self.counts.detection = Some(Detection {
                round: self.round - self.constants.start,
                slot_rounds: self.counts.event_slot_rounds - self.slot_rounds_before_failure,
            });
        }
    }
}

/// Turns a rate into whole arrivals per round, the fraction being carried over.
///
/// It adds and subtracts in `f64`, one arrival at a time, since the rounding decides in which round an arrival falls.
struct Accumulator {
    per_round: f64,
    due: f64,
}

impl Accumulator {
    fn per_second(rate: f64) -> Self {
        Self { per_round: rate / ROUNDS_PER_SECOND, due: 0.0 }
    }

    fn arrivals(&mut self) -> usize {
        self.due += self.per_round;
        let arrivals = self.due as usize;
        for _ in 0..arrivals {
            self.due -= 1.0;
        }
        arrivals
    }
}

/// The pool. Slots are alike, so that it is enough to count how many are free now and how many become so in each of the
/// next rounds.
struct Slots {
    free: u32,
    /// How many slots become free in each round, by the round's remainder: no hold is longer than the list.
    freed: [u32; LONGEST_HOLD as usize + 1],
}

impl Slots {
    fn new(slots: u32) -> Self {
        Self { free: slots, freed: [0; LONGEST_HOLD as usize + 1] }
    }

    fn place(round: u64) -> usize {
        (round % (LONGEST_HOLD + 1)) as usize
    }

    /// Frees what was held until this round. Every round has to begin, in order.
    fn begin(&mut self, round: u64) {
        self.free += std::mem::take(&mut self.freed[Self::place(round)]);
    }

    /// Takes a free slot for so many rounds, from 1 to [`LONGEST_HOLD`], and says whether there was one.
    fn hold(&mut self, round: u64, rounds: u64) -> bool {
        if self.free == 0 {
            return false;
        }
        self.free -= 1;
        self.freed[Self::place(round + rounds)] += 1;
        true
    }
}
