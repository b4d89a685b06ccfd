//! Colours and markers: each rule family has its own pair, so that neither colour vision nor colour print is needed.

use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBAColor, RGBColor, WHITE};
use statistics::MembershipClass;

use super::canvas::{Canvas, Place};
use super::{FamilyMark, FigureError};

pub(super) const INK: RGBColor = RGBColor(38, 38, 38);
pub(super) const SOFT_INK: RGBColor = RGBColor(105, 105, 105);
pub(super) const GRID: RGBColor = RGBColor(232, 232, 232);
pub(super) const FRAME: RGBColor = RGBColor(150, 150, 150);
/// The line under every threshold.
pub(super) const FLOOR: RGBColor = RGBColor(60, 60, 60);
/// The arrows that point to "better".
pub(super) const BETTER: RGBColor = RGBColor(90, 90, 90);

/// How a family is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FamilyStyle {
    pub(super) colour: RGBColor,
    pub(super) marker: Marker,
}

/// A marker's outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marker {
    Disc,
    Square,
    Diamond,
    Triangle,
    Pentagon,
    Plus,
    Star,
    LyingTriangle,
}

/// The colours of Okabe and Ito ("Color Universal Design", 2008), which stay apart under the common forms of colour
/// blindness, in the order in which families take them. Yellow, weak on white, comes last.
const STYLES: [FamilyStyle; 8] = [
    FamilyStyle { colour: RGBColor(0, 0, 0), marker: Marker::Diamond },
    FamilyStyle { colour: RGBColor(0, 114, 178), marker: Marker::Disc },
    FamilyStyle { colour: RGBColor(213, 94, 0), marker: Marker::Square },
    FamilyStyle { colour: RGBColor(0, 158, 115), marker: Marker::Triangle },
    FamilyStyle { colour: RGBColor(204, 121, 167), marker: Marker::Pentagon },
    FamilyStyle { colour: RGBColor(86, 180, 233), marker: Marker::Plus },
    FamilyStyle { colour: RGBColor(230, 159, 0), marker: Marker::Star },
    FamilyStyle { colour: RGBColor(240, 228, 66), marker: Marker::LyingTriangle },
];

impl FamilyStyle {
    /// The style of the family at a position of a panel's list. From the ninth family on, colours come again with the
    /// next marker, so that the pair stays unique up to 64 families.
    pub(super) fn at(position: usize) -> Self {
        let (round, place) = (position / STYLES.len(), position % STYLES.len());
        Self { colour: STYLES[place].colour, marker: STYLES[(place + round) % STYLES.len()].marker }
    }

    /// Its colour and marker for whoever draws elsewhere.
    pub(super) fn mark_elsewhere(self) -> FamilyMark {
        const RADIUS: f64 = 5.5;
        let RGBColor(red, green, blue) = self.colour;
        let path = match self.marker {
            Marker::Disc => {
                format!("M-{RADIUS} 0a{RADIUS} {RADIUS} 0 1 0 {0} 0a{RADIUS} {RADIUS} 0 1 0 -{0} 0z", 2.0 * RADIUS)
            }
            other => {
                let (offset, corners) = other.corners();
                let place = |&(x, y): &Place| format!("{:.2} {:.2}", RADIUS * x, RADIUS * (y + offset));
                format!("M{}z", corners.iter().map(place).collect::<Vec<_>>().join("L"))
            }
        };
        FamilyMark { colour: format!("#{red:02x}{green:02x}{blue:02x}"), path }
    }

    /// The family's marker, filled.
    pub(super) fn fill<DB: DrawingBackend>(
        self,
        canvas: &Canvas<'_, DB>,
        centre: Place,
        radius: f64,
        opacity: f64,
    ) -> Result<(), FigureError> {
        self.marker.draw(canvas, centre, radius, self.colour.mix(opacity))
    }

