//! The classes of all empty points for both colours, kept up by moves and their taking back.
//!
//! A stone changes classes only on its own four lines, at most five cells away: forty points, each on one line with the
//! stone. What changed goes on a stack, so that taking back costs no more than restoring it.

use super::class::{Class, Pair, Tables};
use crate::base::rng::splitmix;
use crate::base::{Bits, Color, Point, Size};
use crate::game::gobang::geometry::{Geometry, LINES, POINTS, WORDS};
use crate::game::gobang::{Gobang, Rule};
use std::sync::OnceLock;

pub type Points = Bits<WORDS>;

/// Sets of points that are kept for each colour, by what a stone there would make.
const FIVES: usize = 0;
const FOURS: usize = 1;
const THREES: usize = 2;
const SEEDS: usize = 3;
const SETS: usize = 4;

#[derive(Clone)]
pub struct Lines {
    size: Size,
    rule: Rule,
    geometry: &'static Geometry,
    tables: &'static Tables,
    edges: &'static Edges,
    rows: [[u32; LINES]; 2],
    stones: [Points; 2],
    /// Four classes of four bits, one for each direction; of no meaning where there is a stone.
    codes: [[u16; POINTS]; 2],
    sets: [[Points; SETS]; 2],
    /// Empty points by pair.
    counts: [[u16; Pair::COUNT]; 2],
    hash: u64,
    moves: Vec<Move>,
    changes: Vec<Change>,
    /// Stones put so far: a measure of work.
    work: u64,
}

#[derive(Clone, Copy)]
struct Move {
    point: Point,
    color: Color,
    /// Where its changes begin.
    changes: u32,
}

#[derive(Clone, Copy)]
struct Change {
    point: Point,
    color: u8,
    code: u16,
}

/// For each point and direction the number of a window with all cells off the board own.
struct Edges([[u16; 4]; POINTS]);

impl Edges {
    fn of(size: Size) -> &'static Edges {
        static SIZES: [OnceLock<Box<Edges>>; Size::MAX + 1] = [const { OnceLock::new() }; Size::MAX + 1];
        SIZES[size.n()].get_or_init(|| {
            let (geometry, tables) = (Geometry::of(size), Tables::of(Rule::Exact));
            let mut edges = Box::new(Edges([[0; 4]; POINTS]));
            for p in size.points() {
                edges.0[p.index()] = geometry.inside[p.index()].map(|inside| tables.trits[(!inside & 0x7ff) as usize]);
            }
            edges
        })
    }
}

/// Which sets a pair is in, a bit for each.
static SETS_OF: [u8; Pair::COUNT] = {
    let mut sets = [0; Pair::COUNT];
    let mut i = 0;
    while i < Pair::COUNT {
        let (best, second) = ((i / Class::COUNT) as u8, (i % Class::COUNT) as u8);
        let is_five = best == Class::Five as u8;
        let is_four = best >= Class::Four as u8;
        let is_three = best >= Class::OpenThree as u8;
        let is_seed = best >= Class::Three as u8 || second >= Class::OpenTwo as u8;
        sets[i] =
            (is_five as u8) << FIVES | (is_four as u8) << FOURS | (is_three as u8) << THREES | (is_seed as u8) << SEEDS;
        i += 1;
    }
    sets
};

impl Lines {
    pub fn new(size: Size, rule: Rule) -> Lines {
        let mut lines = Lines {
            size,
            rule,
            geometry: Geometry::of(size),
            tables: Tables::of(rule),
            edges: Edges::of(size),
            rows: [[0; LINES]; 2],
            stones: [Bits::EMPTY; 2],
            codes: [[0; POINTS]; 2],
            sets: [[Bits::EMPTY; SETS]; 2],
            counts: [[0; Pair::COUNT]; 2],
            hash: 0,
            moves: Vec::new(),
            changes: Vec::new(),
            work: 0,
        };
        for p in size.points() {
            for c in 0..2 {
                for d in 0..4 {
                    let class = lines.tables.classes[2 * lines.edges.0[p.index()][d] as usize];
                    lines.codes[c][p.index()] |= (class as u16) << (4 * d);
                }
                lines.count(c, p);
            }
        }
        lines
    }

