//! Sensitivity indices against Ishigami's function, whose indices are known, and against functions without surprises.

#[path = "support/ishigami.rs"]
mod ishigami;

use std::f64::consts::PI;

use ishigami::ishigami;
use statistics::{Level, MorrisPlan, Resampling, SensitivityError, SobolPlan};

const RESAMPLING: Resampling = Resampling { draws: 200, seed: 1 };

fn level() -> Level {
    Level::new(0.95).unwrap()
}

/// First-order and total indices by integration: V = a²/8 + bπ⁴/5 + b²π⁸/18 + 1/2.
fn exact_indices() -> [(f64, f64); 3] {
    let (a, b) = (7.0, 0.1);
    let first = 0.5 * (1.0 + b * PI.powi(4) / 5.0).powi(2);
    let second = a * a / 8.0;
    let together = b * b * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
    let variance = first + second + together;
    [
        (first / variance, (first + together) / variance),
        (second / variance, second / variance),
        (0.0, together / variance),
    ]
}

fn values(points: impl Iterator<Item = Vec<f64>>, objective: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    points.map(|point| objective(&point)).collect()
}

#[test]
fn the_exact_indices_are_the_published_ones() {
    let published = [(0.3139, 0.5576), (0.4424, 0.4424), (0.0, 0.2437)];
    for (exact, published) in exact_indices().into_iter().zip(published) {
        assert!((exact.0 - published.0).abs() < 5e-5 && (exact.1 - published.1).abs() < 5e-5, "{exact:?}");
    }
}

/// 4,096 base points. With independent points the standard errors would be about 0.02; the sequence is an order better.
#[test]
fn ishigamis_function_has_its_indices() {
    let plan = SobolPlan::new(3, 4_096, 1).unwrap();
    let indices = plan.indices(&values(plan.points(), ishigami), RESAMPLING, level()).unwrap().unwrap();
    for (index, exact) in indices.iter().zip(exact_indices()) {
        assert!((index.first - exact.0).abs() < 0.005 && (index.total - exact.1).abs() < 0.005, "{index:?} {exact:?}");
        let (first, total) = (index.first_interval.unwrap(), index.total_interval.unwrap());
        assert!(first.contains(exact.0) && total.contains(exact.1), "{index:?} {exact:?}");
        assert!(first.half_width() < 0.06 && total.half_width() < 0.06, "{index:?}");
    }
}

#[test]
fn values_in_another_order_are_caught() {
    let plan = SobolPlan::new(3, 4_096, 1).unwrap();
    let mut shuffled = values(plan.points(), ishigami);
    shuffled.chunks_exact_mut(5).for_each(|block| block.swap(2, 3));
    let indices = plan.indices(&shuffled, RESAMPLING, level()).unwrap().unwrap();
    assert!((indices[0].total - exact_indices()[0].1).abs() > 0.1, "{indices:?}");
}

#[test]
fn a_sum_has_no_interactions() {
    // Variances of 3u and 4v are 9/12 and 16/12; the third factor does nothing.
    let plan = SobolPlan::new(3, 1_024, 7).unwrap();
    let objective = |point: &[f64]| 3.0 * point[0] + 4.0 * point[1] + 100.0;
    let indices = plan.indices(&values(plan.points(), objective), RESAMPLING, level()).unwrap().unwrap();
    for (index, exact) in indices.iter().zip([0.36, 0.64, 0.0]) {
        assert!((index.first - exact).abs() < 0.005 && (index.total - exact).abs() < 0.005, "{index:?} {exact}");
    }
    assert_eq!((indices[2].first, indices[2].total), (0.0, 0.0));
}

#[test]
fn points_fill_the_cube_and_repeat() {
    let points = |seed| SobolPlan::new(2, 64, seed).unwrap().points().collect::<Vec<_>>();
    let all = points(3);
    assert_eq!((all.len(), SobolPlan::new(2, 64, 3).unwrap().evaluations()), (256, 256));
    assert!(all.iter().flatten().all(|u| (0.0..1.0).contains(u)));
    assert_eq!(all, points(3));
    assert_ne!(all, points(4));
    // Of 64 points A, every 64th of the first axis has one.
    let mut cells: Vec<usize> = all.iter().step_by(4).map(|point| (point[0] * 64.0) as usize).collect();
    cells.sort_unstable();
    assert_eq!(cells, (0..64).collect::<Vec<_>>());
    // Each block: A, B, A with B's first coordinate, A with B's second.
    for block in all.chunks_exact(4) {
        assert_eq!(block[2], [block[1][0], block[0][1]]);
        assert_eq!(block[3], [block[0][0], block[1][1]]);
    }
}

