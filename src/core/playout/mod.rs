//! How a game is played out: from a position to a score.
//!
//! A [`Policy`] chooses the moves, one file each: [`light`] for every game, [`rules`] and [`softmax`] for Go, `block_four` and
//! `decisive` for Gobang. A search asks for a policy by name ([`Choice`]) and makes one virtual call a playout; the moves
//! themselves are chosen by code compiled for the game. [`judge`] and [`outlook`] look at where playouts end.

pub mod balance;
mod block_four;
pub mod bulk;
pub mod count;
mod decisive;
pub mod gammas;
pub mod judge;
pub mod light;
pub mod local;
mod near;
pub mod outlook;
pub mod rules;
pub mod slow_softmax;
pub mod softmax;
#[cfg(test)]
mod tests;
mod windows;

use crate::base::rng::mix;
use crate::base::{Point, Rng};
use crate::game::Game;
use crate::game::go::Board;
use crate::game::gobang::Gobang;
use std::ops::Range;
use std::sync::Arc;

/// How the moves of a playout are chosen.
pub trait Policy<G: Game>: Send + Sync {
    /// Plays to the end, or to the cap, and returns the number of moves. Whoever wants the moves gives a list, to which
    /// they are added in order, passes included.
    fn play_out(&self, position: &mut G, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize;

    /// Are many playouts made together faster than one at a time?
    fn has_lockstep(&self, _position: &G) -> bool {
        false
    }

    /// Plays out every start by its own seed and hands each score for Black to `done` with the start's number, in any
    /// order.
    fn play_out_many(&self, starts: &[&G], seeds: &[u64], done: &mut dyn FnMut(usize, f32)) {
        for (i, (start, &seed)) in starts.iter().zip(seeds).enumerate() {
            let mut end = G::clone(start);
            self.play_out(&mut end, &mut Rng::new(seed), None);
            done(i, end.score());
        }
    }
}

/// A policy of the table, with its settings.
#[derive(Clone, Debug)]
pub enum Choice {
    /// Every game: all candidates are equally likely.
    Light,
    /// Gobang: a four that the opponent's last stone made is stopped; else light.
    BlockFour,
    /// Gobang: the same for rows of four without a gap alone.
    BlockRow,
    /// Gobang: five, else stop a five, else make an open four; else light.
    Decisive,
    /// Go: answers to the last moves by rules; else light.
    Rules(rules::Settings),
    /// Go: by learned weights.
    Softmax(softmax::Settings),
}

/// A game that can be played out.
pub trait Playable: Game {
    /// The policy, if the game has it.
    fn policy(choice: Choice) -> Option<Arc<dyn Policy<Self>>>;

    /// The policy that finds out what is still open.
    fn best_policy() -> Arc<dyn Policy<Self>>;

    /// The policy that a finished game is counted by.
    fn counting_policy() -> Arc<dyn Policy<Self>> {
        Self::best_policy()
    }
}

impl<const W: usize, const P: usize> Playable for Board<W, P> {
    fn policy(choice: Choice) -> Option<Arc<dyn Policy<Self>>> {
        match choice {
            Choice::Light => Some(Arc::new(light::Light)),
            Choice::Rules(chances) => Some(Arc::new(rules::Rules::new(chances))),
            Choice::Softmax(settings) if settings.elsewhere > 0 => Some(Arc::new(local::Local::new(&settings))),
            Choice::Softmax(settings) => Some(Arc::new(softmax::Softmax::new(&settings))),
            Choice::BlockFour | Choice::BlockRow | Choice::Decisive => None,
        }
    }

    fn best_policy() -> Arc<dyn Policy<Self>> {
        Arc::new(rules::Rules::new(rules::Settings::default()))
    }

