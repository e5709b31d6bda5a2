//! Cheap facts about a position that playouts and priors ask for. Nothing here is kept up to date move by move: each is
//! worked out from the board when somebody asks, so that nobody else pays for it.

use super::board::Board;
use super::parts::{Around, EMPTY, KIND, Liberties, Map, chain_of, stone};
use crate::base::{Bits, Color, Point, Rng};

/// The eight neighbours of a point as a code: two bits each (0 empty, 1 Black, 2 White, 3 off the board), in the order
/// left, below, right, above, then the corners left below, right below, left above, right above.
pub type Neighbourhood = u16;

/// A few points, without an allocation.
#[derive(Clone, Copy)]
pub struct Few<const N: usize> {
    points: [Point; N],
    count: usize,
}

impl<const N: usize> Few<N> {
    #[inline(always)]
    pub fn new() -> Self {
        Few { points: [Point::PASS; N], count: 0 }
    }

    /// Adds a point; one too many is left out.
    #[inline(always)]
    pub fn add(&mut self, p: Point) {
        if self.count < N {
            self.points[self.count] = p;
            self.count += 1;
        }
    }

    pub fn as_slice(&self) -> &[Point] {
        &self.points[..self.count]
    }

    /// One of them, each with the same chance.
    #[inline(always)]
    pub fn any(&self, rng: &mut Rng) -> Option<Point> {
        match self.count {
            0 => None,
            1 => Some(self.points[0]),
            n => Some(self.points[rng.below(n as u32) as usize]),
        }
    }
}

impl<const N: usize> Default for Few<N> {
    fn default() -> Self {
        Few::new()
    }
}

/// The neighbourhoods of all points, kept up to date move by move by whoever wants them: cheaper than asking for many of
/// them after each move.
pub struct Neighbourhoods<const P: usize>(Map<Neighbourhood, P>);

/// Where the middle is, seen from each of the points around it.
const OPPOSITE: [u32; 8] = [2, 3, 0, 1, 7, 6, 5, 4];

impl<const P: usize> Neighbourhoods<P> {
    pub fn of<const W: usize>(board: &Board<W, P>) -> Self {
        let mut codes = Map([0; P]);
        for p in board.size().points() {
            codes[p.index()] = board.neighbourhood(p);
        }
        Neighbourhoods(codes)
    }

    /// The point must be on the board, or what it answers means nothing.
    #[inline(always)]
    pub fn at(&self, p: Point) -> Neighbourhood {
        self.0[p.index() & (P - 1)]
    }

    /// After a move has been made: what it put on the board, and what it took off.
    #[inline(always)]
    pub fn note<const W: usize>(&mut self, board: &Board<W, P>, p: Point, color: Color, taken: Bits<W>) {
        if p.is_pass() {
            return;
        }
        self.turn(board, p, color);
        if !taken.is_empty() {
            taken.visit(|q| self.turn(board, q, color.opponent()));
        }
    }

    /// The same, and shows every point that may look different now with what it looks like, some of them twice.
    #[inline(always)]
    pub fn note_each<const W: usize>(
        &mut self,
        board: &Board<W, P>,
        p: Point,
        color: Color,
        taken: Bits<W>,
        mut visit: impl FnMut(Point, Neighbourhood),
    ) {
        if p.is_pass() {
            return;
        }
        self.note(board, p, color, taken);
        let mut show = |q: Point| {
            visit(q, self.at(q));
            board.around(q).into_iter().for_each(|r| visit(r, self.at(r)));
        };
        show(p);
        if !taken.is_empty() {
            taken.visit(show);
        }
    }

    /// A stone comes, or goes.
    #[inline(always)]
    fn turn<const W: usize>(&mut self, board: &Board<W, P>, p: Point, color: Color) {
        let kind = 1 << color.index();
        for (q, place) in board.around(p).into_iter().zip(OPPOSITE) {
            self.0[q.index()] ^= kind << (2 * place);
        }
    }
}

