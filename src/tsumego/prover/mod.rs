//! An exact solver for life-and-death questions.

pub mod check;
pub mod dfpn;
pub mod estimate;
pub mod find;
pub mod grid;
pub mod life;
pub mod slow;
pub mod solver;
pub mod state;
pub mod table;
#[cfg(test)]
mod tests;
pub mod zone;

use crate::base::{Color, Point, Size};
pub use solver::{FirstMove, Limits, Prover, Status, Verdict};

use grid::Grid;
use state::{Ko, Rules, State};

/// Whose life is asked, and where may be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub size: Size,
    pub stones: Vec<(Point, Color)>,
    pub attacker: Color,
    pub to_play: Color,
    /// Stones of the defender: he lives if any of them does.
    pub crucial: Vec<Point>,
    /// Where may be played, stones included. All around it is the attacker's.
    pub region: Vec<Point>,
}

impl Question {
    /// Empty points of the region.
    pub fn room(&self) -> usize {
        self.region.iter().filter(|p| !self.stones.iter().any(|(q, _)| q == *p)).count()
    }

    /// The question in the prover's own terms; `None` if the region is too large.
    pub fn start(&self, ko: Ko) -> Option<(Rules, State)> {
        let grid = Grid::new(self.size, self.region.iter().copied())?;
        let set = |color: Color| {
            self.stones.iter().filter(|(_, c)| *c == color).fold(0, |set, (p, _)| set | grid.bit(*p) & grid.region)
        };
        let (attacker, defender) = (set(self.attacker), set(self.attacker.opponent()));
        let crucial = self.crucial.iter().fold(0, |set, p| set | grid.bit(*p)) & defender;
        let rules = Rules::new(grid, ko);
        let state = rules.state(attacker, defender, crucial, self.to_play == self.attacker);
        Some((rules, state))
    }
}
