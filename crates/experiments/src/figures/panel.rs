//! One panel: where everything goes, and how it is drawn.

use plotters::prelude::DrawingBackend;
use plotters::style::{Color, WHITE};
use statistics::MembershipClass;

use super::axis::{Axis, Extent, Tick};
use super::axis_label::{ARROW, AxisLabel, LABEL_TEXT};
use super::canvas::{Anchor, Area, Canvas, Lettering, Place};
use super::drawable::{self, DrawableFamily, DrawablePoint, Standing};
use super::label::{self, Obstacles, Placed, Wish};
use super::style::{
    BETTER, FLOOR, FRAME, FamilyStyle, Fill, GRID, INK, MarkLook, SOFT_INK, cross_hairs, pointing_down, ring,
};
use super::{FigureError, Panel};

/// The radius of a front design's marker.
pub(super) const MARK: f64 = 5.0;
/// The radius of every other design's marker.
pub(super) const SPECK: f64 = 2.4;
/// The opacity of every other design's marker.
pub(super) const SPECK_OPACITY: f64 = 0.3;
/// The radius of the marker of a design that is on no front and may belong on one.
pub(super) const MAYBE: f64 = 3.4;
/// The opacity of its marker where no event was seen of it.
const MAYBE_OPACITY: f64 = 0.7;
/// The radius of the ring around the knee.
pub(super) const RING: f64 = MARK + 6.0;
/// From where to where the cross-hairs around the current setting reach, on the diagonal.
pub(super) const HAIRS: (f64, f64) = (MARK + 2.0, MARK + 8.0);
/// The opacity of the band in which the front may lie.
pub(super) const BAND_OPACITY: f64 = 0.16;
/// The opacity of the region that holds both means.
pub(super) const REGION_OPACITY: f64 = 0.12;
/// The width of a staircase.
pub(super) const STAIR: f64 = 1.8;

/// The length of a dash of the floor's line, and of the gap after it.
pub(super) const DASH: f64 = 6.0;

const NAME: f64 = 12.5;
const TICK_TEXT: f64 = 13.0;
const TITLE_TEXT: f64 = 16.0;

/// A panel with everything in its place.
pub(super) struct PanelLayout<'a> {
    panel: &'a Panel,
    plot: Area,
    x_axis: Axis,
    y_axis: Axis,
    families: Vec<DrawableFamily>,
    names: Vec<Name>,
    /// How many designs of the overall front have no room for their name.
    pub(super) unnamed: usize,
}

struct Name {
    text: String,
    point: Place,
    placed: Placed,
    look: Lettering,
}

impl<'a> PanelLayout<'a> {
    /// Arranges a panel in the area. Needs the font to be registered.
    pub(super) fn new(panel: &'a Panel, area: Area) -> Self {
        let families = drawable::families(&panel.families);
        let points = || families.iter().flat_map(|family| &family.points);
        let front = || points().filter(|point| point.standing != Standing::Behind);
        let ends = |interval: Option<statistics::Interval>| interval.into_iter().flat_map(|ends| [ends.lo, ends.hi]);
        let x_axis = Axis::by_range(&Extent {
            points: points().map(|point| point.x.value).chain(panel.floor).collect(),
            bar_ends: front()
                .flat_map(|point| ends(point.x.interval))
                .chain(front().flat_map(|point| point.outline().iter().map(|corner| corner.0)))
                .collect(),
        });
        let y_axis = Axis::for_rare_events(&Extent {
            points: points().map(|point| point.drawn_y).collect(),
            bar_ends: front()
                .flat_map(|point| ends(point.y.interval))
                .chain(front().flat_map(|point| point.outline().iter().map(|corner| corner.1)))
                .collect(),
        });
        let plot =
            Area { left: area.left + 84.0, top: area.top + 36.0, right: area.right - 14.0, bottom: area.bottom - 62.0 };
        let mut layout = Self { panel, plot, x_axis, y_axis, families, names: Vec::new(), unnamed: 0 };
        layout.place_names();
        layout
    }

    /// How many designs are not drawn because an estimate is not finite.
    pub(super) fn left_out(&self) -> usize {
        self.families.iter().map(|family| family.left_out).sum()
    }

