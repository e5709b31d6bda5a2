//! Light playouts: all candidates are equally likely. In Go these are the legal moves that do not fill an own eye (see
//! `Board::is_eye`), in Gobang all empty points.

use super::{Policy, steps};
use crate::base::{Point, Rng};
use crate::game::Game;
use crate::game::go::Board;
use crate::game::gobang::{BARE, Gobang};

pub struct Light;

impl<const W: usize, const P: usize> Policy<Board<W, P>> for Light {
    fn play_out(&self, board: &mut Board<W, P>, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        // One closure for both would be called, not compiled into the loop: 4 % of a playout.
        match trace {
            None => steps(
                board,
                rng,
                |_| false,
                |board, rng| {
                    board.play_random(rng);
                },
            ),
            Some(moves) => steps(board, rng, |_| false, |board, rng| moves.push(board.play_random(rng))),
        }
    }

    fn has_lockstep(&self, board: &Board<W, P>) -> bool {
        board.has_lockstep()
    }

    fn play_out_many(&self, starts: &[&Board<W, P>], seeds: &[u64], done: &mut dyn FnMut(usize, f32)) {
        match starts.first() {
            Some(first) if first.has_lockstep() => Board::play_out_in_lockstep(starts, seeds, done),
            _ => one_at_a_time(starts, seeds, done),
        }
    }
}

impl Policy<Gobang> for Light {
    fn play_out(&self, board: &mut Gobang, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        board.play_out_by::<BARE>(rng, |_, _, _, _| None, trace)
    }
}

fn one_at_a_time<const W: usize, const P: usize>(
    starts: &[&Board<W, P>],
    seeds: &[u64],
    done: &mut dyn FnMut(usize, f32),
) {
    for (i, (&start, &seed)) in starts.iter().zip(seeds).enumerate() {
        done(i, super::score(start, &Light, &mut Rng::new(seed)));
    }
}

/// Plays a Go position out. Returns the number of moves.
#[inline]
pub fn play_out<G: Game>(position: &mut G, rng: &mut Rng) -> usize
where
    Light: Policy<G>,
{
    Light.play_out(position, rng, None)
}
