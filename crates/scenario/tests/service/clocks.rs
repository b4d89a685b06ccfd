//! Steps of the wall clock.

use engine::{Duration, StreamKey, Time};
use policies::{Answer, CallId, Clocks, NoBreaker, Outcome, Phase, Rule, Transition, Verdict};
use scenario::service::{ClockStep, ServiceNote, Snapshot, observe_service};

use crate::kit::{always, at, millis, regime, run, stream, with};

/// Opens at every failure, for a second by the chosen clock; then lets one call decide.
#[derive(Clone, Copy, Debug)]
struct ReadsClock {
    wall: bool,
}

impl ReadsClock {
    fn read(self, clocks: Clocks) -> Time {
        if self.wall { clocks.wall } else { clocks.monotonic }
    }
}

impl Rule for ReadsClock {
    /// When it may probe, if it is open.
    type State = Option<Time>;

    fn start(&self, _run: StreamKey) -> Self::State {
        None
    }

    fn advance(&self, _state: &mut Self::State, _now: Clocks) -> Option<Transition> {
        None
    }

    fn ask(&self, state: &mut Self::State, now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        match *state {
            Some(until) if self.read(now) < until => (Answer::Reject, None),
            _ => (Answer::Admit, None),
        }
    }

    fn release(&self, _state: &mut Self::State, _now: Clocks, _call: CallId) -> Option<Transition> {
        None
    }

    fn record(&self, state: &mut Self::State, now: Clocks, _call: CallId, outcome: Outcome) -> Option<Transition> {
        let failed = outcome.verdict == Verdict::Failure;
        *state = failed.then(|| self.read(now) + Duration::from_secs(1));
        failed.then_some(Transition { from: Phase::HalfOpen, to: Phase::Open })
    }

    fn next_timer(&self, _state: &Self::State) -> Option<Time> {
        None
    }

    fn phase(&self, state: &Self::State, _now: Clocks) -> Phase {
        if state.is_some() { Phase::Open } else { Phase::Closed }
    }
}

/// The calls that are let through while everything fails.
fn calls(wall: bool, steps: &[(u64, i64)]) -> Vec<u64> {
    let step = |&(after, by): &(u64, i64)| ClockStep { at: at(after), by: by * 1_000_000_000 };
    let scenario = with(|service| {
        service.clock_steps = steps.iter().map(step).collect();
        // So that the richer world is used without a step, too.
        service.time_out = Some(millis(5_000));
    });
    let mut calls = Vec::new();
    let watch = |_: Time, _: Snapshot, note: ServiceNote| {
        if let ServiceNote::Started { request, .. } = note {
            calls.push(request);
        }
    };
    let _ = observe_service(ReadsClock { wall }, &stream(&scenario, &always(regime("down", 1.0, 10))), watch);
    calls
}

/// A failure 10 ms after a request keeps the breaker open for a second: every eleventh request probes.
#[test]
fn a_step_of_the_wall_clock_ends_or_prolongs_the_open_time() {
    let usual = [0, 11, 22, 33, 44, 55, 66, 77, 88];
    assert_eq!(calls(true, &[]), usual);
    // At 4.8 s the breaker is open, since request 44, until 5.4 s. Two seconds forward: the next request, 48, probes.
    assert_eq!(calls(true, &[(4_800, 2)]), [0, 11, 22, 33, 44, 48, 59, 70, 81]);
    // Two seconds back: it stays open until 7.4 s and a little, so that request 75 is the next.
    assert_eq!(calls(true, &[(4_800, -2)]), [0, 11, 22, 33, 44, 75, 86]);
    // Forward and back at once changes nothing.
    assert_eq!(calls(true, &[(4_800, 2), (4_800, -2)]), usual);
}

#[test]
fn the_monotonic_clock_does_not_step() {
    assert_eq!(calls(false, &[(4_800, 2), (6_000, -3)]), calls(false, &[]));
    let stepped = with(|service| service.clock_steps = vec![ClockStep { at: at(4_800), by: 1_000_000_000 }]);
    let plain = crate::kit::clockwork();
    let (down, rule) = (always(regime("down", 1.0, 10)), crate::kit::consecutive(3, 700));
    let (stepped, plain) = (run(&rule, &stepped, &down), run(&rule, &plain, &down));
    assert_eq!(scenario::RunRecord { service: None, ..stepped }, plain);
    assert_eq!(run(&NoBreaker.into(), &crate::kit::clockwork(), &down).errors, 90);
}
