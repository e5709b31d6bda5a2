//! The prover's own geometry: the box around a region, a set of points in one `u128`.
//!
//! The box has one column of padding, so a step off its side lands on a bit that is in no region. Only points of the
//! region exist here. What lies outside is the edge of the board or one of three things ([`Outside`]): a point next to
//! the attacker's wall or to open space is in `wall`, and an attacker's stone on such a point can never be taken; a point
//! next to open space or to a friend of the defender is in `exit`, and neither can a defender's stone there.

use crate::base::{Point, Size};

/// A set of points of the box.
pub type Set = u128;

/// A point of the box; `NOWHERE` is none of them.
pub type Cell = u8;
pub const NOWHERE: Cell = 255;

/// What a point beyond the region is to those who stand beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// A strong stone of the attacker, or what is taken for one.
    Wall,
    /// Room to run: whoever stands beside it cannot be taken.
    Open,
    /// A stone of the defender.
    Friend,
}

impl Outside {
    /// Is a stone of the attacker beside it safe?
    pub fn holds_attacker(self) -> bool {
        matches!(self, Outside::Wall | Outside::Open)
    }

    /// Is a stone of the defender?
    pub fn holds_defender(self) -> bool {
        matches!(self, Outside::Open | Outside::Friend)
    }
}

#[derive(Clone, Debug)]
pub struct Grid {
    size: Size,
    left: usize,
    bottom: usize,
    stride: u32,
    /// Half a set is enough: most regions are so small, and floods are most of what is done with them.
    is_narrow: bool,
    /// All points of the region.
    pub region: Set,
    /// Where a stone of the attacker is safe.
    pub wall: Set,
    /// Where a stone of the defender is safe.
    pub exit: Set,
    /// Where a stone of the defender is answered beyond the region.
    pub answered: Set,
}

impl Grid {
    /// Is the box around a region small enough?
    pub fn fits(size: Size, region: &[Point]) -> bool {
        Grid::new(size, region.iter().copied(), |_| Outside::Wall).is_some()
    }

    /// A grid for a region of a board, with what each point beyond it is; `None` if the box around it is too large, or
    /// there is nothing in it.
    pub fn new(
        size: Size,
        region: impl Iterator<Item = Point> + Clone,
        outside: impl Fn(Point) -> Outside,
    ) -> Option<Grid> {
        let xs = region.clone().map(|p| size.xy(p).0);
        let ys = region.clone().map(|p| size.xy(p).1);
        let (left, right) = (xs.clone().min()?, xs.max()?);
        let (bottom, top) = (ys.clone().min()?, ys.max()?);
        let (width, height) = (right - left + 1, top - bottom + 1);
        if (width + 1) * height > 127 {
            return None;
        }
        let is_narrow = (width + 1) * height <= 64;
        let mut grid =
            Grid { size, left, bottom, stride: width as u32 + 1, is_narrow, region: 0, wall: 0, exit: 0, answered: 0 };
        for p in region.clone() {
            grid.region |= grid.bit(p);
        }
        for p in region {
            let bit = grid.bit(p);
            for q in size.neighbours(p) {
                if grid.bit(q) & grid.region != 0 {
                    continue;
                }
                let kind = outside(q);
                grid.wall |= if kind.holds_attacker() { bit } else { 0 };
                grid.exit |= if kind.holds_defender() { bit } else { 0 };
            }
        }
        Some(grid)
    }

    /// Points where one answer stops who would be safe otherwise.
    pub fn answer_at(&mut self, points: impl Iterator<Item = Point>) {
        self.answered = points.fold(0, |set, p| set | self.bit(p)) & self.exit;
        self.exit &= !self.answered;
    }

    /// Is everything beyond the region the attacker's?
    pub fn is_shut_in(&self) -> bool {
        self.exit | self.answered == 0
    }

