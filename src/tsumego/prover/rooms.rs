//! Eye spaces too large to be judged at sight, solved once and remembered.
//!
//! Taken by itself a room is a small game in which the defender has all that he could wish for elsewhere: every point
//! around the room is a stone of his, and all of them are one chain. The attacker keeps him from two eyes, however many
//! liberties that chain has outside, if
//! - every move of the defender inside has an answer inside, or needs none; while the defender waits the attacker fills
//!   liberties outside, and
//! - once they are filled, the attacker to move takes the chain.
//!
//! Then the real stones are dead too. What cannot be shown so may hang on the rest of the board and is left to the search.
//! Play that goes round in circles counts for the defender, and the attacker takes no ko.

use super::grid::{Cell, Grid, NOWHERE, Set, cells, lowest};
use super::life;
use crate::base::rng::mix;

/// Rooms with more points are not looked at.
pub const LARGEST: u32 = 7;
/// And for life by one room.
pub const LARGEST_LIFE: u32 = 8;
const LIFE: u64 = 0x9e6c_63d0_676a_9a98;
const DEEPEST: usize = 30;
const REMEMBERED: usize = 1 << 18;

/// A room and what is in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Points that may become eyes.
    pub points: Set,
    pub attacker: Set,
    pub defender: Set,
    /// Points next to the chain around.
    pub border: Set,
    pub attacker_moves: bool,
    /// The chain around has no liberties outside.
    pub is_closed: bool,
    /// Where the side to move might retake a ko, and does not.
    pub ban: Cell,
}

pub struct Rooms {
    /// By hash: the key, with its last bit for the answer.
    memory: Vec<u64>,
    path: Vec<Room>,
}

impl Default for Rooms {
    fn default() -> Rooms {
        Rooms { memory: vec![0; REMEMBERED], path: Vec::new() }
    }
}

impl Rooms {
    /// Can the attacker keep the defender from two eyes in this room, whatever is outside?
    pub fn is_dead(&mut self, grid: &Grid, mut room: Room) -> bool {
        room.join(grid);
        let may_play = room.attacker_moves && room.ban == NOWHERE;
        if life::is_one_eye(grid, room.points, room.attacker, room.defender, may_play) {
            return true;
        }
        if room.points.count_ones() > LARGEST || self.path.len() >= DEEPEST || self.path.contains(&room) {
            return false;
        }
        let key = room.key(grid) | 1;
        let place = (key >> 8) as usize & (REMEMBERED - 1);
        if self.memory[place] | 1 == key {
            return self.memory[place] & 1 != 0;
        }
        self.path.push(room);
        let dead = self.search(grid, room);
        self.path.pop();
        self.memory[place] = if dead { key } else { key & !1 };
        dead
    }

    /// Does the chain around live by this room alone, though it has no liberties outside? A ko is never in its favour.
    pub fn is_alive(&mut self, grid: &Grid, mut room: Room) -> bool {
        room.join(grid);
        if room.points.count_ones() > LARGEST_LIFE || self.path.len() >= DEEPEST || self.path.contains(&room) {
            return false;
        }
        let key = (room.key(grid) ^ LIFE) | 1;
        let place = (key >> 8) as usize & (REMEMBERED - 1);
        if self.memory[place] | 1 == key {
            return self.memory[place] & 1 != 0;
        }
        self.path.push(room);
        let empty = room.empty();
        let alive = if room.attacker_moves {
            let liberties = empty & room.border;
            liberties & liberties.wrapping_sub(1) != 0
                && cells(empty).filter_map(|cell| room.attack_all(grid, cell)).all(|next| self.is_alive(grid, next))
        } else {
            let waits = Room { attacker_moves: true, ban: NOWHERE, ..room };
            cells(empty).filter_map(|cell| room.defend_safely(grid, cell)).any(|next| self.is_alive(grid, next))
                || self.is_alive(grid, waits)
        };
        self.path.pop();
        self.memory[place] = if alive { key } else { key & !1 };
        alive
    }

    fn search(&mut self, grid: &Grid, room: Room) -> bool {
        let empty = room.empty();
        if room.attacker_moves {
            if room.is_closed && empty & room.border & (empty & room.border).wrapping_sub(1) == 0 && room.ban == NOWHERE
            {
                return true; // the last liberty
            }
            let mut moves = cells(empty).filter_map(|cell| room.attack(grid, cell));
            let waits = Room { attacker_moves: false, ban: NOWHERE, ..room };
            return moves.any(|next| self.is_dead(grid, next)) || !room.is_closed && self.is_dead(grid, waits);
        }
        let waits = Room { attacker_moves: true, is_closed: true, ..room };
        self.is_dead(grid, waits)
            && cells(empty).filter_map(|cell| room.defend(grid, cell)).all(|next| self.is_dead(grid, next))
    }
}

