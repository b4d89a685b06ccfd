//! Pareto fronts of the sweep's objectives, one per rule family and one over all.

use policies::AnyRule;
use scenario::Opening;
use statistics::NotANumberError;

use crate::columns::{COLUMNS, Read};
use crate::estimates::{Estimate, Estimates};
use crate::measures::MEAN;
use crate::sweep_file::Sweep;

/// An objective to be made small: the mean of a column in one mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// The column.
    pub metric: &'static str,
    /// The mode, as an index into [`Sweep::modes`].
    pub mode: usize,
}

impl Objective {
    /// How it is read off a run of its mode; it exists in every run.
    ///
    /// # Panics
    ///
    /// When the metric is no column.
    #[must_use]
    pub fn read(self) -> Read {
        let column = COLUMNS.iter().find(|column| column.name == self.metric);
        column.unwrap_or_else(|| panic!("{} is no column", self.metric)).read
    }
}

/// What a figure shows on its horizontal axis, against false-open rejections on the vertical one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The file name of the figure.
    pub name: &'static str,
    /// The column on the horizontal axis, in modes whose fault makes opening right.
    pub metric: &'static str,
    /// The figure's headline.
    pub title: &'static str,
    /// The axis in words.
    pub label: &'static str,
}

/// The figures of a sweep.
pub const THEMES: [Theme; 3] = [
    Theme {
        name: "detection",
        metric: "slot_rounds_to_detection_restricted",
        title: "What a broken dependency draws from the pool until the breaker opens",
        label: "slot-rounds drawn up to detection, heal or horizon",
    },
    Theme {
        name: "fault",
        metric: "slot_rounds_fault",
        title: "What a broken dependency draws from the pool, probes included",
        label: "slot-rounds drawn over the whole fault",
    },
    Theme {
        name: "neighbours",
        metric: "neighbour_no_slot_fault",
        title: "What a broken dependency costs the neighbours",
        label: "neighbour requests without a slot in the fault",
    },
];

/// The column on the vertical axis, in modes whose fault makes opening false.
pub const LOSS: &str = "false_open_rejections";

/// One design as a point of two objectives.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The design, as an index into [`Sweep::designs`].
    pub design: usize,
    /// The first objective.
    pub x: Estimate,
    /// The second objective.
    pub y: Estimate,
    /// Other designs with the same two values.
    pub ties: Vec<usize>,
    /// Whether no design of its own family is better.
    pub on_family_front: bool,
    /// Whether no design of any family is better.
    pub on_front: bool,
}

