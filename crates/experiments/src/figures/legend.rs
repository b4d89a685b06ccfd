//! The legend: what each colour, marker and line means.

use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use super::FigureError;
use super::canvas::{Anchor, Canvas, Lettering, Place};
use super::panel::{DASH, MARK, PanelLayout, SPECK, SPECK_OPACITY, STAIR};
use super::style::{FLOOR, FamilyStyle, INK, SOFT_INK, pointing_down};

const TEXT: f64 = 14.0;
const ROW: f64 = 27.0;
/// The width kept for an entry's sample.
const SAMPLE: f64 = 34.0;
/// The room between entries.
const GAP: f64 = 26.0;

/// The colour of the samples that stand for any family.
const ANY_FAMILY: RGBColor = SOFT_INK;

/// What an entry shows beside its text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Sample {
    Family(FamilyStyle),
    Bars,
    Outlined,
    ZeroEvents,
    Behind,
    Floor,
}

/// The legend's entries, each at its place in rows.
pub(super) struct Legend {
    entries: Vec<(Sample, String, Place)>,
    rows: usize,
}

impl Legend {
    /// The entries that the panels need, in rows no wider than `width`. Needs the font to be registered.
    pub(super) fn new(panels: &[PanelLayout<'_>], names: &[(usize, &str)], level: &str, width: f64) -> Self {
        let mut wanted: Vec<(Sample, String)> = names
            .iter()
            .filter(|(position, _)| panels.iter().any(|panel| panel.drawn_families().any(|drawn| drawn == *position)))
            .map(|&(position, name)| (Sample::Family(FamilyStyle::at(position)), name.to_owned()))
            .collect();
        if !wanted.is_empty() {
            let bars = format!("on the front of its family (stairs), with its {level} intervals");
            wanted.push((Sample::Bars, bars));
            wanted.push((Sample::Outlined, "outlined: beaten by no design of any family".to_owned()));
            wanted.push((Sample::Behind, "faint: every other design".to_owned()));
        }
        if panels.iter().flat_map(PanelLayout::points).any(|point| point.zero_events) {
            let text = "hollow or pointing down: no event seen, drawn at the upper bound".to_owned();
            wanted.push((Sample::ZeroEvents, text));
        }
        if panels.iter().any(PanelLayout::has_floor) {
            let text = "dashed: rate × time-out, what is drawn before the first failed call has ended".to_owned();
            wanted.push((Sample::Floor, text));
        }
        let look = Lettering::new(TEXT, INK);
        let (mut x, mut row) = (0.0, 0);
        let mut entries = Vec::new();
        for (sample, text) in wanted {
            let text = look.clip(&text, width - SAMPLE);
            let length = SAMPLE + look.width(&text);
            if x > 0.0 && x + length > width {
                (x, row) = (0.0, row + 1);
            }
            entries.push((sample, text, (x, (f64::from(row) + 0.5) * ROW)));
            x += length + GAP;
        }
        let rows = if entries.is_empty() { 0 } else { row as usize + 1 };
        Self { entries, rows }
    }

    pub(super) fn height(&self) -> f64 {
        self.rows as f64 * ROW
    }

    pub(super) fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>, corner: Place) -> Result<(), FigureError> {
        for (sample, text, (x, y)) in &self.entries {
            let (left, middle) = (corner.0 + x, corner.1 + y);
            sample.draw(canvas, (left + SAMPLE / 2.0 - 4.0, middle))?;
            canvas.text(text, (left + SAMPLE, middle), Anchor::Left, Lettering::new(TEXT, INK))?;
        }
        Ok(())
    }
}

impl Sample {
    fn draw<DB: DrawingBackend>(self, canvas: &Canvas<'_, DB>, centre: Place) -> Result<(), FigureError> {
        let (x, y) = centre;
        let any = FamilyStyle { colour: ANY_FAMILY, ..FamilyStyle::at(1) };
        match self {
            Self::Family(style) => {
                canvas.line(&[(x - 13.0, y), (x + 13.0, y)], style.colour, STAIR)?;
                style.fill_rimmed(canvas, centre, MARK, false)
            }
            Self::Bars => {
                canvas.line(&[(x - 11.0, y), (x + 11.0, y)], any.colour, 1.0)?;
                canvas.line(&[(x, y - 11.0), (x, y + 11.0)], any.colour, 1.0)?;
                for end in [-11.0, 11.0] {
                    canvas.line(&[(x + end, y - 3.5), (x + end, y + 3.5)], any.colour, 1.0)?;
                    canvas.line(&[(x - 3.5, y + end), (x + 3.5, y + end)], any.colour, 1.0)?;
                }
                any.fill_rimmed(canvas, centre, MARK, false)
            }
            Self::Outlined => any.fill_rimmed(canvas, centre, MARK, true),
            Self::ZeroEvents => {
                any.hollow_with_arrow(canvas, (x - 5.0, y - 7.0), MARK, false)?;
                pointing_down(canvas, (x + 9.0, y), 1.2 * SPECK, any.colour.to_rgba())
            }
            Self::Floor => {
                let dash = |top: f64| canvas.line(&[(x, top), (x, top + DASH)], FLOOR, STAIR);
                dash(y - 1.5 * DASH)?;
                dash(y + 0.5 * DASH)
            }
            Self::Behind => {
                for (right, down) in [(-8.0, 3.0), (0.0, -4.0), (7.0, 2.0)] {
                    let place = (x + right, y + down);
                    canvas.disc(place, SPECK, any.colour.mix(1.5 * SPECK_OPACITY))?;
                }
                Ok(())
            }
        }
    }
}
