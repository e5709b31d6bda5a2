//! The table of allocations: one row each, from which lookup, listing and construction derive. A row says what its
//! allocation can do; the table of parameters asks for abilities, never for a name.

use super::{Search, Task, mc::FlatMc, puct::Puct, random::Random, ruct::Ruct, shot::Shot, ucb1::Ucb1, uct::Uct};
use crate::base::GameKind;
use crate::game::Game;
use std::sync::Arc;

#[derive(PartialEq, Debug)]
pub struct Allocation {
    pub name: &'static str,
    pub doc: &'static str,
    pub can: &'static [Ability],
    /// The one game that it plays, and why.
    pub only: Option<(GameKind, &'static str)>,
}

/// What an allocation can do that some parameters are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ability {
    /// Gives every candidate as many playouts as it is told.
    GiveEach,
    /// Explores by a constant.
    Explore,
    /// Plays the move with the most playouts, or with the best rate.
    Rank,
    /// Starts from its results of two plies ago.
    Inherit,
    /// Has a tree.
    HaveTree,
    /// Goes on with the part of its tree that the game went into.
    KeepTree,
    /// Filters candidates in nodes too.
    FilterNodes,
    /// Grows its tree leaf by leaf, by a rule and from priors.
    Grow,
    /// Halves the moves of every node.
    Halve,
    /// Halves the moves of the root alone.
    HalveRoot,
    /// Bounds values in a tree of fixed depth.
    Bound,
    /// Reads rows of five.
    ReadRows,
}

/// The names of those that can.
pub fn able(ability: Ability) -> Vec<&'static str> {
    ALLOCATIONS.iter().filter(|a| a.can.contains(&ability)).map(|a| a.name).collect()
}

macro_rules! allocations {
    ($($name:literal => $search:ident [$($can:ident),*] $(only $game:ident: $why:literal)?, $doc:literal;)*) => {
        pub const ALLOCATIONS: &[Allocation] = &[$(Allocation {
            name: $name,
            doc: $doc,
            can: &[$(Ability::$can),*],
            only: only!($($game: $why)?),
        }),*];

        /// The search that a task's engine names.
        pub fn build<G: Game>(task: Task<G>) -> Arc<dyn Search<G>> {
            match task.engine.allocation() {
                $($name => Arc::new($search::new(task)),)*
                other => unreachable!("engine lines name an allocation of the table, not {other}"),
            }
        }
    };
}

macro_rules! only {
    () => {
        None
    };
    ($game:ident: $why:literal) => {
        Some((GameKind::$game, $why))
    };
}

allocations! {
    "mc" => FlatMc [GiveEach, Inherit], "the same number of playouts for every candidate";
    "ucb1" => Ucb1 [Explore, Rank, Inherit], "UCB1 over the candidates";
    "uct" => Uct [Explore, Rank, Inherit, HaveTree, KeepTree, FilterNodes, Grow, HalveRoot],
        "UCB1 in every node of a tree";
    "shot" => Shot [HaveTree, KeepTree, FilterNodes, Halve], "Sequential Halving in every node of a tree";
    "ruct" => Ruct [HaveTree, FilterNodes, Bound], "confidence bounds on a tree of fixed depth";
    "puct" => Puct [Explore, Rank, HaveTree, KeepTree, ReadRows, HalveRoot] only Gobang: "it reads rows of five",
        "Gobang: a tree led by priors, values and proofs that are read from lines";
    "random" => Random [], "a move drawn at random";
}
