//! The fast board: each colour's stones as bits on the four kinds of lines, windows around a point looked up in tables.
//!
//! The points where a colour wins with its next move are known after every move. A stone can add such points only on its
//! own four lines, and takes one away when it is put there or, under the exact rule, makes the row too long; so each
//! move costs four lookups and, rarely, a look at the few points already known.

use super::Rule;
use super::geometry::{Geometry, LINES, WORDS};
use super::tables::{CENTRE, COMPLETIONS, FIVE, REACH, WINDOW};
use crate::base::rng::splitmix;
use crate::base::{Bits, Black, Color, Point, Rng, Size};

pub type Points = Bits<WORDS>;

#[derive(Clone)]
pub struct Gobang {
    size: Size,
    rule: Rule,
    to_play: Color,
    winner: Option<Color>,
    empty: u16,
    /// How many points are in each of `winning`.
    winning_count: [u16; 2],
    /// The last stone played, a pass if there is none.
    last: Point,
    geometry: &'static Geometry,
    hash: u64,
    komi: f32,
    stones: [Points; 2],
    /// Where each colour wins next. In a playout a point may stay that a longer row has spoilt since: see `one_winning`.
    winning: [Points; 2],
    /// Points where a stone may make a four, and those where it may make one with two ways to complete it: none is
    /// missing from these sets, but one that has been spoilt since may still be in.
    fours: [Points; 2],
    open_fours: [Points; 2],
    lines: [[u32; LINES]; 2],
}

/// What a move keeps up to date: lines and winner, also where each colour wins and makes open fours, or everything.
pub const BARE: u8 = 0;
pub const OPEN: u8 = 1;
const FULL: u8 = 2;

/// What the tables say of a stone's four windows: is it part of a five, and where would it become part of one?
pub type Said = [u16; 4];

#[inline(always)]
fn any(said: Said) -> u16 {
    said[0] | said[1] | said[2] | said[3]
}

impl Gobang {
    pub fn new(size: Size, rule: Rule) -> Gobang {
        Gobang {
            size,
            rule,
            to_play: Black,
            winner: None,
            empty: size.area() as u16,
            winning_count: [0; 2],
            last: Point::PASS,
            geometry: Geometry::of(size),
            hash: 0,
            komi: 0.0,
            stones: [Bits::EMPTY; 2],
            winning: [Bits::EMPTY; 2],
            fours: [Bits::EMPTY; 2],
            open_fours: [Bits::EMPTY; 2],
            lines: [[0; LINES]; 2],
        }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    pub fn komi(&self) -> f32 {
        self.komi
    }

    pub fn set_komi(&mut self, komi: f32) {
        self.komi = komi;
    }

    #[inline(always)]
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    pub fn set_to_play(&mut self, color: Color) {
        self.to_play = color;
    }

    /// The last stone played, a pass if there is none.
    pub fn last(&self) -> Point {
        self.last
    }

    pub fn winner(&self) -> Option<Color> {
        self.winner
    }

    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.winner.is_some() || self.empty == 0
    }

    pub fn hash(&self) -> u64 {
        self.hash
    }

    pub fn color_at(&self, p: Point) -> Option<Color> {
        Color::BOTH.into_iter().find(|c| self.stones[c.index()].contains(p))
    }

    #[inline(always)]
    pub fn is_empty_at(&self, p: Point) -> bool {
        !(self.stones[0].contains(p) || self.stones[1].contains(p))
    }

    pub fn stones(&self) -> Points {
        self.stones[0] | self.stones[1]
    }

    pub fn stones_of(&self, color: Color) -> Points {
        self.stones[color.index()]
    }

    pub fn empty_points(&self) -> Points {
        self.geometry.board.minus(self.stones())
    }

    /// Where this colour makes five with one stone.
    #[inline(always)]
    pub fn winning_points(&self, color: Color) -> Points {
        self.winning[color.index()]
    }

    #[inline(always)]
    pub fn has_winning_point(&self, color: Color) -> bool {
        self.winning_count[color.index()] > 0
    }

