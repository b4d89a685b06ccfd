//! Axes that advance together: `zip = [["window", "threshold"]]`.

use super::{PlannedAxis, family::Parameter};
use crate::sweep_file::document::Report;
use crate::sweep_file::field::Field;

const EXAMPLE: &str = "[[\"threshold\", \"open_for\"]]";

/// Reads groups of axes, or one group alone. Axes are named by their keys, and returned by their places in `parameters`.
pub(super) fn read(
    field: &Field<'_>,
    parameters: &[Parameter],
    axes: &[(usize, PlannedAxis<'_>)],
    report: &mut Report<'_>,
) -> Option<Vec<Vec<usize>>> {
    let Some(elements) = field.elements() else {
        field.mismatch(report, "a list of groups of axes", EXAMPLE);
        return None;
    };
    let elements: Vec<_> = elements.collect();
    let nested = elements.iter().any(|element| element.elements().is_some());
    let groups = if nested { elements } else { vec![field.clone()] };
    let known: Vec<_> = parameters.iter().map(|parameter| parameter.key).collect();
    let mut zip: Vec<Vec<usize>> = Vec::new();
    for group in &groups {
        let Some(names) = group.elements() else {
            group.mismatch(report, "a group of axes", EXAMPLE);
            return None;
        };
        let mut members = Vec::new();
        for name in names {
            let word = name.word(&known, report)?;
            let place = known.iter().position(|key| *key == word).expect("one of the known words");
            if axes.iter().all(|(given, _)| *given != place) {
                name.blame(
                    report,
                    format!("the rule has no `{word}`"),
                    format!("give the axis, or leave it out of {}", field.key()),
                );
                return None;
            }
            if members.contains(&place) || zip.iter().any(|group| group.contains(&place)) {
                name.blame(report, format!("`{word}` is zipped twice"), "name every axis once");
                return None;
            }
            members.push(place);
        }
        if members.len() < 2 {
            group.blame(report, "a zip needs two axes or more", format!("write for instance zip = {EXAMPLE}"));
            return None;
        }
        members.sort_unstable();
        check_lengths(group, &members, parameters, axes, report)?;
        zip.push(members);
    }
    zip.sort_unstable();
    Some(zip)
}

fn check_lengths(
    group: &Field<'_>,
    members: &[usize],
    parameters: &[Parameter],
    axes: &[(usize, PlannedAxis<'_>)],
    report: &mut Report<'_>,
) -> Option<()> {
    let lengths = members.iter().filter_map(|member| axes.iter().find(|(place, _)| place == member));
    let lengths: Vec<_> = lengths.map(|(place, axis)| (parameters[*place].key, axis.count())).collect();
    if lengths.windows(2).all(|pair| pair[0].1 == pair[1].1) {
        return Some(());
    }
    let lengths: Vec<_> = lengths.iter().map(|(key, length)| format!("`{key}` has {length}")).collect();
    let problem = format!("zipped axes have different numbers of values: {}", lengths.join(", "));
    group.blame(report, problem, "give them the same number of values, as they advance together");
    None
}
