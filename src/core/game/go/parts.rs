//! What the fast board is made of: cells, liberties, and lists of open points.

use crate::base::Color;
use crate::base::rng::splitmix;
use std::ops::{Index, IndexMut};

/// What stands on a point: the kind in the two high bits, the chain in the others. Empty points and the padding belong
/// to chain 0, whose liberties are written and never read, so that placing a stone needs no test of its neighbours.
pub(super) type Cell = u16;
pub(super) const EMPTY: Cell = 0;
pub(super) const OFF: Cell = 0xc000;
pub(super) const KIND: Cell = 0xc000;

#[inline(always)]
pub(super) fn stone(color: Color) -> Cell {
    0x4000 << color as Cell
}

#[inline(always)]
pub(super) fn chain_of<const P: usize>(cell: Cell) -> usize {
    cell as usize & (P - 1)
}

/// The four cells around a point side by side in one word, so that one instruction does for all of them. An answer
/// about each cell is a flag: the high bit of its lane.
#[derive(Clone, Copy)]
pub(super) struct Around(pub(super) u64);

pub(super) const ONES: u64 = 0x0001_0001_0001_0001;
pub(super) const FLAGS: u64 = ONES << 15;

impl Around {
    /// Flags of the empty points, of the own stones and of the enemy's. The padding is none of them.
    #[inline(always)]
    pub(super) fn kinds(self, color: Color) -> [u64; 3] {
        let (own, enemy) = (self.0 << (1 - color as u32), self.0 << color as u32);
        [!(own | enemy) & FLAGS, own & !enemy & FLAGS, enemy & !own & FLAGS]
    }

    /// All four are own stones or padding: the padding has both bits of a kind set, so one mask tells.
    #[inline(always)]
    pub(super) fn is_own(self, color: Color) -> bool {
        self.0 << (1 - color as u32) & FLAGS == FLAGS
    }

    #[inline(always)]
    pub(super) fn cell(self, i: usize) -> Cell {
        (self.0 >> (16 * i)) as Cell
    }

    /// The cell of the first flag; of the last cell if there is no flag.
    #[inline(always)]
    pub(super) fn first(self, flags: u64) -> Cell {
        (self.0 >> ((flags | 1 << 63).trailing_zeros() & 48)) as Cell
    }

    #[inline(always)]
    pub(super) fn flagged(self, mut flags: u64) -> impl Iterator<Item = Cell> {
        std::iter::from_fn(move || {
            (flags != 0).then(|| {
                let cell = self.first(flags);
                flags &= flags - 1;
                cell
            })
        })
    }

    /// Is there a flagged cell other than this one?
    #[inline(always)]
    pub(super) fn has_other(self, flags: u64, cell: Cell) -> bool {
        let lanes = (flags >> 15) * 0xffff;
        ((cell as u64 * ONES) ^ self.0) & lanes != 0
    }
}

/// One thing per point.
#[derive(Clone, Copy)]
pub(super) struct Map<T, const P: usize>(pub(super) [T; P]);

// SAFETY: every index is a point on the board, a neighbour of one, a place in a list of such points, or masked to
// `P - 1`: `Board::new` sees to it that the padded board fits, and a point from outside is masked, and its neighbours
// are looked at only if it is empty. Faster by 6 to 8 % than bounds checks, by 9 to 13 % than masking every index.
impl<T, const P: usize> Index<usize> for Map<T, P> {
    type Output = T;
    #[inline(always)]
    fn index(&self, p: usize) -> &T {
        debug_assert!(p < P);
        // SAFETY: see above.
        unsafe { self.0.get_unchecked(p) }
    }
}

impl<T, const P: usize> IndexMut<usize> for Map<T, P> {
    #[inline(always)]
    fn index_mut(&mut self, p: usize) -> &mut T {
        debug_assert!(p < P);
        // SAFETY: see above.
        unsafe { self.0.get_unchecked_mut(p) }
    }
}

/// Liberties of a chain, counted once for each neighbouring stone of the chain: count in bits 0..12, sum of the points
/// in bits 12..33, sum of their squares in bits 33..64. Adding and removing a liberty is one addition; all counted
/// liberties are the same point just when count * squares = sum^2.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Liberties(pub(super) u64);

/// One liberty at a point, as `Liberties` counts it.
pub(super) static LIBERTY: Map<u64, 1024> = {
    let mut table = [0; 1024];
    let mut p = 0;
    while p < 1024 {
        table[p] = 1 + ((p as u64) << 12) + (((p * p) as u64) << 33);
        p += 1;
    }
    Map(table)
};

impl Liberties {
    #[inline(always)]
    pub(super) fn at(point: usize) -> u64 {
        LIBERTY[point]
    }

    #[inline(always)]
    pub(super) fn count(self) -> u64 {
        self.0 & 0xfff
    }

    #[inline(always)]
    pub(super) fn sum(self) -> u64 {
        self.0 >> 12 & 0x1f_ffff
    }

    #[inline(always)]
    pub(super) fn is_one(self) -> bool {
        self.count() * (self.0 >> 33) == self.sum() * self.sum()
    }

    /// Is a point known to be a liberty the only one?
    #[inline(always)]
    pub(super) fn is_only(self, here: u64) -> bool {
        self.0 == self.count().wrapping_mul(here)
    }
}

/// One number per point and colour; the hash of a position is the exclusive or over its stones.
pub(super) static ZOBRIST: Map<[u64; 2], 1024> = {
    let mut table = [[0; 2]; 1024];
    let mut i = 0;
    while i < 2048 {
        table[i / 2][i % 2] = splitmix(0x6d6f_6b75 + 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(i as u64 + 1));
        i += 1;
    }
    Map(table)
};

/// The empty points a colour may still want, in no order: all but those found to be its eyes. An eye is put back when
/// a stone beside it is taken or an enemy stone comes to its corner.
#[derive(Clone, Copy)]
pub(super) struct OpenPoints<const P: usize> {
    pub(super) count: u32,
    pub(super) points: Map<u16, P>,
    /// Index into `points`, or `DROPPED` for an eye.
    pub(super) place: Map<u16, P>,
}

pub(super) const DROPPED: u16 = 0x8000;

impl<const P: usize> OpenPoints<P> {
    #[inline(always)]
    pub(super) fn add(&mut self, p: usize) {
        let n = self.count as usize;
        self.points[n] = p as u16;
        self.place[p] = n as u16;
        self.count += 1;
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, p: usize) {
        let i = self.place[p];
        if i != DROPPED {
            self.count -= 1;
            let last = self.points[self.count as usize];
            self.points[i as usize] = last;
            self.place[last as usize] = i;
        }
        self.place[p] = 0;
    }

    #[inline(always)]
    pub(super) fn drop_eye(&mut self, p: usize) {
        self.remove(p);
        self.place[p] = DROPPED;
    }

    #[inline(always)]
    pub(super) fn put_back(&mut self, p: usize) {
        if self.place[p] == DROPPED {
            self.add(p);
        }
    }

    #[inline(always)]
    pub(super) fn swap(&mut self, i: usize, j: usize) {
        let (a, b) = (self.points[i], self.points[j]);
        self.points[i] = b;
        self.points[j] = a;
        self.place[b as usize] = i as u16;
        self.place[a as usize] = j as u16;
    }
}
