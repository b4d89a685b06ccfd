//! A rule with timers of its own is woken exactly when it asks to be, and its timers can be moved and withdrawn.

use engine::{Distribution, Duration, StreamKey, Time};
use policies::{Answer, CallId, Clocks, Outcome, Phase, Rule, Transition, Verdict};
use scenario::{
    ArrivalProcess, Fate, FaultAt, Horizon, Mode, Note, OutcomeAt, Request, RequestStream, RunPlan, Scenario, Service,
    observe,
};

/// Opens on every failure and closes by a timer `open_for` after the latest failure, whoever asks.
#[derive(Clone, Copy, Debug)]
struct ClosesByTimer {
    open_for: Duration,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    due: Option<Time>,
}

impl Rule for ClosesByTimer {
    type State = State;

    fn start(&self, _run: StreamKey) -> State {
        State::default()
    }

    fn advance(&self, state: &mut State, now: Clocks) -> Option<Transition> {
        state.due.filter(|&due| due <= now.monotonic)?;
        state.due = None;
        Some(Transition { from: Phase::Open, to: Phase::Closed })
    }

    fn ask(&self, state: &mut State, _now: Clocks, _call: CallId) -> (Answer, Option<Transition>) {
        (if state.due.is_some() { Answer::Reject } else { Answer::Admit }, None)
    }

    fn release(&self, _state: &mut State, _now: Clocks, _call: CallId) -> Option<Transition> {
        None
    }

    fn record(&self, state: &mut State, now: Clocks, _call: CallId, outcome: Outcome) -> Option<Transition> {
        if outcome.verdict == Verdict::Success {
            // A late success withdraws the timer and closes at once.
            return state.due.take().map(|_| Transition { from: Phase::Open, to: Phase::Closed });
        }
        let was_closed = state.due.is_none();
        state.due = Some(now.monotonic + self.open_for);
        was_closed.then_some(Transition { from: Phase::Closed, to: Phase::Open })
    }

    fn next_timer(&self, state: &State) -> Option<Time> {
        state.due
    }

    fn phase(&self, state: &State, _now: Clocks) -> Phase {
        if state.due.is_some() { Phase::Open } else { Phase::Closed }
    }
}

fn at(millis: u64) -> Time {
    Time::ZERO + Duration::from_millis(millis)
}

fn transitions(requests: &[(u64, u64, Fate)]) -> Vec<(Time, Phase)> {
    let scenario = Scenario {
        slots: 8,
        horizon: Horizon::At(at(1_000)),
        warm_up: Time::ZERO,
        fault_at: FaultAt::Fixed(at(500)),
        outcome: OutcomeAt::Completion,
        rejection_hold: Duration::ZERO,
        dependency: ArrivalProcess::Poisson { rate: 0.0 },
        neighbour: ArrivalProcess::Poisson { rate: 0.0 },
        neighbour_hold: Distribution::Deterministic(Duration::TICK),
        service: Service::default(),
    };
    let mode = Mode::given("healthy", None).expect("given");
    let plan = RunPlan::new(&scenario, &mode, at(500), at(1_000), StreamKey::root(1));
    let requests = (0..).zip(requests).map(|(number, &(arrival, hold, fate))| Request {
        at: at(arrival),
        hold: Duration::from_millis(hold),
        number,
        fate,
    });
    let mut seen = Vec::new();
    let watch = |now: Time, _slots_in_use: u32, note: Note| {
        if let Note::Transition(transition) = note {
            seen.push((now, transition.to));
        }
    };
    let rule = ClosesByTimer { open_for: Duration::from_millis(100) };
    let _ = observe(rule, &RequestStream::new(plan, requests.collect()), watch);
    seen
}

#[test]
fn a_timer_fires_without_any_request() {
    let seen = transitions(&[(0, 10, Fate::Failure)]);
    assert_eq!(seen, [(at(10), Phase::Open), (at(110), Phase::Closed)]);
}

#[test]
fn a_later_failure_moves_the_timer() {
    let seen = transitions(&[(0, 10, Fate::Failure), (1, 49, Fate::Failure)]);
    assert_eq!(seen, [(at(10), Phase::Open), (at(150), Phase::Closed)]);
}

#[test]
fn a_withdrawn_timer_does_not_fire() {
    let seen = transitions(&[(0, 10, Fate::Failure), (1, 49, Fate::Success), (200, 10, Fate::Failure)]);
    let expected = [(at(10), Phase::Open), (at(50), Phase::Closed), (at(210), Phase::Open), (at(310), Phase::Closed)];
    assert_eq!(seen, expected);
}

#[test]
fn a_timer_comes_before_what_completes_and_arrives_at_its_instant() {
    // The timer of the first failure is due at 110 ms, when a request arrives: it is admitted, fails at 120 ms.
    let seen = transitions(&[(0, 10, Fate::Failure), (110, 10, Fate::Failure)]);
    let expected = [(at(10), Phase::Open), (at(110), Phase::Closed), (at(120), Phase::Open), (at(220), Phase::Closed)];
    assert_eq!(seen, expected);
}
