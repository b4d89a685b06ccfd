//! `sensitivity.parquet` and `sensitivity-points.parquet`.

use std::path::Path;

use polars::prelude::PolarsError;

use super::{column, write_whole};
use crate::fronts::Objective;
use crate::sensitivity::{Analysis, Evaluation, Indices, Method};
use crate::sweep_file::{Factor, Scale, Sweep};

/// The points of one method and their values, in the order in which they are written.
pub struct Points<'a> {
    /// The method.
    pub method: Method,
    /// The points of the unit cube.
    pub cube: Vec<&'a [f64]>,
    /// The values of the factors there.
    pub values: Vec<&'a [f64]>,
    /// The positions of the points in the evaluation.
    pub positions: Vec<usize>,
    /// The objectives.
    pub evaluation: &'a Evaluation,
}

/// Writes a row per point: the values of the factors (times in seconds), their coordinates in the unit cube, and the mean
/// and standard error of every objective.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_points(
    path: &Path,
    manifest: &str,
    sweep: &Sweep,
    factors: &[Factor],
    objectives: &[Objective],
    points: &[Points<'_>],
) -> Result<(), PolarsError> {
    let methods = points.iter().flat_map(|part| std::iter::repeat_n(part.method.name(), part.cube.len()));
    let numbers = points.iter().flat_map(|part| 0..part.cube.len() as u32);
    let mut columns = vec![column("method", methods.collect::<Vec<_>>()), column("point", numbers.collect::<Vec<_>>())];
    for (number, factor) in factors.iter().enumerate() {
        let values = points.iter().flat_map(|part| part.values.iter().map(|values| factor.in_table(values[number])));
        columns.push(column(&factor.name, values.collect::<Vec<_>>()));
    }
    for (number, factor) in factors.iter().enumerate() {
        let cube = points.iter().flat_map(|part| part.cube.iter().map(|point| point[number]));
        columns.push(column(&format!("unit.{}", factor.name), cube.collect::<Vec<_>>()));
    }
    for (number, objective) in objectives.iter().enumerate() {
        let name = format!("{}.{}", sweep.modes[objective.mode].name, objective.metric);
        let means = points.iter().flat_map(|part| {
            let means = part.evaluation.means(number);
            part.positions.iter().map(move |&position| means[position]).collect::<Vec<_>>()
        });
        columns.push(column(&name, means.collect::<Vec<_>>()));
        let errors = points.iter().flat_map(|part| {
            let error = |&position: &usize| part.evaluation.squared_error(number, position).map(f64::sqrt);
            part.positions.iter().map(error).collect::<Vec<_>>()
        });
        columns.push(column(&format!("{name}.standard_error"), errors.collect::<Vec<Option<f64>>>()));
    }
    write_whole(path, manifest, columns)
}

/// One number about a factor.
struct Row<'a> {
    objective: &'a Objective,
    factor: &'a Factor,
    method: Method,
    index: &'static str,
    value: Option<f64>,
    interval: Option<(f64, f64)>,
    noise_share: Option<f64>,
}

/// Writes a row per objective, factor and index.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_sensitivity(
    path: &Path,
    manifest: &str,
    sweep: &Sweep,
    factors: &[Factor],
    objectives: &[Objective],
    analyses: &[(Method, Vec<Analysis>)],
) -> Result<(), PolarsError> {
    let mut rows = Vec::new();
    for (method, analyses) in analyses {
        for (objective, analysis) in objectives.iter().zip(analyses) {
            for (number, factor) in factors.iter().enumerate() {
                for (index, value, interval) in indices(analysis, number) {
                    let noise_share = analysis.noise_share;
                    rows.push(Row { objective, factor, method: *method, index, value, interval, noise_share });
                }
            }
        }
    }
    let scale = |factor: &Factor| if factor.scale == Scale::Log { "log" } else { "linear" };
    let mode = |row: &Row<'_>| sweep.modes[row.objective.mode].name.clone();
    let columns = vec![
        column("mode", rows.iter().map(mode).collect::<Vec<_>>()),
        column("metric", rows.iter().map(|row| row.objective.metric).collect::<Vec<_>>()),
        column("factor", rows.iter().map(|row| row.factor.name.as_str()).collect::<Vec<_>>()),
        column("from", rows.iter().map(|row| row.factor.in_table(row.factor.from)).collect::<Vec<_>>()),
        column("to", rows.iter().map(|row| row.factor.in_table(row.factor.to)).collect::<Vec<_>>()),
        column("scale", rows.iter().map(|row| scale(row.factor)).collect::<Vec<_>>()),
        column("method", rows.iter().map(|row| row.method.name()).collect::<Vec<_>>()),
        column("index", rows.iter().map(|row| row.index).collect::<Vec<_>>()),
        column("value", rows.iter().map(|row| row.value).collect::<Vec<_>>()),
        column("lo", rows.iter().map(|row| row.interval.map(|interval| interval.0)).collect::<Vec<_>>()),
        column("hi", rows.iter().map(|row| row.interval.map(|interval| interval.1)).collect::<Vec<_>>()),
        column("level", vec![sweep.level; rows.len()]),
        column("noise_share", rows.iter().map(|row| row.noise_share).collect::<Vec<_>>()),
    ];
    write_whole(path, manifest, columns)
}

type Index = (&'static str, Option<f64>, Option<(f64, f64)>);

fn indices(analysis: &Analysis, factor: usize) -> Vec<Index> {
    match &analysis.indices {
        Indices::Sobol(indices) => {
            let index = indices.as_ref().map(|indices| indices[factor]);
            let ends = |interval: Option<statistics::Interval>| interval.map(|interval| (interval.lo, interval.hi));
            vec![
                ("first", index.map(|index| index.first), index.and_then(|index| ends(index.first_interval))),
                ("total", index.map(|index| index.total), index.and_then(|index| ends(index.total_interval))),
            ]
        }
        Indices::Morris(effects) => vec![
            ("mu_star", Some(effects[factor].mean_absolute), None),
            ("mu", Some(effects[factor].mean), None),
            ("sigma", effects[factor].standard_deviation, None),
        ],
    }
}