    /// Empty points at most this many steps (also diagonal ones) from a stone.
    pub fn near(&self, distance: usize) -> Points {
        let mut reached = self.stones();
        let stride = self.size.stride();
        for _ in 0..distance {
            let sideways = (reached | reached.up(1) | reached.down(1)) & self.geometry.board;
            reached = (sideways | sideways.up(stride) | sideways.down(stride)) & self.geometry.board;
        }
        reached.minus(self.stones())
    }

    /// A stone for whoever is to play; the point must be empty and the game not over.
    pub fn play(&mut self, p: Point) {
        if !p.is_pass() {
            self.put::<FULL>(p, self.to_play);
        }
        self.last = p;
        self.to_play = self.to_play.opponent();
    }

    /// Puts stones on the board, whoever is to play. False if a point is named twice or taken, or both colours have
    /// five; then the board is of no use any more.
    pub fn put_stones(&mut self, stones: &[(Point, Color)]) -> bool {
        for &(p, color) in stones {
            if !self.is_empty_at(p) {
                return false;
            }
            self.put::<FULL>(p, color);
        }
        // A five on the way may have become longer.
        let has_five = |color: Color| self.stones[color.index()].iter().any(|p| self.would_win(color, p));
        let winners: Vec<Color> = Color::BOTH.into_iter().filter(|&color| has_five(color)).collect();
        self.winner = winners.first().copied();
        winners.len() < 2
    }

    /// Is there a five with a stone of this colour here, if it is put here now?
    #[inline]
    pub fn would_win(&self, color: Color, p: Point) -> bool {
        let tables = self.rule.tables();
        (0..4).any(|d| tables.fives[(self.window(color, d, p) | CENTRE) as usize] & FIVE != 0)
    }

    /// The points where a colour would win next if it put a stone here now.
    #[inline]
    pub fn completions_after(&self, color: Color, p: Point) -> Completions {
        let mut found = Completions::default();
        let tables = self.rule.tables();
        for d in 0..4 {
            let cells = tables.fives[(self.window(color, d, p) | CENTRE) as usize] & COMPLETIONS;
            if cells != 0 {
                self.geometry.visit(p, d, cells & self.free_cells(color, d, p), |q| found.add(q));
            }
        }
        found
    }

    /// Points where a stone of this colour makes a four that was not one before, perhaps with some that do not.
    pub fn possible_fours(&self, color: Color) -> Points {
        self.fours[color.index()].minus(self.stones())
    }

    /// A point where a colour makes a four with two ways to complete it.
    pub fn open_four(&self, color: Color) -> Option<Point> {
        let possible = self.open_fours[color.index()].minus(self.stones());
        possible.iter().find(|&p| self.completions_after(color, p).count >= 2)
    }

    /// Points that can be in one five with this point.
    pub fn in_line_with(&self, p: Point) -> Points {
        let mut points = Bits::EMPTY;
        for d in 0..4 {
            self.geometry.visit(p, d, self.geometry.inside[p.index()][d], |q| points.insert(q));
        }
        points
    }

    /// A colour's stones in the window around a point.
    #[inline(always)]
    fn window(&self, color: Color, d: usize, p: Point) -> u16 {
        let (line, position) = self.geometry.places[p.index()].lines()[d];
        ((self.lines[color.index()][line] >> position) & WINDOW) as u16
    }

    /// Cells of the window that are on the board and not the opponent's.
    #[inline(always)]
    fn free_cells(&self, color: Color, d: usize, p: Point) -> u16 {
        self.geometry.inside[p.index()][d] & !self.window(color.opponent(), d, p)
    }

