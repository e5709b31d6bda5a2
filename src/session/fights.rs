//! The exact solver as an adviser of searches, in games: it looks at small enclosed fights (`fights=`).

use crate::base::{Color, Point, Size};
use crate::search::Adviser;
use crate::search::advice::Advice;
use crate::search::params::Params;
use crate::tsumego::prover::fights::{Fights, Verdict};
use parking_lot::Mutex;
use std::sync::Arc;

/// A group of so many stones is worth all that an engine line says, a smaller one in proportion.
const LARGE: usize = 10;

/// What it found out about fights is good for the next moves of a game too.
pub struct FightAdviser {
    fights: Mutex<Fights>,
    nodes: u64,
    playouts: u64,
}

impl FightAdviser {
    /// The one that an engine wants: the old one, if it is still the same.
    pub fn of(params: &Params, old: &mut Option<Arc<FightAdviser>>) -> Option<Arc<dyn Adviser>> {
        let (nodes, playouts) = (params.fights, params.fights_worth);
        let is_same = |known: &Arc<FightAdviser>| (known.nodes, known.playouts) == (nodes, playouts);
        if nodes == 0 {
            *old = None;
        } else if !old.as_ref().is_some_and(is_same) {
            *old = Some(Arc::new(FightAdviser { fights: Mutex::new(Fights::new(nodes)), nodes, playouts }));
        }
        old.clone().map(|adviser| adviser as Arc<dyn Adviser>)
    }
}

impl Adviser for FightAdviser {
    fn advise(&self, size: Size, stones: &[(Point, Color)], to_play: Color) -> Vec<Advice> {
        let moves = self.fights.lock().moves(size, stones, to_play);
        let advice = |found: Verdict| {
            let share = found.stones.min(LARGE) as f32 / LARGE as f32;
            Advice { point: found.point, playouts: share * self.playouts as f32, is_good: found.is_good }
        };
        moves.into_iter().map(advice).collect()
    }
}
