//! A search on its own, without a game around it.

use crate::base::Point;
use crate::base::rng::mix;
use crate::game::go::Go9;
use crate::search::{self, Budget, Engine, Report, Worker, registry};

/// The engine line does not say how much to search.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the engine needs playouts= or each=")]
pub struct NoBudget;

/// The engine's report on these moves of a small board.
pub fn evaluate(position: &Go9, moves: &[Point], engine: &Engine, seed: u64) -> Result<Report, NoBudget> {
    let (task, _) = search::prepare(position.clone(), moves.to_vec(), engine.clone(), seed, None);
    let search = registry::build(task);
    let playouts = Some(engine.params().playouts).filter(|&n| n > 0);
    let budget = Budget::playouts(search.budget(playouts).ok_or(NoBudget)?);
    search.work(&mut Worker::new(&budget, mix(&[seed, 1]), 0));
    Ok(search.report())
}
