//! Who is out as a probe.

use crate::CallId;

/// The calls that were let through half-open and have not ended. A probe that never returns stays among them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Probes(Vec<CallId>);

impl Probes {
    /// One more; later than all others.
    pub(crate) fn begin(&mut self, call: CallId) {
        self.0.push(call);
    }

    /// Whether the call is one of them.
    pub(crate) fn contains(&self, call: CallId) -> bool {
        self.0.binary_search(&call).is_ok()
    }

    /// The call has ended; whether it was one of them.
    pub(crate) fn end(&mut self, call: CallId) -> bool {
        let place = self.0.binary_search(&call);
        place.map(|place| self.0.remove(place)).is_ok()
    }
}
