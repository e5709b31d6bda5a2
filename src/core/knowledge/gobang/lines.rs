//! The classes of all empty points for both colours, kept up by moves and their taking back.
//!
//! A stone changes classes only on its own four lines, at most five cells away: forty points, each on one line with the
//! stone. Every line is one number of two bits a cell, walls beyond its ends, so that the windows of ten points are shifts
//! of one of them and looked up in one table; what changed goes on a stack, so that taking back costs no more than restoring
//! it. Points off the board and those with a stone make nothing: no step has to ask whether it leaves the board.

use super::class::{Class, EMPTY, FIVES, FOURS, Pair, SEEDS, SETS, TAKEN, THREES, Tables, WALL};
use crate::base::rng::splitmix;
use crate::base::{Bits, Color, Point, Size};
use crate::game::gobang::geometry::{Geometry, LINES, POINTS, STEPS, WORDS};
use crate::game::gobang::{Gobang, Rule};
use std::sync::OnceLock;

pub type Points = Bits<WORDS>;

/// How far a stone is felt.
const REACH: isize = 5;
/// Cells of a board of 25 lines with five beyond each edge; those beside it are the next row's too.
const CELLS: usize = 1056;
/// Cells that feel a stone along one direction, and room for those of all four.
const FELT: usize = 2 * REACH as usize;
const ROOM: usize = 64;

/// A class below this, of either colour, puts no point into a set.
const HIGH: u8 = (Class::OpenTwo as u8) << 4 | Class::OpenTwo as u8;
const HIGH_BITS: u8 = !(HIGH - 0x11);

#[derive(Clone)]
pub struct Lines {
    size: Size,
    rule: Rule,
    geometry: &'static Geometry,
    tables: &'static Tables,
    grid: &'static Grid,
    stones: [Points; 2],
    rows: Box<[u128; LINES]>,
    /// The classes of both colours, a byte for each direction; nothing where there is a stone.
    classes: Box<[u32; CELLS]>,
    /// Which sets a point is in, a bit for each, White's above Black's.
    members: Box<[u8; CELLS]>,
    /// White's after Black's.
    sets: [Points; 2 * SETS],
    sizes: [u16; 2 * SETS],
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
    /// What the classes were.
    classes: u32,
    cell: u16,
    /// The sets that it went into or left.
    sets: u8,
}

/// Where points lie among the cells.
struct Grid {
    cells: [u16; POINTS],
    points: [Point; CELLS],
    /// The step along each direction.
    steps: [isize; 4],
    /// The lines of the empty board.
    rows: Box<[u128; LINES]>,
}

impl Grid {
    fn of(size: Size) -> &'static Grid {
        static SIZES: [OnceLock<Box<Grid>>; Size::MAX + 1] = [const { OnceLock::new() }; Size::MAX + 1];
        SIZES[size.n()].get_or_init(|| Box::new(Grid::new(size)))
    }

    fn new(size: Size) -> Grid {
        let n = size.n() as isize;
        let stride = n + REACH;
        let cell = |x: isize, y: isize| ((y + REACH) * stride + x + REACH) as usize;
        let mut grid = Grid {
            cells: [0; POINTS],
            points: [Point::PASS; CELLS],
            steps: STEPS.map(|(dx, dy)| dx + dy * stride),
            rows: Box::new([WALLS; LINES]),
        };
        for p in size.points() {
            let (x, y) = (size.xy(p).0 as isize, size.xy(p).1 as isize);
            let at = cell(x, y);
            grid.cells[p.index()] = at as u16;
            grid.points[at] = p;
            for (row, position) in places(size, p) {
                grid.rows[row] ^= u128::from(WALL ^ EMPTY) << shift(position);
            }
        }
        grid
    }
}

/// Walls that a line has beyond its ends, so that windows of points near them have all their cells.
const BEYOND: u32 = 2 * REACH as u32;
const WALLS: u128 = u128::MAX;
/// The cells that matter for those that feel a stone, and the middle of a window among its cells.
const AROUND: u64 = (1 << (4 * FELT as u32 + 2)) - 1;
const SIDE: u32 = 2 * REACH as u32;
const SIDE_BITS: u32 = (1 << SIDE) - 1;

/// Where the bits of a cell of a line begin.
#[inline(always)]
fn shift(position: u32) -> u32 {
    2 * (position + BEYOND)
}

