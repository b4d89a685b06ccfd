//! The front against its definition, written out in the slowest way, and the staircase against what the points attain.

use proptest::prelude::*;
use statistics::{FrontPoint, front, staircase};

/// Few different values, so that ties in one and in both coordinates are common.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (0..6).prop_map(f64::from),
        1 => Just(-0.0),
        1 => Just(f64::INFINITY),
        1 => Just(f64::NEG_INFINITY),
    ]
}

fn points() -> impl Strategy<Value = Vec<(f64, f64)>> {
    prop::collection::vec((coordinate(), coordinate()), 0..40)
}

fn dominates(a: (f64, f64), b: (f64, f64)) -> bool {
    a.0 <= b.0 && a.1 <= b.1 && (a.0 < b.0 || a.1 < b.1)
}

/// For each point that nothing dominates: itself and its equals, by position; groups by their x.
fn front_by_definition(points: &[(f64, f64)]) -> Vec<Vec<usize>> {
    let undominated = |&i: &usize| !points.iter().any(|&other| dominates(other, points[i]));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for i in (0..points.len()).filter(undominated) {
        match groups.iter_mut().find(|group| points[group[0]] == points[i]) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    groups.sort_by(|a, b| points[a[0]].0.partial_cmp(&points[b[0]].0).unwrap());
    groups
}

proptest! {
    #[test]
    fn front_is_what_nothing_dominates(points in points()) {
        let fast: Vec<Vec<usize>> = front(&points)
            .unwrap()
            .into_iter()
            .map(|point| std::iter::once(point.index).chain(point.ties).collect())
            .collect();
        prop_assert_eq!(fast, front_by_definition(&points));
    }

    #[test]
    fn staircase_bounds_what_is_attained(points in points(), x in -1.0..7.0f64, y in -1.0..7.0f64) {
        let attained = points.iter().any(|&(px, py)| px <= x && py <= y);
        let height = staircase(&points).unwrap().into_iter().filter(|corner| corner.0 <= x).map(|corner| corner.1);
        prop_assert_eq!(height.fold(f64::INFINITY, f64::min) <= y, attained);
    }

    #[test]
    fn staircase_turns_a_right_angle_at_every_corner(points in points()) {
        for corners in staircase(&points).unwrap().windows(2) {
            let ((x, y), (next_x, next_y)) = (corners[0], corners[1]);
            prop_assert!((x < next_x && y == next_y) || (x == next_x && y > next_y), "{:?}", corners);
        }
    }
}

#[test]
fn ties_are_merged_into_the_first() {
    let points = [(2.0, 2.0), (1.0, 3.0), (2.0, 2.0), (2.0, 4.0), (3.0, 2.0), (1.0, 3.0)];
    let expected = [
        FrontPoint { x: 1.0, y: 3.0, index: 1, ties: vec![5] },
        FrontPoint { x: 2.0, y: 2.0, index: 0, ties: vec![2] },
    ];
    assert_eq!(front(&points).unwrap(), expected);
}

#[test]
fn no_points_have_no_front() {
    assert_eq!(front(&[]), Ok(vec![]));
    assert_eq!(staircase(&[]), Ok(vec![]));
}

#[test]
fn steps_go_level_then_down() {
    let points = [(1.0, 5.0), (4.0, 1.0), (2.0, 3.0), (3.0, 4.0)];
    let corners = [(1.0, 5.0), (2.0, 5.0), (2.0, 3.0), (4.0, 3.0), (4.0, 1.0)];
    assert_eq!(staircase(&points).unwrap(), corners);
}

#[test]
fn a_coordinate_that_is_not_a_number_is_refused_by_position() {
    for points in [[(0.0, 0.0), (f64::NAN, 1.0)], [(0.0, 0.0), (1.0, f64::NAN)]] {
        assert_eq!(front(&points).unwrap_err().index, 1);
        let message = staircase(&points).unwrap_err().to_string();
        assert_eq!(message, "point 1 has a coordinate that is not a number, so it cannot be compared");
    }
}
