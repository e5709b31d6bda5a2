//! Priors: what a move is worth before its first playout, as playouts that were never made and their rewards. Several add
//! up; inheritance (`memory=inherit`) is one more, which needs the tree and so lives in `uct`.

mod hand;
mod patterns;

use super::Engine;
use super::params::{Params, PriorName};
use super::tree::Inherited;
use crate::base::{Point, Size};
use crate::game::Game;
use crate::game::go::Board;
use crate::game::gobang::Gobang;
use crate::knowledge::Patterns;
use crate::playout::Playable;
use std::sync::Arc;

/// A source of such knowledge about the moves of a position.
pub trait Prior<G>: Send + Sync {
    /// Adds to what each of the moves starts from, in their order.
    fn add(&self, position: &G, moves: &[Point], out: &mut [Inherited]);
}

/// A game that can be searched: it knows its priors.
pub trait Searchable: Playable {
    /// The prior of this name, if the game has it.
    fn prior(name: PriorName, params: &Params, size: Size) -> Option<Arc<dyn Prior<Self>>>;
}

impl<const W: usize, const P: usize> Searchable for Board<W, P> {
    fn prior(name: PriorName, params: &Params, size: Size) -> Option<Arc<dyn Prior<Self>>> {
        match name {
            PriorName::Even => Some(Arc::new(Even { playouts: params.prior_even as f32 })),
            PriorName::Hand => Some(Arc::new(hand::Hand { factor: params.prior_hand as f32 })),
            PriorName::Patterns => Some(Arc::new(patterns::ByPatterns {
                // Files were read when the line was: what is missing now was there then.
                patterns: params
                    .weights
                    .as_ref()
                    .and_then(|path| Patterns::shared(path).ok())
                    .unwrap_or(Patterns::embedded(size)),
                playouts: params.prior_patterns as f32,
            })),
        }
    }
}

impl Searchable for Gobang {
    fn prior(name: PriorName, params: &Params, _: Size) -> Option<Arc<dyn Prior<Self>>> {
        match name {
            PriorName::Even => Some(Arc::new(Even { playouts: params.prior_even as f32 })),
            PriorName::Hand | PriorName::Patterns => None,
        }
    }
}

/// The priors of an engine line.
pub fn priors_of<G: Searchable>(engine: &Engine, size: Size) -> Vec<Arc<dyn Prior<G>>> {
    let params = engine.params();
    let of_game = |name| G::prior(name, params, size);
    let found = params.prior.iter().map(|&name| {
        of_game(name).unwrap_or_else(|| unreachable!("an engine line names priors of its game, not {name:?}"))
    });
    found.collect()
}

/// Every move starts from some drawn playouts, so that a few lost ones do not end its chances.
pub struct Even {
    pub playouts: f32,
}

impl<G: Game> Prior<G> for Even {
    fn add(&self, _: &G, _: &[Point], out: &mut [Inherited]) {
        for start in out {
            start.visits += self.playouts;
            start.wins += self.playouts / 2.0;
        }
    }
}
