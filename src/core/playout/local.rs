//! Playouts by learned weights, of which most moves are not asked (Go): those around the last two moves have their weights as in
//! [`softmax`](super::softmax), and all others are stood for by some of them drawn at random, each counting for its share of the board. The
//! mean weight of what stands for the others is right, but the few far points that outweigh all others come up less often than there.
//! Nothing is kept up over the board but neighbourhoods, and of tactics only chains in atari are looked at.

use super::gammas::{Gammas, MOST};
use super::near::Near;
use super::softmax::{Settings, TRIES};
use super::{Policy, happens, until_over};
use crate::base::{Point, Rng};
use crate::game::go::Board;
use crate::game::go::facts::Neighbourhoods;
use crate::knowledge::local::{self, TACTICS, size_class};
use std::sync::Arc;

/// As many points as there is room for in the list, beside the others.
pub const MOST_SAMPLES: u64 = 8;

pub struct Local {
    gammas: Arc<Gammas>,
    factors: [f32; TACTICS],
    locality: f32,
    /// How many points stand for those away from the last two moves.
    samples: usize,
}

impl Local {
    pub fn new(settings: &Settings) -> Local {
        Local {
            gammas: settings.gammas.clone(),
            factors: settings.factors(),
            locality: settings.locality as f32,
            samples: settings.elsewhere.clamp(1, MOST_SAMPLES) as usize,
        }
    }

    #[inline(always)]
    fn step<const W: usize, const P: usize>(
        &self,
        board: &mut Board<W, P>,
        codes: &mut Neighbourhoods<P>,
        near: &mut Near<P>,
        rng: &mut Rng,
    ) -> Point {
        let me = board.to_play();
        let enemies = board.stones(me.opponent());
        let p = match self.draw(board, codes, near, rng) {
            Some(p) => {
                board.play(p);
                p
            }
            None => board.play_random(rng),
        };
        codes.note(board, p, me, enemies.minus(board.stones(me.opponent())));
        p
    }

    /// A move by the weights; none if the draws find nothing that may be played.
    #[inline(always)]
    fn draw<const W: usize, const P: usize>(
        &self,
        board: &Board<W, P>,
        codes: &Neighbourhoods<P>,
        near: &mut Near<P>,
        rng: &mut Rng,
    ) -> Option<Point> {
        let me = board.to_play();
        let gamma = |p: Point| self.gammas.of(codes.at(p), me) & (board.is_empty_at(p) as u32).wrapping_neg();
        near.around(board, &self.factors);
        local::visit_ataris(board, |p, feature| near.multiply(p, self.factors[feature]));
        let mut all = 0;
        for i in 0..near.count {
            all += near.weigh(i, gamma(Point(near.points[i])), self.locality);
        }
        let count = near.count;
        let share = 1.0 / self.samples as f32;
        let stand_in = |near: &mut Near<P>, i: usize, rng: &mut Rng| {
            let (p, open) = board.any_open(rng).unwrap_or((Point::PASS, 0));
            let is_near = near.slot(p).1;
            let weight = ((gamma(p) as f32 * open as f32 * share) as u32).min(MOST);
            near.points[i] = p.0;
            near.weights[i] = if is_near { 0 } else { weight };
            near.weights[i]
        };
        for i in count..count + self.samples {
            all += stand_in(near, i, rng);
        }
        for _ in 0..TRIES {
            if all == 0 {
                return None;
            }
            let i = near.at(rng.below(all));
            let p = Point(near.points[i]);
            let accepts =
                |rng: &mut Rng| happens(self.gammas.accepts[size_class(board.after_stone(p, me).stones)], rng);
            if board.is_legal(p) && (!board.is_self_atari(p, me) || accepts(rng)) {
                return Some(p);
            }
            // Another one stands for those away from the last moves.
            all -= near.weights[i];
            near.weights[i] = 0;
            if i >= count {
                all += stand_in(near, i, rng);
            }
        }
        None
    }
}

#[cfg(test)]
impl Local {
    /// The move that a playout begins with.
    pub fn first<const W: usize, const P: usize>(&self, board: &Board<W, P>, rng: &mut Rng) -> Option<Point> {
        self.draw(board, &Neighbourhoods::of(board), &mut Near::new(), rng)
    }
}

impl<const W: usize, const P: usize> Policy<Board<W, P>> for Local {
    fn play_out(&self, board: &mut Board<W, P>, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        let (mut codes, mut near) = (Neighbourhoods::of(board), Near::new());
        until_over(board, rng, trace, |board, rng| self.step(board, &mut codes, &mut near, rng))
    }
}