impl<const W: usize, const P: usize> Board<W, P> {
    #[inline(always)]
    pub fn neighbourhood(&self, p: Point) -> Neighbourhood {
        let p = Self::index(p);
        let kind = |q: usize| self.cells[q] >> 14;
        let [a, b, c, d] = self.neighbours(p);
        let [e, f, g, h] = self.corners(p);
        kind(a)
            | kind(b) << 2
            | kind(c) << 4
            | kind(d) << 6
            | kind(e) << 8
            | kind(f) << 10
            | kind(g) << 12
            | kind(h) << 14
    }

    /// The eight points around a point, those off the board included: left, below, right, above, then the corners.
    #[inline(always)]
    pub fn around(&self, p: Point) -> [Point; 8] {
        let p = Self::index(p);
        let [a, b, c, d] = self.neighbours(p);
        let [e, f, g, h] = self.corners(p);
        [a, b, c, d, e, f, g, h].map(|q| Point(q as u16))
    }

    #[inline(always)]
    pub fn is_empty_at(&self, p: Point) -> bool {
        self.cells[Self::index(p)] == EMPTY
    }

    /// Is there a chain of this colour with one liberty?
    #[inline(always)]
    pub fn is_own_in_atari(&self, p: Point, color: Color) -> bool {
        let cell = self.cells[Self::index(p)];
        cell & KIND == stone(color) && self.liberties[chain_of::<P>(cell)].is_one()
    }

    #[inline(always)]
    pub fn is_stone_of(&self, p: Point, color: Color) -> bool {
        self.cells[Self::index(p)] & KIND == stone(color)
    }

    /// The same number for all stones of a chain, and for no others.
    #[inline(always)]
    pub fn chain_name(&self, p: Point) -> usize {
        self.chain_at(Self::index(p))
    }

    /// How many stones the chain on a point has; 0 for an empty point.
    #[inline(always)]
    pub fn chain_length(&self, p: Point) -> usize {
        let cell = self.cells[Self::index(p)];
        if cell & KIND == 0 { 0 } else { self.length[chain_of::<P>(cell)] as usize }
    }

    /// How many liberties a new chain here would have at least, counted to 2, and how many own stones it would have with
    /// this one. A move that takes stones counts as having 2: it makes room.
    #[inline]
    pub fn after_stone(&self, p: Point, color: Color) -> AfterStone {
        let p = Self::index(p);
        let around = self.look_around(p);
        let [empty, own, enemy] = around.kinds(color);
        let (mut liberties, mut stones) = (empty.count_ones(), 1);
        let mut only = if empty == 0 { 0 } else { self.neighbours(p)[empty.trailing_zeros() as usize / 16] };
        if enemy & self.last(p, around) != 0 {
            return AfterStone { liberties: 2, stones, takes: true };
        }
        let here = Liberties::at(p);
        let mut seen = [0; 4];
        for (i, cell) in around.flagged(own).enumerate() {
            let chain = chain_of::<P>(cell);
            if seen[..i].contains(&chain) {
                continue;
            }
            seen[i] = chain;
            stones += self.length[chain] as usize;
            // What is left of its liberties without this point, which counts once for each neighbour of the chain.
            let times = around.flagged(own).filter(|&other| chain_of::<P>(other) == chain).count() as u64;
            let rest = Liberties(self.liberties[chain].0.wrapping_sub(times.wrapping_mul(here)));
            if rest.count() == 0 {
                continue;
            }
            if !rest.is_one() {
                liberties = 2;
                continue;
            }
            let other = (rest.sum() / rest.count()) as usize;
            if liberties == 0 || liberties == 1 && other != only {
                liberties += 1;
                only = other;
            }
        }
        AfterStone { liberties: liberties.min(2), stones, takes: false }
    }

    /// Would a stone here be in atari, without taking anything?
    #[inline]
    pub fn is_self_atari(&self, p: Point, color: Color) -> bool {
        let p = Self::index(p);
        let around = self.look_around(p);
        let [empty, own, enemy] = around.kinds(color);
        empty.count_ones() < 2 && enemy & self.last(p, around) == 0 && self.has_one_breath(p, around, empty, own)
    }

