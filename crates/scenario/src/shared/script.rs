//! What is known of a stream before anybody decides.

use super::backdrop::Backdrop;
use crate::plan::RunPlan;
use crate::replication::Request;

/// One mode's requests, and what is known of them in advance. Calls to the dependency go by their number among calls.
#[derive(Clone, Copy)]
pub(super) struct Script<'a> {
    pub(super) plan: &'a RunPlan,
    /// Those before the horizon.
    pub(super) requests: &'a [Request],
    pub(super) backdrop: &'a Backdrop,
}

impl<'a> Script<'a> {
    /// How many calls there are.
    pub(super) fn calls(&self) -> usize {
        self.backdrop.calls.len()
    }

    /// The position of a call among all requests.
    #[inline(always)]
    pub(super) fn position(&self, call: usize) -> usize {
        self.backdrop.calls[call] as usize
    }

    #[inline(always)]
    pub(super) fn call(&self, call: usize) -> &'a Request {
        &self.requests[self.position(call)]
    }
}
