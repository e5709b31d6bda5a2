//! Candidates as the arms of a bandit: what flat Monte Carlo and UCB1 keep of each move.

use super::params::Memory;
use super::{MoveStats, Report, Task};
use crate::base::{Point, Rng};
use crate::game::Game;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Rewards are summed as whole numbers of this fraction, so that a sum does not depend on its order.
const UNIT: f32 = (1u32 << 24) as f32;

pub struct Arm<G> {
    pub point: Point,
    /// The position after the move.
    pub after: G,
    visits: AtomicU64,
    wins: AtomicU64,
    /// Playouts and rewards inherited from the search of two plies ago; fractions.
    inherited_visits: f32,
    inherited_wins: f32,
}

impl<G> Arm<G> {
    pub fn visit(&self) {
        self.visits.fetch_add(1, Relaxed);
    }

    pub fn add(&self, reward: f32) {
        self.wins.fetch_add((reward * UNIT) as u64, Relaxed);
    }

    /// Playouts made and inherited.
    pub fn weight(&self) -> f32 {
        self.visits.load(Relaxed) as f32 + self.inherited_visits
    }

    pub fn inherited(&self) -> f32 {
        self.inherited_visits
    }

    /// Mean reward over playouts made and inherited.
    pub fn rate(&self) -> f32 {
        match self.weight() {
            0.0 => 0.5,
            weight => (self.wins.load(Relaxed) as f32 / UNIT + self.inherited_wins) / weight,
        }
    }
}

/// An arm for each candidate, in an order drawn from the seed: who gets a playout more than the others, and which of two equals
/// is played, is chance. With `memory=inherit` a move that was a candidate at the player's turn before starts from
/// s = r s' playouts and w = r w' wins of then.
///
/// The search before is let go: it would keep alive all those before it.
pub fn arms<G: Game>(task: &mut Task<G>) -> Vec<Arm<G>> {
    let former = match task.previous.take() {
        Some((search, path)) if path.len() == 2 && task.engine.params().memory == Memory::Inherit => {
            Some(search.report())
        }
        _ => None,
    };
    let discount = task.engine.params().discount as f32;
    let arm = |&point: &Point| {
        let mut after = task.root.clone();
        after.play(point);
        let old = former.as_ref().and_then(|report| report.of(point));
        let (weight, rate) = old.map_or((0.0, 0.0), |m| (m.weight, m.rate));
        Arm {
            point,
            after,
            visits: AtomicU64::new(0),
            wins: AtomicU64::new(0),
            inherited_visits: discount * weight,
            inherited_wins: discount * weight * rate,
        }
    };
    let mut moves = task.moves.clone();
    Rng::new(task.seed).shuffle(&mut moves);
    moves.iter().map(arm).collect()
}

pub fn report<G>(arms: &[Arm<G>], order: fn(&MoveStats, &MoveStats) -> Ordering) -> Report {
    let stats = |arm: &Arm<G>| {
        let visits = arm.visits.load(Relaxed);
        MoveStats {
            visits,
            weight: arm.weight(),
            rate: arm.rate(),
            pv_visits: vec![visits],
            ..MoveStats::new(arm.point, vec![arm.point])
        }
    };
    Report::new(arms.iter().map(stats).collect(), 1 + arms.len(), order)
}
