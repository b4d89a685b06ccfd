//! One number for a whole front: the area that it dominates.

use super::front_of_means;
use crate::bootstrap::{enough, interval_of_draws, sort};
use crate::{
    BootstrapEstimate, BootstrapKind, Estimate, Fallback, FrontPoint, Level, Method, NotANumberError, Objectives,
    Resampling, Scope, front,
};

/// The area that the points dominate up to the reference point: how good a front is, exactly, for two objectives to be
/// made small (Zitzler & Thiele, *PPSN V*, 1998). Points that are not below the reference in both objectives add nothing.
///
/// Comparable only for equal reference points: fix it once, at the worst values that are still of interest.
///
/// # Errors
///
/// Refuses points that are not numbers.
pub fn hypervolume(points: &[(f64, f64)], reference: (f64, f64)) -> Result<f64, NotANumberError> {
    Ok(area(&front(points)?, reference))
}

/// The area that a front dominates.
pub(super) fn area(front: &[FrontPoint], reference: (f64, f64)) -> f64 {
    let mut area = 0.0;
    let mut top = reference.1;
    for point in front.iter().take_while(|point| point.x < reference.0) {
        if point.y < top {
            area += (reference.0 - point.x) * (top - point.y);
            top = point.y;
        }
    }
    area
}

/// The hypervolume of the designs' means, with a bootstrap interval over the replications.
///
/// Noise makes a front look better than it is, in the data and again in every draw. The basic (reflected) interval takes
/// that bias off and covers; the percentile interval doubles it and does not. BCa needs an estimate without each
/// replication and is not offered here. To quote the hypervolume as a value, measure it on replications that did not
/// choose the front ([`select_and_report`](crate::select_and_report)).
#[must_use]
pub fn hypervolume_interval(
    objectives: &Objectives,
    reference: (f64, f64),
    resampling: Resampling,
    level: Level,
) -> BootstrapEstimate {
    let draws = objectives.draws(resampling).map(|points| area(&front_of_means(&points), reference)).collect();
    estimate(&objectives.means(), reference, draws, objectives.x().replications(), level)
}

/// The hypervolume of the means with its interval from the areas of draws, in any order.
pub(super) fn estimate(
    means: &[(f64, f64)],
    reference: (f64, f64),
    mut draws: Vec<f64>,
    replications: usize,
    level: Level,
) -> BootstrapEstimate {
    let value = area(&front_of_means(means), reference);
    sort(&mut draws);
    let kind = BootstrapKind::Basic;
    let interval = if enough(draws.len(), level) {
        interval_of_draws(value, &draws, kind, level, Vec::new)
    } else {
        Err(Fallback::TooFew)
    };
    let estimate = Estimate {
        value: Some(value),
        interval: interval.ok(),
        n: replications as u64,
        level,
        method: Method::BootstrapBasic,
        scope: Scope::PerDesign,
    };
    BootstrapEstimate { estimate, fallback: interval.err() }
}
