//! A move drawn at random from the candidates, without a playout: the weakest opponent there is.

use super::{MoveStats, Report, Search, Task, Worker};
use crate::base::{Point, Rng};
use crate::game::Game;
use std::any::Any;

pub struct Random {
    moves: Vec<Point>,
}

impl Random {
    pub fn new<G: Game>(task: Task<G>) -> Self {
        let mut moves = task.moves;
        Rng::new(task.seed).shuffle(&mut moves);
        Random { moves }
    }
}

impl<G: Game> Search<G> for Random {
    fn work(&self, _: &mut Worker) {}

    fn budget(&self, _: Option<u64>) -> Option<u64> {
        Some(0)
    }

    fn report(&self) -> Report {
        Report { moves: self.moves.iter().map(|&p| MoveStats::new(p, vec![p])).collect(), nodes: 1 }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