/// The lines through a point and its positions on them.
fn places(size: Size, p: Point) -> [(usize, u32); 4] {
    Geometry::of(size).places[p.index()].lines()
}

/// The number of a window from the bits of its eleven cells; nothing is made where the middle is taken.
#[inline(always)]
fn window(cells: u32) -> u32 {
    let sides = cells & SIDE_BITS | cells >> 2 & SIDE_BITS << SIDE;
    if cells >> SIDE & 3 == 0 { sides } else { TAKEN }
}

/// The classes of one colour as a number of four bits for each direction.
#[inline(always)]
fn code(classes: u32, color: usize) -> u16 {
    let four = classes >> (4 * color) & 0x0f0f_0f0f;
    let two = four | four >> 4;
    (two & 0xff | two >> 8 & 0xff00) as u16
}

impl Lines {
    pub fn new(size: Size, rule: Rule) -> Lines {
        let grid = Grid::of(size);
        let mut lines = Lines {
            size,
            rule,
            geometry: Geometry::of(size),
            tables: Tables::of(rule),
            grid,
            stones: [Bits::EMPTY; 2],
            rows: grid.rows.clone(),
            classes: Box::new([0; CELLS]),
            members: Box::new([0; CELLS]),
            sets: [Bits::EMPTY; 2 * SETS],
            sizes: [0; 2 * SETS],
            hash: 0,
            moves: Vec::new(),
            changes: Vec::new(),
            work: 0,
        };
        // On an empty board no point makes enough to be in a set.
        for p in size.points() {
            let windows = lines.windows(p);
            lines.classes[lines.cell(p)] = u32::from_le_bytes(windows.map(|w| lines.tables.classes[w as usize]));
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

    /// All points that a stone on this one is felt by, and itself.
    pub fn around(&self, p: Point) -> Points {
        let mut points = Points::EMPTY;
        for (d, inside) in self.geometry.inside[p.index()].into_iter().enumerate() {
            self.geometry.visit(p, d, inside, |q| points.insert(q));
        }
        points
    }

    /// What a stone of this colour on an empty point would make along a direction (row, column, diagonals).
    pub fn class(&self, color: Color, p: Point, direction: usize) -> Class {
        Class::ALL[(self.classes[self.cell(p)] >> (8 * direction + 4 * color.index()) & 15) as usize]
    }

    /// The two highest classes of an empty point.
    #[inline(always)]
    pub fn pair(&self, color: Color, p: Point) -> Pair {
        Pair(self.tables.pairs[code(self.classes[self.cell(p)], color.index()) as usize])
    }

    /// The pairs of an empty point, Black's first.
    #[inline(always)]
    pub fn pairs(&self, p: Point) -> [Pair; 2] {
        let classes = self.classes[self.cell(p)];
        [0, 1].map(|color| Pair(self.tables.pairs[code(classes, color) as usize]))
    }

    /// The windows of an empty point, as numbers: two bits for each cell, the farthest of the low side first.
    #[inline(always)]
    pub(super) fn windows(&self, p: Point) -> [u32; 4] {
        self.geometry.places[p.index()].lines().map(|(row, position)| {
            let cells = (self.rows[row] >> (shift(position) - SIDE)) as u32;
            window(cells).min(TAKEN)
        })
    }

    #[inline(always)]
    fn cell(&self, p: Point) -> usize {
        (self.grid.cells[p.index()] as usize).min(CELLS - 1)
    }

    /// How many points make a five of this colour.
    #[inline(always)]
    pub fn count_fives(&self, color: Color) -> usize {
        self.sizes[color.index() * SETS + FIVES] as usize
    }

    /// How many points make a four of this colour or more.
    #[inline(always)]
    pub fn count_fours(&self, color: Color) -> usize {
        self.sizes[color.index() * SETS + FOURS] as usize
    }

    /// A point where this colour makes a five.
    #[inline(always)]
    pub fn five(&self, color: Color) -> Option<Point> {
        if self.count_fives(color) == 0 { None } else { self.fives(color).first() }
    }

    /// Where this colour makes a five.
    #[inline(always)]
    pub fn fives(&self, color: Color) -> Points {
        self.sets[color.index() * SETS + FIVES]
    }

    /// Where it makes a four or more.
    #[inline(always)]
    pub fn fours(&self, color: Color) -> Points {
        self.sets[color.index() * SETS + FOURS]
    }

    /// Where it makes an open three or more.
    #[inline(always)]
    pub fn threes(&self, color: Color) -> Points {
        self.sets[color.index() * SETS + THREES]
    }

    /// Where it makes a three of any kind, two open twos, or more: what may become a four with one stone besides.
    #[inline(always)]
    pub fn seeds(&self, color: Color) -> Points {
        self.sets[color.index() * SETS + SEEDS]
    }

    /// Puts a stone on an empty point.
    pub fn play(&mut self, p: Point, color: Color) {
        debug_assert!(self.is_empty_at(p) && self.size.contains(p));
        self.work += 1;
        self.moves.push(Move { point: p, color, changes: self.changes.len() as u32 });
        self.stones[color.index()].insert(p);
        self.hash ^= Lines::hash_of(p, color);
        let at = self.cell(p);
        // First all that changes, without a branch that nobody could foresee; then what follows from it.
        let mut changed = [0u32; ROOM];
        let mut count = 0;
        let (classes, table) = (&*self.classes, &*self.tables.classes);
        let stone = u128::from(color.index() as u32 + 1);
        let places = self.geometry.places[p.index()].lines();
        for (d, ((row, position), step)) in places.into_iter().zip(self.grid.steps).enumerate() {
            self.rows[row] |= stone << shift(position);
            let around = (self.rows[row] >> (2 * position)) as u64 & AROUND;
            for k in [0usize, 1, 2, 3, 4, 6, 7, 8, 9, 10] {
                let class = table[window((around >> (2 * k)) as u32).min(TAKEN) as usize];
                let cell = at.wrapping_add_signed((k as isize - REACH) * step);
                changed[count % ROOM] = cell as u32 | (d as u32) << 16 | (class as u32) << 24;
                count += (class != (classes[cell.min(CELLS - 1)] >> (8 * d)) as u8) as usize;
            }
        }
        for &change in &changed[..count % ROOM] {
            let (cell, shift, class) = (change & 0xffff, change >> 13 & 24, change >> 24);
            let before = self.classes[cell as usize];
            let after = before & !(0xff << shift) | class << shift;
            let is_high = ((before >> shift | class) as u8) & HIGH_BITS != 0;
            self.change(cell as u16, before, after, is_high);
        }
        self.change(at as u16, self.classes[at], 0, true);
    }

    /// Gives a cell new classes and remembers those before.
    #[inline(always)]
    fn change(&mut self, cell: u16, before: u32, after: u32, is_high: bool) {
        let at = cell as usize;
        self.classes[at] = after;
        let mut sets = 0;
        if is_high {
            let table = &*self.tables.sets;
            let members = table[code(after, 0) as usize] | table[code(after, 1) as usize] << SETS;
            sets = self.members[at] ^ members;
            if sets != 0 {
                self.toggle(at, sets);
            }
        }
        self.changes.push(Change { classes: before, cell, sets });
    }

    /// Puts a point into sets, or takes it out.
    #[inline(always)]
    fn toggle(&mut self, cell: usize, mut sets: u8) {
        let p = self.grid.points[cell];
        let (word, bit) = (p.index() / 64 % 16, 1u64 << (p.index() % 64));
        let members = self.members[cell] ^ sets;
        self.members[cell] = members;
        while sets != 0 {
            let i = sets.trailing_zeros() as usize % (2 * SETS);
            sets &= sets - 1;
            self.sets[i].0[word.min(WORDS - 1)] ^= bit;
            let is_member = (members >> i & 1) as u16;
            self.sizes[i] = self.sizes[i].wrapping_add(is_member * 2).wrapping_sub(1);
        }
    }

    /// Takes back the last stone put; nothing if there is none.
    pub fn undo(&mut self) {
        let Some(Move { point, color, changes }) = self.moves.pop() else { return };
        while self.changes.len() > changes as usize {
            if let Some(Change { classes, cell, sets }) = self.changes.pop() {
                self.classes[cell as usize] = classes;
                if sets != 0 {
                    self.toggle(cell as usize, sets);
                }
            }
        }
        self.stones[color.index()].remove(point);
        self.hash ^= Lines::hash_of(point, color);
        let stone = u128::from(color.index() as u32 + 1);
        for (row, position) in self.geometry.places[point.index()].lines() {
            self.rows[row] ^= stone << shift(position);
        }
    }
}
