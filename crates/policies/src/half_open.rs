//! How a half-open breaker probes.

mod probes;

pub(crate) use probes::Probes;

use crate::RuleError;

/// How many probes a half-open breaker lets through, and how many have to succeed.
///
/// The default is one probe at a time, whose success closes the breaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HalfOpen {
    /// Probes that may be in flight at once; at least 1. A probe that ends, or that never ran, gives its permit back.
    pub permits: u32,
    /// Successful probes that close the breaker; at least 1. The first failed probe opens it again.
    pub successes: u32,
}

impl Default for HalfOpen {
    fn default() -> Self {
        Self { permits: 1, successes: 1 }
    }
}

impl HalfOpen {
    /// Refuses numbers with which a breaker would stay half-open for ever.
    pub(crate) const fn checked(self) -> Result<Self, RuleError> {
        match self {
            Self { permits: 0, .. } => Err(RuleError::NoPermits),
            Self { successes: 0, .. } => Err(RuleError::NoSuccesses),
            valid => Ok(valid),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_a_permit_and_a_success() {
        assert_eq!(HalfOpen { permits: 0, successes: 1 }.checked(), Err(RuleError::NoPermits));
        assert_eq!(HalfOpen { permits: 1, successes: 0 }.checked(), Err(RuleError::NoSuccesses));
        assert!(HalfOpen::default().checked().is_ok());
    }
}
