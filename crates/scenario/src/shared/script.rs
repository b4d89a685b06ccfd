//! What is known before anybody decides.

use super::backdrop::Backdrop;
use super::grid::Grid;
use crate::plan::RunPlan;
use crate::replication::Request;

/// Who decides, one mode's requests, and what is known of them in advance. Calls to the dependency go by their number among
/// calls.
///
/// What changes while a stream is worked off is elsewhere and holds no part of this: so it can go on with the script of
/// another mode, and its memory serves one replication after the other.
#[derive(Clone, Copy)]
pub(super) struct Script<'a> {
    pub(super) grid: &'a Grid,
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
