//! The fast Go board: what a playout and a tree descent need, and nothing else.
//!
//! Stones are two bitboards. Beside them stands what one game at a time is fastest with: a mailbox of cells that
//! name the chain on a point, and for each chain its stones as a ring and its liberties packed in one word. No
//! allocation, no history: copying a board is one memcpy. History, undo and superko live in `record`.
//!
//! `W` is the number of 64-bit words of a set and `P = 64 * W` the length of a mailbox: `Go9` is `Board<2, 128>`.
//!
//! What costs time here is not work but wrong guesses of the processor, so questions about the four neighbours are
//! answered for all of them at once and without branches.

use super::parts::{Around, Cell, DROPPED, EMPTY, KIND, Liberties, Map, OFF, OpenPoints, ZOBRIST, chain_of, stone};
use crate::base::{Bits, Black, Color, Point, Rng, Size, White};
use std::hint::select_unpredictable;

/// Boards up to 9x9, 14x14, 21x21 and 25x25: the padded board fits the set.
pub type Go9 = Board<2, 128>;
pub type Go14 = Board<4, 256>;
pub type Go21 = Board<8, 512>;
pub type Go25 = Board<16, 1024>;

#[derive(Clone)]
pub struct Board<const W: usize, const P: usize> {
    // What the position is.
    size: Size,
    to_play: Color,
    passes: u8,
    ko: Point,
    /// The last two moves, the later first; a pass where there was none.
    last: [Point; 2],
    komi: f32,
    /// May several stones be put to death by their own side? Playouts never do.
    suicide: bool,
    stones: [Bits<W>; 2],
    // What can be computed from it.
    hash: u64,
    captures: [u16; 2],
    open: [OpenPoints<P>; 2],
    pub(super) cells: Map<Cell, P>,
    pub(super) next: Map<u16, P>,
    pub(super) length: Map<u16, P>,
    pub(super) liberties: Map<Liberties, P>,
}

impl<const W: usize, const P: usize> Board<W, P> {
    /// The largest size this board can hold.
    pub fn fits(size: Size) -> bool {
        (size.n() + 2) * size.stride() <= P && P == 64 * W && P.is_power_of_two()
    }

    /// The empty board; the size must fit.
    pub fn new(size: Size, komi: f32) -> Self {
        assert!(Self::fits(size), "a {size}x{size} board does not fit {P} points");
        let mut board = Board {
            size,
            to_play: Black,
            passes: 0,
            ko: Point::PASS,
            last: [Point::PASS; 2],
            komi,
            suicide: false,
            stones: [Bits::EMPTY; 2],
            hash: 0,
            captures: [0; 2],
            open: [OpenPoints { count: 0, points: Map([0; P]), place: Map([0; P]) }; 2],
            cells: Map([OFF; P]),
            next: Map([0; P]),
            length: Map([0; P]),
            liberties: Map([Liberties(0); P]),
        };
        for p in size.points() {
            board.cells[p.index()] = EMPTY;
            board.open[0].add(p.index());
            board.open[1].add(p.index());
        }
        board
    }

    // ---- questions

    pub fn size(&self) -> Size {
        self.size
    }

    #[inline(always)]
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    /// Consecutive passes just made, 0 to 2.
    #[inline(always)]
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// The point forbidden by simple ko, or `PASS`.
    pub fn ko(&self) -> Point {
        self.ko
    }

    /// The last two moves, the later first; a pass where there was none.
    #[inline(always)]
    pub fn last_moves(&self) -> [Point; 2] {
        self.last
    }

    pub fn komi(&self) -> f32 {
        self.komi
    }

    /// Zobrist hash of the stones alone (positional superko compares these).
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Stones taken so far, by the taker.
    pub fn captures(&self, by: Color) -> usize {
        self.captures[by.index()] as usize
    }

    pub fn stones(&self, color: Color) -> Bits<W> {
        self.stones[color.index()]
    }

    pub fn empty(&self) -> Bits<W> {
        Bits::board(self.size).minus(self.stones[0] | self.stones[1])
    }

    pub fn color_at(&self, p: Point) -> Option<Color> {
        let kind = self.cells[Self::index(p)] & KIND;
        Color::BOTH.into_iter().find(|&color| kind == stone(color))
    }

