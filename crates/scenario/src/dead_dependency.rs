//! The dead dependency: one caller, one call after another, against a service that answers at once or not at all.
//!
//! Before each call the caller itself takes 1 ms; then the breaker is asked. A call that is let through takes 1 ms if the
//! service lives and the whole time-out if it is dead, and its outcome is recorded at its end. A call that is not let
//! through costs nothing more than the caller's own time. [`workers`] puts the same service behind a pool of workers.

pub mod workers;

use engine::{Duration, StreamKey, Time};
use policies::{Answer, CallId, Clocks, Consecutive, HalfOpen, NoBreaker, Outcome, Rule, RuleError, Verdict};

/// What the caller takes between two calls.
pub const CALLER: Duration = Duration::from_millis(1);
/// What a call to the living service takes.
pub const ANSWER: Duration = Duration::from_millis(1);
/// What a call to the dead service takes: the time-out.
pub const TIME_OUT: Duration = Duration::from_millis(50);

/// How often is called, and with which breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadDependency {
    /// Calls, one after another.
    pub calls: u32,
    /// Failures in a row that open the breaker; at least 1.
    pub threshold: u32,
    /// How long the open breaker lets nothing through.
    pub cooldown: Duration,
}

impl Default for DeadDependency {
    fn default() -> Self {
        Self { calls: 200, threshold: 5, cooldown: Duration::from_millis(200) }
    }
}

/// What stands before the service, and how the service is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// A dead service without a breaker.
    NoBreaker,
    /// A dead service behind the breaker.
    Breaker,
    /// A living service behind the breaker.
    Healthy,
}

impl Setting {
    /// All settings in the order of the tables.
    pub const ALL: [Self; 3] = [Self::NoBreaker, Self::Breaker, Self::Healthy];

    /// The word in the results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoBreaker => "no_breaker",
            Self::Breaker => "breaker",
            Self::Healthy => "healthy",
        }
    }
}

/// What came of the calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallerRun {
    /// From the start to the end of the last call.
    pub wall: Duration,
    /// Calls that reached the service.
    pub dependency_calls: u32,
    /// Calls that the breaker did not let through.
    pub short_circuits: u32,
    /// Calls that succeeded.
    pub successes: u32,
}

impl DeadDependency {
    /// The breaker: so many failures in a row open it, and after the cooldown one probe decides.
    ///
    /// A cooldown of zero is one of a nanosecond: the caller takes a millisecond before it asks again, so the two are the
    /// same.
    ///
    /// # Errors
    ///
    /// If the threshold is zero.
    pub fn breaker(&self) -> Result<Consecutive, RuleError> {
        Consecutive::new(self.threshold, self.cooldown.at_least_a_tick(), HalfOpen::default())
    }

    /// Makes the calls.
    ///
    /// # Errors
    ///
    /// If the threshold is zero.
    pub fn run(&self, setting: Setting) -> Result<CallerRun, RuleError> {
        let breaker = self.breaker()?;
        Ok(match setting {
            Setting::NoBreaker => call_in_turn(NoBreaker, Verdict::Failure, self.calls),
            Setting::Breaker => call_in_turn(breaker, Verdict::Failure, self.calls),
            Setting::Healthy => call_in_turn(breaker, Verdict::Success, self.calls),
        })
    }
}

fn call_in_turn<R: Rule>(rule: R, verdict: Verdict, calls: u32) -> CallerRun {
    let mut breaker = rule.start(StreamKey::root(0));
    let mut run = CallerRun::default();
    let mut now = Time::ZERO;
    for request in 0..u64::from(calls) {
        now += CALLER;
        let clocks = Clocks::synchronous(now);
        while rule.advance(&mut breaker, clocks).is_some() {}
        let call = CallId { asked_at: now, request, attempt: 0 };
        let (answer, _) = rule.ask(&mut breaker, clocks, call);
        if answer != Answer::Admit {
            run.short_circuits += 1;
            continue;
        }
        run.dependency_calls += 1;
        let duration = if verdict == Verdict::Success { ANSWER } else { TIME_OUT };
        now += duration;
        run.successes += u32::from(verdict == Verdict::Success);
        let _ = rule.record(&mut breaker, Clocks::synchronous(now), call, Outcome { verdict, duration });
    }
    run.wall = now.since(Time::ZERO);
    run
}
