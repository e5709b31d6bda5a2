//! What is kept from one search to the next.

use crate::prover::carried::{self, Narrower};
use crate::prover::local_fight::LocalFights;
use crate::prover::rooms::Rooms;
use crate::prover::state::Rules;
use crate::prover::table::ProofTable;
use std::sync::Arc;

/// What is kept from one search to the next.
pub struct Memory {
    /// Searches that help one another share it.
    pub table: Arc<ProofTable>,
    pub(super) rooms: Rooms,
    pub(super) local_fights: LocalFights,
    /// Of questions that were asked with everything beyond the region the attacker's.
    shut_in: Vec<Rules>,
}

impl Memory {
    /// With a table of at most this many megabytes.
    pub fn new(table_mb: usize) -> Memory {
        Memory::with(Arc::new(ProofTable::new(table_mb)))
    }

    /// One for a search that helps another: it knows what is in the other's table.
    pub fn helper(&self) -> Memory {
        Memory { shut_in: self.shut_in.clone(), ..Memory::with(self.table.clone()) }
    }

    fn with(table: Arc<ProofTable>) -> Memory {
        Memory { table, rooms: Rooms::default(), local_fights: LocalFights::default(), shut_in: Vec::new() }
    }

    /// As new.
    pub fn clear(&mut self) {
        self.table.clear();
        self.rooms = Rooms::default();
        self.local_fights = LocalFights::default();
        self.shut_in.clear();
    }

    /// The largest regions inside this one that were asked about before; this one is remembered.
    pub(super) fn narrower(&mut self, rules: &Rules) -> Vec<Narrower> {
        let others = self.shut_in.iter().filter(|other| other.salt() != rules.salt());
        let mut narrower: Vec<Narrower> = others.filter_map(|other| Narrower::new(other, &rules.grid)).collect();
        narrower.sort_by_key(|other| std::cmp::Reverse(other.points()));
        narrower.truncate(carried::MOST);
        if rules.grid.is_shut_in() && self.shut_in.iter().all(|other| other.salt() != rules.salt()) {
            self.shut_in.push(rules.clone());
        }
        narrower
    }
}
