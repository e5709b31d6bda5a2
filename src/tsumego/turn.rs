//! The eight ways to turn and mirror a square board.

use super::Problem;
use crate::base::{Point, Size};

/// A symmetry of the square: mirror the columns, mirror the rows, then swap columns and rows, each or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    mirror_x: bool,
    mirror_y: bool,
    swap: bool,
}

impl Turn {
    pub fn all() -> impl Iterator<Item = Turn> {
        (0..8).map(|i| Turn { mirror_x: i & 1 != 0, mirror_y: i & 2 != 0, swap: i & 4 != 0 })
    }

    /// Where a column and row go on a board of n lines.
    pub fn apply(self, n: usize, (x, y): (usize, usize)) -> (usize, usize) {
        let x = if self.mirror_x { n - 1 - x } else { x };
        let y = if self.mirror_y { n - 1 - y } else { y };
        if self.swap { (y, x) } else { (x, y) }
    }

    pub fn inverse(self) -> Turn {
        match self.swap {
            true => Turn { mirror_x: self.mirror_y, mirror_y: self.mirror_x, swap: true },
            false => self,
        }
    }

    /// Passes stay passes.
    pub fn point(self, size: Size, p: Point) -> Point {
        if p.is_pass() {
            return p;
        }
        let (x, y) = self.apply(size.n(), size.xy(p));
        size.point(x, y)
    }
}

impl Problem {
    /// The same problem seen from another side.
    pub fn turned(&self, turn: Turn) -> Problem {
        let moved = |p: Point| turn.point(self.size, p);
        let all = |points: &[Point]| {
            let mut points: Vec<Point> = points.iter().map(|&p| moved(p)).collect();
            points.sort();
            points
        };
        let mut stones: Vec<_> = self.stones.iter().map(|&(p, color)| (moved(p), color)).collect();
        stones.sort_by_key(|stone| stone.0);
        Problem { stones, right: all(&self.right), wrong: all(&self.wrong), target: all(&self.target), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn turns_are_eight_different_ways_to_keep_neighbours_and_each_has_its_inverse() {
        let size = Size::new(5).unwrap();
        let images: BTreeSet<Vec<Point>> =
            Turn::all().map(|turn| size.points().map(|p| turn.point(size, p)).collect()).collect();
        assert_eq!(images.len(), 8);
        for turn in Turn::all() {
            for p in size.points() {
                assert_eq!(turn.inverse().point(size, turn.point(size, p)), p);
                let around: BTreeSet<Point> = size.neighbours(p).map(|q| turn.point(size, q)).collect();
                assert_eq!(around, size.neighbours(turn.point(size, p)).collect());
            }
        }
    }
}
