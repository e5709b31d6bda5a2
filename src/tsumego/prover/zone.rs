//! Relevance zones: the points that a win depends on.
//!
//! A zone of a won position is a set of points such that the winner still wins after any moves of the loser outside of
//! it. So once the loser's pass is refuted, only his moves inside the refutation's zone need an answer of their own: a
//! move outside is answered as if it were a pass. (Shih, Wu, Guei and others call this relevance-zone search; the rules
//! below are our own and are checked against plain exhaustive search.)
//!
//! The argument: play goes on in two positions side by side, the one of the proof and the real one, which has more of
//! the loser's stones outside of the zone. They must look the same inside the zone and stay so. Hence
//! - a winner's move must be legal for reasons inside the zone, take the same stones in both, and take none in the real
//!   one that it does not take in the proof ([`winners_move`]);
//! - a loser's move inside must take the same stones in both, and must not be legal only in the real one ([`closed`]).

use super::grid::{Cell, Set, cells, lowest};
use super::state::{Rules, State};

/// The zone of a position where the winner plays `cell`, given the zone of the position after it.
pub fn winners_move(rules: &Rules, state: &State, cell: Cell, captured: Set, after: Set) -> Set {
    let grid = &rules.grid;
    let bit: Set = 1 << cell;
    let empty = rules.empty(state);
    let safe = state.safe();
    let (own, other) =
        if state.attacker_moves { (state.attacker, state.defender) } else { (state.defender, state.attacker) };
    let mut zone = after | bit;
    // Chains of the loser next to the move: taken in both positions, or in neither.
    let mut rest = grid.beside(bit) & other & !(safe | state.out());
    while rest != 0 {
        let chain = grid.flood(lowest(rest), other);
        rest &= !chain;
        zone |= chain;
        let around = grid.beside(chain);
        if chain & captured != 0 {
            zone |= around;
        } else {
            let liberties = around & empty & !bit;
            if liberties & zone == 0 {
                zone |= lowest(liberties);
            }
        }
    }
    // Whether a ko comes of it must not hang on what is outside.
    if captured.count_ones() == 1 {
        zone |= grid.beside(bit);
    }
    // The move has a liberty inside the zone.
    let beside = grid.beside(bit) & empty;
    if beside != 0 {
        if beside & zone == 0 {
            zone |= lowest(beside);
        }
    } else if captured == 0 {
        let chain = grid.flood(bit, own | bit);
        if !(state.attacker_moves && chain & grid.wall != 0) {
            zone |= chain;
            let liberties = grid.beside(chain) & empty & !bit;
            if liberties & zone == 0 {
                zone |= lowest(liberties);
            }
        }
    }
    zone & !safe
}

/// The zone made large enough for a position where the loser is to move.
pub fn closed(rules: &Rules, state: &State, zone: Set, arena: Set) -> Set {
    let grid = &rules.grid;
    let empty = rules.empty(state);
    let (losers, winners) =
        if state.attacker_moves { (state.attacker, state.defender) } else { (state.defender, state.attacker) };
    let mut zone = zone & arena;
    let mut done: Set = 0;
    loop {
        let before = zone;
        // Chains of the winner: taken in both positions or in neither.
        let mut rest = zone & winners & !done;
        while rest != 0 {
            let chain = grid.flood(lowest(rest), winners);
            rest &= !chain;
            done |= chain;
            zone |= chain;
            let around = grid.beside(chain);
            let liberties = around & empty;
            if liberties & liberties.wrapping_sub(1) == 0 {
                zone |= around;
            } else {
                while (liberties & zone).count_ones() < 2 {
                    zone |= lowest(liberties & !zone);
                }
            }
        }
        // Points where the loser may not play because he would be without liberties: so it must stay. A ko that he may
        // not retake at once must stay a ko.
        for cell in cells(zone & empty & !done) {
            let bit: Set = 1 << cell;
            let around = grid.beside(bit);
            if around & empty != 0 {
                continue;
            }
            if rules.is_legal(state, cell) {
                continue;
            }
            zone |= around;
            if cell != state.ban {
                let chains = grid.flood(around & losers, losers);
                zone |= chains | grid.beside(chains);
            }
            done |= bit;
        }
        zone &= arena;
        if zone == before {
            return zone;
        }
    }
}
