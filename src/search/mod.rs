//! Search algorithms, one file each, and what they share. They see positions, playouts and a budget; never a thread,
//! a clock or text.

pub mod budget;
pub mod engine;
mod mc;
pub mod registry;
pub mod reward;
#[cfg(test)]
mod tests;
pub mod tree;
mod uct;

pub use budget::{Budget, Worker};
pub use engine::Engine;
pub use registry::start;

use crate::base::Point;
use crate::game::Game;
use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;

/// What a search is asked.
pub struct Task<G> {
    pub root: G,
    /// The moves to choose from, at least one, all legal in the game.
    pub moves: Vec<Point>,
    pub engine: Engine,
    pub seed: u64,
    /// The search before this one and the moves played since, for engines that remember.
    pub previous: Option<(Arc<dyn Search<G>>, Vec<Point>)>,
}

/// A search under way or done. Workers call `work` at the same time; anybody may ask for a report at any time.
pub trait Search<G: Game>: Send + Sync {
    /// One worker's share: makes the playouts it is granted until none are.
    fn work(&self, worker: &mut Worker);

    /// How many playouts to make, given what the engine line says.
    fn budget(&self, engine_playouts: Option<u64>) -> Option<u64> {
        engine_playouts
    }

    fn report(&self, budget: &Budget) -> Report;

    /// For a later search of the same kind that starts from this one.
    fn as_any(&self) -> &dyn Any;
}

/// What a search found out about a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveStats {
    pub point: Point,
    pub visits: u64,
    /// Mean reward for the player to move, 0 to 1.
    pub rate: f32,
    /// The expected line, this move first.
    pub pv: Vec<Point>,
}

impl MoveStats {
    /// More playouts are better; the win rate breaks ties.
    pub fn by_playouts(&self, other: &MoveStats) -> Ordering {
        self.visits.cmp(&other.visits).then(self.rate.total_cmp(&other.rate))
    }

    /// A better win rate is better; playouts break ties; a move without playouts is worst.
    pub fn by_rate(&self, other: &MoveStats) -> Ordering {
        let tried = |m: &MoveStats| m.visits > 0;
        tried(self).cmp(&tried(other)).then(self.rate.total_cmp(&other.rate)).then(self.visits.cmp(&other.visits))
    }
}

/// What a search found out.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Best first.
    pub moves: Vec<MoveStats>,
    pub playouts: u64,
    pub nodes: usize,
}

impl Report {
    pub fn new(
        mut moves: Vec<MoveStats>,
        playouts: u64,
        nodes: usize,
        order: fn(&MoveStats, &MoveStats) -> Ordering,
    ) -> Report {
        moves.sort_by(|a, b| order(b, a).then(a.point.cmp(&b.point)));
        Report { moves, playouts, nodes }
    }

    pub fn best(&self) -> Option<&MoveStats> {
        self.moves.first()
    }

    pub fn of(&self, point: Point) -> Option<&MoveStats> {
        self.moves.iter().find(|m| m.point == point)
    }
}
