//! What players choose: each move starts from won playouts by its probability among them, as learned from games. The square
//! root keeps a move that is seldom chosen from being forgotten.

use super::{Inherited, Prior};
use crate::base::Point;
use crate::game::go::Board;
use crate::knowledge::Patterns;
use std::sync::Arc;

pub struct ByPatterns {
    pub patterns: Arc<Patterns>,
    /// Won playouts of a move that is sure to be chosen.
    pub playouts: f32,
}

impl<const W: usize, const P: usize> Prior<Board<W, P>> for ByPatterns {
    fn add(&self, board: &Board<W, P>, moves: &[Point], out: &mut [Inherited]) {
        // A pass has no shape: it is left as it is.
        let points: Vec<Point> = moves.iter().copied().filter(|p| !p.is_pass()).collect();
        let mut chances = Vec::with_capacity(points.len());
        self.patterns.rate(board, board.last_moves(), &points, &mut chances);
        let starts = moves.iter().zip(out).filter(|(p, _)| !p.is_pass()).map(|(_, start)| start);
        for (start, chance) in starts.zip(chances) {
            let playouts = self.playouts * chance.sqrt();
            start.visits += playouts;
            start.wins += playouts;
        }
    }
}