    /// Whether a floor is drawn.
    pub(super) fn has_floor(&self) -> bool {
        self.panel.floor.is_some()
    }

    /// Whether the region in which the front may lie is shaded.
    pub(super) fn has_band(&self) -> bool {
        self.panel.band.is_some()
    }

    /// The families of which at least one design is drawn, by position.
    pub(super) fn drawn_families(&self) -> impl Iterator<Item = usize> {
        self.families.iter().enumerate().filter(|(_, family)| !family.points.is_empty()).map(|(position, _)| position)
    }

    /// All designs that are drawn.
    pub(super) fn points(&self) -> impl Iterator<Item = &DrawablePoint> {
        self.families.iter().flat_map(|family| &family.points)
    }

    pub(super) fn draw<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        self.draw_grid(canvas)?;
        self.draw_band(canvas)?;
        self.draw_floor(canvas)?;
        self.draw_texts(canvas)?;
        self.draw_designs_behind(canvas)?;
        for family in &self.families {
            canvas.line(&self.stairs(family), family.style.colour, STAIR)?;
        }
        for standing in [Standing::FamilyFront, Standing::OverallFront] {
            for (style, point) in self.standing_at(standing) {
                self.draw_spread(canvas, style, point)?;
            }
        }
        for standing in [Standing::FamilyFront, Standing::OverallFront] {
            for (style, point) in self.standing_at(standing) {
                style.mark(canvas, self.place(point), MARK, look(point))?;
            }
        }
        self.draw_special(canvas)?;
        self.draw_names(canvas)
    }

    fn standing_at(&self, standing: Standing) -> impl Iterator<Item = (FamilyStyle, &DrawablePoint)> {
        let points = self.families.iter().flat_map(|family| family.points.iter().map(|point| (family.style, point)));
        points.filter(move |(_, point)| point.standing == standing)
    }

    fn x(&self, value: f64) -> f64 {
        self.plot.left + self.x_axis.fraction(value) * (self.plot.right - self.plot.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.plot.bottom - self.y_axis.fraction(value) * (self.plot.bottom - self.plot.top)
    }

    fn place(&self, point: &DrawablePoint) -> Place {
        (self.x(point.x.value), self.y(point.drawn_y))
    }

    /// The staircase on the page, from the upper edge down to its first corner and from its last one to the right edge:
    /// what the family attains is everything above and to the right. A single design has no stairs.
    fn stairs(&self, family: &DrawableFamily) -> Vec<Place> {
        let mut places: Vec<Place> = family.staircase.iter().map(|&(x, y)| (self.x(x), self.y(y))).collect();
        let (Some(&(left, _)), Some(&(_, low))) = (places.first(), places.last()) else { return places };
        if family.points.len() < 2 {
            return Vec::new();
        }
        places.insert(0, (left, self.plot.top));
        // Stairs that reach the axis end there instead of running along it.
        if low < self.plot.bottom {
            places.push((self.plot.right, low));
        }
        places.dedup();
        places
    }

    fn draw_grid<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        let Area { left, top, right, bottom } = self.plot;
        let text = Lettering::new(TICK_TEXT, SOFT_INK);
        let width = |tick: &Tick| if tick.label.is_some() { 1.0 } else { 0.34 };
        for tick in self.x_axis.ticks(((right - left) / 85.0) as usize) {
            let x = left + tick.fraction * (right - left);
            canvas.line(&[(x, top), (x, bottom)], GRID, width(&tick))?;
            canvas.text(tick.label.as_deref().unwrap_or(""), (x, bottom + 14.0), Anchor::Middle, text)?;
        }
        for tick in self.y_axis.ticks(((bottom - top) / 45.0) as usize) {
            let y = bottom - tick.fraction * (bottom - top);
            canvas.line(&[(left, y), (right, y)], GRID, width(&tick))?;
            canvas.text(tick.label.as_deref().unwrap_or(""), (left - 8.0, y), Anchor::Right, text)?;
        }
        canvas.line(&[(left, top), (left, bottom), (right, bottom)], FRAME, 1.0)
    }

    fn draw_floor<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        let Some(x) = self.panel.floor.map(|floor| self.x(floor)) else { return Ok(()) };
        let mut y = self.plot.top;
        while y < self.plot.bottom {
            canvas.line(&[(x, y), (x, (y + DASH).min(self.plot.bottom))], FLOOR, STAIR)?;
            y += 2.0 * DASH;
        }
        Ok(())
    }

    /// The region between what nearly all and what hardly any of the redrawn fronts attain. Between two values of x the
    /// edges keep the height of the left one, as stairs do.
    fn draw_band<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        let Some(band) = &self.panel.band else { return Ok(()) };
        let first = band.best.partition_point(|y| y.is_infinite());
        let x: Vec<f64> = band.x[first..].iter().map(|&x| self.x(x)).collect();
        let ends = x.iter().skip(1).chain([&self.plot.right]);
        let edge = |edge: &[f64]| -> Vec<Place> {
            let steps = x.iter().zip(ends.clone()).zip(&edge[first..]);
            steps.flat_map(|((&from, &to), &y)| [(from, self.y(y)), (to, self.y(y))]).collect()
        };
        let mut corners = edge(&band.worst);
        corners.extend(edge(&band.best).into_iter().rev());
        corners.dedup();
        if corners.len() < 3 { Ok(()) } else { canvas.polygon(&corners, SOFT_INK.mix(BAND_OPACITY)) }
    }

    fn draw_texts<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        let Area { left, top, right, bottom } = self.plot;
        let Panel { title, x_label, y_label, .. } = self.panel;
        let title = Lettering::new(TITLE_TEXT, INK).bold().fit(title, right - left);
        canvas.text(&title.text, (left, top - 18.0), Anchor::Left, title.look)?;

        let AxisLabel { label, centred, word, word_start } = AxisLabel::new(x_label, right - left);
        let row = bottom + 42.0;
        let (x, anchor) = if centred { (f64::midpoint(left, right), Anchor::Middle) } else { (right, Anchor::Right) };
        canvas.text(&label.text, (x, row), anchor, label.look)?;
        canvas.line(&[(left + 8.0, row), (left + ARROW, row)], BETTER, 1.4)?;
        canvas.polygon(&[(left, row), (left + 9.0, row - 4.0), (left + 9.0, row + 4.0)], BETTER.to_rgba())?;
        if let Some(word) = word {
            canvas.text(&word.text, (left + word_start, row), Anchor::Left, word.look)?;
        }

        let AxisLabel { label, centred, word, word_start } = AxisLabel::new(y_label, bottom - top);
        let column = left - 68.0;
        let (y, anchor) = if centred { (f64::midpoint(top, bottom), Anchor::Middle) } else { (top, Anchor::Right) };
        canvas.text(&label.text, (column, y), anchor, label.look.upwards())?;
        canvas.line(&[(column, bottom - 8.0), (column, bottom - ARROW)], BETTER, 1.4)?;
        canvas.polygon(
            &[(column, bottom), (column - 4.0, bottom - 9.0), (column + 4.0, bottom - 9.0)],
            BETTER.to_rgba(),
        )?;
        if let Some(word) = word {
            canvas.text(&word.text, (column, bottom - word_start), Anchor::Left, word.look.upwards())?;
        }

        if self.points().next().is_none() {
            let centre = (f64::midpoint(left, right), f64::midpoint(top, bottom));
            canvas.text("no design to draw", centre, Anchor::Middle, Lettering::new(LABEL_TEXT, SOFT_INK))?;
        }
        Ok(())
    }

    fn draw_designs_behind<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        for (style, point) in self.standing_at(Standing::Behind) {
            let place = self.place(point);
            match (maybe(point), point.zero_events) {
                (Some(fill), false) => {
                    style.mark(canvas, place, MAYBE, MarkLook { fill, outlined: false, arrow: false })?;
                }
                // There may be hundreds side by side, with no room for arrows.
                (Some(_), true) => pointing_down(canvas, place, MAYBE, style.colour.mix(MAYBE_OPACITY))?,
                (None, true) => pointing_down(canvas, place, 1.2 * SPECK, style.colour.mix(SPECK_OPACITY))?,
                (None, false) => style.fill(canvas, place, SPECK, SPECK_OPACITY)?,
            }
        }
        Ok(())
    }

    /// The region that holds both means, or error bars where there is none.
    fn draw_spread<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
        style: FamilyStyle,
        point: &DrawablePoint,
    ) -> Result<(), FigureError> {
        let outline: Vec<Place> = point.outline().iter().map(|&(x, y)| (self.x(x), self.y(y))).collect();
        let Some(&first) = outline.first() else { return self.draw_bars(canvas, style, point) };
        canvas.polygon(&outline, style.colour.mix(REGION_OPACITY))?;
        // Where the region leaves the plot it has no edge.
        let cut = |&(x, y): &(f64, f64)| self.x_axis.cuts_off(x) || self.y_axis.cuts_off(y);
        let inside: Vec<bool> = point.outline().iter().map(|corner| !cut(corner)).collect();
        let next = outline.iter().skip(1).chain([&first]);
        for (position, (&from, &to)) in outline.iter().zip(next).enumerate() {
            if inside[position] && inside[(position + 1) % inside.len()] {
                canvas.line(&[from, to], style.colour, 1.0)?;
            }
        }
        Ok(())
    }

    /// The ring around the knee, and the cross-hairs around the current setting.
    fn draw_special<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        for point in self.points() {
            if point.knee().is_some() {
                ring(canvas, self.place(point), RING)?;
            }
            if point.current {
                cross_hairs(canvas, self.place(point), HAIRS)?;
            }
        }
        Ok(())
    }

    /// Error bars on both axes, with a cap at each end that lies on the axes.
    fn draw_bars<DB: DrawingBackend>(
        &self,
        canvas: &Canvas<'_, DB>,
        style: FamilyStyle,
        point: &DrawablePoint,
    ) -> Result<(), FigureError> {
        const CAP: f64 = 3.5;
        const WIDTH: f64 = 1.0;
        let (x, y) = self.place(point);
        if let Some(interval) = point.x.interval {
            let ends = [interval.lo, interval.hi];
            canvas.line(&ends.map(|end| (self.x(end), y)), style.colour, WIDTH)?;
            for end in ends.into_iter().filter(|&end| !self.x_axis.cuts_off(end)).map(|end| self.x(end)) {
                canvas.line(&[(end, y - CAP), (end, y + CAP)], style.colour, WIDTH)?;
            }
        }
        // Without any event the point already lies at the upper end, and its arrow shows the rest.
        if let Some(interval) = point.y.interval.filter(|_| !point.zero_events) {
            let ends = [interval.lo, interval.hi];
            canvas.line(&ends.map(|end| (x, self.y(end))), style.colour, WIDTH)?;
            for end in ends.into_iter().filter(|&end| !self.y_axis.cuts_off(end)).map(|end| self.y(end)) {
                canvas.line(&[(x - CAP, end), (x + CAP, end)], style.colour, WIDTH)?;
            }
        }
        Ok(())
    }

    fn draw_names<DB: DrawingBackend>(&self, canvas: &Canvas<'_, DB>) -> Result<(), FigureError> {
        for Name { text, point, placed, look } in &self.names {
            let area = placed.area;
            let middle = f64::midpoint(area.top, area.bottom);
            if placed.far {
                let nearest = (point.0.clamp(area.left, area.right), point.1.clamp(area.top, area.bottom));
                canvas.line(&[*point, nearest], FRAME, 0.67)?;
            }
            canvas.rectangle(&area, WHITE.mix(0.8))?;
            canvas.text(text, (area.left + 2.0, middle), Anchor::Left, *look)?;
        }
        Ok(())
    }

    /// Finds room for the names of what is special first, then for those of the overall front, then for the families' own.
    fn place_names(&mut self) {
        let obstacles = self.obstacles();
        let mut named: Vec<(Standing, &DrawablePoint)> =
            self.points().filter(|point| point.is_special()).map(|point| (Standing::OverallFront, point)).collect();
        for standing in [Standing::OverallFront, Standing::FamilyFront] {
            let points = self.standing_at(standing).map(|(_, point)| point);
            let mut front: Vec<&DrawablePoint> = points.filter(|point| !point.is_special()).collect();
            front.sort_by(|a, b| a.x.value.total_cmp(&b.x.value));
            named.extend(label::spread(front.len()).into_iter().map(|position| (standing, front[position])));
        }
        let look = |standing| match standing {
            Standing::OverallFront => Lettering::new(NAME, INK),
            Standing::FamilyFront | Standing::Behind => Lettering::new(NAME - 1.0, SOFT_INK),
        };
        let wish = |&(standing, point): &(Standing, &DrawablePoint)| Wish {
            point: self.place(point),
            reach: reach(point),
            width: look(standing).width(&point.name) + 4.0,
            height: NAME + 2.0,
            may_be_far: standing == Standing::OverallFront,
        };
        let wishes: Vec<Wish> = named.iter().map(wish).collect();
        let inner = Area { left: self.plot.left + 2.0, bottom: self.plot.bottom - 2.0, ..self.plot };
        let places = label::place(&wishes, &obstacles, &inner);

        let missing = |((standing, _), placed): (&(Standing, _), &Option<Placed>)| {
            *standing == Standing::OverallFront && placed.is_none()
        };
        let unnamed = named.iter().zip(&places).filter(|&pair| missing(pair)).count();
        let names = named.iter().zip(wishes).zip(places).filter_map(|(((standing, point), wish), placed)| {
            let text = point.name.clone();
            Some(Name { text, point: wish.point, placed: placed?, look: look(*standing) })
        });
        (self.names, self.unnamed) = (names.collect(), unnamed);
    }

    /// Front marks are solid; staircases, bars and the other designs are soft.
    fn obstacles(&self) -> Obstacles {
        let mut obstacles = Obstacles::default();
        for point in self.points() {
            let (x, y) = self.place(point);
            if point.standing == Standing::Behind && !point.is_special() {
                let radius = if maybe(point).is_some() { MAYBE + 1.5 } else { SPECK };
                obstacles.soft.push(Area::around((x, y), radius));
                continue;
            }
            let arrow = if point.zero_events { 15.0 } else { 0.0 };
            let mark = Area::around((x, y), reach(point) + 1.5);
            obstacles.solid.push(Area { bottom: mark.bottom + arrow, ..mark });
            let ends = |interval: Option<statistics::Interval>, at: f64| {
                interval.map_or((at, at), |interval| (interval.lo, interval.hi))
            };
            let (x_ends, y_ends) = (ends(point.x.interval, point.x.value), ends(point.y.interval, point.drawn_y));
            obstacles.soft.push(Area {
                left: self.x(x_ends.0),
                right: self.x(x_ends.1),
                top: y - 1.0,
                bottom: y + 1.0,
            });
            obstacles.soft.push(Area {
                left: x - 1.0,
                right: x + 1.0,
                top: self.y(y_ends.1),
                bottom: self.y(y_ends.0),
            });
        }
        for family in &self.families {
            for ends in self.stairs(family).windows(2) {
                let [(x1, y1), (x2, y2)] = [ends[0], ends[1]];
                obstacles.soft.push(Area {
                    left: x1.min(x2) - 1.0,
                    right: x1.max(x2) + 1.0,
                    top: y1.min(y2) - 1.0,
                    bottom: y1.max(y2) + 1.0,
                });
            }
        }
        obstacles
    }
}

/// How a front design's mark looks. What was not studied is hollow where no event was seen of it.
fn look(point: &DrawablePoint) -> MarkLook {
    let fill = match &point.surety {
        Some(surety) => surety.class.into(),
        None if point.zero_events => Fill::Hollow,
        None => Fill::Full,
    };
    MarkLook { fill, outlined: point.standing == Standing::OverallFront, arrow: point.zero_events }
}

/// How much is filled of the mark of a design that is on no front and may belong on one.
fn maybe(point: &DrawablePoint) -> Option<Fill> {
    let class = point.surety.as_ref()?.class;
    (class != MembershipClass::Out).then(|| class.into())
}

/// How far a front design's mark reaches.
fn reach(point: &DrawablePoint) -> f64 {
    match (point.current, point.knee()) {
        (true, _) => HAIRS.1,
        (false, Some(_)) => RING,
        (false, None) => MARK,
    }
}
