//! Figures of lines over a common horizontal axis, usually time: what happens in a run, or how one number depends on
//! another.

use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor, WHITE};

use super::FigureError;
use super::axis::{Axis, Extent, Tick};
use super::canvas::{Anchor, Area, Canvas, Lettering, Place};
use super::encode::Sheet;
use super::style::{FRAME, FamilyStyle, GRID, INK, SOFT_INK};

/// Panels of lines under one title, one below the other or side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct LineFigure {
    /// The headline.
    pub title: String,
    /// What the reader must know to read the lines; below the panels.
    pub note: String,
    /// The panels, row by row. Colours go by the position of a line in its panel.
    pub panels: Vec<LinePanel>,
    /// How many panels stand side by side; at least 1.
    pub columns: usize,
}

/// Lines over one pair of axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinePanel {
    /// What the panel shows, in a few words.
    pub title: String,
    /// The horizontal axis, with its unit.
    pub x_label: String,
    /// The vertical axis, with its unit.
    pub y_label: String,
    /// Whether the vertical axis is logarithmic; zeros then lie at its start.
    pub logarithmic: bool,
    /// A value that the vertical axis reaches in any case, so that panels can share it.
    pub reaches: Option<f64>,
    /// The lines, the first on top.
    pub lines: Vec<Line>,
    /// Stretches of the horizontal axis that are shaded, behind the lines.
    pub bands: Vec<Band>,
}

/// A line through points in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The name in the legend.
    pub name: String,
    /// Where it goes. Points that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// Whether a value holds until the next point, so that the line is a staircase.
    pub steps: bool,
}

/// A shaded stretch of the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// The name in the legend; bands of one name share a shade.
    pub name: String,
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Drawn as a strip along the upper edge, over the bands that fill the height.
    pub strip: bool,
}

const MARGIN: f64 = 26.0;
const GUTTER: f64 = 14.0;
const HEADER: f64 = 68.0;
const ROW: f64 = 26.0;
const SAMPLE: f64 = 34.0;
const GAP: f64 = 24.0;
const TITLE: f64 = 24.0;
const TEXT: f64 = 14.0;
const SMALL: f64 = 13.0;
/// The height of a strip.
const STRIP: f64 = 9.0;

/// Pale shades for bands, in the order of their names.
const SHADES: [RGBColor; 4] =
    [RGBColor(240, 200, 178), RGBColor(214, 228, 240), RGBColor(232, 224, 240), RGBColor(220, 236, 222)];

fn colour(position: usize) -> RGBColor {
    // Black is for the families' baseline; lines begin with the blue.
    FamilyStyle::at(position + 1).colour
}

