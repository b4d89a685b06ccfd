//! Who is out as a probe.

use crate::CallId;

/// The calls that were let through half-open and have not ended, in order. A probe that never returns stays among them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Probes(Vec<CallId>);

impl Probes {
    /// One more. It may be earlier than others: a call that waited asked before those that came since.
    pub(crate) fn begin(&mut self, call: CallId) {
        let place = self.0.partition_point(|&other| other < call);
        self.0.insert(place, call);
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

#[cfg(test)]
mod tests {
    use engine::Time;

    use super::*;

    #[test]
    fn a_call_that_waited_is_found_among_later_ones() {
        let call = |nanos| CallId { asked_at: Time::from_nanos(nanos), request: nanos, attempt: 0 };
        let mut probes = Probes::default();
        for nanos in [5, 7, 3] {
            probes.begin(call(nanos));
        }
        assert!([3, 5, 7].into_iter().all(|nanos| probes.contains(call(nanos))));
        assert!(probes.end(call(3)) && !probes.end(call(3)));
        assert!(probes.contains(call(5)) && !probes.contains(call(4)));
    }
}
