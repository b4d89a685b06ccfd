//! The Pareto plot with false opens on its vertical axis.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use statistics::{Interval, Level};

use super::{Entry, Finding, RARE_ENOUGH};
use crate::commands::Failure;
use crate::figures::{self, Family, FigureError, Measured, Panel, ParetoFigure, Point};
use crate::fronts::{THEMES, Theme, modes_by_opening};
use crate::plots::families;
use crate::point_labels::PointLabels;
use crate::recorded::Recorded;
use crate::sweep_file::Sweep;
use crate::tables::{SummaryMean, read_means};

/// The figure's name, without extension.
const NAME: &str = "rare";

/// What is on the horizontal axis: that of the first figure of a sweep.
const DETECTION: Theme = THEMES[0];

/// Means up to detection by mode and design, from the results of this very sweep in a folder.
///
/// # Errors
///
/// When the folder holds no results, or those of another sweep; the sentence says what to run.
pub fn detection(folder: &Path, sweep: &Sweep, file: &Path) -> Result<Vec<SummaryMean>, Failure> {
    let remedy = format!(
        "run `experiments {}` first, with the same --set and --out; or leave out --plot, which needs its results",
        file.display()
    );
    if !folder.join("summary.parquet").exists() {
        return Err(Failure::Input(format!("there is no {}: {remedy}", folder.join("summary.parquet").display())));
    }
    let mut recorded = Recorded::open(folder)?.sweep;
    recorded.replications = sweep.replications;
    if recorded.resolved() != sweep.resolved() {
        return Err(Failure::Input(format!("{} holds the results of another sweep: {remedy}", folder.display())));
    }
    let path = folder.join("summary.parquet");
    read_means(&path, DETECTION.metric).map_err(Failure::read(&path))
}

/// Draws the entries against the means up to detection, as SVG and PNG. A row of panels for each mode in which opening is
/// false, a column for each in which it is right.
///
/// # Errors
///
/// When no mode of the sweep makes opening right, or a file cannot be written.
pub fn draw(folder: &Path, sweep: &Sweep, entries: &[Entry], means: &[SummaryMean]) -> Result<(), Failure> {
    let (right, _) = modes_by_opening(sweep);
    if right.is_empty() {
        return Err(Failure::Input(
            "in no mode of this sweep is opening right, so that there is no detection to draw against: add \"slowdown\" or \
             \"down\" to `modes`, or leave out --plot"
                .to_owned(),
        ));
    }
    let mut wrong: Vec<usize> = entries.iter().map(|entry| entry.mode).collect();
    wrong.sort_unstable();
    wrong.dedup();
    let means: BTreeMap<(&str, u32), &SummaryMean> =
        means.iter().map(|mean| ((mean.mode.as_str(), mean.design), mean)).collect();
    let panels = wrong.iter().flat_map(|&wrong| right.iter().map(move |&right| (right, wrong)));
    let labels = PointLabels::new(sweep);
    let figure = ParetoFigure {
        title: "False opens, and what a broken dependency draws from the pool until the breaker opens".to_owned(),
        note: format!(
            "Sweep \"{}\", root seed {}. False opens are computed or estimated by splitting, not counted in replications; \
             hollow: rarer than once in a million years.",
            sweep.name, sweep.root_seed
        ),
        replications: means.values().map(|mean| mean.n).max().unwrap_or(0),
        level: Level::new(sweep.level).map_err(|error| Failure::System(error.to_string()))?,
        panels: panels.map(|(right, wrong)| panel(sweep, &labels, entries, &means, right, wrong)).collect(),
        columns: right.len(),
    };
    fs::create_dir_all(folder).map_err(Failure::write(folder))?;
    let path = |extension: &str| folder.join(format!("{NAME}.{extension}"));
    figures::draw(&figure, &path("svg"), &path("png")).map_err(|error| match error {
        FigureError::Write { path, source } => Failure::write(&path)(source),
        FigureError::Draw(reason) => Failure::System(format!("cannot draw the figure {NAME}: {reason}")),
    })
}

fn panel(
    sweep: &Sweep,
    labels: &PointLabels,
    entries: &[Entry],
    means: &BTreeMap<(&str, u32), &SummaryMean>,
    right: usize,
    wrong: usize,
) -> Panel {
    let mode = |index: usize| sweep.modes[index].name.as_str();
    let point = |entry: &Entry| {
        let design = &sweep.designs[entry.design];
        let mean = means.get(&(mode(right), design.number))?;
        let (y, zero_events) = per_day(entry)?;
        let x = Measured { value: mean.value?, interval: mean.lo.zip(mean.hi).map(|(lo, hi)| Interval { lo, hi }) };
        let current = sweep.analysis.current == Some(entry.design);
        Some(Point { label: labels.of(entry.design), x, y, zero_events, current, surety: None })
    };
    let family = |name: &'static str| {
        let of_family = entries.iter().filter(|entry| {
            let design = &sweep.designs[entry.design];
            entry.mode == wrong && design.rule.name() == name && design.equivalent_to.is_none()
        });
        Family { name: name.to_owned(), points: of_family.filter_map(point).collect() }
    };
    Panel {
        title: format!("{} against {}", mode(right), mode(wrong)),
        x_label: format!("{}: {}", mode(right), DETECTION.label),
        y_label: format!("{}: false opens per day", mode(wrong)),
        floor: crate::floor::slot_rounds(&sweep.scenario, &sweep.modes[right]),
        band: None,
        families: families(sweep).map(family).collect(),
    }
}

/// False opens per day, and whether they are so rare that only a bound is drawn; `None` where they are no rate.
fn per_day(entry: &Entry) -> Option<(Measured, bool)> {
    const DAY: f64 = 86_400.0;
    let at_most = |seconds: f64| {
        let hi = DAY / seconds.max(RARE_ENOUGH);
        Some((Measured { value: 0.0, interval: Some(Interval { lo: 0.0, hi }) }, true))
    };
    let seconds = entry.mean_seconds();
    match &entry.finding {
        Finding::Never { .. } => at_most(RARE_ENOUGH),
        Finding::AtLeast { seconds, .. } => at_most(*seconds),
        Finding::Ever { .. } | Finding::Refused { .. } => None,
        Finding::Exact { .. } | Finding::Rate { .. } if seconds.0? > RARE_ENOUGH => at_most(RARE_ENOUGH),
        Finding::Exact { .. } => Some((Measured { value: DAY / seconds.0?, interval: None }, false)),
        Finding::Rate { value, interval, .. } => {
            let interval = Interval { lo: DAY * interval.lo.max(0.0), hi: DAY * interval.hi };
            Some((Measured { value: DAY * value, interval: Some(interval) }, false))
        }
    }
}
