//! The oracle: Go by flood fill over a plain grid, written to be obviously right and nothing else.
//!
//! It shares no code with the fast board but the names of points. Property tests hold the two together.

use crate::base::{Black, Color, Point, Size, White};
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlowBoard {
    pub size: Size,
    pub to_play: Color,
    pub ko: Option<Point>,
    pub passes: u8,
    /// Stones taken, by the taker.
    pub captures: [usize; 2],
    /// May several stones be put to death by their own side?
    pub suicide: bool,
    grid: Vec<Option<Color>>,
}

impl SlowBoard {
    pub fn new(size: Size) -> SlowBoard {
        let grid = vec![None; size.area()];
        SlowBoard { size, to_play: Black, ko: None, passes: 0, captures: [0; 2], suicide: false, grid }
    }

    /// Reads a picture: `X` Black, `O` White, `.` empty, top row first, blanks ignored.
    pub fn from_picture(picture: &str) -> SlowBoard {
        let rows: Vec<Vec<char>> = picture
            .lines()
            .map(|line| line.chars().filter(|c| "XO.".contains(*c)).collect::<Vec<_>>())
            .filter(|row| !row.is_empty())
            .collect();
        let size = Size::new(rows.len()).expect("a picture has 2 to 25 rows");
        let mut board = SlowBoard::new(size);
        for (from_top, row) in rows.iter().enumerate() {
            assert_eq!(row.len(), size.n(), "a picture is square");
            for (x, c) in row.iter().enumerate() {
                let color = match c {
                    'X' => Some(Black),
                    'O' => Some(White),
                    _ => None,
                };
                board.set(size.point(x, size.n() - 1 - from_top), color);
            }
        }
        board
    }

    pub fn at(&self, p: Point) -> Option<Color> {
        let (x, y) = self.size.xy(p);
        self.grid[y * self.size.n() + x]
    }

    pub fn set(&mut self, p: Point, color: Option<Color>) {
        let (x, y) = self.size.xy(p);
        self.grid[y * self.size.n() + x] = color;
    }

    /// All points connected to p through points of the same content.
    pub fn region(&self, p: Point) -> BTreeSet<Point> {
        let mut found = BTreeSet::from([p]);
        let mut todo = vec![p];
        while let Some(q) = todo.pop() {
            for r in self.size.neighbours(q) {
                if self.at(r) == self.at(p) && found.insert(r) {
                    todo.push(r);
                }
            }
        }
        found
    }

    /// The liberties of the chain on p.
    pub fn liberties(&self, p: Point) -> BTreeSet<Point> {
        self.region(p).into_iter().flat_map(|q| self.size.neighbours(q)).filter(|&q| self.at(q).is_none()).collect()
    }

    /// The board after a stone of the side to play on p, or None if that is not legal.
    pub fn after(&self, p: Point) -> Option<SlowBoard> {
        let mut next = self.clone();
        next.to_play = self.to_play.opponent();
        next.ko = None;
        if p.is_pass() {
            next.passes = (self.passes + 1).min(2);
            return Some(next);
        }
        if self.at(p).is_some() || self.ko == Some(p) {
            return None;
        }
        next.passes = 0;
        next.set(p, Some(self.to_play));
        let mut taken = BTreeSet::new();
        for q in self.size.neighbours(p) {
            if next.at(q) == Some(self.to_play.opponent()) && next.liberties(q).is_empty() {
                taken.extend(next.region(q));
            }
        }
        for &q in &taken {
            next.set(q, None);
        }
        if next.liberties(p).is_empty() {
            let own = next.region(p);
            if !self.suicide || own.len() == 1 {
                return None;
            }
            for &q in &own {
                next.set(q, None);
            }
            next.captures[self.to_play.opponent().index()] += own.len();
            return Some(next);
        }
        next.captures[self.to_play.index()] += taken.len();
        if taken.len() == 1 && next.region(p).len() == 1 && next.liberties(p).len() == 1 {
            next.ko = taken.first().copied();
        }
        Some(next)
    }

    pub fn is_legal(&self, p: Point) -> bool {
        self.after(p).is_some()
    }

    pub fn is_eye(&self, p: Point, color: Color) -> bool {
        let corners: Vec<Point> = self.size.diagonals(p).collect();
        let enemies = corners.iter().filter(|&&q| self.at(q) == Some(color.opponent())).count();
        self.at(p).is_none()
            && self.size.neighbours(p).all(|q| self.at(q) == Some(color))
            && enemies <= if corners.len() == 4 { 1 } else { 0 }
    }

    /// Whose area a point is: its stone, or the only colour its empty region touches.
    pub fn owner(&self, p: Point) -> Option<Color> {
        if let Some(color) = self.at(p) {
            return Some(color);
        }
        let touched: Vec<Color> =
            self.region(p).into_iter().flat_map(|q| self.size.neighbours(q)).filter_map(|q| self.at(q)).collect();
        match (touched.contains(&Black), touched.contains(&White)) {
            (true, false) => Some(Black),
            (false, true) => Some(White),
            _ => None,
        }
    }

    pub fn area(&self) -> i32 {
        self.size.points().map(|p| self.owner(p).map_or(0, |c| c.sign() as i32)).sum()
    }

    /// Is this a position of Go: has every chain a liberty?
    pub fn is_possible(&self) -> bool {
        self.size.points().all(|p| self.at(p).is_none() || !self.liberties(p).is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions in which every chain has a liberty, over all 3^(n*n) fillings of the board.
    fn count_possible(n: usize) -> u64 {
        let size = Size::new(n).unwrap();
        let mut board = SlowBoard::new(size);
        let mut count = 0;
        for code in 0..3u64.pow((n * n) as u32) {
            let mut rest = code;
            for cell in &mut board.grid {
                *cell = [None, Some(Black), Some(White)][(rest % 3) as usize];
                rest /= 3;
            }
            count += board.is_possible() as u64;
        }
        count
    }

    #[test]
    fn possible_positions_are_as_many_as_tromp_counted() {
        assert_eq!(count_possible(2), 57);
        assert_eq!(count_possible(3), 12_675);
    }
}
