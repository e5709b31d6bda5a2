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
use crate::game::Policy;

pub type Points = Bits<WORDS>;

#[derive(Clone)]
pub struct Gobang {
    size: Size,
    rule: Rule,
    to_play: Color,
    winner: Option<Color>,
    empty: u16,
    /// How many points each colour wins at.
    winning_count: [u16; 2],
    geometry: &'static Geometry,
    hash: u64,
    komi: f32,
    stones: [Points; 2],
    winning: [Points; 2],
    /// Points where a stone may make a four, and those where it may make one with two ways to complete it: none is
    /// missing from these sets, but one that has been spoilt since may still be in. Not kept in every playout.
    fours: [Points; 2],
    open_fours: [Points; 2],
    lines: [[u32; LINES]; 2],
}

/// What a move keeps up to date: only what a playout needs, open fours too, or everything.
const BARE: u8 = 0;
const OPEN: u8 = 1;
const FULL: u8 = 2;

impl Gobang {
    pub fn new(size: Size, rule: Rule) -> Gobang {
        Gobang {
            size,
            rule,
            to_play: Black,
            winner: None,
            empty: size.area() as u16,
            winning_count: [0; 2],
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
    fn put<const KEEP: u8>(&mut self, p: Point, color: Color) {
        debug_assert!(self.is_empty_at(p) && self.size.contains(p));
        let c = color.index();
        let tables = self.rule.tables();
        self.stones[c].insert(p);
        self.empty -= 1;
        if self.winning_count != [0, 0] {
            self.review_winning_points(p, color);
        }
        let lines = self.geometry.places[p.index()].lines();
        let windows = lines.map(|(line, position)| {
            self.lines[c][line] |= 1 << (position + REACH as u32);
            (self.lines[c][line] >> position & WINDOW) as usize
        });
        let said = windows.map(|w| tables.fives[w]);
        let all = said[0] | said[1] | said[2] | said[3];
        if all & FIVE != 0 {
            self.winner = Some(color);
        }
        if all & COMPLETIONS != 0 {
            self.add_winning_points(p, color, said);
        }
        if KEEP >= OPEN {
            for d in 0..4 {
                let cells = tables.fours[windows[d]];
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
            self.hash ^= splitmix(0x676f_6261_6e67 + (p.0 as u64 * 2 + c as u64));
        }
    }

    /// Takes off the point just played, and what a longer row has spoilt.
    #[inline(never)]
    fn review_winning_points(&mut self, p: Point, color: Color) {
        for side in Color::BOTH {
            let s = side.index();
            self.winning[s].remove(p);
            if side == color && self.rule == Rule::Exact {
                // The row of the new stone is not on the lines yet: put it there for the look.
                let lines = self.geometry.places[p.index()].lines();
                lines.iter().for_each(|&(line, position)| self.lines[s][line] |= 1 << (position + REACH as u32));
                for q in self.winning[s].iter() {
                    if !self.would_win(side, q) {
                        self.winning[s].remove(q);
                    }
                }
            }
            self.winning_count[s] = self.winning[s].len() as u16;
        }
    }

    #[inline(never)]
    fn add_winning_points(&mut self, p: Point, color: Color, said: [u16; 4]) {
        let c = color.index();
        for (d, cells) in said.into_iter().enumerate() {
            let free = cells & COMPLETIONS & self.free_cells(color, d, p);
            let geometry = self.geometry;
            geometry.visit(p, d, free, |q| self.winning[c].insert(q));
        }
        self.winning_count[c] = self.winning[c].len() as u16;
    }

    /// Plays to the end by a policy; returns the number of moves.
    #[inline]
    pub fn play_out(&mut self, policy: Policy, rng: &mut Rng) -> usize {
        self.play_out_watched(policy, rng, |_, _| {})
    }

    /// The same, and shows every move before it is made.
    #[inline(always)]
    pub fn play_out_watched(&mut self, policy: Policy, rng: &mut Rng, watch: impl FnMut(&Gobang, Point)) -> usize {
        match policy {
            Policy::Light => self.play_out_by::<BARE>(rng, |_, _| None, watch),
            Policy::BlockFour => self.play_out_by::<BARE>(rng, |board, rng| board.block(rng), watch),
            Policy::Decisive => self.play_out_by::<OPEN>(
                rng,
                |board, rng| {
                    board.win(rng).or_else(|| board.block(rng)).or_else(|| board.take_open_four(board.to_play))
                },
                watch,
            ),
        }
    }

    #[inline(always)]
    fn play_out_by<const KEEP: u8>(
        &mut self,
        rng: &mut Rng,
        mut forced: impl FnMut(&mut Gobang, &mut Rng) -> Option<Point>,
        mut watch: impl FnMut(&Gobang, Point),
    ) -> usize {
        // Forced moves leave their points in this list; they are skipped when they come up, so that the choice among
        // the empty points stays uniform.
        let mut list = [0u16; 25 * 25];
        let mut rest = 0;
        for p in self.empty_points().iter() {
            list[rest] = p.0;
            rest += 1;
        }
        let before = self.empty;
        while !self.is_over() {
            let p = match forced(self, rng) {
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
            watch(self, p);
            self.put::<KEEP>(p, self.to_play);
            self.to_play = self.to_play.opponent();
        }
        (before - self.empty) as usize
    }

    /// A point where the side to play wins.
    #[inline(always)]
    fn win(&self, rng: &mut Rng) -> Option<Point> {
        self.one_of_winning(self.to_play, rng)
    }

    /// A point where the opponent would win next.
    #[inline(always)]
    fn block(&self, rng: &mut Rng) -> Option<Point> {
        self.one_of_winning(self.to_play.opponent(), rng)
    }

    #[inline(always)]
    fn one_of_winning(&self, color: Color, rng: &mut Rng) -> Option<Point> {
        match self.winning_count[color.index()] {
            0 => None,
            1 => self.winning[color.index()].first(),
            n => self.winning[color.index()].iter().nth(rng.below(n as u32) as usize),
        }
    }

    /// A point where this colour makes an open four; what turns out to be none is forgotten.
    #[inline(always)]
    fn take_open_four(&mut self, color: Color) -> Option<Point> {
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