    /// Has the chain on a point exactly one liberty? False for an empty point.
    #[inline(always)]
    pub fn is_in_atari(&self, p: Point) -> bool {
        let chain = self.chain_at(Self::index(p));
        chain != 0 && self.liberties[chain].is_one()
    }

    /// The only liberty of a chain in atari.
    #[inline(always)]
    pub fn last_liberty(&self, p: Point) -> Option<Point> {
        let chain = self.chain_at(Self::index(p));
        let liberties = self.liberties[chain];
        (chain != 0 && liberties.is_one()).then(|| Point((liberties.sum() / liberties.count()) as u16))
    }

    /// The stones of the chain on a point; empty for an empty point.
    pub fn chain(&self, p: Point) -> Bits<W> {
        let mut set = Bits::EMPTY;
        if self.color_at(p).is_some() {
            self.for_each_stone(Self::index(p), |q| set.insert(Point(q as u16)));
        }
        set
    }

    /// The liberties of the chain on a point.
    pub fn liberties_of(&self, p: Point) -> Bits<W> {
        self.chain(p).neighbours(self.size.stride()) & self.empty()
    }

    /// May the side to play put a stone here? (Simple ko; superko is the record's.)
    #[inline]
    pub fn is_legal(&self, p: Point) -> bool {
        let p = Self::index(p);
        self.cells[p] == EMPTY && p != self.ko.index() && {
            let around = self.look_around(p);
            Self::breathes(around, self.last(p, around), self.to_play)
        }
    }

    #[inline(always)]
    pub fn allows_suicide(&self) -> bool {
        self.suicide
    }

    /// May the side to play put several stones to death here? One alone may not die: that would repeat the position.
    pub fn is_suicide(&self, p: Point) -> bool {
        let p = Self::index(p);
        self.suicide && self.cells[p] == EMPTY && {
            let around = self.look_around(p);
            let [_, own, _] = around.kinds(self.to_play);
            own != 0 && !Self::breathes(around, self.last(p, around), self.to_play)
        }
    }

    /// An own eye: every neighbour on the board is an own stone, and of the diagonal points at most one is the
    /// opponent's, none if the point is on the edge. Playouts and tree candidates never fill one.
    #[inline]
    pub fn is_eye(&self, p: Point, color: Color) -> bool {
        let p = Self::index(p);
        self.cells[p] == EMPTY && self.look_around(p).is_own(color) && self.has_sound_corners(p, color)
    }

    /// All eyes of a colour, as one set operation.
    pub fn eyes(&self, color: Color) -> Bits<W> {
        let stride = self.size.stride();
        let board = Bits::board(self.size);
        let (own, enemy) = (self.stones(color), self.stones(color.opponent()));
        let not_own = !own & board; // the padding counts as own
        let solid = self.empty().minus(not_own.neighbours(stride));
        // Corners seen from a point, counted with two bits: one enemy is bearable, two are not.
        let corners = [enemy.up(stride + 1), enemy.up(stride - 1), enemy.down(stride + 1), enemy.down(stride - 1)];
        let (mut one, mut two) = (Bits::EMPTY, Bits::EMPTY);
        for corner in corners {
            two = two | (one & corner);
            one = one | corner;
        }
        let edge = board & (!board).neighbours(stride);
        solid.minus(two).minus(one & edge)
    }

    /// Candidates of a tree node and of a playout: legal and not an own eye, in ascending order of index.
    pub fn sensible_moves(&self, out: &mut Vec<Point>) {
        out.clear();
        out.extend(self.empty().iter().filter(|&p| self.is_legal(p) && !self.is_eye(p, self.to_play)));
    }

    /// Points whose empty region touches one colour only, by colour.
    pub fn territory(&self) -> [Bits<W>; 2] {
        let stride = self.size.stride();
        let empty = self.empty();
        let reached = |color: Color| self.stones(color).neighbours(stride).flood(empty, stride);
        let (black, white) = (reached(Black), reached(White));
        [black.minus(white), white.minus(black)]
    }

    /// Area score for Black, komi not counted: stones and territory.
    pub fn area(&self) -> i32 {
        let owned = self.owned();
        owned[0].len() as i32 - owned[1].len() as i32
    }

