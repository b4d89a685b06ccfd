//! A function whose sensitivity indices are known.

use std::f64::consts::PI;

/// Ishigami & Homma's function with a = 7 and b = 0.1 on [−π, π]³.
pub(crate) fn ishigami(point: &[f64]) -> f64 {
    let x: Vec<f64> = point.iter().map(|u| PI * (2.0 * u - 1.0)).collect();
    x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin()
}
