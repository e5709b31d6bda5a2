//! Positions that the tree has come to before, by another order of moves.
//!
//! A table of fixed size that forgets: a position's hash and the node that grew there, in one word, so that workers need no
//! lock. Half of the hash is kept, and the place says more of it; who shares children looks whether they can be played.

use crate::search::tree::NodeId;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const PLACES: usize = 1 << 16;
const ID_BITS: u32 = 32;

pub struct Twins(Box<[AtomicU64]>);

impl Twins {
    pub fn new() -> Twins {
        Twins((0..PLACES).map(|_| AtomicU64::new(0)).collect())
    }

    fn place(hash: u64) -> usize {
        hash as usize % PLACES
    }

    /// The node that grew at this position, if it is remembered; never the root, which nothing leads to.
    pub fn find(&self, hash: u64) -> Option<NodeId> {
        let word = self.0[Twins::place(hash)].load(Relaxed);
        let id = word as NodeId;
        (id != 0 && word >> ID_BITS == hash >> ID_BITS).then_some(id)
    }

    pub fn remember(&self, hash: u64, id: NodeId) {
        self.0[Twins::place(hash)].store(hash >> ID_BITS << ID_BITS | u64::from(id), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rng;
    use std::collections::HashMap;

    #[test]
    fn what_is_found_is_what_was_remembered_last_there() {
        let (twins, mut rng, mut truth) = (Twins::new(), Rng::new(7), HashMap::new());
        let hashes: Vec<u64> = (0..2_000).map(|_| rng.next_u64()).collect();
        for id in 1..10_000 {
            let hash = hashes[rng.below(2_000) as usize];
            twins.remember(hash, id);
            truth.insert(hash, id);
        }
        let found = hashes.iter().filter_map(|&hash| Some((hash, twins.find(hash)?)));
        let found: Vec<(u64, NodeId)> = found.collect();
        assert!(found.len() > 1_800, "{}", found.len());
        assert!(found.iter().all(|(hash, id)| truth[hash] == *id));
        assert_eq!(twins.find(1), None);
    }
}
