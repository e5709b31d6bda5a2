//! Decisive playouts of Gobang (Teytaud and Teytaud 2010): a five, else what stops one, else an open four; else any empty
//! point.

use super::Policy;
use crate::base::{Point, Rng};
use crate::game::gobang::{Gobang, OPEN, Said};

pub struct Decisive;

impl Policy<Gobang> for Decisive {
    fn play_out(&self, board: &mut Gobang, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        board.play_out_by::<OPEN>(rng, forced, trace)
    }
}

#[inline(always)]
fn forced(board: &mut Gobang, _last: Point, _said: Said, rng: &mut Rng) -> Option<Point> {
    let me = board.to_play();
    let five = board.one_winning(me, rng).or_else(|| board.one_winning(me.opponent(), rng));
    five.or_else(|| board.take_open_four(me))
}
