//! Proof numbers for positions not yet searched.

use super::grid::Set;
use super::state::{Rules, State};

/// What any position costs.
const BASE: u32 = 20;
/// What a move that is to be answered costs.
const MOVE: u32 = 4;

/// A guess at the proof and the disproof number.
///
/// Both grow with the square of the room for eyes that is left, since that is what there is to fight about, and the
/// attacker's much more: his quick kills are those that take room away. A side that waits for the opponent's move has to
/// answer each of them. (Liberties, eyes nearly made and moves that did well elsewhere were tried; they made the search
/// longer, or no shorter.)
pub fn numbers(rules: &Rules, state: &State, room: Set, arena: Set) -> (u32, u32) {
    let moves = MOVE * (arena & rules.empty(state)).count_ones();
    let points = (room & !state.defender).count_ones();
    let pn = BASE + 20 * points + 10 * points * points;
    let dn = BASE + 2 * points * points;
    if state.attacker_moves { (pn, dn + moves) } else { (pn + moves, dn) }
}
