//! Closed-loop callers: each thinks, asks, waits for its answer, and thinks again.

use engine::Distribution;

/// A fixed number of callers in place of a stream of arrivals. A slow dependency then slows its callers down.
#[derive(Clone, Debug, PartialEq)]
pub struct Callers {
    /// How many; at least 1.
    pub number: u32,
    /// How long a caller thinks before its first request, and from the end of one to the next.
    pub think: Distribution,
}

impl Callers {
    /// The number of a caller's request, unique in the run: requests of one round come in the order of the callers.
    pub(crate) fn request_number(&self, caller: u32, round: u64) -> u64 {
        round * u64::from(self.number) + u64::from(caller)
    }
}
