//! Axes: the range that shows all values, linear or logarithmic, and its ticks.

mod number;

use number::{decimal, power_of_ten};

/// An axis. Its range is never empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    scale: Scale,
    /// The ends of the range: values or, on a logarithmic axis, their base-10 logarithms.
    from: f64,
    to: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    Logarithmic,
}

/// A line of the grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// How far along the axis it stands, from 0 to 1.
    pub(super) fraction: f64,
    /// What it says; nothing on the lines between.
    pub(super) label: Option<String>,
}

/// From this ratio of largest to smallest value on, a horizontal axis is logarithmic.
const WIDE: f64 = 30.0;

/// What an axis must show.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Extent {
    /// Where points lie: all inside the range, unless below a logarithmic one's start.
    pub(super) points: Vec<f64>,
    /// Where error bars end: inside, too, but a logarithmic axis does not stretch far down for them.
    pub(super) bar_ends: Vec<f64>,
}

impl Axis {
    /// An axis for values of ordinary spread: logarithmic only if they are positive and span a wide range.
    pub(super) fn by_range(extent: &Extent) -> Self {
        let (least, most) = bounds(&extent.points);
        if least > 0.0 && most / least >= WIDE { Self::logarithmic(extent) } else { Self::linear(extent) }
    }

    /// An axis for rates and counts of rare events: logarithmic unless a value is negative or none is positive. Zeros
    /// are drawn at its start.
    pub(super) fn for_rare_events(extent: &Extent) -> Self {
        let (least, most) = bounds(&extent.points);
        if least >= 0.0 && most > 0.0 { Self::logarithmic(extent) } else { Self::linear(extent) }
    }

    /// A linear axis from the least to the largest value and no further.
    pub(super) fn over(values: impl Iterator<Item = f64>) -> Self {
        let (least, most) = bounds(&values.collect::<Vec<_>>());
        if least < most {
            return Self { scale: Scale::Linear, from: least, to: most };
        }
        Self::linear(&Extent::default())
    }

    /// A linear axis that shows zero.
    pub(super) fn from_zero(mut values: Vec<f64>) -> Self {
        values.push(0.0);
        Self::linear(&Extent { points: values, bar_ends: Vec::new() })
    }

    fn linear(extent: &Extent) -> Self {
        let all: Vec<f64> = extent.points.iter().chain(&extent.bar_ends).copied().collect();
        let (least, most) = bounds(&all);
        if least > most {
            return Self { scale: Scale::Linear, from: 0.0, to: 1.0 };
        }
        let spread = most - least;
        let magnitude = least.abs().max(most.abs());
        // A spread within rounding would give ticks that all read the same.
        let pad = match () {
            () if spread > 1e-9 * magnitude => 0.06 * spread,
            () if magnitude > 0.0 => 0.1 * magnitude,
            () => 1.0,
        };
        let starts_near_zero = least >= 0.0 && least <= 0.35 * most;
        let from = if starts_near_zero { 0.0 } else { least - pad };
        Self { scale: Scale::Linear, from, to: most + pad }
    }

    fn logarithmic(extent: &Extent) -> Self {
        let positive =
            |values: &[f64]| bounds(&values.iter().copied().filter(|&value| value > 0.0).collect::<Vec<_>>());
        let (points, bars) = (positive(&extent.points), positive(&extent.bar_ends));
        let (lowest, highest) = (points.0.log10(), points.1.max(bars.1).log10());
        // Room for an arrow below the lowest point, and for its bar if that is not much longer.
        let room_below = (0.12 * (highest - lowest)).max(0.3);
        let lowest_bar = bars.0.min(points.0).log10().max(lowest - 1.0);
        let from = (lowest - room_below).min(lowest_bar - 0.05);
        let to = highest + (0.06 * (highest - from)).max(0.1);
        Self { scale: Scale::Logarithmic, from, to }
    }

