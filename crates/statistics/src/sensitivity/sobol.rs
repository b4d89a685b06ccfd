//! Sobol' indices: the shares of an objective's variance that factors explain.

use super::SensitivityError;
use crate::bootstrap::{interval_of_draws, sort};
use crate::{BootstrapKind, Interval, Level, Resampling};

/// Most points that the sequence holds.
const MAX_POINTS: usize = 1 << 16;

/// Most factors: the sequence has 256 dimensions, and a plan needs two per factor.
const MAX_FACTORS: usize = 128;

/// Where to evaluate an objective for its Sobol' indices: N(k + 2) points for k factors (Saltelli et al., *Computer
/// Physics Communications* 181, 2010).
///
/// The base points are an Owen-scrambled Sobol' sequence; a power of two covers the cube best. The same seed gives the
/// same points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SobolPlan {
    factors: usize,
    base_points: usize,
    seed: u32,
}

/// A factor's two indices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SobolIndex {
    /// The share of the variance that the factor explains by itself; estimates can be slightly negative.
    pub first: f64,
    /// The share that goes when the factor is fixed: by itself and together with others.
    pub total: f64,
    /// Bootstrap interval of `first`, over base points; `None` where the draws do not differ.
    pub first_interval: Option<Interval>,
    /// The same of `total`.
    pub total_interval: Option<Interval>,
}

impl SobolPlan {
    /// A plan for so many factors from so many base points.
    ///
    /// # Errors
    ///
    /// Refuses no factors, more than 128, no points, and more than 65,536.
    pub fn new(factors: usize, base_points: usize, seed: u32) -> Result<Self, SensitivityError> {
        if (1..=MAX_FACTORS).contains(&factors) && (1..=MAX_POINTS).contains(&base_points) {
            Ok(Self { factors, base_points, seed })
        } else {
            Err(SensitivityError::Plan { factors, points: base_points })
        }
    }

    /// How many points there are: N(k + 2).
    #[must_use]
    pub fn evaluations(&self) -> usize {
        self.base_points * (self.factors + 2)
    }

    /// The points, in the order in which [`indices`](Self::indices) takes their values: for each base point first a
    /// point A, then a point B, then A with one coordinate after the other taken from B.
    pub fn points(&self) -> impl Iterator<Item = Vec<f64>> {
        (0..self.base_points as u32).flat_map(move |index| {
            let coordinate =
                move |dimension: usize| f64::from(sobol_burley::sample(index, dimension as u32, self.seed));
            let a: Vec<f64> = (0..self.factors).map(coordinate).collect();
            let b: Vec<f64> = (self.factors..2 * self.factors).map(coordinate).collect();
            let mixed = |factor: usize| {
                let mut point = a.clone();
                point[factor] = b[factor];
                point
            };
            let mixed: Vec<Vec<f64>> = (0..self.factors).map(mixed).collect();
            [a, b].into_iter().chain(mixed)
        })
    }

    /// The indices of every factor from the objective's values at the points, in their order. `None` for an objective
    /// that is the same everywhere: it has no variance to explain.
    ///
    /// First-order indices by Saltelli's estimator Σ f(B)(f(Aᵢ) − f(A)) / NV, total ones by Jansen's Σ (f(A) − f(Aᵢ))² /
    /// 2NV (*Computer Physics Communications* 117, 1999). The values are centred first, which changes neither in the limit and takes most of the error off the former.
    /// The intervals resample base points as if those were independent, which for a Sobol' sequence makes them too wide
    /// rather than too narrow.
    ///
    /// # Errors
    ///
    /// Refuses another number of values than points, and values that are not finite.
    pub fn indices(
        &self,
        values: &[f64],
        resampling: Resampling,
        level: Level,
    ) -> Result<Option<Vec<SobolIndex>>, SensitivityError> {
        SensitivityError::check(self.evaluations(), values)?;
        let blocks: Vec<&[f64]> = values.chunks_exact(self.factors + 2).collect();
        let Some(estimates) = estimate(&blocks, self.factors) else { return Ok(None) };

        let mut draws = vec![[Vec::new(), Vec::new()]; self.factors];
        for mut generator in resampling.generators() {
            let resample: Vec<&[f64]> = (0..blocks.len()).map(|_| blocks[generator.below(blocks.len())]).collect();
            // A draw without variance says nothing about shares of it.
            for (draws, indices) in draws.iter_mut().zip(estimate(&resample, self.factors).into_iter().flatten()) {
                draws[0].push(indices.0);
                draws[1].push(indices.1);
            }
        }
        let interval = |value: f64, draws: &mut Vec<f64>| {
            sort(draws);
            interval_of_draws(value, draws, BootstrapKind::Percentile, level, Vec::new).ok()
        };
        let index = |((first, total), [of_first, of_total]): (&(f64, f64), &mut [Vec<f64>; 2])| SobolIndex {
            first: *first,
            total: *total,
            first_interval: interval(*first, of_first),
            total_interval: interval(*total, of_total),
        };
        Ok(Some(estimates.iter().zip(&mut draws).map(index).collect()))
    }
}

/// First-order and total index of every factor; `None` without variance.
fn estimate(blocks: &[&[f64]], factors: usize) -> Option<Vec<(f64, f64)>> {
    let n = blocks.len() as f64;
    let mean = blocks.iter().map(|block| block[0] + block[1]).sum::<f64>() / (2.0 * n);
    let squares = |block: &&[f64]| (block[0] - mean).powi(2) + (block[1] - mean).powi(2);
    let variance = blocks.iter().map(squares).sum::<f64>() / (2.0 * n);
    if variance == 0.0 {
        return None;
    }
    let index = |factor: usize| {
        let mixed = factor + 2;
        let first: f64 = blocks.iter().map(|block| (block[1] - mean) * (block[mixed] - block[0])).sum();
        let total: f64 = blocks.iter().map(|block| (block[0] - block[mixed]).powi(2)).sum();
        (first / (n * variance), total / (2.0 * n * variance))
    };
    Some((0..factors).map(index).collect())
}