#[test]
fn a_constant_has_no_shares() {
    let plan = SobolPlan::new(2, 16, 1).unwrap();
    assert_eq!(plan.indices(&vec![3.0; plan.evaluations()], RESAMPLING, level()), Ok(None));
}

#[test]
fn linear_effects_are_exact() {
    let plan = MorrisPlan::new(3, 4, 20, 1).unwrap();
    let effects = plan.effects(&values(plan.points(), |point| 3.0 * point[0] - 4.0 * point[1] + 1.0)).unwrap();
    for (effect, (mean, absolute)) in effects.iter().zip([(3.0, 3.0), (-4.0, 4.0), (0.0, 0.0)]) {
        assert!((effect.mean - mean).abs() < 1e-12 && (effect.mean_absolute - absolute).abs() < 1e-12, "{effect:?}");
        assert!(effect.standard_deviation.unwrap() < 1e-12, "{effect:?}");
    }
}

#[test]
fn effects_that_cancel_still_matter() {
    // (x − ½)²: on four levels the effect is ±⅓ with either sign equally often, and the second factor switches the first.
    let plan = MorrisPlan::new(2, 4, 400, 1).unwrap();
    let objective = |point: &[f64]| (point[0] - 0.5) * if point[1] < 0.5 { 1.0 } else { -1.0 };
    let effects = plan.effects(&values(plan.points(), objective)).unwrap();
    assert!((effects[0].mean_absolute - 1.0).abs() < 1e-12, "{effects:?}");
    // The mean of 400 signs: beyond 0.25 with probability 6 · 10⁻⁷.
    assert!(effects[0].mean.abs() < 0.25 && effects[0].standard_deviation.unwrap() > 0.9, "{effects:?}");
}

#[test]
fn trajectories_move_each_factor_once_on_the_grid() {
    let plan = MorrisPlan::new(4, 6, 50, 9).unwrap();
    let points: Vec<Vec<f64>> = plan.points().collect();
    assert_eq!((points.len(), plan.evaluations()), (250, 250));
    for walk in points.chunks_exact(5) {
        let mut moved: Vec<usize> = walk
            .windows(2)
            .map(|pair| {
                let differences: Vec<usize> = (0..4).filter(|&factor| pair[0][factor] != pair[1][factor]).collect();
                assert_eq!(differences.len(), 1);
                let step = (pair[1][differences[0]] - pair[0][differences[0]]).abs();
                assert!((step - 0.6).abs() < 1e-12, "{step}");
                differences[0]
            })
            .collect();
        moved.sort_unstable();
        assert_eq!(moved, [0, 1, 2, 3]);
    }
    let on_grid = |u: f64| ((u * 5.0).round() - u * 5.0).abs() < 1e-9 && (-1e-9..1.0 + 1e-9).contains(&u);
    assert!(points.iter().flatten().all(|&u| on_grid(u)));
    assert_eq!(points, plan.points().collect::<Vec<_>>());
}

#[test]
fn what_is_no_plan_or_no_answer_is_refused() {
    assert!(SobolPlan::new(0, 16, 1).is_err() && SobolPlan::new(129, 16, 1).is_err());
    assert!(SobolPlan::new(3, 0, 1).is_err() && SobolPlan::new(3, 65_537, 1).is_err());
    assert!(MorrisPlan::new(0, 4, 10, 1).is_err() && MorrisPlan::new(3, 4, 0, 1).is_err());
    assert_eq!(MorrisPlan::new(3, 5, 10, 1), Err(SensitivityError::Levels { levels: 5 }));
    let plan = MorrisPlan::new(1, 4, 2, 1).unwrap();
    let message = plan.effects(&[1.0, 2.0]).unwrap_err().to_string();
    assert_eq!(message, "the plan has 4 points, in order, and needs a value of each, but there are 2");
    assert_eq!(plan.effects(&[1.0, f64::NAN, 1.0, 1.0]), Err(SensitivityError::NotFinite { index: 1 }));
    assert_eq!(MorrisPlan::new(1, 4, 1, 1).unwrap().effects(&[1.0, 2.0]).unwrap()[0].standard_deviation, None);
    let plan = SobolPlan::new(1, 1, 1).unwrap();
    assert!(plan.indices(&[1.0], RESAMPLING, level()).is_err());
    assert_eq!(plan.evaluations(), 3);
}