    /// How far along the axis a value lies: 0 at or before its start, 1 at or beyond its end.
    pub(super) fn fraction(&self, value: f64) -> f64 {
        let position = match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic if value > 0.0 => value.log10(),
            Scale::Logarithmic => return 0.0,
        };
        ((position - self.from) / (self.to - self.from)).clamp(0.0, 1.0)
    }

    /// Whether a value lies before the start of the axis or beyond its end.
    pub(super) fn cuts_off(&self, value: f64) -> bool {
        let fraction = self.fraction(value);
        fraction <= 0.0 || fraction >= 1.0
    }

    /// Ticks, of which at most about `most` have labels.
    pub(super) fn ticks(&self, most: usize) -> Vec<Tick> {
        let most = most.max(2);
        match self.scale {
            Scale::Linear => self.even_ticks(self.from, self.to, most),
            // Within half a decade, round decimals tell more than one power of ten.
            Scale::Logarithmic if self.to - self.from < 0.6 => {
                self.even_ticks(10f64.powf(self.from), 10f64.powf(self.to), most)
            }
            Scale::Logarithmic => self.decade_ticks(most),
        }
    }

    fn even_ticks(&self, from: f64, to: f64, most: usize) -> Vec<Tick> {
        let step = round_step((to - from) / most as f64);
        let (first, last) = ((from / step).ceil() as i64, (to / step).floor() as i64);
        let tick = |multiple: i64| {
            let value = multiple as f64 * step;
            Tick { fraction: self.fraction(value), label: Some(decimal(value, step)) }
        };
        (first..=last).map(tick).collect()
    }

    fn decade_ticks(&self, most: usize) -> Vec<Tick> {
        let (first, last) = (self.from.floor() as i32, self.to.floor() as i32);
        let decades = (self.to - self.from).ceil() as usize;
        let every = decades.div_ceil(most) as i32;
        let labelled: &[u32] = match decades {
            _ if 3 * decades <= most => &[1, 2, 5],
            _ if 2 * decades <= most => &[1, 3],
            _ => &[1],
        };
        let mut ticks = Vec::new();
        for exponent in first..=last {
            for digit in 1..=9 {
                let position = f64::from(exponent) + f64::from(digit).log10();
                let (whole, within) = (digit == 1, (self.from..=self.to).contains(&position));
                // Lines between the decades only where decades are few.
                if !within || !(whole || decades <= 4) || (whole && exponent.rem_euclid(every) != 0) {
                    continue;
                }
                let label = labelled.contains(&digit).then(|| power_of_ten(digit, exponent));
                ticks.push(Tick { fraction: (position - self.from) / (self.to - self.from), label });
            }
        }
        ticks
    }
}

/// The smallest and the largest value; infinitely wrong way round without any.
fn bounds(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), &value| (least.min(value), most.max(value)))
}

/// The smallest of 1, 2, 5 times a power of ten that is at least `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * (1.0 - 1e-12));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(points: &[f64]) -> Extent {
        Extent { points: points.to_vec(), bar_ends: Vec::new() }
    }

    fn labels(axis: &Axis, most: usize) -> Vec<String> {
        axis.ticks(most).into_iter().filter_map(|tick| tick.label).collect()
    }

    #[test]
    fn a_narrow_range_is_linear_and_a_wide_one_logarithmic() {
        assert_eq!(labels(&Axis::by_range(&extent(&[100.0, 400.0])), 5), ["0", "100", "200", "300", "400"]);
        let wide = labels(&Axis::by_range(&extent(&[1.0, 50_000.0])), 8);
        assert_eq!(wide, ["1", "10", "100", "1,000", "10,000", "100,000"][..wide.len()]);
        assert!(wide.len() >= 5, "{wide:?}");
    }

    #[test]
    fn rare_events_are_logarithmic_even_in_a_narrow_range() {
        assert_eq!(labels(&Axis::for_rare_events(&extent(&[0.0, 0.5, 2.0])), 9), ["0.5", "1", "2"]);
    }

    #[test]
    fn without_a_positive_value_an_axis_is_linear() {
        assert_eq!(labels(&Axis::for_rare_events(&extent(&[0.0, 0.0])), 3), ["0", "0.5", "1.0"]);
        assert_eq!(labels(&Axis::for_rare_events(&extent(&[])), 3), ["0", "0.5", "1.0"]);
        assert_eq!(labels(&Axis::for_rare_events(&extent(&[-2.0, 2.0])), 5), ["-2", "-1", "0", "1", "2"]);
    }

    #[test]
    fn every_point_lies_inside_whatever_the_range() {
        let extremes = [1e-300, 1e-7, 3.0, 3.000_000_000_000_1, 1e9, 1e289];
        for (&a, &b) in extremes.iter().flat_map(|a| extremes.iter().map(move |b| (a, b))) {
            for values in [[a, b], [-a, b], [-a, -b], [0.0, b]] {
                for axis in [Axis::by_range(&extent(&values)), Axis::for_rare_events(&extent(&values))] {
                    let ticks = axis.ticks(6);
                    assert!((1..=60).contains(&ticks.len()), "{values:?}: {} ticks", ticks.len());
                    assert!(ticks.iter().all(|tick| (0.0..=1.0).contains(&tick.fraction)), "{values:?}");
                    let inside = |value: &&f64| **value != 0.0;
                    assert!(values.iter().filter(inside).all(|&value| !axis.cuts_off(value)), "{values:?} {axis:?}");
                }
            }
        }
    }

    #[test]
    fn a_bar_down_to_almost_nothing_does_not_stretch_a_logarithmic_axis() {
        let bars = Extent { points: vec![1.0, 10.0], bar_ends: vec![1e-9, 12.0] };
        let axis = Axis::for_rare_events(&bars);
        assert!(axis.cuts_off(1e-9) && !axis.cuts_off(0.15) && !axis.cuts_off(12.0), "{axis:?}");
    }

    #[test]
    fn steps_are_round() {
        for (step, round) in [(0.7, 1.0), (1.0, 1.0), (1.1, 2.0), (3.0, 5.0), (6.0, 10.0), (0.012, 0.02)] {
            assert!((round_step(step) / round - 1.0).abs() < 1e-12, "{step}");
        }
    }
}