/// A figure with everything in its place.
pub(super) struct LinePage<'a> {
    figure: &'a LineFigure,
    shades: Vec<&'a str>,
    legend: Vec<(Entry, &'a str, Place)>,
    legend_rows: usize,
    caption: Vec<String>,
    panel: (f64, f64),
    width: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Entry {
    Line(usize),
    Band(usize),
}

impl<'a> LinePage<'a> {
    /// Arranges a figure. Needs the font to be registered.
    pub(super) fn new(figure: &'a LineFigure) -> Self {
        let columns = figure.columns.clamp(1, figure.panels.len().max(1));
        let rows = figure.panels.len().div_ceil(columns).max(1);
        let panel = match (columns, rows) {
            (1, 1) => (1040.0, 540.0),
            (1, _) => (1040.0, 270.0),
            (2, _) => (700.0, 430.0),
            _ => (520.0, 360.0),
        };
        let inner = columns as f64 * (panel.0 + GUTTER) - GUTTER;
        let mut shades: Vec<&str> = Vec::new();
        let mut entries: Vec<(Entry, &str)> = Vec::new();
        for panel in &figure.panels {
            for (position, line) in panel.lines.iter().enumerate() {
                let entry = (Entry::Line(position), line.name.as_str());
                if !entries.contains(&entry) {
                    entries.push(entry);
                }
            }
        }
        for band in figure.panels.iter().flat_map(|panel| &panel.bands) {
            if !shades.contains(&band.name.as_str()) {
                entries.push((Entry::Band(shades.len()), &band.name));
                shades.push(&band.name);
            }
        }
        let look = Lettering::new(TEXT, INK);
        let (mut x, mut row, mut legend) = (0.0, 0, Vec::new());
        for (entry, name) in entries {
            let length = SAMPLE + look.width(name);
            if x > 0.0 && x + length > inner {
                (x, row) = (0.0, row + 1);
            }
            legend.push((entry, name, (x, (f64::from(row) + 0.5) * ROW)));
            x += length + GAP;
        }
        let legend_rows = if legend.is_empty() { 0 } else { row as usize + 1 };
        let caption = super::page::wrapped(&figure.note, inner);
        Self { figure, shades, legend, legend_rows, caption, panel, width: inner + 2.0 * MARGIN }
    }

    fn columns(&self) -> usize {
        self.figure.columns.clamp(1, self.figure.panels.len().max(1))
    }

    fn panels_top(&self) -> f64 {
        HEADER + self.legend_rows as f64 * ROW + GUTTER
    }

    fn panels_bottom(&self) -> f64 {
        let rows = self.figure.panels.len().div_ceil(self.columns());
        self.panels_top() + rows as f64 * (self.panel.1 + GUTTER)
    }

    fn draw_legend<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        for &(entry, name, (x, y)) in &self.legend {
            let (left, middle) = (MARGIN + x, HEADER + y);
            match entry {
                Entry::Line(position) => {
                    canvas.line(&[(left, middle), (left + 26.0, middle)], colour(position), 2.4)?;
                }
                Entry::Band(position) => {
                    let area = Area { left, top: middle - 8.0, right: left + 26.0, bottom: middle + 8.0 };
                    canvas.rectangle(&area, SHADES[position % SHADES.len()].to_rgba())?;
                }
            }
            canvas.text(name, (left + SAMPLE, middle), Anchor::Left, Lettering::new(TEXT, INK))?;
        }
        Ok(())
    }

    fn draw_panel<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
        panel: &LinePanel,
        area: &Area,
    ) -> Result<(), FigureError> {
        let plot =
            Area { left: area.left + 74.0, top: area.top + 34.0, right: area.right - 14.0, bottom: area.bottom - 46.0 };
        let points = || panel.lines.iter().flat_map(|line| &line.points).filter(|(x, y)| (x + y).is_finite());
        let ends = panel.bands.iter().flat_map(|band| [band.from, band.to]).filter(|end| end.is_finite());
        let x_axis = Axis::over(points().map(|point| point.0).chain(ends));
        let y = Extent { points: points().map(|point| point.1).chain(panel.reaches).collect(), bar_ends: Vec::new() };
        let y_axis = if panel.logarithmic { Axis::for_rare_events(&y) } else { Axis::from_zero(y.points) };
        let place = |x: f64, y: f64| {
            let right = plot.left + x_axis.fraction(x) * (plot.right - plot.left);
            (right, plot.bottom - y_axis.fraction(y) * (plot.bottom - plot.top))
        };
        let (strips, whole): (Vec<&Band>, Vec<&Band>) = panel.bands.iter().partition(|band| band.strip);
        for band in whole.into_iter().chain(strips) {
            let shade = self.shades.iter().position(|name| *name == band.name).unwrap_or(0);
            let (left, right) = (place(band.from, 0.0).0, place(band.to, 0.0).0);
            let bottom = if band.strip { plot.top + STRIP } else { plot.bottom };
            let stretch = Area { left, top: plot.top, right: right.max(left + 0.7), bottom };
            canvas.rectangle(&stretch, SHADES[shade % SHADES.len()].to_rgba())?;
        }
        draw_frame(canvas, panel, &plot, (&x_axis, &y_axis))?;
        for (position, line) in panel.lines.iter().enumerate().rev() {
            let mut path: Vec<Place> = Vec::new();
            for &(x, y) in line.points.iter().filter(|(x, y)| (x + y).is_finite()) {
                let next = place(x, y);
                if line.steps
                    && let Some(&(_, level)) = path.last()
                {
                    path.push((next.0, level));
                }
                path.push(next);
            }
            if path.len() > 1 {
                canvas.line(&path, colour(position), 1.8)?;
            }
        }
        Ok(())
    }
}

fn draw_frame<DB: DrawingBackend>(
    canvas: &Canvas<'_, DB>,
    panel: &LinePanel,
    plot: &Area,
    (x_axis, y_axis): (&Axis, &Axis),
) -> Result<(), FigureError> {
    let &Area { left, top, right, bottom } = plot;
    let text = Lettering::new(SMALL, SOFT_INK);
    let width = |tick: &Tick| if tick.label.is_some() { 0.8 } else { 0.4 };
    for tick in x_axis.ticks(((right - left) / 80.0) as usize) {
        let x = left + tick.fraction * (right - left);
        canvas.line(&[(x, top), (x, bottom)], GRID, width(&tick))?;
        canvas.text(tick.label.as_deref().unwrap_or(""), (x, bottom + 13.0), Anchor::Middle, text)?;
    }
    for tick in y_axis.ticks(((bottom - top) / 40.0) as usize) {
        let y = bottom - tick.fraction * (bottom - top);
        canvas.line(&[(left, y), (right, y)], GRID, width(&tick))?;
        canvas.text(tick.label.as_deref().unwrap_or(""), (left - 8.0, y), Anchor::Right, text)?;
    }
    canvas.line(&[(left, top), (left, bottom), (right, bottom)], FRAME, 1.0)?;
    let title = Lettering::new(16.0, INK).bold().fit(&panel.title, right - left);
    canvas.text(&title.text, (left, top - 17.0), Anchor::Left, title.look)?;
    let x_label = Lettering::new(TEXT, INK).fit(&panel.x_label, right - left);
    canvas.text(&x_label.text, (f64::midpoint(left, right), bottom + 32.0), Anchor::Middle, x_label.look)?;
    let y_label = Lettering::new(TEXT, INK).fit(&panel.y_label, bottom - top);
    let middle = (left - 60.0, f64::midpoint(top, bottom));
    canvas.text(&y_label.text, middle, Anchor::Middle, y_label.look.upwards())?;
    if panel.lines.iter().all(|line| line.points.is_empty()) {
        let centre = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        canvas.text("nothing to draw", centre, Anchor::Middle, Lettering::new(TEXT, SOFT_INK))?;
    }
    Ok(())
}