    /// The family's marker with a rim around it, light or, for what is outlined, dark within light: legible on lines and on
    /// others.
    pub(super) fn mark<DB: DrawingBackend>(
        self,
        canvas: &Canvas<'_, DB>,
        centre: Place,
        radius: f64,
        look: MarkLook,
    ) -> Result<(), FigureError> {
        let (x, y) = centre;
        if look.arrow {
            let (head, tip) = (y + radius + 9.0, y + radius + 15.0);
            canvas.line(&[centre, (x, head)], self.colour, 1.7)?;
            canvas.polygon(&[(x - 4.0, head), (x + 4.0, head), (x, tip)], self.colour.to_rgba())?;
        }
        let rim = if look.outlined { INK } else { WHITE };
        if look.outlined {
            self.marker.draw(canvas, centre, radius + 2.6, WHITE.to_rgba())?;
        }
        self.marker.draw(canvas, centre, radius + 1.4, rim.to_rgba())?;
        self.fill(canvas, centre, radius, 1.0)?;
        match look.fill {
            Fill::Full => Ok(()),
            Fill::Half => self.marker.draw_right_half(canvas, centre, 0.75 * radius, WHITE.to_rgba()),
            Fill::Hollow => self.marker.draw(canvas, centre, radius - 2.0, WHITE.to_rgba()),
        }
    }
}

/// How a marker looks beyond its colour and shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MarkLook {
    pub(super) fill: Fill,
    /// A dark outline.
    pub(super) outlined: bool,
    /// An arrow downwards: the truth lies somewhere below.
    pub(super) arrow: bool,
}

/// How much of a marker is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    Full,
    /// The left half.
    Half,
    Hollow,
}

impl From<MembershipClass> for Fill {
    fn from(class: MembershipClass) -> Self {
        match class {
            MembershipClass::In => Self::Full,
            MembershipClass::Undecided => Self::Half,
            MembershipClass::Out => Self::Hollow,
        }
    }
}

/// A ring around a mark.
pub(super) fn ring<DB: DrawingBackend>(canvas: &Canvas<'_, DB>, (x, y): Place, radius: f64) -> Result<(), FigureError> {
    let corner = |corner: u32| polar(radius, 10.0 * f64::from(corner));
    let places: Vec<Place> = (0..=36).map(corner).map(|(right, down)| (x + right, y + down)).collect();
    canvas.line(&places, INK, 1.3)
}

/// Cross-hairs around a mark, on the diagonals, where neither bars nor arrows lie.
pub(super) fn cross_hairs<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    (x, y): Place,
    (from, to): (f64, f64),
) -> Result<(), FigureError> {
    for (right, down) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let at = |reach: f64| (x + right * reach, y + down * reach);
        canvas.line(&[at(from), at(to)], INK, 2.0)?;
    }
    Ok(())
}

/// A small triangle that points down: like the arrow of [`FamilyStyle::mark`], for the many.
pub(super) fn pointing_down<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    (x, y): Place,
    radius: f64,
    colour: RGBAColor,
) -> Result<(), FigureError> {
    canvas.polygon(&[(x - radius, y - 0.6 * radius), (x + radius, y - 0.6 * radius), (x, y + 1.3 * radius)], colour)
}

impl Marker {
    fn draw<DB: DrawingBackend>(
        self,
        canvas: &Canvas<'_, DB>,
        centre: Place,
        radius: f64,
        colour: RGBAColor,
    ) -> Result<(), FigureError> {
        if self == Self::Disc {
            return canvas.disc(centre, radius, colour);
        }
        let (offset, corners) = self.corners();
        let place = |&(x, y): &Place| (centre.0 + radius * x, centre.1 + radius * (y + offset));
        canvas.polygon(&corners.iter().map(place).collect::<Vec<_>>(), colour)
    }

    fn draw_right_half<DB: DrawingBackend>(
        self,
        canvas: &Canvas<'_, DB>,
        centre: Place,
        radius: f64,
        colour: RGBAColor,
    ) -> Result<(), FigureError> {
        let (offset, corners) = match self {
            Self::Disc => (0.0, regular(36, 1.0, 0.0)),
            other => other.corners(),
        };
        let place = |(x, y): Place| (centre.0 + radius * x, centre.1 + radius * (y + offset));
        canvas.polygon(&right_half(&corners).into_iter().map(place).collect::<Vec<_>>(), colour)
    }

    /// The corners around the centre, in units of a radius chosen so that all markers look equally large, and how far
    /// down to shift them so that the middle of what is seen lies at the centre.
    fn corners(self) -> (f64, Vec<Place>) {
        match self {
            Self::Disc => (0.0, Vec::new()),
            Self::Square => (0.0, regular(4, 1.25, 45.0)),
            Self::Diamond => (0.0, regular(4, 1.3, 0.0)),
            Self::Triangle => (0.2, regular(3, 1.4, 0.0)),
            Self::LyingTriangle => (0.0, regular(3, 1.4, 90.0)),
            Self::Pentagon => (0.05, regular(5, 1.2, 0.0)),
            Self::Plus => (0.0, plus()),
            Self::Star => (0.05, star()),
        }
    }
}

