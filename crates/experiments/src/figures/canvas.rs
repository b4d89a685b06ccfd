//! A sheet to draw on, in page units and with the few shapes that a figure needs.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBAColor, RGBColor, ShapeStyle, TextStyle,
};

use super::{FigureError, font};

/// How many units of the drawing library make one unit of the page (a pixel of the PNG).
pub(super) const RESOLUTION: u32 = 3;

/// A place on the page: units to the right and down from the upper left corner.
pub(super) type Place = (f64, f64);

/// A rectangle on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    pub(super) fn holds(&self, other: &Self) -> bool {
        self.left <= other.left && other.right <= self.right && self.top <= other.top && other.bottom <= self.bottom
    }

    /// The square of half-width `reach` around a place.
    pub(super) fn around(place: Place, reach: f64) -> Self {
        Self { left: place.0 - reach, top: place.1 - reach, right: place.0 + reach, bottom: place.1 + reach }
    }
}

/// Which part of a text lies at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// The left end, at half height.
    Left,
    /// The middle.
    Middle,
    /// The right end, at half height.
    Right,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lettering {
    /// The height of the font, in page units.
    pub(super) size: f64,
    pub(super) colour: RGBColor,
    pub(super) bold: bool,
    /// Written from bottom to top.
    pub(super) upwards: bool,
}

impl Lettering {
    pub(super) fn new(size: f64, colour: RGBColor) -> Self {
        Self { size, colour, bold: false, upwards: false }
    }

    pub(super) fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub(super) fn upwards(self) -> Self {
        Self { upwards: true, ..self }
    }

    fn style(self, anchor: Anchor) -> TextStyle<'static> {
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let transform = if self.upwards { FontTransform::Rotate270 } else { FontTransform::None };
        let horizontal = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        // Not by `FontDesc::style`: that would keep the glyphs of the ordinary weight.
        FontDesc::new(FontFamily::Name(font::FAMILY), self.size * f64::from(RESOLUTION), weight)
            .transform(transform)
            .color(&self.colour)
            .pos(Pos::new(horizontal, VPos::Center))
    }

    /// How wide a text is, in page units. Needs the font to be registered.
    pub(super) fn width(self, text: &str) -> f64 {
        let box_ = self.style(Anchor::Left).font.box_size(text);
        box_.map_or(0.0, |(width, _)| f64::from(width) / f64::from(RESOLUTION))
    }
}

/// The smallest size to which a text shrinks before it loses letters, in page units.
const LEAST_SIZE: f64 = 11.0;

/// A text in the look in which it fits into its place.
#[derive(Clone, Debug)]
pub(super) struct Fitted {
    pub(super) text: String,
    pub(super) look: Lettering,
}

impl Lettering {
    /// The text so that it is no longer than `room` page units: smaller if need be and, below the smallest legible size,
    /// with "…" for its middle, since labels differ in their ends. Needs the font to be registered.
    pub(super) fn fit(self, text: &str, room: f64) -> Fitted {
        let width = self.width(text);
        if width <= room {
            return Fitted { text: text.to_owned(), look: self };
        }
        // Glyphs are placed on whole units, so that a width is not quite in proportion to the size.
        let size = (0.99 * self.size * room / width).max(LEAST_SIZE).min(self.size);
        let look = Self { size, ..self };
        Fitted { text: look.clip(text, room), look }
    }

    /// The text at its size, with "…" for as much of its middle as makes it too long.
    pub(super) fn clip(self, text: &str, room: f64) -> String {
        if self.width(text) <= room {
            return text.to_owned();
        }
        let letters: Vec<char> = text.chars().collect();
        let with = |kept: usize| {
            let (before, after) = (&letters[..kept.div_ceil(2)], &letters[letters.len() - kept / 2..]);
            before.iter().chain(&['…']).chain(after).collect::<String>()
        };
        // The most letters that fit: none do at 0, too many at all of them.
        let (mut fits, mut too_many) = (0, letters.len());
        while too_many - fits > 1 {
            let kept = usize::midpoint(fits, too_many);
            if self.width(&with(kept)) <= room {
                fits = kept;
            } else {
                too_many = kept;
            }
        }
        with(fits)
    }
}

/// A sheet of the drawing library, addressed in page units.
pub(super) struct Canvas<'a, DB: DrawingBackend> {
    area: &'a DrawingArea<DB, Shift>,
    /// By how much of its size a text that stands too high is moved down.
    drop: f64,
}

impl<'a, DB: DrawingBackend> Canvas<'a, DB> {
    /// A canvas whose texts stand where the sheet puts them.
    pub(super) fn new(area: &'a DrawingArea<DB, Shift>) -> Self {
        Self { area, drop: 0.0 }
    }

    /// A canvas for glyphs that the drawing library paints by itself: it centres them on something above the middle of
    /// the digits.
    pub(super) fn for_painted_glyphs(area: &'a DrawingArea<DB, Shift>) -> Self {
        Self { area, drop: 0.14 }
    }

    pub(super) fn text(&self, text: &str, place: Place, anchor: Anchor, look: Lettering) -> Result<(), FigureError> {
        let drop = self.drop * look.size;
        let (right, down) = if look.upwards { (drop, 0.0) } else { (0.0, drop) };
        result(self.area.draw_text(text, &look.style(anchor), unit((place.0 + right, place.1 + down))))
    }

    /// A line through places, `width` page units wide.
    pub(super) fn line(&self, places: &[Place], colour: RGBColor, width: f64) -> Result<(), FigureError> {
        let path: Vec<_> = places.iter().copied().map(unit).collect();
        result(self.area.draw(&PathElement::new(path, stroke(colour.to_rgba(), width))))
    }

    /// A filled polygon.
    pub(super) fn polygon(&self, corners: &[Place], colour: RGBAColor) -> Result<(), FigureError> {
        let corners: Vec<_> = corners.iter().copied().map(unit).collect();
        result(self.area.draw(&Polygon::new(corners, colour.filled())))
    }

    /// A filled rectangle.
    pub(super) fn rectangle(&self, area: &Area, colour: RGBAColor) -> Result<(), FigureError> {
        let corners = [unit((area.left, area.top)), unit((area.right, area.bottom))];
        result(self.area.draw(&Rectangle::new(corners, colour.filled())))
    }

    /// A filled disc.
    pub(super) fn disc(&self, centre: Place, radius: f64, colour: RGBAColor) -> Result<(), FigureError> {
        let radius = (radius * f64::from(RESOLUTION)).round() as i32;
        result(self.area.draw(&Circle::new(unit(centre), radius, colour.filled())))
    }
}

fn unit(place: Place) -> (i32, i32) {
    let resolution = f64::from(RESOLUTION);
    ((place.0 * resolution).round() as i32, (place.1 * resolution).round() as i32)
}

fn stroke(colour: RGBAColor, width: f64) -> ShapeStyle {
    colour.stroke_width((width * f64::from(RESOLUTION)).round() as u32)
}

fn result<E: std::error::Error + Send + Sync>(drawn: Result<(), DrawingAreaErrorKind<E>>) -> Result<(), FigureError> {
    drawn.map_err(|error| FigureError::Draw(error.to_string()))
}
