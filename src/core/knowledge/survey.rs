//! One position as the features of its moves see it: who stands where for the side to play, which stones are chains, and
//! what liberties these have. Made once for all moves of a position.

use super::grid::{self, LEN, NEIGHBOURS, Place, STRIDE, place_of, places, step};
use crate::base::{Point, Size};
use crate::game::go::Board;

/// What stands on a place, seen by the side to play.
pub const EMPTY: u8 = 0;
pub const OWN: u8 = 1;
pub const ENEMY: u8 = 2;
pub const OFF: u8 = 3;

/// What stands on a place, with the liberties of stones: empty, own with 1, 2, 3, 4 or more, the enemy's likewise, off.
pub const CLASS_OWN: u8 = 1;
pub const CLASS_ENEMY: u8 = 5;
pub const CLASS_OFF: u8 = 9;

const MOST_STONES: usize = Size::MAX * Size::MAX;

/// A chain of stones, or with no colour a region of empty points.
#[derive(Clone, Copy, Default)]
pub struct Chain {
    pub color: u8,
    stones: (u16, u16),
    liberties: (u16, u16),
}

impl Chain {
    #[inline(always)]
    pub fn size(&self) -> usize {
        (self.stones.1 - self.stones.0) as usize
    }

    #[inline(always)]
    pub fn liberties(&self) -> usize {
        (self.liberties.1 - self.liberties.0) as usize
    }
}

pub struct Survey {
    pub size: Size,
    pub places: &'static [Place],
    /// Stones on the board.
    pub stones: usize,
    pub ko: usize,
    pub cells: [u8; LEN],
    pub classes: [u8; LEN],
    /// The number of the chain on a place; 0 where there is none.
    chain_at: [u16; LEN],
    /// The chain that last counted a place as its liberty.
    counted: [u16; LEN],
    chains: Vec<Chain>,
    chain_stones: [Place; MOST_STONES],
    chain_liberties: Vec<Place>,
}

impl Survey {
    pub fn new<const W: usize, const P: usize>(board: &Board<W, P>) -> Survey {
        let size = board.size();
        let places = places(size);
        let mut survey = Survey {
            size,
            places,
            stones: 0,
            ko: place_of(places, board.ko()),
            cells: [OFF; LEN],
            classes: [CLASS_OFF; LEN],
            chain_at: [0; LEN],
            counted: [0; LEN],
            chains: Vec::with_capacity(128),
            chain_stones: [0; MOST_STONES],
            chain_liberties: Vec::with_capacity(1024),
        };
        for y in 0..size.n() {
            let from = grid::place(0, y);
            survey.cells[from..from + size.n()].fill(EMPTY);
            survey.classes[from..from + size.n()].fill(EMPTY);
        }
        let own = board.to_play();
        board.stones(own).visit(|p| survey.cells[place_of(places, p)] = OWN);
        board.stones(own.opponent()).visit(|p| survey.cells[place_of(places, p)] = ENEMY);
        survey.chains.push(Chain::default());
        (board.stones(own) | board.stones(own.opponent())).visit(|p| {
            let place = place_of(places, p);
            if survey.chain_at[place] == 0 {
                survey.flood(place);
            }
        });
        survey
    }

    fn flood(&mut self, start: usize) {
        let number = self.chains.len() as u16;
        let color = self.cells[start];
        let (first, first_liberty) = (self.stones, self.chain_liberties.len());
        self.chain_at[start] = number;
        self.chain_stones[first] = start as Place;
        let (mut next, mut end) = (first, first + 1);
        while next < end {
            let place = self.chain_stones[next] as usize;
            next += 1;
            for by in NEIGHBOURS {
                let beside = step(place, by);
                let cell = self.cells[beside];
                if cell == color {
                    if self.chain_at[beside] == 0 {
                        self.chain_at[beside] = number;
                        self.chain_stones[end] = beside as Place;
                        end += 1;
                    }
                } else if cell == EMPTY && self.counted[beside] != number {
                    self.counted[beside] = number;
                    self.chain_liberties.push(beside as Place);
                }
            }
        }
        self.stones = end;
        let chain = Chain {
            color,
            stones: (first as u16, end as u16),
            liberties: (first_liberty as u16, self.chain_liberties.len() as u16),
        };
        let base = if color == OWN { CLASS_OWN } else { CLASS_ENEMY };
        let class = base + (chain.liberties().clamp(1, 4) - 1) as u8;
        for i in first..end {
            self.classes[self.chain_stones[i] as usize] = class;
        }
        self.chains.push(chain);
    }

    /// The number of the chain on a place; 0 if there is none.
    #[inline(always)]
    pub fn chain_number(&self, place: usize) -> u16 {
        self.chain_at[place]
    }

    #[inline(always)]
    pub fn chain(&self, number: u16) -> &Chain {
        &self.chains[number as usize]
    }

    /// How many chains there are; they are numbered from 1.
    pub fn chain_count(&self) -> usize {
        self.chains.len() - 1
    }

    #[inline(always)]
    pub fn stones_of(&self, number: u16) -> &[Place] {
        let (from, to) = self.chain(number).stones;
        &self.chain_stones[from as usize..to as usize]
    }

    #[inline(always)]
    pub fn liberties_of(&self, number: u16) -> &[Place] {
        let (from, to) = self.chain(number).liberties;
        &self.chain_liberties[from as usize..to as usize]
    }

    /// The point of a place on the board.
    pub fn point(&self, place: usize) -> Point {
        let (x, y) = grid::xy(place);
        self.size.point(x, y)
    }

    /// The different chains around a place: how many, and their numbers in the order of the neighbours.
    #[inline(always)]
    pub fn chains_around(&self, place: usize) -> ([u16; 4], usize) {
        let mut found = [0; 4];
        let mut count = 0;
        for by in NEIGHBOURS {
            let number = self.chain_at[step(place, by)];
            if number != 0 && !found[..count].contains(&number) {
                found[count] = number;
                count += 1;
            }
        }
        (found, count)
    }

    /// Is a place next to another, or the same?
    #[inline(always)]
    pub fn touches(a: usize, b: usize) -> bool {
        matches!(a.abs_diff(b), 0 | 1 | STRIDE)
    }
}
