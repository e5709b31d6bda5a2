//! Playouts by rules (Go; after Gelly, Wang, Munos and Teytaud 2006): a move answers the last ones where there is something to
//! answer, and is uniformly random elsewhere. In order, each rule taken with a chance of its own:
//!
//! 1. capture: take the stone just played, or save what it put into atari, by running or by taking a stone beside;
//! 2. pattern: a hane, cut or side move, told by its 3x3 neighbourhood, beside one of the last two moves;
//! 3. any move; one that puts itself into atari is refused and another one tried.
//!
//! A rule that finds several moves takes any of them. Chances below one keep playouts from all making the same mistake.

use super::{Policy, until_over};
use crate::base::{Point, Rng};
use crate::game::go::Board;
use crate::game::go::facts::Few;
use crate::knowledge::shapes;

/// How often each rule is taken, 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chances {
    pub capture: f64,
    pub pattern: f64,
    /// That a move which puts itself into atari is refused.
    pub self_atari: f64,
}

impl Default for Chances {
    fn default() -> Self {
        Chances { capture: 0.9, pattern: 0.95, self_atari: 0.9 }
    }
}

pub struct Rules {
    capture: u64,
    pattern: u64,
    self_atari: u64,
}

/// A chance as a bound on 32 random bits.
fn bound(chance: f64) -> u64 {
    (chance.clamp(0.0, 1.0) * (1u64 << 32) as f64) as u64
}

#[inline(always)]
fn happens(bound: u64, rng: &mut Rng) -> bool {
    rng.next_u64() >> 32 < bound
}

impl Rules {
    pub fn new(chances: Chances) -> Rules {
        let Chances { capture, pattern, self_atari } = chances;
        Rules { capture: bound(capture), pattern: bound(pattern), self_atari: bound(self_atari) }
    }

    #[inline(always)]
    fn step<const W: usize, const P: usize>(&self, board: &mut Board<W, P>, rng: &mut Rng) -> Point {
        if let Some(p) = self.answer(board, rng) {
            board.play(p);
            return p;
        }
        let me = board.to_play();
        board.play_random_if(rng, |board, p, rng| !(board.is_self_atari(p, me) && happens(self.self_atari, rng)))
    }

    /// An answer to the last moves.
    #[inline]
    fn answer<const W: usize, const P: usize>(&self, board: &Board<W, P>, rng: &mut Rng) -> Option<Point> {
        let [last, before] = board.last_moves();
        if last.is_pass() {
            return None;
        }
        if happens(self.capture, rng)
            && let Some(p) = urgent(board, last).any(rng)
        {
            return Some(p);
        }
        if happens(self.pattern, rng) {
            let mut found = Few::<16>::new();
            near(board, last, &mut found);
            if !before.is_pass() {
                near(board, before, &mut found);
            }
            return found.any(rng);
        }
        None
    }
}

/// Moves that take the stone just played, or save what it put into atari.
#[inline]
fn urgent<const W: usize, const P: usize>(board: &Board<W, P>, last: Point) -> Few<8> {
    let mut found = Few::new();
    let me = board.to_play();
    // The last stone is an own one if somebody handed the move over.
    if board.is_own_in_atari(last, me.opponent())
        && let Some(liberty) = board.last_liberty(last)
        && liberty != board.ko()
    {
        found.add(liberty);
    }
    for q in &board.around(last)[..4] {
        if board.is_own_in_atari(*q, me)
            && let Some(liberty) = board.last_liberty(*q)
        {
            if board.after_stone(liberty, me).liberties > 1 && liberty != board.ko() {
                found.add(liberty);
            }
            let mut captures = Few::<8>::new();
            board.counter_captures(*q, &mut captures);
            captures.as_slice().iter().filter(|&&p| p != board.ko()).for_each(|&p| found.add(p));
        }
    }
    found
}

/// Adds the empty points around a point that have a good shape, and where a stone stands well.
#[inline]
fn near<const W: usize, const P: usize>(board: &Board<W, P>, centre: Point, found: &mut Few<16>) {
    let me = board.to_play();
    for q in board.around(centre) {
        if board.is_empty_at(q)
            && shapes::is_good(board.neighbourhood(q))
            && board.is_legal(q)
            && !board.is_self_atari(q, me)
        {
            found.add(q);
        }
    }
}

impl<const W: usize, const P: usize> Policy<Board<W, P>> for Rules {
    fn play_out(&self, board: &mut Board<W, P>, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        until_over(board, trace, |board| self.step(board, rng))
    }
}
