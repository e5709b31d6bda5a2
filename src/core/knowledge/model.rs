//! What a move is worth to the eye: the sum of the weights of its features, as `exp(sum)` beside the other moves'.

use super::dictionary::Dictionary;
use super::features::{self, WEIGHTS};
use super::grid::place_of;
use super::nested;
use super::tactics::Tactics;
use crate::base::Point;

/// Weights of the answers and of the shapes.
#[derive(Clone)]
pub struct Model {
    pub answers: Vec<f32>,
    pub shapes: Dictionary,
}

impl Model {
    pub fn new(shapes: Dictionary) -> Model {
        Model { answers: vec![0.0; WEIGHTS], shapes }
    }

    /// The weights that a move asks for, by number: the answers' first, then the places in the dictionary.
    pub fn features(&self, position: &Tactics, p: Point, out: &mut Vec<u32>) {
        out.extend(features::indices(&position.answers(p)).map(|i| i as u32));
        if !p.is_pass() {
            let place = place_of(position.survey.places, p);
            nested::visit(&position.survey, place, position.last, |_, _, name| {
                let found = self.shapes.find(name);
                out.extend(found.map(|slot| (WEIGHTS + slot) as u32));
                found.is_some()
            });
        }
    }

    #[inline(always)]
    pub fn weight(&self, feature: u32) -> f32 {
        match (feature as usize).checked_sub(WEIGHTS) {
            None => self.answers[feature as usize],
            Some(slot) => self.shapes.entry(slot).weight,
        }
    }

    /// The sum of the weights of a move.
    pub fn score(&self, position: &Tactics, p: Point) -> f32 {
        let answers = position.answers(p);
        let mut sum = features::indices(&answers).map(|i| self.answers[i]).sum::<f32>();
        if !p.is_pass() {
            let place = place_of(position.survey.places, p);
            nested::visit(&position.survey, place, position.last, |_, _, name| {
                let found = self.shapes.find(name);
                if let Some(slot) = found {
                    sum += self.shapes.entry(slot).weight;
                }
                found.is_some()
            });
        }
        sum
    }
}

/// Turns scores into probabilities that add up to one.
pub fn softmax(scores: &mut [f32]) {
    let most = scores.iter().fold(f32::NEG_INFINITY, |most, &x| most.max(x));
    let mut sum = 0.0;
    for x in scores.iter_mut() {
        *x = libm::expf(*x - most);
        sum += *x;
    }
    scores.iter_mut().for_each(|x| *x /= sum);
}
