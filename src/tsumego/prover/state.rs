//! A position of the prover's game: stones in the region, who moves, and the point that a ko forbids.

use super::grid::{Cell, Grid, NOWHERE, Set, cells, lowest};
use crate::base::rng::mix;

/// Who has ko threats elsewhere on the board: [`THREATS`] of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ko {
    /// Neither: a ko may be retaken after a move elsewhere, or a pass.
    Nobody,
    Attacker,
    Defender,
}

/// With a threat a ko is retaken at once. Two win a ko of two stages. Without end they would make an eye of every
/// place where a stone can be taken and retaken, though no number of threats ever wins that.
pub const THREATS: u8 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub attacker: Set,
    pub defender: Set,
    /// Stones of the defender whose life is asked: those of the question, and all that are connected to them later.
    pub crucial: Set,
    /// The attacker's stones that are connected to the wall: they stay for good.
    safe: Set,
    /// The defender's stones that have got out: they stay for good too, unless they are stopped.
    out: Set,
    /// Points with one way on where an answer beyond the region has stopped the defender.
    stopped: Set,
    pub hash: u64,
    /// Where the side to move may not play without a threat: it would retake a ko.
    pub ban: Cell,
    /// Ko threats left.
    pub threats: u8,
    pub attacker_moves: bool,
}

/// What a new stone touches.
#[derive(Clone, Copy, Default)]
pub struct Touched {
    /// Chains of the opponent that it takes.
    pub captured: Set,
    /// Chains of its own side that it joins.
    pub joined: Set,
    /// Has it, or a chain that it joins, an empty point beside it?
    pub has_liberty: bool,
}

/// What a move took from the board.
pub struct Played {
    pub state: State,
    pub captured: Set,
}

/// The region and the ko rule: what stays the same in a search.
#[derive(Clone, Debug)]
pub struct Rules {
    pub grid: Grid,
    pub ko: Ko,
    keys: Vec<[u64; 5]>,
    /// Of the region and what lies beyond: positions of different questions never share an entry of the table.
    salt: u64,
    /// The hash of an empty region.
    start: u64,
}

const ATTACKER: usize = 0;
const DEFENDER: usize = 1;
const CRUCIAL: usize = 2;
const BAN: usize = 3;
const STOPPED: usize = 4;
const TO_MOVE: u64 = 0x5bd1_e995_7b1f_9a3d;

/// Of the threats that one side has left: without any, a position is the same under every ko rule.
#[inline(always)]
fn threat_key(ko: Ko, threats: u8) -> u64 {
    const KEYS: [u64; 2] = [0x1d8e_4e27_c47d_124f, 0xa3b1_0c5d_77e2_9a6b];
    match (ko, threats) {
        (Ko::Nobody, _) | (_, 0) => 0,
        (Ko::Attacker, n) => KEYS[0].rotate_left(8 * u32::from(n)),
        (Ko::Defender, n) => KEYS[1].rotate_left(8 * u32::from(n)),
    }
}

impl State {
    /// The attacker's stones that are connected to the wall: they stay for good.
    #[inline(always)]
    pub fn safe(&self) -> Set {
        self.safe
    }

    /// The defender's stones that stand beside open space or a friend, with all that are connected to them.
    #[inline(always)]
    pub fn out(&self) -> Set {
        self.out
    }

    /// Points with one way on where the defender has been stopped.
    #[inline(always)]
    pub fn stopped(&self) -> Set {
        self.stopped
    }

    /// Have crucial stones got out? Then they live.
    #[inline(always)]
    pub fn has_escaped(&self) -> bool {
        self.crucial & self.out != 0
    }

    /// The stones of the side to move, and of its opponent.
    #[inline(always)]
    pub fn sides(&self) -> (Set, Set) {
        if self.attacker_moves { (self.attacker, self.defender) } else { (self.defender, self.attacker) }
    }
}

impl Rules {
    pub fn new(grid: Grid, ko: Ko) -> Rules {
        // By points of the board: another box around the same region makes no difference.
        let salt = cells(grid.region).fold(0, |h, cell| {
            let bit = |set: Set| (set >> cell & 1) as u64;
            let kind = bit(grid.wall) + 2 * bit(grid.exit) + 4 * bit(grid.answered);
            mix(&[h, grid.point(cell).index() as u64, kind])
        });
        let key = |cell: u8, kind| mix(&[salt, grid.point(cell).index() as u64, kind]);
        let keys_of =
            |cell: u8| if grid.region >> cell & 1 != 0 { [0, 1, 2, 3, 4].map(|kind| key(cell, kind)) } else { [0; 5] };
        let keys = (0..128).map(keys_of).collect();
        Rules { grid, ko, keys, salt, start: mix(&[salt]) }
    }

    /// What tells this region, and what lies beyond it, from others.
    pub fn salt(&self) -> u64 {
        self.salt
    }

