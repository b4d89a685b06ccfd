//! `[sensitivity.factors]`: the range of each setting, by the rule's key or by the path of a setting of the world.

use super::{Factor, Quantity, Scale, Sensitivity, WORLD, quantity_of};
use crate::sweep_file::axis::{self, Kind};
use crate::sweep_file::document::{Report, Value};
use crate::sweep_file::field::{Field, Section, suggestion};
use crate::sweep_file::rules::Grid;

const KEYS: [&str; 4] = ["from", "to", "scale", "at_most"];

/// A range that has been read, and what remains to be put together once all names are known.
struct Read<'a> {
    factor: Factor,
    at_most: Option<(&'a str, Field<'a>)>,
}

/// Puts the ranges of the table into the study.
pub(super) fn read(table: &Section<'_>, grid: &Grid, study: &mut Sensitivity, report: &mut Report<'_>) {
    let mut bounds = Vec::new();
    walk(table, table.path().len() + 1, grid, study, &mut bounds, report);
    study.bind_usual();
    for (name, other, field) in bounds {
        let names: Vec<&str> =
            study.factors.iter().map(|factor| factor.name.as_str()).filter(|&known| known != name).collect();
        match study.position(other).filter(|_| other != name) {
            Some(limit) if study.factors[limit].at_most.is_none() => {
                let own = study.position(name.as_str()).expect("it has been read");
                if study.factors[own].quantity == study.factors[limit].quantity {
                    study.factors[own].at_most = Some(limit);
                } else {
                    field.blame(
                        report,
                        format!("`{name}` and `{other}` are different quantities"),
                        "bound it by one of its own kind",
                    );
                }
            }
            Some(_) => field.blame(report, format!("`{other}` is bounded itself"), "bound by a factor that is not"),
            None => {
                let remedy = suggestion(other, &names, "name another factor");
                field.blame(report, format!("`{other}` is not varied here"), remedy);
            }
        }
    }
}

type Bound<'a> = (String, &'a str, Field<'a>);

/// Reads what is a range, and goes into what is a table of them.
fn walk<'a>(
    section: &Section<'a>,
    prefix: usize,
    grid: &Grid,
    study: &mut Sensitivity,
    bounds: &mut Vec<Bound<'a>>,
    report: &mut Report<'_>,
) {
    for (_, _, field) in section.entries() {
        if field.is_table() && !field.has_any(&KEYS) {
            if let Some(inner) = field.section("", report) {
                walk(&inner, prefix, grid, study, bounds, report);
            }
            continue;
        }
        let name = field.path[prefix..].to_owned();
        let parameters = grid.family.parameters();
        let read = match parameters.iter().find(|parameter| parameter.key == name) {
            Some(parameter) => of_rule(&field, parameter.key, parameter.kind, study, report),
            None if WORLD.iter().any(|root| name.starts_with(root)) => of_world(&field, &name, report),
            None => {
                let known: Vec<&str> =
                    parameters.iter().map(|parameter| parameter.key).chain(["scenario.…", "mode.…"]).collect();
                let problem = format!("the rule \"{}\" has no such key", study.kind);
                field.blame(report, problem, suggestion(&name, &known, "use a key of the rule or a path of the world"));
                None
            }
        };
        let Some(Read { factor, at_most }) = read else { continue };
        if let Some((other, field)) = at_most {
            bounds.push((factor.name.clone(), other, field));
        }
        study.fixed.retain(|(key, _)| *key != factor.name);
        match study.position(&factor.name) {
            Some(known) => study.factors[known] = factor,
            None => study.factors.push(factor),
        }
    }
}

/// A key of the rule: a range, or a single value that is kept.
fn of_rule<'a>(
    field: &Field<'a>,
    key: &'static str,
    kind: Kind,
    study: &mut Sensitivity,
    report: &mut Report<'_>,
) -> Option<Read<'a>> {
    let Some(quantity) = quantity_of(kind) else {
        let remedy = "leave it out, and give the rule itself one value";
        field.blame(report, "its values are no numbers, so it has no range", remedy);
        return None;
    };
    let number =
        |field: &Field<'_>, report: &mut Report<'_>| axis::scalar(field, kind, report).map(|value| value.to_f64());
    if !field.is_table() && field.elements().is_none() {
        let value = factor(field, key, quantity, (0.0, 0.0), report).written(number(field, report)?);
        study.factors.retain(|known| known.name != key);
        study.fixed.retain(|(known, _)| *known != key);
        study.fixed.push((key, value));
        return None;
    }
    let form = Form::read(field, kind.example(), report)?;
    let usual = study.factors.iter().find(|known| known.name == key).map(|known| (known.from, known.to));
    let ends = form.ends(field, usual, kind.example(), number, report)?;
    form.finish(field, factor(field, key, quantity, ends, report), report)
}

