//! What the values say of the factors.

use statistics::{ElementaryEffects, Level, Resampling, SensitivityError, SobolIndex};

use super::{Evaluation, PointDesign};

/// Bootstrap draws of the indices.
const DRAWS: u32 = 2_000;

/// What one design says about one objective.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// By factor.
    pub indices: Indices,
    /// The mean over all points.
    pub mean: f64,
    /// The standard deviation over all points.
    pub standard_deviation: f64,
    /// The mean squared standard error of the points' means as a share of the variance over points: what chance in the
    /// replications would explain if they were not the same at every point. `None` of a single replication, or where all
    /// points are alike.
    pub noise_share: Option<f64>,
}

/// The indices of every factor.
#[derive(Clone, Debug)]
pub enum Indices {
    /// Of Morris' trajectories.
    Morris(Vec<ElementaryEffects>),
    /// Of Sobol's points; `None` if the objective is the same at all of them.
    Sobol(Option<Vec<SobolIndex>>),
}

/// Analyses every objective.
///
/// # Errors
///
/// If a value is not finite.
pub fn analyses(
    design: &PointDesign,
    evaluation: &Evaluation,
    level: Level,
    seed: u64,
) -> Result<Vec<Analysis>, SensitivityError> {
    (0..evaluation.values.len())
        .map(|objective| {
            let values = evaluation.means(objective);
            let indices = match design {
                PointDesign::Morris(plan) => Indices::Morris(plan.effects(&values)?),
                PointDesign::Sobol(plan) => {
                    Indices::Sobol(plan.indices(&values, Resampling { draws: DRAWS, seed }, level)?)
                }
            };
            let points = values.len() as f64;
            let mean = values.iter().sum::<f64>() / points;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / points;
            let errors: Option<f64> = (0..values.len()).map(|point| evaluation.squared_error(objective, point)).sum();
            let noise_share = errors.filter(|_| variance > 0.0).map(|errors| errors / points / variance);
            Ok(Analysis { indices, mean, standard_deviation: variance.sqrt(), noise_share })
        })
        .collect()
}