/// All distinct designs against one pair of objectives.
#[derive(Clone, Debug)]
pub struct Front {
    /// The figure it belongs to.
    pub theme: Theme,
    /// The horizontal objective.
    pub x: Objective,
    /// The vertical objective.
    pub y: Objective,
    /// The points of each family that the sweep has, by ascending x, ties merged.
    pub families: Vec<(&'static str, Vec<Point>)>,
}

impl Front {
    /// The points that no design of any family betters, by ascending x.
    #[must_use]
    pub fn overall(&self) -> Vec<&Point> {
        let mut points: Vec<&Point> =
            self.families.iter().flat_map(|(_, points)| points).filter(|point| point.on_front).collect();
        points.sort_by(|a, b| a.x.value.partial_cmp(&b.x.value).expect("objectives are numbers"));
        points
    }
}

/// The modes, as indices, whose fault makes opening right and false.
#[must_use]
pub fn modes_by_opening(sweep: &Sweep) -> (Vec<usize>, Vec<usize>) {
    (0..sweep.modes.len()).partition(|&mode| sweep.modes[mode].opening_during_fault() == Opening::Right)
}

/// The objectives of a sweep: the columns of the themes in every mode whose fault makes opening right, and the valid requests
/// that an open breaker turned away in the others.
#[must_use]
pub fn objectives(sweep: &Sweep) -> Vec<Objective> {
    let (right, wrong) = modes_by_opening(sweep);
    let of_right = right.iter().flat_map(|&mode| THEMES.map(|theme| Objective { metric: theme.metric, mode }));
    of_right.chain(wrong.iter().map(|&mode| Objective { metric: LOSS, mode })).collect()
}

/// The objectives of each front of a sweep, horizontal and vertical: for each theme, each false mode, each right mode.
#[must_use]
pub fn pairs(sweep: &Sweep) -> Vec<(Theme, Objective, Objective)> {
    let (right, wrong) = &modes_by_opening(sweep);
    let of_modes = |theme: Theme, y: usize, x: usize| {
        (theme, Objective { metric: theme.metric, mode: x }, Objective { metric: LOSS, mode: y })
    };
    let of_theme = |theme| wrong.iter().flat_map(move |&y| right.iter().map(move |&x| of_modes(theme, y, x)));
    THEMES.into_iter().flat_map(of_theme).collect()
}

/// All fronts of a sweep, in the order of their [`pairs`].
///
/// # Errors
///
/// When an estimate is not a number.
pub fn fronts(sweep: &Sweep, estimates: &Estimates) -> Result<Vec<Front>, NotANumberError> {
    pairs(sweep).into_iter().map(|(theme, x, y)| front(sweep, estimates, theme, x, y)).collect()
}

fn front(
    sweep: &Sweep,
    estimates: &Estimates,
    theme: Theme,
    x: Objective,
    y: Objective,
) -> Result<Front, NotANumberError> {
    let estimate = |design, objective: Objective| estimates.get(design, objective.mode, objective.metric, MEAN);
    let value = |estimate: Estimate| estimate.value.unwrap_or(f64::NAN);
    let compared = |&design: &usize| sweep.designs[design].equivalent_to.is_none() && !estimates.has_left(design);
    let distinct: Vec<usize> = (0..sweep.designs.len()).filter(compared).collect();
    let values: Vec<(f64, f64)> =
        distinct.iter().map(|&design| (value(estimate(design, x)), value(estimate(design, y)))).collect();
    let overall = on_front(&values)?;

    let mut families = Vec::new();
    for name in AnyRule::names() {
        let of_family: Vec<usize> =
            (0..distinct.len()).filter(|&at| sweep.designs[distinct[at]].rule.name() == name).collect();
        if of_family.is_empty() {
            continue;
        }
        let own: Vec<(f64, f64)> = of_family.iter().map(|&at| values[at]).collect();
        let family_front = on_front(&own)?;
        let upper_end = |at: usize| estimate(distinct[of_family[at]], y).hi.unwrap_or(f64::INFINITY);
        let points = merge_ties(&own).into_iter().map(|mut group| {
            // Where nothing was seen, equal means differ in what they leave possible: the least of it speaks for all.
            group.sort_by(|&a, &b| upper_end(a).total_cmp(&upper_end(b)));
            let design = distinct[of_family[group[0]]];
            Point {
                design,
                x: estimate(design, x),
                y: estimate(design, y),
                ties: group[1..].iter().map(|&at| distinct[of_family[at]]).collect(),
                on_family_front: family_front[group[0]],
                on_front: overall[of_family[group[0]]],
            }
        });
        families.push((name, points.collect()));
    }
    Ok(Front { theme, x, y, families })
}

/// For each point, whether it (or an equal one) is on the front.
fn on_front(values: &[(f64, f64)]) -> Result<Vec<bool>, NotANumberError> {
    let mut member = vec![false; values.len()];
    for point in statistics::front(values)? {
        member[point.index] = true;
        for tie in point.ties {
            member[tie] = true;
        }
    }
    Ok(member)
}

/// Groups equal points, by ascending x, then y.
fn merge_ties(values: &[(f64, f64)]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].partial_cmp(&values[b]).expect("objectives are numbers"));
    order.chunk_by(|&a, &b| values[a] == values[b]).map(<[usize]>::to_vec).collect()
}
