//! The fixed-round lesson: a small model of a gateway that shows what a breaker protects and what it costs.
//!
//! Time advances in rounds of 10 ms. Two flows share the gateway's slots: *tracking* queries, which only need a slot, and
//! *events*, which call a dependency through the breaker. The dependency is healthy until a given round and then behaves
//! as its [`Mode`] says. [`replay`] runs the model without and with one chosen breaker, compares three rules, scales the
//! gain to ten minutes and lengthens the open duration.
//!
//! The model has its own meanings, which the simulator proper does not share: a call's outcome is known to the breaker at
//! admission, a mode turns at a round, "rejected valid events" are all rejections on a healthy day but a difference of
//! responses under partial failure, and every run draws its randomness in the order of events from one generator
//! (so that rejecting one call changes the fate of all later ones). The breakers are those of the `policies` crate.

mod constants;
mod lehmer;
mod world;

use engine::Duration;
use policies::{AnyRule, Consecutive, HalfOpen, NoBreaker, Ratio, Rule, RuleVisitor};

pub use constants::{ConstantError, Constants};
pub use world::{Counts, Detection, Mode};

use crate::ROUND;

/// Open duration of the compared rules, in rounds.
const COMPARED_OPEN_FOR: u64 = 100;
/// Open duration of the sensitivity runs, in rounds.
const LONGER_OPEN_FOR: u64 = 200;
/// Rounds in the ten minutes to which the gain is scaled.
const TEN_MINUTES: u64 = 60_000;

/// Every figure of the lesson.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Each mode without and then with the chosen breaker.
    pub runs: Vec<Run>,
    /// Each compared rule in each mode.
    pub rules: Vec<ComparedRule>,
    /// What the chosen breaker gains under slowdown, scaled to ten minutes.
    pub scaled: Scaled,
    /// What a longer open duration changes.
    pub sensitivity: Sensitivity,
}

/// One run of the first table.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// How the dependency fails.
    pub mode: Mode,
    /// Whether the chosen breaker is in place.
    pub breaker: bool,
    /// What was counted.
    pub counts: Counts,
}

/// One row of the second table.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRule {
    /// The rule in words.
    pub rule: &'static str,
    /// How the dependency fails.
    pub mode: Mode,
    /// The first opening after the failure; never set in the healthy mode.
    pub detection: Option<Detection>,
    /// Openings of any kind.
    pub openings: u64,
    /// The price of opening where most calls would have succeeded. Healthy: all rejected events. Partial: event responses
    /// without a breaker minus those with this one. Not set in the other modes.
    pub rejected_valid_events: Option<i64>,
}

/// The chosen breaker's gain in a slowdown of ten minutes, rounded half away from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// Calls that are not made to the slow dependency.
    pub calls_saved: i64,
    /// Tracking queries that find a slot thanks to the breaker.
    pub tracking_rescued: i64,
}

/// Figures at the shorter and at the longer open duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sensitivity {
    /// Calls made under slowdown with the chosen rule; the second with 200 rounds instead of its own open duration.
    pub slowdown_calls: [u64; 2],
    /// Events rejected in the healthy mode by the ratio rule 0.10 of 20, open for 100 and for 200 rounds.
    pub healthy_rejected: [u64; 2],
}

impl Lesson {
    /// The first table's figures of one mode, without or with the chosen breaker.
    #[must_use]
    pub fn counts(&self, mode: Mode, breaker: bool) -> &Counts {
        let place = self.runs.iter().position(|run| run.mode == mode && run.breaker == breaker);
        &self.runs[place.expect("every mode runs without and with the breaker")].counts
    }
}

/// One run of the lesson, of whatever rule.
struct Running<'a> {
    constants: &'a Constants,
    mode: Mode,
}

impl RuleVisitor for Running<'_> {
    type Output = Counts;

    fn visit<R: Rule>(self, rule: R) -> Counts {
        world::run(self.constants, self.mode, rule)
    }
}

/// Runs the whole lesson.
///
/// # Errors
///
/// If a constant is out of range.
pub fn replay(constants: &Constants) -> Result<Lesson, ConstantError> {
    constants.check()?;
    let chosen = ratio(constants.window, constants.threshold, constants.open_for)?;
    let run = |mode, rule: AnyRule| rule.visit(Running { constants, mode });

    let mut runs = Vec::new();
    for mode in Mode::ALL {
        runs.push(Run { mode, breaker: false, counts: run(mode, NoBreaker.into()) });
        runs.push(Run { mode, breaker: true, counts: run(mode, chosen) });
    }
    let counts = |mode, breaker| {
        let find = |run: &&Run| run.mode == mode && run.breaker == breaker;
        &runs.iter().find(find).expect("every mode runs without and with the breaker").counts
    };

    let mut rules = Vec::new();
    for (rule, numbers) in compared()? {
        for mode in Mode::ALL {
            let with = run(mode, numbers);
            let rejected_valid_events = match mode {
                Mode::Healthy => Some(difference(with.event_rejected, 0)),
                Mode::Partial => Some(difference(counts(mode, false).event_responses, with.event_responses)),
                Mode::Slowdown | Mode::Down => None,
            };
            let (detection, openings) = (with.detection, with.openings);
            rules.push(ComparedRule { rule, mode, detection, openings, rejected_valid_events });
        }
    }

    let (without, with) = (counts(Mode::Slowdown, false), counts(Mode::Slowdown, true));
    let factor = TEN_MINUTES as f64 / (constants.rounds - constants.start) as f64;
    let to_ten_minutes = |gain: i64| (gain as f64 * factor).round() as i64;
    let scaled = Scaled {
        calls_saved: to_ten_minutes(difference(without.calls, with.calls)),
        tracking_rescued: to_ten_minutes(difference(without.tracking_no_slot, with.tracking_no_slot)),
    };

    let longer = ratio(constants.window, constants.threshold, LONGER_OPEN_FOR)?;
    let (short, long) = (ratio(20, 0.1, COMPARED_OPEN_FOR)?, ratio(20, 0.1, LONGER_OPEN_FOR)?);
    let sensitivity = Sensitivity {
        slowdown_calls: [with.calls, run(Mode::Slowdown, longer).calls],
        healthy_rejected: [short, long].map(|rule| run(Mode::Healthy, rule).event_rejected),
    };
    Ok(Lesson { runs, rules, scaled, sensitivity })
}

/// The three rules of the second table.
fn compared() -> Result<[(&'static str, AnyRule); 3], ConstantError> {
    let five = Consecutive::new(5, of_rounds(COMPARED_OPEN_FOR), HalfOpen::default())?;
    Ok([
        ("consecutive 5", five.into()),
        ("ratio 0.50 / 20", ratio(20, 0.5, COMPARED_OPEN_FOR)?),
        ("ratio 0.10 / 20", ratio(20, 0.1, COMPARED_OPEN_FOR)?),
    ])
}

fn ratio(window: u32, threshold: f64, open_for: u64) -> Result<AnyRule, ConstantError> {
    Ok(Ratio::new(window, threshold, of_rounds(open_for), HalfOpen::default())?.into())
}

fn of_rounds(rounds: u64) -> Duration {
    Duration::from_nanos(rounds.saturating_mul(ROUND.as_nanos()))
}

/// `a` − `b`; counts of a run are far below the range of an `i64`.
fn difference(a: u64, b: u64) -> i64 {
    a as i64 - b as i64
}