impl Room {
    /// Do all stones of the attacker have a liberty inside? Where they live by one outside, the defender could take them.
    pub fn has_liberties(&self, grid: &Grid) -> bool {
        let mut rest = self.attacker;
        while rest != 0 {
            let chain = grid.flood(lowest(rest), self.attacker);
            rest &= !chain;
            if grid.beside(chain) & self.empty() == 0 {
                return false;
            }
        }
        true
    }

    /// Stones that have joined the chain around are no part of the room any more.
    fn join(&mut self, grid: &Grid) {
        let joined = grid.flood(self.defender & self.border, self.defender);
        if joined != 0 {
            self.points &= !joined;
            self.defender &= !joined;
            self.border = (self.border | grid.beside(joined)) & self.points;
        }
    }

    /// As [`Room::attack`], kos included; where a stone was taken the defender may not play next.
    fn attack_all(&self, grid: &Grid, cell: Cell) -> Option<Room> {
        let bit: Set = 1 << cell;
        let attacker = self.attacker | bit;
        let empty = self.empty() & !bit;
        let taken = taken(grid, bit, self.defender, empty);
        let liberties = grid.beside(grid.flood(bit, attacker)) & (empty | taken) & self.points;
        if liberties == 0 {
            return None;
        }
        let ban = if taken.count_ones() == 1 { taken.trailing_zeros() as Cell } else { NOWHERE };
        Some(Room { attacker, defender: self.defender & !taken, attacker_moves: false, ban, ..*self })
    }

    /// As [`Room::defend`], but without anything that might be a ko.
    fn defend_safely(&self, grid: &Grid, cell: Cell) -> Option<Room> {
        let next = if cell == self.ban { None } else { self.defend(grid, cell) }?;
        let joins = grid.flood(1 << cell, next.defender) & self.border != 0;
        (joins || next.ban == NOWHERE).then_some(Room { ban: NOWHERE, ..next })
    }

    fn empty(&self) -> Set {
        self.points & !(self.attacker | self.defender)
    }

    fn key(&self, grid: &Grid) -> u64 {
        let halves = |set: Set| mix(&[set as u64, (set >> 64) as u64]);
        let flags = u64::from(self.attacker_moves) << 1 | u64::from(self.is_closed);
        let rest = u64::from(grid.stride()) << 16 | u64::from(self.ban) << 8 | flags;
        mix(&[halves(self.points), halves(self.attacker), halves(self.defender), halves(self.border), rest])
    }

    fn attack(&self, grid: &Grid, cell: Cell) -> Option<Room> {
        if cell == self.ban {
            return None;
        }
        let bit: Set = 1 << cell;
        let attacker = self.attacker | bit;
        let empty = self.empty() & !bit;
        let taken = taken(grid, bit, self.defender, empty);
        let chain = grid.flood(bit, attacker);
        let liberties = grid.beside(chain) & (empty | taken) & self.points;
        if liberties == 0 || taken.count_ones() == 1 && chain == bit && liberties == taken {
            return None;
        }
        Some(Room { attacker, defender: self.defender & !taken, attacker_moves: false, ban: NOWHERE, ..*self })
    }

    fn defend(&self, grid: &Grid, cell: Cell) -> Option<Room> {
        let bit: Set = 1 << cell;
        let defender = self.defender | bit;
        let empty = self.empty() & !bit;
        let taken = taken(grid, bit, self.attacker, empty);
        let chain = grid.flood(bit, defender);
        // With liberties outside every stone that joins the chain around has some.
        let joins = chain & self.border != 0;
        let liberties = grid.beside(chain) | if joins { self.border } else { 0 };
        if (self.is_closed || !joins) && liberties & (empty | taken) & self.points == 0 {
            return None;
        }
        let ban = if taken.count_ones() == 1 { taken.trailing_zeros() as Cell } else { NOWHERE };
        Some(Room { attacker: self.attacker & !taken, defender, attacker_moves: true, ban, ..*self })
    }
}

/// The chains next to a new stone that it takes.
fn taken(grid: &Grid, bit: Set, stones: Set, empty: Set) -> Set {
    let mut taken = 0;
    let mut rest = grid.beside(bit) & stones;
    while rest != 0 {
        let chain = grid.flood(lowest(rest), stones);
        rest &= !chain;
        if grid.beside(chain) & empty == 0 {
            taken |= chain;
        }
    }
    taken
}
