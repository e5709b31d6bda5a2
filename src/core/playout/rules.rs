//! Playouts by rules (Go; after Gelly, Wang, Munos and Teytaud 2006): a move answers the last ones where there is something to
//! answer, and is uniformly random elsewhere. In order, each rule taken with a chance of its own:
//!
//! 1. capture: take the stone just played, or save what it put into atari, by running or by taking a stone beside;
//! 2. nakade: the vital point of a small eye beside the last move; where this rule is on, stones that fill an eye in a shape
//!    that kills are no self-atari;
//! 3. two liberties: an atari on the last stone's chain that it cannot run from, or a third liberty for a chain beside it;
//! 4. pattern: a hane, cut or side move, told by its 3x3 neighbourhood, beside one of the last two moves;
//! 5. any move; one that puts itself into atari is refused and another one tried.
//!
//! A playout can end early, when one side has so many more stones that nothing will change who wins (mercy).
//!
//! A rule that finds several moves takes any of them. Settings below one keep playouts from all making the same mistake.

use super::{Policy, bound, happens, until_decided};
use crate::base::{Black, Point, Rng, White};
use crate::game::go::Board;
use crate::game::go::facts::{Few, Neighbourhoods};
use crate::knowledge::local;
use crate::knowledge::shapes::{self, Shapes};

/// How often each rule is taken, 0 to 1, and when a playout ends early.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    pub capture: f64,
    pub pattern: f64,
    /// That a move which puts itself into atari is refused.
    pub self_atari: f64,
    pub nakade: f64,
    pub two_liberties: f64,
    /// Mercy: a playout ends when one side has more stones than the other by this share of the points; 0: never.
    pub mercy: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { capture: 0.9, pattern: 0.95, self_atari: 0.9, nakade: 0.0, two_liberties: 0.0, mercy: 0.0 }
    }
}

pub struct Rules {
    shapes: &'static Shapes,
    capture: u64,
    pattern: u64,
    self_atari: u64,
    nakade: u64,
    two_liberties: u64,
    mercy: f64,
}

const LOW: u64 = u32::MAX as u64;

impl Rules {
    pub fn new(settings: Settings) -> Rules {
        Rules {
            shapes: shapes::good(),
            capture: bound(settings.capture),
            pattern: bound(settings.pattern),
            self_atari: bound(settings.self_atari),
            nakade: bound(settings.nakade),
            two_liberties: bound(settings.two_liberties),
            mercy: settings.mercy,
        }
    }

    #[inline(always)]
    pub fn step<const W: usize, const P: usize>(
        &self,
        board: &mut Board<W, P>,
        codes: &mut Neighbourhoods<P>,
        rng: &mut Rng,
    ) -> Point {
        let me = board.to_play();
        let enemies = board.stones(me.opponent());
        let p = match self.answer(board, codes, rng) {
            Some(p) => {
                board.play(p);
                p
            }
            None => board.play_random_if(rng, |board, p, rng| !self.refuses(board, p, rng)),
        };
        codes.note(board, p, me, enemies.minus(board.stones(me.opponent())));
        p
    }

    /// Is a random move refused, since it puts itself into atari? Who takes vital points of eyes also fills eyes.
    #[inline(always)]
    fn refuses<const W: usize, const P: usize>(&self, board: &Board<W, P>, p: Point, rng: &mut Rng) -> bool {
        let me = board.to_play();
        board.is_self_atari(p, me) && happens(self.self_atari, rng) && !(self.nakade > 0 && board.fills_eye(p, me))
    }

    /// An answer to the last moves.
    #[inline]
    fn answer<const W: usize, const P: usize>(
        &self,
        board: &Board<W, P>,
        codes: &Neighbourhoods<P>,
        rng: &mut Rng,
    ) -> Option<Point> {
        let [last, before] = board.last_moves();
        if last.is_pass() {
            return None;
        }
        // Two chances from one draw.
        let draw = rng.next_u64();
        if draw & LOW < self.capture
            && let Some(p) = urgent(board, last).any(rng)
        {
            return Some(p);
        }
        if self.nakade > 0
            && happens(self.nakade, rng)
            && let Some(p) = vital(board, last)
        {
            return Some(p);
        }
        if self.two_liberties > 0
            && happens(self.two_liberties, rng)
            && let Some(p) = of_two_liberties(board).any(rng)
        {
            return Some(p);
        }
        if draw >> 32 >= self.pattern {
            return None;
        }
        // The points beside the last move are the low bits.
        let mut fits = self.near(board, codes, last);
        if !before.is_pass() {
            fits |= self.near(board, codes, before) << 8;
        }
        // A move that is not to be played is dropped and another one drawn, so that each of the others has the same chance.
        while fits != 0 {
            let i = place_of_bit(fits, rng.below(fits.count_ones()));
            let q = board.around(if i < 8 { last } else { before })[i % 8];
            if board.is_legal(q) && !board.is_self_atari(q, board.to_play()) {
                return Some(q);
            }
            fits &= !(1 << i);
        }
        None
    }

    /// The empty points around a point that have a good shape, as bits in the order of `Board::around`.
    ///
    /// Found without a branch, since no processor could guess it.
    #[inline(always)]
    fn near<const W: usize, const P: usize>(
        &self,
        board: &Board<W, P>,
        codes: &Neighbourhoods<P>,
        centre: Point,
    ) -> u32 {
        let mut fits = 0u32;
        for (i, &q) in board.around(centre).iter().enumerate() {
            fits |= u32::from(board.is_empty_at(q) & self.shapes.contains(codes.at(q))) << i;
        }
        fits
    }
}

/// Where the n-th of the bits that are set stands, from 0.
#[inline(always)]
fn place_of_bit(mut bits: u32, n: u32) -> usize {
    for _ in 0..n {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as usize % 16
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

/// The vital point of an eye beside the stone just played, if it may be played.
#[inline]
fn vital<const W: usize, const P: usize>(board: &Board<W, P>, last: Point) -> Option<Point> {
    let beside = board.around(last);
    let eyes = beside[..4].iter().filter(|&&q| board.is_empty_at(q)).filter_map(|&q| local::vital_point(board, q));
    eyes.map(|(p, _)| p).find(|&p| board.is_legal(p))
}

/// Moves on the liberties of chains that have two of them, around the last move.
#[inline]
fn of_two_liberties<const W: usize, const P: usize>(board: &Board<W, P>) -> Few<8> {
    let (mut found, me) = (Few::new(), board.to_play());
    local::visit_chains(board, |p, feature| {
        // An atari that the chain cannot run from, and an extension that gets three liberties.
        let is_good = [local::ATARI, local::ATARI + 1, local::EXTEND + 2, local::EXTEND + 3].contains(&feature);
        if is_good && board.is_legal(p) && !board.is_self_atari(p, me) {
            found.add(p);
        }
    });
    found
}

impl<const W: usize, const P: usize> Policy<Board<W, P>> for Rules {
    fn play_out(&self, board: &mut Board<W, P>, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        let mut codes = Neighbourhoods::of(board);
        // How many stones more than the other side's decide; no board has as many as stand for never.
        let lead = match self.mercy {
            0.0 => usize::MAX,
            share => (share * board.size().area() as f64) as usize,
        };
        let is_decided = |board: &Board<W, P>| board.stones(Black).len().abs_diff(board.stones(White).len()) > lead;
        until_decided(board, rng, trace, is_decided, |board, rng| self.step(board, &mut codes, rng))
    }
}
