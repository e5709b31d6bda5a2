//! Proof numbers for positions not yet searched.

use super::grid::{Set, cells, lowest};
use super::state::{Rules, State};

/// Well above the number of moves, so that a node is not given up for an untried one as soon as it is expanded.
const BASE: u32 = 20;
/// An eye that needs this many moves, or more, is far away.
const FAR: usize = 6;

/// A guess at the proof and the disproof number.
///
/// Both start alike. The opponent's moves count for each side, and for the defender the moves that two eyes would take if
/// the attacker let him. (Finer guesses, by room, liberties and eyes, were tried and made the search longer.)
pub fn numbers(rules: &Rules, state: &State, room: Set, arena: Set) -> (u32, u32) {
    let moves = (arena & rules.empty(state)).count_ones();
    let dn = BASE + eyes_cost(rules, state, room);
    if state.attacker_moves { (BASE, dn + moves) } else { (BASE + moves, dn) }
}

/// The defender's moves to surround the two points that need the fewest.
fn eyes_cost(rules: &Rules, state: &State, room: Set) -> u32 {
    let grid = &rules.grid;
    let mut by_cost = [0 as Set; FAR + 1];
    for cell in cells(room & !state.defender) {
        let around = grid.beside(1 << cell);
        by_cost[((around & !state.defender).count_ones() as usize).min(FAR)] |= 1 << cell;
    }
    let (mut used, mut count, mut sum): (Set, _, _) = (0, 0, 0);
    for (cost, &set) in by_cost.iter().enumerate() {
        let mut rest = set & !used;
        while rest != 0 {
            let bit = lowest(rest);
            (sum, count) = (sum + cost as u32, count + 1);
            if count == 2 {
                return sum;
            }
            used |= bit | grid.beside(bit);
            rest &= !used;
        }
    }
    sum + (2 - count) * (FAR as u32 + 2)
}
