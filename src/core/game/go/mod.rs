//! Go: the fast board, the slow oracle beside it, and what the two share.

pub mod board;
pub mod facts;
mod lockstep;
mod parts;
pub mod slow;
#[cfg(test)]
mod tests;

use crate::base::{Color, GameKind, Point, Rng, Size};
use crate::game::Game;
use std::sync::OnceLock;

pub use board::{Board, Go9, Go14, Go21, Go25};
pub use slow::SlowBoard;

impl<const W: usize, const P: usize> Game for Board<W, P> {
    const KIND: GameKind = GameKind::Go;
    const HAS_TERRITORY: bool = true;

    fn new(size: Size, komi: f32) -> Self {
        Board::new(size, komi)
    }
    fn cleared(&self) -> Self {
        let mut board = Board::new(self.size(), self.komi());
        board.set_suicide(self.allows_suicide());
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
    fn is_legal(&self, p: Point) -> bool {
        p.is_pass() || self.is_legal(p) || self.is_suicide(p)
    }
    #[inline(always)]
    fn is_over(&self) -> bool {
        self.passes() >= 2
    }
    fn score(&self) -> f32 {
        self.area() as f32 - self.komi()
    }
    fn owners(&self, visit: &mut dyn FnMut(Point, Color)) {
        let owned = self.owned();
        for color in Color::BOTH {
            owned[color.index()].iter().for_each(|p| visit(p, color));
        }
    }
    fn candidates(&self, out: &mut Vec<Point>) {
        self.sensible_moves(out);
        if self.allows_suicide() {
            out.extend(self.empty().iter().filter(|&p| self.is_suicide(p) && !self.is_eye(p, self.to_play())));
            out.sort();
        }
        if out.is_empty() {
            out.push(Point::PASS);
        }
    }
    fn chain_at(&self, p: Point) -> Vec<Point> {
        self.chain(p).iter().collect()
    }
    fn captures(&self, by: Color) -> usize {
        self.captures(by)
    }
    #[inline(always)]
    fn play(&mut self, p: Point) {
        if self.allows_suicide() { self.play_or_die(p) } else { self.play(p) }
    }
    fn set_to_play(&mut self, color: Color) {
        self.set_to_play(color)
    }
    fn set_komi(&mut self, komi: f32) {
        self.set_komi(komi)
    }
    fn set_suicide(&mut self, is_allowed: bool) {
        self.set_suicide(is_allowed)
    }
    fn set_stones(&mut self, stones: &[(Point, Color)]) -> bool {
        self.set_stones(stones.iter().copied())
    }
    #[inline(always)]
    fn play_random(&mut self, rng: &mut Rng) -> Point {
        self.play_random(rng)
    }
}

impl<const W: usize, const P: usize> Board<W, P> {
    /// Can many games be played side by side, one in each lane? Only where the lanes hold the board: on larger ones a game
    /// at a time is faster.
    pub fn has_lockstep(&self) -> bool {
        W == 2
    }

    /// Plays out every start by uniformly random sensible moves, each by its own seed, and hands its score for Black to
    /// `done` with the start's number, in any order. Only for boards with lockstep.
    pub fn play_out_in_lockstep(starts: &[&Self], seeds: &[u64], done: &mut dyn FnMut(usize, f32)) {
        let Some(first) = starts.first() else { return };
        assert!(first.has_lockstep(), "the lanes hold boards up to 9x9");
        let komi = first.komi();
        let mut jobs = starts.iter().zip(seeds);
        let mut next = || {
            let (board, &seed) = jobs.next()?;
            let words = |color: Color| std::array::from_fn(|i| board.stones(color).0[i % W]);
            Some(lockstep::Start {
                stones: Color::BOTH.map(words),
                white_to_play: board.to_play() == Color::White,
                ko: board.ko().0,
                passes: board.passes(),
                seed,
            })
        };
        let mut finish = |job: usize, finish: &lockstep::Finish| done(job, finish.score as f32 - komi);
        lockstep::play_out(first.size().n(), &mut next, &mut finish, uses_avx2());
    }
}

/// AVX2 is used where it is, unless the environment says not to (`MOKU_NO_AVX2`): the results are the same.
fn uses_avx2() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| lockstep::has_avx2() && std::env::var_os("MOKU_NO_AVX2").is_none())
}
