//! Figures: what is drawn (plain numbers), and how it becomes an SVG and a PNG.
//!
//! A [`ParetoFigure`] is a grid of [`Panel`]s. Each holds the designs of several rule families as points of two
//! objectives, both better when smaller. [`draw`] shows every design faintly, and through the designs that no other
//! design of their family beats a staircase: between two designs nothing was simulated, so no straight line joins them.
//! Designs on a family's front have error bars on both axes; those that no design of *any* family beats are outlined
//! and named. Where it was studied how surely a design is on the front, its mark is filled, half filled or hollow, and
//! the region in which the front may lie is shaded.
//!
//! A [`LineFigure`] shows lines over time or over another number.
//!
//! No font of the system is used: the PNG is drawn with an embedded DejaVu Sans, and the SVG asks for a generic
//! sans-serif.

mod axis;
mod axis_label;
mod canvas;
mod drawable;
mod encode;
mod font;
mod label;
mod legend;
mod lines;
mod page;
mod panel;
mod style;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use statistics::{AttainmentBand, Interval, Level, MembershipClass};

pub use lines::{Band, Line, LineFigure, LinePanel};

/// A grid of panels under one title.
#[derive(Clone, Debug, PartialEq)]
pub struct ParetoFigure {
    /// The headline.
    pub title: String,
    /// Whatever the reader must know beside the sample size and the level, which the caption states by itself.
    pub note: String,
    /// How many replications each estimate rests on.
    pub replications: u64,
    /// The confidence level of every interval.
    pub level: Level,
    /// The panels, row by row. A last row may be incomplete.
    pub panels: Vec<Panel>,
    /// How many panels stand side by side; at least 1.
    pub columns: usize,
}

/// One pair of objectives, and every design's estimate of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// What the panel compares, in a few words.
    pub title: String,
    /// The horizontal objective, with its unit.
    pub x_label: String,
    /// The vertical objective, with its unit.
    pub y_label: String,
    /// What is drawn before the first failed call has ended, on the horizontal axis: a dashed line.
    pub floor: Option<f64>,
    /// Where the front of all families may lie: shaded, from its best edge to its worst.
    pub band: Option<AttainmentBand>,
    /// The rule families. Colour and marker go by the position in this list, so a family keeps both across panels and
    /// figures when every list has the same order; a family without points keeps its place.
    pub families: Vec<Family>,
}

/// The designs of one rule family.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// The name in the legend.
    pub name: String,
    /// Its designs, in any order.
    pub points: Vec<Point>,
}

/// How a family is drawn, for pictures that are made elsewhere: the same colour and shape as in the figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FamilyMark {
    /// As CSS and SVG write it: `#0072b2`.
    pub colour: String,
    /// The marker as the `d` of an SVG path around the origin, some eleven units across.
    pub path: String,
}

/// How the family at a position of [`Panel::families`] is drawn.
#[must_use]
pub fn family_mark(position: usize) -> FamilyMark {
    style::FamilyStyle::at(position).mark_elsewhere()
}

/// One design's estimates of the two objectives.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// A short name, such as "5 of 20, 1 s".
    pub label: String,
    /// The horizontal estimate.
    pub x: Measured,
    /// The vertical estimate.
    pub y: Measured,
    /// Whether `y` counts events of which none was seen. Such a point is drawn at the upper end of `y`'s interval with a
    /// mark of its own, because a zero that was estimated does not mean "never".
    pub zero_events: bool,
    /// Whether it is the setting in use: marked by cross-hairs, and named.
    pub current: bool,
    /// How surely it is on the front of all families, where that was studied.
    pub surety: Option<Surety>,
}

/// How surely a design is on the front of all families.
#[derive(Clone, Debug, PartialEq)]
pub struct Surety {
    /// Filled, half filled or hollow.
    pub class: MembershipClass,
    /// For the knee, the share of draws in which it is the knee: a ring, and a word beside the name.
    pub knee: Option<f64>,
    /// The outline of the region that holds both means together; empty for none. It stands in the place of error bars.
    pub outline: Vec<(f64, f64)>,
}

/// A value with its interval, where there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The estimate.
    pub value: f64,
    /// Its interval at the figure's level.
    pub interval: Option<Interval>,
}

/// Draws the figure twice, as an SVG and as a PNG. The same figure gives the same bytes. Each file appears whole or not at
/// all. Texts that are too long for their place are set smaller and, if that is not enough, lose their middle.
///
/// Points with a coordinate that is not finite are left out, and the caption says how many.
///
/// # Errors
///
/// [`FigureError::Write`] if a file cannot be written; its folder must exist. [`FigureError::Draw`] if the drawing
/// library fails, which no figure is known to bring about.
pub fn draw(figure: &ParetoFigure, svg_path: &Path, png_path: &Path) -> Result<(), FigureError> {
    font::register()?;
    draw_sheet(&page::Page::new(figure), svg_path, png_path)
}

/// Draws a figure of lines twice, as [`draw`] does.
///
/// # Errors
///
/// Those of [`draw`].
pub fn draw_lines(figure: &LineFigure, svg_path: &Path, png_path: &Path) -> Result<(), FigureError> {
    font::register()?;
    draw_sheet(&lines::LinePage::new(figure), svg_path, png_path)
}

fn draw_sheet(page: &impl encode::Sheet, svg_path: &Path, png_path: &Path) -> Result<(), FigureError> {
    // Both exist in memory before a file is touched: a failure to draw leaves older figures as they are.
    let svg = encode::svg(page)?;
    let png = encode::png(page)?;
    write(svg_path, svg.as_bytes())?;
    write(png_path, &png)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), FigureError> {
    crate::publish::publish(path, bytes).map_err(|source| FigureError::Write { path: path.to_path_buf(), source })
}

/// Why a figure could not be drawn.
#[derive(Debug)]
pub enum FigureError {
    /// The drawing library or the image encoder failed.
    Draw(String),
    /// The file could not be written.
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
}

impl fmt::Display for FigureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw(reason) => write!(f, "cannot draw the figure: {reason}"),
            Self::Write { path, source } => write!(f, "cannot write the figure {}: {source}", path.display()),
        }
    }
}

impl Error for FigureError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Draw(_) => None,
            Self::Write { source, .. } => Some(source),
        }
    }
}
