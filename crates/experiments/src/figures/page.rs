//! The whole page: title, legend, the grid of panels, caption.

use plotters::prelude::DrawingBackend;

use super::canvas::{Anchor, Area, Canvas, Fitted, Lettering};
use super::encode::Sheet;
use super::legend::Legend;
use super::panel::PanelLayout;
use super::style::{INK, SOFT_INK};
use super::{FigureError, Panel, ParetoFigure};

const MARGIN: f64 = 26.0;
const TITLE: f64 = 24.0;
pub(super) const CAPTION: f64 = 13.5;
pub(super) const CAPTION_ROW: f64 = 20.0;
/// From the page's top edge to the legend.
const HEADER: f64 = 68.0;
/// Between the panels, and between them and what stands above.
const GUTTER: f64 = 16.0;

/// A figure with everything in its place.
pub(super) struct Page<'a> {
    title: Fitted,
    legend: Legend,
    panels: Vec<PanelLayout<'a>>,
    caption: Vec<String>,
    width: f64,
    height: f64,
}

impl<'a> Page<'a> {
    /// Arranges a figure. Needs the font to be registered.
    pub(super) fn new(figure: &'a ParetoFigure) -> Self {
        let columns = figure.columns.clamp(1, figure.panels.len().max(1));
        let rows = figure.panels.len().div_ceil(columns);
        let (panel_width, panel_height) = panel_size(columns, rows);
        let inner_width = columns as f64 * (panel_width + GUTTER) - GUTTER;

        let level = percent(figure.level.fraction());
        // The legend's height moves the panels but changes nothing about them, so they are arranged at the top first.
        let arrange = |top: f64| -> Vec<PanelLayout<'a>> {
            let at = |(position, panel): (usize, &'a Panel)| {
                let left = MARGIN + (position % columns) as f64 * (panel_width + GUTTER);
                let top = top + (position / columns) as f64 * (panel_height + GUTTER);
                PanelLayout::new(panel, Area { left, top, right: left + panel_width, bottom: top + panel_height })
            };
            figure.panels.iter().enumerate().map(at).collect()
        };
        let legend = Legend::new(&arrange(0.0), &family_names(&figure.panels), &level, inner_width);
        let top = HEADER + legend.height() + GUTTER;
        let panels = arrange(top);
        let caption = wrapped(&caption(figure, &panels, &level), inner_width);
        let bottom = top + rows as f64 * (panel_height + GUTTER) + caption.len() as f64 * CAPTION_ROW;
        Self {
            title: Lettering::new(TITLE, INK).bold().fit(&figure.title, inner_width),
            legend,
            panels,
            caption,
            width: inner_width + 2.0 * MARGIN,
            height: bottom + MARGIN,
        }
    }
}

impl Sheet for Page<'_> {
    fn size(&self) -> (u32, u32) {
        (self.width.ceil() as u32, self.height.ceil() as u32)
    }

    fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        let sheet = Area { left: 0.0, top: 0.0, right: self.width.ceil(), bottom: self.height.ceil() };
        canvas.rectangle(&sheet, plotters::style::Color::to_rgba(&plotters::style::WHITE))?;
        canvas.text(&self.title.text, (MARGIN, 38.0), Anchor::Left, self.title.look)?;
        self.legend.draw(canvas, (MARGIN, HEADER))?;
        for panel in &self.panels {
            panel.draw(canvas)?;
        }
        let first = self.height - MARGIN - self.caption.len() as f64 * CAPTION_ROW;
        for (row, line) in self.caption.iter().enumerate() {
            let middle = first + (row as f64 + 0.5) * CAPTION_ROW;
            canvas.text(line, (MARGIN, middle), Anchor::Left, Lettering::new(CAPTION, SOFT_INK))?;
        }
        Ok(())
    }
}

/// Panels shrink as they become more, so that the page stays legible on a screen.
fn panel_size(columns: usize, rows: usize) -> (f64, f64) {
    let (width, height) = match columns {
        1 => (1040.0, 540.0),
        2 => (766.0, 530.0),
        3 => (620.0, 450.0),
        _ => (540.0, 410.0),
    };
    (width, if rows == 1 { height * 1.15 } else { height })
}

/// The families' names by position, from whichever panel lists most of them.
fn family_names(panels: &[Panel]) -> Vec<(usize, &str)> {
    let longest = panels.iter().max_by_key(|panel| panel.families.len());
    longest.into_iter().flat_map(|panel| panel.families.iter().map(|family| family.name.as_str())).enumerate().collect()
}

/// 0.95 as "95 %".
fn percent(fraction: f64) -> String {
    // Twelve decimals hide the rounding of 100 · 0.999, and no more than that.
    let text = format!("{:.12}", 100.0 * fraction);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

fn caption(figure: &ParetoFigure, panels: &[PanelLayout<'_>], level: &str) -> String {
    let n = figure.replications;
    let replications = if n == 1 { "replication" } else { "replications" };
    let mut caption = format!("n = {n} {replications} per design; bars are {level} per-design intervals.");
    if panels.iter().flat_map(PanelLayout::points).any(|point| point.name.contains("(+")) {
        caption += " (+n): so many more designs with equal estimates.";
    }
    let unnamed: usize = panels.iter().map(|panel| panel.unnamed).sum();
    if unnamed > 0 {
        caption += " Where names would overlap, some are left out.";
    }
    let left_out: usize = panels.iter().map(PanelLayout::left_out).sum();
    if left_out > 0 {
        let (points, are) = if left_out == 1 { ("point", "is") } else { ("points", "are") };
        caption += &format!(" {left_out} {points} without a finite estimate {are} not drawn.");
    }
    if !figure.note.is_empty() {
        caption = format!("{caption} {}", figure.note);
    }
    caption
}

/// The text in lines no wider than `width`, broken between words; a word that is wider loses its middle.
pub(super) fn wrapped(text: &str, width: f64) -> Vec<String> {
    let look = Lettering::new(CAPTION, SOFT_INK);
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace().map(|word| look.clip(word, width)) {
        match lines.last_mut() {
            Some(line) if look.width(&format!("{line} {word}")) <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_read_as_percent() {
        for (fraction, text) in [(0.95, "95 %"), (0.999, "99.9 %"), (0.5, "50 %"), (0.999_999, "99.9999 %")] {
            assert_eq!(percent(fraction), text);
        }
    }

    #[test]
    fn a_caption_breaks_between_words() {
        super::super::font::register().unwrap();
        let text = "one two three four five six seven eight nine ten eleven twelve";
        let lines = wrapped(text, 120.0);
        assert!(lines.len() > 3 && lines.iter().all(|line| Lettering::new(CAPTION, SOFT_INK).width(line) <= 120.0));
        assert_eq!(lines.join(" "), text);
    }
}
