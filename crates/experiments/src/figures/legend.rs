//! The legend: what each colour, marker and line means.

use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use super::FigureError;
use super::canvas::{Anchor, Area, Canvas, Lettering, Place};
use super::drawable::DrawablePoint;
use super::panel::{BAND_OPACITY, DASH, MARK, PanelLayout, REGION_OPACITY, SPECK, SPECK_OPACITY, STAIR};
use super::style::{FLOOR, FamilyStyle, Fill, INK, MarkLook, SOFT_INK, cross_hairs, pointing_down, ring};

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
    Fills,
    Region,
    Band,
    Knee,
    Current,
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
        let any = |of: fn(&DrawablePoint) -> bool| panels.iter().flat_map(PanelLayout::points).any(of);
        let studied = any(|point| point.surety.is_some());
        if !wanted.is_empty() {
            let bars = format!("on the front of its family (stairs), with its {level} intervals");
            wanted.push((Sample::Bars, bars));
            wanted.push((Sample::Outlined, "outlined: beaten by no design of any family".to_owned()));
            let small = if studied { "faint or small" } else { "faint" };
            wanted.push((Sample::Behind, format!("{small}: every other design")));
        }
        if studied {
            let text = "filled: surely on the front of all; half: undecided; hollow: surely not on it".to_owned();
            wanted.push((Sample::Fills, text));
        }
        if any(|point| !point.outline().is_empty()) {
            wanted.push((Sample::Region, format!("region: both means together, {level}")));
        }
        if panels.iter().any(PanelLayout::has_band) {
            wanted.push((Sample::Band, "shaded: where 5 to 95 % of redrawn fronts lie".to_owned()));
        }
        if any(|point| point.knee().is_some()) {
            wanted.push((Sample::Knee, "ringed: the knee, with its share of redrawn fronts".to_owned()));
        }
        if any(|point| point.current) {
            wanted.push((Sample::Current, "cross-hairs: the current setting".to_owned()));
        }
        if any(|point| point.zero_events) {
            let mark = if studied { "arrow" } else { "hollow" };
            let text = format!("{mark} or pointing down: no event seen, drawn at the upper bound");
            wanted.push((Sample::ZeroEvents, text));
        }
        if panels.iter().any(PanelLayout::has_floor) {
            let text = "dashed: rate × time to fail, what is drawn before the first failed call has ended".to_owned();
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
        let filled = MarkLook { fill: Fill::Full, outlined: false, arrow: false };
        match self {
            Self::Family(style) => {
                canvas.line(&[(x - 13.0, y), (x + 13.0, y)], style.colour, STAIR)?;
                style.mark(canvas, centre, MARK, filled)
            }
            Self::Bars => {
                canvas.line(&[(x - 11.0, y), (x + 11.0, y)], any.colour, 1.0)?;
                canvas.line(&[(x, y - 11.0), (x, y + 11.0)], any.colour, 1.0)?;
                for end in [-11.0, 11.0] {
                    canvas.line(&[(x + end, y - 3.5), (x + end, y + 3.5)], any.colour, 1.0)?;
                    canvas.line(&[(x - 3.5, y + end), (x + 3.5, y + end)], any.colour, 1.0)?;
                }
                any.mark(canvas, centre, MARK, filled)
            }
            Self::Outlined => any.mark(canvas, centre, MARK, MarkLook { outlined: true, ..filled }),
            Self::Fills => {
                for (right, fill) in [(-13.0, Fill::Full), (-1.0, Fill::Half), (11.0, Fill::Hollow)] {
                    any.mark(canvas, (x + right, y), 0.85 * MARK, MarkLook { fill, ..filled })?;
                }
                Ok(())
            }
            Self::Region => {
                let corner = |corner: u32| {
                    let (sin, cos) = (15.0 * f64::from(corner)).to_radians().sin_cos();
                    (x + 12.0 * cos + 2.5 * sin, y + 6.0 * sin - 3.0 * cos)
                };
                let outline: Vec<Place> = (0..=24).map(corner).collect();
                canvas.polygon(&outline, any.colour.mix(REGION_OPACITY))?;
                canvas.line(&outline, any.colour, 1.0)?;
                any.mark(canvas, centre, 0.85 * MARK, MarkLook { outlined: true, ..filled })
            }
            Self::Band => {
                let area = Area { left: x - 13.0, top: y - 7.0, right: x + 13.0, bottom: y + 7.0 };
                canvas.rectangle(&area, any.colour.mix(1.5 * BAND_OPACITY))
            }
            Self::Knee => {
                any.mark(canvas, centre, 0.85 * MARK, MarkLook { outlined: true, ..filled })?;
                ring(canvas, centre, 2.0 * MARK)
            }
            Self::Current => {
                any.mark(canvas, centre, 0.85 * MARK, filled)?;
                cross_hairs(canvas, centre, (MARK + 0.5, MARK + 5.0))
            }
            Self::ZeroEvents => {
                let look = MarkLook { fill: Fill::Hollow, arrow: true, ..filled };
                any.mark(canvas, (x - 5.0, y - 7.0), MARK, look)?;
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
