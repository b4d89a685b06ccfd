//! A grid of designs: the axes of one `[[rule]]` with their values.

use engine::Duration;
use policies::{AnyRule, Consecutive, HalfOpen, NoBreaker, Ratio, RuleError, Settings, Value};

use super::family::Family;

/// One `[[rule]]`: its axes with their values, and which of them advance together.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    pub(crate) family: Family,
    /// By key, in the order of the family's parameters.
    pub(crate) axes: Vec<(&'static str, AxisValues)>,
    /// Groups of axes, by their places, that advance in lock-step; in the order of their first members.
    pub(crate) zip: Vec<Vec<usize>>,
}

/// The values of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AxisValues {
    Counts(Vec<u32>),
    Shares(Vec<f64>),
    Times(Vec<Duration>),
    /// Of a library's parameter.
    Values(Vec<Value>),
}

impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        self.family.name() == other.family.name() && self.axes == other.axes && self.zip == other.zip
    }
}

impl AxisValues {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Counts(values) => values.len(),
            Self::Shares(values) => values.len(),
            Self::Times(values) => values.len(),
            Self::Values(values) => values.len(),
        }
    }

    /// One of the values alone.
    fn only(&self, index: usize) -> Self {
        match self {
            Self::Counts(values) => Self::Counts(vec![values[index]]),
            Self::Shares(values) => Self::Shares(vec![values[index]]),
            Self::Times(values) => Self::Times(vec![values[index]]),
            Self::Values(values) => Self::Values(vec![values[index]]),
        }
    }
}

impl Grid {
    /// The grid of no breaker at all.
    pub(crate) const fn of_no_breaker() -> Self {
        Self { family: Family::None, axes: Vec::new(), zip: Vec::new() }
    }

    /// How many designs the grid has.
    pub(crate) fn count(&self) -> usize {
        let turns = |place: &usize| !self.zip.iter().any(|group| group[1..].contains(place));
        (0..self.axes.len()).filter(turns).map(|place| self.axes[place].1.len()).product()
    }

    /// The grid of one design of this grid alone, by its number within the grid.
    pub(crate) fn only(&self, number: usize) -> Self {
        let strides = self.strides();
        let axes = self.axes.iter().zip(strides);
        let axes = axes.map(|((key, values), stride)| (*key, values.only(number / stride % values.len())));
        Self { family: self.family, axes: axes.collect(), zip: Vec::new() }
    }

    /// How many designs pass before an axis advances.
    fn strides(&self) -> Vec<usize> {
        let leader =
            |place: usize| self.zip.iter().find(|group| group.contains(&place)).map_or(place, |group| group[0]);
        let mut strides = vec![0; self.axes.len()];
        let mut total = 1;
        for (place, (_, values)) in self.axes.iter().enumerate().rev().filter(|(place, _)| leader(*place) == *place) {
            strides[place] = total;
            total *= values.len();
        }
        (0..self.axes.len()).map(|place| strides[leader(place)]).collect()
    }

    /// The rules of the grid in sweep order: its axes in the order of the family's parameters, the last fastest; zipped axes
    /// turn at the place of their first.
    pub(crate) fn rules(&self) -> impl Iterator<Item = Result<AnyRule, RuleError>> + '_ {
        let strides = self.strides();
        (0..self.count()).map(move |number| {
            let axes = self.axes.iter().zip(&strides);
            self.rule(axes.map(|((key, values), stride)| (*key, values, number / stride % values.len())))
        })
    }

    fn rule<'g>(
        &self,
        point: impl Iterator<Item = (&'static str, &'g AxisValues, usize)>,
    ) -> Result<AnyRule, RuleError> {
        let (mut window, mut failures, mut share, mut open_for) = (0, 0, 0.0, Duration::ZERO);
        let mut half_open = HalfOpen::default();
        let mut settings = Settings::new();
        for (key, values, index) in point {
            match (key, values) {
                (key, AxisValues::Values(values)) => settings.set(key, values[index]),
                ("window", AxisValues::Counts(values)) => window = values[index],
                ("half_open_permits", AxisValues::Counts(values)) => half_open.permits = values[index],
                ("half_open_successes", AxisValues::Counts(values)) => half_open.successes = values[index],
                (_, AxisValues::Counts(values)) => failures = values[index],
                (_, AxisValues::Shares(values)) => share = values[index],
                (_, AxisValues::Times(values)) => open_for = values[index],
            }
        }
        match self.family {
            Family::None => Ok(NoBreaker.into()),
            Family::Consecutive => Consecutive::new(failures, open_for, half_open).map(AnyRule::from),
            Family::Ratio => Ratio::new(window, share, open_for, half_open).map(AnyRule::from),
            Family::Dialect(library) => library.build(&settings),
        }
    }
}
