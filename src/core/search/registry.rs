//! The table of allocations: one row each, from which lookup, listing and construction derive.

use super::{Search, Task, mc::FlatMc, puct::Puct, random::Random, ruct::Ruct, shot::Shot, ucb1::Ucb1, uct::Uct};
use crate::game::Game;
use std::sync::Arc;

pub struct Allocation {
    pub name: &'static str,
    pub doc: &'static str,
}

macro_rules! allocations {
    ($($name:literal => $search:ident: $doc:literal;)*) => {
        pub const ALLOCATIONS: &[Allocation] = &[$(Allocation { name: $name, doc: $doc }),*];

        /// The search that a task's engine names.
        pub fn build<G: Game>(task: Task<G>) -> Arc<dyn Search<G>> {
            match task.engine.allocation() {
                $($name => Arc::new($search::new(task)),)*
                other => unreachable!("engine lines name an allocation of the table, not {other}"),
            }
        }
    };
}

allocations! {
    "mc" => FlatMc: "the same number of playouts for every candidate";
    "ucb1" => Ucb1: "UCB1 over the candidates";
    "uct" => Uct: "UCB1 in every node of a tree";
    "shot" => Shot: "Sequential Halving in every node of a tree";
    "ruct" => Ruct: "confidence bounds on a tree of fixed depth";
    "puct" => Puct: "Gobang: a tree led by priors, values and proofs that are read from lines";
    "random" => Random: "a move drawn at random";
}
