//! A board with a wide margin, on which a neighbourhood can be read without asking where the board ends.
//!
//! Point (x, y) has index `(y + MARGIN) * STRIDE + x + 1 + MARGIN`. A row's right margin is the left margin of the next, so that
//! a step of at most `MARGIN` in each direction from a point of any board stays in the array and never wraps onto the board.

use crate::base::{Point, Size};
use std::sync::LazyLock;

/// How far from a point of the board one may look.
pub const MARGIN: usize = 11;
pub const STRIDE: usize = Size::MAX + MARGIN;
pub const LEN: usize = (Size::MAX + 2 * MARGIN + 1) * STRIDE;

/// An index into the grid.
pub type Place = u16;

/// The steps to the four neighbours.
pub const NEIGHBOURS: [isize; 4] = [-1, -(STRIDE as isize), 1, STRIDE as isize];

#[inline(always)]
pub fn step(place: usize, by: isize) -> usize {
    place.wrapping_add_signed(by)
}

pub fn place(x: usize, y: usize) -> usize {
    (y + MARGIN) * STRIDE + x + 1 + MARGIN
}

/// Column and row of a place on the board.
#[inline(always)]
pub fn xy(place: usize) -> (usize, usize) {
    let shifted = place - 1 - MARGIN;
    (shifted % STRIDE, shifted / STRIDE - MARGIN)
}

/// The places of a board's points, by the index of the point; 0 for what is no point.
pub fn places(size: Size) -> &'static [Place] {
    static TABLES: LazyLock<Vec<Vec<Place>>> = LazyLock::new(|| (0..=Size::MAX).map(table).collect());
    &TABLES[size.n()]
}

fn table(n: usize) -> Vec<Place> {
    let Some(size) = Size::new(n) else { return Vec::new() };
    let mut table = vec![0; 1024];
    for p in size.points() {
        let (x, y) = size.xy(p);
        table[p.index()] = place(x, y) as Place;
    }
    table
}

/// The place of a point; 0 for a pass and for what is not on the board.
#[inline(always)]
pub fn place_of(places: &[Place], p: Point) -> usize {
    places.get(p.index()).copied().unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_as_far_as_the_margin_never_meets_the_board_from_behind() {
        for n in [2, 9, 19, 25] {
            let size = Size::new(n).unwrap();
            let mut on_board = vec![false; LEN];
            size.points().for_each(|p| on_board[place_of(places(size), p)] = true);
            let reach = -(MARGIN as isize)..=MARGIN as isize;
            for p in size.points() {
                let (x, y) = size.xy(p);
                assert_eq!(xy(place(x, y)), (x, y));
                for dy in reach.clone() {
                    for dx in reach.clone() {
                        let inside = |c: usize, d: isize| (0..n as isize).contains(&(c as isize + d));
                        let at = step(place(x, y), dy * STRIDE as isize + dx);
                        assert_eq!(on_board[at], inside(x, dx) && inside(y, dy), "{n}: {x} {y} {dx} {dy}");
                    }
                }
            }
        }
    }
}
