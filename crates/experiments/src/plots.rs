//! The sweep's Pareto plots: from fronts to figures, and to files.

use std::f64::consts::TAU;
use std::fs;
use std::path::{Path, PathBuf};

use policies::{AnyRule, libraries};
use statistics::{Ellipse, Interval};

use crate::commands::Failure;
use crate::estimates::{Estimate, Estimates};
use crate::figures::{self, Family, FamilyMark, FigureError, Measured, Panel, ParetoFigure, Point, Surety};
use crate::front_uncertainty::FrontUncertainty;
use crate::fronts::{self, Front, THEMES, Theme};
use crate::numbers::grouped;
use crate::point_labels::PointLabels;
use crate::sweep_file::Sweep;

/// Draws one figure per theme, each as SVG and PNG. A sweep without fronts has no figures. `uncertainty` is that of the
/// fronts, in their order, or empty.
///
/// # Errors
///
/// When the folder or a file cannot be written.
pub fn draw(
    folder: &Path,
    sweep: &Sweep,
    estimates: &Estimates,
    fronts: &[Front],
    uncertainty: &[FrontUncertainty],
) -> Result<(), Failure> {
    if fronts.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(folder).map_err(Failure::write(folder))?;
    let labels = PointLabels::new(sweep);
    for theme in THEMES {
        let figure = figure(theme, sweep, &labels, estimates, fronts, uncertainty);
        let path = |extension| folder.join(format!("{}.{extension}", theme.name));
        figures::draw(&figure, &path("svg"), &path("png")).map_err(|error| match error {
            FigureError::Write { path, source } => Failure::write(&path)(source),
            FigureError::Draw(reason) => Failure::System(format!("cannot draw the figure {}: {reason}", theme.name)),
        })?;
    }
    Ok(())
}

/// The files that a sweep's figures have in a folder.
pub fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let names = THEMES.iter().flat_map(|theme| ["svg", "png"].map(|extension| format!("{}.{extension}", theme.name)));
    names.map(|name| folder.join(name))
}

/// More modes than this on an axis make a figure of stamps; the tables have all of them.
const MOST_MODES_ON_AN_AXIS: usize = 4;

fn figure(
    theme: Theme,
    sweep: &Sweep,
    labels: &PointLabels,
    estimates: &Estimates,
    fronts: &[Front],
    uncertainty: &[FrontUncertainty],
) -> ParetoFigure {
    let (mut right, mut wrong) = fronts::modes_by_opening(sweep);
    let left_out = right.len() > MOST_MODES_ON_AN_AXIS || wrong.len() > MOST_MODES_ON_AN_AXIS;
    right.truncate(MOST_MODES_ON_AN_AXIS);
    wrong.truncate(MOST_MODES_ON_AN_AXIS);
    let drawn = |(_, front): &(usize, &Front)| {
        front.theme == theme && right.contains(&front.x.mode) && wrong.contains(&front.y.mode)
    };
    let panels = fronts.iter().enumerate().filter(drawn);
    let more = if left_out { " More modes are in front.parquet." } else { "" };
    let redrawn = match &sweep.analysis.front {
        Some(asked) if !uncertainty.is_empty() => {
            format!(" Fronts were redrawn {} times from these replications.", grouped(u64::from(asked.draws)))
        }
        _ => String::new(),
    };
    let n = estimates.replications();
    ParetoFigure {
        title: theme.title.to_owned(),
        note: format!("Sweep \"{}\", root seed {}.{redrawn}{more}", sweep.name, sweep.root_seed),
        replications: n,
        level: estimates.level(),
        panels: panels.map(|(position, front)| panel(sweep, labels, front, uncertainty.get(position))).collect(),
        columns: right.len(),
    }
}