impl Sheet for LinePage<'_> {
    fn size(&self) -> (u32, u32) {
        let height = self.panels_bottom() + self.caption.len() as f64 * super::page::CAPTION_ROW + MARGIN;
        (self.width.ceil() as u32, height.ceil() as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        let (width, height) = self.size();
        let sheet = Area { left: 0.0, top: 0.0, right: width.into(), bottom: height.into() };
        canvas.rectangle(&sheet, WHITE.to_rgba())?;
        let title = Lettering::new(TITLE, INK).bold().fit(&self.figure.title, self.width - 2.0 * MARGIN);
        canvas.text(&title.text, (MARGIN, 38.0), Anchor::Left, title.look)?;
        self.draw_legend(canvas)?;
        let (columns, (panel_width, panel_height)) = (self.columns(), self.panel);
        for (position, panel) in self.figure.panels.iter().enumerate() {
            let left = MARGIN + (position % columns) as f64 * (panel_width + GUTTER);
            let top = self.panels_top() + (position / columns) as f64 * (panel_height + GUTTER);
            let area = Area { left, top, right: left + panel_width, bottom: top + panel_height };
            self.draw_panel(canvas, panel, &area)?;
        }
        for (row, line) in self.caption.iter().enumerate() {
            let middle = self.panels_bottom() + (row as f64 + 0.5) * super::page::CAPTION_ROW;
            canvas.text(line, (MARGIN, middle), Anchor::Left, Lettering::new(super::page::CAPTION, SOFT_INK))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{encode, font};
    use super::*;

    fn line(name: &str, points: &[(f64, f64)]) -> Line {
        Line { name: name.to_owned(), points: points.to_vec(), steps: true }
    }

    fn figure() -> LineFigure {
        let panel = LinePanel {
            title: "A panel".to_owned(),
            x_label: "second".to_owned(),
            y_label: "slots".to_owned(),
            lines: vec![line("slots", &[(0.0, 1.0), (1.0, 3.0), (2.0, f64::NAN), (3.0, 0.0)]), line("none", &[])],
            bands: vec![Band { name: "open".to_owned(), from: 1.0, to: 2.0, strip: false }],
            ..LinePanel::default()
        };
        let empty = LinePanel { logarithmic: true, ..LinePanel::default() };
        LineFigure { title: "Lines".to_owned(), note: "A note.".to_owned(), panels: vec![panel, empty], columns: 1 }
    }

    #[test]
    fn a_staircase_holds_its_value_until_the_next_point() {
        font::register().unwrap();
        let figure = figure();
        let svg = encode::svg(&LinePage::new(&figure)).unwrap();
        let (blue, wide) = ("#0072B2", "stroke-width=\"5\"");
        let path = svg.lines().find(|text| text.contains(blue) && text.contains(wide) && text.matches(',').count() > 2);
        let points = path.and_then(|text| text.split("points=\"").nth(1)).and_then(|text| text.split('"').next());
        let points: Vec<&str> = points.expect("the line").split_whitespace().collect();
        // Three finite points and a corner before each but the first.
        assert_eq!(points.len(), 5, "{points:?}");
        let y = |place: &str| place.split(',').nth(1).unwrap().parse::<i64>().unwrap();
        assert_eq!(y(points[0]), y(points[1]));
        assert_eq!(y(points[2]), y(points[3]));
        assert!(y(points[2]) < y(points[0]) && y(points[0]) < y(points[4]));
    }

    #[test]
    fn names_stand_in_the_legend_once_and_the_note_below() {
        font::register().unwrap();
        let figure = figure();
        let svg = encode::svg(&LinePage::new(&figure)).unwrap();
        let times = |text: &str| svg.matches(&format!("\n{text}\n")).count();
        assert_eq!((times("open"), times("none"), times("A note."), times("nothing to draw")), (1, 1, 1, 1));
    }

    #[test]
    fn the_same_figure_gives_the_same_bytes() {
        font::register().unwrap();
        let figure = figure();
        assert_eq!(encode::png(&LinePage::new(&figure)).unwrap(), encode::png(&LinePage::new(&figure)).unwrap());
    }
}
