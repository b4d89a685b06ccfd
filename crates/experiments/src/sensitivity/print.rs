//! The indices as tables for people: one for each objective, the factor that matters most first.

use std::io::{self, Write};

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use statistics::{ElementaryEffects, Interval, SobolIndex, with_supported_digits};

use super::{Analysis, Indices};
use crate::fronts::Objective;
use crate::sweep_file::{Factor, Sweep};

/// As the report of a sweep has it.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::new('─', '─', '─', '─'));

/// Above this share the table warns that it may show noise.
const MUCH_NOISE: f64 = 0.1;

/// Prints the indices of every objective, by whichever methods there are.
///
/// # Errors
///
/// When the output cannot be written.
pub fn print(
    sweep: &Sweep,
    factors: &[Factor],
    objectives: &[Objective],
    sobol: Option<&[Analysis]>,
    morris: Option<&[Analysis]>,
    out: &mut impl Write,
) -> io::Result<()> {
    let names = short_names(factors);
    for (number, objective) in objectives.iter().enumerate() {
        let of = |analyses: Option<&[Analysis]>| analyses.map(|analyses| analyses[number].clone());
        let (sobol, morris) = (of(sobol), of(morris));
        let Some(any) = sobol.as_ref().or(morris.as_ref()) else { continue };
        writeln!(
            out,
            "\n{} in {}:\nmean {} over the points, standard deviation {}{}",
            objective.metric,
            sweep.modes[objective.mode].name,
            rounded(any.mean),
            rounded(any.standard_deviation),
            noise(any.noise_share),
        )?;
        if any.standard_deviation == 0.0 {
            writeln!(out, "  the same at every point: nothing to explain")?;
            continue;
        }
        writeln!(out, "{}", table(&names, sobol.as_ref(), morris.as_ref()).trim_fmt())?;
    }
    Ok(())
}

fn noise(share: Option<f64>) -> String {
    match share {
        Some(share) if share > 1.0 => ", all but noise: ask for more replications".to_owned(),
        Some(share) if share > MUCH_NOISE => format!(", noise {:.0} %: ask for more replications", share * 100.0),
        Some(share) if share >= 0.001 => format!(", noise {:.1} %", share * 100.0),
        Some(share) if share > 0.0 => ", noise below 0.1 %".to_owned(),
        Some(_) => ", no noise".to_owned(),
        None => ", noise unknown (one replication)".to_owned(),
    }
}

fn table(names: &[String], sobol: Option<&Analysis>, morris: Option<&Analysis>) -> Table {
    let indices = match sobol.map(|analysis| &analysis.indices) {
        Some(Indices::Sobol(indices)) => indices.as_deref(),
        _ => None,
    };
    let effects = match morris.map(|analysis| &analysis.indices) {
        Some(Indices::Morris(effects)) => Some(&effects[..]),
        _ => None,
    };
    let mut order: Vec<usize> = (0..names.len()).collect();
    let weight = |factor: usize| match (indices, effects) {
        (Some(indices), _) => indices[factor].total,
        (None, Some(effects)) => effects[factor].mean_absolute,
        (None, None) => 0.0,
    };
    order.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));

    let mut header = vec!["factor"];
    header.extend(sobol.iter().flat_map(|_| ["S", "ST"]));
    header.extend(morris.iter().flat_map(|_| ["mu*", "sigma"]));
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled).set_header(header);
    for factor in order {
        let mut row = vec![names[factor].clone()];
        if sobol.is_some() {
            row.extend(indices.map_or(["-".to_owned(), "-".to_owned()], |indices| shares(&indices[factor])));
        }
        row.extend(effects.into_iter().flat_map(|effects| sizes(&effects[factor])));
        table.add_row(row);
    }
    if let Some(indices) = indices {
        let sum = |of: fn(&SobolIndex) -> f64| format!("{:.2}", indices.iter().map(of).sum::<f64>());
        let mut row = vec!["sum".to_owned(), sum(|index| index.first), sum(|index| index.total)];
        row.resize(1 + 2 + 2 * morris.iter().count(), String::new());
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn shares(index: &SobolIndex) -> [String; 2] {
    let share = |value: f64, interval: Option<Interval>| match interval {
        Some(interval) => {
            let digits = |end| with_supported_digits(end, Some(interval.half_width()));
            format!("{} [{}, {}]", digits(value), digits(interval.lo), digits(interval.hi))
        }
        None => rounded(value),
    };
    [share(index.first, index.first_interval), share(index.total, index.total_interval)]
}

fn sizes(effects: &ElementaryEffects) -> [String; 2] {
    [rounded(effects.mean_absolute), effects.standard_deviation.map_or_else(|| "-".to_owned(), rounded)]
}

/// A number with three significant digits.
fn rounded(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    let decimals = 2 - number.abs().log10().floor() as i32;
    if decimals >= 0 {
        return format!("{number:.0$}", decimals.min(12) as usize);
    }
    let unit = 10_f64.powi(-decimals);
    format!("{:.0}", (number / unit).round() * unit)
}

/// The last parts of the names: as few as tell them apart, two at least of a path.
fn short_names(factors: &[Factor]) -> Vec<String> {
    let last = |name: &str, parts: usize| {
        let segments: Vec<&str> = name.split('.').collect();
        segments[segments.len().saturating_sub(parts)..].join(".")
    };
    factors
        .iter()
        .map(|factor| {
            let alike = |parts: usize| {
                factors.iter().filter(|other| last(&other.name, parts) == last(&factor.name, parts)).count()
            };
            let parts = (2..).find(|&parts| alike(parts) == 1).unwrap_or(2);
            last(&factor.name, parts)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits() {
        for (number, shown) in
            [(0.0, "0"), (1234.5, "1230"), (123.4, "123"), (-12.34, "-12.3"), (0.012_345, "0.0123"), (1e6, "1000000")]
        {
            assert_eq!(rounded(number), shown, "{number}");
        }
    }

    #[test]
    fn noise_is_said_as_far_as_it_matters() {
        assert_eq!(noise(Some(2.0)), ", all but noise: ask for more replications");
        assert_eq!(noise(Some(0.25)), ", noise 25 %: ask for more replications");
        assert_eq!(noise(Some(0.012)), ", noise 1.2 %");
        assert_eq!(noise(Some(0.000_1)), ", noise below 0.1 %");
        assert_eq!(noise(None), ", noise unknown (one replication)");
    }
}