    fn counting_policy() -> Arc<dyn Policy<Self>> {
        // Two chains that neither side can attack stay only if playouts hardly ever put themselves into atari; a group with a
        // single eye falls only if they fill it.
        Arc::new(rules::Rules::new(rules::Settings { self_atari: 0.98, nakade: 0.9, ..Default::default() }))
    }
}

impl Playable for Gobang {
    fn policy(choice: Choice) -> Option<Arc<dyn Policy<Self>>> {
        match choice {
            Choice::Light => Some(Arc::new(light::Light)),
            Choice::BlockFour => Some(Arc::new(block_four::BlockFour)),
            Choice::BlockRow => Some(Arc::new(block_four::BlockRow)),
            Choice::Decisive => Some(Arc::new(decisive::Decisive)),
            Choice::Rules(_) | Choice::Softmax(_) => None,
        }
    }

    fn best_policy() -> Arc<dyn Policy<Self>> {
        Arc::new(decisive::Decisive)
    }
}

/// A chance as a bound on 32 random bits.
fn bound(chance: f64) -> u64 {
    (chance.clamp(0.0, 1.0) * (1u64 << 32) as f64) as u64
}

#[inline(always)]
fn happens(bound: u64, rng: &mut Rng) -> bool {
    rng.next_u64() >> 32 < bound
}

/// Makes one move after the other until the game is over or the playout is as long as may be; `step` makes a move and
/// returns it. Compiled twice, so that a playout nobody traces pays nothing. The generator is handed on instead of caught by
/// the closure: behind one more reference the compiler loads and stores its state at every draw.
#[inline(always)]
pub fn until_over<G: Game>(
    position: &mut G,
    rng: &mut Rng,
    trace: Option<&mut Vec<Point>>,
    step: impl FnMut(&mut G, &mut Rng) -> Point,
) -> usize {
    until_decided(position, rng, trace, |_| false, step)
}

/// The same, but ends as well when `is_decided` says so, which is asked now and then.
#[inline(always)]
pub fn until_decided<G: Game>(
    position: &mut G,
    rng: &mut Rng,
    trace: Option<&mut Vec<Point>>,
    is_decided: impl Fn(&G) -> bool,
    mut step: impl FnMut(&mut G, &mut Rng) -> Point,
) -> usize {
    match trace {
        None => steps(position, rng, is_decided, |position, rng| {
            step(position, rng);
        }),
        Some(moves) => steps(position, rng, is_decided, |position, rng| moves.push(step(position, rng))),
    }
}

/// Moves between two questions whether the game is decided.
const LOOK_EVERY: usize = 8;

/// Makes moves until the game is over, decided, or as long as may be.
#[inline(always)]
fn steps<G: Game>(
    position: &mut G,
    rng: &mut Rng,
    is_decided: impl Fn(&G) -> bool,
    mut step: impl FnMut(&mut G, &mut Rng),
) -> usize {
    let cap = position.playout_cap();
    let mut moves = 0;
    while !position.is_over() && moves < cap {
        step(position, rng);
        moves += 1;
        if moves % LOOK_EVERY == 0 && is_decided(position) {
            break;
        }
    }
    moves
}

/// One playout from a copy of the position: the score for Black.
#[inline]
pub fn score<G: Game>(position: &G, policy: &dyn Policy<G>, rng: &mut Rng) -> f32 {
    let mut end = position.clone();
    policy.play_out(&mut end, rng, None);
    end.score()
}

/// Playouts number `numbers` of a run with this seed, the one with number t from `start(t)`; each is a random stream
/// of its own, so that a result does not depend on which worker made it or what it was made together with.
pub fn score_many<'a, G: Game>(
    policy: &dyn Policy<G>,
    seed: u64,
    numbers: Range<u64>,
    start: impl Fn(u64) -> &'a G,
    mut done: impl FnMut(u64, f32),
) {
    let starts: Vec<&G> = numbers.clone().map(&start).collect();
    let seeds: Vec<u64> = numbers.clone().map(|t| mix(&[seed, t])).collect();
    let first = numbers.start;
    policy.play_out_many(&starts, &seeds, &mut |i, score| done(first + i as u64, score));
}
