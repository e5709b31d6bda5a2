//! How a game is played out: from a position to a score.

pub mod judge;

use crate::base::Rng;
use crate::base::rng::mix;
use crate::game::Game;

/// Plays uniformly random candidate moves until both sides pass, or the cap. Returns the number of moves.
///
/// This is the `light` policy: legal moves that do not fill an own eye (see `Board::is_eye`), all equally likely.
#[inline]
pub fn light<G: Game>(position: &mut G, rng: &mut Rng) -> usize {
    let cap = position.playout_cap();
    let mut moves = 0;
    while !position.is_over() && moves < cap {
        position.play_random(rng);
        moves += 1;
    }
    moves
}

/// One playout from a copy of the position: the score for Black.
#[inline]
pub fn score<G: Game>(position: &G, rng: &mut Rng) -> f32 {
    let mut end = position.clone();
    light(&mut end, rng);
    end.score()
}

/// Playouts number `numbers` of a run with this seed, the one with number t from `start(t)`; each is a random stream
/// of its own, so that a result does not depend on which worker made it or what it was made together with.
pub fn score_many<'a, G: Game>(
    seed: u64,
    numbers: std::ops::Range<u64>,
    start: impl Fn(u64) -> &'a G,
    mut done: impl FnMut(u64, f32),
) {
    let starts: Vec<&G> = numbers.clone().map(&start).collect();
    let seeds: Vec<u64> = numbers.clone().map(|t| mix(&[seed, t])).collect();
    let first = numbers.start;
    if !G::play_out_many(&starts, &seeds, &mut |i, score| done(first + i as u64, score)) {
        for (i, position) in starts.iter().enumerate() {
            done(first + i as u64, score(*position, &mut Rng::new(seeds[i])));
        }
    }
}
