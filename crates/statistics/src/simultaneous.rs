//! Intervals for a whole table at once: none of them misses, with the level's confidence.

use crate::bootstrap::enough;
use crate::mean::{mean, t_quantile_of_tail};
use crate::quantile::normal_cdf;
use crate::{Estimate, Level, Method, Observations, Resampling, Scope, t_interval};

/// The means of a whole table with intervals that hold all true means together.
#[derive(Clone, Debug, PartialEq)]
pub struct SimultaneousMeans {
    /// One estimate per column; all have [`Scope::Simultaneous`].
    pub estimates: Vec<Estimate>,
    /// How many standard errors each interval reaches to either side: between the t quantile of one column and about
    /// that of Bonferroni. `None` without at least two replications.
    pub critical: Option<f64>,
}

/// The means of all columns with sup-t intervals mean ± c · s/√n, one c for the whole table (Montiel Olea &
/// Plagborg-Møller, *Journal of Applied Econometrics* 34, 2019).
///
/// The rows, centred, get independent standard normal weights; the largest |z| of the weighted column means has the
/// distribution of the largest of normal variables that are correlated as the columns are, so the intervals are no wider
/// than the correlation between designs demands. Its 1 − α quantile, as a probability in one tail of one column, gives c
/// as a t quantile on n − 1 degrees of freedom: with one column it is Student's t interval. Columns without any spread
/// have intervals of width zero, as in [`mean`](crate::mean()), and no part in c. With fewer draws than the level needs, c is
/// that of Bonferroni, which it never exceeds.
///
/// Valid wherever the t interval of each column is; for skewed columns the family fails as its worst member does.
#[must_use]
pub fn simultaneous_means(table: &Observations, resampling: Resampling, level: Level) -> SimultaneousMeans {
    let columns: Vec<Vec<f64>> = (0..table.columns()).map(|column| table.column(column).collect()).collect();
    let spreads: Vec<Spread> = columns.iter().map(|column| Spread::of(column)).collect();
    let n = table.replications() as u64;
    let critical = (n >= 2).then(|| {
        let varying = spreads.iter().filter(|spread| spread.standard_deviation > 0.0).count();
        let bonferroni = level.tail() / varying.max(1) as f64;
        let largest =
            enough(resampling.draws as usize, level).then(|| largest_z(table, &spreads, resampling, level)).flatten();
        // No narrower than for one column alone, and no wider than what holds for any dependence.
        let tail = largest.map_or(bonferroni, |z| normal_cdf(-z).clamp(bonferroni, level.tail()));
        t_quantile_of_tail(n, tail)
    });
    let estimates = columns.iter().zip(&spreads).map(|(column, spread)| Estimate {
        interval: critical.and_then(|t| t_interval(n, spread.mean, spread.standard_deviation, t)),
        method: Method::SupT,
        scope: Scope::Simultaneous,
        ..mean(column, level)
    });
    SimultaneousMeans { estimates: estimates.collect(), critical }
}

/// The differences of all columns to the column `baseline`, row by row, with sup-t intervals ([`simultaneous_means`]);
/// the baseline's own difference is 0, of width zero.
///
/// # Panics
///
/// If there is no column `baseline`.
#[must_use]
pub fn simultaneous_differences(
    table: &Observations,
    baseline: usize,
    resampling: Resampling,
    level: Level,
) -> SimultaneousMeans {
    assert!(baseline < table.columns(), "column {baseline} of a table of {}", table.columns());
    simultaneous_means(&table.minus_column(baseline), resampling, level)
}

/// Mean and standard deviation (divisor n − 1) of a column.
struct Spread {
    mean: f64,
    standard_deviation: f64,
}

impl Spread {
    fn of(column: &[f64]) -> Self {
        let n = column.len() as f64;
        let mean = column.iter().sum::<f64>() / n;
        let squares: f64 = column.iter().map(|x| (x - mean) * (x - mean)).sum();
        Self { mean, standard_deviation: (squares / (n - 1.0)).sqrt() }
    }
}

/// The 1 − α quantile of the largest |z| of the columns that vary; `None` if none does.
fn largest_z(table: &Observations, spreads: &[Spread], resampling: Resampling, level: Level) -> Option<f64> {
    let varying: Vec<usize> = (0..spreads.len()).filter(|&column| spreads[column].standard_deviation > 0.0).collect();
    let scale = 1.0 / (table.replications() as f64 - 1.0).sqrt();
    let standardised = table.rows().flat_map(|row| {
        let standard =
            |&column: &usize| scale * (row[column] - spreads[column].mean) / spreads[column].standard_deviation;
        varying.iter().map(standard)
    });
    let standardised: Vec<f64> = standardised.collect();
    if standardised.is_empty() {
        return None;
    }
    let mut sums = vec![0.0; varying.len()];
    let mut largest: Vec<f64> = resampling
        .generators()
        .map(|mut generator| {
            sums.fill(0.0);
            for row in standardised.chunks_exact(varying.len()) {
                let weight = generator.normal();
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += weight * value);
            }
            sums.iter().fold(0.0, |largest: f64, sum| largest.max(sum.abs()))
        })
        .collect();
    largest.sort_unstable_by(f64::total_cmp);
    // The rank at which a further draw would exceed it with probability α at most, however few the draws.
    let rank = (level.fraction() * (largest.len() + 1) as f64).ceil() as usize;
    largest.get(rank.min(largest.len()).checked_sub(1)?).copied()
}
