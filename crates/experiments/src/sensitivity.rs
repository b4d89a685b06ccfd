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

pub use analysis::{Analysis, Indices, analyses};
pub use design::{Method, PointDesign};
pub use evaluation::{Evaluation, Worlds};
pub use print::print;
