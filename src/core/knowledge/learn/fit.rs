//! Weights by likelihood: every position is a choice among its legal moves, a move's chance is `exp` of its weights' sum over that
//! of all moves, and each position moves the weights up the slope of the played move's log-likelihood (AdaGrad).
//!
//! Features do not depend on weights, so threads find them while the weights of the games before are being fitted, one position
//! after the other: the result is the same for any number of threads.

use super::games::Game;
use crate::base::{Point, Size};
use crate::game::go::Board;
use crate::knowledge::features::WEIGHTS;
use crate::knowledge::model::{Model, softmax};
use crate::knowledge::tactics::Tactics;

/// Something that is fitted: a weight for each feature, by number.
pub trait Weights {
    /// How many numbers there are.
    fn count(&self) -> usize;
    fn weight(&self, feature: u32) -> f32;
    fn change(&mut self, feature: u32, by: f32);
}

impl Weights for Model {
    fn count(&self) -> usize {
        WEIGHTS + self.shapes.capacity()
    }

    #[inline(always)]
    fn weight(&self, feature: u32) -> f32 {
        Model::weight(self, feature)
    }

    #[inline(always)]
    fn change(&mut self, feature: u32, by: f32) {
        match (feature as usize).checked_sub(WEIGHTS) {
            None => self.answers[feature as usize] += by,
            Some(slot) => *self.shapes.weight_mut(slot) += by,
        }
    }
}

/// Positions with the features of their moves.
#[derive(Default)]
pub struct Examples {
    /// For each position: where its moves begin, and which of them was played.
    positions: Vec<(u32, u32)>,
    /// For each move: where its features begin.
    moves: Vec<u32>,
    features: Vec<u32>,
    /// Was the move played a pass?
    passes: Vec<bool>,
}

impl Examples {
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Adds the positions of a game.
    pub fn add<const W: usize, const P: usize>(&mut self, model: &Model, game: &Game, size: Size) {
        let mut moves = Vec::new();
        game.replay::<W, P>(size, |board: &Board<W, P>, last, played| {
            let position = Tactics::new(board, last);
            moves.clear();
            moves.extend(board.empty().iter().filter(|&p| board.is_legal(p)));
            moves.push(Point::PASS);
            self.add_position(&moves, played, |p, out| model.features(&position, p, out));
        });
    }

    /// Adds a position: its moves, the one that was played, and what features each has.
    pub fn add_position(&mut self, moves: &[Point], played: Point, mut features: impl FnMut(Point, &mut Vec<u32>)) {
        let target = moves.iter().position(|&p| p == played).unwrap_or(0);
        self.positions.push((self.moves.len() as u32, target as u32));
        self.passes.push(played.is_pass());
        for &p in moves {
            self.moves.push(self.features.len() as u32);
            features(p, &mut self.features);
        }
    }

    fn moves_of(&self, position: usize) -> std::ops::Range<usize> {
        let end = self.positions.get(position + 1).map_or(self.moves.len(), |next| next.0 as usize);
        self.positions[position].0 as usize..end
    }

    fn features_of(&self, number: usize) -> &[u32] {
        let end = self.moves.get(number + 1).map_or(self.features.len(), |&next| next as usize);
        &self.features[self.moves[number] as usize..end]
    }

    fn chances(&self, model: &impl Weights, position: usize, out: &mut Vec<f32>) {
        out.clear();
        let score = |number: usize| self.features_of(number).iter().map(|&f| model.weight(f)).sum::<f32>();
        out.extend(self.moves_of(position).map(score));
        softmax(out);
    }
}

/// How well moves are predicted.
#[derive(Clone, Copy, Default, Debug)]
pub struct Figures {
    /// Moves that are no passes.
    pub moves: u64,
    /// The move was the likeliest; among the five likeliest.
    pub first: u64,
    pub fifth: u64,
    /// Sum of the logarithms of the moves' chances.
    pub log_likelihood: f64,
}

impl Figures {
    pub fn add(&mut self, model: &impl Weights, examples: &Examples) {
        let mut chances = Vec::new();
        for position in 0..examples.len() {
            if examples.passes[position] {
                continue;
            }
            examples.chances(model, position, &mut chances);
            let played = chances[examples.positions[position].1 as usize];
            let better = chances.iter().filter(|&&chance| chance > played).count();
            self.moves += 1;
            self.first += (better == 0) as u64;
            self.fifth += (better < 5) as u64;
            self.log_likelihood += f64::from(played.max(1e-30)).ln();
        }
    }

    pub fn share_first(&self) -> f64 {
        self.first as f64 / self.moves.max(1) as f64
    }

    pub fn share_fifth(&self) -> f64 {
        self.fifth as f64 / self.moves.max(1) as f64
    }

    pub fn mean_log_likelihood(&self) -> f64 {
        self.log_likelihood / self.moves.max(1) as f64
    }
}

pub struct Fit<M> {
    pub model: M,
    /// Sums of squared slopes, by feature number.
    pub(super) squares: Vec<f32>,
    rate: f32,
    chances: Vec<f32>,
}

/// Moves less likely than this that were not played are left alone.
const NEGLIGIBLE: f32 = 5e-4;
/// Slopes begin with this sum of squares.
const FIRST_SQUARES: f32 = 0.05;

impl<M: Weights> Fit<M> {
    pub fn new(model: M, rate: f32) -> Fit<M> {
        let squares = vec![FIRST_SQUARES; model.count()];
        Fit { model, squares, rate, chances: Vec::new() }
    }

    /// Moves the weights up the slope of one position.
    pub fn learn(&mut self, examples: &Examples, position: usize) {
        let mut chances = std::mem::take(&mut self.chances);
        examples.chances(&self.model, position, &mut chances);
        let target = examples.positions[position].1 as usize;
        for (i, number) in examples.moves_of(position).enumerate() {
            let slope = (i == target) as u32 as f32 - chances[i];
            if i != target && chances[i] < NEGLIGIBLE {
                continue;
            }
            for &feature in examples.features_of(number) {
                let squares = &mut self.squares[feature as usize];
                *squares += slope * slope;
                self.model.change(feature, self.rate * slope / squares.sqrt());
            }
        }
        self.chances = chances;
    }
}
