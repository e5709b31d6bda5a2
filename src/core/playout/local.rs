//! Playouts by learned weights, of which most moves are not asked (Go): those around the last two moves have their weights as in
//! [`softmax`](super::softmax), and all others are stood for by some of them drawn at random, each counting for its share of the board. The
//! mean weight of what stands for the others is right, but the few far points that outweigh all others come up less often than there.
//! Nothing is kept up over the board but neighbourhoods and what they are worth, and of tactics only chains in atari are looked at.

use super::gammas::Gammas;
use super::softmax::{Mixture, Settings, TRIES};
use super::windows::{Kept, MOST, Nearness, Windows};
use super::{Policy, happens};
use crate::base::{Point, Rng};
use crate::game::go::Board;
use crate::knowledge::local::{self, TACTICS, size_class};
use std::sync::Arc;

/// As many points as there is room for in the list, beside the others.
pub const MOST_SAMPLES: u64 = 8;

pub struct Local {
    gammas: Arc<Gammas>,
    factors: [f32; TACTICS],
    locality: f32,
    nearness: Nearness,
    /// How many points stand for those away from the last two moves.
    samples: usize,
    mixture: Mixture,
}

impl Local {
    pub fn new(settings: &Settings) -> Local {
        let (factors, locality) = (settings.factors().map(|factor| factor.min(MOST)), settings.locality as f32);
        Local {
            gammas: settings.gammas.clone(),
            factors,
            locality,
            nearness: Nearness::new(&factors, locality),
            samples: settings.elsewhere.clamp(1, MOST_SAMPLES) as usize,
            mixture: Mixture::new(settings),
        }
    }

    #[inline(always)]
    fn step<const W: usize, const P: usize>(
        &self,
        board: &mut Board<W, P>,
        state: &mut State<P>,
        rng: &mut Rng,
    ) -> Point {
        let me = board.to_play();
        let enemies = board.stones(me.opponent());
        let p = match self.draw(board, state, rng) {
            Some(p) => {
                board.play(p);
                p
            }
            None => board.play_random(rng),
        };
        state.kept.note(&self.gammas, board, p, me, enemies.minus(board.stones(me.opponent())));
        p
    }

    /// A move by the weights; none if the draws find nothing that may be played.
    #[inline(always)]
    fn draw<const W: usize, const P: usize>(
        &self,
        board: &Board<W, P>,
        State { kept, others }: &mut State<P>,
        rng: &mut Rng,
    ) -> Option<Point> {
        let me = board.to_play();
        let mut windows = Windows::of(board, kept, &self.nearness);
        others.count = 0;
        local::visit_ataris(board, |p, feature| match windows.place(p) {
            Some((row, column)) => {
                let weight = &mut windows.weights[row][column];
                *weight = (*weight * self.factors[feature]).min(MOST);
            }
            None => others.multiply(p, kept.at(p, me) * self.locality, self.factors[feature]),
        });
        let tactical = others.count;
        let share = 1.0 / self.samples as f32;
        let stand_in = |windows: &Windows, others: &mut Others, i: usize, rng: &mut Rng| {
            let (p, open) = board.any_open(rng).unwrap_or((Point::PASS, 0));
            let is_known = windows.place(p).is_some() || others.points[..tactical].contains(&p);
            others.points[i] = p;
            others.weights[i] = if is_known { 0.0 } else { kept.at(p, me) * open as f32 * share };
        };
        others.count += self.samples;
        for i in tactical..others.count {
            stand_in(&windows, others, i, rng);
        }
        let (mut near, mut far) = (windows.add_up(), others.sum());
        for _ in 0..TRIES {
            let all = near + far;
            if all <= 0.0 {
                return None;
            }
            let draw = (rng.next_u64() >> 40) as f32 * (1.0 / (1u32 << 24) as f32) * all;
            let is_near = draw < near;
            let (place, i) = if is_near { (windows.reach(draw), 0) } else { ((0, 0), others.reach(draw - near)) };
            let (p, weight) = match is_near {
                true => (windows.point(place), &mut windows.weights[place.0][place.1]),
                false => (others.points[i], &mut others.weights[i]),
            };
            let accepts =
                |rng: &mut Rng| happens(self.gammas.accepts[size_class(board.after_stone(p, me).stones)], rng);
            if *weight > 0.0 && board.is_legal(p) && (!board.is_self_atari(p, me) || accepts(rng)) {
                return Some(p);
            }
            // Another one stands for those away from the last moves.
            *weight = 0.0;
            if is_near {
                near = windows.add_up();
            } else {
                if i >= tactical {
                    stand_in(&windows, others, i, rng);
                }
                far = others.sum();
            }
        }
        None
    }
}

/// What is kept during a playout.
struct State<const P: usize> {
    kept: Kept<P>,
    others: Others,
}

impl<const P: usize> State<P> {
    fn of<const W: usize>(gammas: &Gammas, board: &Board<W, P>) -> Self {
        let others = Others { count: 0, points: [Point::PASS; 64], weights: [0.0; 64] };
        State { kept: Kept::of(gammas, board), others }
    }
}

/// Moves away from the last two: those that chains in atari ask for, then those that stand for all others. There is room for all: 9 for
/// each of 4 chains, 1 for the chain of the last move, and the samples.
struct Others {
    count: usize,
    points: [Point; 64],
    weights: [f32; 64],
}

impl Others {
    /// Multiplies the weight of a point; one that is new has `start`.
    fn multiply(&mut self, p: Point, start: f32, factor: f32) {
        let known = self.points[..self.count].iter().position(|&q| q == p);
        let i = known.unwrap_or(self.count);
        let weight = if known.is_some() { self.weights[i] } else { start };
        self.points[i] = p;
        self.weights[i] = (weight * factor).min(MOST);
        self.count = self.count.max(i + 1);
    }

    #[inline(always)]
    fn sum(&self) -> f32 {
        self.weights[..self.count].iter().sum()
    }

    /// The place at which the weights reach a number, or the last one.
    #[inline(always)]
    fn reach(&self, mut draw: f32) -> usize {
        let mut i = 0;
        while i + 1 < self.count && draw >= self.weights[i] {
            draw -= self.weights[i];
            i += 1;
        }
        i
    }
}

#[cfg(test)]
impl Local {
    /// The move that a playout begins with.
    pub fn first<const W: usize, const P: usize>(&self, board: &Board<W, P>, rng: &mut Rng) -> Option<Point> {
        self.draw(board, &mut State::of(&self.gammas, board), rng)
    }
}

impl<const W: usize, const P: usize> Policy<Board<W, P>> for Local {
    fn play_out(&self, board: &mut Board<W, P>, rng: &mut Rng, trace: Option<&mut Vec<Point>>) -> usize {
        let state = State::of(&self.gammas, board);
        let step = |board: &mut _, state: &mut _, rng: &mut _| self.step(board, state, rng);
        self.mixture.play_out(board, rng, trace, state, |state| &mut state.kept.codes, step)
    }
}
