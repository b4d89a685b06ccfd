//! Keys of a library that are objects in objects: `breaker.threshold` as one key, or as a table in a table.

use crate::sweep_file::axis::AXIS_KEYS;
use crate::sweep_file::document::Report;
use crate::sweep_file::field::{Field, Section, suggestion};

/// The values of `keys` in a table, by the place of their key; other keys are reported, but for those in `others`.
pub(super) fn read<'a>(
    section: &Section<'a>,
    keys: &[&'static str],
    others: &[&'static str],
    report: &mut Report<'_>,
) -> Vec<Option<Field<'a>>> {
    let mut found = vec![None; keys.len()];
    walk(section, "", keys, others, &mut found, report);
    found
}

fn walk<'a>(
    section: &Section<'a>,
    prefix: &str,
    keys: &[&'static str],
    others: &[&'static str],
    found: &mut [Option<Field<'a>>],
    report: &mut Report<'_>,
) {
    for (key, place, field) in section.entries() {
        let name = format!("{prefix}{key}");
        let own = keys.iter().position(|&known| known == name);
        let inner = format!("{name}.");
        let is_object = keys.iter().any(|known| known.starts_with(&inner))
            && field.elements().is_none()
            && !field.has_any(&AXIS_KEYS);
        match own {
            _ if prefix.is_empty() && others.contains(&key) => {}
            Some(_) | None if is_object && field.is_table() => {
                if let Some(section) = field.section("", report) {
                    walk(&section, &inner, keys, others, found, report);
                }
            }
            Some(own) => {
                if found[own].is_some() {
                    field.blame(report, "the rule says this twice", "say it once");
                }
                found[own] = Some(field);
            }
            None => {
                let (first, last) = others.split_at(others.len().min(1));
                let known: Vec<_> = first.iter().chain(keys).chain(last).copied().collect();
                let remedy = suggestion(&name, &known, "leave it out, or use a key that belongs here");
                report.add(place, &field.path, "unknown key", remedy);
            }
        }
    }
}
