//! What of a panel can be drawn: finite points, each with its standing, and a staircase per family.

use statistics::{Interval, front, staircase};

use super::style::FamilyStyle;
use super::{Family, Measured, Point, Surety};

/// Where a design stands among the others of its panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// No design of any family is better in one objective and no worse in the other.
    OverallFront,
    /// No design of its own family is, but one of another family is.
    FamilyFront,
    /// Some design of its own family is better.
    Behind,
}

/// A design as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawablePoint {
    /// The design's name; with " (+2)" if two others of its family have the same estimates, and with what else is to be
    /// said of it.
    pub(super) name: String,
    pub(super) x: Measured,
    pub(super) y: Measured,
    /// Where on the vertical axis it is drawn: its estimate or, without any event, the upper end of its interval.
    pub(super) drawn_y: f64,
    /// Whether it is drawn as one of which no event was seen.
    pub(super) zero_events: bool,
    pub(super) standing: Standing,
    /// Whether it, or one that ties with it, is the setting in use.
    pub(super) current: bool,
    pub(super) surety: Option<Surety>,
}

impl DrawablePoint {
    /// Whether its name comes before all others.
    pub(super) fn is_special(&self) -> bool {
        self.current || self.knee().is_some()
    }

    /// For the knee, its share of the draws.
    pub(super) fn knee(&self) -> Option<f64> {
        self.surety.as_ref().and_then(|surety| surety.knee)
    }

    /// The outline that stands in the place of error bars; empty for none.
    pub(super) fn outline(&self) -> &[(f64, f64)] {
        match &self.surety {
            // Without any event one axis of the region has no length, and the arrow tells more.
            Some(surety) if self.standing == Standing::OverallFront && !self.zero_events => &surety.outline,
            _ => &[],
        }
    }
}

/// A family as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DrawableFamily {
    pub(super) style: FamilyStyle,
    pub(super) points: Vec<DrawablePoint>,
    /// The corners of the staircase through the estimates of the family's front. (A zero lies below every logarithmic
    /// axis: the last stair then goes down to the axis, past the mark at the upper bound.)
    pub(super) staircase: Vec<(f64, f64)>,
    /// How many points were left out because a coordinate is not finite.
    pub(super) left_out: usize,
}

/// Beyond this, sums and differences of coordinates would no longer be finite.
const LARGEST: f64 = 1e290;

/// The families of a panel as they are drawn.
pub(super) fn families(families: &[Family]) -> Vec<DrawableFamily> {
    let mut drawable: Vec<_> = families.iter().enumerate().map(|(position, family)| within(position, family)).collect();
    let points: Vec<&mut DrawablePoint> = drawable.iter_mut().flat_map(|family| &mut family.points).collect();
    mark_overall_front(points);
    drawable
}

fn within(position: usize, family: &Family) -> DrawableFamily {
    let mut points: Vec<DrawablePoint> = family.points.iter().filter_map(drawable).collect();
    let estimates: Vec<(f64, f64)> = points.iter().map(estimate).collect();
    let front = front(&estimates).expect("what is not a number was left out");
    let mut tied = vec![false; points.len()];
    for member in front {
        let point = &mut points[member.index];
        point.standing = Standing::FamilyFront;
        if !member.ties.is_empty() {
            point.name = format!("{} (+{})", point.name, member.ties.len());
        }
        for tie in member.ties {
            tied[tie] = true;
            points[member.index].current |= points[tie].current;
        }
    }
    for point in &mut points {
        if let Some(share) = point.knee() {
            point.name = format!("{}, knee {:.0} %", point.name, 100.0 * share);
        }
        if point.current {
            point.name = format!("{}, current", point.name);
        }
    }
    let left_out = family.points.len() - points.len();
    let mut tied = tied.into_iter();
    points.retain(|_| !tied.next().unwrap_or(false));
    let staircase = staircase(&estimates).expect("what is not a number was left out");
    DrawableFamily { style: FamilyStyle::at(position), points, staircase, left_out }
}

fn mark_overall_front(points: Vec<&mut DrawablePoint>) {
    let estimates: Vec<(f64, f64)> = points.iter().map(|point| estimate(point)).collect();
    let mut on_front = vec![false; points.len()];
    for member in front(&estimates).expect("what is not a number was left out") {
        on_front[member.index] = true;
        for tie in member.ties {
            on_front[tie] = true;
        }
    }
    for (point, _) in points.into_iter().zip(on_front).filter(|(_, on_front)| *on_front) {
        point.standing = Standing::OverallFront;
    }
}

fn estimate(point: &DrawablePoint) -> (f64, f64) {
    (point.x.value, point.y.value)
}