    pub fn of(board: &Gobang) -> Lines {
        let mut lines = Lines::new(board.size(), board.rule());
        lines.follow(board);
        lines
    }

    /// Makes this the same position as a board of the same size and rule, in as few steps as that takes.
    pub fn follow(&mut self, board: &Gobang) {
        debug_assert!(self.size == board.size() && self.rule == board.rule());
        let wanted = Color::BOTH.map(|c| board.stones_of(c));
        while (0..2).any(|c| !self.stones[c].minus(wanted[c]).is_empty()) {
            self.undo();
        }
        for color in Color::BOTH {
            let missing = wanted[color.index()].minus(self.stones[color.index()]);
            missing.visit(|p| self.play(p, color));
        }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// A hash of the stones.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// What a stone changes in the hash.
    #[inline(always)]
    pub fn hash_of(p: Point, color: Color) -> u64 {
        splitmix(0x6c69_6e65_7300 + (p.0 as u64 * 2 + color.index() as u64))
    }

    /// Stones put since this was made: a measure of work.
    pub fn work(&self) -> u64 {
        self.work
    }

    pub fn stones(&self, color: Color) -> Points {
        self.stones[color.index()]
    }

    #[inline(always)]
    pub fn is_empty_at(&self, p: Point) -> bool {
        !(self.stones[0].contains(p) || self.stones[1].contains(p))
    }

    pub fn empty_points(&self) -> Points {
        self.geometry.board.minus(self.stones[0] | self.stones[1])
    }

    /// Empty points at most this many steps (also diagonal ones) from a stone; the middle of an empty board.
    pub fn near(&self, distance: usize) -> Points {
        let stones = self.stones[0] | self.stones[1];
        let stride = self.size.stride();
        if stones.is_empty() {
            return Points::single(self.size.point(self.size.n() / 2, self.size.n() / 2));
        }
        let mut reached = stones;
        for _ in 0..distance {
            let sideways = (reached | reached.up(1) | reached.down(1)) & self.geometry.board;
            reached = (sideways | sideways.up(stride) | sideways.down(stride)) & self.geometry.board;
        }
        let near = reached.minus(stones);
        if near.is_empty() { self.empty_points() } else { near }
    }

    /// What a stone of this colour on an empty point would make along a direction (row, column, diagonals).
    pub fn class(&self, color: Color, p: Point, direction: usize) -> Class {
        Class::ALL[(self.codes[color.index()][p.index()] >> (4 * direction) & 15) as usize]
    }

    /// The two highest classes of an empty point.
    #[inline(always)]
    pub fn pair(&self, color: Color, p: Point) -> Pair {
        Pair(self.tables.pairs[self.codes[color.index()][p.index()] as usize])
    }

    /// How many empty points are of each pair.
    pub fn counts(&self, color: Color) -> &[u16; Pair::COUNT] {
        &self.counts[color.index()]
    }

    /// Where this colour makes a five.
    #[inline(always)]
    pub fn fives(&self, color: Color) -> Points {
        self.sets[color.index()][FIVES]
    }

    /// Where it makes a four or more.
    #[inline(always)]
    pub fn fours(&self, color: Color) -> Points {
        self.sets[color.index()][FOURS]
    }

    /// Where it makes an open three or more.
    #[inline(always)]
    pub fn threes(&self, color: Color) -> Points {
        self.sets[color.index()][THREES]
    }

    /// Where it makes a three of any kind, two open twos, or more: what may become a four with one stone besides.
    #[inline(always)]
    pub fn seeds(&self, color: Color) -> Points {
        self.sets[color.index()][SEEDS]
    }

    /// Puts a stone on an empty point.
    pub fn play(&mut self, p: Point, color: Color) {
        debug_assert!(self.is_empty_at(p) && self.size.contains(p));
        self.work += 1;
        self.moves.push(Move { point: p, color, changes: self.changes.len() as u32 });
        self.discount(0, p);
        self.discount(1, p);
        let c = color.index();
        self.stones[c].insert(p);
        self.hash ^= Lines::hash_of(p, color);
        let (geometry, tables, edges) = (self.geometry, self.tables, self.edges);
        let inside = geometry.inside[p.index()];
        for (d, (line, position)) in geometry.places[p.index()].lines().into_iter().enumerate() {
            self.rows[c][line] |= 1 << (position + 5);
            let (black, white) = (self.rows[0][line], self.rows[1][line]);
            let shift = 4 * d;
            // Cells on the board without a stone.
            let mut cells = inside[d] & !((black | white) >> position) as u16;
            while cells != 0 {
                let j = cells.trailing_zeros();
                cells &= cells - 1;
                let q = geometry.cell(p, d, j);
                let start = position + j - 5;
                let own = tables.trits[(black >> start & 0x7ff) as usize];
                let theirs = tables.trits[(white >> start & 0x7ff) as usize];
                let edge = edges.0[q.index()][d];
                let now = [
                    tables.classes[(own + 2 * (theirs + edge)) as usize],
                    tables.classes[(theirs + 2 * (own + edge)) as usize],
                ];
                for (side, now) in now.into_iter().enumerate() {
                    let code = self.codes[side][q.index()];
                    let class = (now as u16) << shift;
                    if code & 15 << shift != class {
                        self.changes.push(Change { point: q, color: side as u8, code });
                        self.recode(side, q, code & !(15 << shift) | class);
                    }
                }
            }
        }
    }

    /// Takes back the last stone put; nothing if there is none.
    pub fn undo(&mut self) {
        let Some(Move { point, color, changes }) = self.moves.pop() else { return };
        while self.changes.len() > changes as usize {
            if let Some(change) = self.changes.pop() {
                self.recode(change.color as usize, change.point, change.code);
            }
        }
        let c = color.index();
        self.stones[c].remove(point);
        self.hash ^= Lines::hash_of(point, color);
        for (line, position) in self.geometry.places[point.index()].lines() {
            self.rows[c][line] &= !(1 << (position + 5));
        }
        self.count(0, point);
        self.count(1, point);
    }

    #[inline(always)]
    fn recode(&mut self, side: usize, q: Point, code: u16) {
        let old = self.tables.pairs[self.codes[side][q.index()] as usize];
        let new = self.tables.pairs[code as usize];
        self.codes[side][q.index()] = code;
        if old == new {
            return;
        }
        self.counts[side][old as usize] -= 1;
        self.counts[side][new as usize] += 1;
        let (before, after) = (SETS_OF[old as usize], SETS_OF[new as usize]);
        let changed = before ^ after;
        if changed != 0 {
            for set in 0..SETS {
                if changed >> set & 1 != 0 {
                    match after >> set & 1 {
                        0 => self.sets[side][set].remove(q),
                        _ => self.sets[side][set].insert(q),
                    }
                }
            }
        }
    }

    /// An empty point counts again.
    fn count(&mut self, side: usize, p: Point) {
        let pair = self.tables.pairs[self.codes[side][p.index()] as usize] as usize;
        self.counts[side][pair] += 1;
        (0..SETS).filter(|set| SETS_OF[pair] >> set & 1 != 0).for_each(|set| self.sets[side][set].insert(p));
    }

    /// A point that gets a stone counts no more.
    fn discount(&mut self, side: usize, p: Point) {
        let pair = self.tables.pairs[self.codes[side][p.index()] as usize] as usize;
        self.counts[side][pair] -= 1;
        self.sets[side].iter_mut().for_each(|set| set.remove(p));
    }
}