    /// The hash of a position if another side had threats, so many.
    #[inline(always)]
    pub fn hash_under(&self, state: &State, ko: Ko, threats: u8) -> u64 {
        state.hash ^ threat_key(self.ko, state.threats) ^ threat_key(ko, threats)
    }

    /// The hash of a position by its stones: of the attacker, of the defender, the crucial ones.
    pub fn key_of(&self, stones: [Set; 3], attacker_moves: bool, ban: Cell, threats: (Ko, u8)) -> u64 {
        let sum = |set: Set, kind: usize| cells(set).fold(0, |h, cell| h ^ self.keys[cell as usize][kind]);
        let stones = [ATTACKER, DEFENDER, CRUCIAL].map(|kind| sum(stones[kind], kind));
        let ban = if ban == NOWHERE { 0 } else { self.keys[ban as usize][BAN] };
        let to_move = if attacker_moves { TO_MOVE } else { 0 };
        stones[0] ^ stones[1] ^ stones[2] ^ ban ^ to_move ^ self.start ^ threat_key(threats.0, threats.1)
    }

    pub fn state(&self, attacker: Set, defender: Set, crucial: Set, attacker_moves: bool) -> State {
        let crucial = self.grid.flood(crucial, defender);
        let safe = self.grid.flood(attacker & self.grid.wall, attacker);
        let out = self.grid.flood(defender & self.grid.exit, defender);
        let threats = if self.ko == Ko::Nobody { 0 } else { THREATS };
        let hash = self.key_of([attacker, defender, crucial], attacker_moves, NOWHERE, (self.ko, threats));
        State { attacker, defender, crucial, safe, out, stopped: 0, hash, ban: NOWHERE, threats, attacker_moves }
    }

    #[inline(always)]
    pub fn empty(&self, state: &State) -> Set {
        self.grid.region & !(state.attacker | state.defender)
    }

    #[inline]
    pub fn pass(&self, state: &State) -> State {
        let mut next = *state;
        next.hash ^= TO_MOVE;
        self.set_ban(&mut next, NOWHERE);
        next.attacker_moves = !state.attacker_moves;
        next
    }

    #[inline(always)]
    fn set_ban(&self, state: &mut State, cell: Cell) {
        if state.ban != NOWHERE {
            state.hash ^= self.keys[state.ban as usize][BAN];
        }
        if cell != NOWHERE {
            state.hash ^= self.keys[cell as usize][BAN];
        }
        state.ban = cell;
    }

    /// Could the side to move retake a ko at once?
    #[inline]
    pub fn has_threat(&self, state: &State) -> bool {
        state.threats > 0 && (self.ko == Ko::Attacker) == state.attacker_moves
    }

    /// Where a stone of the defender is out, or would be.
    #[inline(always)]
    pub fn exits(&self, state: &State) -> Set {
        self.grid.exit | self.grid.answered & state.out
    }

    /// Stones of the defender that one answer beyond the region stops: a move of the attacker, named by the stone.
    #[inline(always)]
    pub fn to_stop(&self, state: &State) -> Set {
        if state.attacker_moves { self.grid.answered & state.out & !state.stopped } else { 0 }
    }

    /// The attacker's answer beyond the region to a stone of the defender with one way on: it takes a chain that has no
    /// other liberty.
    fn stop(&self, state: &State, cell: Cell) -> Played {
        let grid = &self.grid;
        let bit: Set = 1 << cell;
        let mut next = self.pass(state);
        next.stopped |= bit;
        next.hash ^= self.keys[cell as usize][STOPPED];
        next.out = grid.flood(state.defender & (grid.exit | state.out & grid.answered & !next.stopped), state.defender);
        let chain = grid.flood(bit, state.defender);
        if chain & next.out != 0 || grid.beside(chain) & self.empty(state) != 0 {
            return Played { state: next, captured: 0 };
        }
        next.defender &= !chain;
        next.hash ^= cells(chain).fold(0, |h, c| h ^ self.keys[c as usize][DEFENDER]);
        Played { state: next, captured: chain }
    }

    /// Plays on an empty point of the region, or stops a stone; `None` if the rules forbid it.
    #[inline]
    pub fn play(&self, state: &State, cell: Cell) -> Option<Played> {
        let grid = &self.grid;
        let bit: Set = 1 << cell;
        if bit & state.defender != 0 {
            return (bit & self.to_stop(state) != 0).then(|| self.stop(state, cell));
        }
        let around = grid.beside(bit);
        let (own, other) = state.sides();
        let empty = self.empty(state) & !bit;
        let mut captured: Set = 0;
        let mut rest = around & other & !(state.safe | state.out);
        while rest != 0 {
            let chain = grid.flood(lowest(rest), other);
            rest &= !chain;
            if grid.beside(chain) & empty == 0 {
                captured |= chain;
            }
        }
        let joined = grid.flood(around & own, own);
        let has_liberty = (around | grid.beside(joined)) & empty != 0;
        self.settle(state, cell, Touched { captured, joined, has_liberty })
    }

