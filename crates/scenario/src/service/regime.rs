//! What else a regime can do to calls.

use engine::{Distribution, Duration};

/// Endings of calls other than success and failure, slowness, and how a regime begins. The default is none of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegimeOptions {
    /// The probability that a call's answer never comes. Without a time-out it holds its slot for ever, and the breaker
    /// hears nothing.
    pub lost: f64,
    /// The probability that the caller cancels the call. The slot is held for the hold that the call would have had; the
    /// breaker hears that the call never ran.
    pub cancelled: f64,
    /// The probability that the outcome is one that the breaker is told to ignore.
    pub ignored: f64,
    /// Some of the successes are slow.
    pub slow: Option<Slowness>,
    /// The failure probability reaches its value little by little.
    pub ramp: Option<Ramp>,
    /// The regime is in force for the requests of this shard only; the others are served as in the first regime.
    pub shard: Option<u32>,
}

/// Successes that take longer than usual.
#[derive(Clone, Debug, PartialEq)]
pub struct Slowness {
    /// The part of the successes; in [0, 1].
    pub probability: f64,
    /// How long they hold their slot.
    pub hold: Distribution,
}

/// A linear change of the failure probability from the start of a regime on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ramp {
    /// How long the change takes.
    pub over: Duration,
    /// The probability at the start of the regime; that of the regime before if not given. In [0, 1].
    pub from: Option<f64>,
}

impl RegimeOptions {
    /// Whether nothing is asked for that the plain world does not do.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}

impl Ramp {
    /// The probability so long after the start, on the way from `before` to `target`.
    pub(crate) fn probability(&self, before: f64, target: f64, elapsed: Duration) -> f64 {
        if elapsed >= self.over {
            return target;
        }
        let from = self.from.unwrap_or(before);
        from + (target - from) * (elapsed.as_nanos() as f64 / self.over.as_nanos() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_is_linear_and_ends() {
        let seconds = Duration::from_secs;
        let ramp = Ramp { over: seconds(10), from: None };
        let at = |elapsed| ramp.probability(1.0, 0.2, seconds(elapsed));
        assert_eq!((at(0), at(5), at(10), at(99)), (1.0, 0.6, 0.2, 0.2));
        assert_eq!(Ramp { from: Some(0.4), ..ramp }.probability(1.0, 0.2, Duration::ZERO), 0.4);
    }
}