    #[inline(always)]
    fn put<const KEEP: u8>(&mut self, p: Point, color: Color) -> Said {
        debug_assert!(self.is_empty_at(p) && self.size.contains(p));
        let c = color.index();
        let tables = self.rule.tables();
        self.stones[c].insert(p);
        self.empty -= 1;
        let lines = self.geometry.places[p.index()].lines();
        let (mut windows, mut said) = ([0; 4], [0; 4]);
        // A loop, since `map` with this much in it is not inlined: that made playouts a quarter slower.
        for (d, (line, position)) in lines.into_iter().enumerate() {
            let stones = &mut self.lines[c][line];
            *stones |= 1 << (position + REACH as u32);
            windows[d] = (*stones >> position & WINDOW) as usize;
            said[d] = tables.fives[windows[d]];
        }
        if any(said) & FIVE != 0 {
            self.winner = Some(color);
        }
        if KEEP >= OPEN {
            for side in 0..2 {
                if self.winning_count[side] > 0 && self.winning[side].contains(p) {
                    self.winning[side].remove(p);
                    self.winning_count[side] -= 1;
                }
            }
            if any(said) & COMPLETIONS != 0 {
                self.add_winning_points(p, color, said);
            }
            for (d, window) in windows.into_iter().enumerate() {
                let cells = tables.fours[window];
                if cells != 0 {
                    let free = self.free_cells(color, d, p);
                    let (four, open) = (cells as u16 & free, (cells >> 16) as u16 & free);
                    let geometry = self.geometry;
                    geometry.visit(p, d, open, |q| self.open_fours[c].insert(q));
                    if KEEP >= FULL {
                        geometry.visit(p, d, four, |q| self.fours[c].insert(q));
                    }
                }
            }
        }
        if KEEP >= FULL {
            if self.rule == Rule::Exact && self.winning_count[c] > 0 {
                self.drop_spoilt(color);
            }
            self.hash ^= splitmix(0x676f_6261_6e67 + (p.0 as u64 * 2 + c as u64));
        }
        said
    }

    /// Takes off the winning points that a longer row has spoilt.
    fn drop_spoilt(&mut self, color: Color) {
        let c = color.index();
        let points = self.winning[c];
        points.visit(|p| {
            if !self.would_win(color, p) {
                self.winning[c].remove(p);
            }
        });
        self.winning_count[c] = self.winning[c].len() as u16;
    }

    #[inline(never)]
    fn add_winning_points(&mut self, p: Point, color: Color, said: Said) {
        let c = color.index();
        for (d, cells) in said.into_iter().enumerate() {
            let free = cells & COMPLETIONS & self.free_cells(color, d, p);
            let geometry = self.geometry;
            geometry.visit(p, d, free, |q| self.winning[c].insert(q));
        }
        self.winning_count[c] = self.winning[c].len() as u16;
    }

    /// Plays to the end: a forced move where there is one, else a uniformly random empty point. `forced` sees the last stone
    /// and what the tables said of it. Moves are added to the trace, if there is one. Returns the number of moves.
    #[inline(always)]
    pub fn play_out_by<const KEEP: u8>(
        &mut self,
        rng: &mut Rng,
        mut forced: impl FnMut(&mut Gobang, Point, Said, &mut Rng) -> Option<Point>,
        mut trace: Option<&mut Vec<Point>>,
    ) -> usize {
        // Forced moves leave their points in this list; they are skipped when they come up, so that the choice among
        // the empty points stays uniform.
        let mut list = [0u16; 25 * 25];
        let mut rest = 0;
        self.empty_points().visit(|p| {
            list[rest] = p.0;
            rest += 1;
        });
        let before = self.empty;
        let (mut last, mut said) = (self.last, self.said_of_last());
        while !self.is_over() {
            let p = match forced(self, last, said, rng) {
                Some(p) => p,
                None => loop {
                    let i = rng.below(rest as u32) as usize;
                    rest -= 1;
                    let p = Point(list[i]);
                    list[i] = list[rest];
                    if self.is_empty_at(p) {
                        break p;
                    }
                },
            };
            if let Some(moves) = &mut trace {
                moves.push(p);
            }
            (last, said) = (p, self.put::<KEEP>(p, self.to_play));
            self.to_play = self.to_play.opponent();
        }
        (before - self.empty) as usize
    }

