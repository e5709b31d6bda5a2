//! A small ladder reader: is a chain caught by moves that keep it in atari?
//!
//! 1. A chain with three liberties or more is free; with one and the attacker to move it is caught.
//! 2. With two, the attacker tries each of them, the lower point first.
//! 3. The chain, in atari, runs to its last liberty, or first takes an enemy chain beside it that is in atari, and the
//!    attacker goes on.
//!
//! After `BUDGET` moves of the attacker the chain counts as free.

use crate::base::Point;
use crate::game::go::Board;

/// Moves of the attacker that are tried.
pub const BUDGET: u32 = 60;

/// Is the chain on a point caught, with the attacker to move? The chain has one or two liberties.
pub fn is_caught<const W: usize, const P: usize>(board: &Board<W, P>, prey: Point) -> bool {
    attack(board, prey, &mut { BUDGET })
}

/// Is the chain on a point, which is in atari and whose turn it is, caught?
pub fn is_caught_running<const W: usize, const P: usize>(board: &Board<W, P>, prey: Point) -> bool {
    !defend(board, prey, &mut { BUDGET })
}

fn attack<const W: usize, const P: usize>(board: &Board<W, P>, prey: Point, budget: &mut u32) -> bool {
    let liberties = board.liberties_of(prey);
    match liberties.len() {
        0 | 1 => return true,
        2 => (),
        _ => return false,
    }
    liberties.iter().any(|p| {
        if *budget == 0 || !board.is_legal(p) {
            return false;
        }
        *budget -= 1;
        let mut next = board.clone();
        next.play(p);
        // The attacker's own stone may be in atari: then the chain takes it below.
        !defend(&next, prey, budget)
    })
}

/// Does the chain in atari get away?
fn defend<const W: usize, const P: usize>(board: &Board<W, P>, prey: Point, budget: &mut u32) -> bool {
    let Some(run) = board.last_liberty(prey) else { return true };
    let hunters = board.chain(prey).neighbours(board.size().stride()) & board.stones(board.to_play().opponent());
    let mut moves = vec![run];
    for hunter in hunters.iter() {
        let take = board.last_liberty(hunter).filter(|p| !moves.contains(p));
        moves.extend(take);
    }
    moves.into_iter().any(|p| {
        if !board.is_legal(p) {
            return false;
        }
        let mut next = board.clone();
        next.play(p);
        !attack(&next, prey, budget)
    })
}
