//! Where handicap stones go.

use crate::base::{Point, Size};

/// The standard points for `fixed_handicap`, or None if this board has no such number of them.
pub fn fixed(size: Size, stones: usize) -> Option<Vec<Point>> {
    let n = size.n();
    let line = match n {
        7..=12 => 2,
        13..=25 => 3,
        _ => return None,
    };
    let most = if n.is_multiple_of(2) || n == 7 { 4 } else { 9 };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let (low, high, middle) = (line, n - 1 - line, n / 2);
    let corners = [(high, high), (low, low), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let mut points: Vec<(usize, usize)> = corners[..stones.min(4)].to_vec();
    points.extend(
        &sides[..if stones >= 8 {
            4
        } else if stones >= 6 {
            2
        } else {
            0
        }],
    );
    if stones >= 5 && stones % 2 == 1 {
        points.push((middle, middle));
    }
    Some(points.into_iter().map(|(x, y)| size.point(x, y)).collect())
}

/// A free placement of up to this many stones: the standard points, then points spread over the rest of the board.
pub fn free(size: Size, stones: usize) -> Vec<Point> {
    let most = (2..=stones.min(9)).rev().find_map(|k| fixed(size, k));
    let mut points = most.unwrap_or_default();
    // Each further stone goes where it is farthest from the others and from the edge.
    let limit = stones.min(size.area() - 1);
    while points.len() < limit {
        let next = size.points().filter(|p| !points.contains(p)).max_by_key(|&p| {
            let (x, y) = size.xy(p);
            let edge = [x, y, size.n() - 1 - x, size.n() - 1 - y].into_iter().min().unwrap_or(0);
            let near = points.iter().map(|&q| distance(size, p, q)).min().unwrap_or(usize::MAX / 2);
            near.min(4 * (edge + 1) * (edge + 1))
        });
        match next {
            Some(p) => points.push(p),
            None => break,
        }
    }
    points
}

fn distance(size: Size, p: Point, q: Point) -> usize {
    let ((a, b), (c, d)) = (size.xy(p), size.xy(q));
    a.abs_diff(c).pow(2) + b.abs_diff(d).pow(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn names(n: usize, stones: usize) -> Option<String> {
        let size = Size::new(n).unwrap();
        fixed(size, stones).map(|points| size.points_to_gtp(points))
    }

    #[test]
    fn fixed_handicap_is_where_everybody_expects_it() {
        assert_eq!(names(19, 2).as_deref(), Some("Q16 D4"));
        assert_eq!(names(19, 5).as_deref(), Some("Q16 D4 D16 Q4 K10"));
        assert_eq!(names(19, 7).as_deref(), Some("Q16 D4 D16 Q4 D10 Q10 K10"));
        assert_eq!(names(19, 9).as_deref(), Some("Q16 D4 D16 Q4 D10 Q10 K4 K16 K10"));
        assert_eq!(names(9, 4).as_deref(), Some("G7 C3 C7 G3"));
        assert_eq!(names(13, 3).as_deref(), Some("K10 D4 D10"));
        assert_eq!(
            (names(7, 5), names(8, 5), names(6, 2), names(19, 10), names(19, 1)),
            (None, None, None, None, None)
        );
    }

    #[test]
    fn free_handicap_stones_are_distinct_and_as_many_as_asked_while_there_is_room() {
        for n in [2, 5, 9, 19, 25] {
            let size = Size::new(n).unwrap();
            for stones in [2, 9, 13, 40] {
                let points = free(size, stones);
                assert_eq!(points.iter().collect::<BTreeSet<_>>().len(), stones.min(size.area() - 1));
            }
        }
    }
}
