//! Looking at a position without having to move, and watching a search.

use crate::base::Point;
use crate::game::Game;
use crate::playout::Policy;
use crate::playout::outlook::Outlook;
use crate::search::params::Memory;
use crate::search::{Budget, Engine, Report, Search};
use std::time::Instant;

/// A search under way, as seen by the one who watches it.
pub trait Progress {
    fn report(&self) -> Report;

    /// Where a line of moves from the position searched leads to, by some playouts from its end.
    fn outlook(&self, line: &[Point], playouts: usize) -> Outlook;

    /// Is this the last look?
    fn is_done(&self) -> bool;
}

pub(super) struct View<'a, G> {
    pub search: &'a dyn Search<G>,
    pub root: &'a G,
    pub policy: &'a dyn Policy<G>,
    pub is_done: bool,
}

impl<G: Game> Progress for View<'_, G> {
    fn report(&self) -> Report {
        self.search.report()
    }

    fn outlook(&self, line: &[Point], playouts: usize) -> Outlook {
        let mut position = self.root.clone();
        for &p in line {
            if position.is_over() || !position.is_legal(p) {
                break;
            }
            position.play(p);
        }
        Outlook::new(&position, self.policy, playouts, position.hash())
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}

/// How to look at a position. The default is all moves, without end.
#[derive(Clone, Default, Debug)]
pub struct Analysis {
    /// Playouts known about the position at the end, those from earlier searches counted.
    pub visits: Option<u64>,
    pub end: Option<Instant>,
    /// Moves not to look at.
    pub avoid: Vec<Point>,
    /// The only moves to look at.
    pub allow: Option<Vec<Point>>,
    /// Nothing of it may change what the engine plays later.
    pub leaves_no_trace: bool,
}

impl Analysis {
    /// Leaves the moves that are asked about; those asked for by name need only be legal.
    pub(super) fn restrict(&self, moves: &mut Vec<Point>, is_legal: impl Fn(Point) -> bool) {
        if let Some(allowed) = &self.allow {
            *moves = allowed.iter().copied().filter(|&p| is_legal(p)).collect();
            moves.sort();
            moves.dedup();
        }
        moves.retain(|p| !self.avoid.contains(p));
    }

    pub(super) fn budget(&self, visits_before: u64) -> Budget {
        let playouts = self.visits.map(|most| Budget::playouts(most.saturating_sub(visits_before)));
        playouts.unwrap_or_else(Budget::unlimited).with_deadline(self.end).unplanned()
    }

    /// Does the engine's next search start from this one? What it inherits from its own turn two plies ago stays.
    pub(super) fn is_remembered_by(&self, engine: &Engine) -> bool {
        let is_whole = self.avoid.is_empty() && self.allow.is_none();
        is_whole && !self.leaves_no_trace && engine.params().memory != Memory::Inherit
    }
}