/// What of a polygon lies at x ≥ 0 (Sutherland & Hodgman, *Communications of the ACM* 17, 1974).
fn right_half(corners: &[Place]) -> Vec<Place> {
    let mut kept = Vec::with_capacity(corners.len() + 2);
    for (position, &to) in corners.iter().enumerate() {
        let from = corners[(position + corners.len() - 1) % corners.len()];
        if (from.0 >= 0.0) != (to.0 >= 0.0) {
            kept.push((0.0, from.1 - from.0 * (to.1 - from.1) / (to.0 - from.0)));
        }
        if to.0 >= 0.0 {
            kept.push(to);
        }
    }
    kept
}

/// The corners of a regular polygon, the first one `turn` degrees clockwise from the top.
fn regular(corners: u32, radius: f64, turn: f64) -> Vec<Place> {
    (0..corners).map(|corner| polar(radius, turn + 360.0 * f64::from(corner) / f64::from(corners))).collect()
}

fn star() -> Vec<Place> {
    (0..10).map(|corner| polar(if corner % 2 == 0 { 1.55 } else { 0.68 }, 36.0 * f64::from(corner))).collect()
}

fn plus() -> Vec<Place> {
    let (arm, reach) = (0.46, 1.3);
    let quarter = [(-arm, -reach), (arm, -reach), (arm, -arm)];
    let turned = |turns: usize| quarter.map(|corner| (0..turns).fold(corner, |(x, y), _| (-y, x)));
    (0..4).flat_map(turned).collect()
}

fn polar(radius: f64, degrees_from_top: f64) -> Place {
    let (sin, cos) = degrees_from_top.to_radians().sin_cos();
    (radius * sin, -radius * cos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_families_look_alike() {
        for (first, second) in (0..64).flat_map(|first| (0..first).map(move |second| (first, second))) {
            assert_ne!(FamilyStyle::at(first), FamilyStyle::at(second), "{first} and {second}");
        }
        let colours: Vec<_> = (0..8).map(|position| FamilyStyle::at(position).colour).collect();
        assert!((0..8).all(|i| !colours[..i].contains(&colours[i])), "the first eight differ in colour alone");
    }

    /// Twice the area within, by the shoelace formula.
    fn twice_area(corners: &[Place]) -> f64 {
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).map(|((x, y), (u, v))| x * v - y * u).sum::<f64>().abs()
    }

    #[test]
    fn marks_elsewhere_have_the_colours_and_corners_of_the_figures() {
        let mark = FamilyStyle::at(1).mark_elsewhere();
        assert_eq!(mark.colour, "#0072b2");
        assert_eq!(mark.path, "M-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0z");
        let square = FamilyStyle::at(2).mark_elsewhere();
        assert_eq!(square.colour, "#d55e00");
        assert_eq!(square.path, "M4.86 -4.86L4.86 4.86L-4.86 4.86L-4.86 -4.86z");
        let paths: std::collections::BTreeSet<String> =
            (0..8).map(|position| FamilyStyle::at(position).mark_elsewhere().path).collect();
        assert_eq!(paths.len(), 8);
    }

    #[test]
    fn half_of_a_marker_is_half_of_it() {
        let markers = [Marker::Square, Marker::Diamond, Marker::Triangle, Marker::Pentagon, Marker::Plus, Marker::Star];
        for marker in markers {
            let (_, corners) = marker.corners();
            let half = right_half(&corners);
            assert!(half.iter().all(|&(x, _)| x >= -1e-12), "{marker:?}: {half:?}");
            let share = twice_area(&half) / twice_area(&corners);
            assert!((share - 0.5).abs() < 1e-9, "{marker:?}: {share}");
        }
        let lying = Marker::LyingTriangle.corners().1;
        let share = twice_area(&right_half(&lying)) / twice_area(&lying);
        assert!((0.3..0.7).contains(&share), "{share}");
    }

    #[test]
    fn a_plus_has_twelve_corners_at_two_distances() {
        let corners = plus();
        assert_eq!(corners.len(), 12);
        let outer = corners.iter().filter(|(x, y)| x.abs().max(y.abs()) > 1.0).count();
        assert_eq!(outer, 8);
    }
}
