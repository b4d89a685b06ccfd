//! `designs.parquet`: a row per design.

use std::path::Path;

use polars::prelude::{Column, PolarsError};
use policies::{Kind, Library, Parameter, Settings, Value, libraries};

use super::{column, write_whole};
use crate::race::Departure;
use crate::sweep_file::Sweep;

/// Writes the table of designs; in a race with where each of them left, if it did.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_designs(
    path: &Path,
    manifest: &str,
    sweep: &Sweep,
    departures: &[Option<Departure>],
) -> Result<(), PolarsError> {
    let designs = &sweep.designs;
    let half_open = || designs.iter().map(|design| design.rule.half_open());
    let mut columns = vec![
        column("design", designs.iter().map(|design| design.number).collect::<Vec<_>>()),
        column("rule", designs.iter().map(|design| design.rule.name()).collect::<Vec<_>>()),
        column("threshold", designs.iter().map(|design| design.rule.threshold()).collect::<Vec<_>>()),
        column("window", designs.iter().map(|design| design.rule.window()).collect::<Vec<_>>()),
        column(
            "open_for_ns",
            designs.iter().map(|design| design.rule.open_for().map(|open_for| open_for.as_nanos())).collect::<Vec<_>>(),
        ),
        column("equivalent_to", designs.iter().map(|design| design.equivalent_to).collect::<Vec<_>>()),
        column("half_open_permits", half_open().map(|probes| probes.map(|probes| probes.permits)).collect::<Vec<_>>()),
        column(
            "half_open_successes",
            half_open().map(|probes| probes.map(|probes| probes.successes)).collect::<Vec<_>>(),
        ),
    ];
    columns.extend(settings_columns(sweep));
    if sweep.race.is_some() {
        let left = || departures.iter().map(Option::as_ref);
        columns.push(column("left_at", left().map(|left| left.map(|left| left.replications)).collect::<Vec<_>>()));
        let dominator = |left: &Departure| sweep.designs[left.dominated_by].number;
        columns.push(column("dominated_by", left().map(|left| left.map(dominator)).collect::<Vec<_>>()));
    }
    write_whole(path, manifest, columns)
}

/// Where breakers of libraries are in the sweep: `settings`, what a design says that its library's defaults do not, in one
/// line; and for each such library a column per parameter, `LIBRARY.PARAMETER`, with times as `…_ns`. They are null for
/// designs of other families, and where a parameter is absent.
fn settings_columns(sweep: &Sweep) -> Vec<Column> {
    let settings: Vec<Option<(&Library, Settings)>> = sweep
        .designs
        .iter()
        .map(|design| design.rule.dialect().map(|dialect| (dialect.library(), dialect.settings())))
        .collect();
    if settings.iter().all(Option::is_none) {
        return Vec::new();
    }
    let said = settings.iter().map(|settings| {
        let (library, settings) = settings.as_ref()?;
        Some(library.in_words(&library.without_defaults(settings)))
    });
    let mut columns = vec![column("settings", said.collect::<Vec<_>>())];
    for library in libraries() {
        let of_library =
            |settings: &Option<(&Library, Settings)>| settings.as_ref().is_some_and(|(of, _)| of.name == library.name);
        if settings.iter().any(of_library) {
            let values = |parameter: &'static Parameter| -> Vec<Option<Value>> {
                let value = |settings: &Option<(&Library, Settings)>| {
                    let (of, settings) = settings.as_ref()?;
                    if of.name == library.name { settings.get(parameter.name) } else { None }
                };
                settings.iter().map(value).collect()
            };
            columns.extend(library.parameters.iter().map(|parameter| {
                parameter_column(&format!("{}.{}", library.name, parameter.name), parameter, &values(parameter))
            }));
        }
    }
    columns
}

fn parameter_column(name: &str, parameter: &Parameter, values: &[Option<Value>]) -> Column {
    let each = values.iter().copied();
    match parameter.kind {
        Kind::Count => {
            let count = |value| if let Value::Number(number) = value { Some(number as u32) } else { None };
            column(name, each.map(|value| value.and_then(count)).collect::<Vec<_>>())
        }
        Kind::Number => {
            let number = |value| if let Value::Number(number) = value { Some(number) } else { None };
            column(name, each.map(|value| value.and_then(number)).collect::<Vec<_>>())
        }
        Kind::Flag => {
            let flag = |value| if let Value::Flag(flag) = value { Some(flag) } else { None };
            column(name, each.map(|value| value.and_then(flag)).collect::<Vec<_>>())
        }
        // A time that is switched off is null.
        Kind::Time(_) | Kind::TimeOrFalse(_) => {
            let nanos = |value| if let Value::Time(time) = value { Some(time.as_nanos()) } else { None };
            column(&format!("{name}_ns"), each.map(|value| value.and_then(nanos)).collect::<Vec<_>>())
        }
        Kind::Word(_) | Kind::Times => {
            column(name, each.map(|value| value.map(|value| parameter.written(value))).collect::<Vec<_>>())
        }
    }
}