    /// What the tables say of the last stone, if the opponent of the side to play put it.
    fn said_of_last(&self) -> Said {
        let opponent = self.to_play.opponent();
        if self.last.is_pass() || !self.stones[opponent.index()].contains(self.last) {
            return [0; 4];
        }
        let tables = self.rule.tables();
        std::array::from_fn(|d| tables.fives[self.window(opponent, d, self.last) as usize])
    }

    /// A point where the opponent's last stone would become part of a five, each with the same chance.
    #[inline(always)]
    pub fn stop_four(&mut self, last: Point, said: Said, rng: &mut Rng) -> Option<Point> {
        if any(said) & COMPLETIONS == 0 { None } else { self.choose_stop(last, said, rng) }
    }

    /// The same for a row of four without a gap alone.
    #[inline(always)]
    pub fn stop_row(&mut self, last: Point, said: Said, rng: &mut Rng) -> Option<Point> {
        if any(said) & COMPLETIONS == 0 {
            return None;
        }
        let opponent = self.to_play.opponent();
        let ends = std::array::from_fn(|d| {
            // A gap has stones on both sides.
            let stones = self.window(opponent, d, last);
            said[d] & !((stones << 1) & (stones >> 1))
        });
        self.choose_stop(last, ends, rng)
    }

    #[inline(never)]
    fn choose_stop(&self, last: Point, said: Said, rng: &mut Rng) -> Option<Point> {
        // The free cells of the four windows in one word. No two are the same point, as the lines meet in the stone alone.
        let mut ways = 0u64;
        for (d, cells) in said.into_iter().enumerate() {
            let free = cells & COMPLETIONS & self.free_cells(self.to_play.opponent(), d, last);
            ways |= (free as u64) << (16 * d);
        }
        let count = ways.count_ones();
        let chosen = if count > 1 { rng.below(count) } else { 0 };
        (0..chosen).for_each(|_| ways &= ways - 1);
        let cell = ways.trailing_zeros();
        (count > 0).then(|| self.geometry.cell(last, cell as usize / 16, cell % 16))
    }

    /// A point where a colour wins, each with the same chance; what turns out to be spoilt is forgotten.
    #[inline(always)]
    pub fn one_winning(&mut self, color: Color, rng: &mut Rng) -> Option<Point> {
        if self.winning_count[color.index()] == 0 { None } else { self.choose_winning(color, rng) }
    }

    #[inline(never)]
    fn choose_winning(&mut self, color: Color, rng: &mut Rng) -> Option<Point> {
        let c = color.index();
        while self.winning_count[c] > 0 {
            let n = if self.winning_count[c] == 1 { 0 } else { rng.below(self.winning_count[c] as u32) };
            let p = self.winning[c].nth(n)?;
            if self.rule == Rule::Freestyle || self.would_win(color, p) {
                return Some(p);
            }
            self.winning[c].remove(p);
            self.winning_count[c] -= 1;
        }
        None
    }

    /// A point where this colour makes an open four; what turns out to be none is forgotten.
    #[inline(always)]
    pub fn take_open_four(&mut self, color: Color) -> Option<Point> {
        if self.open_fours[color.index()].is_empty() {
            return None;
        }
        self.look_for_open_four(color)
    }

    #[inline(never)]
    fn look_for_open_four(&mut self, color: Color) -> Option<Point> {
        let c = color.index();
        for p in self.open_fours[c].iter() {
            if self.is_empty_at(p) && self.completions_after(color, p).count >= 2 {
                return Some(p);
            }
            self.open_fours[c].remove(p);
        }
        None
    }
}

/// Up to two different points: with two, nothing stops the five.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Completions {
    pub count: u32,
    pub first: Option<Point>,
}

impl Completions {
    #[inline(always)]
    fn add(&mut self, p: Point) {
        match self.first {
            None => (self.count, self.first) = (1, Some(p)),
            Some(q) if q == p => {}
            Some(_) => self.count = 2,
        }
    }
}
