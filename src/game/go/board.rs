//! The fast Go board: what a playout and a tree descent need, and nothing else.
//!
//! Stones are two bitboards. Beside them stands what one game at a time is fastest with: a mailbox of cells that
//! name the chain on a point, and for each chain its stones as a ring and its liberties packed in one word. No
//! allocation, no history: copying a board is one memcpy. History, undo and superko live in `record`.
//!
//! `W` is the number of 64-bit words of a set and `P = 64 * W` the length of a mailbox: `Go9` is `Board<2, 128>`.
//! Every index is masked to `P - 1`, so the compiler needs no bounds check and none of this is `unsafe`.

use crate::base::rng::splitmix;
use crate::base::{Bits, Black, Color, Point, Rng, Size, White};

/// Boards up to 9x9, 14x14, 21x21 and 25x25: the padded board fits the set.
pub type Go9 = Board<2, 128>;
pub type Go14 = Board<4, 256>;
pub type Go21 = Board<8, 512>;
pub type Go25 = Board<16, 1024>;

/// What stands on a point: `chain << 2 | kind`. Empty points and the padding belong to chain 0, whose liberties are
/// written and never read, so that placing a stone needs no test of its neighbours.
type Cell = u16;
const EMPTY: Cell = 0;
const OFF: Cell = 3;
const KIND: Cell = 3;

#[inline(always)]
fn stone(color: Color) -> Cell {
    1 + color as Cell
}

/// All four cells are own stones or padding: the padding has both bits of a kind set, so one mask tells.
#[inline(always)]
fn is_surrounded(around: [Cell; 4], color: Color) -> bool {
    around[0] & around[1] & around[2] & around[3] & stone(color) != 0
}

#[inline(always)]
fn has_empty(around: [Cell; 4]) -> bool {
    (around[0] == EMPTY) | (around[1] == EMPTY) | (around[2] == EMPTY) | (around[3] == EMPTY)
}

/// All ones for true: a choice without a branch.
#[inline(always)]
fn mask(condition: bool) -> u64 {
    (condition as u64).wrapping_neg()
}

/// Liberties of a chain, counted once for each neighbouring stone of the chain: count in bits 0..12, sum of the points
/// in bits 12..33, sum of their squares in bits 33..64. Adding and removing a liberty is one addition; all counted
/// liberties are the same point just when count * squares = sum^2.
#[derive(Clone, Copy, PartialEq)]
struct Liberties(u64);

/// One liberty at a point, as `Liberties` counts it.
static LIBERTY: [u64; 1024] = {
    let mut table = [0; 1024];
    let mut p = 0;
    while p < 1024 {
        table[p] = 1 + ((p as u64) << 12) + (((p * p) as u64) << 33);
        p += 1;
    }
    table
};

impl Liberties {
    #[inline(always)]
    fn at(point: usize) -> u64 {
        LIBERTY[point & 1023]
    }

    #[inline(always)]
    fn count(self) -> u64 {
        self.0 & 0xfff
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self.0 >> 12 & 0x1f_ffff
    }

    #[inline(always)]
    fn is_one(self) -> bool {
        self.count() * (self.0 >> 33) == self.sum() * self.sum()
    }
}

/// One number per point and colour; the hash of a position is the exclusive or over its stones.
static ZOBRIST: [[u64; 2]; 1024] = {
    let mut table = [[0; 2]; 1024];
    let mut i = 0;
    while i < 2048 {
        table[i / 2][i % 2] = splitmix(0x6d6f_6b75 + 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(i as u64 + 1));
        i += 1;
    }
    table
};

/// The empty points a colour may still want, in no order: all but those found to be its eyes. An eye is put back when
/// a stone beside it is taken or an enemy stone comes to its corner.
#[derive(Clone, Copy)]
struct OpenPoints<const P: usize> {
    count: u16,
    points: [u16; P],
    /// Index into `points`, or `DROPPED` for an eye.
    place: [u16; P],
}

const DROPPED: u16 = 0x8000;

impl<const P: usize> OpenPoints<P> {
    #[inline(always)]
    fn add(&mut self, p: usize) {
        let n = self.count as usize & (P - 1);
        self.points[n] = p as u16;
        self.place[p & (P - 1)] = n as u16;
        self.count += 1;
    }

    #[inline(always)]
    fn remove(&mut self, p: usize) {
        let i = self.place[p & (P - 1)];
        if i != DROPPED {
            self.count -= 1;
            let last = self.points[self.count as usize & (P - 1)];
            self.points[i as usize & (P - 1)] = last;
            self.place[last as usize & (P - 1)] = i;
        }
        self.place[p & (P - 1)] = 0;
    }

