//! What a Go player would look at first, weighed by hand: near the last move, captures and saves, good shapes; not into
//! atari, and not along the edge where nothing stands.

use super::{Inherited, Prior};
use crate::base::Point;
use crate::game::go::Board;
use crate::knowledge::shapes;

pub struct Hand {
    /// All weights are taken so many times.
    pub factor: f32,
}

/// Won playouts by distance to the last move, from adjacent outwards.
const NEAR: [f32; 6] = [0.0, 0.0, 24.0, 22.0, 14.0, 8.0];
/// Won playouts for taking one stone, for more, for saving a chain, for a good shape, for the empty third line.
const TAKE_ONE: f32 = 15.0;
const TAKE_MORE: f32 = 30.0;
const SAVE: f32 = 15.0;
const SHAPE: f32 = 10.0;
const THIRD_LINE: f32 = 10.0;
/// Lost playouts for going into atari, and for the empty first and second line.
const SELF_ATARI: f32 = 10.0;
const LOW_LINE: f32 = 10.0;
/// No stone at most this far, counted like `distance`: an empty part of the board.
const EMPTY_WITHIN: usize = 3;

impl<const W: usize, const P: usize> Prior<Board<W, P>> for Hand {
    fn add(&self, board: &Board<W, P>, moves: &[Point], out: &mut [Inherited]) {
        let [last, _] = board.last_moves();
        for (&p, start) in moves.iter().zip(out) {
            if p.is_pass() {
                continue;
            }
            let (won, lost) = weigh(board, last, p);
            start.visits += self.factor * (won + lost);
            start.wins += self.factor * won;
        }
    }
}

/// Won and lost playouts that a move starts from.
fn weigh<const W: usize, const P: usize>(board: &Board<W, P>, last: Point, p: Point) -> (f32, f32) {
    let (me, size) = (board.to_play(), board.size());
    let (mut won, mut lost) = (0.0, 0.0);
    if !last.is_pass() {
        won += NEAR.get(distance(size.xy(last), size.xy(p))).copied().unwrap_or(0.0);
    }
    let around = &board.around(p)[..4];
    let taken: usize =
        around.iter().filter(|&&q| board.is_own_in_atari(q, me.opponent())).map(|&q| board.chain_length(q)).sum();
    won += match taken {
        0 => 0.0,
        1 => TAKE_ONE,
        _ => TAKE_MORE,
    };
    let after = board.after_stone(p, me);
    if after.liberties > 1 && around.iter().any(|&q| board.is_own_in_atari(q, me)) {
        won += SAVE;
    }
    if after.liberties < 2 && !after.takes {
        lost += SELF_ATARI;
    }
    if shapes::good().contains(board.neighbourhood(p)) {
        won += SHAPE;
    }
    let (x, y) = size.xy(p);
    let line = [x, y, size.n() - 1 - x, size.n() - 1 - y].into_iter().min().unwrap_or(0);
    if line < 3 && is_open(board, p) {
        if line < 2 { lost += LOW_LINE } else { won += THIRD_LINE }
    }
    (won, lost)
}

/// |dx| + |dy| + max(|dx|, |dy|): rounder than either.
fn distance((a, b): (usize, usize), (c, d): (usize, usize)) -> usize {
    let (dx, dy) = (a.abs_diff(c), b.abs_diff(d));
    dx + dy + dx.max(dy)
}

/// Is there no stone near?
fn is_open<const W: usize, const P: usize>(board: &Board<W, P>, p: Point) -> bool {
    let size = board.size();
    let (x, y) = size.xy(p);
    let range = |at: usize| at.saturating_sub(EMPTY_WITHIN)..=(at + EMPTY_WITHIN).min(size.n() - 1);
    range(y)
        .all(|b| range(x).all(|a| a.abs_diff(x) + b.abs_diff(y) > EMPTY_WITHIN || board.is_empty_at(size.point(a, b))))
}
