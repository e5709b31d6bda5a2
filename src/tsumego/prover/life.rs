//! What can be said of a position without search, and proven.
//!
//! Unconditional life (Benson, 1976): stones that the attacker cannot take even if the defender always passes.
//!
//! A chain is alive if two regions are vital to it; a region of points without defender's stones is vital to a chain if
//! each of its empty points is a liberty of the chain. Chains with fewer than two such regions are struck out, and with
//! them all regions they border, until nothing changes.
//!
//! Death without eye space: a point next to the attacker's wall, or to a stone that is connected to it, can be filled by
//! the attacker at any time with a stone that stays. So it is never part of an eye. If all other points that are not of
//! the one crucial chain are at most two, side by side, there is no room for a second eye: the attacker fills what he
//! can, then plays into those two and takes the chain. The defender's moves on the points to be filled change nothing,
//! so they are not in the zone. Of several crucial chains he takes one last, whose points give no room either: he first
//! fills the liberties that only the others have, and what they share with it takes all or connects all.

use super::grid::{Grid, Set, lowest};
use super::state::{Rules, State};

const MOST: usize = 48;

/// The points that make crucial stones unconditionally alive: the living chains and their eyes. 0 if there are none.
pub fn unconditional(rules: &Rules, state: &State) -> Set {
    let grid = &rules.grid;
    // Regions that reach the wall enclose nothing.
    let open = grid.region & !state.defender;
    let outside = grid.flood(open & grid.wall, open);
    let inside = open & !outside;
    let mut regions = [(0 as Set, 0 as Set); MOST]; // points, empty points
    let mut count = 0;
    let mut rest = inside;
    while rest != 0 && count < MOST {
        let points = grid.flood(lowest(rest), inside);
        rest &= !points;
        let empty = points & !state.attacker;
        // A region that no chain could find vital: some empty point has no defender's stone beside it.
        if empty & !grid.beside(state.defender) == 0 && empty != 0 {
            regions[count] = (points, empty);
            count += 1;
        }
    }
    if count < 2 {
        return 0;
    }
    let mut alive = grid.flood(grid.beside(inside) & state.defender, state.defender);
    let mut eyes = count;
    loop {
        let before = (alive, eyes);
        // Strike out regions with a border that is not alive.
        let mut i = 0;
        while i < eyes {
            if grid.beside(regions[i].0) & state.defender & !alive != 0 {
                eyes -= 1;
                regions.swap(i, eyes);
            } else {
                i += 1;
            }
        }
        // Strike out chains without two vital regions.
        let mut rest = alive;
        while rest != 0 {
            let chain = grid.flood(lowest(rest), alive);
            rest &= !chain;
            let liberties = grid.beside(chain);
            let vital = regions[..eyes].iter().filter(|(_, empty)| empty & !liberties == 0).take(2).count();
            if vital < 2 {
                alive &= !chain;
            }
        }
        if alive & state.crucial == 0 {
            return 0;
        }
        if (alive, eyes) == before {
            return regions[..eyes].iter().fold(alive, |all, (points, _)| all | points);
        }
    }
}

/// Rooms with a crucial chain all around, and no other: (points, chain).
pub fn closed_rooms(rules: &Rules, state: &State) -> impl Iterator<Item = (Set, Set)> {
    let grid = &rules.grid;
    let open = grid.region & !state.defender;
    let mut rest = open & !grid.flood(open & grid.wall, open);
    std::iter::from_fn(move || {
        while rest != 0 {
            let points = grid.flood(lowest(rest), rest);
            rest &= !points;
            let border = grid.beside(points) & state.defender;
            let chain = grid.flood(lowest(border), state.defender);
            if border & !chain == 0 && chain & state.crucial != 0 {
                return Some((points, chain));
            }
        }
        None
    })
}