    #[inline(always)]
    fn drop_eye(&mut self, p: usize) {
        self.remove(p);
        self.place[p & (P - 1)] = DROPPED;
    }

    #[inline(always)]
    fn put_back(&mut self, p: usize) {
        if self.place[p & (P - 1)] == DROPPED {
            self.add(p);
        }
    }

    #[inline(always)]
    fn swap(&mut self, i: usize, j: usize) {
        let (i, j) = (i & (P - 1), j & (P - 1));
        let (a, b) = (self.points[i], self.points[j]);
        self.points[i] = b;
        self.points[j] = a;
        self.place[b as usize & (P - 1)] = i as u16;
        self.place[a as usize & (P - 1)] = j as u16;
    }
}

#[derive(Clone)]
pub struct Board<const W: usize, const P: usize> {
    // What the position is.
    size: Size,
    to_play: Color,
    passes: u8,
    ko: Point,
    komi: f32,
    stones: [Bits<W>; 2],
    // What can be computed from it.
    hash: u64,
    captures: [u16; 2],
    open: [OpenPoints<P>; 2],
    cells: [Cell; P],
    next: [u16; P],
    length: [u16; P],
    liberties: [Liberties; P],
}

impl<const W: usize, const P: usize> Board<W, P> {
    /// The largest size this board can hold.
    pub fn fits(size: Size) -> bool {
        (size.n() + 2) * size.stride() <= P && P == 64 * W
    }

