//! Why numbers make no rule.

use std::error::Error;
use std::fmt;

use crate::{FailureRatio, Parameter};

/// Why numbers make no rule, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleError {
    /// A consecutive rule that would open at no failure.
    NoFailures,
    /// A ratio outside (0, 1].
    Threshold(f64),
    /// A window of no results, or of more than [`FailureRatio::MAX_WINDOW`].
    Window(u32),
    /// A breaker that would open for no time.
    NoOpenTime,
    /// A half-open breaker that would let no probe through.
    NoPermits,
    /// A half-open breaker that would need no success.
    NoSuccesses,
    /// A name that is not one of the library's parameters.
    UnknownParameter {
        /// The library.
        library: &'static str,
        /// The name.
        parameter: String,
        /// What it has.
        known: &'static [Parameter],
    },
    /// A parameter without a default that was not given.
    Missing {
        /// The library.
        library: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What its values are.
        expected: String,
    },
    /// A value that the library refuses.
    Refused {
        /// The library.
        library: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The value.
        given: String,
        /// What the library wants.
        expected: String,
    },
    /// A time that the library takes with a unit, given as a bare number.
    NoUnit {
        /// The library.
        library: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The number.
        number: f64,
    },
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownParameter { library, parameter, known } => {
                let known: Vec<_> = known.iter().map(|parameter| parameter.name).collect();
                write!(f, "{library} has no parameter `{parameter}`: it has {}", known.join(", "))
            }
            Self::Missing { library, parameter, expected } => {
                write!(f, "{library} needs `{parameter}`, which has no default: give {expected}")
            }
            Self::Refused { library, parameter, given, expected } => {
                write!(f, "{library} refuses `{parameter}` = {given}: give {expected}")
            }
            Self::NoUnit { library, parameter, number } => write!(
                f,
                "{library} takes `{parameter}` as a duration with a unit: say whether {number} is milliseconds or seconds"
            ),
            Self::NoFailures => f.write_str(
                "a consecutive rule with threshold 0 would open before any failure: give the number of failures in a row \
                 that opens the breaker, 1 or more",
            ),
            Self::Threshold(threshold) => write!(
                f,
                "the ratio threshold {threshold} is not in (0, 1]: give the share of failures that opens the breaker, \
                 such as 0.5 for one half"
            ),
            Self::Window(window) => write!(
                f,
                "a window of {window} results is not possible: give the number of latest results that are counted, \
                 from 1 to {}",
                FailureRatio::MAX_WINDOW
            ),
            Self::NoOpenTime => {
                f.write_str("the open duration is zero: give the time for which an open breaker rejects, such as 1s")
            }
            Self::NoPermits => f.write_str(
                "with 0 half-open permits the breaker could never close again: let 1 probe or more be in flight",
            ),
            Self::NoSuccesses => f.write_str(
                "0 successful probes cannot close a half-open breaker: give the number of successes that closes it, \
                 1 or more",
            ),
        }
    }
}

impl Error for RuleError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_says_what_to_do() {
        for (error, parts) in [
            (RuleError::NoFailures, ["threshold 0", "1 or more"]),
            (RuleError::Threshold(1.7), ["1.7", "(0, 1]"]),
            (RuleError::Window(0), ["0 results", "from 1 to 1000000"]),
            (RuleError::NoOpenTime, ["zero", "such as 1s"]),
            (RuleError::NoPermits, ["0 half-open permits", "let 1 probe or more"]),
            (RuleError::NoSuccesses, ["0 successful probes", "1 or more"]),
        ] {
            for part in parts {
                assert!(error.to_string().contains(part), "{error}");
            }
        }
    }
}
