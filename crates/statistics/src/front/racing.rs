//! Dropping designs that are surely dominated, so that the others get the replications.

use super::front_of_means;
use crate::mean::t_quantile_of_tail;
use crate::{Level, Looks, Moments, NotALookError, Objectives};

/// A race among designs: at each look those that another design dominates with confidence may leave.
///
/// The level is about the whole race: the probability that any design of the true front is ever dropped, at any look, by
/// any other design, is at most 1 − level where Student's t is valid for the differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Race {
    /// When to look.
    pub looks: Looks,
    /// How many designs started.
    pub designs: usize,
    /// The confidence.
    pub level: Level,
}

impl Race {
    /// For each design of the table the column of one that dominates it with confidence, or `None`.
    ///
    /// The table holds the designs that are still in the race, all on the same replications up to a look. One design
    /// dominates another with confidence if the lower bounds mean − t · s/√n of the paired differences are not below zero
    /// for both objectives and above zero for one. A pair is wrong only if both its bounds are, so it needs no correction
    /// for its two objectives (Berger, *Technometrics* 24, 1982); all ordered pairs of the designs that started and all
    /// looks share the error equally (Bonferroni). Only designs of the observed front are tried as dominators, which the
    /// correction covers, since it counts all.
    ///
    /// # Errors
    ///
    /// Refuses a number of replications at which there is no look.
    pub fn dominators(&self, objectives: &Objectives) -> Result<Vec<Option<usize>>, NotALookError> {
        self.dominators_among(objectives, |_| true)
    }

    /// The same where Student's t is not valid for any differences: a pair is compared only if `trusted` says so of the
    /// differences worse − better in each objective. [`Moments::suffice_for_a_mean`] does not trust rare events, which are all
    /// equal before the first one.
    ///
    /// # Errors
    ///
    /// Refuses a number of replications at which there is no look.
    pub fn dominators_among(
        &self,
        objectives: &Objectives,
        trusted: impl Fn(&Moments) -> bool,
    ) -> Result<Vec<Option<usize>>, NotALookError> {
        let n = objectives.x().replications() as u64;
        self.looks.check(n)?;
        let pairs = (self.designs * self.designs.saturating_sub(1)).max(1) as f64;
        let t = t_quantile_of_tail(n, 2.0 * self.level.tail() / (pairs * self.looks.iter().count() as f64));
        let front: Vec<usize> = front_of_means(&objectives.means()).iter().map(|point| point.index).collect();
        let columns = [objectives.x(), objectives.y()]
            .map(|table| (0..table.columns()).map(|design| table.column(design).collect()).collect::<Vec<Vec<f64>>>());
        let dominates = |better: usize, worse: usize| {
            let [x, y] = [0, 1].map(|objective| {
                let columns: &[Vec<f64>] = &columns[objective];
                lower_bound(&columns[worse], &columns[better], t)
            });
            let differences = |objective: &[Vec<f64>]| -> Moments {
                objective[worse].iter().zip(&objective[better]).map(|(worse, better)| worse - better).collect()
            };
            let dominates = x >= 0.0 && y >= 0.0 && (x > 0.0 || y > 0.0);
            dominates && columns.iter().all(|objective| trusted(&differences(objective)))
        };
        let dominator =
            |worse: usize| front.iter().copied().find(|&better| better != worse && dominates(better, worse));
        Ok((0..objectives.designs()).map(dominator).collect())
    }
}

/// The lower bound of the mean paired difference.
fn lower_bound(first: &[f64], second: &[f64], t: f64) -> f64 {
    let n = first.len() as f64;
    let differences = || first.iter().zip(second).map(|(a, b)| a - b);
    let mean = differences().sum::<f64>() / n;
    let squares: f64 = differences().map(|difference| (difference - mean).powi(2)).sum();
    mean - t * (squares / (n - 1.0) / n).sqrt()
}