/// Points that may become the defender's eyes: no stone of the attacker that stays, and no wall, is next to them. And the
/// crucial chain that is taken last: it gives no room, since all is over then. Of the others, each may be given up for
/// room.
#[inline]
pub fn eye_room(rules: &Rules, state: &State, arena: Set) -> (Set, Set) {
    let grid = &rules.grid;
    let free = arena & !grid.wall & !grid.beside(state.safe());
    let (mut rest, mut most, mut last): (Set, Set, Set) = (free & state.crucial, 0, 0);
    while rest != 0 {
        let chain = grid.flood(lowest(rest), state.defender);
        let part = chain & free;
        rest &= !part;
        if part.count_ones() > most.count_ones() {
            (most, last) = (part, chain);
        }
    }
    if last == 0 {
        last = grid.flood(lowest(state.crucial), state.defender);
    }
    (free & !last, last)
}

/// Is there room for one eye at most?
///
/// Three points in a row, bent or straight, are no more than that with an attacker's stone in the middle, or when the
/// attacker can play there now: a defender's stone on either end leaves two points; if he waits, the attacker adds an
/// end, and the capture of his two stones leaves two points as well.
#[inline]
pub fn is_one_eye(grid: &Grid, room: Set, attacker: Set, defender: Set, attacker_moves: bool) -> bool {
    match room.count_ones() {
        0 | 1 => true,
        2 => grid.beside(lowest(room)) & room != 0,
        3 => {
            let first = lowest(room);
            let second = lowest(room & !first);
            let third = room & !first & !second;
            let middle = [first, second, third].into_iter().find(|&p| grid.beside(p) & room == room & !p);
            middle.is_some_and(|m| m & attacker != 0 || attacker_moves && room & (attacker | defender) == 0)
        }
        _ => false,
    }
}

/// The attacker to move takes the last liberty of the only crucial chain: what that rests on.
#[inline]
pub fn is_taken_next(rules: &Rules, state: &State) -> Option<Set> {
    if !state.attacker_moves {
        return None;
    }
    let grid = &rules.grid;
    let around = grid.beside(state.crucial);
    let liberties = around & rules.empty(state);
    if liberties & liberties.wrapping_sub(1) != 0 || liberties.trailing_zeros() == state.ban as u32 {
        return None;
    }
    Some(state.crucial | around)
}

/// Can the attacker keep everything in by answers to each attempt to get out? The points where he has to answer, if so.
///
/// Points where a stone of the attacker stays at once part the inside from what leads out. A defender's stone on such a gap
/// must find one way on at most, and not stand in the open itself: then the attacker answers there, where a stone of his
/// stays too, and a defender's stone there is answered in the gap. No two gaps share a way on. A friend out there, or a
/// stone of anybody behind a gap, is too much to see at once.
pub fn closed_gaps(rules: &Rules, state: &State, arena: Set) -> Option<Set> {
    let grid = &rules.grid;
    let empty = rules.empty(state);
    let exits = rules.exits(state);
    if exits & !grid.wall & arena != 0 {
        return None;
    }
    let stays = empty & arena & (grid.wall | grid.beside(state.safe()));
    let inside = grid.flood(state.crucial, arena & !stays);
    let gaps = grid.beside(inside) & stays;
    if (inside | gaps) & exits != 0 || (gaps | grid.beside(gaps)) & grid.answered != 0 {
        return None;
    }
    let beyond = arena & !inside & !gaps;
    let (mut answers, mut rest) = (0, gaps);
    while rest != 0 {
        let gap = lowest(rest);
        rest &= !gap;
        let ways = grid.beside(gap) & beyond;
        if grid.flood(ways, beyond) & exits == 0 {
            continue;
        }
        if ways & ways.wrapping_sub(1) != 0 || ways & stays == 0 || ways & answers != 0 {
            return None;
        }
        answers |= ways;
    }
    Some(gaps | answers)
}

/// What a death without eye space rests on.
pub fn hopeless_zone(rules: &Rules, state: &State, arena: Set) -> Set {
    let safe = state.safe();
    let filled_later = rules.empty(state) & (rules.grid.wall | rules.grid.beside(safe));
    arena & !filled_later | safe
}
