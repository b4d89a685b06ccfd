//! The part of a rule's description that rules of one cycle share.

use std::fmt;

use engine::Duration;

use crate::HalfOpen;

/// Writes `criterion`, the open duration, and the probing where it is not the usual one.
pub(crate) fn pad_rule(
    f: &mut fmt::Formatter<'_>,
    criterion: &str,
    open_for: Duration,
    half_open: HalfOpen,
) -> fmt::Result {
    let HalfOpen { permits, successes } = half_open;
    if half_open == HalfOpen::default() {
        f.pad(&format!("{criterion}, open {open_for}"))
    } else {
        f.pad(&format!("{criterion}, open {open_for}, half-open {permits} at once and {successes} to close"))
    }
}