fn panel(sweep: &Sweep, labels: &PointLabels, front: &Front, uncertainty: Option<&FrontUncertainty>) -> Panel {
    let mode = |index: usize| sweep.modes[index].name.as_str();
    let family = |name: &str| {
        let points = front.families.iter().find(|(family, _)| *family == name).map(|(_, points)| points);
        let points = points.into_iter().flatten().map(|point| Point {
            label: labels.of(point.design),
            x: measured(point.x),
            y: measured(point.y),
            zero_events: point.y.method == "zero_events",
            current: is_current(sweep, point),
            surety: uncertainty.and_then(|uncertainty| surety(uncertainty, point)),
        });
        Family { name: name.to_owned(), points: points.collect() }
    };
    Panel {
        title: format!("{} against {}", mode(front.x.mode), mode(front.y.mode)),
        x_label: format!("{}: {}", mode(front.x.mode), front.theme.label),
        y_label: format!("{}: valid requests turned away per run", mode(front.y.mode)),
        floor: floor(sweep, front),
        band: uncertainty.map(|uncertainty| uncertainty.band.clone()),
        families: families(sweep).map(family).collect(),
    }
}

/// Whether a point, or one that ties with it, is the setting in use or the same rule in other words.
fn is_current(sweep: &Sweep, point: &fronts::Point) -> bool {
    let Some(current) = sweep.analysis.current else { return false };
    let current = sweep.designs[current].equivalent_to.map_or(current, |first| first as usize);
    point.design == current || point.ties.contains(&current)
}

/// How surely a point is on the front. Of designs that tie, what is known of the first is shown, and the knee is any of them.
fn surety(uncertainty: &FrontUncertainty, point: &fronts::Point) -> Option<Surety> {
    const CORNERS: u32 = 72;
    let design = uncertainty.design(point.design)?;
    let knee = uncertainty.knee.filter(|(knee, _)| point.design == *knee || point.ties.contains(knee));
    let corner = |ellipse: Ellipse, corner: u32| ellipse.outline(TAU * f64::from(corner) / f64::from(CORNERS));
    let outline = design.ellipse.map(|ellipse| (0..CORNERS).map(|number| corner(ellipse, number)).collect());
    Some(Surety {
        class: design.membership.class,
        knee: knee.map(|(_, share)| share),
        outline: outline.unwrap_or_default(),
    })
}

/// What no threshold is expected to go below, where the horizontal objective is what is drawn up to the detection.
fn floor(sweep: &Sweep, front: &Front) -> Option<f64> {
    let is_draw = front.theme.metric == "slot_rounds_to_detection_restricted";
    is_draw.then(|| crate::floor::slot_rounds(&sweep.scenario, &sweep.modes[front.x.mode])).flatten()
}

fn measured(estimate: Estimate) -> Measured {
    Measured {
        value: estimate.value.unwrap_or(f64::NAN),
        interval: estimate.lo.zip(estimate.hi).map(|(lo, hi)| Interval { lo, hi }),
    }
}

/// How each family of a sweep is drawn, for pictures that are made elsewhere.
#[must_use]
pub fn family_marks(sweep: &Sweep) -> Vec<(&'static str, FamilyMark)> {
    families(sweep).enumerate().map(|(position, name)| (name, figures::family_mark(position))).collect()
}

/// The families in the order that gives them their colours: those that are no library's always keep theirs.
pub(crate) fn families(sweep: &Sweep) -> impl Iterator<Item = &'static str> {
    let in_sweep = |name: &&str| sweep.designs.iter().any(|design| design.rule.name() == *name);
    AnyRule::NAMES.into_iter().chain(libraries().iter().map(|library| library.name).filter(in_sweep))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_file::parse;

    #[test]
    fn families_that_are_no_librarys_always_keep_their_colours() {
        let text = "[[rule]]\nkind = \"opossum\"\n[[rule]]\nkind = \"gobreaker\"\n";
        let sweep = parse("s.toml", text, &[], None).expect("valid");
        let names: Vec<_> = families(&sweep).collect();
        assert_eq!(names, ["none", "consecutive", "ratio", "gobreaker", "opossum"]);
    }
}
