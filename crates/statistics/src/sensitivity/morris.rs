//! Morris' elementary effects: a cheap screening of many factors.

use super::SensitivityError;
use crate::Resampling;

/// Where to evaluate an objective for its elementary effects: r(k + 1) points for k factors on r trajectories (Morris,
/// *Technometrics* 33, 1991).
///
/// Each trajectory starts anywhere on a grid of `levels` values per factor and moves every factor once, in random order
/// and direction, by Δ = levels / 2(levels − 1). The same seed gives the same points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MorrisPlan {
    factors: usize,
    levels: u32,
    trajectories: Resampling,
}

/// How an objective answers to one factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementaryEffects {
    /// The mean μ of the effects, in the objective's unit per whole range of the factor: effects of either sign cancel.
    pub mean: f64,
    /// The mean μ* of their sizes (Campolongo, Cariboni & Saltelli, *Environmental Modelling & Software* 22, 2007): how
    /// much the factor matters.
    pub mean_absolute: f64,
    /// Their standard deviation σ (divisor r − 1): how much the effect depends on the other factors and on the factor
    /// itself. `None` for one trajectory.
    pub standard_deviation: Option<f64>,
}

/// One trajectory: its points, and for each step the factor that moved and by how much.
struct Trajectory {
    points: Vec<Vec<f64>>,
    steps: Vec<(usize, f64)>,
}

impl MorrisPlan {
    /// A plan for so many factors on a grid of `levels` (4 is usual) with so many trajectories (10 to 50).
    ///
    /// # Errors
    ///
    /// Refuses no factors, more than 128, no trajectories, more than 65,536, and levels that are odd or none.
    pub fn new(factors: usize, levels: u32, trajectories: u32, seed: u64) -> Result<Self, SensitivityError> {
        if !(1..=128).contains(&factors) || !(1..=65_536).contains(&trajectories) {
            return Err(SensitivityError::Plan { factors, points: trajectories as usize });
        }
        if levels < 2 || !levels.is_multiple_of(2) {
            return Err(SensitivityError::Levels { levels });
        }
        Ok(Self { factors, levels, trajectories: Resampling { draws: trajectories, seed } })
    }

    /// How many points there are: r(k + 1).
    #[must_use]
    pub fn evaluations(&self) -> usize {
        self.trajectories.draws as usize * (self.factors + 1)
    }

    /// The points, in the order in which [`effects`](Self::effects) takes their values: trajectory by trajectory.
    pub fn points(&self) -> impl Iterator<Item = Vec<f64>> {
        self.walks().flat_map(|walk| walk.points)
    }

    /// The effects of every factor from the objective's values at the points, in their order.
    ///
    /// # Errors
    ///
    /// Refuses another number of values than points, and values that are not finite.
    pub fn effects(&self, values: &[f64]) -> Result<Vec<ElementaryEffects>, SensitivityError> {
        SensitivityError::check(self.evaluations(), values)?;
        let mut effects = vec![Vec::new(); self.factors];
        for (walk, values) in self.walks().zip(values.chunks_exact(self.factors + 1)) {
            for (&(factor, step), pair) in walk.steps.iter().zip(values.windows(2)) {
                effects[factor].push((pair[1] - pair[0]) / step);
            }
        }
        Ok(effects.iter().map(|effects| summary(effects)).collect())
    }

    fn walks(&self) -> impl Iterator<Item = Trajectory> {
        let (factors, levels) = (self.factors, self.levels);
        let step = f64::from(levels) / (2.0 * f64::from(levels - 1));
        self.trajectories.generators().map(move |mut generator| {
            // Every factor starts in the lower half, or in the upper half if it is to move down.
            let mut moves: Vec<(usize, f64)> = Vec::with_capacity(factors);
            let mut point = Vec::with_capacity(factors);
            for factor in 0..factors {
                let low = generator.below(levels as usize / 2) as f64 / f64::from(levels - 1);
                let down = generator.below(2) == 1;
                point.push(if down { low + step } else { low });
                moves.push((factor, if down { -step } else { step }));
            }
            for last in (1..factors).rev() {
                moves.swap(last, generator.below(last + 1));
            }
            let mut points = vec![point];
            for &(factor, step) in &moves {
                let mut next = points[points.len() - 1].clone();
                next[factor] += step;
                points.push(next);
            }
            Trajectory { points, steps: moves }
        })
    }
}

fn summary(effects: &[f64]) -> ElementaryEffects {
    let n = effects.len() as f64;
    let mean = effects.iter().sum::<f64>() / n;
    let squares: f64 = effects.iter().map(|effect| (effect - mean).powi(2)).sum();
    ElementaryEffects {
        mean,
        mean_absolute: effects.iter().map(|effect| effect.abs()).sum::<f64>() / n,
        standard_deviation: (effects.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
    }
}