/// A setting of the world: its ends say what it is.
fn of_world<'a>(field: &Field<'a>, name: &str, report: &mut Report<'_>) -> Option<Read<'a>> {
    const EXAMPLE: &str = "[0.05, 0.3]";
    let form = Form::read(field, EXAMPLE, report)?;
    let mut quantities = Vec::new();
    let number = |field: &Field<'_>, report: &mut Report<'_>| {
        let (quantity, number) = match &field.node.value {
            Value::Whole(digits) => (Quantity::Whole, digits.parse().ok()?),
            Value::Real(digits) => (Quantity::Number, digits.parse().ok()?),
            Value::Text(text) if text.contains('/') => (Quantity::Rate, field.rate("100/s", report)?),
            Value::Text(_) => (Quantity::Time, field.duration("1s", report)?.as_nanos() as f64),
            _ => {
                field.mismatch(report, "a number, a duration or a rate", "0.1");
                return None;
            }
        };
        quantities.push(quantity);
        Some(number)
    };
    let ends = form.ends(field, None, "0.1", number, report)?;
    let quantity = match quantities[..] {
        [one, other] if one == other => one,
        // Whole or not is how it was written, and 0 to 0.5 a range.
        [Quantity::Whole | Quantity::Number, Quantity::Whole | Quantity::Number] => Quantity::Number,
        _ => {
            field.blame(report, "the two ends are different quantities", "give both the same unit");
            return None;
        }
    };
    form.finish(field, factor(field, name, quantity, ends, report), report)
}

fn factor(field: &Field<'_>, name: &str, quantity: Quantity, (from, to): (f64, f64), report: &Report<'_>) -> Factor {
    Factor {
        name: name.to_owned(),
        quantity,
        from,
        to,
        scale: Scale::Linear,
        at_most: None,
        place: report.show(field.node.place),
        key: field.path.clone(),
    }
}

/// `[from, to]`, or a table with what differs from the usual.
struct Form<'a> {
    from: Option<Field<'a>>,
    to: Option<Field<'a>>,
    scale: Scale,
    at_most: Option<(&'a str, Field<'a>)>,
}

impl<'a> Form<'a> {
    fn read(field: &Field<'a>, example: &str, report: &mut Report<'_>) -> Option<Self> {
        if let Some(elements) = field.elements() {
            let mut ends: Vec<_> = elements.collect();
            if ends.len() != 2 {
                field.blame(
                    report,
                    format!("a range has two ends, and this list {}", ends.len()),
                    "write [from, to]; all that lies between them is tried",
                );
                return None;
            }
            let to = ends.pop();
            return Some(Self { from: ends.pop(), to, scale: Scale::Linear, at_most: None });
        }
        let mut section = field.section(&format!("{{ from = {example}, to = {example} }}"), report)?;
        let (from, to) = (section.optional("from"), section.optional("to"));
        let scale = match section.optional("scale") {
            Some(field) if field.word(&["linear", "log"], report)? == "log" => Scale::Log,
            _ => Scale::Linear,
        };
        let at_most = match section.optional("at_most") {
            Some(field) => Some((field.text("the name of another factor", "\"slidingWindowSize\"", report)?, field)),
            None => None,
        };
        section.finish(report);
        Some(Self { from, to, scale, at_most })
    }

    /// The two ends, of which one that is not written is the usual one.
    fn ends(
        &self,
        field: &Field<'_>,
        usual: Option<(f64, f64)>,
        example: &str,
        mut number: impl FnMut(&Field<'_>, &mut Report<'_>) -> Option<f64>,
        report: &mut Report<'_>,
    ) -> Option<(f64, f64)> {
        let mut end = |written: &Option<Field<'_>>, usual: Option<f64>, key: &str| match written {
            Some(end) => number(end, report),
            None if usual.is_some() => usual,
            None => {
                let problem = format!("the range lacks `{key}`, and no axis says it");
                field.blame(report, problem, format!("add {key} = {example}"));
                None
            }
        };
        let from = end(&self.from, usual.map(|usual| usual.0), "from");
        let to = end(&self.to, usual.map(|usual| usual.1), "to");
        let (from, to) = (from?, to?);
        if from >= to {
            field.blame(report, "the range does not rise", "let the first end be the smaller one");
            return None;
        }
        Some((from, to))
    }

    fn finish(self, field: &Field<'_>, factor: Factor, report: &mut Report<'_>) -> Option<Read<'a>> {
        if self.scale == Scale::Log && factor.from <= 0.0 {
            field.blame(report, "a logarithmic range cannot begin at zero", "begin above it, or leave `scale` out");
            return None;
        }
        Some(Read { factor: Factor { scale: self.scale, ..factor }, at_most: self.at_most })
    }
}
