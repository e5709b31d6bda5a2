//! A set of points as a bitboard: `64 * W` bits, bit p is the point with index p.

use super::point::{Point, Size};
use std::ops::{BitAnd, BitOr, BitXor, Not};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits<const W: usize>(pub [u64; W]);

impl<const W: usize> Bits<W> {
    pub const EMPTY: Bits<W> = Bits([0; W]);

    /// All points of a board.
    pub fn board(size: Size) -> Bits<W> {
        let mut all = Bits::EMPTY;
        let row = (1u64 << size.n()) - 1;
        for y in 0..size.n() {
            let first = size.point(0, y);
            let (word, bit) = (Self::word(first), first.index() % 64);
            all.0[word] |= row << bit;
            // The rest of the row, if it does not end in this word.
            if bit + size.n() > 64 && word + 1 < W {
                all.0[word + 1] |= row >> (64 - bit);
            }
        }
        all
    }

    /// The word of a point; in range without a check, by the cheaper of two ways.
    #[inline(always)]
    fn word(p: Point) -> usize {
        let i = p.index() / 64;
        if W.is_power_of_two() { i % W } else { i.min(W - 1) }
    }

    #[inline(always)]
    pub fn insert(&mut self, p: Point) {
        self.0[Self::word(p)] |= 1 << (p.index() % 64);
    }

    #[inline(always)]
    pub fn remove(&mut self, p: Point) {
        self.0[Self::word(p)] &= !(1 << (p.index() % 64));
    }

    /// Puts a point in, or takes it out.
    #[inline(always)]
    pub fn toggle(&mut self, p: Point) {
        self.0[Self::word(p)] ^= 1 << (p.index() % 64);
    }

    #[inline(always)]
    pub fn contains(&self, p: Point) -> bool {
        self.0[Self::word(p)] >> (p.index() % 64) & 1 != 0
    }

    pub fn single(p: Point) -> Bits<W> {
        let mut set = Bits::EMPTY;
        set.insert(p);
        set
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&w| w == 0)
    }

    #[inline]
    pub fn minus(self, other: Bits<W>) -> Bits<W> {
        self & !other
    }

    /// Every point moved up by `k` indices, 0 < k < 64.
    #[inline(always)]
    pub fn up(self, k: usize) -> Bits<W> {
        debug_assert!(0 < k && k < 64);
        Bits(std::array::from_fn(|i| self.0[i] << k | if i > 0 { self.0[i - 1] >> (64 - k) } else { 0 }))
    }

    /// Every point moved down by `k` indices, 0 < k < 64.
    #[inline(always)]
    pub fn down(self, k: usize) -> Bits<W> {
        debug_assert!(0 < k && k < 64);
        Bits(std::array::from_fn(|i| self.0[i] >> k | if i + 1 < W { self.0[i + 1] << (64 - k) } else { 0 }))
    }

    /// Points next to a point of the set; may reach into the padding and the set itself: mask the result.
    #[inline]
    pub fn neighbours(self, stride: usize) -> Bits<W> {
        self.up(1) | self.down(1) | self.up(stride) | self.down(stride)
    }

    /// All points of `within` connected to this set through `within`.
    pub fn flood(self, within: Bits<W>, stride: usize) -> Bits<W> {
        let mut filled = self & within;
        loop {
            let grown = (filled | filled.neighbours(stride)) & within;
            if grown == filled {
                return filled;
            }
            filled = grown;
        }
    }

    /// Calls `f` with each point in order: `iter` for hot loops.
    #[inline(always)]
    pub fn visit(&self, mut f: impl FnMut(Point)) {
        for (i, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                f(Point((i as u32 * 64 + rest.trailing_zeros()) as u16));
                rest &= rest - 1;
            }
        }
    }

    /// The point with this many before it.
    #[inline]
    pub fn nth(&self, mut n: u32) -> Option<Point> {
        for (i, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if n < here {
                let mut rest = word;
                (0..n).for_each(|_| rest &= rest - 1);
                return Some(Point((i as u32 * 64 + rest.trailing_zeros()) as u16));
            }
            n -= here;
        }
        None
    }

    /// The point with the smallest index.
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    pub fn iter(&self) -> impl Iterator<Item = Point> + use<W> {
        let words = self.0;
        (0..W).flat_map(move |i| {
            let mut rest = words[i];
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    Point((i as u32 * 64 + bit) as u16)
                })
            })
        })
    }
}

impl<const W: usize> FromIterator<Point> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Bits::EMPTY;
        points.into_iter().for_each(|p| set.insert(p));
        set
    }
}

macro_rules! elementwise {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<const W: usize> $trait for Bits<W> {
            type Output = Bits<W>;
            #[inline(always)]
            fn $method(self, other: Bits<W>) -> Bits<W> {
                Bits(std::array::from_fn(|i| self.0[i] $op other.0[i]))
            }
        }
    };
}
elementwise!(BitAnd, bitand, &);
elementwise!(BitOr, bitor, |);
elementwise!(BitXor, bitxor, ^);

impl<const W: usize> Not for Bits<W> {
    type Output = Bits<W>;
    #[inline(always)]
    fn not(self) -> Bits<W> {
        Bits(self.0.map(|w| !w))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn neighbours_of_a_set_are_the_neighbours_of_its_points() {
        let size = Size::new(13).unwrap();
        let board = Bits::<4>::board(size);
        for p in size.points() {
            let around: BTreeSet<Point> = (Bits::<4>::single(p).neighbours(size.stride()) & board).iter().collect();
            assert_eq!(around, size.neighbours(p).collect());
        }
        assert_eq!(board.len(), 169);
        let mut visited = Vec::new();
        board.visit(|p| visited.push(p));
        assert_eq!(visited, board.iter().collect::<Vec<_>>());
        assert!((0..170).all(|n| board.nth(n) == visited.get(n as usize).copied()));
        assert_eq!(board.iter().collect::<Vec<_>>(), size.points().collect::<Vec<_>>());
    }

    #[test]
    fn a_board_has_all_its_points_and_no_others() {
        for size in (Size::MIN..=Size::MAX).filter_map(Size::new) {
            assert!(Bits::<16>::board(size).iter().eq(size.points()), "{size}");
        }
        assert!((2..=9).filter_map(Size::new).all(|size| Bits::<2>::board(size).iter().eq(size.points())));
    }

    #[test]
    fn flood_stops_at_walls() {
        let size = Size::new(5).unwrap();
        let mut within = Bits::<2>::board(size);
        for y in 0..5 {
            within.remove(size.point(2, y));
        }
        let left = Bits::single(size.point(0, 0)).flood(within, size.stride());
        assert_eq!(left.len(), 10);
        assert!(left.contains(size.point(1, 4)) && !left.contains(size.point(3, 0)));
        assert!(Bits::single(size.point(2, 2)).flood(within, size.stride()).is_empty());
    }
}