fn drawable(point: &Point) -> Option<DrawablePoint> {
    let (x, y) = (measured(point.x)?, measured(point.y)?);
    // Without an interval there is no upper end to draw the point at.
    let upper_end = y.interval.map(|interval| interval.hi).filter(|_| point.zero_events);
    Some(DrawablePoint {
        name: point.label.clone(),
        x,
        y,
        drawn_y: upper_end.unwrap_or(y.value),
        zero_events: point.zero_events,
        standing: Standing::Behind,
        current: point.current,
        surety: point.surety.clone(),
    })
}

/// The value, and its interval unless an end is not finite.
fn measured(measured: Measured) -> Option<Measured> {
    let finite = |value: f64| value.abs() <= LARGEST;
    let whole = |interval: &Interval| finite(interval.lo) && finite(interval.hi);
    finite(measured.value).then(|| Measured { value: measured.value, interval: measured.interval.filter(whole) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(label: &str, x: f64, y: f64) -> Point {
        let exactly = |value| Measured { value, interval: None };
        Point {
            label: label.to_owned(),
            x: exactly(x),
            y: exactly(y),
            zero_events: false,
            current: false,
            surety: None,
        }
    }

    fn family(points: Vec<Point>) -> Family {
        Family { name: "family".to_owned(), points }
    }

    fn standings(families: &[DrawableFamily]) -> Vec<(String, Standing)> {
        families.iter().flat_map(|family| &family.points).map(|point| (point.name.clone(), point.standing)).collect()
    }

    #[test]
    fn each_design_stands_in_its_family_and_among_all() {
        let first = family(vec![point("a", 1.0, 3.0), point("b", 2.0, 2.0), point("c", 2.0, 3.0)]);
        let second = family(vec![point("d", 2.0, 1.0), point("e", 5.0, 0.5)]);
        let expected = [
            ("a", Standing::OverallFront),
            ("b", Standing::FamilyFront),
            ("c", Standing::Behind),
            ("d", Standing::OverallFront),
            ("e", Standing::OverallFront),
        ];
        assert_eq!(
            standings(&families(&[first, second])),
            expected.map(|(name, standing)| (name.to_owned(), standing))
        );
    }

    #[test]
    fn equal_designs_of_a_front_are_drawn_once_and_counted() {
        let tied = family(vec![point("a", 1.0, 1.0), point("b", 1.0, 1.0), point("c", 2.0, 2.0), point("d", 1.0, 1.0)]);
        let expected = [("a (+2)".to_owned(), Standing::OverallFront), ("c".to_owned(), Standing::Behind)];
        assert_eq!(standings(&families(&[tied])), expected);
    }

    #[test]
    fn what_stands_for_ties_stands_for_the_current_one_among_them() {
        let mut current = point("b", 1.0, 1.0);
        current.current = true;
        let drawable = families(&[family(vec![point("a", 1.0, 1.0), current, point("c", 2.0, 0.5)])]);
        let current = |point: &DrawablePoint| (point.name.clone(), point.current);
        let points: Vec<_> = drawable[0].points.iter().map(current).collect();
        assert_eq!(points, [("a (+1), current".to_owned(), true), ("c".to_owned(), false)]);
    }

    #[test]
    fn equal_designs_of_two_families_are_both_on_the_front() {
        let both = families(&[family(vec![point("a", 1.0, 1.0)]), family(vec![point("b", 1.0, 1.0)])]);
        assert!(standings(&both).iter().all(|(_, standing)| *standing == Standing::OverallFront));
    }

    #[test]
    fn what_is_not_finite_is_left_out_and_counted() {
        let wild = family(vec![
            point("a", f64::NAN, 1.0),
            point("b", 1.0, f64::INFINITY),
            point("c", 1.0, 1.0),
            point("d", f64::MAX, 1.0),
        ]);
        let drawable = families(&[wild]);
        assert_eq!(drawable[0].left_out, 3);
        assert_eq!(standings(&drawable), [("c".to_owned(), Standing::OverallFront)]);
    }

    #[test]
    fn no_event_is_drawn_at_the_upper_end_and_compared_as_zero() {
        let mut never = point("never", 2.0, 0.0);
        never.zero_events = true;
        never.y.interval = Some(Interval { lo: 0.0, hi: 0.02 });
        let rarely = point("rarely", 3.0, 0.01);
        let drawable = families(&[family(vec![never, rarely])]);
        let [never, rarely] = &drawable[0].points[..] else { panic!("both are drawn") };
        assert_eq!((never.drawn_y, never.standing), (0.02, Standing::OverallFront));
        assert_eq!((rarely.drawn_y, rarely.standing), (0.01, Standing::Behind));
        assert_eq!(drawable[0].staircase, [(2.0, 0.0)]);
    }
}