    /// Stones and territory, by colour.
    pub fn owned(&self) -> [Bits<W>; 2] {
        let [black, white] = self.territory();
        [self.stones[0] | black, self.stones[1] | white]
    }

    /// The hash of a position, from scratch.
    pub fn hash_of(black: Bits<W>, white: Bits<W>) -> u64 {
        let sum = |set: Bits<W>, color: Color| set.iter().fold(0, |h, p| h ^ ZOBRIST.0[p.index()][color.index()]);
        sum(black, Black) ^ sum(white, White)
    }

    // ---- moves

    /// Puts a stone of the side to play, or passes; the move must be legal.
    #[inline]
    pub fn play(&mut self, p: Point) {
        if p.is_pass() {
            self.pass();
        } else {
            debug_assert!(self.is_legal(p));
            let p = Self::index(p);
            assert!(self.cells[p] == EMPTY, "a stone can be put on an empty point only");
            let around = self.look_around(p);
            let [_, _, enemy] = around.kinds(self.to_play);
            self.put(p, around, enemy & self.last(p, around));
        }
    }

    /// The same where stones may be put to death.
    #[cold]
    #[inline(never)]
    pub fn play_or_die(&mut self, p: Point) {
        if p.is_pass() || !self.is_suicide(p) {
            return self.play(p);
        }
        let (p, color) = (Self::index(p), self.to_play);
        self.put(p, self.look_around(p), 0);
        self.captures[color.opponent().index()] += self.take_off(self.chain_at(p));
    }

    pub fn pass(&mut self) {
        self.ko = Point::PASS;
        self.last = [Point::PASS, self.last[0]];
        self.passes = (self.passes + 1).min(2);
        self.to_play = self.to_play.opponent();
    }

    /// Hands the move to a colour. The ko ends, and passes are forgotten, if that changes who moves.
    pub fn set_to_play(&mut self, color: Color) {
        if color != self.to_play {
            self.to_play = color;
            self.ko = Point::PASS;
            self.passes = 0;
        }
    }

    /// Puts stones of both colours on an empty board, the side to move unchanged. False, and nothing changes, if a
    /// chain would be without liberties.
    pub fn set_stones(&mut self, stones: impl IntoIterator<Item = (Point, Color)>) -> bool {
        debug_assert!((self.stones[0] | self.stones[1]).is_empty());
        let mut sets = [Bits::<W>::EMPTY; 2];
        for (p, color) in stones {
            sets[color.opponent().index()].remove(p);
            sets[color.index()].insert(p);
        }
        let (board, stride) = (Bits::board(self.size), self.size.stride());
        debug_assert!((sets[0] | sets[1]).minus(board).is_empty());
        let sets = sets.map(|set| set & board);
        let empty = board.minus(sets[0] | sets[1]);
        if sets.iter().any(|&set| empty.neighbours(stride).flood(set, stride) != set) {
            return false;
        }
        // One colour may be without liberties for a while, so stones go down without captures.
        let mut fresh = Self::new(self.size, self.komi);
        for color in Color::BOTH {
            for p in sets[color.index()].iter() {
                fresh.to_play = color;
                fresh.put(p.index(), fresh.look_around(p.index()), 0);
            }
        }
        fresh.to_play = self.to_play;
        fresh.last = [Point::PASS; 2];
        fresh.suicide = self.suicide;
        *self = fresh;
        true
    }

    pub fn set_komi(&mut self, komi: f32) {
        self.komi = komi;
    }

    pub fn set_suicide(&mut self, is_allowed: bool) {
        self.suicide = is_allowed;
    }

    /// Plays a uniformly random sensible move, or passes when there is none. Returns the move.
    ///
    /// An unplayable pick goes behind the end of the list of those still in question, so every playable point has
    /// the same chance and the search ends.
    #[inline(always)]
    pub fn play_random(&mut self, rng: &mut Rng) -> Point {
        self.play_random_if(rng, |_, _, _| true)
    }

