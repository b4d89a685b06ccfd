//! Sup-t intervals hold all means of a table together, no more and no less often than their level says.

#[path = "support/coverage_cases.rs"]
mod coverage_cases;
#[path = "support/macro_replications.rs"]
mod macro_replications;

use coverage_cases::{COLUMNS, correlated_table, family_coverage, level};
use macro_replications::{Sampler, agrees, covered};
use statistics::{
    Level, Method, Observations, Resampling, Scope, mean, simultaneous_differences, simultaneous_means, t_quantile,
};

/// Fifty designs, 2,000 tables. The band at 1 − 10⁻⁶ finds a family that is covered with 0.90 or less.
#[test]
fn all_means_are_held_together() {
    for (rows, shared) in [(20, 0.0), (20, 0.8), (40, 0.5)] {
        let covered = family_coverage(rows, shared, 2_000);
        assert!(agrees(covered, 2_000, 0.945..=0.955), "{covered} of 2,000 at n = {rows}, correlation {shared}");
    }
}

#[test]
fn intervals_for_one_design_each_are_caught() {
    let covered = covered(2_000, 1, |sampler| {
        let table = correlated_table(sampler, 20, 0.0);
        (0..COLUMNS).all(|column| {
            let column: Vec<f64> = table.column(column).collect();
            mean(&column, level()).interval.unwrap().contains(0.0)
        })
    });
    assert!(covered < 400, "{covered} of 2,000 tables: 0.95^50 is 0.08");
}

#[test]
fn one_column_has_the_t_interval() {
    let column = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
    let table = Observations::from_columns(&[column]).unwrap();
    let means = simultaneous_means(&table, Resampling { draws: 20_000, seed: 1 }, level());
    let t = t_quantile(8, level()).unwrap();
    // The quantile of |z| by 20,000 draws is good to about 1 %, and never below the exact one.
    let critical = means.critical.unwrap();
    assert!(t <= critical && critical < 1.03 * t, "{critical} {t}");
}

#[test]
fn correlation_makes_the_band_narrower() {
    let critical = |shared| {
        let table = correlated_table(&mut Sampler::new(1), 100, shared);
        simultaneous_means(&table, Resampling { draws: 4_000, seed: 1 }, level()).critical.unwrap()
    };
    let (independent, correlated) = (critical(0.0), critical(0.95));
    // Bonferroni's t quantile for fifty columns at n = 100 is 3.38.
    assert!(independent < 3.45 && independent > 3.15 && correlated < 2.85, "{independent} {correlated}");
}

#[test]
fn differences_are_paired_and_the_baseline_differs_by_nothing() {
    let noise = [10.0, 250.0, 3.0, 90.0, 47.0, 120.0];
    let own = [[1.0, 2.0, 3.0, 2.0, 1.5, 2.5], [0.2, 0.1, 0.4, 0.3, 0.2, 0.1]];
    let with = |own: [f64; 6]| -> Vec<f64> { noise.iter().zip(own).map(|(n, o)| n + o).collect() };
    let table = Observations::from_columns(&[noise.to_vec(), with(own[0]), with(own[1])]).unwrap();
    let means = simultaneous_differences(&table, 0, Resampling { draws: 2_000, seed: 1 }, level());
    assert!(means.critical.unwrap() > t_quantile(6, level()).unwrap());
    let baseline = means.estimates[0].interval.unwrap();
    assert_eq!((baseline.lo, baseline.hi), (0.0, 0.0));
    for estimate in &means.estimates[1..] {
        assert_eq!((estimate.scope, estimate.method, estimate.n), (Scope::Simultaneous, Method::SupT, 6));
        assert!(estimate.interval.unwrap().lo > 0.0, "{estimate:?}");
    }
}

#[test]
fn few_or_equal_rows_are_no_trouble() {
    let resampling = Resampling { draws: 100, seed: 1 };
    let one = simultaneous_means(&Observations::new(2, vec![1.0, 2.0]).unwrap(), resampling, level());
    assert_eq!((one.critical, one.estimates[1].value, one.estimates[1].interval), (None, Some(2.0), None));
    let equal = simultaneous_means(&Observations::new(2, vec![1.0, 2.0, 1.0, 2.0]).unwrap(), resampling, level());
    assert_eq!(equal.critical, t_quantile(2, level()));
    assert!(equal.estimates[1].interval.unwrap().contains(2.0));
}

#[test]
fn what_is_no_table_is_refused() {
    let refused = |columns, values: &[f64]| Observations::new(columns, values.to_vec()).unwrap_err().to_string();
    assert!(refused(2, &[1.0, 2.0, 3.0]).starts_with("3 values do not fit 2"));
    assert!(refused(0, &[]).starts_with("0 values"));
    assert!(refused(2, &[1.0, 2.0, 3.0, f64::NAN]).starts_with("replication 1 of design 1 is not finite"));
    assert!(Observations::from_columns(&[vec![1.0], vec![1.0, 2.0]]).is_err());
}

#[test]
fn with_too_few_draws_the_band_is_bonferronis() {
    let table = correlated_table(&mut Sampler::new(1), 30, 0.9);
    let strict = Level::new(0.999).unwrap();
    let few = simultaneous_means(&table, Resampling { draws: 1_000, seed: 1 }, strict).critical.unwrap();
    let many = simultaneous_means(&table, Resampling { draws: 20_000, seed: 1 }, strict).critical.unwrap();
    let bonferroni = t_quantile(30, Level::new(1.0 - 0.001 / COLUMNS as f64).unwrap()).unwrap();
    assert!((few - bonferroni).abs() < 1e-9, "{few} {bonferroni}");
    assert!(many < 0.95 * bonferroni, "{many} {bonferroni}");
}
