//! Gobang: five in a row on a square board. The fast board, the slow oracle beside it, and continuous fours.
//!
//! Whoever first has exactly five stones in a row wins; six or more neither win nor are forbidden (`Rule::Exact`, the
//! default), or win too (`Rule::Freestyle`). A full board is a draw. There is nothing to capture and komi means nothing.

mod board;
pub mod geometry;
pub mod slow;
mod tables;
#[cfg(test)]
mod tests;
mod threats;

pub use board::{BARE, Gobang, OPEN, Said};
pub use slow::SlowGobang;

use crate::base::params::no_such;
use crate::base::{Color, GameKind, Point, Rng, Size};
use crate::game::Game;

/// What more than five in a row is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rule {
    /// Nothing.
    #[default]
    Exact,
    /// A win.
    Freestyle,
}

impl Rule {
    pub fn name(self) -> &'static str {
        match self {
            Rule::Exact => "exact",
            Rule::Freestyle => "freestyle",
        }
    }

    /// The rule that a word names, or what would be one.
    pub fn parse(word: &str) -> Result<Rule, String> {
        let all = [Rule::Exact, Rule::Freestyle];
        let found = all.into_iter().find(|rule| word.eq_ignore_ascii_case(rule.name()));
        found.ok_or_else(|| no_such("rule", word, &all.map(Rule::name)))
    }
}

/// On a smaller board nobody can win.
pub const SMALLEST: usize = 5;

impl Game for Gobang {
    const KIND: GameKind = GameKind::Gobang;
    const HAS_TERRITORY: bool = false;

    fn new(size: Size, komi: f32) -> Self {
        let mut board = Gobang::new(size, Rule::Exact);
        board.set_komi(komi);
        board
    }
    fn cleared(&self) -> Self {
        let mut board = Gobang::new(self.size(), self.rule());
        board.set_komi(self.komi());
        board
    }
    fn size(&self) -> Size {
        self.size()
    }
    #[inline(always)]
    fn to_play(&self) -> Color {
        self.to_play()
    }
    fn color_at(&self, p: Point) -> Option<Color> {
        self.color_at(p)
    }
    fn komi(&self) -> f32 {
        self.komi()
    }
    fn hash(&self) -> u64 {
        self.hash()
    }
    /// A pass is legal, also after the end, because front ends send it; no search looks at it.
    fn is_legal(&self, p: Point) -> bool {
        p.is_pass() || !self.is_over() && self.is_empty_at(p)
    }
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.is_over()
    }
    fn winner(&self) -> Option<Color> {
        self.winner()
    }
    #[inline(always)]
    fn score(&self) -> f32 {
        self.winner().map_or(0.0, Color::sign)
    }
    fn owners(&self, _visit: &mut dyn FnMut(Point, Color)) {}
    fn candidates(&self, out: &mut Vec<Point>) {
        out.clear();
        if !self.is_over() {
            out.extend(self.empty_points().iter());
        }
        if out.is_empty() {
            out.push(Point::PASS);
        }
    }
    fn chain_at(&self, p: Point) -> Vec<Point> {
        self.color_at(p).map(|_| p).into_iter().collect()
    }
    fn captures(&self, _by: Color) -> usize {
        0
    }

    fn play(&mut self, p: Point) {
        self.play(p);
    }
    fn set_to_play(&mut self, color: Color) {
        self.set_to_play(color);
    }
    fn set_komi(&mut self, komi: f32) {
        self.set_komi(komi);
    }
    fn set_stones(&mut self, stones: &[(Point, Color)]) -> bool {
        let mut board = self.cleared();
        board.set_to_play(self.to_play());
        let fits = board.put_stones(stones);
        if fits {
            *self = board;
        }
        fits
    }

    fn play_random(&mut self, rng: &mut Rng) -> Point {
        let empty = self.empty_points();
        let p = empty.iter().nth(rng.below(empty.len() as u32) as usize).unwrap_or(Point::PASS);
        self.play(p);
        p
    }

    fn near(&self, distance: usize, out: &mut Vec<Point>) -> bool {
        let near = self.near(distance);
        if !near.is_empty() {
            out.clear();
            out.extend(near.iter());
            return true;
        }
        // Nothing to be near to: the middle of the board.
        let middle = self.size().point(self.size().n() / 2, self.size().n() / 2);
        let is_free = self.is_empty_at(middle);
        if is_free {
            out.clear();
            out.push(middle);
        }
        is_free
    }
    fn urgent(&self, out: &mut Vec<Point>) -> bool {
        self.urgent(out)
    }
    fn forced_win(&self, nodes: usize) -> Option<Vec<Point>> {
        self.continuous_fours(nodes)
    }
    fn spoilers(&self, line: &[Point], out: &mut Vec<Point>) {
        out.clear();
        out.extend(self.spoilers(line).iter());
    }
}