    /// The same, but a move that `accept` refuses is not played while there are others.
    #[inline(always)]
    pub fn play_random_if(&mut self, rng: &mut Rng, accept: impl FnMut(&Self, Point, &mut Rng) -> bool) -> Point {
        // Compiled for each colour by itself.
        match self.to_play {
            Black => self.random_move(Black, rng, accept),
            White => self.random_move(White, rng, accept),
        }
    }

    /// An empty point that is not known to be an own eye, each with the same chance, and how many there are.
    #[inline(always)]
    pub fn any_open(&self, rng: &mut Rng) -> Option<(Point, u32)> {
        let open = &self.open[self.to_play.index()];
        (open.count > 0).then(|| (Point(open.points[rng.below(open.count) as usize]), open.count))
    }

    #[inline(always)]
    fn random_move(
        &mut self,
        color: Color,
        rng: &mut Rng,
        mut accept: impl FnMut(&Self, Point, &mut Rng) -> bool,
    ) -> Point {
        let mut open = self.open[color.index()].count as usize;
        while open > 0 {
            let i = rng.below(open as u32) as usize;
            let p = self.open[color.index()].points[i] as usize;
            let around = self.look_around(p);
            open -= 1;
            if around.is_own(color) && self.has_sound_corners(p, color) {
                let list = &mut self.open[color.index()];
                list.swap(i, open);
                list.drop_eye(p);
                continue;
            }
            let last = self.last(p, around);
            if Self::breathes(around, last, color) & (p != self.ko.index()) && accept(self, Point(p as u16), rng) {
                let [_, _, enemy] = around.kinds(color);
                self.put(p, around, enemy & last);
                return Point(p as u16);
            }
            self.open[color.index()].swap(i, open);
        }
        self.pass();
        Point::PASS
    }

    // ---- the machine room

    /// What comes from outside is an index at least.
    #[inline(always)]
    pub(super) fn index(p: Point) -> usize {
        p.index() & (P - 1)
    }

    /// Left, below, right, above: the order of the lanes.
    #[inline(always)]
    pub(super) fn neighbours(&self, p: usize) -> [usize; 4] {
        let stride = self.size.stride();
        [p - 1, p - stride, p + 1, p + stride]
    }

    #[inline(always)]
    pub(super) fn look_around(&self, p: usize) -> Around {
        let [a, b, c, d] = self.neighbours(p).map(|q| self.cells[q] as u64);
        Around(a | b << 16 | c << 32 | d << 48)
    }

    #[inline(always)]
    pub(super) fn chain_at(&self, p: usize) -> usize {
        chain_of::<P>(self.cells[p])
    }

    /// Flags of the chains around a point that have no other liberty.
    #[inline(always)]
    pub(super) fn last(&self, p: usize, around: Around) -> u64 {
        let here = Liberties::at(p);
        (0..4).fold(0, |flags, i| {
            let is_last = self.liberties[chain_of::<P>(around.cell(i))].is_only(here);
            flags | (is_last as u64) << (16 * i + 15)
        })
    }

    /// Not suicide: an empty point beside, an own chain with another liberty, or an enemy chain without.
    #[inline(always)]
    fn breathes(around: Around, last: u64, color: Color) -> bool {
        let [empty, own, enemy] = around.kinds(color);
        empty | own & !last | enemy & last != 0
    }

    /// At most one corner of an eye may be the enemy's, none at the edge.
    #[inline(always)]
    fn has_sound_corners(&self, p: usize, color: Color) -> bool {
        let enemy = stone(color.opponent());
        let (mut enemies, mut edge) = (0, 0);
        for q in self.corners(p) {
            let kind = self.cells[q] & KIND;
            enemies += (kind == enemy) as u32;
            edge |= (kind == OFF) as u32;
        }
        enemies + edge < 2
    }

    /// The first point of a board has a corner before index 0: it is taken for the last of the padding.
    #[inline(always)]
    pub(super) fn corners(&self, p: usize) -> [usize; 4] {
        let stride = self.size.stride();
        [p.wrapping_sub(stride + 1) & (P - 1), p - (stride - 1), p + stride - 1, p + stride + 1]
    }

