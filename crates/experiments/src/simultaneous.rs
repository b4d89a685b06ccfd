//! Estimates whose intervals hold for all designs of a sweep together.

use statistics::{Level, LevelError, Resampling, SimultaneousMeans, simultaneous_differences, simultaneous_means};

use crate::estimates::{Accumulators, Estimate, Estimates};
use crate::fronts::{LOSS, Objective, modes_by_opening};
use crate::measures::{CONDITIONAL_MEAN, MEAN, MEAN_PER_HOUR, PROBABILITY, difference_estimator, simultaneous};
use crate::objective_values::ObjectiveValues;
use crate::sweep_file::Sweep;

/// How often replications are drawn anew: the ends of a 95 % band move by less than 1 % of its width from seed to seed.
const DRAWS: u32 = 4_000;

/// What the terminal's table shows beside the objectives, in modes where opening is right and where it is false.
const OTHERS_IF_RIGHT: [(&str, &str); 2] = [("detected", PROBABILITY), ("rejected_after_heal", CONDITIONAL_MEAN)];
const OTHERS_IF_FALSE: [(&str, &str); 1] = [(LOSS, MEAN_PER_HOUR)];

/// Adds, for everything that the terminal's table may show, an estimate with an interval for all m distinct designs together:
/// with the level's confidence, none of one column's intervals misses. All designs and not only those of the table, since
/// which ones the table shows was decided by their results.
///
/// The objectives, and their differences to the baseline, have sup-t intervals over the replications of all designs.
/// Everything else has the interval of one design at the level 1 − α/m (Bonferroni). So have counts of which nothing was
/// seen, for which there is no spread to resample; as such an interval can only miss above, z of them take z/2m of α, and the
/// sup-t intervals have the rest.
///
/// # Errors
///
/// When a level is too close to 1 to be a number below it.
pub fn add_simultaneous(
    estimates: &mut Estimates,
    sweep: &Sweep,
    accumulators: &Accumulators,
    values: &ObjectiveValues,
) -> Result<(), LevelError> {
    let alpha = 1.0 - estimates.level().fraction();
    let designs = values.designs();
    let each = accumulators.estimates(sweep, Level::new(1.0 - alpha / designs.len() as f64)?);
    for objective in values.objectives() {
        add_objective(estimates, sweep, &each, values, objective)?;
    }
    let (right, wrong) = modes_by_opening(sweep);
    let if_right = right.iter().flat_map(|&mode| OTHERS_IF_RIGHT.map(|other| (mode, other)));
    let if_false = wrong.iter().flat_map(|&mode| OTHERS_IF_FALSE.map(|other| (mode, other)));
    for (mode, (metric, estimator)) in if_right.chain(if_false) {
        for (slot, &design) in designs.iter().enumerate() {
            estimates.add(slot, mode, [of_bonferroni(each.get(design, mode, metric, estimator))]);
        }
    }
    Ok(())
}

fn add_objective(
    estimates: &mut Estimates,
    sweep: &Sweep,
    each: &Estimates,
    values: &ObjectiveValues,
    Objective { metric, mode }: Objective,
) -> Result<(), LevelError> {
    let designs = values.designs();
    let table = values.of(Objective { metric, mode });
    let resampling = Resampling { draws: DRAWS, seed: sweep.root_seed };
    let of_bounds: Vec<Estimate> = designs.iter().map(|&design| each.get(design, mode, metric, MEAN)).collect();
    let bounded = of_bounds.iter().filter(|bound| bound.method == "zero_events" && bound.hi.is_some()).count();
    let alpha = 1.0 - estimates.level().fraction();
    let level = Level::new(1.0 - alpha * (1.0 - bounded as f64 / (2 * designs.len()) as f64))?;
    let means = simultaneous_means(&table, resampling, level);
    for (slot, (&bound, band)) in of_bounds.iter().zip(&means.estimates).enumerate() {
        estimates.add(slot, mode, [of_sup_t(bound, band, "sup_t")]);
    }
    if let Some((baseline, estimator)) = sweep.baseline().zip(difference_estimator(sweep)) {
        let level = estimates.level();
        let SimultaneousMeans { estimates: bands, .. } =
            simultaneous_differences(&table, values.column_of(baseline), resampling, level);
        for (slot, (&design, band)) in designs.iter().zip(&bands).enumerate() {
            let difference = each.get(design, mode, metric, estimator);
            estimates.add(slot, mode, [of_sup_t(difference, band, "paired_sup_t")]);
        }
    }
    Ok(())
}

/// The estimate with an interval of the band; what has no spread keeps what it has.
fn of_sup_t(estimate: Estimate, band: &statistics::Estimate, method: &'static str) -> Estimate {
    if matches!(estimate.method, "zero_events" | "exact") {
        return of_bonferroni(estimate);
    }
    let (lo, hi) = band.interval.map(|interval| (interval.lo, interval.hi)).unzip();
    Estimate { estimator: simultaneous(estimate.estimator), lo, hi, method, ..estimate }
}

fn of_bonferroni(estimate: Estimate) -> Estimate {
    let method = match estimate.method {
        "t" => "bonferroni_t",
        "clopper_pearson" => "bonferroni_clopper_pearson",
        "zero_events" if estimate.hi.is_some() => "bonferroni_zero_events",
        other => other,
    };
    Estimate { estimator: simultaneous(estimate.estimator), method, ..estimate }
}
