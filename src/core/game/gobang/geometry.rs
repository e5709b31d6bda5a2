//! Lines of a board: where each point lies on its row, column and two diagonals.

use super::tables::{CELLS, REACH};
use crate::base::{Bits, Point, Size};
use std::sync::OnceLock;

/// Words of a bitboard and points of a padded board that hold 25x25.
pub const WORDS: usize = 11;
pub const POINTS: usize = WORDS * 64;
/// Rows, columns, and diagonals both ways.
pub const LINES: usize = 25 + 25 + 49 + 49;
/// The step along each kind of line that goes up in x (in y for columns).
pub const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

#[derive(Clone, Copy, Default)]
pub struct Place {
    x: u8,
    y: u8,
}

impl Place {
    /// The four lines through the point, and its position on each.
    #[inline(always)]
    pub fn lines(self) -> [(usize, u32); 4] {
        let (x, y) = (self.x as usize, self.y as usize);
        [(y, self.x as u32), (25 + x, self.y as u32), (50 + 24 + x - y, self.x as u32), (99 + x + y, self.x as u32)]
    }
}

pub struct Geometry {
    pub places: [Place; POINTS],
    /// For each point and direction the cells of the window around it that are on the board.
    pub inside: [[u16; 4]; POINTS],
    /// The step in point indices for each direction.
    pub steps: [isize; 4],
    pub board: Bits<WORDS>,
}

impl Geometry {
    pub fn of(size: Size) -> &'static Geometry {
        static SIZES: [OnceLock<Box<Geometry>>; Size::MAX + 1] = [const { OnceLock::new() }; Size::MAX + 1];
        SIZES[size.n()].get_or_init(|| Box::new(Geometry::new(size)))
    }

    fn new(size: Size) -> Geometry {
        let mut geometry = Geometry {
            places: [Place::default(); POINTS],
            inside: [[0; 4]; POINTS],
            steps: STEPS.map(|(dx, dy)| dx + dy * size.stride() as isize),
            board: Bits::board(size),
        };
        let on_board = |v: isize| (0..size.n() as isize).contains(&v);
        for p in size.points() {
            let (x, y) = size.xy(p);
            geometry.places[p.index()] = Place { x: x as u8, y: y as u8 };
            for (d, (dx, dy)) in STEPS.into_iter().enumerate() {
                for j in 0..CELLS {
                    let k = j as isize - REACH as isize;
                    if on_board(x as isize + k * dx) && on_board(y as isize + k * dy) {
                        geometry.inside[p.index()][d] |= 1 << j;
                    }
                }
            }
        }
        geometry
    }

    /// The point of cell `j` of the window around `p`; the cell must be on the board.
    #[inline(always)]
    pub fn cell(&self, p: Point, d: usize, j: u32) -> Point {
        Point((p.index() as isize + (j as isize - REACH as isize) * self.steps[d]) as u16)
    }

    /// Calls `visit` with the points of a window's marked cells, all on the board.
    #[inline(always)]
    pub fn visit(&self, p: Point, d: usize, mut cells: u16, mut visit: impl FnMut(Point)) {
        while cells != 0 {
            visit(self.cell(p, d, cells.trailing_zeros()));
            cells &= cells - 1;
        }
    }
}
