//! The tables `[[variant]]`: named changes to compare with the sweep as it stands.

use super::Variant;
use super::document::Report;
use super::field::Section;

/// Each is a sweep of its own: of more nobody would see the comparison.
const MAX_VARIANTS: usize = 64;

/// Reads the tables. Whether their changes can be made is seen when they are.
pub(super) fn read(root: &mut Section<'_>, report: &mut Report<'_>) -> Vec<Variant> {
    let Some(field) = root.optional("variant") else { return Vec::new() };
    let mut variants: Vec<Variant> = Vec::new();
    let sections = field.sections(report);
    if sections.len() > MAX_VARIANTS {
        let problem = format!("{} variants are defined", sections.len());
        field.blame(report, problem, format!("define at most {MAX_VARIANTS}"));
        return variants;
    }
    for mut section in sections {
        let (place, path) = (section.place(), section.path().to_owned());
        let name = section.required("name", "name = \"no breaker\"", report);
        let name = name.and_then(|field| field.text("a name", "\"no breaker\"", report));
        let set = section.required("set", "set = [\"scenario.slots=64\"]", report);
        let set = set.and_then(|field| {
            let Some(changes) = field.elements() else {
                field.mismatch(report, "a list of changes", "[\"scenario.slots=64\"]");
                return None;
            };
            let change = |change: super::field::Field<'_>, report: &mut Report<'_>| {
                change.text("a change", "\"scenario.slots=64\"", report).map(str::to_owned)
            };
            Some(changes.filter_map(|field| change(field, report)).collect::<Vec<String>>())
        });
        section.finish(report);
        let (Some(name), Some(set)) = (name, set) else { continue };
        if variants.iter().any(|known| known.name == name) {
            report.add(place, &path, format!("the variant \"{name}\" is there twice"), "give one of them another name");
        } else {
            variants.push(Variant { name: name.to_owned(), set });
        }
    }
    variants
}
