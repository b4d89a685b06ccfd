//! Sensitivity analyses of a sweep: points of its settings, the objectives there, and the indices of each factor.
//!
//! | what | where |
//! |---|---|
//! | which points, in which order | `design` |
//! | the objectives at every point | `evaluation` |
//! | indices and how much of what was seen is noise | `analysis` |
//! | the tables for people | `print` |

mod analysis;
mod design;
mod evaluation;
mod print;

use crate::fronts::{LOSS, Objective, THEMES, modes_by_opening};
use crate::sweep_file::Sweep;

pub use analysis::{Analysis, Indices, analyses};
pub use design::{Method, PointDesign};
pub use evaluation::{Evaluation, Worlds};
pub use print::print;

/// The objectives of a sweep, as its fronts have them: in modes whose fault makes opening right the columns of the themes,
/// in the others the valid requests that an open breaker turned away.
#[must_use]
pub fn objectives(sweep: &Sweep) -> Vec<Objective> {
    let (right, wrong) = modes_by_opening(sweep);
    let of_right = right.iter().flat_map(|&mode| THEMES.map(|theme| Objective { metric: theme.metric, mode }));
    of_right.chain(wrong.iter().map(|&mode| Objective { metric: LOSS, mode })).collect()
}
