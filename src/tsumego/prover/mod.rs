//! An exact solver for life-and-death questions.
//!
//! # The game
//! A [`Question`] names a region, the attacker, and crucial stones of the defender. Play stays in the region. Around it
//! stands a wall of the attacker that cannot be taken, and neither can stones of his that are connected to it: what a
//! life-and-death diagram means by strong stones. A stone that gets connected to crucial ones is crucial too.
//! - The attacker wins when no crucial stone is left on the board. The defender wins if that never happens: by two eyes,
//!   by a seki, or because play repeats itself for ever (a double ko for life, sending two and getting one back). So a
//!   position is won or lost by itself, whatever came before it; no rule about whole-board repetition is needed.
//! - Suicide is forbidden. Both may pass. A ko may not be retaken at once, except with a ko threat, of which one side may
//!   have a few ([`state::Ko`], [`state::THREATS`]).
//!
//! A verdict asks three such games. Dead: the attacker wins even if the defender has threats. Alive: the defender wins
//! even if the attacker has them. In between it is a ko, and the game without threats tells who needs the first one: the
//! attacker wins it, then the defender does.
//!
//! # The parts
//! [`find`] makes a question of a diagram. [`grid`] and [`state`] are the board. [`life`] is what is proven without search,
//! [`rooms`] what is proven of eye spaces by themselves, [`local_fight`] of small fights around one chain, [`zone`] which moves
//! matter; [`dfpn`] is the search, with [`table`], [`estimate`] of positions and [`move_order`] of moves. [`solver`] answers
//! questions. [`slow`] plays the same game by plain enumeration, [`check`] judges proofs on its board. [`make`] makes new
//! problems, and [`learn`] fits the weights of estimates to such. [`lesson`] plays a problem against a person.

pub mod check;
pub mod dfpn;
pub mod estimate;
pub mod find;
pub mod grid;
pub mod learn;
pub mod lesson;
pub mod life;
pub mod local_fight;
pub mod make;
pub mod move_order;
pub mod rooms;
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
    /// All stones of the diagram; those outside of the region only tell what it could be.
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
