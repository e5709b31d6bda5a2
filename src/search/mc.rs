//! Flat Monte Carlo: every candidate gets the same number of playouts, the best mean is played.
//!
//! Playout number t goes to candidate t mod K, so that at any time the counts differ by at most one, and it has a
//! random stream of its own, so that the result is the same with any number of workers. Playouts are made in batches
//! that fill the lockstep board where there is one.

use super::{Budget, MoveStats, Report, Search, Task, Worker, reward};
use crate::base::Color;
use crate::game::Game;
use crate::playout;
use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Enough to keep the lanes full, few enough to end on time (about a millisecond on 9x9).
const BATCH: u64 = 256;

pub struct FlatMc<G> {
    task: Task<G>,
    color: Color,
    /// The position after each candidate.
    after: Vec<G>,
    /// Playouts made, and twice the wins, of each candidate.
    tallies: Vec<(AtomicU64, AtomicU64)>,
}

impl<G: Game> FlatMc<G> {
    pub fn new(task: Task<G>) -> Self {
        let after = task
            .moves
            .iter()
            .map(|&p| {
                let mut position = task.root.clone();
                position.play(p);
                position
            })
            .collect();
        let tallies = task.moves.iter().map(|_| Default::default()).collect();
        FlatMc { color: task.root.to_play(), after, tallies, task }
    }
}

impl<G: Game> Search<G> for FlatMc<G> {
    fn work(&self, worker: &mut Worker) {
        let k = self.after.len() as u64;
        loop {
            let numbers = worker.take(if G::HAS_MANY { BATCH } else { 1 });
            if numbers.is_empty() {
                return;
            }
            playout::score_many(
                self.task.seed,
                numbers,
                |t| &self.after[(t % k) as usize],
                |t, score| {
                    let (made, wins) = &self.tallies[(t % k) as usize];
                    wins.fetch_add((2.0 * reward::step(score * self.color.sign())) as u64, Relaxed);
                    made.fetch_add(1, Relaxed);
                },
            );
        }
    }

    /// `each=` playouts for every candidate are a total of that many times the candidates.
    fn budget(&self, engine_playouts: Option<u64>) -> Option<u64> {
        match self.task.engine.int("each") {
            0 => engine_playouts,
            each => Some(each * self.after.len() as u64),
        }
    }

    fn report(&self, budget: &Budget) -> Report {
        let moves = self
            .task
            .moves
            .iter()
            .zip(&self.tallies)
            .map(|(&point, (made, wins))| {
                let (visits, wins) = (made.load(Relaxed), wins.load(Relaxed) as f32 / 2.0);
                MoveStats { point, visits, rate: if visits == 0 { 0.5 } else { wins / visits as f32 }, pv: vec![point] }
            })
            .collect();
        Report::new(moves, budget.spent(), 1 + self.after.len(), MoveStats::by_rate)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
