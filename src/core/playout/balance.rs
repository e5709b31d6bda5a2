//! Balancing the weights of playouts (Silver and Tesauro 2009; Huang, Coulom and Lin 2010): not each move should look like a
//! player's, but the mean result of playouts from a position should be right. For a position with the value V* that a search
//! gave it,
//!
//! ```text
//! V   the mean result of some playouts
//! g   the mean of (result - V) times the slope of the playout's log-chance, over as many others
//! weights += rate (V* - V) g
//! ```
//!
//! Positions go in batches: the steps of a batch are worked out with the same weights and added in order, so that the number
//! of threads changes nothing. Steps are scaled for each weight by the size of its slopes so far (Adam).

use super::slow_softmax::{Choices, SlowSoftmax};
use super::softmax::{self, Softmax};
use super::{Policy, score};
use crate::base::Rng;
use crate::base::parallel::in_parallel;
use crate::base::rng::mix;
use crate::game::Game;
use crate::game::go::Board;
use crate::knowledge::local_weights::LocalWeights;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A position and what it is worth to Black, 0 to 1.
pub struct Sample<G> {
    pub position: G,
    pub value: f32,
}

#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Playouts for V, and as many for g.
    pub playouts: usize,
    pub passes: usize,
    /// Adam's step.
    pub rate: f32,
    pub threads: usize,
    pub seed: u64,
}

const BATCH: usize = 32;
/// Adam's memory of slopes and of their squares.
const SLOPES: f32 = 0.9;
const SQUARES: f32 = 0.999;

/// Changes the weights; false if it was stopped. `progress` hears how many batches are done, and of how many.
pub fn balance<const W: usize, const P: usize>(
    weights: &mut LocalWeights,
    samples: &[Sample<Board<W, P>>],
    settings: &Settings,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(usize, usize),
) -> bool {
    let count = weights.all().len();
    let (mut mean, mut square) = (vec![0.0f32; count], vec![0.0f32; count]);
    let batches = settings.passes * samples.len().div_ceil(BATCH);
    let mut done = 0;
    for pass in 0..settings.passes as u64 {
        let mut order: Vec<usize> = (0..samples.len()).collect();
        Rng::new(mix(&[settings.seed, pass])).shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            if stop.load(Relaxed) {
                return false;
            }
            let step = step_of(weights, samples, batch, settings, done as u64);
            done += 1;
            // Adam, with its correction for the beginning.
            let correct = |memory: f32| 1.0 - memory.powi(done as i32);
            for (i, weight) in weights.all_mut().iter_mut().enumerate() {
                mean[i] = SLOPES * mean[i] + (1.0 - SLOPES) * step[i];
                square[i] = SQUARES * square[i] + (1.0 - SQUARES) * step[i] * step[i];
                if square[i] > 0.0 {
                    let scale = (square[i] / correct(SQUARES)).sqrt() + 1e-8;
                    *weight += settings.rate * (mean[i] / correct(SLOPES)) / scale;
                }
            }
            progress(done, batches);
        }
    }
    true
}

/// The sum of the steps of a batch.
fn step_of<const W: usize, const P: usize>(
    weights: &LocalWeights,
    samples: &[Sample<Board<W, P>>],
    batch: &[usize],
    settings: &Settings,
    number: u64,
) -> Vec<f32> {
    let (fast, slow) = (Softmax::new(&softmax::Settings::plain(weights)), SlowSoftmax::new(weights));
    let count = weights.all().len();
    let one = |i: usize| {
        let Sample { position, value } = &samples[batch[i]];
        let mut rng = Rng::new(mix(&[settings.seed, number, i as u64]));
        let mean = mean_result(position, &fast, settings.playouts, &mut rng);
        let (mut sum, mut slope, mut scratch) = (vec![0.0; count], vec![0.0; count], Choices::default());
        for _ in 0..settings.playouts {
            slope.fill(0.0);
            let won = slow.play_out(&mut position.clone(), &mut rng, &mut slope, &mut scratch) > 0.0;
            let advantage = won as u32 as f32 - mean;
            sum.iter_mut().zip(&slope).for_each(|(sum, slope)| *sum += advantage * slope);
        }
        let scale = (value - mean) / settings.playouts as f32;
        sum.iter_mut().for_each(|x| *x *= scale);
        sum
    };
    let steps = in_parallel(batch.len(), settings.threads, one);
    let mut total = vec![0.0; count];
    for step in steps {
        total.iter_mut().zip(step).for_each(|(total, x)| *total += x);
    }
    total
}

/// The share of playouts that Black wins.
fn mean_result<G: Game>(position: &G, policy: &dyn Policy<G>, playouts: usize, rng: &mut Rng) -> f32 {
    let won = (0..playouts).filter(|_| score(position, policy, rng) > 0.0).count();
    won as f32 / playouts.max(1) as f32
}

/// Root mean square of what so many playouts say of each position less what it is worth.
pub fn error_of<G: Game>(policy: &dyn Policy<G>, samples: &[Sample<G>], playouts: usize, settings: &Settings) -> f64 {
    let squares = in_parallel(samples.len(), settings.threads, |i| {
        let mut rng = Rng::new(mix(&[settings.seed, 7, i as u64]));
        let gap = mean_result(&samples[i].position, policy, playouts, &mut rng) - samples[i].value;
        f64::from(gap * gap)
    });
    (squares.iter().sum::<f64>() / samples.len().max(1) as f64).sqrt()
}
