//! UCB1 (Auer, Cesa-Bianchi and Fischer 2002) over the candidates, without a tree.
//!
//! The next playout goes to the move with the greatest
//!
//! ```text
//! mean_i + c sqrt(ln n / s_i)        n playouts in all, s_i of the move, both with what was inherited
//! ```
//!
//! A move without playouts has an infinite value.

use super::arms::{self, Arm};
use super::{MoveStats, Report, Search, Task, Worker};
use crate::game::Game;
use crate::playout;
use std::any::Any;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

pub struct Ucb1<G> {
    task: Task<G>,
    arms: Vec<Arm<G>>,
    inherited: f32,
    made: AtomicU64,
    c: f32,
    order: fn(&MoveStats, &MoveStats) -> Ordering,
}

impl<G: Game> Ucb1<G> {
    pub fn new(mut task: Task<G>) -> Self {
        let arms = arms::arms(&mut task);
        Ucb1 {
            inherited: arms.iter().map(Arm::inherited).sum(),
            made: AtomicU64::new(0),
            c: task.engine.params().c as f32,
            order: MoveStats::order(task.engine.params().choose_by),
            arms,
            task,
        }
    }

    fn choose(&self) -> &Arm<G> {
        let log_n = libm::logf(self.made.load(Relaxed) as f32 + self.inherited);
        let mut best = (&self.arms[0], f32::NEG_INFINITY);
        for arm in &self.arms {
            let weight = arm.weight();
            let value = if weight == 0.0 { f32::INFINITY } else { arm.rate() + self.c * (log_n / weight).sqrt() };
            if value > best.1 {
                best = (arm, value);
            }
        }
        best.0
    }
}

impl<G: Game> Search<G> for Ucb1<G> {
    fn work(&self, worker: &mut Worker) {
        let sign = self.task.root.to_play().sign();
        while !worker.take(1).is_empty() {
            let arm = self.choose();
            // A playout under way counts as lost, so that other workers look elsewhere.
            arm.visit();
            self.made.fetch_add(1, Relaxed);
            arm.add(self.task.reward.of(playout::score(&arm.after, &*self.task.policy, &mut worker.rng) * sign));
        }
    }

    fn report(&self) -> Report {
        arms::report(&self.arms, self.order)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