    /// Do the rules allow to play on an empty point of the region?
    #[inline]
    pub fn is_legal(&self, state: &State, cell: Cell) -> bool {
        if cell == state.ban && !self.has_threat(state) {
            return false;
        }
        let grid = &self.grid;
        let bit: Set = 1 << cell;
        let around = grid.beside(bit);
        let (own, other) = state.sides();
        let empty = self.empty(state) & !bit;
        let is_safe = match state.attacker_moves {
            true => bit & grid.wall | around & state.safe != 0,
            false => {
                let is_loose = || grid.flood(around & own, own) & state.crucial == 0;
                bit & grid.exit | around & state.out != 0 || self.has_way_on(state, bit) && is_loose()
            }
        };
        if around & empty != 0 || is_safe || grid.beside(grid.flood(around & own, own)) & empty != 0 {
            return true;
        }
        let mut rest = around & other & !(state.safe | state.out);
        while rest != 0 {
            let chain = grid.flood(lowest(rest), other);
            rest &= !chain;
            if grid.beside(chain) & empty == 0 {
                return true;
            }
        }
        false
    }

    /// Could a stone of the defender here still go on?
    #[inline(always)]
    fn has_way_on(&self, state: &State, bit: Set) -> bool {
        bit & self.grid.answered & !state.stopped != 0
    }

    /// As [`Rules::play`], with what the new stone touches already known.
    #[inline]
    pub fn settle(&self, state: &State, cell: Cell, touched: Touched) -> Option<Played> {
        let Touched { captured, joined, has_liberty } = touched;
        if cell == state.ban && !self.has_threat(state) {
            return None;
        }
        let grid = &self.grid;
        let bit: Set = 1 << cell;
        let is_safe = match state.attacker_moves {
            true => bit & grid.wall | joined & state.safe != 0,
            // Crucial stones are stopped at once, others if the attacker likes.
            false => {
                bit & grid.exit | joined & state.out != 0 || self.has_way_on(state, bit) && joined & state.crucial == 0
            }
        };
        if !has_liberty && captured == 0 && !is_safe {
            return None;
        }
        let mut next = *state;
        next.hash ^= TO_MOVE;
        if state.attacker_moves {
            next.attacker |= bit;
            next.defender &= !captured;
            if is_safe {
                next.safe |= bit | joined;
            }
            next.hash ^= self.keys[cell as usize][ATTACKER];
            if captured != 0 {
                let lost = state.crucial & captured;
                next.crucial &= !captured;
                next.hash ^= cells(captured).fold(0, |h, c| h ^ self.keys[c as usize][DEFENDER]);
                next.hash ^= cells(lost).fold(0, |h, c| h ^ self.keys[c as usize][CRUCIAL]);
            }
        } else {
            next.defender |= bit;
            next.attacker &= !captured;
            next.hash ^= self.keys[cell as usize][DEFENDER];
            if captured != 0 {
                next.hash ^= cells(captured).fold(0, |h, c| h ^ self.keys[c as usize][ATTACKER]);
            }
            if is_safe {
                next.out |= bit | joined;
            }
            if joined & state.crucial != 0 {
                next.crucial |= bit | joined;
                let new = next.crucial & !state.crucial;
                next.hash ^= cells(new).fold(0, |h, c| h ^ self.keys[c as usize][CRUCIAL]);
            }
        }
        next.attacker_moves = !state.attacker_moves;
        if !state.attacker_moves && !is_safe && self.has_way_on(state, bit) {
            // The attacker has answered beyond the region.
            next.hash ^= TO_MOVE ^ self.keys[cell as usize][STOPPED];
            next.stopped |= bit;
            next.attacker_moves = false;
        }
        // A lone stone that took one stone and has no liberty but that one: the other side may not retake at once.
        // A stone at the wall, or one that has got out, is no lone stone.
        let is_ko = joined == 0 && !has_liberty && captured & captured.wrapping_sub(1) == 0 && !is_safe;
        let is_ko = is_ko && next.attacker_moves != state.attacker_moves;
        if cell == state.ban {
            next.threats -= 1;
            next.hash ^= threat_key(self.ko, state.threats) ^ threat_key(self.ko, next.threats);
        }
        self.set_ban(&mut next, if is_ko { captured.trailing_zeros() as Cell } else { NOWHERE });
        Some(Played { state: next, captured })
    }

    /// The points around the crucial stones that no stone of the attacker has closed off for good. Nothing played
    /// elsewhere can touch them: between lie stones that stay.
    #[inline]
    pub fn arena(&self, state: &State) -> Set {
        self.grid.flood(state.crucial, self.grid.region & !state.safe)
    }
}
