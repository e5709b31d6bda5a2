//! The moves of `softmax` by their definition: every move's chance is worked out, so that a playout can also tell how its
//! chances change with the weights. Balancing needs that, and tests hold the fast playouts to it.

use crate::base::{Point, Rng};
use crate::game::Game;
use crate::game::go::Board;
use crate::knowledge::local::{self, SELF_ATARI, TACTICS, patterns, seen_by, size_class};
use crate::knowledge::local_weights::LocalWeights;

pub struct SlowSoftmax {
    /// By number of the feature: what it multiplies a move's weight by.
    factors: Vec<f32>,
}

/// The moves that may be made, with their chances and features.
#[derive(Default)]
pub struct Choices {
    pub moves: Vec<Point>,
    pub chances: Vec<f32>,
    /// Which move has which feature.
    pub features: Vec<(u16, u16)>,
    /// Where a point is in `moves`.
    place: Vec<u16>,
}

const NOWHERE: u16 = u16::MAX;

impl SlowSoftmax {
    pub fn new(weights: &LocalWeights) -> SlowSoftmax {
        let mut factors: Vec<f32> = weights.all().iter().map(|&weight| libm::expf(weight)).collect();
        // A self-atari is a move that is taken back now and then: it cannot become likelier.
        factors[SELF_ATARI..SELF_ATARI + 4].iter_mut().for_each(|factor| *factor = factor.min(1.0));
        SlowSoftmax { factors }
    }

    /// Replaces what is known of another position.
    pub fn choices<const W: usize, const P: usize>(&self, board: &Board<W, P>, found: &mut Choices) {
        let Choices { moves, chances, features, place } = found;
        let me = board.to_play();
        board.sensible_moves(moves);
        chances.clear();
        features.clear();
        place.clear();
        place.resize(P, NOWHERE);
        for (i, &p) in moves.iter().enumerate() {
            place[p.index()] = i as u16;
            features.push((i as u16, (TACTICS + patterns().number(seen_by(board.neighbourhood(p), me))) as u16));
            if board.is_self_atari(p, me) {
                features.push((i as u16, (SELF_ATARI + size_class(board.after_stone(p, me).stones)) as u16));
            }
        }
        local::visit(board, |p, feature| {
            if place[p.index()] != NOWHERE {
                features.push((place[p.index()], feature as u16));
            }
        });
        chances.resize(moves.len(), 1.0);
        features.iter().for_each(|&(i, feature)| chances[i as usize] *= self.factors[feature as usize]);
        let sum: f32 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
    }

    /// Plays to the end and returns the score for Black; adds to `slope` how the logarithm of the playout's chance changes
    /// with each weight.
    pub fn play_out<const W: usize, const P: usize>(
        &self,
        board: &mut Board<W, P>,
        rng: &mut Rng,
        slope: &mut [f32],
        scratch: &mut Choices,
    ) -> f32 {
        for _ in 0..board.playout_cap() {
            if board.is_over() {
                break;
            }
            self.choices(board, scratch);
            let Some(chosen) = draw(&scratch.chances, rng) else {
                board.pass();
                continue;
            };
            for &(i, feature) in &scratch.features {
                slope[feature as usize] += (i as usize == chosen) as u32 as f32 - scratch.chances[i as usize];
            }
            board.play(scratch.moves[chosen]);
        }
        Game::score(board)
    }
}

/// One of them by its chance; none if there are none.
fn draw(chances: &[f32], rng: &mut Rng) -> Option<usize> {
    let mut rest = rng.unit() as f32;
    for (i, &chance) in chances.iter().enumerate() {
        rest -= chance;
        if rest < 0.0 {
            return Some(i);
        }
    }
    chances.len().checked_sub(1)
}
