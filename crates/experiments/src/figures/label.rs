//! Names beside points, without overlap: each goes to the first free place around its point, or is left out.

use super::canvas::{Area, Place};

/// A name that wants a place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish {
    /// The point it belongs to.
    pub(super) point: Place,
    /// How far the point's mark reaches.
    pub(super) reach: f64,
    /// The size of the name's text.
    pub(super) width: f64,
    pub(super) height: f64,
    /// Whether the name may also stand farther away, with a line that leads to its point.
    pub(super) may_be_far: bool,
}

/// Where the name goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placed {
    pub(super) area: Area,
    /// Whether it is so far from its point that a line should lead there.
    pub(super) far: bool,
}

/// What names have to keep clear of.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Obstacles {
    /// What they must not touch.
    pub(super) solid: Vec<Area>,
    /// What they should rather not touch.
    pub(super) soft: Vec<Area>,
}

/// How far from the mark a name may stand; from the second distance on, a line leads to it.
const DISTANCES: [f64; 4] = [3.0, 14.0, 26.0, 40.0];

/// Directions in order of preference: to the upper right, where nothing better can lie, then around.
const DIRECTIONS: [(f64, f64); 8] =
    [(0.8, -0.8), (1.0, 0.0), (0.0, -1.0), (0.8, 0.8), (-0.8, 0.8), (-1.0, 0.0), (-0.8, -0.8), (0.0, 1.0)];

/// A place for each wish, in the order of the list: earlier ones choose first. Among the places inside `bounds` that
/// overlap no other name and nothing solid, the one that touches the fewest soft obstacles, nearer ones preferred.
pub(super) fn place(wishes: &[Wish], obstacles: &Obstacles, bounds: &Area) -> Vec<Option<Placed>> {
    let mut taken: Vec<Area> = obstacles.solid.clone();
    let mut places = Vec::with_capacity(wishes.len());
    for wish in wishes {
        let distances = if wish.may_be_far { &DISTANCES[..] } else { &DISTANCES[..1] };
        let candidates = distances.iter().enumerate().flat_map(|(ring, &distance)| {
            DIRECTIONS.iter().map(move |&direction| (ring, beside(wish, distance, direction)))
        });
        let free = candidates.filter(|(_, area)| bounds.holds(area) && !taken.iter().any(|other| area.overlaps(other)));
        let cost = |(ring, area): &(usize, Area)| {
            // Stepping one ring out is worth three soft obstacles.
            3 * ring + obstacles.soft.iter().filter(|soft| area.overlaps(soft)).count()
        };
        let best = free.min_by_key(cost).map(|(ring, area)| Placed { area, far: ring > 0 });
        taken.extend(best.map(|placed| placed.area));
        places.push(best);
    }
    places
}

/// The area of a name at a distance from its point's mark.
fn beside(wish: &Wish, distance: f64, (right, down): (f64, f64)) -> Area {
    let reach = wish.reach + distance;
    let (x, y) = (wish.point.0 + right * reach, wish.point.1 + down * reach);
    // The side, or the middle of the side, that faces the point lies at (x, y).
    let before = |direction: f64| match direction {
        _ if direction > 0.0 => 0.0,
        _ if direction < 0.0 => 1.0,
        _ => 0.5,
    };
    let (left, top) = (x - before(right) * wish.width, y - before(down) * wish.height);
    Area { left, top, right: left + wish.width, bottom: top + wish.height }
}

/// An order in which the first few of `count` neighbours are spread over all of them: both ends, then the middle, then
/// the middles of what is left.
pub(super) fn spread(count: usize) -> Vec<usize> {
    let mut order = Vec::with_capacity(count);
    order.extend((count > 0).then_some(0));
    order.extend((count > 1).then(|| count - 1));
    let mut gaps = std::collections::VecDeque::from([(0, count.saturating_sub(1))]);
    while let Some((left, right)) = gaps.pop_front() {
        if right - left < 2 {
            continue;
        }
        let middle = usize::midpoint(left, right);
        order.push(middle);
        gaps.extend([(left, middle), (middle, right)]);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Area = Area { left: 0.0, top: 0.0, right: 400.0, bottom: 300.0 };

    fn wish(x: f64, y: f64) -> Wish {
        Wish { point: (x, y), reach: 5.0, width: 60.0, height: 14.0, may_be_far: true }
    }

    #[test]
    fn a_lone_name_stands_to_the_upper_right() {
        let placed = place(&[wish(100.0, 100.0)], &Obstacles::default(), &BOUNDS)[0].unwrap();
        assert!(placed.area.left > 100.0 && placed.area.bottom < 100.0 && !placed.far, "{placed:?}");
    }

    #[test]
    fn names_overlap_neither_each_other_nor_a_mark_nor_the_border() {
        let wishes: Vec<Wish> =
            (0..60).map(|i| wish(f64::from(i * 37 % 390) + 5.0, f64::from(i * 53 % 290) + 5.0)).collect();
        let solid: Vec<Area> = wishes.iter().map(|wish| Area::around(wish.point, 5.0)).collect();
        let obstacles = Obstacles { solid: solid.clone(), soft: Vec::new() };
        let areas: Vec<Area> =
            place(&wishes, &obstacles, &BOUNDS).into_iter().flatten().map(|placed| placed.area).collect();
        assert!(areas.len() > 20, "only {} names found a place", areas.len());
        for (i, area) in areas.iter().enumerate() {
            assert!(BOUNDS.holds(area), "{area:?}");
            assert!(!areas[..i].iter().chain(&solid).any(|other| area.overlaps(other)), "{area:?}");
        }
    }

    #[test]
    fn a_name_without_room_is_left_out() {
        let narrow = Area { right: 50.0, ..BOUNDS };
        assert_eq!(place(&[wish(25.0, 100.0)], &Obstacles::default(), &narrow), [None]);
    }

    #[test]
    fn only_some_names_may_stand_far_away() {
        let around = Area { left: 80.0, top: 80.0, right: 120.0, bottom: 120.0 };
        let obstacles = Obstacles { solid: vec![around], soft: Vec::new() };
        let near_only = Wish { may_be_far: false, ..wish(100.0, 100.0) };
        let places = place(&[near_only, wish(100.0, 100.0)], &obstacles, &BOUNDS);
        assert!(places[0].is_none() && places[1].is_some_and(|placed| placed.far), "{places:?}");
    }

    #[test]
    fn a_line_is_avoided_where_another_place_is_free() {
        let line = Area { left: 100.0, top: 60.0, right: 101.0, bottom: 99.0 };
        let to_the_right = Area { left: 106.0, top: 80.0, right: 300.0, bottom: 120.0 };
        let obstacles = Obstacles { solid: Vec::new(), soft: vec![line, to_the_right] };
        let placed = place(&[wish(100.0, 100.0)], &obstacles, &BOUNDS)[0].unwrap();
        assert!(!placed.area.overlaps(&line) && !placed.area.overlaps(&to_the_right), "{placed:?}");
    }

    #[test]
    fn a_spread_order_is_a_permutation_from_the_ends_inwards() {
        assert_eq!(spread(9), [0, 8, 4, 2, 6, 1, 3, 5, 7]);
        for count in 0..50 {
            let mut order = spread(count);
            order.sort_unstable();
            assert!(order.into_iter().eq(0..count));
        }
    }
}