    /// The empty board; the size must fit.
    pub fn new(size: Size, komi: f32) -> Self {
        assert!(Self::fits(size), "a {size}x{size} board does not fit {P} points");
        let mut board = Board {
            size,
            to_play: Black,
            passes: 0,
            ko: Point::PASS,
            komi,
            stones: [Bits::EMPTY; 2],
            hash: 0,
            captures: [0; 2],
            open: [OpenPoints { count: 0, points: [0; P], place: [0; P] }; 2],
            cells: [OFF; P],
            next: [0; P],
            length: [0; P],
            liberties: [Liberties(0); P],
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
        match self.cells[p.index() & (P - 1)] & KIND {
            1 => Some(Black),
            2 => Some(White),
            _ => None,
        }
    }

    /// Some liberty count test for the chain on a point: true when it has exactly one liberty.
    #[inline(always)]
    pub fn is_in_atari(&self, p: Point) -> bool {
        let cell = self.cells[p.index() & (P - 1)];
        cell >> 2 != 0 && self.liberties[(cell >> 2) as usize & (P - 1)].is_one()
    }

    /// The only liberty of a chain in atari.
    #[inline(always)]
    pub fn last_liberty(&self, p: Point) -> Option<Point> {
        let cell = self.cells[p.index() & (P - 1)];
        let liberties = self.liberties[(cell >> 2) as usize & (P - 1)];
        (cell >> 2 != 0 && liberties.is_one()).then(|| Point((liberties.sum() / liberties.count()) as u16))
    }

    /// The stones of the chain on a point; empty for an empty point.
    pub fn chain(&self, p: Point) -> Bits<W> {
        let mut set = Bits::EMPTY;
        if self.color_at(p).is_some() {
            self.for_each_stone(p.index(), |q| set.insert(Point(q as u16)));
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
        let p = p.index() & (P - 1);
        let around = self.cells_around(p);
        let own = stone(self.to_play);
        let breathes = |&c: &Cell| {
            c == EMPTY || c != OFF && self.liberties[(c >> 2) as usize & (P - 1)].is_one() != (c & KIND == own)
        };
        self.cells[p] == EMPTY && p != self.ko.index() && around.iter().any(breathes)
    }

    /// An own eye: every neighbour on the board is an own stone, and of the diagonal points at most one is the
    /// opponent's, none if the point is on the edge. Playouts and tree candidates never fill one.
    #[inline]
    pub fn is_eye(&self, p: Point, color: Color) -> bool {
        let p = p.index() & (P - 1);
        self.cells[p] == EMPTY && is_surrounded(self.cells_around(p), color) && self.has_sound_corners(p, color)
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
        let sum = |set: Bits<W>, color: Color| set.iter().fold(0, |h, p| h ^ ZOBRIST[p.index()][color.index()]);
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
            let p = p.index() & (P - 1);
            let around = self.cells_around(p);
            self.take_liberty(p, around);
            self.put(p, around);
        }
    }

    pub fn pass(&mut self) {
        self.ko = Point::PASS;
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
        let stride = self.size.stride();
        let empty = Bits::board(self.size).minus(sets[0] | sets[1]);
        if sets.iter().any(|&set| empty.neighbours(stride).flood(set, stride) != set) {
            return false;
        }
        // One colour may be without liberties for a while, so stones go down without captures.
        let mut fresh = Self::new(self.size, self.komi);
        for color in Color::BOTH {
            for p in sets[color.index()].iter() {
                fresh.to_play = color;
                let around = fresh.cells_around(p.index());
                fresh.take_liberty(p.index(), around);
                fresh.put(p.index(), around.map(|c| if c & KIND == stone(color.opponent()) { OFF } else { c }));
            }
        }
        fresh.to_play = self.to_play;
        *self = fresh;
        true
    }

    pub fn set_komi(&mut self, komi: f32) {
        self.komi = komi;
    }

    /// Plays a uniformly random sensible move, or passes when there is none. Returns the move.
    ///
    /// An unplayable pick goes behind the end of the list of those still in question, so every playable point has
    /// the same chance and the search ends.
    #[inline(always)]
    pub fn play_random(&mut self, rng: &mut Rng) -> Point {
        let color = self.to_play;
        let mut open = self.open[color.index()].count as usize;
        while open > 0 {
            let i = rng.below(open as u32) as usize & (P - 1);
            let p = self.open[color.index()].points[i] as usize & (P - 1);
            let around = self.cells_around(p);
            let is_eye = is_surrounded(around, color) && self.has_sound_corners(p, color);
            if !is_eye & (p != self.ko.index()) {
                self.take_liberty(p, around);
                if has_empty(around) || self.has_breath(around, color) {
                    self.put(p, around);
                    return Point(p as u16);
                }
                self.give_liberty(p, around);
            }
            open -= 1;
            let list = &mut self.open[color.index()];
            list.swap(i, open);
            if is_eye {
                list.drop_eye(p);
            }
        }
        self.pass();
        Point::PASS
    }

    // ---- the machine room

    #[inline(always)]
    fn around(&self, p: usize) -> [usize; 4] {
        let stride = self.size.stride();
        [p.wrapping_sub(1) & (P - 1), (p + 1) & (P - 1), p.wrapping_sub(stride) & (P - 1), (p + stride) & (P - 1)]
    }

    #[inline(always)]
    fn cells_around(&self, p: usize) -> [Cell; 4] {
        self.around(p).map(|q| self.cells[q])
    }

    /// The chains around a point lose the liberty there, before a stone is put.
    #[inline(always)]
    fn take_liberty(&mut self, p: usize, around: [Cell; 4]) {
        let here = Liberties::at(p);
        for c in around {
            let liberties = &mut self.liberties[(c >> 2) as usize & (P - 1)];
            liberties.0 = liberties.0.wrapping_sub(here);
        }
    }

    #[inline(always)]
    fn give_liberty(&mut self, p: usize, around: [Cell; 4]) {
        let here = Liberties::at(p);
        for c in around {
            let liberties = &mut self.liberties[(c >> 2) as usize & (P - 1)];
            liberties.0 = liberties.0.wrapping_add(here);
        }
    }

    /// After `take_liberty`, with no empty point around: an own chain still has a liberty, or an enemy one has none.
    #[inline(always)]
    fn has_breath(&self, around: [Cell; 4], color: Color) -> bool {
        // Written without short cuts: the answers are as good as random, and a wrong guess costs more than the work.
        let own = stone(color);
        around.iter().fold(false, |breath, &c| {
            let is_out = self.liberties[(c >> 2) as usize & (P - 1)].0 == 0;
            breath | ((c & KIND == own) != is_out) & (c != OFF)
        })
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

    #[inline(always)]
    fn corners(&self, p: usize) -> [usize; 4] {
        let stride = self.size.stride();
        [p.wrapping_sub(stride + 1), p.wrapping_sub(stride - 1), p + stride - 1, p + stride + 1].map(|q| q & (P - 1))
    }

    /// Puts a stone of the side to play on an empty point where it is legal, given the cells around it, whose chains
    /// have lost the liberty already.
    #[inline(always)]
    fn put(&mut self, p: usize, around: [Cell; 4]) {
        let color = self.to_play;
        let own = stone(color);
        let points = self.around(p);

        self.open[0].remove(p);
        self.open[1].remove(p);
        let corners = self.corners(p);
        let enemy_open = &mut self.open[color.opponent().index()];
        if corners.iter().fold(0, |any, &q| any | enemy_open.place[q & (P - 1)]) & DROPPED != 0 {
            corners.iter().for_each(|&q| enemy_open.put_back(q & (P - 1)));
        }
        self.stones[color.index()].insert(Point(p as u16));
        self.hash ^= ZOBRIST[p & 1023][color.index()];

        // The new stone has the empty points around it as liberties.
        let mut breath = 0;
        for i in 0..4 {
            breath += Liberties::at(points[i]) & mask(around[i] == EMPTY);
        }

        // Join the own chain beside it, if any. A stone alone is a chain of no stones joined by one.
        let own_cells = around.map(|c| c & mask(c & KIND == own) as Cell);
        let joined = own_cells[0].max(own_cells[1]).max(own_cells[2].max(own_cells[3]));
        // Do the own neighbours belong to different chains?
        let several = own_cells.iter().fold(false, |differ, &c| differ | ((c != 0) & (c != joined)));
        self.next[p] = p as u16;
        self.length[p] = 0;
        self.liberties[p] = Liberties(0);
        let mut chain = if joined == 0 { p } else { (joined >> 2) as usize & (P - 1) };
        if several {
            for i in 0..4 {
                let other = (self.cells[points[i]] >> 2) as usize & (P - 1);
                if own_cells[i] != 0 && other != chain {
                    chain = self.join(chain, other);
                }
            }
        }
        self.next[p] = self.next[chain];
        self.next[chain] = p as u16;
        self.length[chain] += 1;
        self.liberties[chain].0 = self.liberties[chain].0.wrapping_add(breath);
        self.cells[p] = (chain as Cell) << 2 | own;

        // Enemy chains without a liberty come off.
        self.ko = Point::PASS;
        let enemy = KIND ^ own;
        let mut dead = false;
        for c in around {
            dead |= (c & KIND == enemy) & (self.liberties[(c >> 2) as usize & (P - 1)].0 == 0);
        }
        if dead {
            let mut taken = 0;
            for q in points {
                let c = self.cells[q];
                if c & KIND == enemy && self.liberties[(c >> 2) as usize & (P - 1)].0 == 0 {
                    taken += self.take_off((c >> 2) as usize & (P - 1));
                    self.ko = Point(q as u16);
                }
            }
            self.captures[color.index()] += taken;
            if taken != 1 || breath != 0 || joined != 0 {
                self.ko = Point::PASS;
            }
        }

        self.passes = 0;
        self.to_play = color.opponent();
    }

    /// Makes one chain of two, renaming the shorter. Returns the name that stays.
    #[inline]
    fn join(&mut self, a: usize, b: usize) -> usize {
        let (stay, go) = if self.length[a & (P - 1)] >= self.length[b & (P - 1)] { (a, b) } else { (b, a) };
        let (stay, go) = (stay & (P - 1), go & (P - 1));
        let cell = self.cells[go] & KIND | (stay as Cell) << 2;
        let mut q = go;
        loop {
            self.cells[q] = cell;
            q = self.next[q] as usize & (P - 1);
            if q == go {
                break;
            }
        }
        self.next.swap(stay, go); // two rings become one
        self.length[stay] += self.length[go];
        self.liberties[stay].0 = self.liberties[stay].0.wrapping_add(self.liberties[go].0);
        stay
    }

    /// Takes a chain off the board. Returns how many stones it had.
    #[inline]
    fn take_off(&mut self, chain: usize) -> u16 {
        let color = if self.cells[chain & (P - 1)] & KIND == stone(Black) { Black } else { White };
        let mut q = chain & (P - 1);
        let mut count = 0;
        loop {
            self.cells[q] = EMPTY;
            self.stones[color.index()].remove(Point(q as u16));
            self.hash ^= ZOBRIST[q & 1023][color.index()];
            self.open[0].add(q);
            self.open[1].add(q);
            let here = Liberties::at(q);
            for r in self.around(q) {
                self.open[color.index()].put_back(r);
                let other = (self.cells[r] >> 2) as usize & (P - 1);
                self.liberties[other].0 = self.liberties[other].0.wrapping_add(here);
            }
            count += 1;
            q = self.next[q] as usize & (P - 1);
            if q == chain {
                return count;
            }
        }
    }

    fn for_each_stone(&self, p: usize, mut visit: impl FnMut(usize)) {
        let mut q = p & (P - 1);
        loop {
            visit(q);
            q = self.next[q] as usize & (P - 1);
            if q == p {
                return;
            }
        }
    }
}
