//! Circuit breakers as values: pure state machines without a clock, randomness or allocation per call.
//!
//! A [`Rule`] is a setting: plain numbers. Its [`Rule::State`] is one running breaker, which can be copied, compared and
//! asked. [`NoBreaker`], [`Consecutive`] and [`Ratio`] are the rules; the latter two share one [`Cycle`] of phases and
//! differ in the [`Criterion`] by which they open.
//!
//! ```
//! use engine::{Duration, StreamKey, Time};
//! use policies::{Answer, CallId, Clocks, Consecutive, HalfOpen, Outcome, Phase, Rule, Verdict};
//!
//! let rule = Consecutive::new(2, Duration::from_secs(1), HalfOpen::default())?;
//! let mut breaker = rule.start(StreamKey::root(1));
//! for millis in [0, 10] {
//!     let now = Clocks::synchronous(Time::ZERO + Duration::from_millis(millis));
//!     let call = CallId { asked_at: now.monotonic, request: millis, attempt: 0 };
//!     let (answer, _) = rule.ask(&mut breaker, now, call);
//!     assert_eq!(answer, Answer::Admit);
//!     rule.record(&mut breaker, now, call, Outcome { verdict: Verdict::Failure, duration: Duration::ZERO });
//! }
//! let now = Clocks::synchronous(Time::ZERO + Duration::from_millis(20));
//! assert_eq!(rule.phase(&breaker, now), Phase::Open);
//! # Ok::<(), policies::RuleError>(())
//! ```

mod any_breaker;
mod any_rule;
mod closeness;
mod consecutive;
mod cycle;
mod dialect;
mod half_open;
pub mod libraries;
mod library;
mod no_breaker;
mod open_time;
mod parameter;
mod ratio;
mod real;
mod replay;
mod result_rule;
mod result_window;
mod rule;
mod rule_error;
mod setting;
mod sharing;
mod time_of_day;
mod windows;
mod words;

pub use any_breaker::AnyBreaker;
pub use any_rule::{AnyRule, RuleKey, RuleVisitor};
pub use consecutive::{Consecutive, FailureRun};
pub use cycle::{Criterion, Cycle, CycleState};
pub use dialect::{Dialect, libraries};
pub use half_open::HalfOpen;
pub use library::{Library, Written};
pub use no_breaker::NoBreaker;
pub use parameter::{Bounds, Kind, Parameter, TimeUnit};
pub use ratio::{FailureRatio, Ratio};
pub use real::{Real, Real32};
pub use replay::Replay;
pub use result_rule::{Filling, ResultRule};
pub use result_window::ResultWindow;
pub use rule::{Answer, CallId, Clocks, Outcome, Phase, Resumed, Rule, Transition, Verdict};
pub use rule_error::RuleError;
pub use setting::{Durations, Settings, Value};
pub use sharing::{Evidence, SharedForm};
