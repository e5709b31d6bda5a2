//! Which moves of the loser need an answer of their own, by the zones of refutations.

use super::{Child, Known, Search};
use crate::prover::grid::{self, Cell, NOWHERE, Set};
use crate::prover::state::State;
use crate::prover::table::NO_PATH;
use crate::prover::zone;

impl Search<'_> {
    /// The node is won by a child's move.
    pub(super) fn won(&self, state: &State, i: usize) -> Known {
        let child = &self.children[i];
        let zone = if child.cell == NOWHERE {
            child.zone
        } else if state.defender >> child.cell & 1 != 0 {
            // A stone was stopped: that it stands there, and what is taken with it, is what matters.
            child.zone | 1 << child.cell | child.captured | self.rules.grid.beside(child.captured)
        } else {
            zone::winners_move(self.rules, state, child.cell, child.captured, child.zone)
        };
        Known::won_by(state.attacker_moves, zone, child.depends, child.cell)
    }

    /// The moves that need an answer of their own, given the refutations found so far.
    pub(super) fn relevance(&self, state: &State, arena: Set, base: usize) -> Relevance {
        let children = &self.children[base..];
        let refuted = |child: &&Child| child.numbers(state.attacker_moves).1 == 0;
        let pass = children.iter().find(|child| child.cell == NOWHERE);
        // A move outside of the zone is answered like a pass. Without a ban the attacker's pass is answered by a pass.
        let start = match pass {
            Some(pass) => Some(pass).filter(refuted),
            None => children.iter().filter(refuted).min_by_key(|c| (c.depends != NO_PATH, c.zone.count_ones())),
        };
        let everything =
            |depends| Relevance { moves: Set::MAX, needs_pass: true, zone: self.rules.grid.region, depends };
        let all_depends = || children.iter().map(|c| c.depends).min().unwrap_or(NO_PATH);
        if !self.use_zones {
            return everything(all_depends());
        }
        let (mut zone, mut depends) = match start {
            Some(start) => (start.zone, start.depends),
            None if children.is_empty() => (self.rules.grid.flood(lowest_of(state), state.defender), NO_PATH),
            None => return everything(all_depends()),
        };
        // A step out is as good as a ko threat: it may not be left out where a ko may not be retaken.
        if !state.attacker_moves && state.ban != NOWHERE {
            zone |= self.rules.grid.answered & self.rules.empty(state) & arena;
        }
        let mut seen: Set = 0;
        loop {
            zone = zone::closed(self.rules, state, zone, arena);
            let mut grown = false;
            for child in children.iter().filter(refuted) {
                if child.cell == NOWHERE || zone & !seen & 1 << child.cell == 0 {
                    continue;
                }
                seen |= 1 << child.cell;
                zone |= child.zone;
                depends = depends.min(child.depends);
                grown = true;
            }
            if !grown {
                return Relevance { moves: zone, needs_pass: pass.is_some(), zone, depends };
            }
        }
    }
}

/// The moves that need an answer of their own, and what their refutations rest on.
pub(super) struct Relevance {
    pub moves: Set,
    pub needs_pass: bool,
    pub zone: Set,
    pub depends: u8,
}

impl Relevance {
    #[inline(always)]
    pub fn has(&self, cell: Cell) -> bool {
        if cell == NOWHERE { self.needs_pass } else { self.moves >> cell & 1 != 0 }
    }
}

fn lowest_of(state: &State) -> Set {
    grid::lowest(state.crucial)
}
