//! Flat Monte Carlo: every candidate gets the same number of playouts, the best mean is played.
//!
//! Playout number t goes to candidate t mod K, so that at any time the counts differ by at most one, and it has a
//! random stream of its own, so that the result is the same with any number of workers. Playouts are made in batches
//! that fill the lockstep board where there is one.

use super::arms::{self, Arm};
use super::{MoveStats, Report, Search, Task, Worker};
use crate::game::Game;
use crate::playout;
use std::any::Any;

/// Enough to keep the lanes full, few enough to end on time (about a millisecond on 9x9).
const BATCH: u64 = 256;

pub struct FlatMc<G> {
    task: Task<G>,
    arms: Vec<Arm<G>>,
}

impl<G: Game> FlatMc<G> {
    pub fn new(mut task: Task<G>) -> Self {
        FlatMc { arms: arms::arms(&mut task), task }
    }
}

impl<G: Game> Search<G> for FlatMc<G> {
    fn work(&self, worker: &mut Worker) {
        let arm = |t: u64| &self.arms[(t % self.arms.len() as u64) as usize];
        let sign = self.task.root.to_play().sign();
        loop {
            let numbers = worker.take(if self.task.policy.has_lockstep(&self.task.root) { BATCH } else { 1 });
            if numbers.is_empty() {
                return;
            }
            playout::score_many(
                &*self.task.policy,
                self.task.seed,
                numbers,
                |t| &arm(t).after,
                |t, score| {
                    arm(t).add(self.task.reward.of(score * sign));
                    arm(t).visit();
                },
            );
        }
    }

    /// `each=` playouts for every candidate are a total of that many times the candidates.
    fn budget(&self, engine_playouts: Option<u64>) -> Option<u64> {
        match self.task.engine.params().each {
            0 => engine_playouts,
            each => Some(each * self.arms.len() as u64),
        }
    }

    fn report(&self) -> Report {
        arms::report(&self.arms, MoveStats::by_rate)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
