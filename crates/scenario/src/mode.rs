//! Modes: timelines of regimes of the dependency.

use engine::{Distribution, Duration, Time};

use crate::service::RegimeOptions;

/// How the dependency behaves for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Regime {
    /// What it is called; a later regime with the first one's name is the heal.
    pub name: String,
    /// The probability that a call arriving now fails; in [0, 1].
    pub failure_probability: f64,
    /// How long a successful call holds its slot.
    pub success_hold: Distribution,
    /// How long a failing call holds its slot.
    pub failure_hold: Distribution,
    /// What an opening of the breaker means now.
    pub opening: Opening,
    /// What else it does to calls.
    pub options: RegimeOptions,
}

/// Whether opening the breaker is what one wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// The dependency is broken: opening protects the pool.
    Right,
    /// Most calls would succeed: opening turns away valid requests.
    False,
}

/// When a regime of a timeline starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// At an instant of the run.
    At(Time),
    /// So long after the scenario's fault instant.
    AfterFault(Duration),
}

/// A named timeline of regimes. The second regime's start is the mode's fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// What it is called in the results.
    pub name: String,
    /// Regimes with their starts, ascending; the first starts at zero, at least two.
    pub timeline: Vec<(Start, Regime)>,
}

fn fixed(millis: u64) -> Distribution {
    Distribution::Deterministic(Duration::from_millis(millis))
}

impl Regime {
    /// One of the four given regimes: `healthy`, `partial`, `slowdown` or `down`.
    #[must_use]
    pub fn given(name: &str) -> Option<Self> {
        let (failure_probability, failure_millis, opening) = match name {
            "healthy" => (0.025, 220, Opening::False),
            "partial" => (0.125, 30, Opening::False),
            "slowdown" => (1.0, 220, Opening::Right),
            "down" => (1.0, 30, Opening::Right),
            _ => return None,
        };
        Some(Self {
            name: name.to_owned(),
            failure_probability,
            success_hold: fixed(60),
            failure_hold: fixed(failure_millis),
            opening,
            options: RegimeOptions::default(),
        })
    }
}

impl Mode {
    /// The names of the given modes.
    pub const GIVEN: [&'static str; 4] = ["healthy", "partial", "slowdown", "down"];

    /// One of the four given modes: healthy until the fault, then the regime of that name, and healthy again `heal_after`
    /// the fault if a heal is asked for.
    #[must_use]
    pub fn given(name: &str, heal_after: Option<Duration>) -> Option<Self> {
        let healthy = Regime::given("healthy")?;
        let mut timeline =
            vec![(Start::At(Time::ZERO), healthy.clone()), (Start::AfterFault(Duration::ZERO), Regime::given(name)?)];
        if let Some(after) = heal_after {
            timeline.push((Start::AfterFault(after), healthy));
        }
        Some(Self { name: name.to_owned(), timeline })
    }

    /// Whether opening during this mode's fault is right or false.
    #[must_use]
    pub fn opening_during_fault(&self) -> Opening {
        self.timeline[1].1.opening
    }
}

impl Start {
    /// The instant of the run, given the scenario's fault instant.
    #[must_use]
    pub fn resolve(self, fault_at: Time) -> Time {
        match self {
            Self::At(at) => at,
            Self::AfterFault(after) => fault_at + after,
        }
    }
}
