//! Points of a square board, in one coordinate system for mailboxes and bitboards alike.
//!
//! A board of size n is stored with one column and two rows of padding: point (x, y) has index
//! `(y + 1) * (n + 1) + x`. Neighbours are `±1` and `±(n + 1)`; every neighbour of a point on the board is a valid index,
//! and stepping off a side always lands on padding. (One diagonal step, from the lowest corner, leads below 0.)

use std::fmt;

/// An index into a padded board. `PASS` is index 0, which is never on a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point(pub u16);

impl Point {
    pub const PASS: Point = Point(0);

    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    pub fn is_pass(self) -> bool {
        self == Point::PASS
    }
}

/// The side length of a board, 2 to 25.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Size(u8);

/// GTP's column letters: no I.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

impl Size {
    pub const MIN: usize = 2;
    pub const MAX: usize = 25;

    pub fn new(n: usize) -> Option<Size> {
        (Size::MIN..=Size::MAX).contains(&n).then_some(Size(n as u8))
    }

    #[inline(always)]
    pub fn n(self) -> usize {
        self.0 as usize
    }

    /// Number of points on the board.
    #[inline(always)]
    pub fn area(self) -> usize {
        self.n() * self.n()
    }

    #[inline(always)]
    pub fn stride(self) -> usize {
        self.n() + 1
    }

    /// The point in column x (0 is A) and row y (0 is row 1).
    #[inline(always)]
    pub fn point(self, x: usize, y: usize) -> Point {
        debug_assert!(x < self.n() && y < self.n());
        Point(((y + 1) * self.stride() + x) as u16)
    }

    /// Column and row of a point on the board.
    #[inline(always)]
    pub fn xy(self, p: Point) -> (usize, usize) {
        let (row, x) = (p.index() / self.stride(), p.index() % self.stride());
        debug_assert!(row >= 1 && row <= self.n() && x < self.n());
        (x, row - 1)
    }

    pub fn contains(self, p: Point) -> bool {
        let (row, x) = (p.index() / self.stride(), p.index() % self.stride());
        (1..=self.n()).contains(&row) && x < self.n()
    }

    /// All points, row 1 first, A first.
    pub fn points(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.n()).flat_map(move |y| (0..self.n()).map(move |x| self.point(x, y)))
    }

    /// All rows from the top of the board down, as boards are drawn.
    pub fn rows_from_top(self) -> impl Iterator<Item = usize> {
        (0..self.n()).rev()
    }

    /// The 2, 3 or 4 orthogonal neighbours on the board.
    pub fn neighbours(self, p: Point) -> impl Iterator<Item = Point> {
        self.around(p, [(-1, 0), (1, 0), (0, -1), (0, 1)])
    }

    /// The 1, 2 or 4 diagonal neighbours on the board.
    pub fn diagonals(self, p: Point) -> impl Iterator<Item = Point> {
        self.around(p, [(-1, -1), (1, -1), (-1, 1), (1, 1)])
    }

    fn around(self, p: Point, steps: [(isize, isize); 4]) -> impl Iterator<Item = Point> {
        let (x, y) = self.xy(p);
        let inside = 0..self.n() as isize;
        steps.into_iter().filter_map(move |(dx, dy)| {
            let (x, y) = (x as isize + dx, y as isize + dy);
            (inside.contains(&x) && inside.contains(&y)).then(|| self.point(x as usize, y as usize))
        })
    }

    /// Parses `D4`, `d4`, `pass`; the point must be on this board.
    pub fn point_from_gtp(self, text: &str) -> Option<Point> {
        if text.eq_ignore_ascii_case("pass") {
            return Some(Point::PASS);
        }
        let column = text.bytes().next()?.to_ascii_uppercase();
        let digits = text.get(1..)?;
        if digits.is_empty() || digits.len() > 3 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let x = COLUMNS.iter().position(|&c| c == column)?;
        let row: usize = digits.parse().ok()?;
        (x < self.n() && (1..=self.n()).contains(&row)).then(|| self.point(x, row - 1))
    }

    /// `D4`, or `pass`.
    pub fn point_to_gtp(self, p: Point) -> String {
        if p.is_pass() {
            return "pass".to_string();
        }
        let (x, y) = self.xy(p);
        format!("{}{}", COLUMNS[x] as char, y + 1)
    }

    /// `D4 Q16 pass`: points separated by blanks.
    pub fn points_to_gtp(self, points: impl IntoIterator<Item = Point>) -> String {
        let words: Vec<String> = points.into_iter().map(|p| self.point_to_gtp(p)).collect();
        words.join(" ")
    }

    /// The letter above column x.
    pub fn column_letter(self, x: usize) -> char {
        COLUMNS[x] as char
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_every_size_survives_gtp_and_xy() {
        for n in Size::MIN..=Size::MAX {
            let size = Size::new(n).unwrap();
            let mut seen = 0;
            for p in size.points() {
                let (x, y) = size.xy(p);
                assert_eq!(size.point(x, y), p);
                assert!(size.contains(p));
                assert_eq!(size.point_from_gtp(&size.point_to_gtp(p)), Some(p));
                assert_eq!(size.point_from_gtp(&size.point_to_gtp(p).to_lowercase()), Some(p));
                seen += 1;
            }
            assert_eq!(seen, size.area());
        }
    }

    #[test]
    fn points_off_the_board_and_garbage_are_not_points() {
        let size = Size::new(9).unwrap();
        for text in ["I5", "K1", "A0", "A10", "A", "", "5", "AA1", "A-1", "A1x", "é1", "A9999999999", "A 1", "pas"] {
            assert_eq!(size.point_from_gtp(text), None, "{text:?}");
        }
        assert_eq!(size.point_from_gtp("PASS"), Some(Point::PASS));
        assert_eq!(Size::new(25).unwrap().point_from_gtp("z25").map(|p| Size::new(25).unwrap().xy(p)), Some((24, 24)));
        assert_eq!((Size::new(1), Size::new(26)), (None, None));
    }

    #[test]
    fn neighbours_are_mutual_and_counted() {
        for n in [2, 3, 9, 19, 25] {
            let size = Size::new(n).unwrap();
            for p in size.points() {
                assert!(size.neighbours(p).all(|q| size.neighbours(q).any(|r| r == p)));
                assert!(size.diagonals(p).all(|q| size.diagonals(q).any(|r| r == p)));
            }
            assert_eq!(size.points().map(|p| size.neighbours(p).count()).sum::<usize>(), 4 * n * (n - 1));
        }
    }
}