    /// Would a stone that has at most one empty point beside it, and takes nothing, have one liberty or none?
    #[inline]
    fn has_one_breath(&self, p: usize, around: Around, empty: u64, own: u64) -> bool {
        let here = Liberties::at(p);
        // A liberty, counted at least once; nothing so far.
        let mut only = match empty {
            0 => Liberties(0),
            _ => Liberties(Liberties::at(self.neighbours(p)[empty.trailing_zeros() as usize / 16])),
        };
        for cell in around.flagged(own) {
            let chain = chain_of::<P>(cell);
            // What is left of its liberties without this point, which counts once for each neighbour of the chain.
            let times = around.flagged(own).filter(|&other| other == cell).count() as u64;
            let rest = Liberties(self.liberties[chain].0.wrapping_sub(times.wrapping_mul(here)));
            // The same point, if both are one: sum / count is.
            if !rest.is_one() || rest.sum() * only.count() != only.sum() * rest.count() {
                return false;
            }
            if rest.count() > 0 {
                only = rest;
            }
        }
        true
    }

    /// Would a stone here, with the own stones that it joins, fill a room of the enemy's but for his last liberty, so that he has
    /// one eye at most when he takes them? Nothing but enemy stones stands around, and none of them has a liberty elsewhere:
    /// with another eye they would live, or stand in seki.
    pub fn fills_eye(&self, p: Point, color: Color) -> bool {
        let mut stones = Few::<5>::new();
        stones.add(p);
        let (mut liberty, mut next, mut pairs, mut most) = (None, 0, 0, 0);
        while next < stones.count {
            let mut joined = 0;
            for q in self.neighbours(Self::index(stones.points[next])).map(|q| Point(q as u16)) {
                if q == p || self.is_stone_of(q, color) {
                    joined += 1;
                    if !stones.as_slice().contains(&q) {
                        if stones.count == 5 {
                            return false;
                        }
                        stones.add(q);
                    }
                } else if self.is_empty_at(q) {
                    if liberty.is_some_and(|other| other != q) {
                        return false;
                    }
                    liberty = Some(q);
                }
            }
            (pairs, most, next) = (pairs + joined, most.max(joined), next + 1);
        }
        let is_shut = |liberty: Point| {
            let around = self.neighbours(Self::index(liberty)).map(|q| Point(q as u16));
            around.iter().all(|q| {
                let is_other = !stones.as_slice().contains(q);
                !(is_other && (self.is_empty_at(*q) || self.is_stone_of(*q, color)))
            })
        };
        // Each pair of neighbours was counted from both sides.
        let leaves_one_eye = match (stones.count, pairs / 2) {
            (1..=3, _) => true,
            (4, 4) => true,      // a square
            (4, 3) => most == 3, // a pyramid
            (5, 5) => true,      // a bulky five
            (5, 4) => most == 4, // a cross
            _ => false,
        };
        let is_last = |liberty: Point| {
            let beside = stones.as_slice().iter().flat_map(|&s| self.neighbours(Self::index(s)));
            beside.map(|q| Point(q as u16)).filter(|&q| self.is_stone_of(q, color.opponent())).all(|q| {
                let liberties = self.one_or_two_liberties(q);
                let found = liberties.as_slice();
                !found.is_empty() && found.iter().all(|&other| other == p || other == liberty)
            })
        };
        leaves_one_eye && liberty.is_some_and(|liberty| is_shut(liberty) && is_last(liberty))
    }

    /// The liberties of the chain on a point if it has one or two; none for more, and for an empty point.
    #[inline(always)]
    pub fn one_or_two_liberties(&self, p: Point) -> Few<2> {
        let start = Self::index(p);
        let chain = self.chain_at(start);
        // A liberty is counted once for each of at most four stones around it.
        if chain == 0 || self.liberties[chain].count() > 8 {
            return Few::new();
        }
        self.find_two(start)
    }