    pub fn stride(&self) -> u32 {
        self.stride
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// The bit of a point; none if it is outside of the region.
    pub fn bit(&self, p: Point) -> Set {
        let (x, y) = self.size.xy(p);
        let inside = x >= self.left && y >= self.bottom && x - self.left + 1 < self.stride as usize;
        let index = if inside { (y - self.bottom) * self.stride as usize + x - self.left } else { 128 };
        if index < 128 { 1 << index } else { 0 }
    }

    pub fn cell(&self, p: Point) -> Option<Cell> {
        let bit = self.bit(p) & self.region;
        (bit != 0).then(|| bit.trailing_zeros() as Cell)
    }

    /// The point of the board; `NOWHERE` is a pass.
    pub fn point(&self, cell: Cell) -> Point {
        if cell == NOWHERE {
            return Point::PASS;
        }
        let (x, y) = (cell as usize % self.stride as usize, cell as usize / self.stride as usize);
        self.size.point(x + self.left, y + self.bottom)
    }

    pub fn points(&self, set: Set) -> impl Iterator<Item = Point> {
        cells(set).map(|cell| self.point(cell))
    }

    /// Points of the region next to a point of the set; may reach into the set itself.
    #[inline(always)]
    pub fn beside(&self, set: Set) -> Set {
        if self.is_narrow {
            return (around(set as u64, self.stride) & self.region as u64).into();
        }
        (set << 1 | set >> 1 | up(set, self.stride) | down(set, self.stride)) & self.region
    }

    /// All points of `within` that are connected to the set through `within`.
    #[inline]
    pub fn flood(&self, set: Set, within: Set) -> Set {
        if self.is_narrow {
            let (mut filled, within) = ((set & within) as u64, (within & self.region) as u64);
            loop {
                let once = filled | around(filled, self.stride) & within;
                let grown = once | around(once, self.stride) & within;
                if grown == filled {
                    return filled.into();
                }
                filled = grown;
            }
        }
        let mut filled = set & within;
        loop {
            let once = filled | self.beside(filled) & within;
            let grown = once | self.beside(once) & within;
            if grown == filled {
                return filled;
            }
            filled = grown;
        }
    }
}

/// The points next to a point of a narrow grid's set, and some of the padding.
#[inline(always)]
fn around(set: u64, stride: u32) -> u64 {
    set << 1 | set >> 1 | set.wrapping_shl(stride) | set.wrapping_shr(stride)
}

/// Shifts by a row, in halves: the compiler does not know that a row is shorter than 64, and would ask every time.
#[inline(always)]
pub fn up(set: Set, stride: u32) -> Set {
    let (low, high) = (set as u64, (set >> 64) as u64);
    Set::from(high << stride | low >> (64 - stride)) << 64 | Set::from(low << stride)
}

#[inline(always)]
pub fn down(set: Set, stride: u32) -> Set {
    let (low, high) = (set as u64, (set >> 64) as u64);
    Set::from(high >> stride) << 64 | Set::from(low >> stride | high << (64 - stride))
}

/// The points of a set, lowest first.
#[inline(always)]
pub fn cells(set: Set) -> impl Iterator<Item = Cell> {
    let mut rest = set;
    std::iter::from_fn(move || {
        (rest != 0).then(|| {
            let cell = rest.trailing_zeros() as Cell;
            rest &= rest - 1;
            cell
        })
    })
}

#[inline(always)]
pub fn lowest(set: Set) -> Set {
    set & set.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;

    #[test]
    fn narrow_grids_are_as_wide_ones() {
        let size = Size::new(9).unwrap();
        let mut rng = Rng::new(2);
        for _ in 0..2_000 {
            let (width, height) = (1 + rng.below(9) as usize, 1 + rng.below(7) as usize);
            let (left, bottom) = (rng.below(10 - width as u32) as usize, rng.below(10 - height as u32) as usize);
            let points: Vec<Point> = (0..width * height)
                .filter(|_| rng.below(5) > 0)
                .map(|i| size.point(left + i % width, bottom + i / width))
                .collect();
            let Some(narrow) = Grid::new(size, points.iter().copied(), |_| Outside::Wall) else { continue };
            assert_eq!(narrow.is_narrow, narrow.region.ilog2() < 64 && narrow.stride as usize * height <= 64);
            let wide = Grid { is_narrow: false, ..narrow.clone() };
            let mut random = || Set::from(rng.next_u64()) << 64 | Set::from(rng.next_u64());
            let (set, within) = (random() & narrow.region, (random() | random()) & narrow.region);
            assert_eq!(narrow.beside(set), wide.beside(set), "{narrow:?} {set:x}");
            assert_eq!(narrow.flood(set, within), wide.flood(set, within), "{narrow:?} {set:x} {within:x}");
            // By the board's own idea of neighbours.
            let neighbours = narrow.points(set).flat_map(|p| size.neighbours(p).collect::<Vec<_>>());
            assert_eq!(narrow.beside(set), neighbours.fold(0, |all, p| all | narrow.bit(p)) & narrow.region);
        }
    }
}