    /// Puts a stone of the side to play on an empty point. `dead` flags the enemy chains this takes.
    #[inline(never)]
    fn put(&mut self, p: usize, around: Around, dead: u64) {
        let color = self.to_play;
        let [empty, own, _] = around.kinds(color);
        self.last = [Point(p as u16), self.last[0]];

        self.open[0].remove(p);
        self.open[1].remove(p);
        let corners = self.corners(p);
        let enemy_open = &mut self.open[color.opponent().index()];
        if corners.iter().fold(0, |any, &q| any | enemy_open.place[q]) & DROPPED != 0 {
            corners.iter().for_each(|&q| enemy_open.put_back(q));
        }
        self.stones[color.index()].insert(Point(p as u16));
        self.hash ^= ZOBRIST[p][color.index()];

        // The chains around lose a liberty; the new stone has the empty points.
        let here = Liberties::at(p);
        let mut breath = 0;
        for (i, q) in self.neighbours(p).into_iter().enumerate() {
            let liberties = &mut self.liberties[chain_of::<P>(around.cell(i))];
            liberties.0 = liberties.0.wrapping_sub(here);
            breath += select_unpredictable(empty >> (16 * i + 15) & 1 != 0, Liberties::at(q), 0);
        }

        // Join an own chain, if any. A stone alone is a chain of no stones joined by one.
        self.next[p] = p as u16;
        self.length[p] = 0;
        self.liberties[p] = Liberties(0);
        let first = around.first(own);
        let mut chain = if own == 0 { p } else { chain_of::<P>(first) };
        if around.has_other(own, first) {
            for cell in around.flagged(own) {
                // A chain just joined may go by another name now.
                let other = self.chain_at(chain_of::<P>(cell));
                if other != chain {
                    chain = self.join(chain, other);
                }
            }
        }
        self.next[p] = self.next[chain];
        self.next[chain] = p as u16;
        self.length[chain] += 1;
        self.liberties[chain].0 = self.liberties[chain].0.wrapping_add(breath);
        self.cells[p] = chain as Cell | stone(color);

        // A chain taken from two sides comes off once. A chain of one stone has the name of its point.
        self.ko = Point::PASS;
        if dead != 0 {
            let mut taken = 0;
            for cell in around.flagged(dead) {
                let other = chain_of::<P>(cell);
                if self.cells[other] != EMPTY {
                    taken += self.take_off(other);
                    self.ko = Point(other as u16);
                }
            }
            self.captures[color.index()] += taken;
            if taken != 1 || empty | own != 0 {
                self.ko = Point::PASS;
            }
        }

        self.passes = 0;
        self.to_play = color.opponent();
    }

    /// Makes one chain of two, renaming the shorter. Returns the name that stays.
    #[inline]
    fn join(&mut self, a: usize, b: usize) -> usize {
        let (stay, go) = if self.length[a] >= self.length[b] { (a, b) } else { (b, a) };
        let cell = self.cells[go] & KIND | stay as Cell;
        let mut q = go;
        loop {
            self.cells[q] = cell;
            q = self.next[q] as usize;
            if q == go {
                break;
            }
        }
        self.next.0.swap(stay, go); // two rings become one
        self.length[stay] += self.length[go];
        self.liberties[stay].0 = self.liberties[stay].0.wrapping_add(self.liberties[go].0);
        stay
    }

    /// Takes a chain off the board. Returns how many stones it had.
    #[inline]
    fn take_off(&mut self, chain: usize) -> u16 {
        let color = if self.cells[chain] & KIND == stone(Black) { Black } else { White };
        let mut q = chain;
        let mut count = 0;
        loop {
            self.cells[q] = EMPTY;
            self.stones[color.index()].remove(Point(q as u16));
            self.hash ^= ZOBRIST[q][color.index()];
            self.open[0].add(q);
            self.open[1].add(q);
            let here = Liberties::at(q);
            for r in self.neighbours(q) {
                self.open[color.index()].put_back(r);
                let other = self.chain_at(r);
                self.liberties[other].0 = self.liberties[other].0.wrapping_add(here);
            }
            count += 1;
            q = self.next[q] as usize;
            if q == chain {
                return count;
            }
        }
    }

    fn for_each_stone(&self, p: usize, mut visit: impl FnMut(usize)) {
        let mut q = p;
        loop {
            visit(q);
            q = self.next[q] as usize;
            if q == p {
                return;
            }
        }
    }
}