    #[inline]
    fn find_two(&self, start: usize) -> Few<2> {
        let mut found = Few::<2>::new();
        let mut q = start;
        loop {
            for r in self.neighbours(q) {
                let r = Point(r as u16);
                if self.is_empty_at(r) && !found.as_slice().contains(&r) {
                    if found.count == 2 {
                        return Few::new();
                    }
                    found.add(r);
                }
            }
            q = self.next[q] as usize;
            if q == start {
                return found;
            }
        }
    }

    /// How many liberties a stone here would have, counted to 3, if the enemy had a stone on another point as well (`PASS`:
    /// nowhere). A move that takes stones counts as having 3.
    #[inline]
    pub fn liberties_after(&self, p: Point, color: Color, filled: Point) -> usize {
        let at = Self::index(p);
        let around = self.look_around(at);
        let [_, own, enemy] = around.kinds(color);
        if enemy & self.last(at, around) != 0 {
            return 3;
        }
        // Often the points beside it tell.
        let [empty, _, _] = around.kinds(color);
        let beside = self.neighbours(at);
        let mut open = empty.count_ones() as usize;
        if !filled.is_pass() {
            open -= beside.contains(&filled.index()) as usize & self.is_empty_at(filled) as usize;
        }
        if own == 0 || open >= 3 {
            return open.min(3);
        }
        let mut found = Few::<3>::new();
        let mut note = |q: usize| {
            let q = Point(q as u16);
            if self.is_empty_at(q) && q != p && q != filled && !found.as_slice().contains(&q) {
                found.add(q);
            }
            found.count == 3
        };
        beside.into_iter().for_each(|q| _ = note(q));
        for cell in around.flagged(own) {
            let start = chain_of::<P>(cell);
            let mut q = start;
            loop {
                if self.neighbours(q).into_iter().any(&mut note) {
                    return 3;
                }
                q = self.next[q] as usize;
                if q == start {
                    break;
                }
            }
        }
        found.count
    }

    /// The empty region of a point, of up to six points, if stones of one colour alone surround it. Regions that are open at
    /// this very point are not looked at, for speed: it has at most two empty neighbours.
    #[inline]
    pub fn small_eye(&self, p: Point) -> Option<Few<6>> {
        let mut region = Few::<6>::new();
        let [empty, black, white] = self.look_around(Self::index(p)).kinds(Color::Black);
        if empty.count_ones() > 2 || black != 0 && white != 0 {
            return None;
        }
        region.add(p);
        let (mut next, mut black, mut white) = (0, 0, 0);
        while next < region.count {
            let q = Self::index(region.points[next]);
            let around = self.look_around(q);
            let kinds = around.kinds(Color::Black);
            black |= kinds[1];
            white |= kinds[2];
            if black != 0 && white != 0 {
                return None;
            }
            for (i, r) in self.neighbours(q).into_iter().enumerate() {
                let r = Point(r as u16);
                if kinds[0] >> (16 * i + 15) & 1 != 0 && !region.as_slice().contains(&r) {
                    if region.count == 6 {
                        return None;
                    }
                    region.add(r);
                }
            }
            next += 1;
        }
        Some(region)
    }

    /// Adds the last liberties of enemy chains in atari that touch the chain on a point: taking them saves it.
    #[inline]
    pub fn counter_captures<const N: usize>(&self, p: Point, out: &mut Few<N>) {
        let start = Self::index(p);
        let enemy = stone(if self.cells[start] & KIND == stone(Color::Black) { Color::White } else { Color::Black });
        let mut q = start;
        loop {
            for r in self.neighbours(q) {
                if self.cells[r] & KIND == enemy {
                    let liberties = self.liberties[chain_of::<P>(self.cells[r])];
                    if liberties.is_one() {
                        let at = Point((liberties.sum() / liberties.count()) as u16);
                        if !out.as_slice().contains(&at) {
                            out.add(at);
                        }
                    }
                }
            }
            q = self.next[q] as usize;
            if q == start {
                return;
            }
        }
    }
}

/// What a stone would lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AfterStone {
    /// Counted to 2.
    pub liberties: u32,
    /// Of the chain it becomes part of, itself included.
    pub stones: usize,
    /// Does it take stones?
    pub takes: bool,
}
